"""Positions of all nodes on the map.

The map is a grid of cells, and each node takes a free square of them: the one nearest to its earlier position, to its
position in the atlas, or to the mean of its neighbours. Lengths are in pixels of the page at scale 1; y points down.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import chain, count
from math import ceil, isqrt, sqrt
from typing import TYPE_CHECKING

from ..kinds import RELATIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..attributes import Graph

    Point = tuple[float, float]

_CELL, _GAP = 15.0, 2.0  # pixels: the side of a cell, and the minimum space between two nodes


def compute_radius(degree: int) -> float:
    """Return the radius of a node in pixels for its number of drawn neighbours. Its area grows with this number.

    >>> [round(compute_radius(degree), 1) for degree in (0, 1, 9, 25, 400)]
    [5.0, 5.0, 9.0, 13.0, 24.0]
    """
    return min(24.0, 3.0 + 2.0 * sqrt(max(degree, 1)))


def find_drawn_neighbours(graph: Graph, nodes: Iterable[str]) -> dict[str, dict[str, None]]:
    """Return {node id: its drawn neighbours among ``nodes``}, in the order of the ids.

    The inner dicts are ordered sets. Boilerplate is not drawn: it would tie all episodes of a show to its profiles.
    """
    links: dict[str, dict[str, None]] = {node: {} for node in sorted(nodes)}
    relations = {name for name, relation in RELATIONS.items() if relation.is_drawn}
    for source, target, relation, data in graph.edges(links, keys=True, data=True):
        if relation in relations and source != target and target in links and not data.get("boilerplate"):
            links[source][target] = links[target][source] = None
    return links


def place_nodes(
    graph: Graph, nodes: Iterable[str], atlas: Mapping[str, Point], previous: Mapping[str, Point]
) -> dict[str, Point]:
    """Return {node id: (x, y)} for each of ``nodes``, in pixels: positions on the map.

    ``atlas`` has the positions of the episodes in a frame of about the unit square. ``previous`` has positions of an
    earlier map ({}: none); if it has at least half of the nodes, these stay where they are. Other nodes come near their
    neighbours.
    """
    links = find_drawn_neighbours(graph, nodes)
    sizes = {node: ceil((2 * compute_radius(len(others)) + _GAP) / _CELL) for node, others in links.items()}
    side = _CELL * sqrt(sum(size**2 for size in sizes.values()) / 0.25)  # the nodes take a quarter of the map
    wishes = {node: (x * side, y * side) for node, (x, y) in atlas.items() if node in links}
    if 2 * sum(node in previous for node in links) >= len(links):
        wishes = {node: previous[node] for node in links if node in previous}
    order = sorted(sizes, key=lambda node: (-sizes[node], -len(links[node]), node))
    map_ = _Map()
    places = {node: map_.take([wishes[node]], sizes[node]) for node in order if node in wishes}
    # Folders and the like have no drawn neighbours; podcasts and repositories are everywhere, and so nowhere.
    for node in order:
        if not links[node]:
            near = sorted({*graph.succ[node], *graph.pred[node]} & links.keys())
            links[node] = {other: None for other in near if graph.nodes[other].get("kind") not in ("podcast", "repo")}
    waiting = [node for node in order if node not in places]
    while waiting:
        ready = [node for node in waiting if any(other in places for other in links[node])]
        for node in ready or waiting[:1]:
            near_places = [places[other] for other in links[node] if other in places]
            places[node] = map_.take(near_places or [(side / 2, 1.1 * side)], sizes[node])  # else below the others
        waiting = [node for node in waiting if node not in places]
    return places


class _Map:
    """The cells of the map, and which of them are taken."""

    def __init__(self) -> None:
        """Begin with free cells only."""
        self._taken: set[tuple[int, int]] = set()
        self._walks: dict[tuple[int, int, int], Iterator[tuple[int, int]]] = defaultdict(_walk_outwards)

    def take(self, near: Sequence[Point], size: int) -> Point:
        """Take the free square of ``size`` x ``size`` cells nearest to the mean of the points ``near``.

        Return its middle (pixels). The search goes on where the last one from the same cell ended, because many nodes
        may have the same neighbour.
        """
        column, row = (round(sum(axis) / len(near) / _CELL - size / 2) for axis in zip(*near, strict=True))
        square = [(x, y) for x in range(column, column + size) for y in range(row, row + size)]
        for right, down in self._walks[column, row, size]:
            if (column + right, row + down) not in self._taken:  # quicker than testing the whole square
                cells = [(x + right, y + down) for x, y in square]
                if self._taken.isdisjoint(cells):
                    break
        self._taken.update(cells)
        return (column + right + size / 2) * _CELL, (row + down + size / 2) * _CELL


def _walk_outwards() -> Iterator[tuple[int, int]]:
    """Yield the steps (right, down), in cells, from a cell to all others, the nearest first. It has no end."""
    return chain.from_iterable(map(_find_ring, count()))


@cache
def _find_ring(distance: int) -> list[tuple[int, int]]:
    """Return the (right, down) of cells whose distance, rounded down, is ``distance`` cells; the nearest first."""
    cells = set()
    for x in range(-distance, distance + 1):
        first = ceil(sqrt(max(distance**2 - x**2, 0)))
        for y in range(first, isqrt((distance + 1) ** 2 - 1 - x**2) + 1):
            cells |= {(x, y), (x, -y)}
    return sorted(cells, key=lambda cell: (cell[0] ** 2 + cell[1] ** 2, cell))
