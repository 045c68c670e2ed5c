"""The force-directed step of the layout: positions of one connected part, its discs not overlapping.

Forces between all pairs are quadratic, so a big part is first divided into communities: each is laid out by
itself, and then the communities, as discs, among each other.
"""

from __future__ import annotations

from collections import defaultdict
from math import cos, hypot, log1p, pi, sin, sqrt
from typing import TYPE_CHECKING

from ..louvain import louvain
from .overlaps import Disc, separate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Links = Mapping[str, Mapping[str, float]]
    Pairs = tuple[tuple[int, int, float], ...]  # two nodes, and how strong their bond is
    Form = tuple[int, Pairs]  # number of nodes, and their links
    Singles = NDArray[np.float32]
Point = tuple[float, float]

_ALL_PAIRS = 600  # nodes; up to here every pair repels
_FEW = 300  # nodes, of a part seen closely
_FINELY, _ROUGHLY = 300, 100  # how often nodes move
_PAIRS = 60_000  # of nodes at a time: they stay in the processor's cache, and wake no other threads
_NEAREST = 0.05  # of squares of distances: single precision blurs these
_GOLDEN = pi * (3 - sqrt(5))


def arrange(
    links: Links, parts: Sequence[Sequence[str]], radii: Mapping[str, float], *, roughly: bool = False
) -> list[dict[str, Point]]:
    """Return positions for connected parts of two nodes or more, each laid out by itself.

    The order of a part's nodes fixes the start. ``roughly`` takes a tenth of the time, for a graph too large to be
    looked at closely. Parts of more than ``_FEW`` nodes are always laid out roughly.
    """
    small = [part for part in parts if len(part) <= _ALL_PAIRS]
    forms = [_form(links, part) for part in small]
    fine = {form: _settled(form) for form in dict.fromkeys(forms) if form[0] <= _FEW} if not roughly else {}
    settled = fine | _settled_roughly(form for form in forms if form not in fine)
    spots = {part[0]: settled[form] for part, form in zip(small, forms, strict=True)}
    return [
        _spread(part, spots[part[0]], radii, roughly=roughly or len(part) > _FEW)
        if part[0] in spots
        else _by_community(links, part, radii, roughly=roughly)
        for part in parts
    ]


def _form(links: Links, order: Sequence[str]) -> Form:
    rank = {node: index for index, node in enumerate(order)}
    pairs = ((rank[u], rank[v], bond) for u in order for v, bond in links[u].items() if rank[u] < rank.get(v, -1))
    return len(order), tuple(pairs)


def _spread(
    order: Sequence[str], spots: Sequence[Point], radii: Mapping[str, float], *, roughly: bool
) -> dict[str, Point]:
    """Return the places of nodes at rest on some spots, where their discs do not overlap."""
    discs = [Disc(*spot, radii[node]) for node, spot in zip(order, spots, strict=True)]
    spread = separate(discs, roughly=roughly)
    return {node: (disc.x, disc.y) for node, disc in zip(order, spread, strict=True)}


def _settled(form: Form) -> list[Point]:
    """ForceAtlas2 (Jacomy and others, PLoS ONE 9(6), 2014) with logarithmic attraction, from a sunflower.

    The forces, masses and speeds are those of networkx's ``forceatlas2_layout(linlog=True)``. networkx sums attraction
    over all pairs; a sum over the edges takes a third of the time.
    """
    import numpy as np  # noqa: PLC0415 - a tenth of a second, saved for questions about a graph

    count, pairs = form
    ends = np.array([pair[:2] for pair in pairs], dtype=int).reshape(-1, 2).T
    bonds = np.array([pair[2] for pair in pairs], dtype=float)
    mass = np.bincount(ends.ravel(), minlength=count) + 1.0
    charge = 2.0 * np.outer(mass, mass)
    np.fill_diagonal(charge, 0.0)
    push, gaps = np.empty_like(charge), np.empty_like(charge)
    place = np.array([_sunflower(index) for index in range(count)]).T  # two rows: x and y
    pace = _Pace(count)
    for _ in range(_FINELY):
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


def _settled_roughly(forms: Iterable[Form]) -> dict[Form, list[Point]]:
    """Return the same for several forms, those of as many nodes side by side, in fewer rounds and single precision."""
    by_count: dict[int, list[Form]] = defaultdict(list)
    for form in dict.fromkeys(forms):
        by_count[form[0]].append(form)
    found: dict[Form, list[Point]] = {}
    for count, alike in by_count.items():
        step = max(_PAIRS // count**2, 1)
        for first in range(0, len(alike), step):
            some = alike[first : first + step]
            found.update(zip(some, _side_by_side(count, [pairs for _, pairs in some]), strict=True))
    return found


def _side_by_side(count: int, forms: Sequence[Pairs]) -> list[list[Point]]:
    """Lay out several parts of the graph at once by ForceAtlas2; return the points of each part's nodes.

    Each part has ``count`` nodes; ``forms`` has the pairs of tied nodes of each. The repulsion within a part is a
    product of matrices, |a - b|² = a² + b² - 2ab, in a sixth of the time of a loop over pairs.
    """
    import numpy as np  # noqa: PLC0415 - see above

    shape, size = (len(forms), count), len(forms) * count
    pairs = [(count * part + u, count * part + v, bond) for part, form in enumerate(forms) for u, v, bond in form]
    first, second = np.array([pair[:2] for pair in pairs], dtype=int).reshape(-1, 2).T
    bonds = np.array([pair[2] for pair in pairs], dtype=float)
    mass = (np.bincount(first, minlength=size) + np.bincount(second, minlength=size) + 1.0).reshape(shape)
    masses = mass.astype(np.float32)
    ones = np.ones(shape, np.float32)
    rows = max(_PAIRS // size, 1)
    row_ranges = [slice(begin, begin + rows) for begin in range(0, count, rows)]
    place = np.array([_sunflower(index) for index in range(count)]).T[:, None] + np.zeros((2, *shape))
    pace = _Pace(count)
    for _ in range(_ROUGHLY):
        flat = place.reshape(2, size)
        # Tied nodes attract each other.
        apart = flat[:, first] - flat[:, second]
        distance = np.maximum(np.hypot(*apart), 1e-9)
        pull = apart * (bonds * np.log1p(distance) / distance)
        # All nodes of a part repel each other.
        centred = place - place.mean(axis=2, keepdims=True)
        x, y = centred.astype(np.float32)
        squares = x * x + y * y
        one, other = np.stack([-2 * x, -2 * y, ones, squares], axis=2), np.stack([x, y, squares, ones], axis=1)
        # The force of b on a is mass_a mass_b (a - b) / |a - b|².
        here = np.stack([x * masses, y * masses, masses], axis=2)
        push = np.concatenate([_inverse(one[:, part] @ other) @ here for part in row_ranges], axis=1)
        force = 2.0 * mass * np.array([x * push[..., 2] - push[..., 0], y * push[..., 2] - push[..., 1]])
        force -= mass * centred / np.maximum(np.hypot(*centred), 1e-9)
        for axis in (0, 1):
            drawn = np.bincount(first, pull[axis], size) - np.bincount(second, pull[axis], size)
            force[axis] -= drawn.reshape(shape)
        swing, straight = (mass * np.hypot(*(place - force))).sum(), (mass * np.hypot(*(place + force))).sum() / 2
        speed = pace.after(float(swing) / len(forms), float(straight) / len(forms))
        place += force * (speed / (1 + np.sqrt(speed * mass * np.hypot(*force))))
    return [list(zip(*part, strict=True)) for part in place.transpose(1, 0, 2).tolist()]


def _inverse(squares: Singles) -> Singles:
    import numpy as np  # noqa: PLC0415 - see above

    return np.reciprocal(np.maximum(squares, _NEAREST, out=squares), out=squares)


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


def _by_community(links: Links, order: Sequence[str], radii: Mapping[str, float], *, roughly: bool) -> dict[str, Point]:
    """Return the positions of a large group's nodes: each community is arranged alone, then the communities.

    ``order`` has the nodes, the most important first. A group that is a single community becomes a spiral.
    """
    rank = {node: index for index, node in enumerate(order)}
    count, pairs = _form(links, order)
    communities: dict[int, set[str]] = defaultdict(set)
    for node, group in zip(order, louvain(count, pairs, seed=1), strict=True):
        communities[group].add(node)
    whole = _without_crumbs(links, list(communities.values()), len(order))
    groups = sorted((sorted(group, key=rank.__getitem__) for group in whole), key=lambda group: rank[group[0]])
    if len(groups) == 1:  # no seam to cut along
        return _spiral(order, radii)
    arranged = arrange(links, groups, radii, roughly=roughly)
    inner = {str(index): _centred(places) for index, places in enumerate(arranged)}
    sizes = {
        index: max(hypot(x, y) + radii[node] for node, (x, y) in places.items()) for index, places in inner.items()
    }
    (centres,) = arrange(_outer(links, groups), [list(inner)], sizes)
    return {
        node: (centres[index][0] + x, centres[index][1] + y)
        for index, places in inner.items()
        for node, (x, y) in places.items()
    }


def _outer(links: Links, groups: Sequence[Sequence[str]]) -> Links:
    """Return the links of the groups by their numbers: the logarithm of the summed weights between two groups."""
    home = {node: str(index) for index, group in enumerate(groups) for node in group}
    bonds: dict[str, dict[str, float]] = {str(index): defaultdict(float) for index in range(len(groups))}
    for u, one in home.items():
        for v, bond in links[u].items():
            if (other := home.get(v, one)) != one:
                bonds[one][other] += bond
    return {one: {other: log1p(bond) for other, bond in others.items()} for one, others in bonds.items()}


def _without_crumbs(links: Links, groups: list[set[str]], total: int) -> list[set[str]]:
    """Return the communities with the tiny ones joined to those they are tied to most: alone they fly off."""
    least = max(4, total // 100)
    kept = [group for group in groups if len(group) >= least]
    if not kept:
        return groups
    home = {node: index for index, group in enumerate(kept) for node in group}
    for crumb in (group for group in groups if len(group) < least):
        kept[_nearest(links, crumb, home, len(kept))] |= crumb
    return kept


def _nearest(links: Links, crumb: set[str], home: Mapping[str, int], count: int) -> int:
    """Return the communities, of ``count``, with the strongest ties to a few nodes. ``home`` is node → community."""
    pull = [0.0] * count
    for u in sorted(crumb):
        for v, bond in links[u].items():
            if v in home:
                pull[home[v]] += bond
    return pull.index(max(pull))


def _spiral(order: Sequence[str], radii: Mapping[str, float]) -> dict[str, Point]:
    step = max(radii[node] for node in order)
    seeds = [
        Disc(step * x, step * y, radii[node])
        for node, (x, y) in zip(order, map(_sunflower, range(len(order))), strict=True)
    ]
    return {node: (disc.x, disc.y) for node, disc in zip(order, separate(seeds, grow=False), strict=True)}


def _centred(places: Mapping[str, Point]) -> dict[str, Point]:
    """Return the places moved: the middle of their bounding box is at the origin."""
    xs, ys = zip(*places.values(), strict=True)
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return {node: (px - x, py - y) for node, (px, py) in places.items()}
