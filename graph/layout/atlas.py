"""Positions of the episodes in the atlas, in which each area is one rectangle around its episodes.

There are two frames, a wide one for a window and a tall one for a phone. A recursion halves the frame along its longer
side among the areas, in proportion to their sizes, then each area's rectangle among its episodes. Areas or episodes
with ties to each other come into the same half: they are sorted by the two slowest modes of the graph of ties. Lengths
are in pixels; a page stretches the frame to its own size. In a graph without episodes, the posts are laid out.
"""

from __future__ import annotations

from collections import defaultdict
from statistics import mode
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..areas import OTHERS, list_episodes_or_posts, list_related_pairs
from ..attributes import PLACES
from .hues import choose_hues

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ..attributes import Graph

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Point = tuple[float, float]
    # Of each tie, in both directions: the number of an episode, that of the other one, the strength.
    Ties = tuple[Ints, Ints, Floats]


class Frame(NamedTuple):
    """A frame of the atlas: its size in pixels, and the names of the attributes with a node's position in it."""

    width: float
    height: float
    x: str
    y: str


FRAMES = (Frame(1000, 900, "x_wide", "y_wide"), Frame(390, 640, "x_tall", "y_tall"))
_IN_ATLAS = {*PLACES[2:]}  # the attributes for the atlas; the first two, x and y, are for the map


def lay_out_atlas(graph: Graph, previous: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Return {episode id: attributes}: its position in each of ``FRAMES``, and its ``hue`` (-1 outside of any area).

    ``previous`` has these attributes of an earlier atlas ({}: none). If it has most episodes, these keep their
    positions, and new ones, also those that changed their area, come beside their relatives. An area keeps the hue of
    most of its members. In a graph without episodes, the posts are laid out.
    """
    nodes = list_episodes_or_posts(graph)
    groups: dict[str, list[int]] = defaultdict(list)
    for index, node in enumerate(nodes):
        groups[graph.nodes[node].get("community", OTHERS)].append(index)
    names = sorted(groups, key=lambda name: (name == OTHERS, -len(groups[name]), name))
    areas = [groups[name] for name in names]
    numbers = {node: index for index, node in enumerate(nodes)}
    pairs = sorted((numbers[node], numbers[other], weight) for node, other, weight in list_related_pairs(graph, nodes))
    ones, others, strengths = np.array(pairs, np.float64).reshape(-1, 3).T
    ties = (ones.astype(np.int64), others.astype(np.int64), strengths)
    earlier = {index: previous[node] for index, node in enumerate(nodes) if previous.get(node, {}).keys() >= _IN_ATLAS}
    # A hue of -1 is that of no area; -2 marks a new episode.
    former = [int(earlier[index]["hue"]) if index in earlier else -2 for index in numbers.values()]
    staying = _find_staying(groups, former)
    is_new = 2 * len(staying) < len(nodes)  # if fewer than half would keep their positions, all get new ones
    places: dict[str, dict[str, float]] = {node: {} for node in nodes}
    for frame in FRAMES if nodes else ():
        anchors = {index: (earlier[index][frame.x], earlier[index][frame.y]) for index in sorted(staying)}
        points = _place_all(areas, ties, frame) if is_new else _place_new(areas, ties, anchors, frame)
        for node, (x, y) in zip(nodes, points, strict=True):
            places[node] |= {frame.x: round(x, 1), frame.y: round(y, 1)}
    # The hues are chosen by the positions in the wide frame; OTHERS, the last of the areas, has none.
    wide = np.array([(at[FRAMES[0].x], at[FRAMES[0].y]) for at in places.values()])
    hues = [*choose_hues(areas[:-1] if OTHERS in groups else areas, wide, former), -1]
    for area, hue in zip(areas, hues, strict=False):
        for index in area:
            places[nodes[index]]["hue"] = hue
    return places


def _find_staying(groups: Mapping[str, Sequence[int]], former: Sequence[int]) -> list[int]:
    """Return the episodes that stay in their area, and keep their positions: those with the usual hue of the area.

    ``groups`` is {name of an area: the numbers of its episodes}. ``former`` has the earlier hue of each episode (-1:
    outside of any area; -2: it is new).
    """
    staying = []
    for name, group in groups.items():
        usual = -1 if name == OTHERS else mode(former[index] for index in group)
        staying += [index for index in group if former[index] == usual and (usual >= 0 or name == OTHERS)]
    return staying


def _compute_modes(groups: Ints, ties: Ties) -> Floats:
    """Return wished coordinates (n, 2) for n episodes or areas: those with strong ties are near each other.

    The coordinates are the two slowest modes of the graph of ties inside each group (the eigenvectors of its Laplacian
    with the smallest eigenvalues), by power iteration. ``groups`` has the number of the group of each episode; ``ties``
    are pairs of episodes with strengths. Sums by ``bincount`` are the same on any machine.
    """
    count = len(groups)
    inside = groups[ties[0]] == groups[ties[1]]
    one, other, strength = ties[0][inside], ties[1][inside], ties[2][inside]
    weights = np.bincount(one, strength, count) + 1e-3  # the sum of each one's ties; never 0, as it is a divisor
    totals = np.bincount(groups, weights)
    numbers = np.arange(1, count + 1)
    # A start without chance: multiples of the inverses of the golden and the plastic ratio spread evenly over 0..1.
    modes = [numbers * 0.6180339887498949 % 1, numbers * 0.7548776662466927 % 1]
    for _ in range(60):  # steps: more change the positions little
        for axis, former in enumerate(modes):
            # A step goes half of the way to the mean of the neighbours. Then the mean of the group is moved to 0.
            step = (former + (np.bincount(one, strength * former[other], count) + 1e-3 * former) / weights) / 2
            step -= (np.bincount(groups, weights * step) / totals)[groups]
            if axis:  # the second mode is orthogonal to the first
                first = modes[0]
                step -= (np.bincount(groups, weights * step * first) / totals)[groups] * first
            length = np.sqrt(np.bincount(groups, weights * step**2) / totals)
            modes[axis] = step / np.maximum(length, 1e-9)[groups]
    return np.stack(modes, axis=1).round(6)


def _divide_box(sizes: Floats, wishes: Floats, box: Sequence[float], numbers: Ints, boxes: Floats) -> None:
    """Divide a box in proportion to ``sizes``, and write the parts into the rows ``numbers`` of ``boxes``.

    A box is (left, top, width, height) in pixels. ``numbers`` are those of the parts: the rows of ``sizes``, ``wishes``
    and ``boxes``. ``wishes`` (n, 2) are the wished coordinates of each part: those near to each other come into the
    same half.
    """
    if len(numbers) == 1:
        boxes[numbers[0]] = box
        return
    axis = int(box[3] > box[2])  # 0: cut a wide box from left to right; 1: a high one from top to bottom
    order = numbers[np.lexsort((numbers, wishes[numbers, axis]))]
    sums = np.cumsum(sizes[order])
    # The number of parts in the first half: its sum is the one nearest to half of the whole.
    cut = 1 + int(np.abs(sums[:-1] - sums[-1] / 2).argmin())
    # box[axis] is where a box begins along the axis, box[2 + axis] is its length along it.
    first, second = [*box], [*box]
    first[2 + axis] *= float(sums[cut - 1] / sums[-1])
    second[axis] += first[2 + axis]
    second[2 + axis] -= first[2 + axis]
    _divide_box(sizes, wishes, first, order[:cut], boxes)
    _divide_box(sizes, wishes, second, order[cut:], boxes)


def _place_all(areas: Sequence[Sequence[int]], ties: Ties, frame: Frame) -> list[Point]:
    """Return the position (x, y) in the frame of each episode, in pixels: a new atlas, without an earlier one.

    ``areas`` have the numbers of their episodes; together these are 0 to n - 1. ``ties`` are pairs of episodes.
    """
    home = np.empty(sum(map(len, areas)), np.int64)
    for number, area in enumerate(areas):
        home[area] = number
    counts = np.array([len(area) for area in areas], np.float64)
    sizes = counts + 1.8 * np.sqrt(counts)  # the root is for the border of an area
    one, other, strength = home[ties[0]], home[ties[1]], ties[2]
    between = strength / np.sqrt(counts[one] * counts[other])
    area_modes = _compute_modes(np.zeros(len(areas), np.int64), (one, other, between))
    episode_modes = _compute_modes(home, ties)
    if frame.height > frame.width:  # the slowest mode is along the longer side
        area_modes, episode_modes = area_modes[:, ::-1], episode_modes[:, ::-1]
    lands, cells = np.empty((len(areas), 4)), np.empty((len(home), 4))
    _divide_box(sizes, area_modes, (0.0, 0.0, frame.width, frame.height), np.arange(len(areas)), lands)
    for area, (x, y, width, height) in zip(areas, lands.tolist(), strict=True):
        gap = min(0.45 * float(np.sqrt(width * height / len(area))), width / 2.5, height / 2.5)
        inner = (x + gap, y + gap, width - 2 * gap, height - 2 * gap)
        _divide_box(np.ones(len(home)), episode_modes, inner, np.array(area), cells)
    places = cells[:, :2] + cells[:, 2:] / 2
    low, span = places.min(axis=0), np.ptp(places, axis=0)
    places = np.where(span > 1, 0.01 + 0.98 * (places - low) / np.maximum(span, 1), 0.5)  # to the frame's border
    return [(x * frame.width, y * frame.height) for x, y in places.tolist()]


def _place_new(areas: Sequence[Sequence[int]], ties: Ties, anchors: Mapping[int, Point], frame: Frame) -> list[Point]:
    """Return the position (x, y) in the frame of each episode: its anchor, or a free spot near its relatives.

    ``areas`` have the numbers of their episodes, ``ties`` relate pairs of episodes. ``anchors`` are {number of an
    episode: its earlier position}. Relatives are those in the same area; an episode without relatives comes near the
    middle of its area.
    """
    area_of = {index: area for area in areas for index in area}
    spacing = float(np.sqrt(frame.width * frame.height / len(area_of)))
    axes = [np.arange(spacing / 6, length, spacing / 3) for length in (frame.width, frame.height)]
    spots = np.stack(np.meshgrid(*axes), axis=2).reshape(-1, 2)
    room = np.full(len(spots), np.inf)  # the square of the distance to the nearest episode
    relatives: dict[int, list[int]] = defaultdict(list)
    for one, other in zip(ties[0].tolist(), ties[1].tolist(), strict=True):
        relatives[one] += [other] if area_of[one] is area_of[other] else []
    places: dict[int, Point] = {**anchors}
    newcomers = sorted(area_of.keys() - anchors.keys())
    for anchor in anchors.values() if newcomers else ():
        np.minimum(room, ((spots - anchor) ** 2).sum(axis=1), out=room)
    for index in newcomers:
        near = [places[other] for other in relatives[index] if other in places]
        near = near or [places[other] for other in area_of[index] if other in places]
        wish = np.mean(near or [(frame.width / 2, frame.height / 2)], axis=0)
        # The free spot nearest to the wish; if none is free, the spot with the most room.
        gaps = ((spots - wish) ** 2).sum(axis=1)
        places[index] = tuple(spots[np.where(room > (0.5 * spacing) ** 2, gaps, 1e9 - room).argmin()].tolist())
        np.minimum(room, ((spots - places[index]) ** 2).sum(axis=1), out=room)
    return [places[index] for index in range(len(places))]
