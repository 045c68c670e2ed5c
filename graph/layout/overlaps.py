"""Removal of overlaps: discs pushed apart in place, or packed in rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin, sqrt
from typing import NamedTuple

Point = tuple[float, float]
_Place = tuple[float, float, float]  # x, y, radius

_DENSITY = 0.5  # share of the area for the discs of one part before they are pushed apart
_ROUNDS = 400
_LABEL = 12.0  # room beside and beneath a packed group for its name
_CLOSE = 0.25  # an overlap this small is rounding


@dataclass(frozen=True, slots=True)
class Disc:
    """A disc round (``x``, ``y``)."""

    x: float
    y: float
    radius: float


class FreeSpots:
    """Free space among discs with fixed positions.

    >>> spots = FreeSpots([(0.0, 0.0, 10.0)])
    >>> spots.take(50.0, 0.0, 10.0)
    (50.0, 0.0)
    >>> hypot(*spots.take(0.0, 0.0, 10.0)) >= 20
    True
    """

    def __init__(self, discs: Iterable[_Place]) -> None:
        """Enter the discs into a grid of cells as wide as the largest disc."""
        fixed = list(discs)
        self._cell = 2 * max((radius for _, _, radius in fixed), default=10.0)
        self._grid: dict[tuple[int, int], list[_Place]] = {}
        # By the cell of the wished place: the distance at which the last search from there ended. The next search
        # starts there, or many discs with one wish would each walk the whole spiral.
        self._taken: dict[tuple[int, int], float] = {}
        for disc in fixed:
            self._add(disc)

    def take(self, x: float, y: float, radius: float) -> tuple[float, float]:
        """Return the free place nearest to (``x``, ``y``) on a spiral from there, and take it."""
        wish = (int(x // self._cell), int(y // self._cell))
        step = radius / 8
        turn = self._taken.get(wish, 0.0) / step
        while not self._free(*(place := (x + step * turn * cos(turn), y + step * turn * sin(turn))), radius):
            turn += 0.4 / (1 + turn / 12)
        self._taken[wish] = step * turn
        self._add((*place, radius))
        return place

    def _add(self, disc: _Place) -> None:
        for cell in self._cells(*disc):
            self._grid.setdefault(cell, []).append(disc)

    def _free(self, x: float, y: float, radius: float) -> bool:
        for cell in self._cells(x, y, radius):
            for other_x, other_y, other in self._grid.get(cell, ()):
                if hypot(other_x - x, other_y - y) < other + radius:
                    return False
        return True

    def _cells(self, x: float, y: float, radius: float) -> Iterator[tuple[int, int]]:
        """Yield the cells of the grid touched by a disc."""
        for column in range(int((x - radius) // self._cell), int((x + radius) // self._cell) + 1):
            for row in range(int((y - radius) // self._cell), int((y + radius) // self._cell) + 1):
                yield column, row


def separate(discs: Sequence[Disc], *, grow: bool = True, roughly: bool = False) -> list[Disc]:
    """Return the discs moved as little as possible until they no longer overlap, in the same order.

    With ``grow`` the whole is first scaled so that the discs take a fixed share of its area. ``roughly`` compares all
    pairs at once, suitable for some hundreds of discs, and finds overlaps caused by a move only in the next round.
    """
    if len(discs) < 2:
        return list(discs)
    xs, ys, radii = (list(values) for values in zip(*((disc.x, disc.y, disc.radius) for disc in discs), strict=True))
    if grow:
        scale = _scale(xs, ys, sum(pi * radius**2 for radius in radii))
        xs, ys = _times(scale, xs), _times(scale, ys)
    pairs = _overlapping(radii) if roughly else _near(radii)
    for turn in range(_ROUNDS):
        if not _push(xs, ys, radii, pairs(xs, ys)):
            break
        if grow and turn % 40 == 39:  # too tight to come apart in place
            xs, ys = _times(1.05, xs), _times(1.05, ys)
    return list(map(Disc, xs, ys, radii))


def _times(factor: float, values: list[float]) -> list[float]:
    return [value * factor for value in values]


def _scale(xs: list[float], ys: list[float], area: float) -> float:
    """Return the factor to bring the spread of the points to the size the area needs."""
    mean_x, mean_y = middle(list(zip(xs, ys, strict=True)))
    spread = sqrt(sum((x - mean_x) ** 2 + (y - mean_y) ** 2 for x, y in zip(xs, ys, strict=True)) / len(xs))
    # Points spread evenly over a circle of radius R have a root mean square distance of R / sqrt(2).
    return sqrt(area / _DENSITY / pi) / (spread * sqrt(2)) if spread > 0 else 1.0


def _near(radii: list[float]) -> Callable[[list[float], list[float]], Iterable[tuple[int, int]]]:
    """Return a function yielding the pairs of discs near enough to overlap while they move, found by a grid."""
    cell = 2 * max(radii)

    def pairs(xs: list[float], ys: list[float]) -> Iterator[tuple[int, int]]:
        grid: dict[tuple[int, int], list[int]] = {}
        # No disc is wider than a cell: only discs in neighbouring cells can overlap.
        for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
            grid.setdefault((int(x // cell), int(y // cell)), []).append(i)
        for i in range(len(xs)):
            column, row = int(xs[i] // cell), int(ys[i] // cell)
            for cx in (column - 1, column, column + 1):
                for cy in (row - 1, row, row + 1):
                    for j in grid.get((cx, cy), ()):
                        if j > i:
                            yield i, j

    return pairs


def _overlapping(radii: list[float]) -> Callable[[list[float], list[float]], Iterable[tuple[int, int]]]:
    """Return a function finding the overlapping pairs by comparing each disc with each other."""
    import numpy as np  # noqa: PLC0415 - questions about a graph need not wait for it

    radius = np.array(radii, np.float32)
    reach = np.triu(np.maximum(np.add.outer(radius, radius) - np.float32(_CLOSE), 0) ** 2, 1)
    apart, gaps = np.empty_like(reach), np.empty_like(reach)

    def pairs(xs: list[float], ys: list[float]) -> Iterable[tuple[int, int]]:
        # From the first disc on, not from the origin: numbers of four bytes are precise only near zero.
        x, y = np.array([xs, ys]) - np.array([[xs[0]], [ys[0]]])
        for values, out in ((x.astype(np.float32), apart), (y.astype(np.float32), gaps)):
            np.subtract.outer(values, values, out=out)
            np.multiply(out, out, out=out)
        np.add(apart, gaps, out=apart)
        first, second = np.nonzero(apart < reach)
        return zip(first.tolist(), second.tolist(), strict=True)

    return pairs


def _push(xs: list[float], ys: list[float], radii: list[float], pairs: Iterable[tuple[int, int]]) -> bool:
    """Push overlapping pairs apart once, in place, and return whether there was one."""
    found = False
    for i, j in pairs:
        dx, dy = xs[j] - xs[i], ys[j] - ys[i]
        distance = hypot(dx, dy)
        overlap = radii[i] + radii[j] - distance
        if overlap <= _CLOSE:
            continue
        found = True
        if distance < 1e-9:  # in one spot: each pair has its own direction, spread by the golden angle (2.4)
            dx, dy, distance = cos(i + 2.4 * j), sin(i + 2.4 * j), 1.0
        step = (overlap + 0.01) / distance / 2
        xs[i] -= dx * step
        ys[i] -= dy * step
        xs[j] += dx * step
        ys[j] += dy * step
    return found


def pack_rows(
    groups: Sequence[Mapping[str, Point]], radii: Mapping[str, float], order: Sequence[str]
) -> dict[str, Point]:
    """Return one set of positions: the first (largest) group on top, the others in rows beneath it.

    ``order`` gives each group's sorting name; equal names stay together, in the sequence given.
    """
    if not groups:
        return {}
    boxes = [_Box.around(group, radii) for group in groups]
    width = max(boxes[0].width, 1.15 * sqrt(sum(box.width * box.height for box in boxes)))
    beside = len(groups[0]) > 1 and len(groups[0]) * 4 < len(radii)  # there is room beside the first group
    rows = _rows(boxes, order, width, used=boxes[0].width if beside else width)
    positions: dict[str, Point] = {}
    top = 0.0
    for row in rows:
        height = max(boxes[i].height for i in row)
        x = -sum(boxes[i].width for i in row) / 2
        for i in row:
            box = boxes[i]
            shift = top + (height - box.height) / 2 - box.top
            positions.update({node: (px + x - box.left, py + shift) for node, (px, py) in groups[i].items()})
            x += box.width
        top += height
    return positions


def _rows(boxes: Sequence[_Box], order: Sequence[str], width: float, *, used: float) -> list[list[int]]:
    """Return the numbers of the boxes by rows, the first box first. ``used`` is how much of its row is taken."""
    rows = [[0]]
    for i in sorted(range(1, len(boxes)), key=lambda i: (round(-boxes[i].height / 20), order[i], i)):
        if used + boxes[i].width > width:
            rows.append([])
            used = 0.0
        rows[-1].append(i)
        used += boxes[i].width
    return rows


def middle(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the mean of some points."""
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


class _Box(NamedTuple):
    """The room of a group with its name."""

    left: float
    top: float
    width: float
    height: float

    @classmethod
    def around(cls, group: Mapping[str, Point], radii: Mapping[str, float]) -> _Box:
        left = min(x - radii[node] for node, (x, _) in group.items()) - _LABEL
        top = min(y - radii[node] for node, (_, y) in group.items())
        right = max(x + radii[node] for node, (x, _) in group.items()) + _LABEL
        bottom = max(y + radii[node] for node, (_, y) in group.items()) + 1.5 * _LABEL
        return cls(left, top, right - left, bottom - top)
