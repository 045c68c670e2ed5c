"""A build whose feeds and graph lie in a file gives what one in memory gives; where the disk is full, one line."""

import errno
import os
import signal
import sys
import tempfile
from types import ModuleType

import networkx
import pytest

import podgraph
from podgraph.extractors import parse_feed, sample_feed
from podgraph.output import pipeline
from podgraph.output.cluster import on_cluster
from podgraph.output.formats import Format, write_graph
from podgraph.output.formats.node_link import to_json
from podgraph.output.formats.sqlite import to_sqlite

from .running import run
from .shows import built, write_shows


@pytest.fixture(scope="module")
def shows(tmp_path_factory):
    return write_shows(tmp_path_factory.mktemp("shows"))


def result(sources, **how):
    """Return the type of the graph of a build, and all that it gives."""
    found, texts = built(sources, **how)
    return type(found.graph).__name__, (*texts, to_sqlite(found.graph), found.feeds)


@pytest.mark.parametrize("sources", [["sample"], ["FEEDS"], ["sample", "FEEDS"]])
def test_the_same_graph_in_memory_and_in_a_file(sources, shows, monkeypatch):
    sources = [shows if source == "FEEDS" else source for source in sources]
    form, alone = result(sources, jobs=1)
    assert form == "MultiDiGraph"
    monkeypatch.setattr(pipeline, "_SPILLED", 0)
    assert [result(sources, jobs=jobs) for jobs in (1, 3)] == [("StoredGraph", alone)] * 2


def test_the_same_graph_in_a_file_by_a_cluster(shows, monkeypatch):
    pytest.importorskip("distributed", reason="the extra dask")
    _, alone = result([shows], jobs=1)
    monkeypatch.setattr(pipeline, "_SPILLED", 0)
    with on_cluster("local", 2) as share:
        monkeypatch.setattr(pipeline, "in_processes", share)
        assert result([shows], jobs=1) == ("StoredGraph", alone)


def test_processes_that_are_killed_change_nothing(shows, monkeypatch, tmp_path):
    _, alone = result([shows], jobs=1)
    monkeypatch.setattr(pipeline, "_SPILLED", 0)
    mapped, here = pipeline._mapped, os.getpid()

    def deadly(source, *args):
        if "11.xml" in source.source and os.getpid() != here:
            (tmp_path / "died").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return mapped(source, *args)

    monkeypatch.setattr(pipeline, "_mapped", deadly)
    assert result([shows], jobs=2) == ("StoredGraph", alone)
    assert (tmp_path / "died").exists()


@pytest.mark.parametrize("room", [0, 5, 30, 50])  # things that find room: feeds, what is found in them, the graph
def test_a_full_disk_is_one_line_and_leaves_nothing(room, shows, monkeypatch, capsys, tmp_path):
    made = tempfile.TemporaryFile

    class Full:
        def __init__(self, **how):
            self.file, self.left = made(**how), room
            self.seek, self.fileno, self.close = self.file.seek, self.file.fileno, self.file.close

        def write(self, data):
            self.left -= 1
            if self.left < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return self.file.write(data)

    monkeypatch.setattr(pipeline, "_SPILLED", 0)
    monkeypatch.setattr("podgraph.graph.stored._RECENT", 10)
    monkeypatch.setattr("tempfile.TemporaryFile", Full)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    target = tmp_path / "out" / "all.sqlite"
    target.parent.mkdir()
    status, out, err = run(capsys, "build", shows, "-q", "-o", str(target))
    assert (status, out, [*target.parent.iterdir()]) == (2, "", [])
    (line,) = err.splitlines()
    assert line.endswith("free some space there, or set TMPDIR to a folder with room; nothing is written")
    assert [*tmp_path.iterdir()] == [target.parent]


def test_what_is_set_is_kept(monkeypatch):
    """Attributes that were written, and asked for again, say what was set last, whoever holds them."""
    monkeypatch.setattr(pipeline, "_SPILLED", 0)
    monkeypatch.setattr("podgraph.graph.stored._RECENT", 3)
    graph = pipeline.graph_of(
        pipeline.Spilled(pipeline.Scratch(), [parse_feed(sample_feed(), source="sample")]), mapped=False
    )
    nodes = [*graph]
    held = [graph.nodes[node] for node in nodes]
    for number, data in enumerate(held):
        data["mark"] = number
        data.update(twice=number)
        data.pop("community", None)
        data["gone"] = 1
        del data["gone"]
    del held, data
    assert [
        (data["mark"], data["twice"], {"community", "gone"} & data.keys()) for _, data in graph.nodes(data=True)
    ] == [(number, number, set()) for number in range(len(nodes))]


def test_code_that_is_not_ours_gets_a_graph_of_networkx(shows, monkeypatch, tmp_path):
    """Views, copies and pickles of it are networkx's, and its order is that of a graph built in memory."""
    alone = podgraph.build(shows).networkx
    monkeypatch.setattr(pipeline, "_SPILLED", 0)
    graph = podgraph.build(shows).networkx
    assert type(graph) is type(alone) is networkx.MultiDiGraph
    assert [*graph.nodes(data=True)] == [*alone.nodes(data=True)]
    assert [*graph.edges(keys=True, data=True)] == [*alone.edges(keys=True, data=True)]
    assert graph.graph == alone.graph
    got = []
    module = ModuleType("a_package")
    module.to_x, module.write_x = to_json, lambda graph, _: got.append(type(graph))
    monkeypatch.setitem(sys.modules, "a_package", module)
    stored = pipeline.build([shows], mapped=False).graph
    write_graph(stored, tmp_path / "all.x", Format("x", (".x",), "", "a_package", "to_x", "write_x"))
    assert (type(stored).__name__, got) == ("StoredGraph", [networkx.MultiDiGraph])
