"""The nodes on the map of a graph too large for it."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from ..attributes import Graph

MOST_PLACED = 50_000  # nodes, the limit of a page


def find_heaviest(graph: Graph, most: int = MOST_PLACED) -> Collection[str]:
    """Return the ids of all nodes, or of the ``most`` heaviest ones if there are more.

    Half of them are the podcasts, topics and episodes with the most ties, of each kind as many as of the others
    while there are. The rest are the most tied of all other nodes.
    """
    if len(graph) <= most:
        return graph.nodes
    nodes = sorted(sorted(graph), key=lambda node: -len(graph.succ[node]) - len(graph.pred[node]))
    kinds = {node: graph.nodes[node].get("kind") for node in nodes}
    groups = ([node for node in nodes if kinds[node] == kind] for kind in ("podcast", "topic", "episode"))
    in_turn = [node for of_each in zip_longest(*groups) for node in of_each if node]
    return {*[*dict.fromkeys(in_turn[: most // 2] + nodes)][:most]}
