"""Feeds shared by several processes make the graph that one process makes, to the letter."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from podgraph.extractors import in_processes
from podgraph.output import pipeline
from podgraph.output.formats.node_link import to_json

COUNT, EACH = 20, 3  # shows, items of each
ITEM = Path(__file__).with_name("weft_item.xml").read_text("utf-8").rstrip()


def test_the_same_graph_whatever_the_number_of_processes(tmp_path):
    """One of the feeds is there twice, and one has no items."""
    for show in range(COUNT):
        items = "".join(ITEM.format(n=n, show=show, other=(show + 7) % COUNT) for n in range(1, EACH + 1))
        text = f'<rss version="2.0"><channel><title>Show {show}</title>{items}</channel></rss>'
        (tmp_path / f"{show:02}.xml").write_text(text, "utf-8")
    (tmp_path / f"{COUNT}.xml").write_bytes((tmp_path / "07.xml").read_bytes())
    (tmp_path / "none.xml").write_text("<rss version='2.0'><channel><title>Empty</title></channel></rss>")
    texts = []
    for jobs in (1, 2, 3):
        notes = []
        found = pipeline.build(sorted(map(str, tmp_path.iterdir())), has_places=False, notify=notes.append, jobs=jobs)
        texts.append((to_json(found.graph), [str(failure) for failure in found.failures], notes))
    assert "github:weavers/loom#3" in texts[0][0]
    assert len(texts[0][1]) == 1
    assert texts[0] == texts[1] == texts[2]


def test_work_is_shared():
    found = [*in_processes(lambda number: (number, os.getpid()), [range(40)], jobs=3)]
    assert [number for number, _ in found] == [*range(40)]
    assert (os.getpid() in {process for _, process in found}) == (sys.platform != "linux")


def test_what_one_process_leaves_undone_is_done_and_what_it_raises_is_raised():
    def fail(number):
        raise LookupError(number)

    with pytest.raises(LookupError, match="0"):
        [*in_processes(fail, [range(6)], jobs=2)]
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
        "import os, signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
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
