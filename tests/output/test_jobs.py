"""Feeds shared by several processes make the graph that one process makes, to the letter."""

import os
import signal
import subprocess
import sys

import pytest

from podgraph.extractors import in_processes
from podgraph.output import pipeline
from podgraph.output.formats.node_link import to_json

COUNT, EACH = 20, 3  # shows, items of each
ITEM = (
    "<item><title>{n}: On the weft with Ann Example{show}</title><guid>{show}-{n}</guid>"
    "<link>https://show{show}.example/{n}</link><pubDate>0{n} Nov 2021 06:00:00 +0000</pubDate><description><![CDATA["
    "<p>The weft again, after <a href='https://show{other}.example/1'>that show</a>: https://docs.example/sh... and "
    "https://docs.example/shed{n}… The whole: https://docs.example/shed{other}. Last time we talked of it. The guest "
    "wrote <a href='https://github.com/weavers/loom/pull/{n}'>a change{n}</a>, PRs from annex{other}, and commits "
    "https://github.com/weavers/loom/commit/0123456789{n}abcdef0123456789{n}abcdef0123 and "
    "https://github.com/weavers/loom/commit/0123456789{n}a; see torch.vmap and "
    "<a href='https://github.com/annex{show}'>Ann Example{show}</a>.</p><p>Subscribe, and rate us.</p>"
    "]]></description></item>"
)


def write_shows(folder):
    """Write their feeds into a folder, one of them twice, and one feed without items; return the folder's name."""
    for show in range(COUNT):
        items = "".join(ITEM.format(n=n, show=show, other=(show + 7) % COUNT) for n in range(1, EACH + 1))
        text = f'<rss version="2.0"><channel><title>Show {show}</title>{items}</channel></rss>'
        (folder / f"{show:02}.xml").write_text(text, "utf-8")
    (folder / f"{COUNT}.xml").write_bytes((folder / "07.xml").read_bytes())
    (folder / "none.xml").write_text("<rss version='2.0'><channel><title>Empty</title></channel></rss>")
    return str(folder)


def built(sources, **how):
    """Return the graph of a build, and as text: the graph, what failed, what was told."""
    told = []
    found = pipeline.build(sources, mapped=False, notify=told.append, **how)
    return found, (to_json(found.graph), [str(failure) for failure in found.failures], told)


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
