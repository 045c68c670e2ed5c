"""The connections between two nodes, the most meaningful first.

The page's ``walk.js`` has the same rule; costs are integers, so both find the same path.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from heapq import heappop, heappush
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from podgraph.extractors import NotFoundError, QueryError

from .answer import Answer, Row
from .resolve import name_like, resolve_episode, resolve_reference
from .view import Key, View, name_of

if TYPE_CHECKING:
    from ..store import Edge

Near = Callable[[Key], dict[Key, int]]  # a node -> its neighbours, each with the cost of the cheapest step

# The cost of a step along each relation, before the size of its ends counts: an author's own reference costs least.
# The cost of a ``related`` edge is divided by its weight: few words in common are a last resort.
PATH_COSTS = {
    "listen_first": 600, "see_also": 700, "cites": 1000, "mentions": 1000, "about": 1000, "related": 720,
    "documented_at": 800, "defined_in": 800, "covers": 1400, "subtopic_of": 1600, "in_folder": 1800, "in_repo": 4000,
    "part_of": 6000, "": 2000,
}  # fmt: skip
_DIGITS = 3  # of a weight: so many are on the page
_HUB = 175  # added to a step for each doubling of an end's edges: through a hub, everything is near everything


def hub_cost(degree: int) -> int:
    """Return the cost of a node with so many edges, added to each step to it and from it.

    >>> hub_cost(1), hub_cost(3), hub_cost(100)
    (175, 350, 1165)
    """
    return int(_HUB * math.log2(1 + degree))


def find_paths(view: View, first: str, last: str, k: int = 1) -> list[list[str]]:
    """Return up to ``k`` paths, as ids, between two nodes, the most meaningful first; none when nothing connects them.

    The cost of a step is its relation's plus the hub costs of its ends; edges are walked both ways. Of paths
    with the same cost, the one through nodes reached earlier, and then with the lesser ids, is taken.
    """
    start, end = view.key_of(first), view.key_of(last)
    if start is None or end is None or start == end:
        return []
    paths = islice(_find_keys(_read_steps(view, {start, end}), start, end), k)
    return [[view.id_of(key) for key in path] for path in paths]


def _read_steps(view: View, ends: AbstractSet[Key]) -> Near:
    """Return a function from a node to its neighbours, each with the cost of the cheapest step; each is read once.

    Nodes with one edge are left out, because no path leads through them, unless they are among the ``ends``.
    """

    @cache
    def near(key: Key) -> dict[Key, int]:
        start_cost = hub_cost(view.degree(key))
        costs: dict[Key, int] = {}
        for other, relation, weight, degree in view.ties(key):
            if other != key and (degree > 1 or other in ends):
                cost = start_cost + _cost(relation, weight) + hub_cost(degree)
                costs[other] = min(cost, costs.get(other, cost))
        return costs

    return near


def _cost(relation: str, weight: float | None) -> int:
    """Return the cost of a step along a relation. For ``related``, the weight of the edge divides it."""
    cost = PATH_COSTS.get(relation, PATH_COSTS[""])
    if relation != "related" or weight is None:
        return cost
    return int(cost / max(round(weight, _DIGITS), 10**-_DIGITS))


def _find_keys(near: Near, first: Key, last: Key) -> Iterator[list[Key]]:
    """Yield the paths without circles from one node to another, the cheapest first (Yen's algorithm)."""
    waiting: list[tuple[int, int, list[Key]]] = []
    paths: list[list[Key]] = []
    path = _find_cheapest(near, first, last)
    while path:
        yield path
        paths.append(path)
        # Each node of the last path may be the one where the next path leaves it: there, the steps of all paths found
        # with the same beginning are barred.
        for at, spur in enumerate(path[:-1]):
            root = path[: at + 1]
            barred_steps = {(spur, one[at + 1]) for one in paths if one[: at + 1] == root}
            rest = _find_cheapest(_without(near, root[:-1], barred_steps), spur, last)
            candidate = root[:-1] + rest
            if rest and all(candidate != other for *_, other in waiting):
                cost = sum(near(one)[two] for one, two in pairwise(candidate))
                heappush(waiting, (cost, len(candidate), candidate))
        path = heappop(waiting)[2] if waiting else []


def _without(near: Near, keys: Sequence[Key], steps: AbstractSet[tuple[Key, Key]]) -> Near:
    """Return the steps of ``near`` but those to some nodes, and some steps in either direction."""
    return lambda key: {
        other: cost
        for other, cost in near(key).items()
        if other not in keys and (key, other) not in steps and (other, key) not in steps
    }


def _find_cheapest(near: Near, first: Key, last: Key) -> list[Key]:
    """Return the nodes of the cheapest path, an empty list if no path connects the two.

    A search from both ends (Dijkstra's algorithm) finds the cost of the path. A search from the first node then finds
    the path itself, and skips nodes from which the rest would cost too much.
    """
    costs: tuple[dict[Key, int], ...] = {first: 0}, {last: 0}
    done: tuple[dict[Key, int], ...] = {}, {}
    heaps: tuple[list[tuple[int, Key]], ...] = [(0, first)], [(0, last)]
    best = math.inf
    while heaps[0] and heaps[1] and heaps[0][0][0] + heaps[1][0][0] < best:
        side = heaps[1][0][0] < heaps[0][0][0]
        cost, node = heappop(heaps[side])
        if node in done[side]:
            continue
        done[side][node] = cost
        for other, step in near(node).items():
            if cost + step < costs[side].get(other, math.inf):
                costs[side][other] = cost + step
                heappush(heaps[side], (cost + step, other))
                best = min(best, cost + step + costs[1 - side].get(other, math.inf))
    if best == math.inf:
        return []
    radius = max(done[1].values(), default=0)
    path_costs: dict[Key, int] = {first: 0}
    previous: dict[Key, Key] = {}
    heap = [(0, first)]
    while heap and heap[0][1] != last:
        cost, node = heappop(heap)
        for other, step in near(node).items() if cost == path_costs[node] else ():
            total = cost + step
            if total < path_costs.get(other, math.inf) and total + done[1].get(other, radius) <= best:
                path_costs[other], previous[other] = total, node
                heappush(heap, (total, other))
    path = [last]
    while path[-1] != first:
        path.append(previous[path[-1]])
    return path[::-1]


def _find_edge(source: str, target: str, view: View) -> Edge:
    """Return the cheapest edge between two nodes, of either direction."""
    # The end with fewer edges is read: the other may be a hub with thousands.
    one, other = sorted((source, target), key=lambda id_: view.degree(view.key_of(id_) or 0))
    edges = [edge for edge in (*view.edges_from(one), *view.edges_to(one)) if other in edge[:2]]
    return min(edges, key=lambda edge: (_cost(edge.relation, edge.attributes.get("weight")), edge[:3]))


def _find_node(query: str, view: View) -> str:
    """Return the single node of a name: an episode by its title, else the node of a reference."""
    try:
        return resolve_episode(query, view)
    except QueryError as error:
        if nodes := resolve_reference(query, view).nodes:
            return nodes[0]
        remedy = name_like(query, view) or "`podgraph search` finds by words"
        raise NotFoundError(f"nothing in the graph is called {query!r}", remedy=remedy) from error


def connect_nodes(view: View, a: str, b: str, *, n: int = 1) -> Answer:
    """Answer with up to ``n`` ways from one node to another, a row for each step: its relation, reasons and evidence.

    A name is that of an episode, else a reference. ``backwards`` is true where a step goes against its edge. Raises
    ``NotFoundError`` for an unknown name.
    """
    first, last = _find_node(a, view), _find_node(b, view)
    rows = []
    for way, ids in enumerate(find_paths(view, first, last, n), 1):
        for source, target in pairwise(ids):
            edge = _find_edge(source, target, view)
            ends = {"source": source, "source_title": name_of(source, view), "target": target, "id": target}
            values = {**ends, "title": name_of(target, view), "relation": edge.relation}
            rows.append(Row(edge.attributes, way=way, backwards=edge.source != source, **values))
    heading = f"{name_of(first, view)}:" if rows else ""
    notes = () if rows else (f"nothing connects {a!r} and {b!r}",)
    columns = ("way", "source_title", "relation", "title", "evidence")
    return Answer("path", f"{a} {b}", columns, tuple(rows), len(rows), heading, first, notes)
