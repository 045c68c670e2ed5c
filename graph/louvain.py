"""Louvain's method on plain lists: Blondel et al., 2008, https://doi.org/10.1088/1742-5468/2008/10/P10008.

The steps, their order and the arithmetic are those of networkx 3.6, so the same seed gives the same groups, in less
than half of its time. Temporary objects have no cycles, because a build runs without the garbage collector.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

_LEAST_GAIN = 1e-7  # of modularity: a level with less is the last
# A round with no more gain has moved nodes to and fro: https://github.com/networkx/networkx/issues/8739
_ROUNDING = 1e-12

Neighbours = list[dict[int, float]]  # of each node, its neighbours, and the weight of each tie


def louvain(count: int, ties: Iterable[tuple[int, int, float]], *, resolution: float = 1.0, seed: int = 0) -> list[int]:
    """Divide the nodes 0 to ``count`` - 1 by the ties between them; return the number of each one's group, from 0.

    ``ties`` are two nodes and a weight, each pair once; a tie of a node to itself is the weight folded into it. A
    higher ``resolution`` gives smaller groups. The order of the ties decides between equal choices.
    """
    neighbours = _neighbours(count, _ties(_neighbours(count, ties)))
    total = sum(_degrees(neighbours)) / 2
    groups = list(range(count))
    if not total:
        return groups
    chance = Random(seed)  # noqa: S311 - no secret
    before = _modularity(neighbours, resolution)
    while True:
        numbers = _move_nodes(neighbours, total, resolution, chance)
        groups = [numbers[group] for group in groups]
        neighbours = _folded(neighbours, numbers)
        now = _modularity(neighbours, resolution)
        if now - before <= _LEAST_GAIN:
            return groups
        before = now


def _neighbours(count: int, ties: Iterable[tuple[int, int, float]]) -> Neighbours:
    neighbours: Neighbours = [{} for _ in range(count)]
    for one, other, weight in ties:
        neighbours[one][other] = neighbours[other][one] = weight
    return neighbours


def _ties(neighbours: Neighbours) -> Iterator[tuple[int, int, float]]:
    for one, others in enumerate(neighbours):
        for other, weight in others.items():
            if other >= one:
                yield one, other, weight


def _degrees(neighbours: Neighbours) -> list[float]:
    return [sum(others.values()) + others.get(one, 0.0) for one, others in enumerate(neighbours)]


def _modularity(neighbours: Neighbours, resolution: float) -> float:
    """Return how much more is tied inside of the nodes, each a group, than by chance."""
    degrees = _degrees(neighbours)
    total = sum(degrees) / 2
    inside = sum(others.get(one, 0.0) for one, others in enumerate(neighbours))
    return inside / total - resolution * sum(degree**2 for degree in degrees) / (2 * total) ** 2


def _move_nodes(neighbours: Neighbours, total: float, resolution: float, chance: Random) -> list[int]:
    """Move each node to the group where the modularity gains most, until no move gains.

    Returns the group of each node, numbered from 0. ``total`` is the sum of all weights.
    """
    degrees = _degrees(neighbours)
    sums = degrees.copy()  # of the degrees of each group
    groups = list(range(len(neighbours)))
    others = [[pair for pair in near.items() if pair[0] != one] for one, near in enumerate(neighbours)]
    order = list(range(len(neighbours)))
    chance.shuffle(order)
    gained = 1.0
    while gained > _ROUNDING:
        gained = 0.0
        for node in order:
            degree, old_group = degrees[node], groups[node]
            weight_to = dict[int, float]()  # how much the node is tied to each group
            for other, weight in others[node]:
                group = groups[other]
                weight_to[group] = weight_to.get(group, 0.0) + weight
            sums[old_group] -= degree
            leaving = -weight_to.get(old_group, 0.0) / total + resolution * (sums[old_group] * degree) / (2 * total**2)
            best_group, best_gain = old_group, 0.0
            for group, weight in weight_to.items():
                gain = leaving + weight / total - resolution * (sums[group] * degree) / (2 * total**2)
                if gain > best_gain:
                    best_group, best_gain = group, gain
            sums[best_group] += degree
            groups[node] = best_group
            gained += best_gain
    numbers = {group: number for number, group in enumerate(sorted(set(groups)))}
    return [numbers[group] for group in groups]


def _folded(neighbours: Neighbours, groups: list[int]) -> Neighbours:
    """Return the ties between groups: each group becomes a node, with its inner ties as a tie to itself."""
    folded: Neighbours = [{} for _ in range(max(groups) + 1)]
    for one, other, weight in _ties(neighbours):
        first, second = groups[one], groups[other]
        folded[first][second] = folded[second][first] = weight + folded[first].get(second, 0)
    return folded
