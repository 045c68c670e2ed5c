"""The second arrangement of the map: time runs to the right, and each area of topics has a row."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import pairwise
from math import inf, pi, sqrt
from typing import TYPE_CHECKING

from .place import fill_gaps, leaves_of, neighbours, radius, unnamed
from .rings import rings_around

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..attributes import Graph
    from .place import Links
    from .rings import Rings

Point = tuple[float, float]
Row = tuple[str, float, float]
Ticks = tuple[tuple[str, float], ...]

_NO_AREA = "No area"
_SHARED = "Shared, and the rest"
_LEAST, _MOST = 3.0, 15.0  # days that two episodes in sequence stand apart, however near or far their dates
_LENGTH = 1.5  # of the axis at least, in sides of a square that the episodes would fill
_SHAPE = 0.6  # of the axis at least, in heights of the rows
_YEAR = 365.0
_MARGIN = 26.0
_CROWD = 40
_LOWEST = 54.0  # a row is high enough for its name
_COLUMN = 22.0
_UNDATED = -3 * _COLUMN  # the x of what has no date


@dataclass(frozen=True, slots=True)
class Timeline:
    """Positions of all nodes; rows as (name, top, bottom); ticks as (label, x), both in order."""

    positions: dict[str, Point]
    rows: tuple[Row, ...]
    ticks: Ticks


def timeline(graph: Graph) -> Timeline:
    """Return the timeline of a graph; without a dated episode it has no ticks, and what is undated stands left.

    What has a number but no date stands between its neighbours in number, if any of them has a date.
    Time is stretched where episodes are many and shortened where they are few; ticks say where a year begins.
    """
    links = neighbours(graph)
    sizes = {node: radius(len(others)) for node, others in links.items()}
    episodes = list(filter(partial(_is_item, graph), graph))
    rings = _rings(graph, links, sizes, episodes)
    rooms = {node: rings[node].radius for node in episodes}
    positions, rows, ticks = _laid_out(graph, links, episodes, rooms)
    for node in episodes:
        positions.update(rings[node].around(positions[node], pi / 2))
    top = rows[-1][2] if rows else 0.0
    beside = unnamed(graph)
    if rest := [node for node in graph if node not in positions and node not in beside]:
        bottom = _stack_rest(positions, rest, links, sizes, top + _MARGIN)
        rows.append((_SHARED, top, bottom + _MARGIN / 2))
    fill_gaps(positions, beside, links, {})
    rounded = {node: (round(positions[node][0], 1), round(positions[node][1], 1)) for node in graph}
    return Timeline(rounded, tuple(rows), ticks)


def _is_item(graph: Graph, node: str) -> bool:
    """Tell whether a node is an episode or a post: these are dated, and cite or are about a topic."""
    if graph.nodes[node].get("kind") == "episode":
        return True
    return bool(graph.nodes[node].get("date")) and any(
        key in ("cites", "mentions", "about") for _, _, key in graph.out_edges(node, keys=True)
    )


def _rings(graph: Graph, links: Links, sizes: Mapping[str, float], episodes: Sequence[str]) -> dict[str, Rings]:
    """Return the rings round each episode and post: what hangs on it, but other such and topics."""
    others = {*episodes, *(node for node in graph if graph.nodes[node].get("kind") == "topic")}
    leaves = {host: [node for node in group if node not in others] for host, group in leaves_of(graph, links).items()}
    return {node: rings_around(node, leaves, sizes, alone=False) for node in episodes}


def _laid_out(
    graph: Graph, links: Links, episodes: Sequence[str], rooms: Mapping[str, float]
) -> tuple[dict[str, Point], list[Row], Ticks]:
    """Return the places of episodes and topics, the rows and the ticks."""
    topics = (node for node in graph if graph.nodes[node].get("kind") == "topic")
    topics_by_size = sorted(topics, key=lambda node: (-len(links[node]), node))
    days, areas = _days(graph, episodes), _areas(graph)
    length = _LENGTH * sqrt(sum(room**2 for room in rooms.values()))
    across, ticks = _time_axis(days, length)
    positions, rows = _in_rows(areas, episodes, topics_by_size, across, rooms)
    if rows and (longer := _SHAPE * rows[-1][2]) > length:  # as high as the rows are, the axis may be longer
        across, ticks = _time_axis(days, longer)
        positions, rows = _in_rows(areas, episodes, topics_by_size, across, rooms)
    return positions, rows, ticks


def _in_rows(
    areas: Mapping[str, str],
    episodes: Sequence[str],
    topics: Sequence[str],
    across: Mapping[str, float],
    sizes: Mapping[str, float],
) -> tuple[dict[str, Point], list[Row]]:
    """Return places of the episodes at their x and of the topics left of them, and the rows they make."""
    positions: dict[str, Point] = {}
    rows: list[Row] = []
    top = 0.0
    for name in sorted({areas[node] for node in episodes}, key=lambda name: (name == _NO_AREA, name)):
        members = {node: across[node] for node in episodes if areas[node] == name}
        bottom = _stack(positions, members, sizes, top + _MARGIN)
        bottom = max(bottom, _column(positions, [node for node in topics if areas[node] == name], top + _MARGIN))
        bottom = max(bottom + _MARGIN / 2, top + _LOWEST)
        rows.append((name, top, bottom))
        top = bottom
    if len(rows) == 1:
        rows = [("Episodes", *rows[0][1:])]
    return positions, rows


def _day(value: object) -> int | None:
    try:
        return date.fromisoformat(str(value)[:10]).toordinal()
    except ValueError:
        return None


def _days(graph: Graph, episodes: Sequence[str]) -> dict[str, float | None]:
    """Return the day of each episode, counted as ``date.toordinal`` does; by its number where it has no date.

    Numbers count within a podcast and a season. Before the first date and after the last a number is a day, up to a
    year.
    """
    days: dict[str, float | None] = {node: _day(graph.nodes[node].get("date")) for node in episodes}
    numbered: dict[tuple[str, str], dict[str, float]] = {}
    for node in episodes:
        data = graph.nodes[node]
        if isinstance(number := data.get("number"), int | float):
            numbered.setdefault((str(data.get("podcast")), str(data.get("season"))), {})[node] = number
    for numbers in numbered.values():
        known = sorted((number, day) for node, number in numbers.items() if (day := days[node]) is not None)
        if known:
            days |= {node: _between(known, number) for node, number in numbers.items() if days[node] is None}
    return days


def _between(known: Sequence[tuple[float, float]], number: float) -> float:
    """Return the day of a number among (number, day) in order, as if time ran evenly between two of them."""
    place = bisect(known, (number, inf))
    if place in (0, len(known)):
        at, day = known[min(place, len(known) - 1)]
        return min(max(day + min(max(number - at, -_YEAR), _YEAR), 1.0), float(date.max.toordinal()))
    (before, start), (after, end) = known[place - 1], known[place]
    return start + (end - start) * (number - before) / (after - before) if after > before else start


def _time_axis(days: Mapping[str, float | None], length: float) -> tuple[dict[str, float], Ticks]:
    """Return the x of each episode, and the x at which each year begins; the undated stand at the left."""
    dated = sorted((day, node) for node, day in days.items() if day is not None)
    steps = [min(max(day - last, _LEAST), _MOST) for (last, _), (day, _) in pairwise(dated)]
    stretch = length / (sum(steps) or 1.0)
    across: dict[str, float] = {}
    ticks: list[tuple[str, float]] = []
    x = 0.0
    last_year = 0
    for (day, node), step in zip(dated, [0.0, *steps], strict=False):
        year = date.fromordinal(int(day)).year
        if year != last_year:
            ticks.append((str(year), x + stretch * step / 2))
        x += stretch * step
        across[node] = x
        last_year = year
    if len(across) < len(days):
        ticks.insert(0, ("undated", _UNDATED - 0.5 * _COLUMN))
    return {node: across.get(node, _UNDATED) for node in days}, tuple(ticks)


def _areas(graph: Graph) -> dict[str, str]:
    """Return each topic's area, and for an episode the area that most of its topics are in."""
    own = {node: data.get("area", "") for node, data in graph.nodes(data=True)}
    counts: dict[str, dict[str, int]] = {}
    for episode, topic, relation in graph.edges(keys=True):
        if relation == "about" and own[topic]:
            tally = counts.setdefault(episode, {})
            tally[own[topic]] = tally.get(own[topic], 0) + 1
    most = {episode: min(tally, key=lambda name: (-tally[name], name)) for episode, tally in counts.items()}
    return {node: most.get(node) or own[node] or _NO_AREA for node in graph}


def _stack(positions: dict[str, Point], across: Mapping[str, float], sizes: Mapping[str, float], top: float) -> float:
    """Put discs at their x and as high as there is room beneath ``top``; return the lowest rim."""
    placed: list[tuple[float, float, float]] = []
    for node in sorted(across, key=lambda node: (across[node], node)):
        x, size = across[node], sizes[node]
        y = _highest(x, size, [disc for disc in placed[-400:] if abs(disc[0] - x) < disc[2] + size], top)
        placed.append((x, y, size))
        positions[node] = (x, y)
    return max((y + size for _, y, size in placed), default=top)


def _stack_rest(
    positions: dict[str, Point], nodes: Sequence[str], links: Links, sizes: Mapping[str, float], top: float
) -> float:
    """Put what is left near the x of its neighbours; return the lowest rim."""
    return _stack(positions, _wishes(nodes, positions, links), {node: sizes[node] + 4 for node in nodes}, top)


def _highest(x: float, size: float, near: Sequence[tuple[float, float, float]], top: float) -> float:
    """Return the least y beneath ``top`` at which a disc at ``x`` overlaps none of those near."""
    if len(near) > _CROWD:  # looking for a gap among so many takes longer than the gap is worth
        return max(py + pr for _, py, pr in near) + size
    touching = (py + sqrt(max((pr + size) ** 2 - (px - x) ** 2, 0.0)) for px, py, pr in near)
    return next(
        y
        for y in sorted({top + size, *touching})
        if y >= top + size - 1e-9
        and all((px - x) ** 2 + (py - y) ** 2 >= (pr + size) ** 2 - 1e-6 for px, py, pr in near)
    )


def _column(positions: dict[str, Point], topics: Sequence[str], top: float) -> float:
    """Put the topics of a row in columns left of the first episode; return the lowest rim."""
    height = max(2, round(sqrt(len(topics) * 0.6)))
    for index, node in enumerate(topics):
        column, line = divmod(index, height)
        positions[node] = (_UNDATED - (2 + column) * _COLUMN, top + 6 + line * _COLUMN)
    return top + 6 + min(height, len(topics)) * _COLUMN


def _wishes(
    nodes: Sequence[str], positions: Mapping[str, Point], links: Mapping[str, Iterable[str]]
) -> dict[str, float]:
    """Return the x each node would have: the mean of its neighbours'; those that have none stand at the left."""
    across = {node: x for node, (x, _) in positions.items()}
    wishes: dict[str, float] = {}
    waiting = list(nodes)
    while waiting:
        ready = {}
        for index, node in enumerate(waiting):
            if xs := [across[other] for other in links[node] if other in across]:
                ready[node] = sum(xs) / len(xs) + 12 * (index % 7 - 3)
        ready = ready or {node: _UNDATED - _COLUMN * (2 + index % 8 / 2) for index, node in enumerate(waiting)}
        wishes |= ready
        across |= ready
        waiting = [node for node in waiting if node not in wishes]
    return wishes
