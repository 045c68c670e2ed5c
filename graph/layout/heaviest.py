"""Choosing the nodes that have a position in a graph too large for the map."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from ..attributes import Graph

MOST_PLACED = 50_000  # the maximum number of nodes with a position: a page cannot show more


def find_heaviest(graph: Graph, maximum: int = MOST_PLACED) -> Collection[str]:
    """Return the ids of all nodes, or of the ``maximum`` heaviest ones if there are more: those with the most edges.

    Half of them are podcasts, topics and episodes, taken in turn, so that there are as many of each kind as of the
    others while there are any. The rest are the heaviest of all other nodes.
    """
    if len(graph) <= maximum:
        return graph.nodes
    nodes = sorted(sorted(graph), key=lambda node: -len(graph.succ[node]) - len(graph.pred[node]))
    kinds = {node: graph.nodes[node].get("kind") for node in nodes}
    groups = ([node for node in nodes if kinds[node] == kind] for kind in ("podcast", "topic", "episode"))
    in_turn = [node for nodes_of_kinds in zip_longest(*groups) for node in nodes_of_kinds if node]
    # Without repetitions, in this order: the half taken in turn, then all nodes.
    return {*[*dict.fromkeys(in_turn[: maximum // 2] + nodes)][:maximum]}
