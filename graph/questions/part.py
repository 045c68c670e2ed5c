"""A part of the graph: some kinds, some relations, some years, or the surroundings of one node."""

from __future__ import annotations

from collections import deque
from datetime import date, datetime
from typing import TYPE_CHECKING

from podgraph.extractors import QueryError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from collections.abc import Set as AbstractSet

    from ..attributes import Graph

_SAID = ("cites", "mentions", "about")
_HUBS = ("podcast", "repo")  # kinds with edges to nearly everything
_UNDATED = "~"  # sorts behind every day, so that undated items are left out


def narrow(
    graph: Graph,
    *,
    kinds: Collection[str] = (),
    relations: Collection[str] = (),
    focus: str = "",
    hops: int = 1,
    since: date | None = None,
    until: date | None = None,
    isolated: bool = False,
) -> Graph:
    """Return a new graph with the part of ``graph`` meeting all conditions.

    ``since`` and ``until`` (days, both included) keep the episodes and posts of a time, and the nodes
    reachable from them along the edges; undated ones are left out. ``relations`` keeps edges of these
    relations and the nodes at their ends. ``focus`` keeps the nodes at most ``hops`` edges away from a
    node, in either direction; a podcast or a repository on the way leads no further, or two hops would be
    everything. ``kinds`` keeps nodes of these kinds, and the focus; it comes last, so the path to a node
    may lead over other kinds. With several kinds, nodes left without an edge are removed, unless
    ``isolated`` keeps them, or there is no edge at all. Attributes are shared, not copied. Raises ``QueryError`` when
    ``focus`` is not in the graph.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("episode:a/b", kind="episode", date="2024-08-04")
    >>> _ = graph.add_edge("episode:a/b", "topic:vmap", "about")
    >>> sorted(narrow(graph, since=date(2025, 1, 1)))
    []
    """
    keep = _of_time(graph, since, until)
    chosen = frozenset(relations)
    if focus and focus not in graph:
        raise QueryError(f"no node is called {focus!r}, given as focus", remedy="`podgraph search` finds by words")
    if focus:
        keep = _around(graph, focus, hops, keep, chosen)
    elif chosen:
        keep &= _ends(graph, keep, chosen)
    if kinds:
        keep = {node for node in keep if graph.nodes[node].get("kind") in kinds or node == focus}
    part = _part(graph, keep, chosen)
    if len(frozenset(kinds)) > 1 and part.number_of_edges() and not isolated:
        part.remove_nodes_from([node for node, degree in part.degree() if not degree and node != focus])
    return part


def _ends(graph: Graph, keep: set[str], relations: AbstractSet[str]) -> set[str]:
    """Return the nodes to keep with an edge of the relations to another such."""
    return {end for *ends, key in graph.edges(keys=True) if key in relations and keep.issuperset(ends) for end in ends}


def _part(graph: Graph, keep: AbstractSet[str], relations: AbstractSet[str]) -> Graph:
    """Return a new graph with the nodes to keep and the edges between them, of all relations if none are given."""
    part = graph.__class__()
    part.graph.update(graph.graph)
    part.add_nodes_from((node, attributes) for node, attributes in graph.nodes(data=True) if node in keep)
    for source, target, key, attributes in graph.edges(keys=True, data=True):
        if source in keep and target in keep and (not relations or key in relations):
            part.add_edge(source, target, key)
            part.edges[source, target, key].update(attributes)
    return part


def _of_time(graph: Graph, since: date | None, until: date | None) -> set[str]:
    """Return the items dated from ``since`` to ``until``, and the nodes reachable from them; all without bounds."""
    if not since and not until:
        return set(graph)
    items = {node for node in graph if _is_item(graph, node)}
    first, last = _day(since) or "", _day(until) or "9999-99-99"
    kept = {node for node in items if first <= (str(graph.nodes[node].get("date") or "")[:10] or _UNDATED) <= last}
    return _reached(graph, kept, items)


def _reached(graph: Graph, kept: set[str], items: AbstractSet[str]) -> set[str]:
    """Follow edges from the kept items. Other items are no way, and not kept."""
    reached = set(kept)
    waiting = deque(node for item in kept for node in graph.adj[item])
    while waiting:
        node = waiting.popleft()
        if node not in reached and node not in items:
            reached.add(node)
            waiting.extend(graph.adj[node])
    return reached


def _is_item(graph: Graph, node: str) -> bool:
    """Return whether a node is an episode, or a post of a source: a node with a date of its own."""
    if graph.nodes[node].get("kind") == "episode":
        return True
    return any(relation in _SAID for _, _, relation in graph.out_edges(node, keys=True))


def _around(graph: Graph, focus: str, hops: int, keep: AbstractSet[str], relations: AbstractSet[str]) -> set[str]:
    """Return the nodes at most ``hops`` edges away, over nodes to keep and edges of the relations."""
    near = {focus}
    rim = {focus}
    for _ in range(hops):
        found = {other for node in rim for other in _tied(graph, node, relations) if other in keep} - near
        near |= found
        rim = {node for node in found if graph.nodes[node].get("kind") not in _HUBS}
    return near


def _tied(graph: Graph, node: str, relations: AbstractSet[str]) -> Iterator[str]:
    """Yield the nodes tied to a node by an edge of the relations (any, if none are given), in either direction."""
    for ties in (graph.adj[node], graph.pred[node]):
        for other, keys in ties.items():
            if not relations or not relations.isdisjoint(keys):
                yield other


def _day(value: date | None) -> str:
    if isinstance(value, datetime):
        value = value.date()
    return value.isoformat() if value else ""
