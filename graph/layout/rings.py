"""Rings round a node: its own leaves, and the leaves of these.

A leaf has its own slot on the first ring; a leaf with leaves of its own has a slot wide enough for them on the
next. Slots without room begin new rings further out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, pi, sin

Point = tuple[float, float]

GAP = 5.0  # pixels between the rims of two nodes
_STEM = 7.0  # from the rim of a node to the rims of its first ring
_ARC = 1.5 * pi  # rings turn their back on the other neighbours: this much of the circle is their own


@dataclass(frozen=True, slots=True)
class Rings:
    """Places round a node as node → (distance, angle), the middle of the rings at angle 0, and the room they take."""

    radius: float
    places: Mapping[str, tuple[float, float]]

    def around(self, centre: Point, facing: float) -> dict[str, Point]:
        """Return the places when the node stands at ``centre`` and the rings face an angle."""
        x, y = centre
        return {
            node: (x + distance * cos(facing + angle), y + distance * sin(facing + angle))
            for node, (distance, angle) in self.places.items()
        }


def rings_around(root: str, children: Mapping[str, Sequence[str]], sizes: Mapping[str, float], *, alone: bool) -> Rings:
    """Return the rings of ``root``. ``alone``: it has no other neighbours and may use the whole circle."""
    slots = [_levels(child, children) for child in children.get(root, ())]
    if not slots:
        return Rings(sizes[root] + GAP, {})
    cell = GAP + 2 * max(sizes[node] for levels in slots for level in levels for node in level)
    places: dict[str, tuple[float, float]] = {}
    inner = sizes[root] + _STEM
    while slots:
        distance = inner + cell / 2
        widths = _fitting(slots, distance, cell)
        ring, slots = slots[: len(widths)], slots[len(widths) :]
        _fill(places, ring, widths, distance, cell, alone=alone)
        inner += cell * max(map(len, ring))
    return Rings(inner, places)


def _fitting(slots: Sequence[list[list[str]]], distance: float, cell: float) -> list[float]:
    """Return the widths, as angles, of the first slots: as many as a ring at that distance holds, and one at least."""
    widths: list[float] = []
    total = 0.0
    for levels in slots:
        width = max(len(level) * cell / (distance + depth * cell) for depth, level in enumerate(levels))
        total += width
        if widths and total > _ARC:
            break
        widths.append(width)
    return widths


def _levels(node: str, children: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return a node, its leaves, their leaves, and so on."""
    levels = [[node]]
    while below := [child for parent in levels[-1] for child in children.get(parent, ())]:
        levels.append(below)
    return levels


def _fill(
    places: dict[str, tuple[float, float]],
    slots: Sequence[list[list[str]]],
    widths: Sequence[float],
    distance: float,
    cell: float,
    *,
    alone: bool,
) -> None:
    """Put slots side by side on rings, spread out as far as looks well."""
    total = sum(widths)
    stretch = 2 * pi / max(total, 3 * widths[0]) if alone else min(1.6, _ARC / total)
    stretch = max(stretch, 1.0)
    start = -stretch * total / 2
    for levels, width in zip(slots, widths, strict=True):
        for depth, level in enumerate(levels):
            for index, node in enumerate(level):
                angle = start + stretch * width * (index + 0.5) / len(level)
                places[node] = distance + depth * cell, angle
        start += stretch * width


def facing(centre: Point, others: Sequence[Point]) -> float:
    """Return the direction away from the others; upwards when there are none.

    >>> facing((0.0, 0.0), [(5.0, 0.0)]) == pi
    True
    """
    x = y = 0.0
    for other in others:
        distance = hypot(other[0] - centre[0], other[1] - centre[1]) or 1.0
        x += (centre[0] - other[0]) / distance
        y += (centre[1] - other[1]) / distance
    return atan2(y, x) if others else -pi / 2
