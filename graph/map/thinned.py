"""What of a graph that is too large for one map is on it.

A map has at most ``MOST_PLACED`` nodes, which is what a page can draw. Of a larger graph it has the topics with the
strongest episodes and what is cited most; all else has no place until a part of the graph is taken.
"""

from __future__ import annotations

from heapq import nsmallest
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..attributes import Graph

MOST_PLACED = 50_000  # nodes
_FIRST = {"podcast": 0, "topic": 1, "episode": 2}


_MAPPED = frozenset({"kind", "weight", "furniture"})  # attributes that places follow from


def thinned(graph: Graph, most: int = MOST_PLACED, *, bare: bool = False) -> Graph:
    """Return the graph itself, or that of its ``most`` weightiest nodes if it has more.

    Half of them are podcasts, topics and the episodes that are tied to most, in this order; the others are what most is
    tied to of all that is left. Nothing is copied of what does not stay; ``bare``, only what a map needs of what does.
    """
    if len(graph) <= most:
        return graph
    import networkx  # noqa: PLC0415 - a third of a second, and few graphs are so large

    degree = graph.degree
    first = ((node, _FIRST.get(str(kind))) for node, kind in graph.nodes(data="kind"))
    texts = ((kind, -degree[node], str(node)) for node, kind in first if kind is not None)
    kept = {node for _, _, node in nsmallest(most // 2, texts)}
    others = ((-degree[node], str(node)) for node in graph if str(node) not in kept)
    kept.update([node for _, node in nsmallest(most - len(kept), others)])
    part: Graph = networkx.MultiDiGraph(**graph.graph)
    part.add_nodes_from((node, _taken(graph.nodes[node], bare=bare)) for node in graph if str(node) in kept)
    for source, target, key, data in graph.edges([*part], keys=True, data=True):
        if target in part:
            part.add_edge(source, target, key=key, **_taken(data, bare=bare))
    return part


def _taken(attributes: Any, *, bare: bool) -> Any:
    return {name: value for name, value in attributes.items() if name in _MAPPED} if bare else attributes
