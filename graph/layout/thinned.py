"""The nodes on the map of a graph too large for it.

A map has at most ``MOST_PLACED`` nodes, the limit of a page. Of a larger graph it has the topics with the
strongest episodes and the most cited artifacts; all else has no place until a part of the graph is taken.
"""

from __future__ import annotations

from heapq import nsmallest
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..attributes import Graph

MOST_PLACED = 50_000  # nodes
_FIRST = ("podcast", "topic", "episode")  # kinds
_MAPPED = frozenset({"kind", "weight", "boilerplate", "community"})  # attributes for places


def thinned(graph: Graph, most: int = MOST_PLACED, *, bare: bool = False) -> Graph:
    """Return the graph itself, or the graph of its ``most`` weightiest nodes if it has more.

    Half of them are the podcasts, topics and episodes with the most ties, of each kind as many as of the others
    while there are; the rest are the most tied of all other nodes. Nodes left out are not copied; with ``bare``,
    neither are attributes without use for a map.
    """
    if len(graph) <= most:
        return graph
    import networkx  # noqa: PLC0415 - a third of a second, and few graphs are so large

    degree = graph.degree
    first: dict[str, list[tuple[int, str]]] = {kind: [] for kind in _FIRST}
    for node, kind in graph.nodes(data="kind"):
        if str(kind) in first:
            first[str(kind)].append((-degree[node], str(node)))
    in_turn = chain.from_iterable(zip_longest(*(nsmallest(most // 2, of_kind) for of_kind in first.values())))
    kept = {node for _, node in islice(filter(None, in_turn), most // 2)}
    others = ((-degree[node], str(node)) for node in graph if str(node) not in kept)
    kept.update([node for _, node in nsmallest(most - len(kept), others)])
    part: Graph = networkx.MultiDiGraph()
    part.graph.update(graph.graph)
    part.add_nodes_from((node, _taken(graph.nodes[node], bare=bare)) for node in graph if str(node) in kept)
    for source, target, key, data in graph.edges([*part], keys=True, data=True):
        if target in part:
            part.add_edge(source, target, key=key, **_taken(data, bare=bare))
    return part


def _taken(attributes: Any, *, bare: bool) -> Any:
    return {name: value for name, value in attributes.items() if name in _MAPPED} if bare else attributes
