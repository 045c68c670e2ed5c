"""Where each node of the map stands: computed once, deterministic, and kept from build to build.

Most nodes are artifacts that one episode alone cites. They are set aside and put on arcs round their episode;
what is left, the core, is laid out by force (ForceAtlas2 with logarithmic attraction, as networkx has it),
overlaps are pushed apart, and the parts that hang together with nothing are packed in rows beneath.
Lengths are in pixels of the page at scale 1; y points down.
"""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin, sqrt
from typing import TYPE_CHECKING

import networkx

from .layout_discs import Crowd, Disc, middle, pack_rows, separate
from .layout_force import arrange

if TYPE_CHECKING:
    from collections.abc import Mapping

Point = tuple[float, float]

# Relations that are drawn as lines of the map. The others (in_repo, part_of, defined_in, ...) would tie
# everything to a few hubs; they are drawn when one of their ends is selected.
DRAWN = frozenset({"cites", "mentions", "about", "listen_first", "see_also", "related"})
_GAP = 5.0  # between the rims of two nodes
_STEM = 9.0  # from the rim of an episode to the rims of its first ring of leaves
_ARC = 1.5 * pi  # leaves turn their back on the other neighbours: this much of the circle is theirs


def radius(degree: int) -> float:
    """Return a node's radius for its number of drawn neighbours: its area grows with them.

    >>> [round(radius(degree), 1) for degree in (0, 1, 9, 25, 400)]
    [5.0, 5.0, 9.0, 13.0, 24.0]
    """
    return min(24.0, 3.0 + 2.0 * sqrt(max(degree, 1)))


def neighbours(graph: networkx.MultiDiGraph[str]) -> dict[str, dict[str, float]]:
    """Return the drawn neighbours of each node with the weight of their bond, both in the graph's order."""
    links: dict[str, dict[str, float]] = {node: {} for node in graph}
    for source, target, relation in graph.edges(keys=True):
        if relation in DRAWN and source != target:
            bond = links[source].get(target, 0.0) + (0.5 if relation == "related" else 1.0)
            links[source][target] = links[target][source] = bond
    return links


def place(graph: networkx.MultiDiGraph[str], previous: Mapping[str, Point] | None = None) -> dict[str, Point]:
    """Return the position of every node.

    ``previous`` holds positions of an earlier layout: the nodes found in it stay about where they were, and
    the new ones take their place among them. Nodes that are new in the main are a new layout.

    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_edge("episode:a", "topic:b", key="about")
    'about'
    >>> sorted(place(graph)) == ["episode:a", "topic:b"]
    True
    """
    links = neighbours(graph)
    hosts = hosts_of(links)
    leaves: dict[str, list[str]] = {}
    for leaf, host in hosts.items():
        leaves.setdefault(host, []).append(leaf)
    core = [node for node in links if node not in hosts]
    discs = {node: disc_radius(len(links[node]), len(leaves.get(node, ()))) for node in core}
    known = {node: previous[node] for node in core if node in previous} if previous else {}
    bonds = {node: {other: bond for other, bond in links[node].items() if other not in hosts} for node in core}
    if known and 2 * len(known) >= len(core):
        centres = _grown(core, bonds, discs, known)
    else:
        centres = _fresh(graph, core, bonds, discs)
    positions: dict[str, Point] = {}
    for node in graph:
        if node in centres:
            positions[node] = centres[node]
    for host, group in leaves.items():
        away = _away(centres[host], [centres[other] for other in bonds[host]])
        kinds = sorted(group, key=lambda leaf: (str(graph.nodes[leaf].get("kind", "")), leaf))
        positions.update(zip(kinds, arcs(centres[host], len(links[host]), len(kinds), away), strict=True))
    return {node: (round(positions[node][0], 1), round(positions[node][1], 1)) for node in graph}


def hosts_of(links: Mapping[str, Mapping[str, float]]) -> dict[str, str]:
    """Return leaf → host for the nodes with one neighbour; of two that have only each other, one hosts."""
    hosts: dict[str, str] = {}
    for node, others in links.items():
        if len(others) == 1:
            host = next(iter(others))
            if host not in hosts and (len(links[host]) > 1 or not node.startswith("episode:")):
                hosts[node] = host
    taken = set(hosts.values())
    return {leaf: host for leaf, host in hosts.items() if leaf not in taken}


def _rings(degree: int, count: int) -> list[tuple[float, int]]:
    """Return (distance from the centre, number of leaves) of each ring that ``count`` leaves need."""
    leaf = radius(1)
    distance = radius(degree) + _STEM + leaf
    rings = []
    while count > 0:
        room = max(3, int(_ARC * distance / (2 * leaf + _GAP)))
        rings.append((distance, min(room, count)))
        count -= room
        distance += 2 * leaf + _GAP
    return rings


def disc_radius(degree: int, leaves: int) -> float:
    """Return the radius of the room that a node of this degree takes with so many leaves round it."""
    rings = _rings(degree, leaves)
    return (rings[-1][0] + radius(1) if rings else radius(degree)) + _GAP


def arcs(centre: Point, degree: int, count: int, away: float | None) -> list[Point]:
    """Return places for ``count`` leaves round ``centre``: all round, or on the side ``away`` (an angle)."""
    places = []
    for distance, number in _rings(degree, count):
        step = (2 * radius(1) + _GAP) / distance
        wide = 2 * pi / max(number, 3) if away is None else min(1.6 * step, _ARC / number)
        step = max(step, wide)
        first = (away if away is not None else -pi / 2) - step * (number - 1) / 2
        for index in range(number):
            angle = first + step * index
            places.append((centre[0] + distance * cos(angle), centre[1] + distance * sin(angle)))
    return places


def _away(centre: Point, others: list[Point]) -> float | None:
    """Return the direction that turns away from the others, or ``None`` when there are none."""
    if not others:
        return None
    x = y = 0.0
    for other in others:
        distance = hypot(other[0] - centre[0], other[1] - centre[1]) or 1.0
        x += (centre[0] - other[0]) / distance
        y += (centre[1] - other[1]) / distance
    return atan2(y, x)


def _fresh(
    graph: networkx.MultiDiGraph[str],
    core: list[str],
    bonds: Mapping[str, Mapping[str, float]],
    discs: Mapping[str, float],
) -> dict[str, Point]:
    """Lay the core out from nothing: each connected part by itself, then the parts in rows."""
    simple: networkx.Graph[str] = networkx.Graph()
    simple.add_nodes_from(core)
    simple.add_weighted_edges_from((node, other, bond) for node in core for other, bond in bonds[node].items())
    rank = {node: index for index, node in enumerate(core)}
    parts = sorted(
        (sorted(part, key=rank.__getitem__) for part in networkx.connected_components(simple)),
        key=lambda part: (-len(part), rank[part[0]]),
    )
    groups: list[dict[str, Point]] = []
    for part in parts:
        if len(part) == 1:
            groups.append({part[0]: (0.0, 0.0)})
            continue
        groups.append(_level(arrange(simple.subgraph(part), part, discs)))
    order = [str(graph.nodes[part[0]].get("kind", "")) for part in parts]
    return pack_rows(groups, discs, order)


def _level(places: dict[str, Point]) -> dict[str, Point]:
    """Turn a part so that its longest axis lies level: screens and labels are wider than high."""
    middle_x, middle_y = middle(list(places.values()))
    xx = sum((x - middle_x) ** 2 for x, _ in places.values())
    yy = sum((y - middle_y) ** 2 for _, y in places.values())
    xy = sum((x - middle_x) * (y - middle_y) for x, y in places.values())
    turn = -atan2(2 * xy, xx - yy) / 2
    return {node: (x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)) for node, (x, y) in places.items()}


def _grown(
    core: list[str],
    bonds: Mapping[str, Mapping[str, float]],
    discs: Mapping[str, float],
    known: Mapping[str, Point],
) -> dict[str, Point]:
    """Put the new nodes of the core in the nearest gaps to their neighbours; what stands, stays."""
    centres = dict(known)
    crowd = Crowd((*centre, discs[node]) for node, centre in known.items())
    left, bottom = min(x for x, _ in known.values()), max(y for _, y in known.values())
    waiting = [node for node in core if node not in known]
    while waiting:
        ready = [node for node in waiting if any(other in centres for other in bonds[node])]
        for node in ready or waiting[:1]:
            near = [centres[other] for other in bonds[node] if other in centres]
            x, y = middle(near) if near else (left, bottom + 2 * discs[node])
            centres[node] = crowd.settle(x, y, discs[node])
        waiting = [node for node in waiting if node not in centres]
    moved = separate([Disc(*centres[node], discs[node]) for node in core], grow=False)
    return {node: (disc.x, disc.y) for node, disc in zip(core, moved, strict=True)}
