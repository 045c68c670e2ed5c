"""The force-directed step of the layout: positions of one connected part, its discs not overlapping.

Forces between all pairs are quadratic, so a big part is first divided into communities: each is laid out by
itself, and then the communities, as discs, among each other.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from math import cos, hypot, log1p, pi, sin, sqrt
from typing import TYPE_CHECKING

import networkx

from .overlaps import Disc, separate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Point = tuple[float, float]

_ALL_PAIRS = 600  # nodes; up to here every pair repels, which takes some four seconds
_COARSE = 4000  # nodes; beyond, everything moves fewer times
_ALIKE = 40  # nodes; parts of so few are often tied in the same way
_GOLDEN = pi * (3 - sqrt(5))


def arrange(
    graph: networkx.Graph[str], order: Sequence[str], radii: Mapping[str, float], rounds: int = 0
) -> dict[str, Point]:
    """Return positions for a connected weighted graph; the ``order`` of its nodes fixes the start.

    ``rounds`` is how often all nodes move; 0: the more the smaller the graph is, for a big one is not seen closely.
    """
    rounds = rounds or (300 if len(order) <= 300 else 120 if len(order) <= _COARSE else 50)
    if len(order) <= _ALL_PAIRS:
        rough = _attract_and_repel(graph, order, rounds)
        spread = separate([Disc(*rough[node], radii[node]) for node in order])
        return {node: (disc.x, disc.y) for node, disc in zip(order, spread, strict=True)}
    return _by_community(graph, order, radii, 0 if len(order) <= _COARSE else rounds)


def _attract_and_repel(graph: networkx.Graph[str], order: Sequence[str], rounds: int) -> dict[str, Point]:
    """Return where the nodes come to rest."""
    rank = {node: index for index, node in enumerate(order)}
    pairs = [(rank[u], rank[v], data["weight"]) for u in order for v, data in graph.adj[u].items() if rank[u] < rank[v]]
    settle = _settled_before if len(order) <= _ALIKE else _settled
    return dict(zip(order, settle(len(order), tuple(pairs), rounds), strict=True))


def _settled(count: int, pairs: tuple[tuple[int, int, float], ...], rounds: int) -> list[Point]:
    """ForceAtlas2 (Jacomy and others, PLoS ONE 9(6), 2014) with logarithmic attraction, from a sunflower.

    ``pairs`` are which two of ``count`` nodes a bond ties, and how strong it is. The forces, masses and speeds are
    those of networkx's ``forceatlas2_layout(linlog=True)``, which sums attraction over all pairs; here it is summed
    over the edges, which takes a third of the time.
    """
    import numpy as np  # noqa: PLC0415 - a tenth of a second that questions about a graph need not wait

    ends = np.array([pair[:2] for pair in pairs]).T
    bonds = np.array([pair[2] for pair in pairs], dtype=float)
    mass = np.bincount(ends.ravel(), minlength=count) + 1.0
    charge = 2.0 * np.outer(mass, mass)
    np.fill_diagonal(charge, 0.0)
    push, gaps = np.empty_like(charge), np.empty_like(charge)
    place = np.array([_sunflower(index) for index in range(count)]).T  # two rows: x and y
    pace = _Pace(count)
    for _ in range(rounds):
        apart = place[:, ends[0]] - place[:, ends[1]]
        distance = np.maximum(np.hypot(*apart), 1e-9)
        pull = apart * (bonds * np.log1p(distance) / distance)
        np.subtract.outer(place[0], place[0], out=push)
        np.subtract.outer(place[1], place[1], out=gaps)
        push *= push
        gaps *= gaps
        push += gaps
        np.divide(charge, np.maximum(push, 1e-9, out=push), out=push)  # of each pair, over its distance
        centred = place - place.mean(axis=1, keepdims=True)
        force = place * push.sum(axis=1) - np.einsum("dj,ij->di", place, push)
        force -= mass * centred / np.maximum(np.hypot(*centred), 1e-9)
        for axis in (0, 1):
            force[axis] -= np.bincount(ends[0], pull[axis], count) - np.bincount(ends[1], pull[axis], count)
        speed = pace.after(
            float((mass * np.hypot(*(place - force))).sum()), float((0.5 * mass * np.hypot(*(place + force))).sum())
        )
        place += force * (speed / (1 + np.sqrt(speed * mass * np.hypot(*force))))
    return [(float(x), float(y)) for x, y in zip(*place, strict=True)]


_settled_before = lru_cache(maxsize=1000)(_settled)  # a large graph has hundreds of small parts of the same form


class _Pace:
    """How fast ``count`` nodes move: slower the more they swing, faster the longer they keep their way."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._swing = self._traction = self._speed = self._efficiency = 1.0

    def after(self, swing: float, traction: float) -> float:
        """Return the speed of the next step, given the sums of how the nodes swung and went straight on."""
        self._swing += swing
        self._traction += traction
        usual = 0.05 * sqrt(self._count)
        jitter = max(sqrt(usual), min(10.0, usual * self._traction / self._count**2))
        if self._swing / self._traction > 2.0:
            self._slow(0.5)
            jitter = max(jitter, 1.0)
        target = jitter * self._efficiency * self._traction / self._swing
        if self._swing > jitter * self._traction:
            self._slow(0.7)
        elif self._speed < 1000:
            self._efficiency *= 1.3
        self._speed += min(target - self._speed, 0.5 * self._speed)
        return self._speed

    def _slow(self, share: float) -> None:
        if self._efficiency > 0.05:
            self._efficiency *= share


def _sunflower(index: int) -> Point:
    """Return the place of a seed in a sunflower: even over the disc, and no two on one spot."""
    return sqrt(index + 0.5) * cos(index * _GOLDEN), sqrt(index + 0.5) * sin(index * _GOLDEN)


def _by_community(
    graph: networkx.Graph[str], order: Sequence[str], radii: Mapping[str, float], rounds: int
) -> dict[str, Point]:
    rank = {node: index for index, node in enumerate(order)}
    found = networkx.community.louvain_communities(graph.subgraph(order), weight="weight", seed=1)
    found = _without_crumbs(graph, sorted(found, key=lambda group: min(map(rank.__getitem__, group))), len(order))
    groups = sorted((sorted(group, key=rank.__getitem__) for group in found), key=lambda group: rank[group[0]])
    if len(groups) == 1:  # no seam to cut along
        return _spiral(order, radii)
    inner = {
        str(index): _centred(arrange(graph.subgraph(group), group, radii, rounds)) for index, group in enumerate(groups)
    }
    sizes = {
        index: max(hypot(x, y) + radii[node] for node, (x, y) in places.items()) for index, places in inner.items()
    }
    centres = arrange(_outer(graph, groups, rank), list(inner), sizes)
    return {
        node: (centres[index][0] + x, centres[index][1] + y)
        for index, places in inner.items()
        for node, (x, y) in places.items()
    }


def _outer(graph: networkx.Graph[str], groups: Sequence[Sequence[str]], rank: Mapping[str, int]) -> networkx.Graph[str]:
    """Return the graph of the groups, named by their numbers: the logarithm of what ties the nodes of two."""
    home = {node: str(index) for index, group in enumerate(groups) for node in group}
    bonds: dict[tuple[str, str], float] = defaultdict(float)
    for u in rank:
        for v, data in graph.adj[u].items():
            if rank[u] < rank[v] and home[u] != home[v]:
                ends = home[u], home[v]
                bonds[ends[::-1] if ends[::-1] in bonds else ends] += data["weight"]
    outer: networkx.Graph[str] = networkx.Graph()
    outer.add_nodes_from(str(index) for index in range(len(groups)))
    outer.add_weighted_edges_from((one, other, log1p(bond)) for (one, other), bond in bonds.items())
    return outer


def _without_crumbs(graph: networkx.Graph[str], groups: list[set[str]], total: int) -> list[set[str]]:
    """Return the communities with the tiny ones joined to those they are tied to most: alone they fly off."""
    least = max(4, total // 100)
    kept = [group for group in groups if len(group) >= least]
    if not kept:
        return groups
    home = {node: index for index, group in enumerate(kept) for node in group}
    for crumb in (group for group in groups if len(group) < least):
        kept[_nearest(graph, crumb, home, len(kept))] |= crumb
    return kept


def _nearest(graph: networkx.Graph[str], crumb: set[str], home: Mapping[str, int], count: int) -> int:
    """Return which of ``count`` communities a few nodes are tied to most; ``home`` is node → community."""
    pull = [0.0] * count
    for u in sorted(crumb):
        for v, data in graph.adj[u].items():
            if v in home:
                pull[home[v]] += data["weight"]
    return pull.index(max(pull))


def _spiral(order: Sequence[str], radii: Mapping[str, float]) -> dict[str, Point]:
    step = max(radii[node] for node in order)
    seeds = [
        Disc(step * x, step * y, radii[node])
        for node, (x, y) in zip(order, map(_sunflower, range(len(order))), strict=True)
    ]
    return {node: (disc.x, disc.y) for node, disc in zip(order, separate(seeds, grow=False), strict=True)}


def _centred(places: Mapping[str, Point]) -> dict[str, Point]:
    """Return the places moved so that the middle of what they span is at the origin."""
    xs, ys = zip(*places.values(), strict=True)
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return {node: (px - x, py - y) for node, (px, py) in places.items()}
