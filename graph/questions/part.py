"""Selecting a part of the graph: some kinds, some relations, or the surroundings of one node."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from podgraph.extractors import QueryError

if TYPE_CHECKING:
    from ..attributes import Graph

_HUBS = ("podcast", "repo")  # kinds with edges to nearly everything


def narrow(
    graph: Graph,
    *,
    kinds: Collection[str] = (),
    relations: Collection[str] = (),
    focus: str = "",
    hops: int = 1,
    has_isolates: bool = False,
) -> Graph:
    """Return a new graph with the part of ``graph`` that meets all conditions; an empty condition keeps everything.

    ``relations`` keeps edges of these relations and the nodes at their ends. ``focus`` (a node id) keeps the nodes at
    most ``hops`` edges away from it, in either direction. Paths do not lead through a podcast or a repository, because
    these are two hops from nearly everything. ``kinds`` keeps nodes of these kinds, and the focus; it comes last, so
    paths may lead over other kinds. With several kinds, nodes left without an edge are removed, unless ``has_isolates``
    is true or no edge is left at all. Attribute dicts are copies. Raises ``QueryError`` when ``focus`` is not in the
    graph.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph([("episode:a/b", "topic:vmap", "about"), ("episode:a/b", "podcast:a", "part_of")])
    >>> sorted(narrow(graph, relations=["about"]))
    ['episode:a/b', 'topic:vmap']
    """
    from networkx import subgraph_view  # noqa: PLC0415 - no question needs it

    if focus and focus not in graph:
        raise QueryError(f"no node is called {focus!r}, given as focus", remedy="`podgraph search` finds by words")
    part = subgraph_view(graph, filter_edge=lambda _, __, relation: not relations or str(relation) in relations)
    nodes = set(graph)
    if focus:
        nodes = _find_nodes_around(part, focus, hops)
    elif relations:
        nodes = {end for edge in part.edges for end in edge[:2]}
    if kinds:
        nodes = {node for node in nodes if graph.nodes[node].get("kind") in kinds or node == focus}
    part = part.subgraph(nodes).copy()
    if len(frozenset(kinds)) > 1 and part.number_of_edges() and not has_isolates:
        part.remove_nodes_from([node for node, degree in part.degree if not degree and node != focus])
    return part


def _find_nodes_around(graph: Graph, focus: str, hops: int) -> set[str]:
    """Return the ids of the nodes at most ``hops`` edges away from ``focus``, itself included.

    Edges count in both directions. The paths end at podcasts and repositories.
    """
    near = rim = {focus}  # the rim are the nodes that the next hop starts from
    for _ in range(hops):
        neighbours = {other for node in rim for other in (*graph.adj[node], *graph.pred[node])}
        rim = {node for node in neighbours - near if graph.nodes[node].get("kind") not in _HUBS}
        near = near | neighbours
    return near
