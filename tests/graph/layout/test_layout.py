"""The layout: nothing overlaps, few lines cross, the same graph gives the same map, and a map keeps its shape."""

import statistics
import sys
from collections import Counter
from itertools import combinations
from math import hypot

import networkx
import pytest

from podgraph.graph import lay_out, place, saved_places, thinned
from podgraph.graph.layout.overlaps import Disc, separate
from podgraph.graph.layout.place import DRAWN, neighbours, radius
from tests.browser.synthetic_graph import synthetic_graph


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph()


@pytest.fixture(scope="module")
def positions(graph):
    return place(graph)


def overlapping(graph, positions):
    size = {node: radius(len(others)) for node, others in neighbours(graph).items()}
    return [
        (one, other)
        for one, other in combinations(positions, 2)
        if hypot(positions[one][0] - positions[other][0], positions[one][1] - positions[other][1])
        < size[one] + size[other]
    ]


def crossings(graph, positions):
    """Count the pairs of drawn lines that cross; lines with an end in common do not."""
    import numpy

    pairs = {frozenset((u, v)) for u, v, key in graph.edges(keys=True) if key in DRAWN}
    lines = numpy.array([[positions[node] for node in sorted(pair)] for pair in pairs if len(pair) == 2])

    def side(p, q, r):
        return (q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1]) - (q[..., 1] - p[..., 1]) * (r[..., 0] - p[..., 0])

    count = 0
    for index, (a, b) in enumerate(lines):
        c, d = lines[index + 1 :, 0], lines[index + 1 :, 1]
        count += int(numpy.sum((side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0)))
    return count


def test_every_node_has_a_place_and_none_overlaps(graph, positions):
    assert list(positions) == list(graph)
    assert overlapping(graph, positions) == []


def test_the_same_graph_gives_the_same_map(graph, positions):
    assert place(graph) == positions


def test_few_lines_cross():
    """A graph as sparse as the podcast's own; networkx's spring layout has some 1800 crossings on it."""
    graph = synthetic_graph(topics=140, related=False)
    spring = {node: tuple(xy) for node, xy in networkx.spring_layout(networkx.Graph(graph), seed=1).items()}
    ours = crossings(graph, place(graph))
    assert ours <= 700
    assert ours <= crossings(graph, spring) / 2


def test_leaves_stand_by_their_episode(graph, positions):
    links = neighbours(graph)
    far = [
        node
        for node, others in links.items()
        if len(others) == 1
        for host in others
        if graph.nodes[host]["kind"] == "episode"
        and hypot(positions[node][0] - positions[host][0], positions[node][1] - positions[host][1]) > 90
    ]
    assert far == []


def test_what_only_an_index_adds_stands_by_what_it_belongs_to():
    grown = synthetic_graph()
    symbols = [node for node, kind in grown.nodes(data="kind") if kind == "symbol"]
    for symbol in symbols:
        grown.add_node(f"file:{symbol}", kind="file", label=symbol)
        grown.add_edge(symbol, f"file:{symbol}", key="defined_in")
        grown.add_edge(f"file:{symbol}", "folder:src", key="in_folder")
    grown.nodes["folder:src"]["kind"] = "folder"
    after = place(grown)
    assert overlapping(grown, after) == []
    assert symbols
    width = max(x for x, _ in after.values()) - min(x for x, _ in after.values())
    for symbol in symbols:
        (x, y), (fx, fy) = after[symbol], after[f"file:{symbol}"]
        assert hypot(fx - x, fy - y) < 0.1 * width


def test_a_graph_that_no_text_names_has_a_map_all_the_same():
    graph = networkx.MultiDiGraph()
    graph.add_edges_from((f"symbol:{number}", f"file:{number // 3}", "defined_in") for number in range(30))
    positions = place(graph)
    assert set(positions) == set(graph)
    assert overlapping(graph, positions) == []


def test_a_new_episode_does_not_reshuffle_the_map(positions):
    grown = synthetic_graph()
    grown.add_node("episode:synthetic/new", kind="episode", label="New")
    for topic in ("topic:tensor-1", "topic:cache-8", "topic:dispatcher-0"):
        grown.add_edge("episode:synthetic/new", topic, key="about")
    for number in range(5):
        grown.add_node(f"web:new/{number}", kind="web", label="new")
        grown.add_edge("episode:synthetic/new", f"web:new/{number}", key="cites")
    after = place(grown, positions)
    width = max(x for x, _ in positions.values()) - min(x for x, _ in positions.values())
    moves = [hypot(after[node][0] - x, after[node][1] - y) for node, (x, y) in positions.items()]
    assert statistics.median(moves) < 0.05 * width
    assert overlapping(grown, after) == []


def counted_calls(work, *arguments):
    """Return how many functions were called while ``work`` ran."""
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        work(*arguments)
    finally:
        sys.setprofile(None)
    return calls


def with_one_wish(count):
    """Return a graph in which ``count`` symbols, which no text names, belong beside one topic."""
    graph = networkx.MultiDiGraph()
    graph.add_node("topic:owls", kind="topic", label="Owls")
    for number in range(count):
        graph.add_node(f"episode:p/{number}", kind="episode", label=str(number))
        graph.add_node(f"symbol:s{number}", kind="symbol", label=str(number))
        graph.add_edge(f"episode:p/{number}", "topic:owls", "about", weight=1)
        graph.add_edge("topic:owls", f"symbol:s{number}", "covers", weight=1)
    return graph


def test_nodes_that_all_want_one_place_take_linear_work():
    assert counted_calls(place, with_one_wish(400)) < 2.5 * counted_calls(place, with_one_wish(200))


def test_many_new_nodes_are_a_new_map(positions):
    other = networkx.relabel_nodes(synthetic_graph(), lambda node: f"{node}*" if hash(len(node)) % 3 else node)
    assert overlapping(other, place(other, positions)) == []


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
    positions = place(graph)
    assert set(positions) == set(graph)
    assert overlapping(graph, positions) == []


def edge_share(graph, positions):
    """Return how long lines are, of how far two nodes are apart on average."""
    lines = [(one, other) for one, others in neighbours(graph).items() for other in others]
    pairs = combinations(list(positions)[::7], 2)
    means = [
        statistics.mean(hypot(positions[u][0] - positions[v][0], positions[u][1] - positions[v][1]) for u, v in some)
        for some in (lines, pairs)
    ]
    return means[0] / means[1]


def test_a_big_graph_is_laid_out_by_community():
    graph = synthetic_graph(500, 1400, 180)
    assert sum(len(others) > 1 for others in neighbours(graph).values()) > 600
    positions = place(graph)
    assert overlapping(graph, positions) == []
    assert edge_share(graph, positions) < 0.25  # 0.22; it is 1 for nodes at random


def test_hundreds_of_small_parts_are_laid_out_together():
    graph = networkx.MultiDiGraph()
    for part in range(300):  # rings of three to five nodes
        size = 3 + part % 3
        graph.add_edges_from((f"n{part}/{at}", f"n{part}/{(at + 1) % size}", "cites") for at in range(size))
    positions = place(graph)
    assert overlapping(graph, positions) == []
    assert edge_share(graph, positions) < 0.05


def test_of_too_large_a_graph_the_map_has_topics_strong_episodes_and_what_most_cite(monkeypatch, graph):
    monkeypatch.setattr("podgraph.graph.layout.places.thinned", lambda graph, bare: thinned(graph, 80, bare=bare))
    found = lay_out(graph)
    kinds = Counter(graph.nodes[node]["kind"] for node in found)
    assert (len(found), kinds["podcast"]) == (80, 1)
    for some in ("topic", "episode"):
        degrees = {node: graph.degree[node] for node, kind in graph.nodes(data="kind") if kind == some}
        assert 19 <= kinds[some] < len(degrees)
        left_out = [degree for node, degree in degrees.items() if node not in found]
        assert max(left_out) <= min(degree for node, degree in degrees.items() if node in found)
    again = graph.copy()
    for node, at in found.items():
        again.nodes[node].update(at)
    assert lay_out(again, saved_places(again)) == found


def test_separated_discs_do_not_overlap():
    discs = separate([Disc(0.0, 0.0, 5.0) for _ in range(30)])
    assert all(hypot(a.x - b.x, a.y - b.y) >= 9.7 for a, b in combinations(discs, 2))
