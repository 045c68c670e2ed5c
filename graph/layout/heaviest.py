"""The nodes on the map of a graph too large for it."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..attributes import Graph

MOST_PLACED = 50_000  # nodes, the limit of a page


def select_heaviest(graph: Graph, most: int = MOST_PLACED) -> Graph:
    """Return the graph itself, or the graph of its ``most`` heaviest nodes if it has more.

    Half of them are the podcasts, topics and episodes with the most ties, of each kind as many as of the others
    while there are. The rest are the most tied of all other nodes.
    """
    if len(graph) <= most:
        return graph
    ranked = sorted(graph, key=lambda node: (-len(graph.succ[node]) - len(graph.pred[node]), node))
    groups: dict[str, list[str]] = {"podcast": [], "topic": [], "episode": []}
    for node in ranked:
        groups.get(graph.nodes[node].get("kind", ""), []).append(node)
    in_turn = [node for nodes in zip_longest(*groups.values()) for node in nodes if node]
    heaviest = {*in_turn[: most // 2]}
    heaviest.update([node for node in ranked if node not in heaviest][: most - len(heaviest)])
    part: Graph = graph.__class__(**graph.graph)
    part.add_nodes_from((node, data) for node, data in graph.nodes(data=True) if node in heaviest)
    for edge in graph.edges(part, keys=True, data=True):
        if edge[1] in heaviest:
            part.add_edge(*edge[:3], **edge[3])
    return part
