"""A part of the graph: some kinds, some relations, or the surroundings of one node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.extractors import QueryError

if TYPE_CHECKING:
    from collections.abc import Collection
    from collections.abc import Set as AbstractSet

    from ..attributes import Graph

_HUBS = ("podcast", "repo")  # kinds with edges to nearly everything


def narrow(
    graph: Graph,
    *,
    kinds: Collection[str] = (),
    relations: Collection[str] = (),
    focus: str = "",
    hops: int = 1,
    isolated: bool = False,
) -> Graph:
    """Return a new graph with the part of ``graph`` meeting all conditions.

    ``relations`` keeps edges of these relations and the nodes at their ends. ``focus`` keeps the nodes at most ``hops``
    edges away from a node, in either direction; a podcast or a repository on the way leads no further, or two hops
    would be everything. ``kinds`` keeps nodes of these kinds, and the focus; it comes last, so the path to a node may
    lead over other kinds. With several kinds, nodes left without an edge are removed, unless ``isolated`` keeps them,
    or there is no edge at all. Attributes are shared, not copied. Raises ``QueryError`` when ``focus`` is not in the
    graph.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph([("episode:a/b", "topic:vmap", "about"), ("episode:a/b", "podcast:a", "part_of")])
    >>> sorted(narrow(graph, relations=["about"]))
    ['episode:a/b', 'topic:vmap']
    """
    edges = [edge for edge in graph.edges(keys=True, data=True) if not relations or edge[2] in relations]
    keep = set(graph)
    if focus and focus not in graph:
        raise QueryError(f"no node is called {focus!r}, given as focus", remedy="`podgraph search` finds by words")
    if focus:
        keep = _find_around(graph, focus, hops, frozenset(relations))
    elif relations:
        keep = {end for edge in edges for end in edge[:2]}
    if kinds:
        keep = {node for node in keep if graph.nodes[node].get("kind") in kinds or node == focus}
    part = graph.__class__()
    part.graph.update(graph.graph)
    part.add_nodes_from((node, attributes) for node, attributes in graph.nodes(data=True) if node in keep)
    for source, target, key, attributes in edges:
        if source in keep and target in keep:
            part.add_edge(source, target, key)
            part.edges[source, target, key].update(attributes)
    if len(frozenset(kinds)) > 1 and part.number_of_edges() and not isolated:
        part.remove_nodes_from([node for node, degree in part.degree() if not degree and node != focus])
    return part


def _find_around(graph: Graph, focus: str, hops: int, relations: AbstractSet[str]) -> set[str]:
    """Return the nodes at most ``hops`` edges of the relations (none: of any) away."""
    near = rim = {focus}
    for _ in range(hops):
        found = set()
        for node in rim:
            for ties in (graph.adj[node], graph.pred[node]):
                found |= {other for other, keys in ties.items() if not relations or not relations.isdisjoint(keys)}
        rim = {node for node in found - near if graph.nodes[node].get("kind") not in _HUBS}
        near = near | found
    return near
