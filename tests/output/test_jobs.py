"""Feeds shared by several processes make the graph that one process makes, to the letter."""

import os
import signal
import subprocess
import sys

import pytest

from podgraph import extractors
from podgraph.extractors import Source, Sources, in_processes
from podgraph.output import pipeline

from .shows import built, write_shows


def jobs_of(source, wanted, monkeypatch):
    """Return how many processes a build of one source shares its feeds with."""

    def stop(*arguments):
        raise StopIteration(getattr(arguments[-1], "keywords", {"jobs": 1})["jobs"])

    monkeypatch.setattr(extractors, "read_sources", lambda *_, **_more: Sources((source,), ()))
    monkeypatch.setattr(pipeline, "map_sources", stop)
    with pytest.raises(StopIteration) as found:
        pipeline.build([source.source], jobs=wanted)
    return found.value.value


def test_the_same_graph_whatever_the_number_of_processes(tmp_path):
    write_shows(tmp_path)
    feeds = [str(path) for path in sorted(tmp_path.iterdir())]
    _, alone = built(feeds, jobs=1)
    assert "github:weavers/loom#3" in alone[0]
    assert len(alone[1]) == 1
    for jobs in (2, 3):
        assert built(feeds, jobs=jobs)[1] == alone


def test_work_is_shared():
    found = [*in_processes(lambda number: (number, os.getpid()), [range(40)], jobs=3)]
    assert [number for number, _ in found] == [*range(40)]
    assert (os.getpid() in {process for _, process in found}) == (sys.platform != "linux")


def test_what_one_process_leaves_undone_is_done():
    here = os.getpid()

    def work(number):
        if number == 3 and os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    assert [*in_processes(work, [range(6)], jobs=2)] == [*range(6)]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere one process does it all")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_processes_end_with_the_one_that_waits(how):
    waits = (
        "import os, signal\n"
        "from podgraph.extractors import in_processes\n"
        "[*in_processes(lambda _: (os.write(1, b'.'), signal.pause()), [range(3)], jobs=3)]"
    )
    with subprocess.Popen([sys.executable, "-c", waits], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as asks:
        assert asks.stdout.read(3) == b"..."
        asks.send_signal(how)
        assert asks.communicate(timeout=60) == (b"", None)  # nobody has the other end of the pipe any more


def test_without_room_for_processes_the_work_is_done(monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", full)
    assert [*in_processes(abs, [range(-3, 0)], jobs=2)] == [3, 2, 1]


def test_what_is_raised_there_is_raised_here():
    def work(number):
        raise LookupError(number)

    with pytest.raises(LookupError, match="0"):
        [*in_processes(work, [range(6)], jobs=2)]


@pytest.mark.parametrize(("size", "wanted", "jobs"), [(1, 0, 1), (5 << 20, 0, 7), (1, 3, 3), (5 << 20, 1, 1)])
def test_processes_by_themselves_from_some_size_on(size, wanted, jobs, monkeypatch):
    monkeypatch.setattr(extractors, "processors", lambda: 7)
    source = Source("feed.xml", b" " * size, "file")
    assert jobs_of(source, wanted, monkeypatch) == jobs
    monkeypatch.setattr(extractors, "plugins_installed", lambda: True)
    assert jobs_of(source, wanted, monkeypatch) == 1
