"""A part of the graph: some kinds, some relations, some years, or the surroundings of one node."""

from __future__ import annotations

from collections import deque
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from podgraph.extractors import QueryError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from collections.abc import Set as AbstractSet

    import networkx

_SAID = ("cites", "mentions", "about")
_HUBS = ("podcast", "repo")  # what everything hangs on


def narrow(
    graph: networkx.MultiDiGraph[Any],
    *,
    kinds: Collection[str] = (),
    relations: Collection[str] = (),
    focus: str = "",
    hops: int = 1,
    since: date | None = None,
    until: date | None = None,
) -> networkx.MultiDiGraph[Any]:
    """Return a new graph with what all the given conditions leave of ``graph``.

    ``since`` and ``until`` (days, both included) keep the episodes and posts of that time, and what can be
    reached from them along the edges; one without a date is left out. ``relations`` keeps edges of these
    relations and the nodes at their ends. ``focus`` keeps the nodes at most ``hops`` edges away from that
    node, in either direction; a podcast or a repository on the way leads no further, or two hops would be
    everything. ``kinds`` keeps nodes of these kinds, and the focus; it comes last, so that the way to a node
    may lead over other kinds. Attributes are shared, not copied. Raises ``QueryError`` when ``focus`` is no
    node of the graph.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("episode:a/b", kind="episode", date="2024-08-04")
    >>> _ = graph.add_edge("episode:a/b", "topic:vmap", "about")
    >>> sorted(narrow(graph, since=date(2025, 1, 1)))
    []
    """
    keep = _of_time(graph, since, until) if since or until else set(graph)
    chosen = frozenset(relations)
    if focus and focus not in graph:
        raise QueryError("is no node of the graph", source=focus, remedy="look it up with podgraph search")
    if focus:
        keep = _around(graph, focus, hops, keep, chosen)
    elif chosen:
        keep &= {
            end for *ends, key in graph.edges(keys=True) if key in chosen and keep.issuperset(ends) for end in ends
        }
    if kinds:
        keep = {node for node in keep if graph.nodes[node].get("kind") in kinds or node == focus}
    return _part(graph, keep, chosen)


def _part(
    graph: networkx.MultiDiGraph[Any], keep: AbstractSet[Any], relations: AbstractSet[str]
) -> networkx.MultiDiGraph[Any]:
    part = graph.__class__()
    part.graph.update(graph.graph)
    part.add_nodes_from((node, attrs) for node, attrs in graph.nodes(data=True) if node in keep)
    add_keyed: Any = part.add_edges_from  # the stubs know nothing of keys
    add_keyed(
        (source, target, key, attrs)
        for source, target, key, attrs in graph.edges(keys=True, data=True)
        if source in keep and target in keep and (not relations or key in relations)
    )
    return part


def _of_time(graph: networkx.MultiDiGraph[Any], since: date | None, until: date | None) -> set[Any]:
    """Return the dated items of that time, and all that hangs on them but not on left-out ones alone."""
    items = {node for node in graph if _is_item(graph, node)}
    first, last = _day(since) or "", _day(until) or "9999-99-99"
    kept = {node for node in items if first <= (str(graph.nodes[node].get("date") or "")[:10] or "~") <= last}
    reached = _reach((graph.adj[node] for node in kept), graph, kept, items)
    if kept:
        return reached
    return set()


def _reach(
    starts: Iterable[Iterable[Any]], graph: networkx.MultiDiGraph[Any], kept: set[Any], items: set[Any]
) -> set[Any]:
    """Follow edges from the kept items; other items are no way, and not kept."""
    reached = set(kept)
    waiting = deque(node for neighbours in starts for node in neighbours)
    while waiting:
        node = waiting.popleft()
        if node not in reached and node not in items:
            reached.add(node)
            waiting.extend(graph.adj[node])
    return reached


def _is_item(graph: networkx.MultiDiGraph[Any], node: Any) -> bool:
    """Say whether a node is an episode, or a post that was a source: what has a date of its own to go by."""
    if graph.nodes[node].get("kind") == "episode":
        return True
    return any(relation in _SAID for _, _, relation in graph.out_edges(node, keys=True))


def _around(
    graph: networkx.MultiDiGraph[Any], focus: str, hops: int, keep: AbstractSet[Any], relations: AbstractSet[str]
) -> set[Any]:
    """Return the nodes at most ``hops`` edges away, over nodes to keep and edges of the relations."""
    near = {focus}
    edge = [focus]
    for _ in range(hops):
        found = []
        for node in edge:
            for neighbours in (graph.adj[node], graph.pred[node]):
                for other, keys in neighbours.items():
                    if other in near or other not in keep or (relations and relations.isdisjoint(keys)):
                        continue
                    near.add(other)
                    if graph.nodes[other].get("kind") not in _HUBS:
                        found.append(other)
        edge = found
    return near


def _day(value: date | None) -> str:
    if isinstance(value, datetime):
        value = value.date()
    return value.isoformat() if value else ""
