"""A part of the graph, by kind, relation, time and place."""

import networkx
import pytest

from podgraph.extractors import QueryError
from podgraph.graph import narrow
from tests.tables import read_rows

NODES = """episode:p/old episode:p/new episode:p/undated podcast:p blog:b.org/post blog:b.org/cited github:o/r#1 github:o/r#2
 github:o/r topic:vmap symbol:torch.vmap web:alone.org/"""
KINDS = {"github:o/r": "repo", "github:o/r#1": "pull", "github:o/r#2": "pull"}
EDGES = """episode:p/old part_of podcast:p, episode:p/new part_of podcast:p, episode:p/undated part_of podcast:p,
 episode:p/old cites github:o/r#1, episode:p/new cites github:o/r#2, episode:p/new cites blog:b.org/cited,
 github:o/r#1 in_repo github:o/r, github:o/r#2 in_repo github:o/r, episode:p/old about topic:vmap,
 episode:p/new about topic:vmap, episode:p/new mentions topic:vmap, episode:p/new related episode:p/old,
 blog:b.org/post about topic:vmap, topic:vmap covers symbol:torch.vmap"""


@pytest.fixture
def whole():
    graph = networkx.MultiDiGraph(schema=1)
    for node in NODES.split():
        graph.add_node(node, label=node, kind=KINDS.get(node, node.partition(":")[0]))
    for edge in EDGES.split(","):
        source, relation, target = edge.split()
        graph.add_edge(source, target, relation)
    return graph


def ids(graph):
    return {node.removeprefix("episode:p/").removeprefix("github:") for node in graph}


CASES = dict(read_rows(__file__, "CASES"))  # options, nodes, number of edges


@pytest.mark.parametrize("case", CASES)
def test_a_part(whole, case):
    options, nodes, edges = CASES[case]
    part = narrow(whole, **options)
    assert ids(part) == nodes
    assert part.number_of_edges() == edges
    assert part.graph == whole.graph
    for node in part:
        assert part.nodes[node] == whole.nodes[node]


def test_no_condition_is_the_whole(whole):
    assert networkx.utils.graphs_equal(narrow(whole), whole)


def test_the_whole_is_left_alone(whole):
    before = whole.copy()
    part = narrow(whole, kinds=["episode"])
    part.add_node("new")
    part.nodes["episode:p/old"]["label"] = "changed"
    assert networkx.utils.graphs_equal(whole, before)


def test_an_unknown_focus_is_told(whole):
    with pytest.raises(QueryError, match="no node is called 'episode:p/none', given as focus"):
        narrow(whole, focus="episode:p/none")
