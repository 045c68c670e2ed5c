"""The layout: nothing overlaps, the same graph gives the same map, and a map keeps its shape."""

import cProfile
import statistics
from collections import Counter
from itertools import combinations
from math import hypot

import networkx
import pytest

from podgraph.graph import find_heaviest, lay_out, saved_places
from podgraph.graph.layout.place import compute_radius, find_drawn_neighbours, place_nodes
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
    size = {node: compute_radius(len(others)) for node, others in find_drawn_neighbours(graph, graph).items()}
    return any(distance(positions, one, other) < size[one] + size[other] for one, other in combinations(positions, 2))


def test_every_node_has_a_place_of_its_own_and_keeps_it(graph, positions):
    assert list(positions) == list(graph)
    assert not has_overlaps(graph, positions)
    assert map_of(graph) == map_of(graph, positions) == positions


def test_neighbours_are_near(graph, positions):
    links = find_drawn_neighbours(graph, graph)
    pairs = list(combinations(list(positions)[::7], 2))
    lines = [(one, other) for one, others in links.items() for other in others]
    near, far = (statistics.mean(distance(positions, *pair) for pair in some) for some in (lines, pairs))
    assert near < 0.4 * far
    leaves = [(one, other) for one, other in lines if len(links[one]) == 1]
    assert statistics.median(distance(positions, *pair) for pair in leaves) < 60


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
    grown.add_node("new", kind="episode", label="New")
    grown.add_edges_from(("new", f"topic:{name}", "about") for name in ("tensor-1", "cache-8", "dispatcher-0"))
    grown.add_edges_from(("new", f"web:new/{number}", "cites") for number in range(5))
    after = map_of(grown, positions)
    width = max(x for x, _ in positions.values()) - min(x for x, _ in positions.values())
    moves = [hypot(after[node][0] - x, after[node][1] - y) for node, (x, y) in positions.items()]
    assert statistics.median(moves) < 0.05 * width
    assert not has_overlaps(grown, after)


def test_many_new_nodes_are_a_new_map(positions):
    other = networkx.relabel_nodes(synthetic_graph(), lambda node: f"{node}*" if len(node) % 3 else node)
    assert not has_overlaps(other, map_of(other, positions))


def count_calls(count):
    """Return how many functions run for the map of ``count`` symbols, which no text names, beside one topic."""
    graph = networkx.MultiDiGraph(("topic:owls", f"symbol:s{number}", "covers") for number in range(count))
    graph.add_edges_from((f"episode:p/{number}", "topic:owls", "about") for number in range(count))
    profile = cProfile.Profile()
    profile.runcall(place_nodes, graph, graph, {"topic:owls": (0.5, 0.5)}, {})
    return sum(entry.callcount for entry in profile.getstats())


def test_nodes_that_all_want_one_place_take_linear_work():
    assert count_calls(400) < 2.5 * count_calls(200)


SHAPES = {
    "nothing": [],
    "islands": [("a", "b"), ("c", "d"), ("d", "e")],
    "a big star": [("hub", f"leaf{number}") for number in range(200)],
    "a ring": [(f"n{number}", f"n{(number + 1) % 40}") for number in range(40)],
    "a loop": [("a", "a")],
}


@pytest.mark.parametrize("edges", SHAPES.values(), ids=SHAPES)
def test_odd_shapes(edges):
    graph = networkx.MultiDiGraph((one, other, "cites") for one, other in edges)
    graph.add_nodes_from(["alone", "alone too"])
    positions = map_of(graph)
    assert set(positions) == set(graph)
    assert not has_overlaps(graph, positions)


def test_of_too_large_a_graph_the_map_has_topics_strong_episodes_and_what_most_cite(monkeypatch, graph):
    monkeypatch.setattr("podgraph.graph.layout.places.find_heaviest", lambda graph: find_heaviest(graph, 80))
    found = lay_out(graph)
    kinds = Counter(graph.nodes[node]["kind"] for node in found)
    assert (len(found), kinds["podcast"]) == (80, 1)
    for some in ("topic", "episode"):
        ties = {node: graph.degree(node) for node, kind in graph.nodes(data="kind") if kind == some}
        assert 19 <= kinds[some] < len(ties)
        assert min(ties[node] for node in ties if node in found) >= max(
            ties[node] for node in ties if node not in found
        )
    again = graph.copy()
    for node, at in found.items():
        again.nodes[node].update(at)
    assert lay_out(again, saved_places(again)) == found
