"""Positions of the episodes in the atlas: each area is one piece of land around its episodes.

There are two frames, a wide one for a window and a tall one for a phone. The areas are laid out first. The weaker the
tie of two areas, the farther apart are their centres (stress majorization: Gansner, Koren, North, Graph Drawing 2004).
Then a power diagram (Aurenhammer 1987) divides the frame in proportion to the episodes of each area. The episodes of
an area have evenly spaced spots inside its cell, away from its border, related ones near each other. No two share a
spot, at any number of episodes. Lengths are in pixels; a page stretches the frame to its own. In a graph without
episodes, the posts are laid out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..community_detection import OTHERS
from ..kinds import kinds_of
from .hues import choose_hues

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ..attributes import Graph

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Ties = Mapping[int, Mapping[int, float]]
    Known = Mapping[str, Mapping[str, float]]

Point = tuple[float, float]


class Cells(NamedTuple):
    """A frame divided among areas: a power diagram, and how far episodes keep from the borders (``Frame``)."""

    centres: Floats
    weights: Floats
    boxes: Floats
    margin: float


class Frame(NamedTuple):
    """A frame of the atlas: its size in pixels, and the attributes of a node's place in it.

    ``margin`` is how far the episodes of an area keep from its border, as a share of the distance of two spots.
    """

    width: float
    height: float
    x: str
    y: str
    margin: float


FRAMES = (Frame(1000, 900, "x_wide", "y_wide", 0.45), Frame(390, 640, "x_tall", "y_tall", 0.3))
_STRONG = {"related": 1.0, "listen_first": 0.5, "see_also": 0.5}  # factors of the weights
_TALLER = 1.25  # how much more a pixel of height counts than one of width: names are wide
_BY_RANK = 0.7  # how far the place of an area is decided by the order along an axis rather than by stress
_MOST_AREAS = 64  # with a land of their own: more names have no room
_NAME = 120.0  # pixels for the name of an area at its top
_STRESS, _DIVISIONS, _SETTLING = 200, 80, 8  # rounds
_WIDEST = 1.4  # how much wider than on average the spots of an area may be, where its cell has room
_LEANING = 0.12  # of the distance of two spots: how far an episode leans to its relatives
_OUTER = 0.2  # how much a tie to another area counts for the spot inside the own
_STEP = 64  # the finest lattice: so many points along the frame's longer side


def atlas(graph: Graph, places: Mapping[str, Point], previous: Known | None = None) -> dict[str, dict[str, float]]:
    """Return the attributes of ``FRAMES`` and the ``hue`` of each episode (each text, in a graph without episodes).

    ``places`` are positions on the whole map, from which the episodes of an area start. ``previous`` has the attributes
    of an earlier atlas: where most are known they keep their places, and new episodes, also those from another area,
    come beside their relatives. An area keeps its hue while most of its members had it.
    """
    nodes = _shown(graph)
    if not nodes:
        return {}
    names = [*(name for frame in FRAMES for name in (frame.x, frame.y)), "hue"]
    known = {node: previous[node] for node in nodes if previous and node in previous}
    areas, is_others = _areas(graph, nodes)
    had = [known.get(node, {}).get("hue", -1) for node in nodes]
    moved = _moved(areas, had, is_others)
    if not moved and len(known) == len(nodes) and all(name in at for at in known.values() for name in names):
        return {node: {name: round(known[node][name], 1) for name in names} for node in nodes}
    for index in moved:
        known.pop(nodes[index], None)
    ties = _ties(graph, nodes)
    start = np.array([places[node] for node in nodes], float).reshape(-1, 2)
    found: dict[str, dict[str, float]] = {node: {} for node in nodes}
    for frame in FRAMES:
        stood = {node: (at[frame.x], at[frame.y]) for node, at in known.items() if frame.x in at and frame.y in at}
        if 2 * len(stood) < len(nodes):
            spots = _laid_out(areas, ties, start, frame)
        else:
            spots = _with_new_episodes(nodes, areas, ties, stood, frame)
        for node, (x, y) in zip(nodes, spots.tolist(), strict=True):
            found[node] |= {frame.x: round(x, 1), frame.y: round(y, 1)}
    wide = np.array([(at[FRAMES[0].x], at[FRAMES[0].y]) for at in found.values()])
    for area, hue, others in zip(areas, choose_hues(areas, wide, had), is_others, strict=True):
        for index in area:
            found[nodes[index]]["hue"] = -1 if others else hue
    return found


def _shown(graph: Graph) -> list[str]:
    """Return the episodes, else all texts."""
    kinds = kinds_of(graph.graph)
    texts = [node for node, kind in graph.nodes(data="kind") if kinds[str(kind)].text]
    return [node for node in texts if graph.nodes[node]["kind"] == "episode"] or texts


def _areas(graph: Graph, nodes: Sequence[str]) -> tuple[list[list[int]], list[bool]]:
    """Return the places in ``nodes`` of the members of each area, the largest first, and whether it has no name.

    An area is a community. Beyond ``_MOST_AREAS`` of them the smallest are in one area with the other episodes, since
    the work is the cube of their number.
    """
    groups: dict[str, list[int]] = defaultdict(list)
    for index, node in enumerate(nodes):
        groups[str(graph.nodes[node].get("community", OTHERS))].append(index)
    others = groups.pop(OTHERS, [])
    named = sorted(groups.values(), key=lambda group: (-len(group), group[0]))
    others = sorted(others + [index for group in named[_MOST_AREAS:] for index in group])
    areas = sorted([*named[:_MOST_AREAS], *filter(None, [others])], key=lambda group: (-len(group), group[0]))
    return areas, [area is others for area in areas]


def _moved(areas: Sequence[Sequence[int]], had: Sequence[float], is_others: Sequence[bool]) -> list[int]:
    """Return the members from another area: they had another hue than most of their area.

    ``had`` is the hue of each member before, -1 for none: it was new, or one of the other episodes.
    """
    moved = []
    for area, others in zip(areas, is_others, strict=True):
        hues = Counter(had[index] for index in area if had[index] >= 0).most_common(1)
        usual = -1 if others else hues[0][0] if hues else None
        moved += [index for index in area if had[index] != usual]
    return moved


def _ties(graph: Graph, nodes: Sequence[str]) -> Ties:
    """Return how strongly each node is tied to others, by their places in ``nodes``, up to 1."""
    rank = {node: index for index, node in enumerate(nodes)}
    ties: dict[int, dict[int, float]] = {index: {} for index in range(len(nodes))}
    for node, one in rank.items():
        for _, target, relation, attributes in graph.out_edges(node, keys=True, data=True):
            if relation in _STRONG and (other := rank.get(target, one)) != one:
                bond = max(_STRONG[relation] * attributes.get("weight", 1.0), ties[one].get(other, 0.0))
                ties[one][other] = ties[other][one] = bond
    most = max((bond for row in ties.values() for bond in row.values()), default=1.0) or 1.0
    return {one: {other: bond / most for other, bond in row.items()} for one, row in ties.items()}


def _laid_out(areas: Sequence[Sequence[int]], ties: Ties, start: Floats, frame: Frame) -> Floats:
    """Return a place in the frame for each node."""
    size = np.array([frame.width, frame.height * _TALLER])  # a pixel of height counts more
    name = round(_NAME / float(np.sqrt(size.prod() / (1.4 * len(start)))))
    names = [min(name, 1 + len(area) // 4) for area in areas]
    needed = np.array([len(area) for area in areas]) + names
    rooms = (
        needed + 3.54 * frame.margin * np.sqrt(needed) + 3.14 * frame.margin**2
    )  # spots, and the rim of a disc of so many
    wished = _spread(_by_stress(_between(areas, ties)), size)
    cells = Cells(*_divided(wished, rooms / rooms.sum(), size), frame.margin)
    spots = np.zeros_like(start)
    home = np.zeros(len(start), int)
    for number, area in enumerate(areas):
        home[list(area)] = number
    gap = float(np.sqrt(size.prod() / (0.87 * rooms.sum())))
    for number, area in enumerate(areas):
        cell, apart = _spots_of_cell(cells, number, len(area), names[number], gap)
        inner = start[list(area)]
        for _ in range(_SETTLING):
            taken = _matched(inner, cell)
            inner = _wished_spots(area, taken, ties, home, cells.centres)
        lean = inner - taken
        lean *= np.minimum(1, _LEANING * apart / np.maximum(np.hypot(*lean.T), 1e-9))[:, None]
        spots[list(area)] = np.clip(taken + lean, 0, size)
    return spots / [1.0, _TALLER]


def _between(areas: Sequence[Sequence[int]], ties: Ties) -> Floats:
    """Return the strength of each pair of areas (0 to 1): the ties of their members ÷ the roots of both sizes."""
    home = {index: number for number, area in enumerate(areas) for index in area}
    bonds = np.zeros((len(areas), len(areas)))
    for one, row in ties.items():
        for other, bond in row.items():
            bonds[home[one], home[other]] += bond
    np.fill_diagonal(bonds, 0.0)
    sizes = np.sqrt([len(area) for area in areas])
    bonds /= np.outer(sizes, sizes)
    between: Floats = bonds / max(bonds.max(initial=0.0), 1e-9)
    return between


def _by_stress(ties: Floats) -> Floats:
    """Return positions (a row each) with distances as near as possible to the lengths of the paths between them."""
    count = len(ties)
    if count < 3:
        return np.array([np.arange(count, dtype=float), np.zeros(count)]).T
    lengths = np.where(ties > 0, 1.5 - np.sqrt(ties), np.inf)
    np.fill_diagonal(lengths, 0.0)
    for via in range(count):  # Floyd and Warshall
        np.minimum(lengths, lengths[:, via, None] + lengths[via], out=lengths)
    finite = lengths[np.isfinite(lengths)]
    lengths[np.isinf(lengths)] = 1.1 * max(finite.max(), 1.0)
    pull = np.divide(1.0, lengths**2, out=np.zeros_like(lengths), where=lengths > 0)
    inverse = np.linalg.pinv(np.diag(pull.sum(axis=1)) - pull)
    place = _scaled(lengths)
    for _ in range(_STRESS):  # each to where all others together want it
        distance = np.maximum(np.hypot(*(place.T[:, :, None] - place.T[:, None, :])), 1e-9)
        wanted = pull * lengths / distance
        place = inverse @ (place * wanted.sum(axis=1)[:, None] - wanted @ place)
    return place


def _scaled(lengths: Floats) -> Floats:
    """Return a first guess: the two main axes of the distances (classical scaling: Torgerson 1952)."""
    squares = lengths**2
    means = squares.mean(axis=0)
    values, vectors = np.linalg.eigh((means + means[:, None] - squares - means.mean()) / 2)
    axes = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 1e-9))
    largest = axes[np.abs(axes).argmax(axis=0), [0, 1]]
    turns = np.arange(len(lengths)) * 2.4  # two with the same ties start apart
    place: Floats = (axes * np.where(largest < 0, -1, 1))[:, ::-1] + 1e-3 * np.array([np.cos(turns), np.sin(turns)]).T
    return place


def _spread(flat: Floats, size: Floats) -> Floats:
    """Fill the frame: along each axis between the values and their ranks, inside of a rim; the longer axis along it."""
    centred = flat - flat.mean(axis=0)
    turn = -np.arctan2(2 * (centred[:, 0] * centred[:, 1]).sum(), (centred[:, 0] ** 2 - centred[:, 1] ** 2).sum()) / 2
    turned = centred @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    rows = turned if size[0] >= size[1] else turned[:, ::-1]
    count = len(rows)
    values = (rows - rows.min(axis=0)) / np.maximum(np.ptp(rows, axis=0), 1e-9)
    ranks = np.empty_like(rows)
    for axis in (0, 1):
        ranks[np.lexsort((np.arange(count), values[:, axis].round(6))), axis] = (np.arange(count) + 0.5) / count
    share: Floats = (1 - _BY_RANK) * (0.1 + 0.8 * values) + _BY_RANK * ranks
    return share * size


def _divided(centres: Floats, shares: Floats, size: Floats) -> tuple[Floats, Floats, Floats]:
    """Return centres and weights of a power diagram with cells of the given shares of the frame, and a box round each.

    Each round moves a centre to the middle of its cell and corrects its weight (after Balzer, Schloemer and Deussen,
    SIGGRAPH 2009, with the points of a lattice).
    """
    step = float(size.max()) / _STEP
    points = _lattice(size, step)
    weights = np.zeros(len(centres))
    unit = size.prod() / len(centres)
    for turn in range(_DIVISIONS):
        owner = _powers(points, centres, weights).argmin(axis=1)
        counts = np.bincount(owner, minlength=len(centres))
        short = np.clip(np.log(shares * len(points) / np.maximum(counts, 0.5)), -1, 1)  # of its share
        weights += unit * (0.55 - 0.5 * turn / _DIVISIONS) * short
        weights -= weights.mean()
        middles = np.array([np.bincount(owner, points[:, axis], len(centres)) for axis in (0, 1)]).T
        held = counts > 0
        centres = centres.copy()
        centres[held] += 0.6 * (middles[held] / counts[held, None] - centres[held])
    boxes = np.stack([centres - 4 * step, centres + 4 * step], axis=1)
    np.minimum.at(boxes[:, 0], owner, points - 2 * step)
    np.maximum.at(boxes[:, 1], owner, points + 2 * step)
    return centres, weights, np.clip(boxes, 0, size)


def _lattice(size: Floats, gap: float) -> Floats:
    """Return the points of a lattice of triangles in the frame."""
    rows = np.arange(gap * 0.433, size[1], gap * 0.866)
    columns = np.arange(gap / 4, size[0] + gap / 2, gap)
    x = columns[None, :] + np.where(np.arange(len(rows)) % 2, -0.25, 0.25)[:, None] * gap
    points = np.stack([x, np.broadcast_to(rows[:, None], x.shape)], axis=2).reshape(-1, 2)
    inside: Floats = points[(points[:, 0] >= 0) & (points[:, 0] <= size[0])]
    return inside


def _powers(points: Floats, centres: Floats, weights: Floats) -> Floats:
    """Return the power distance of each point to each centre, less the part common to all centres of a point."""
    powers: Floats = (centres**2).sum(axis=1) - weights - 2 * points @ centres.T
    return powers


def _spots_of_cell(cells: Cells, number: int, count: int, name: int, gap: float) -> tuple[Floats, float]:
    """Return so many even spots of a cell and how far apart they are, about ``gap``.

    They keep away from the border to any other cell. Those nearest to the middle are taken, for a round rim,
    but for ``name`` spots at the top, where the name of the area has room.
    """
    gap *= _WIDEST
    for _ in range(60):
        points = _lattice_around(cells.centres[number], cells.boxes[number], gap)
        depth = _depths(points, number, cells)
        if np.count_nonzero(depth >= cells.margin * gap) >= count + name:
            break
        gap *= 0.97
    inside = points[depth >= min(cells.margin * gap, np.sort(depth)[-count])]
    order = np.lexsort((inside[:, 0], np.hypot(*(inside - inside.mean(axis=0)).T).round(3)))
    around = inside[order[: count + name]]
    top = np.array([around[:, 0].mean(), around[:, 1].min()])
    order = np.lexsort((around[:, 0], -np.hypot(*((around - top) * [0.5, 1.0]).T).round(3)))
    return around[order[:count]], gap


def _depths(points: Floats, number: int, cells: Cells) -> Floats:
    """Return how far inside a cell each point is: the distance to the border of the nearest other cell."""
    powers = _powers(points, cells.centres, cells.weights)
    apart = np.hypot(*(cells.centres - cells.centres[number]).T)
    apart[number] = 1.0
    depths = (powers - powers[:, [number]]) / (2 * np.maximum(apart, 1e-9))
    depths[:, number] = np.inf
    nearest: Floats = depths.min(axis=1)
    return nearest


def _lattice_around(centre: Floats, box: Floats, gap: float) -> Floats:
    """Return the points in a box of a lattice of triangles with one at a centre."""
    steps = np.ceil((box - centre) / [gap, 0.866 * gap]).astype(int)
    columns, rows = np.arange(steps[0, 0] - 1, steps[1, 0] + 1), np.arange(steps[0, 1], steps[1, 1] + 1)
    x = centre[0] + gap * (columns[None, :] + (rows % 2)[:, None] / 2)
    points = np.stack([x, np.broadcast_to(centre[1] + 0.866 * gap * rows[:, None], x.shape)], axis=2).reshape(-1, 2)
    inside: Floats = points[((points >= box[0]) & (points <= box[1])).all(axis=1)]
    return inside


def _matched(wishes: Floats, spots: Floats) -> Floats:
    """Return a spot for each wish: both are halved along the longer axis of the spots, again and again."""
    wished, spot_list = wishes.round(3).tolist(), spots.tolist()
    by_wish = [[(place[axis], place[1 - axis], one) for one, place in enumerate(wished)] for axis in (0, 1)]
    by_place = [[(place[axis], place[1 - axis]) for place in spot_list] for axis in (0, 1)]
    taken = np.empty_like(spots)
    halves = [(list(range(len(wished))), list(range(len(spot_list))))]
    while halves:
        wish_numbers, free = halves.pop()
        if len(wish_numbers) == 1:
            taken[wish_numbers[0]] = spots[free[0]]
            continue
        width, height = (max(values) - min(values) for values in zip(*(spot_list[one] for one in free), strict=True))
        axis = int(height > width)
        wish_numbers.sort(key=by_wish[axis].__getitem__)
        free.sort(key=by_place[axis].__getitem__)
        middle = len(wish_numbers) // 2
        halves += [(wish_numbers[:middle], free[:middle]), (wish_numbers[middle:], free[middle:])]
    return taken


def _wished_spots(area: Sequence[int], spots: Floats, ties: Ties, home: Ints, centres: Floats) -> Floats:
    """Return the spot that each node of an area wishes: near its relatives in the area, a little towards those outside.

    ``spots`` are the present spots; ``centres`` are those of the areas, ``home`` has the area of each node.
    """
    at = dict(zip(area, spots.tolist(), strict=True))
    wishes = []
    for node in area:
        x, y = at[node]
        total = 0.3  # its present spot counts, too
        x, y = 0.3 * x, 0.3 * y
        for other, bond in ties[node].items():
            pull = bond if other in at else _OUTER * bond
            to_x, to_y = at[other] if other in at else centres[home[other]]
            x, y, total = x + pull * to_x, y + pull * to_y, total + pull
        wishes.append((x / total, y / total))
    return np.array(wishes)


def _with_new_episodes(
    nodes: Sequence[str], areas: Sequence[Sequence[int]], ties: Ties, stood: Mapping[str, Point], frame: Frame
) -> Floats:
    """Return the position of each node: the earlier one (``stood``), or a free spot for a new episode.

    The spot is the nearest to the middle of its relatives in its area, else of its area.
    """
    size = np.array([frame.width, frame.height])
    gap = float(np.sqrt(size.prod() / (1.4 * len(nodes))))
    grid = _lattice(size, gap / 3)
    owners = {index: number for number, area in enumerate(areas) for index in area}
    placed = {index: np.array(stood[node]) for index, node in enumerate(nodes) if node in stood}
    room = np.full(len(grid), np.inf)  # of each point of the grid, to the nearest node
    for spot in placed.values():
        room = np.minimum(room, np.hypot(*((grid - spot) * [1.0, _TALLER]).T))
    for index in range(len(nodes)):
        if index in placed:
            continue
        in_area = [placed[other] for other in areas[owners[index]] if other in placed]
        relatives = [placed[other] for other in ties[index] if other in placed and owners[other] == owners[index]]
        outside = [placed[other] for other in ties[index] if other in placed]
        # Of the relatives in other areas the first one counts: the middle of all may be far from each.
        wish = np.mean(relatives or in_area or [*outside, size][:1], axis=0)
        free = grid[room >= min(0.8 * gap, room.max())]
        placed[index] = free[np.hypot(*(free - wish).T).argmin()]
        room = np.minimum(room, np.hypot(*((grid - placed[index]) * [1.0, _TALLER]).T))
    return np.array([placed[index] for index in range(len(nodes))])
