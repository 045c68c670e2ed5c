"""The layout: nothing overlaps, the same graph gives the same map, and a map keeps its shape."""

import statistics
import sys
from collections import Counter
from itertools import combinations
from math import hypot

import networkx
import pytest

from podgraph.graph import find_heaviest, lay_out, saved_places
from podgraph.graph.layout.place import neighbours, place, radius
from tests.browser.synthetic_graph import synthetic_graph


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph()


@pytest.fixture(scope="module")
def positions(graph):
    return map_of(graph)


def map_of(graph, previous=None):
    earlier = {node: {"x": x, "y": y} for node, (x, y) in (previous or {}).items()}
    return {node: (at["x"], at["y"]) for node, at in lay_out(graph, earlier).items()}


def distance(positions, one, other):
    return hypot(positions[one][0] - positions[other][0], positions[one][1] - positions[other][1])


def has_overlaps(graph, positions):
    size = {node: radius(len(others)) for node, others in neighbours(graph, graph).items()}
    return any(distance(positions, one, other) < size[one] + size[other] for one, other in combinations(positions, 2))


def test_every_node_has_a_place_and_none_overlaps(graph, positions):
    assert list(positions) == list(graph)
    assert not has_overlaps(graph, positions)


def test_the_same_graph_gives_the_same_map(graph, positions):
    assert map_of(graph) == positions
    assert map_of(graph, positions) == positions


def test_neighbours_are_near(graph, positions):
    lines = [(one, other) for one, others in neighbours(graph, graph).items() for other in others]
    pairs = list(combinations(list(positions)[::7], 2))
    means = [statistics.mean(distance(positions, *pair) for pair in some) for some in (lines, pairs)]
    assert means[0] / means[1] < 0.4
    leaves = [one for one, others in neighbours(graph, graph).items() if len(others) == 1]
    hosts = {one: other for one, other in lines if one in leaves}
    assert statistics.median(distance(positions, one, hosts[one]) for one in leaves) < 60


def test_nodes_of_an_index_are_beside_their_symbols():
    grown = synthetic_graph()
    symbols = [node for node, kind in grown.nodes(data="kind") if kind == "symbol"]
    for symbol in symbols:
        grown.add_node(f"file:{symbol}", kind="file", label=symbol)
        grown.add_edge(symbol, f"file:{symbol}", key="defined_in")
        grown.add_edge(f"file:{symbol}", "folder:src", key="in_folder")
    grown.nodes["folder:src"]["kind"] = "folder"
    after = map_of(grown)
    assert symbols
    assert not has_overlaps(grown, after)
    width = max(x for x, _ in after.values()) - min(x for x, _ in after.values())
    assert max(distance(after, symbol, f"file:{symbol}") for symbol in symbols) < 0.2 * width


def test_a_new_episode_does_not_reshuffle_the_map(positions):
    grown = synthetic_graph()
    grown.add_node("episode:synthetic/new", kind="episode", label="New")
    for topic in ("topic:tensor-1", "topic:cache-8", "topic:dispatcher-0"):
        grown.add_edge("episode:synthetic/new", topic, key="about")
    for number in range(5):
        grown.add_node(f"web:new/{number}", kind="web", label="new")
        grown.add_edge("episode:synthetic/new", f"web:new/{number}", key="cites")
    after = map_of(grown, positions)
    width = max(x for x, _ in positions.values()) - min(x for x, _ in positions.values())
    moves = [hypot(after[node][0] - x, after[node][1] - y) for node, (x, y) in positions.items()]
    assert statistics.median(moves) < 0.05 * width
    assert not has_overlaps(grown, after)


def test_many_new_nodes_are_a_new_map(positions):
    other = networkx.relabel_nodes(synthetic_graph(), lambda node: f"{node}*" if len(node) % 3 else node)
    assert not has_overlaps(other, map_of(other, positions))


def counted_calls(graph):
    """Return how many functions the layout of a graph calls."""
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        place(graph, graph, {"topic:owls": (0.5, 0.5)}, {})
    finally:
        sys.setprofile(None)
    return calls


def with_one_wish(count):
    """Return a graph in which ``count`` symbols, which no text names, belong beside one topic."""
    graph = networkx.MultiDiGraph()
    for number in range(count):
        graph.add_edge(f"episode:p/{number}", "topic:owls", "about", weight=1)
        graph.add_edge("topic:owls", f"symbol:s{number}", "covers", weight=1)
    return graph


def test_nodes_that_all_want_one_place_take_linear_work():
    assert counted_calls(with_one_wish(400)) < 2.5 * counted_calls(with_one_wish(200))


@pytest.mark.parametrize(
    "edges",
    [
        [],
        [("a", "b")],
        [("a", "b"), ("c", "d"), ("d", "e")],
        [("hub", f"leaf{number}") for number in range(200)],
        [(f"n{number}", f"n{(number + 1) % 40}") for number in range(40)],
        [("a", "a")],
    ],
    ids=["nothing", "a pair", "islands", "a big star", "a ring", "a loop"],
)
def test_odd_shapes(edges):
    graph = networkx.MultiDiGraph()
    graph.add_nodes_from(["alone", "alone too"])
    graph.add_edges_from((u, v, "cites") for u, v in edges)
    positions = map_of(graph)
    assert set(positions) == set(graph)
    assert not has_overlaps(graph, positions)


def test_of_too_large_a_graph_the_map_has_topics_strong_episodes_and_what_most_cite(monkeypatch, graph):
    monkeypatch.setattr("podgraph.graph.layout.places.find_heaviest", lambda graph: find_heaviest(graph, 80))
    found = lay_out(graph)
    kinds = Counter(graph.nodes[node]["kind"] for node in found)
    assert (len(found), kinds["podcast"]) == (80, 1)
    for some in ("topic", "episode"):
        degrees = {
            node: len(graph.succ[node]) + len(graph.pred[node])
            for node, kind in graph.nodes(data="kind")
            if kind == some
        }
        assert 19 <= kinds[some] < len(degrees)
        left_out = [degree for node, degree in degrees.items() if node not in found]
        assert max(left_out) <= min(degree for node, degree in degrees.items() if node in found)
    again = graph.copy()
    for node, at in found.items():
        again.nodes[node].update(at)
    assert lay_out(again, saved_places(again)) == found
