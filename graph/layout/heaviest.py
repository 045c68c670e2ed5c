"""The nodes on the map of a graph too large for it."""

from __future__ import annotations

from collections import Counter
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
    import networkx  # noqa: PLC0415 - takes long to load, and few graphs are so large

    kinds = ("podcast", "topic", "episode")
    ranked = sorted(graph, key=lambda node: (-len(graph.succ[node]) - len(graph.pred[node]), node))
    counts: Counter[str] = Counter()
    first = []
    for node in ranked:
        kind = graph.nodes[node].get("kind", "")
        if kind in kinds:
            first.append((counts[kind], kinds.index(kind), node))
            counts[kind] += 1
    heaviest = {node for *_, node in sorted(first)[: most // 2]}
    heaviest.update([node for node in ranked if node not in heaviest][: most - len(heaviest)])
    return networkx.subgraph_view(graph, filter_node=heaviest.__contains__).copy()
