"""Feeds shared by several processes make the graph that one process makes, to the letter."""

import os
import signal
import sys

import pytest

from podgraph.extractors import in_processes
from podgraph.output import pipeline
from podgraph.output.formats.node_link import to_json

ITEM = (
    "<item><title>{n}: On the {word} with Ann Example{n}</title><guid>{show}-{n}</guid>"
    "<link>https://{show}.example/{n}</link><pubDate>0{n} Nov 2021 06:00:00 +0000</pubDate>"
    "<description><![CDATA[<p>The {word} again, after <a href='https://{other}.example/1'>that show</a>. Our guest "
    "wrote <a href='https://github.com/weavers/loom/pull/{n}'>a change</a>; see torch.vmap and the {word}.</p>"
    "<p>Subscribe, and rate us.</p>]]></description></item>"
)
SHOWS = {"warp": ("weft", "heddle"), "weft": ("warp", "shuttle"), "loom": ("weft", "heddle")}


@pytest.fixture
def feeds(tmp_path):
    for show, (other, word) in SHOWS.items():
        items = "".join(ITEM.format(n=n, show=show, other=other, word=word) for n in range(1, 7))
        text = f'<rss version="2.0"><channel><title>The {show} show</title>{items}</channel></rss>'
        (tmp_path / f"{show}.xml").write_text(text)
    (tmp_path / "none.xml").write_text("<rss version='2.0'><channel><title>Empty</title></channel></rss>")
    return [str(path) for path in sorted(tmp_path.iterdir())]


def jobs_of(source, wanted):
    with pipeline._sharing([source], wanted, "") as share:
        return getattr(share, "keywords", {"jobs": 1})["jobs"]


def built(feeds, jobs, scheduler=""):
    told = []
    found = pipeline.build(feeds, jobs=jobs, scheduler=scheduler, mapped=False, notify=told.append)
    return to_json(found.graph), [str(failure) for failure in found.failures], told


def test_the_same_graph_whatever_the_number_of_processes(feeds):
    alone = built(feeds, 1)
    assert "github:weavers/loom#6" in alone[0]
    assert len(alone[1]) == 1
    for jobs in (2, 3):
        assert built(feeds, jobs) == alone


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
    monkeypatch.setattr(pipeline, "processors", lambda: 7)
    source = pipeline.Source("feed.xml", b" " * size, "file")
    assert jobs_of(source, wanted) == jobs
    monkeypatch.setattr(pipeline, "plugins_installed", lambda: True)
    assert jobs_of(source, wanted) == 1
