"""Where each node of the map stands: computed once, deterministic, and kept from build to build.

Most nodes are artifacts that one episode alone cites. They are set aside and put in a crown round their episode;
what is left, the core, is laid out by force (ForceAtlas2 with logarithmic attraction, as networkx has it),
overlaps are pushed apart, and the parts that hang together with nothing are packed in rows beneath. Nodes that no
text names (what the index adds: a symbol's file, a file's folder) find a gap near those they belong to. Lengths are
in pixels of the page at scale 1; y points down.
"""

from __future__ import annotations

from itertools import chain
from math import atan2, cos, sin, sqrt
from typing import TYPE_CHECKING

import networkx

from .force import arrange
from .overlaps import Crowd, Disc, middle, pack_rows, separate
from .rings import GAP, crown, facing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .rings import Crown

Point = tuple[float, float]
Links = dict[str, dict[str, float]]

# Relations that are drawn as lines of the map, with the pull of one edge. The others (in_repo, part_of, ...) would
# tie everything to a few hubs; they are drawn when one of their ends is selected.
PULL = {"cites": 1.0, "mentions": 1.0, "about": 1.0, "listen_first": 1.0, "see_also": 1.0, "related": 1.0}
PULL |= {"defined_in": 0.5, "documented_at": 0.5}
DRAWN = frozenset(PULL)
NAMING = frozenset({"cites", "mentions", "about", "listen_first", "see_also", "related"})  # said by a text, or of texts
_WIDE, _MOST_STRETCH = 1.0, 1.5  # how much wider than high a part may be, and how far it is drawn out
_HUBS = frozenset({"part_of", "in_repo"})  # a podcast or repository is everywhere, and so nowhere


def radius(degree: int) -> float:
    """Return a node's radius for its number of drawn neighbours: its area grows with them.

    >>> [round(radius(degree), 1) for degree in (0, 1, 9, 25, 400)]
    [5.0, 5.0, 9.0, 13.0, 24.0]
    """
    return min(24.0, 3.0 + 2.0 * sqrt(max(degree, 1)))


def neighbours(graph: networkx.MultiDiGraph[str]) -> Links:
    """Return the drawn neighbours of each node with the weight of their bond, both in the graph's order."""
    links: Links = {node: {} for node in graph}
    for source, target, relation in graph.edges(keys=True):
        if relation in DRAWN and source != target:
            links[source][target] = links[target][source] = links[source].get(target, 0.0) + PULL[relation]
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
    beside = unnamed(graph)
    ties = {node: {o: bond for o, bond in links[node].items() if o not in beside} for node in graph}
    children = hung(graph, ties)
    hanging = set(chain.from_iterable(children.values()))
    core = [node for node in graph if node not in hanging and node not in beside]
    bonds = {node: {o: bond for o, bond in ties[node].items() if o not in hanging} for node in core}
    crowns = crowns_of(core, links, children)
    discs = {node: crowns[node].radius for node in core}
    known = {node: previous[node] for node in core if node in previous} if previous else {}
    if known and 2 * len(known) >= len(core):
        positions = _grown(core, bonds, discs, known)
    else:
        positions = _fresh(graph, core, bonds, discs)
    for node in core:
        away = facing(positions[node], [positions[other] for other in bonds[node]])
        positions.update(crowns[node].around(positions[node], away))
    fill_gaps(positions, beside, links, previous or {})
    return {node: (round(positions[node][0], 1), round(positions[node][1], 1)) for node in graph}


def hung(graph: networkx.MultiDiGraph[str], links: Links) -> dict[str, list[str]]:
    """Return node → the nodes that hang on it alone, each sorted by kind and id.

    A node with one neighbour hangs on it. So does an artifact that has one more neighbour beside those hanging on
    itself. Of two nodes that have only each other, the artifact hangs on the topic, and that on the episode.
    """
    kinds = {node: str(graph.nodes[node].get("kind", "")) for node in graph}
    rank = {node: {"topic": 1, "episode": 2}.get(kinds[node], 0) for node in graph}
    free = {node: set(others) for node, others in links.items()}
    children: dict[str, list[str]] = {}
    waiting = [node for node in sorted(graph, key=rank.__getitem__) if len(free[node]) == 1]
    while waiting:
        touched: dict[str, None] = {}
        for node in waiting:
            if len(free[node]) != 1:
                continue
            (host,) = free[node]
            if rank[node] == rank[host] == 2:
                continue
            free[node] = set()
            free[host].discard(node)
            children.setdefault(host, []).append(node)
            touched[host] = None
        waiting = [node for node in touched if len(free[node]) == 1 and not rank[node]]
    return {host: sorted(group, key=lambda node: (kinds[node], node)) for host, group in children.items()}


def crowns_of(core: Sequence[str], links: Links, children: Mapping[str, Sequence[str]]) -> dict[str, Crown]:
    """Return the crown of each node of the core."""
    sizes = {node: radius(len(others)) for node, others in links.items()}
    return {node: crown(node, children, sizes, alone=len(links[node]) == len(children.get(node, ()))) for node in core}


def unnamed(graph: networkx.MultiDiGraph[str]) -> dict[str, list[str]]:
    """Return node → the nodes it belongs to, for the nodes that no text names but that belong somewhere.

    They are few or many as an index adds them, so they do not shape the map. A graph in which no text names
    anything is a map of all it has.
    """
    named = {node for u, v, relation in graph.edges(keys=True) if relation in NAMING for node in (u, v)}
    if not named:
        return {}
    found = {node: _around(graph, node) for node in graph if node not in named}
    return {node: near for node, near in found.items() if near}


def _around(graph: networkx.MultiDiGraph[str], node: str) -> list[str]:
    """Return the neighbours that say where a node belongs: those by drawn lines, else any."""
    around = list(
        chain(
            ((other, relation) for _, other, relation in graph.out_edges(node, keys=True)),
            ((other, relation) for other, _, relation in graph.in_edges(node, keys=True)),
        )
    )
    drawn = [other for other, relation in around if relation in DRAWN]
    near = drawn or [other for other, relation in around if relation not in _HUBS]
    return list(dict.fromkeys(other for other in near if other != node))


def fill_gaps(
    positions: dict[str, Point], beside: Mapping[str, Sequence[str]], links: Links, previous: Mapping[str, Point]
) -> None:
    """Give the nodes no text names the free places nearest to those they belong to, or to where they were."""
    if not beside:
        return
    crowd = Crowd((*place, radius(len(links[node])) + GAP / 2) for node, place in positions.items())
    waiting = list(beside)
    while waiting:
        ready = [node for node in waiting if any(other in positions for other in beside[node])]
        for node in ready or waiting[:1]:
            near = [positions[other] for other in beside[node] if other in positions] or [(0.0, 0.0)]
            x, y = previous.get(node) or middle(near)
            positions[node] = crowd.settle(x, y, radius(len(links[node])) + GAP / 2)
        waiting = [node for node in waiting if node not in positions]


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
    """Turn a part so that its longest axis lies level: screens and labels are wider than high.

    A part that is then wider than it needs to be is drawn out downwards, which crosses no more lines.
    """
    middle_x, middle_y = middle(list(places.values()))
    xx = sum((x - middle_x) ** 2 for x, _ in places.values())
    yy = sum((y - middle_y) ** 2 for _, y in places.values())
    xy = sum((x - middle_x) * (y - middle_y) for x, y in places.values())
    turn = -atan2(2 * xy, xx - yy) / 2
    turned = {node: (x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)) for node, (x, y) in places.items()}
    wide, high = (max(values) - min(values) for values in zip(*turned.values(), strict=True))
    stretch = min(max(wide / (_WIDE * high), 1.0), _MOST_STRETCH) if high else 1.0
    return {node: (x, y * stretch) for node, (x, y) in turned.items()}


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
