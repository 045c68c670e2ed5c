"""The graph at rest: what goes in comes out, and no file of a stranger does more than that."""

import json
import sqlite3

import networkx
import pytest

from podgraph.extractors import SourceError
from podgraph.graph import View
from podgraph.graph.store import Store
from tests.graph.nets import shuffled
from tests.tables import read_rows


@pytest.fixture
def path(sample, tmp_path):
    path = tmp_path / "podgraph.sqlite"
    path.write_bytes(Store.from_networkx(sample).to_bytes())
    return path


def test_a_graph_comes_back_whole_from_a_file_and_from_node_link_json(sample, path):
    data = json.loads(json.dumps(networkx.node_link_data(sample, edges="edges")))
    with Store.open(path) as store:
        for graph in (store.to_networkx(), Store.from_node_link(data).to_networkx()):
            assert networkx.utils.graphs_equal(graph, sample)
            assert graph.graph == sample.graph
    with pytest.raises(ValueError, match="no lists"):
        Store.from_node_link({"nodes": 5})


def test_the_same_graph_gives_the_same_rows(sample):
    assert Store.from_networkx(shuffled(sample)).to_bytes() == Store.from_networkx(sample).to_bytes()


def test_edges_and_keys_of_the_sample(path):
    pull, vmap = "github:pytorch/pytorch#130935", "episode:pytorch-developer-podcast/vmap"
    with Store.open(path) as store:
        edges = store.edges_from(vmap, "about")
        assert "topic:vmap" in [edge.target for edge in edges]
        assert edges == [edge for edge in store.edges_from(vmap) if edge.relation == "about"]
        assert [id_ for id_, _ in store.nodes_with_key("number", "130935")] == [pull]
        assert store.ids_with_prefix(pull[:-1]) == [pull]
        assert store.node("nothing") is None


def test_values_of_other_programs_become_texts():
    graph = networkx.MultiDiGraph()
    more = {"huge": 1 << 80, "tags": {"x"}, "nothing": None, "far": float("inf")}
    graph.add_node("web:a", kind="web", label="half \ud800 a\0", **more)
    node = Store.from_networkx(graph).node("web:a")
    assert node == {"kind": "web", "label": "half � a␀", "huge": hex(1 << 80), "tags": ["x"], "far": "inf"}


@pytest.mark.parametrize("word", ["vmap", "\u19b0\u19b1", "\U00010d00", "grosse"])
def test_a_word_is_found_again(word):
    graph = networkx.MultiDiGraph()
    graph.add_node("web:a", kind="web", label=f"a {word} b")
    view = View.from_networkx(graph)
    assert (view.find_words("label", [word]), view.find_words_starting(word)) == ({1}, [word])


FAULTS = dict(read_rows(__file__, "FAULTS"))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_strange_file_is_one_line(path, fault):
    database = sqlite3.connect(path)
    database.executescript(FAULTS[fault])
    database.close()
    with pytest.raises(SourceError, match=fault):
        Store.open(path)


@pytest.mark.parametrize("content", [b"", b"{}", b"SQLite format 3\0" + b"x" * 200])
def test_another_file_is_one_line(tmp_path, content):
    path = tmp_path / "g.sqlite"
    with pytest.raises(SourceError, match="does not exist"):
        Store.open(path)
    path.write_bytes(content)
    with pytest.raises(SourceError, match="not a graph"):
        Store.open(path)


def test_no_query_runs_for_ever(path):
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    with Store.open(path) as store, pytest.raises(SourceError, match="interrupted"):
        store.value(endless)


def test_a_damaged_row_is_one_line(path):
    database = sqlite3.connect(path)
    database.execute("""UPDATE nodes SET attributes = '{"x":' WHERE id = 'topic:vmap'""")
    database.commit()
    database.close()
    with Store.open(path) as store, pytest.raises(SourceError, match="cannot be read"):
        store.node("topic:vmap")
    with pytest.raises(SourceError, match="closed"):
        store.node("topic:vmap")
