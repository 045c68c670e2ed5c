"""The atlas: each area in one piece in each frame, no episode on another, and both stay from build to build."""

from math import hypot

import networkx as nx
import numpy as np
import pytest

from podgraph.graph import FRAMES, HUES, OTHERS, lay_out, saved_places
from podgraph.graph.layout.atlas import lay_out_atlas
from podgraph.graph.layout.hues import choose_hues, measure_hue_differences
from podgraph.output.page.host import GROUNDS, LEGIBLE, compute_contrast
from podgraph.output.pipeline import snapshot_graph


@pytest.fixture(scope="module")
def snapshot():
    return snapshot_graph()


def show(*sizes, kind="episode", ties=(), lone=0):
    """Return a graph of areas of so many episodes, each a ring, with further ties and some other episodes."""
    graph = nx.MultiDiGraph()
    for area, size in enumerate(sizes):
        for at in range(size):
            graph.add_node(f"{area}/{at}", kind=kind, community=f"area {area}")
            if size > 1:
                graph.add_edge(f"{area}/{at}", f"{area}/{(at + 1) % size}", "related", weight=1.0)
    graph.add_nodes_from((f"lone {number}" for number in range(lone)), kind=kind, community=OTHERS)
    for one, other in ties:
        graph.add_edge(one, other, "related", weight=1.0)
    return graph


def view(graph, previous=None):
    return lay_out_atlas(graph, previous or {})


def at_home(graph, places, frame):
    """Return the share of the three nearest episodes of each that are of its area."""
    nodes = list(places)
    spots = np.array([(places[node][frame.x], places[node][frame.y]) for node in nodes])
    gaps = np.hypot(*(spots[:, None] - spots).transpose(2, 0, 1))
    np.fill_diagonal(gaps, np.inf)
    areas = np.array([graph.nodes[node]["community"] for node in nodes])
    return (areas[gaps.argsort(axis=1)[:, :3]] == areas[:, None]).mean(), gaps.min()


SHOWS = {
    "the snapshot": snapshot_graph,
    "areas of one size": lambda: show(*[8] * 9),
    "large and small areas": lambda: show(90, 40, 12, 8, 6, 5, 5, 4, 4, lone=5),
    "one area": lambda: show(30),
    "800 episodes": lambda: show(*range(4, 41)),
    "posts": lambda: show(30, 6, kind="blog", lone=1),
}


@pytest.mark.parametrize("frame", FRAMES, ids=["wide", "tall"])
@pytest.mark.parametrize("make", SHOWS.values(), ids=SHOWS)
def test_episodes_stand_among_their_area_and_apart_from_each_other(make, frame):
    graph = make()
    places = view(graph)
    own, gap = at_home(graph, places, frame)
    assert own >= 0.9
    assert gap > 0.4 * (frame.width * frame.height / len(places)) ** 0.5
    for name, size in ((frame.x, frame.width), (frame.y, frame.height)):
        spots = sorted(at[name] for at in places.values())
        assert 0 <= spots[0] < spots[-1] <= size
        assert spots[-1] - spots[0] > 0.9 * size
    assert view(graph) == places


def test_areas_that_are_tied_are_neighbours():
    pairs = [(0, 5), (1, 4), (2, 3)]
    ties = [(f"{one}/{at}", f"{other}/{at}") for one, other in pairs for at in range(6)]
    sizes = range(6, 12)  # equal areas have several arrangements, and rounding would choose one
    graph = show(*sizes, ties=ties)
    places = view(graph)
    middle = [
        np.mean([(at["x_wide"], at["y_wide"]) for node, at in places.items() if node.startswith(f"{area}/")], axis=0)
        for area in range(6)
    ]
    for one, other in pairs:
        gaps = {area: hypot(*(middle[one] - middle[area])) for area in range(6) if area != one}
        assert gaps[other] <= sorted(gaps.values())[1]


@pytest.mark.parametrize("sizes", [(), (1,), (2,), (1, 1, 1), (2, 40)])
def test_small_and_loose_graphs_have_places_of_their_own_and_other_episodes_no_hue(sizes):
    places = view(show(*sizes, lone=4))
    for frame in FRAMES:
        assert len({(at[frame.x], at[frame.y]) for at in places.values()}) == sum(sizes) + 4
    assert {node[:4] == "lone" for node, at in places.items() if at["hue"] < 0} == {True}
    assert sum(at["hue"] < 0 for at in places.values()) == 4


def test_a_new_episode_moves_nothing_and_stands_in_its_area(snapshot):
    graph = snapshot.copy()
    near = "episode:pytorch-developer-podcast/vmap"
    for new in ("episode:x/new", "episode:x/newer"):
        graph.add_node(new, kind="episode", label="New", community=graph.nodes[near]["community"])
        graph.add_edge(new, near, "related", weight=0.5, reasons=["both about vmap"])
    places = lay_out(graph, saved_places(snapshot) | {"a node with half a place": {"x": 1.0}})
    assert {node: places[node] for node in snapshot} == saved_places(snapshot)
    assert places["episode:x/new"]["hue"] == snapshot.nodes[near]["hue"]
    own = {node: at for node, at in places.items() if "hue" in at}
    assert min(min(at_home(graph, own, frame)) for frame in FRAMES) >= 0.9  # the share, and the gap between episodes


def test_an_episode_that_changes_its_area_moves_there(snapshot):
    graph = snapshot.copy()
    episodes = [node for node, data in graph.nodes(data=True) if "hue" in data]
    one, other = (next(node for node in episodes if graph.nodes[node]["hue"] == hue) for hue in (0, 1))
    graph.nodes[one]["community"] = graph.nodes[other]["community"]
    places = view(graph, saved_places(snapshot))
    assert places[one]["hue"] == snapshot.nodes[other]["hue"] != snapshot.nodes[one]["hue"]
    x, y = (places[one][name] for name in ("x_wide", "y_wide"))
    _, nearest, *_ = sorted(places, key=lambda node: hypot(places[node]["x_wide"] - x, places[node]["y_wide"] - y))
    assert graph.nodes[nearest]["community"] == graph.nodes[one]["community"]


def test_other_episodes_that_become_areas_stand_together():
    graph = show(*[8] * 9)
    homes = dict(graph.nodes(data="community"))
    nx.set_node_attributes(graph, {node: OTHERS for node, home in homes.items() if home > "area 3"}, "community")
    known = view(graph)
    nx.set_node_attributes(graph, homes, "community")
    assert at_home(graph, view(graph, known), FRAMES[0])[0] >= 0.9


def test_neighbours_differ_in_hue_and_up_to_fourteen_areas_all_do():
    rows = np.array([(100.0 * (area % 6), 100.0 * (area // 6)) for area in range(36)])
    areas = [[area] for area in range(36)]
    hues = choose_hues(areas, rows, [-1] * 36)
    assert sorted(choose_hues(areas[:14], rows, [-1] * 14)) == list(range(14))
    for one in range(36):
        for other in range(one):
            if hypot(*(rows[one] - rows[other])) < 101:
                assert measure_hue_differences()[hues[one], hues[other]] > 0


HAD = [([5, 5, 2], 5), ([5, 2, -1], 0), ([-1, -1, -1], 0), ([99, 99, 99], 0)]


@pytest.mark.parametrize(("had", "hue"), HAD)
def test_an_area_keeps_the_hue_of_most_members(had, hue):
    assert choose_hues([[0, 1, 2]], np.zeros((3, 2)), had) == [hue]


@pytest.mark.parametrize("theme", [0, 1])
def test_hues_are_legible(theme):
    assert min(compute_contrast(hue[theme], ground) for hue in HUES for ground in GROUNDS[theme]) >= LEGIBLE
