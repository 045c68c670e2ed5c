"""Paths: the meaningful way before the short cut through a hub."""

import networkx
import pytest

from podgraph.extractors import NotFoundError
from podgraph.graph import View, connect_nodes, find_paths
from tests.graph.nets import ident, net, view

EPISODES = (("a", ["rare"], ""), ("b", ["rare"], ""), ("c", [], ""), ("d", [], ""), ("e", ["island"], ""))


def test_several_ways_the_best_first_a_rare_topic_before_the_podcast():
    ways = find_paths(view(net(*EPISODES)), ident("a"), ident("b"), k=5)
    assert ways == [[ident("a"), "topic:rare", ident("b")], [ident("a"), "podcast:p", ident("b")]]


def test_a_related_edge_of_little_weight_is_a_last_resort():
    graph = net(*EPISODES)
    graph.remove_node("podcast:p")
    for one, other, weight in (("a", "c", 0.1), ("a", "d", 0.4), ("d", "c", 0.4), ("d", "e", 0.1)):
        graph.add_edge(ident(one), ident(other), "related", weight=weight, reasons=["for the test"])
    for end in ("c", "e"):
        assert find_paths(view(graph), ident("a"), ident(end)) == [[ident("a"), ident("d"), ident(end)]]


def test_each_step_says_what_stands_at_its_ends():
    graph = View.from_node_link(networkx.node_link_data(net(*EPISODES), edges="edges"))
    first, second = connect_nodes(graph, "a", "b").rows
    assert (first.source, first.target, second.target) == (ident("a"), "topic:rare", ident("b"))
    assert (first.source_title, first.title, second.title) == ("a", "rare", "b")
    assert [(row.relation, row.weight, row.backwards) for row in (first, second)] == [
        ("about", 1, False),
        ("about", 1, True),
    ]
    assert first.evidence


def test_no_way_no_path():
    graph = net(*EPISODES)
    graph.remove_node("podcast:p")
    assert find_paths(view(graph), ident("a"), ident("e")) == find_paths(view(graph), ident("a"), ident("e"), k=3) == []
    assert find_paths(view(graph), ident("a"), "topic:nowhere") == []
    assert find_paths(view(graph), ident("a"), ident("a")) == []


def test_an_unknown_name_has_a_remedy():
    with pytest.raises(NotFoundError) as error:
        connect_nodes(view(net(("loom", [], ""))), "loom", "quxbar")
    assert str(error.value) == "nothing in the graph is called 'quxbar'; `podgraph search` finds by words"
