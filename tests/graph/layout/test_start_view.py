"""The start view: episodes fill each frame, none stands on another, and what stood stays."""

import statistics
from itertools import combinations
from math import hypot

import networkx as nx
import pytest

from podgraph.graph import FRAMES, lay_out, place, saved_places
from podgraph.graph.layout.start_view import start_view
from podgraph.output.pipeline import snapshot_graph


@pytest.fixture(scope="module")
def snapshot():
    graph = snapshot_graph()
    for node, at in lay_out(graph, {}).items():  # not as it ships
        graph.nodes[node].update(at)
    return graph


def related(*pairs, lone=0, kind="episode"):
    """Return a graph of texts: (one, other, weight) each, and some that nothing ties."""
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(sorted({name for pair in pairs for name in pair[:2]}), kind=kind)
    graph.add_nodes_from((f"lone {number}" for number in range(lone)), kind=kind)
    for one, other, weight in pairs:
        graph.add_edge(one, other, "related", weight=weight)
    return graph


def view(graph, previous=None):
    return start_view(graph, place(graph), previous)


@pytest.mark.parametrize("frame", FRAMES)
def test_the_frame_is_used_and_kept(snapshot, frame):
    places = [data for _, data in snapshot.nodes(data=True) if data["kind"] == "episode"]
    xs, ys = [data[frame.x] for data in places], [data[frame.y] for data in places]
    assert (min(xs), max(xs), min(ys), max(ys)) == (0, frame.width, 0, frame.height)


@pytest.mark.parametrize(("frame", "apart"), [(FRAMES[0], 38), (FRAMES[1], 30)])
def test_no_two_episodes_stand_close(snapshot, frame, apart):
    places = [(data[frame.x], data[frame.y]) for _, data in snapshot.nodes(data=True) if frame.x in data]
    assert min(hypot(x - u, y - v) for (x, y), (u, v) in combinations(places, 2)) >= apart


def test_only_episodes_have_places_in_it_and_posts_where_there_are_none(snapshot):
    assert {data["kind"] for _, data in snapshot.nodes(data=True) if "x_wide" in data} == {"episode"}
    assert set(view(related(("a", "b", 1.0), kind="blog"))) == {"a", "b"}


def test_relatives_are_nearer_than_strangers():
    ring = [(f"{circle}{place}", f"{circle}{(place + 1) % 6}", 1.0) for circle in "ab" for place in range(6)]
    places = view(related(*ring, ("a0", "b0", 0.1)))

    def away(one, other):
        return hypot(places[one]["x_wide"] - places[other]["x_wide"], places[one]["y_wide"] - places[other]["y_wide"])

    inside = [away(one, other) for one, other in combinations(places, 2) if one[0] == other[0]]
    across = [away(one, other) for one, other in combinations(places, 2) if one[0] != other[0]]
    assert statistics.mean(across) > 1.5 * statistics.mean(inside)


@pytest.mark.parametrize(
    "graph",
    [nx.MultiDiGraph(), related(lone=1), related(lone=5), related(("a", "b", 0.5)), related(("a", "b", 0.5), lone=40)],
    ids=["none", "one", "strangers", "a pair", "a pair among strangers"],
)
def test_small_and_loose_graphs_have_places_of_their_own(graph):
    places = view(graph)
    assert set(places) == set(graph)
    for frame in FRAMES:
        assert len({(at[frame.x], at[frame.y]) for at in places.values()}) == len(graph)
        assert all(0 <= at[frame.x] <= frame.width and 0 <= at[frame.y] <= frame.height for at in places.values())


def test_those_that_nothing_ties_stand_in_a_corner():
    places = view(related(("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 0.2), lone=1))
    assert (places["lone 0"]["x_wide"], places["lone 0"]["y_wide"]) == (1000, 800)


def test_one_new_episode_moves_nothing_and_stands_by_its_relatives(snapshot):
    graph = snapshot.copy()
    graph.add_node("episode:x/new", kind="episode", label="New")
    near = "episode:pytorch-developer-podcast/vmap"
    graph.add_edge("episode:x/new", near, "related", weight=0.5, reasons=["both about vmap"])
    places = lay_out(graph, saved_places(snapshot))
    for node, data in snapshot.nodes(data=True):
        assert {name: value for name, value in places[node].items() if name[1:]} == {
            name: data[name] for name in places[node] if name[1:]
        }
    frame = FRAMES[0]
    new, old = places["episode:x/new"], places[near]
    assert 0 < hypot(new[frame.x] - old[frame.x], new[frame.y] - old[frame.y]) < frame.width / 5


def test_the_same_graph_gives_the_same_view(snapshot):
    places = {node: (data["x"], data["y"]) for node, data in snapshot.nodes(data=True)}
    assert start_view(snapshot, places) == start_view(snapshot, places)


def test_episodes_beyond_a_layout_of_their_own_stand_as_on_the_map():
    graph = related(*((f"e{number:03}", f"e{number + 1:03}", 0.5) for number in range(450)))
    places = view(graph)
    assert len(places) == len(graph)
    assert max(at["x_wide"] for at in places.values()) == FRAMES[0].width
