"""Where each episode stands in the start view: the episodes alone, laid out by how they are related, for a frame.

There are two frames, a wide one for a window and a tall one for a phone. Episodes lie as far apart as the way between
them by related edges is long (stress majorization: Gansner, Koren, North, Graph Drawing 2004); then each axis is
spread between where they lie and their order along it, so that the whole frame is used, and episodes that are too
close are pushed apart, more in height than in width, for a name stands beside each. Lengths are in pixels; a page
stretches the frame to its own. Of a graph without episodes, its posts are laid out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..kinds import kinds_of
from .overlaps import middle

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ..attributes import Graph

    Floats = NDArray[np.float64]

Point = tuple[float, float]


class Frame(NamedTuple):
    """A frame of the start view: its size in pixels, and the attributes that hold a node's place in it."""

    width: float
    height: float
    x: str
    y: str


FRAMES = (Frame(1000, 800, "x_wide", "y_wide"), Frame(390, 640, "x_tall", "y_tall"))
_STRONG = {"related": 1.0, "listen_first": 0.5, "see_also": 0.5}  # what ties two episodes, and how much weight 1 is
_MOST_EXACT = 400  # episodes; the ways between all pairs of more take too long
_ROUNDS = 200
_BY_RANK = 0.55  # how far a place is decided by the order along an axis rather than by where it lies
_GAP = 62.0  # pixels between two episodes, where the frame has room for it
_TALLER = 1.6  # how much more a pixel of height counts than one of width
_FILLED = 0.55  # share of the frame that the gaps of all may take


def start_view(
    graph: Graph, places: Mapping[str, Point], previous: Mapping[str, Mapping[str, float]] | None = None
) -> dict[str, dict[str, float]]:
    """Return the attributes of ``FRAMES`` for each episode (each text, in a graph without episodes).

    ``places`` are the positions of the whole map, which decide where too many episodes for a layout of their own lie.
    ``previous`` holds the attributes of an earlier view: where most are known these stand still, and the new ones take
    places beside their relatives.
    """
    nodes = _shown(graph)
    if not nodes:
        return {}
    known = {node: previous[node] for node in nodes if previous and node in previous}
    names = [name for frame in FRAMES for name in (frame.x, frame.y)]
    if len(known) == len(nodes) and all(name in at for at in known.values() for name in names):
        return {node: {name: round(known[node][name], 1) for name in names} for node in nodes}
    ties = _ties(graph, nodes)
    tied = [index for index, row in enumerate(ties) if row.any()] or list(range(len(nodes)))
    found: dict[str, dict[str, float]] = {node: {} for node in nodes}
    flat = None
    for frame in FRAMES:
        stood = {node: (at[frame.x], at[frame.y]) for node, at in known.items() if frame.x in at and frame.y in at}
        if 2 * len(stood) < len(nodes):
            if flat is None:
                flat = _level(_by_stress(ties[tied][:, tied]) if ties.size else _of_map(nodes, places))
            spots = _apart(_spread(flat, frame), frame)
            stood = dict(zip((nodes[index] for index in tied), zip(*spots.tolist(), strict=True), strict=True))
        for node, (x, y) in _grown(nodes, ties, stood, frame).items():
            found[node] |= {frame.x: round(x, 1), frame.y: round(y, 1)}
    return found


def _shown(graph: Graph) -> list[str]:
    """Return the episodes, else all texts."""
    kinds = kinds_of(graph.graph)
    texts = [node for node, kind in graph.nodes(data="kind") if kinds[str(kind)].text]
    return [node for node in texts if graph.nodes[node]["kind"] == "episode"] or texts


def _ties(graph: Graph, nodes: Sequence[str]) -> Floats:
    """Return how strongly each two are tied, from 0 to 1."""
    rank = {node: index for index, node in enumerate(nodes)}
    if len(nodes) > _MOST_EXACT:
        return np.zeros((0, 0))
    ties = np.zeros((len(nodes), len(nodes)))
    for node in nodes:
        for _, other, relation, attributes in graph.out_edges(node, keys=True, data=True):
            if other in rank and other != node and relation in _STRONG:
                bond = _STRONG[relation] * attributes.get("weight", 1.0)
                ties[rank[node], rank[other]] = max(ties[rank[node], rank[other]], bond)
    ties = np.maximum(ties, ties.T)
    strongest: float = ties.max(initial=1e-9)
    both: Floats = ties / strongest
    return both


def _by_stress(ties: Floats) -> Floats:
    """Return places, two rows, whose distances are as near to the lengths of the ways between them as can be."""
    count = len(ties)
    if count < 3:
        return np.array([np.arange(count, dtype=float), np.zeros(count)])
    lengths = np.where(ties > 0, 1.5 - np.sqrt(ties), np.inf)
    np.fill_diagonal(lengths, 0.0)
    for via in range(count):  # Floyd and Warshall
        np.minimum(lengths, lengths[:, via, None] + lengths[via], out=lengths)
    finite = lengths[np.isfinite(lengths)]
    lengths[np.isinf(lengths)] = 0.8 * max(finite.max(), 1.0)
    weights = np.divide(1.0, lengths**2, out=np.zeros_like(lengths), where=lengths > 0)
    inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    place = _scaled(lengths)
    for _ in range(_ROUNDS):  # each to where all others together want it
        distance = np.maximum(np.hypot(*(place[:, :, None] - place[:, None, :])), 1e-9)
        wanted = weights * lengths / distance
        place = (place * wanted.sum(axis=1) - place @ wanted) @ inverse
    return place


def _scaled(lengths: Floats) -> Floats:
    """Return a first guess, two rows: the two main axes of the distances (classical scaling: Torgerson 1952)."""
    squares = lengths**2
    means = squares.mean(axis=0)
    values, vectors = np.linalg.eigh((means + means[:, None] - squares - means.mean()) / 2)
    axes = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 1e-9))
    largest = axes[np.abs(axes).argmax(axis=0), [0, 1]]
    place: Floats = (axes * np.where(largest < 0, -1, 1)).T[::-1]
    turns = np.arange(len(lengths)) * 2.4  # two that are tied alike start apart
    return place.copy() + 1e-3 * np.array([np.cos(turns), np.sin(turns)])


def _of_map(nodes: Sequence[str], places: Mapping[str, Point]) -> Floats:
    return np.array([places[node] for node in nodes]).T


def _level(place: Floats) -> Floats:
    """Turn so that the longest axis is the first row."""
    centred = place - place.mean(axis=1, keepdims=True)
    xx, yy, xy = (centred[0] ** 2).sum(), (centred[1] ** 2).sum(), (centred[0] * centred[1]).sum()
    turn = -np.arctan2(2 * xy, xx - yy) / 2
    turned: Floats = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ centred
    return turned


def _spread(flat: Floats, frame: Frame) -> Floats:
    """Fill the frame: along each of its axes between the values and their ranks; its longer one gets the longer."""
    rows = flat if frame.width >= frame.height else flat[::-1]
    count = rows.shape[1]
    if count == 1:
        return np.array([[frame.width / 2], [frame.height / 2]])
    spots = np.empty_like(rows)
    for axis, size in enumerate((frame.width, frame.height)):
        values = rows[axis] - rows[axis].min()
        order = np.empty(count)
        order[np.lexsort((np.arange(count), values.round(6)))] = np.arange(count)
        spots[axis] = size * ((1 - _BY_RANK) * values / max(values.max(), 1e-9) + _BY_RANK * order / (count - 1))
    return spots


def _apart(spots: Floats, frame: Frame) -> Floats:
    """Push those that are too close apart, inside the frame."""
    count = spots.shape[1]
    if count > _MOST_EXACT:
        return spots
    gap = min(_GAP, (_FILLED * _TALLER * frame.width * frame.height / count) ** 0.5)
    scale = np.array([[1.0], [_TALLER]])
    size = np.array([[frame.width], [frame.height]])
    for _ in range(_ROUNDS):
        away = (spots[:, :, None] - spots[:, None, :]) * scale[:, :, None]
        distance = np.maximum(np.hypot(*away), 1e-6)
        np.fill_diagonal(distance, gap)
        short = np.maximum(gap - distance, 0.0)
        if short.max() < 1:
            break
        spots = spots + 0.5 * (away * (short / distance)).sum(axis=2) / scale
        spots = np.clip(spots, 0.0, size)
    return spots


def _grown(nodes: Sequence[str], ties: Floats, stood: Mapping[str, Point], frame: Frame) -> dict[str, Point]:
    """Keep what stood, and put each new one into the free spot of a grid that is nearest to its relatives.

    One without relatives goes to the free spot nearest to a corner, where it bends no line.
    """
    known = dict(stood)
    rank = {node: index for index, node in enumerate(nodes)}
    grid = [(x * frame.width / 40, y * frame.height / 40) for x in range(41) for y in range(41)]
    for node in nodes:
        if node in known:
            continue
        bonds = ties[rank[node]].tolist() if len(ties) else []
        near = [known[other] for other, bond in zip(nodes, bonds, strict=False) if bond and other in known]
        wish = middle(near) if near else (frame.width, frame.height)
        taken = np.array(list(known.values()))
        room = [np.hypot(taken[:, 0] - x, _TALLER * (taken[:, 1] - y)).min() for x, y in grid]
        wide = min(_GAP, max(room))
        free = [spot for spot, gap in zip(grid, room, strict=True) if gap >= wide]
        known[node] = min(free, key=lambda spot: (spot[0] - wish[0]) ** 2 + (spot[1] - wish[1]) ** 2)
    return known
