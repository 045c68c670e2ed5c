"""The snapshot's map ships with the package: it is taken for that graph alone, and nothing is then laid out."""

import pytest

from podgraph.graph import add_places, find_places, form_of, ready_places, saved_places
from podgraph.output.pipeline import snapshot_graph

EPISODE, TOPIC = "episode:pytorch-developer-podcast/vmap", "topic:vmap"


@pytest.fixture(scope="module")
def graph():
    return snapshot_graph()


def test_the_snapshot_is_not_laid_out(graph, monkeypatch):
    monkeypatch.delattr("podgraph.graph.layout.places.place")
    monkeypatch.delattr("podgraph.graph.layout.start_view._ties")
    places = find_places(graph)
    assert list(places) == list(graph)
    assert places == ready_places(graph) == saved_places(graph) == saved_places(snapshot_graph())
    assert len(places[EPISODE]) == 6


def less(graph):
    graph.remove_node(TOPIC)


def other_order(graph):
    attributes, edges = dict(graph.nodes[TOPIC]), [*graph.in_edges(TOPIC, keys=True, data=True)]
    edges += graph.out_edges(TOPIC, keys=True, data=True)
    graph.remove_node(TOPIC)
    graph.add_node(TOPIC, **attributes)
    for source, target, key, data in edges:
        graph.add_edge(source, target, key, **data)


CHANGES = {
    "a node more": lambda graph: graph.add_node("topic:new", kind="topic"),
    "a node less": less,
    "another kind": lambda graph: graph.nodes[TOPIC].update(kind="web"),
    "another order": other_order,
    "an edge more": lambda graph: graph.add_edge(EPISODE, TOPIC, "mentions"),
    "an edge less": lambda graph: graph.remove_edge(EPISODE, TOPIC, "about"),
    "another weight": lambda graph: graph.edges[EPISODE, TOPIC, "about"].update(weight=0.123),
    "boilerplate": lambda graph: graph.edges[EPISODE, TOPIC, "about"].update(boilerplate=True),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_another_graph_has_no_map_ready(graph, change):
    other = graph.copy()
    assert ready_places(other)
    change(other)
    assert ready_places(other) == {}


def test_what_a_map_does_not_follow_from_changes_nothing(graph):
    other = graph.copy()
    other.nodes[TOPIC].update(label="Another", x=1.0)
    other.graph["generator"] = "another"
    assert form_of(other) == form_of(graph)


def test_places_of_an_earlier_graph_come_first(graph):
    moved = {node: {name: value + 1.0 for name, value in at.items()} for node, at in saved_places(graph).items()}
    other = graph.copy()
    add_places(other, moved)
    assert saved_places(other)[TOPIC] == moved[TOPIC]
