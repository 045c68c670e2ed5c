"""What is written comes back: JSON and SQLite; and what is not a graph of ours is refused."""

import gzip
import os
import sqlite3

import networkx
import pytest
from hypothesis import HealthCheck, given, settings

from podgraph.extractors import SourceError
from podgraph.output.formats import read_graph, write_graph
from podgraph.output.formats.node_link import from_json, read_node_link, to_json
from tests.output.graphs import contract_graph, hostile_graph, same, typed_graphs, wild_graphs

READABLE = (".json", ".json.gz", ".sqlite")
often = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A place for many small files, which need not outlive the machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield tmp_path_factory.mktemp("formats")


def through(graph, folder, suffix):
    path = folder / f"graph{suffix}"
    write_graph(graph, path)
    return read_graph(path)


@pytest.mark.parametrize("suffix", READABLE)
def test_a_graph_of_the_contract_comes_back_whole(tmp_path, suffix):
    same(through(contract_graph(), tmp_path, suffix), contract_graph())


@pytest.mark.parametrize("suffix", READABLE)
def test_the_snapshot_comes_back_whole(tmp_path, suffix, sample):
    back = through(sample, tmp_path, suffix)
    same(back, sample)
    assert to_json(back) == to_json(sample)


@pytest.mark.parametrize("suffix", READABLE)
def test_the_empty_graph_comes_back(tmp_path, suffix):
    same(through(networkx.MultiDiGraph(), tmp_path, suffix), networkx.MultiDiGraph())


@pytest.mark.parametrize("suffix", READABLE)
@often
@given(graph=typed_graphs())
def test_typed_attributes_come_back_as_they_were(folder, suffix, graph):
    same(through(graph, folder, suffix), graph)


@pytest.mark.parametrize("suffix", READABLE)
@often
@given(graph=wild_graphs())
def test_a_second_trip_changes_nothing(folder, suffix, graph):
    once = through(graph, folder, suffix)
    same(through(once, folder, suffix), once)
    assert len(once) == len(graph)
    assert once.number_of_edges() == graph.number_of_edges()


@pytest.mark.parametrize("suffix", READABLE)
def test_the_hostile_graph_keeps_its_size(tmp_path, suffix):
    graph = hostile_graph()
    graph.graph.pop("schema")  # of another type
    back = through(graph, tmp_path, suffix)
    assert (len(back), back.number_of_edges()) == (len(graph), graph.number_of_edges())


def test_the_light_reader_needs_no_networkx(tmp_path):
    for name in ("g.json", "g.json.gz"):
        write_graph(contract_graph(), tmp_path / name)
        data = read_node_link(tmp_path / name)
        assert data == {
            key: value
            for key, value in networkx.node_link_data(from_json(to_json(contract_graph())), edges="edges").items()
            if key in {"graph", "nodes", "edges"}
        }


def _cut(suffix, keep):
    def make(path):
        write_graph(contract_graph(), path)
        data = path.read_bytes()
        path.write_bytes(data[: int(len(data) * keep)])

    return suffix, make


def _text(suffix, data):
    return suffix, lambda path: path.write_bytes(data)


def _foreign_database(path):
    sqlite3.connect(path).execute("CREATE TABLE nodes (id)").connection.close()


DAMAGED = {
    "cut JSON": _cut(".json", 0.5),
    "cut gzip": _cut(".json.gz", 0.5),
    "cut GraphML": _cut(".graphml", 0.9),
    "cut GEXF": _cut(".gexf", 0.9),
    "cut SQLite": _cut(".sqlite", 0.3),
    "empty JSON": _text(".json", b""),
    "empty GraphML": _text(".graphml", b""),
    "empty SQLite": _text(".sqlite", b""),
    "a list": _text(".json", b"[]"),
    "no nodes": _text(".json", b'{"edges": []}'),
    "nodes without ids": _text(".json", b'{"nodes": [{}], "edges": []}'),
    "edges without ends": _text(".json", b'{"nodes": [], "edges": [{"source": "a"}]}'),
    "too deep": _text(".json", b"[" * 200_000),
    "not UTF-8": _text(".json", b'{"nodes": ["\xff"]}'),
    "not XML": _text(".gexf", b"GIF89a"),
    "other XML": _text(".graphml", b"<feed/>"),
    "GEXF as GraphML": _text(".graphml", b'<gexf xmlns="http://gexf.net/1.3"><graph/></gexf>'),
    "a dangling edge": _text(".graphml", b'<graphml><graph><edge source="a" target="b"/></graph></graphml>'),
    "entities": _text(".gexf", b'<!DOCTYPE g [<!ENTITY a "b">]><gexf>&a;</gexf>'),
    "another database": (".sqlite", _foreign_database),
    "no database": _text(".sqlite", b"SQLite format 2"),
    "another suffix": _text(".txt", b"{}"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_what_is_no_graph_is_refused_in_one_line(tmp_path, case):
    suffix, make = DAMAGED[case]
    path = tmp_path / f"damaged{suffix}"
    make(path)
    with pytest.raises(SourceError) as caught:
        read_graph(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", READABLE)
def test_a_missing_file_is_told(tmp_path, suffix):
    with pytest.raises(SourceError, match=r"does not exist|is no such file"):
        read_graph(tmp_path / f"nothing{suffix}")


def test_a_compressed_file_is_known_by_its_content(tmp_path):
    (tmp_path / "g.json").write_bytes(gzip.compress(to_json(contract_graph()).encode()))
    same(read_graph(tmp_path / "g.json"), contract_graph())
