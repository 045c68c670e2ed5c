"""The forces of the layout: those of networkx, the same for many parts side by side, and how a big part is divided."""

from itertools import combinations, permutations
from math import dist, hypot, log1p

import networkx
import numpy
import pytest

from podgraph.graph.layout import force

COUNT = 20  # nodes in a line with short cuts, of bonds of 1, 1.5 and 2
LINE = tuple((node, node + 1, 1 + node % 3 / 2) for node in range(COUNT - 1))
PAIRS = (*LINE, *((node, node + 7, 1 + node % 2 / 2) for node in range(0, COUNT - 7, 3)))


FORMS = [
    # how many nodes, what ties them, after how many rounds: of many, each rounding shows, as the nodes are chaotic
    (COUNT, PAIRS, 5),
    (6, tuple((0, node, 1.0) for node in range(1, 6)), 15),
    (2, ((0, 1, 100.0),), 10),  # to and fro
    (5, tuple((one, other, 20.0) for one in range(5) for other in range(one)), 40),
]


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # networkx divides by a node's distance to itself
@pytest.mark.parametrize(("count", "pairs", "rounds"), FORMS)
def test_the_forces_are_those_of_networkx(count, pairs, rounds, monkeypatch):
    graph = networkx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from(pairs)
    start = {node: numpy.array(force._sunflower(node)) for node in graph}
    theirs = networkx.forceatlas2_layout(graph, start, max_iter=rounds, weight="weight", linlog=True)
    monkeypatch.setattr(force, "_FINELY", rounds)
    ours = numpy.array(force._settled((count, pairs)))
    assert ours == pytest.approx(numpy.array([theirs[node] for node in range(count)]), abs=1e-9)


@pytest.mark.parametrize("at_a_time", [force._PAIRS, 100])
def test_parts_side_by_side_move_as_each_by_itself(monkeypatch, at_a_time):
    for name, value in (("_FINELY", 1), ("_ROUGHLY", 1), ("_PAIRS", at_a_time)):
        monkeypatch.setattr(force, name, value)
    alone = numpy.array(force._settled((COUNT, PAIRS)))
    for places in force._side_by_side(COUNT, [PAIRS, PAIRS]):
        assert numpy.array(places) == pytest.approx(alone, abs=3e-4)  # single precision; the farthest is 11 away


def test_nodes_on_one_spot_push_as_if_a_fifth_of_a_length_apart():
    """Single precision blurs what is less, and may make it negative."""
    squares = numpy.array([-0.01, 0.0, 0.04, 0.1, 4.0], numpy.float32)
    assert force._inverse(squares).tolist() == pytest.approx([20, 20, 20, 10, 0.25])


GROUPS = (["a", "b", "c", "d"], ["k", "l", "m", "n"])
LINKS = {node: {} for group in GROUPS for node in group} | {
    "a": {"k": 1.0, "crumb": 1.0},
    "b": {"crumb": 1.0},
    "k": {"a": 1.0, "crumb": 3.0},
    "crumb": {"a": 1.0, "b": 1.0, "k": 3.0},
}


BIG = {node: {} for group in ("abcde", "klmno") for node in group}
for group in ("abcde", "klmno"):
    for one, other in permutations(group, 2):
        BIG[one][other] = 1.0
BIG["a"]["k"] = BIG["k"]["a"] = 1.0


def arranged(links, order):
    """Return the places of nodes of radius 2 that are more than are laid out at once."""
    (places,) = force.arrange(links, [order], dict.fromkeys(order, 2.0))
    assert sorted(places) == sorted(order)
    assert min(dist(one, other) for one, other in combinations(places.values(), 2)) > 3.8
    return places


def test_a_big_part_is_laid_out_by_community(monkeypatch):
    monkeypatch.setattr(force, "_ALL_PAIRS", 6)
    places = arranged(BIG, sorted(BIG))
    spots = [[places[node] for node in group] for group in ("abcde", "klmno")]
    centres = [tuple((min(axis) + max(axis)) / 2 for axis in zip(*group, strict=True)) for group in spots]
    reach = [max(dist(centre, spot) for spot in group) + 2 for centre, group in zip(centres, spots, strict=True)]
    assert sum(reach) < dist(*centres) < 1.5 * sum(reach)
    for group in ("abcde", "klmno"):
        (alone,) = force.arrange(BIG, [group], dict.fromkeys(group, 2.0))
        moves = numpy.array([places[node] for node in group]) - numpy.array([alone[node] for node in group])
        assert moves == pytest.approx(numpy.tile(moves[0], (len(group), 1)))


def test_a_big_part_without_a_seam_is_a_spiral(monkeypatch):
    monkeypatch.setattr(force, "_ALL_PAIRS", 4)
    links = {node: {other: bond for other, bond in BIG[node].items() if other in "abcde"} for node in "abcde"}
    places = arranged(links, "cabed")
    assert [hypot(*places[node]) for node in "cabed"] == sorted(hypot(*place) for place in places.values())


def test_crumbs_join_what_they_are_tied_to_most():
    first, second = map(set, GROUPS)
    assert force._without_crumbs(LINKS, [first, second, {"crumb"}], len(LINKS)) == [{*first}, {*second, "crumb"}]


def test_communities_are_tied_by_the_logarithm_of_what_ties_their_nodes():
    assert force._outer(LINKS, GROUPS) == {"0": {"1": log1p(1)}, "1": {"0": log1p(1)}}
    assert force._outer(LINKS, (GROUPS[0], [*GROUPS[1], "crumb"])) == {"0": {"1": log1p(3)}, "1": {"0": log1p(3)}}
