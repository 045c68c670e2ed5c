"""The force-directed step of the layout: rough positions of one connected part."""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING

import networkx

if TYPE_CHECKING:
    from collections.abc import Sequence

_ITERATIONS = 300


def arrange(graph: networkx.Graph, order: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return rough positions of a connected weighted graph; ``order`` makes the start deterministic.

    ForceAtlas2 (Jacomy, Venturini, Heymann, Bastian, PLoS ONE 9(6), 2014) with logarithmic attraction.
    """
    import numpy  # noqa: PLC0415 - a tenth of a second that questions about a graph need not wait

    ordered = networkx.Graph()
    ordered.add_nodes_from(order)
    ordered.add_weighted_edges_from((u, v, bond) for u in order for v, bond in graph.adj[u].items() for bond in [bond["weight"]])
    turn = pi * (3 - sqrt(5))  # a sunflower: even, and without two nodes on one spot
    start = {node: numpy.array([sqrt(i + 0.5) * cos(i * turn), sqrt(i + 0.5) * sin(i * turn)]) for i, node in enumerate(order)}
    with numpy.errstate(divide="ignore", invalid="ignore"):
        found = networkx.forceatlas2_layout(ordered, start, max_iter=_ITERATIONS, linlog=True, weight="weight", seed=1)
    return {node: (float(x), float(y)) for node, (x, y) in found.items()}
