"""Louvain's method on plain lists gives what networkx does, group by group."""

import random

import networkx
import pytest

from podgraph.graph.louvain import louvain


def drawn(seed, nodes, ties):
    """Return ties between nodes, drawn by ``seed``, some of a node to itself."""
    draw = random.Random(seed)
    pairs = {tuple(sorted((draw.randrange(nodes), draw.randrange(nodes)))) for _ in range(ties)}
    return [(*pair, draw.choice([0.5, 1.0, 1.3, draw.random()])) for pair in sorted(pairs)]


TIES = {
    "two pairs": [(0, 1, 1.0), (2, 3, 1.0)],
    "a bridge": [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0), (2, 3, 0.1), (3, 4, 1.0), (3, 5, 1.0), (4, 5, 1.0)],
    "what was folded into one": [(0, 0, 4.0), (0, 1, 1.0), (1, 2, 1.0)],
    "thin": drawn(1, 60, 50),
    "dense": drawn(2, 40, 200),
    "several levels": drawn(3, 300, 500),
}


@pytest.mark.parametrize("resolution", [1.0, 1.4])
@pytest.mark.parametrize("ties", TIES.values(), ids=TIES)
def test_the_groups_are_those_of_networkx(ties, resolution):
    graph = networkx.Graph()
    graph.add_weighted_edges_from(ties)
    numbers = {node: number for number, node in enumerate(graph)}
    groups = networkx.community.louvain_communities(graph, weight="weight", resolution=resolution, seed=0)
    expected = {numbers[node]: number for number, group in enumerate(groups) for node in group}
    found = louvain(
        len(numbers), [(numbers[one], numbers[other], weight) for one, other, weight in ties], resolution=resolution
    )
    assert dict(enumerate(found)) == expected


def test_gains_that_are_rounding_move_nothing():
    """Two nodes changed places for ever, each time for 1e-17."""
    ties = [(0, 1, 2.1603), (0, 2, 4.3206), (0, 3, 2.1603), (1, 2, 4.3206), (4, 5, 4.3206), (4, 6, 4.3206)]
    ties += [(4, 7, 2.1603), (6, 7, 4.3206), (8, 7, 4.3206), (2, 9, 4.3206)]
    found = louvain(10, ties, resolution=1.4)
    assert [found[one] == found[other] for one, other, _ in ties] == [True] * 4 + [True, False, False, True, True, True]


def test_what_nothing_ties_stays_apart():
    assert louvain(3, []) == [0, 1, 2]
    assert louvain(0, []) == []
