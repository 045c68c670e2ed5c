"""Positions of all nodes on the map: computed once, deterministic, and kept from build to build.

Most nodes are artifacts cited by a single episode. They are set aside and put on rings round their episode. The rest,
the core, is laid out by force (ForceAtlas2 with logarithmic attraction, as in networkx). Then overlaps are removed, and
parts without a connection to the largest one are packed in rows beneath it. Nodes from the index and not from
a text (a symbol's file, a file's folder) go into a gap near their neighbours. Lengths are in pixels of the page at
scale 1; y points down.
"""

from __future__ import annotations

from itertools import chain
from math import atan2, cos, sin, sqrt
from typing import TYPE_CHECKING

from .force import arrange
from .overlaps import Disc, FreeSpots, middle, pack_rows, separate
from .rings import GAP, facing, rings_around

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from ..attributes import Graph
    from .rings import Rings

Point = tuple[float, float]
Links = dict[str, dict[str, float]]

# Relations drawn as lines of the map, with the pull of one edge. The others (in_repo, part_of, ...) would
# tie everything to a few hubs; they are drawn when one of their ends is selected.
PULL = {"cites": 1.0, "mentions": 1.0, "about": 1.0, "listen_first": 1.0, "see_also": 1.0, "related": 1.0}
PULL |= {"defined_in": 0.5, "documented_at": 0.5}
DRAWN = frozenset(PULL)
NAMING = frozenset({"cites", "mentions", "about", "listen_first", "see_also", "related"})  # mentions and ties
_WIDE, _MOST_STRETCH = 1.0, 1.5  # how much wider than high a part may be, and how far it is drawn out
_LARGE = 600  # nodes of the core; of more the map is not seen closely
_RANKS = {"topic": 1, "episode": 2}  # a node is placed at one of higher rank
_HUBS = frozenset({"part_of", "in_repo"})  # a podcast or repository is everywhere, and so nowhere


def radius(degree: int) -> float:
    """Return a node's radius for its number of drawn neighbours: its area grows with them.

    >>> [round(radius(degree), 1) for degree in (0, 1, 9, 25, 400)]
    [5.0, 5.0, 9.0, 13.0, 24.0]
    """
    return min(24.0, 3.0 + 2.0 * sqrt(max(degree, 1)))


def neighbours(graph: Graph) -> Links:
    """Return the drawn neighbours of each node with the weight of their bond, both in the graph's order.

    Boilerplate is not drawn: it would tie all episodes of a show to its handles.
    """
    links: Links = {node: {} for node in graph}
    for source, target, relation, data in graph.edges(keys=True, data=True):
        if relation in DRAWN and source != target and not data.get("boilerplate"):
            links[source][target] = links[target][source] = links[source].get(target, 0.0) + PULL[relation]
    return links


def place(graph: Graph, previous: Mapping[str, Point] | None = None) -> dict[str, Point]:
    """Return the position of every node.

    ``previous`` holds positions of an earlier layout: the nodes found in it stay about where they were, and
    the new ones take their place among them. With mostly new nodes, the layout is new.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_edge("episode:a", "topic:b", key="about")
    'about'
    >>> sorted(place(graph)) == ["episode:a", "topic:b"]
    True
    """
    links = neighbours(graph)
    nameless = unnamed(graph)
    leaves = leaves_of(graph, _without(links, links, nameless) if nameless else links)
    hanging = set(chain.from_iterable(leaves.values()))
    core = [node for node in graph if node not in hanging and node not in nameless]
    bonds = _without(links, core, hanging.union(nameless))
    # Each node of the core has its leaves on rings around it, on the side away from its neighbours.
    rings = _rings(core, links, leaves)
    positions = _laid_out(graph, core, bonds, {node: rings[node].radius for node in core}, previous or {})
    for node in core:
        away = facing(positions[node], [positions[other] for other in bonds[node]])
        positions.update(rings[node].around(positions[node], away))
    fill_gaps(positions, nameless, links, previous or {})
    return {node: (round(positions[node][0], 1), round(positions[node][1], 1)) for node in graph}


def _without(links: Links, nodes: Iterable[str], others: Container[str]) -> Links:
    """Return the links of some nodes to all but some others."""
    return {node: {o: bond for o, bond in links[node].items() if o not in others} for node in nodes}


def leaves_of(graph: Graph, links: Links) -> dict[str, list[str]]:
    """Return node → its dependants, each sorted by kind and id: nodes placed on a ring round it.

    A node with one neighbour depends on it. So does an artifact with one neighbour beside its own dependants. Of two
    nodes connected only with each other, the artifact depends on the topic, and the topic on the episode.
    """
    kinds = {node: graph.nodes[node].get("kind", "") for node in graph}
    free = {node: set(others) for node, others in links.items()}
    leaves: dict[str, list[str]] = {}
    waiting = [node for node in sorted(graph, key=lambda node: _RANKS.get(kinds[node], 0)) if len(free[node]) == 1]
    while waiting:
        hosts = _hang(waiting, free, kinds, leaves)
        waiting = [node for node in hosts if len(free[node]) == 1 and kinds[node] not in _RANKS]
    return {host: sorted(group, key=lambda node: (kinds[node], node)) for host, group in leaves.items()}


def _hang(
    nodes: Iterable[str], free: dict[str, set[str]], kinds: Mapping[str, str], leaves: dict[str, list[str]]
) -> Iterable[str]:
    """Hang those of the nodes with one neighbour left on it, and return these."""
    hosts: dict[str, None] = {}
    for node in nodes:
        if len(free[node]) == 1:
            (host,) = free[node]
            if not kinds[node] == kinds[host] == "episode":
                free[node] = set()
                free[host].discard(node)
                leaves.setdefault(host, []).append(node)
                hosts[host] = None
    return hosts


def _rings(core: Sequence[str], links: Links, leaves: Mapping[str, Sequence[str]]) -> dict[str, Rings]:
    """Return the rings of leaves round each node of the core."""
    sizes = {node: radius(len(others)) for node, others in links.items()}
    return {
        node: rings_around(node, leaves, sizes, alone=len(links[node]) == len(leaves.get(node, ()))) for node in core
    }


def unnamed(graph: Graph) -> dict[str, list[str]]:
    """Return node → the nodes it belongs to, for nodes without a mention outside boilerplate.

    An index may add few or many of them, so they must not shape the map. In a graph without any mention, all nodes
    shape the map, and the result is empty.
    """
    named = {
        node
        for u, v, relation, data in graph.edges(keys=True, data=True)
        if relation in NAMING and not data.get("boilerplate")
        for node in (u, v)
    }
    if not named:
        return {}
    found = {node: _neighbours_to_join(graph, node) for node in graph if node not in named}
    return {node: near for node, near in found.items() if near}


def _neighbours_to_join(graph: Graph, node: str) -> list[str]:
    """Return the neighbours to place a node near: those by drawn lines, else any."""
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
    positions: dict[str, Point], nameless: Mapping[str, Sequence[str]], links: Links, previous: Mapping[str, Point]
) -> None:
    """Give the nodes no text names the free places nearest to those they belong to, or to where they were."""
    if nameless:
        rooms = {node: radius(len(others)) + GAP / 2 for node, others in links.items()}
        spots = FreeSpots((*place, rooms[node]) for node, place in positions.items())
        _join(positions, nameless, spots, rooms, lambda node, near: previous.get(node) or near or (0.0, 0.0))


def _join(
    positions: dict[str, Point],
    newcomers: Mapping[str, Iterable[str]],
    spots: FreeSpots,
    rooms: Mapping[str, float],
    wish: Callable[[str, Point | None], Point],
) -> None:
    """Give newcomers, those with placed neighbours first, the free spots nearest to where they wish to be.

    ``newcomers`` are node → its neighbours, ``rooms`` the radius each takes; ``wish`` is given a node and the middle of
    its neighbours, if any of them has a place.
    """
    waiting = list(newcomers)
    while waiting:
        ready = [node for node in waiting if _placed(newcomers[node], positions)]
        for node in ready or waiting[:1]:
            near = _placed(newcomers[node], positions)
            positions[node] = spots.take(*wish(node, middle(near) if near else None), rooms[node])
        waiting = [node for node in waiting if node not in positions]


def _placed(nodes: Iterable[str], positions: Mapping[str, Point]) -> list[Point]:
    return [positions[node] for node in nodes if node in positions]


def _laid_out(
    graph: Graph, core: list[str], bonds: Links, discs: Mapping[str, float], previous: Mapping[str, Point]
) -> dict[str, Point]:
    """Return the positions of the core: earlier ones with new nodes added, or all new where most nodes are new."""
    known = {node: previous[node] for node in core if node in previous}
    if known and 2 * len(known) >= len(core):
        return _with_new_nodes(core, bonds, discs, known)
    return _all_new(graph, core, bonds, discs)


def _all_new(
    graph: Graph, core: list[str], bonds: Mapping[str, Mapping[str, float]], discs: Mapping[str, float]
) -> dict[str, Point]:
    """Lay the core out without earlier positions: each connected part by itself, then the parts in rows."""
    rank = {node: index for index, node in enumerate(core)}
    parts = sorted(
        (sorted(part, key=rank.__getitem__) for part in _parts(core, bonds)),
        key=lambda part: (-len(part), rank[part[0]]),
    )
    tied = [part for part in parts if len(part) > 1]  # the first ones
    groups = [*map(_level, arrange(bonds, tied, discs, roughly=len(core) > _LARGE))]
    groups += [{part[0]: (0.0, 0.0)} for part in parts[len(tied) :]]
    order = [graph.nodes[part[0]].get("kind", "") for part in parts]
    return pack_rows(groups, discs, order)


def _parts(core: Sequence[str], bonds: Mapping[str, Iterable[str]]) -> Iterator[list[str]]:
    """Yield the connected parts, each with its nodes."""
    seen: set[str] = set()
    for first in core:
        part = [] if first in seen else [first]
        for node in part:  # it grows on the way
            seen.add(node)
            part += dict.fromkeys(other for other in bonds[node] if other not in seen)
            seen.update(bonds[node])
        if part:
            yield part


def _level(places: dict[str, Point]) -> dict[str, Point]:
    """Turn a part to make its longest axis horizontal, as screens and labels are wider than high.

    A part then too wide is stretched downwards. This adds no crossings.
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


def _with_new_nodes(
    core: list[str], bonds: Mapping[str, Mapping[str, float]], discs: Mapping[str, float], placed: Mapping[str, Point]
) -> dict[str, Point]:
    """Put the new nodes of the core in the nearest gaps to their neighbours.

    Known nodes keep their places, but for small moves apart where discs overlap. A new node without neighbours goes
    below the map, at the left (y grows downwards).
    """
    centres = dict(placed)
    spots = FreeSpots((*centre, discs[node]) for node, centre in placed.items())
    left, bottom = min(x for x, _ in placed.values()), max(y for _, y in placed.values())
    newcomers = {node: bonds[node] for node in core if node not in placed}
    _join(centres, newcomers, spots, discs, lambda node, near: near or (left, bottom + 2 * discs[node]))
    moved = separate([Disc(*centres[node], discs[node]) for node in core], grow=False)
    return {node: (disc.x, disc.y) for node, disc in zip(core, moved, strict=True)}
