"""The question ``path``: how two nodes are connected, the most meaningful connection first.

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
from .resolve import resolve_episode, resolve_reference, suggest_name
from .view import Key, View, name_of

if TYPE_CHECKING:
    from ..store import Edge

Steps = Callable[[Key], dict[Key, int]]  # a node -> its neighbours, each with the cost of the cheapest step to it

# The cost of a step along each relation, before the size of its ends counts: an author's own reference costs least.
# The cost of a ``related`` edge is divided by its weight: few words in common are a last resort.
PATH_COSTS = {
    "listen_first": 600, "see_also": 700, "cites": 1000, "mentions": 1000, "about": 1000, "related": 720,
    "documented_at": 800, "defined_in": 800, "covers": 1400, "subtopic_of": 1600, "in_folder": 1800, "in_repo": 4000,
    "part_of": 6000, "": 2000,
}  # fmt: skip
_WEIGHT_DIGITS = 3  # decimal places of a weight: the page has no more
_HUB_COST = 175  # added to a step for each doubling of an end's edges: through a hub, everything is near everything


def compute_hub_cost(degree: int) -> int:
    """Return the cost of a node with ``degree`` edges. It is added to the cost of each step to the node and from it.

    >>> compute_hub_cost(1), compute_hub_cost(3), compute_hub_cost(100)
    (175, 350, 1165)
    """
    return int(_HUB_COST * math.log2(1 + degree))


def find_paths(view: View, first: str, last: str, k: int = 1) -> list[list[str]]:
    """Return up to ``k`` paths between the nodes ``first`` and ``last``, the most meaningful first; [] without any.

    A path is a list of node ids from ``first`` to ``last``. Meaningful are the relations that an author chose
    (``PATH_COSTS``), and nodes with few edges: the path with the lowest cost comes first. The cost of a step is that of
    its relation plus the hub costs of its ends; edges are walked in both directions. Of paths with the same cost, the
    one through nodes reached earlier is taken, then the one with the lesser ids.
    """
    start, end = view.key_of(first), view.key_of(last)
    if start is None or end is None or start == end:
        return []
    paths = islice(_find_cheapest_paths(_make_reader(view, {start, end}), start, end), k)
    return [[view.id_of(key) for key in path] for path in paths]


def _make_reader(view: View, ends: AbstractSet[Key]) -> Steps:
    """Return a function from a node to its neighbours, each with the cost of the cheapest step. It caches its results.

    A neighbour with one edge is left out, because no path leads through it, unless it is one of the two ``ends``.
    """

    @cache
    def read_steps(key: Key) -> dict[Key, int]:
        """Return the neighbours of a node, each with the cost of the cheapest step to it."""
        start_cost = compute_hub_cost(view.degree(key))
        costs: dict[Key, int] = {}
        for other, relation, weight, degree in view.list_neighbours(key):
            if other != key and (degree > 1 or other in ends):
                cost = start_cost + _compute_cost(relation, weight) + compute_hub_cost(degree)
                costs[other] = min(cost, costs.get(other, cost))
        return costs

    return read_steps


def _compute_cost(relation: str, weight: float | None) -> int:
    """Return the cost of a step along a relation, without hub costs.

    ``weight`` is the edge's, ``None`` without one; it divides the cost of a ``related`` edge. A weight of 0 counts as
    the least that the page can show.
    """
    cost = PATH_COSTS.get(relation, PATH_COSTS[""])
    if relation != "related" or weight is None:
        return cost
    return int(cost / max(round(weight, _WEIGHT_DIGITS), 10**-_WEIGHT_DIGITS))


def _find_cheapest_paths(read_steps: Steps, first: Key, last: Key) -> Iterator[list[Key]]:
    """Yield the paths without circles from ``first`` to ``last``, the cheapest first (Yen's algorithm).

    ``read_steps`` returns the neighbours of a node with the costs of the steps to them.
    """
    waiting: list[tuple[int, int, list[Key]]] = []  # a heap of (cost, number of nodes, path)
    paths: list[list[Key]] = []
    path = _find_cheapest_path(read_steps, first, last)
    while path:
        yield path
        paths.append(path)
        # Each node of the last path may be the one where the next path leaves it: there, the steps of all paths found
        # with the same beginning are barred.
        for at, spur in enumerate(path[:-1]):
            root = path[: at + 1]
            barred_steps = {(spur, earlier[at + 1]) for earlier in paths if earlier[: at + 1] == root}
            # The nodes before the spur are barred, so that the path has no circle.
            rest = _find_cheapest_path(_bar_steps(read_steps, root[:-1], barred_steps), spur, last)
            candidate = root[:-1] + rest
            if rest and all(candidate != other for *_, other in waiting):
                cost = sum(read_steps(start)[end] for start, end in pairwise(candidate))
                heappush(waiting, (cost, len(candidate), candidate))
        path = heappop(waiting)[2] if waiting else []


def _bar_steps(read_steps: Steps, keys: Sequence[Key], steps: AbstractSet[tuple[Key, Key]]) -> Steps:
    """Return a function like ``read_steps`` that leaves out the steps to some nodes, and some steps.

    ``keys`` are the nodes, ``steps`` the (node, node) to leave out, in either direction.
    """
    return lambda key: {
        other: cost
        for other, cost in read_steps(key).items()
        if other not in keys and (key, other) not in steps and (other, key) not in steps
    }


def _find_cheapest_path(read_steps: Steps, first: Key, last: Key) -> list[Key]:
    """Return the nodes of the cheapest path from ``first`` to ``last``, [] if no path connects the two.

    ``read_steps`` returns the neighbours of a node with the costs of the steps to them. A search from both ends finds
    the cost of the path. A search from the first node then finds the path itself: of several with this cost, always the
    same. It skips nodes from which the rest of the path would cost too much.
    """
    best, costs_to_last = _search_from_both_ends(read_steps, first, last)
    if best == math.inf:
        return []
    radius = max(costs_to_last.values(), default=0)  # all other nodes cost at least this much from `last`
    path_costs: dict[Key, int] = {first: 0}
    previous: dict[Key, Key] = {}
    heap = [(0, first)]
    while heap and heap[0][1] != last:
        cost, node = heappop(heap)
        for other, step in read_steps(node).items() if cost == path_costs[node] else ():
            total = cost + step
            if total < path_costs.get(other, math.inf) and total + costs_to_last.get(other, radius) <= best:
                path_costs[other], previous[other] = total, node
                heappush(heap, (total, other))
    path = [last]
    while path[-1] != first:
        path.append(previous[path[-1]])
    return path[::-1]


def _search_from_both_ends(read_steps: Steps, first: Key, last: Key) -> tuple[float, dict[Key, int]]:
    """Return the cost of the cheapest path from ``first`` to ``last``, and {node: its cost to ``last``} near ``last``.

    The cost is infinite if no path connects the two. ``read_steps`` returns the neighbours of a node with the costs of
    the steps to them. Two searches (Dijkstra's algorithm) go on from both ends, always the one with the cheaper next
    node, until they meet.
    """
    # Each pair has the values of the search from ``first`` and of the search from ``last``.
    costs: tuple[dict[Key, int], ...] = {first: 0}, {last: 0}
    done: tuple[dict[Key, int], ...] = {}, {}
    heaps: tuple[list[tuple[int, Key]], ...] = [(0, first)], [(0, last)]
    best = math.inf
    while heaps[0] and heaps[1] and heaps[0][0][0] + heaps[1][0][0] < best:  # the lowest costs, at the top of each heap
        side = heaps[1][0][0] < heaps[0][0][0]  # the search that goes on: 0 from ``first``, 1 from ``last``
        cost, node = heappop(heaps[side])
        if node in done[side]:
            continue
        done[side][node] = cost
        for other, step in read_steps(node).items():
            if cost + step < costs[side].get(other, math.inf):
                costs[side][other] = cost + step
                heappush(heaps[side], (cost + step, other))
                best = min(best, cost + step + costs[1 - side].get(other, math.inf))
    return best, done[1]


def _find_edge(source: str, target: str, view: View) -> Edge:
    """Return the cheapest edge between two nodes (ids), of either direction."""
    # The end with fewer edges is read: the other may be a hub with thousands.
    near, far = sorted((source, target), key=lambda id_: view.degree(view.key_of(id_) or 0))
    edges = [edge for edge in (*view.edges_from(near), *view.edges_to(near)) if far in (edge.source, edge.target)]
    # Of equally cheap ones, the first by its ends and relation (edge[:3]).
    return min(edges, key=lambda edge: (_compute_cost(edge.relation, edge.attributes.get("weight")), edge[:3]))


def _find_node(query: str, view: View) -> str:
    """Return the node id that a name (``query``) means: an episode by its title, else the first node of a reference.

    Raises ``NotFoundError`` for an unknown name.
    """
    try:
        return resolve_episode(query, view)
    except QueryError as error:
        if nodes := resolve_reference(query, view).nodes:
            return nodes[0]
        remedy = suggest_name(query, view) or "`podgraph search` finds by words"
        raise NotFoundError(f"nothing in the graph is called {query!r}", remedy=remedy) from error


def connect_nodes(view: View, a: str, b: str, *, n: int = 1) -> Answer:
    """Answer with up to ``n`` paths from node ``a`` to node ``b``, a row for each step.

    ``a`` and ``b`` are titles of episodes, or references (an id, an address, a name). A row has the relation, reasons
    and evidence of its edge. ``way`` is the number of the path, from 1. ``backwards`` is true where a step goes against
    the direction of its edge. Raises ``NotFoundError`` for an unknown name.
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
