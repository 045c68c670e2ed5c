"""Positions of a graph's nodes: on the map (``x``, ``y``) and in the frames of the atlas."""

from __future__ import annotations

from math import sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from ..attributes import PLACES
from .atlas import FRAMES, lay_out_atlas
from .heaviest import find_heaviest
from .place import place_nodes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..attributes import Graph, NodeAttributes

    Places = Mapping[str, Mapping[str, float]]


def saved_places(graph: Graph) -> dict[str, dict[str, float]]:
    """Return {node id: its positions, the attributes in ``PLACES``}; the value is {} for a node without any."""
    places: dict[str, Any] = {}
    for node, data in graph.nodes(data=True):
        places[node] = {name: value for name, value in data.items() if name in PLACES}
    return places


def lay_out(graph: Graph, previous: Places = MappingProxyType({})) -> dict[str, dict[str, float]]:
    """Return {node id: attributes}: each node's position on the map, and each episode's positions and hue in the atlas.

    The map shows all nodes, the atlas the episodes by area. ``previous`` has these attributes of an earlier graph ({}:
    none), and nodes keep their positions. If all nodes have one, nothing moves, so that a second build changes nothing.
    In a graph of more than ``MOST_PLACED`` nodes, only the heaviest get positions, unless all have one already.
    """
    points = {node: (at["x"], at["y"]) for node, at in previous.items() if "x" in at and "y" in at}
    is_placed = graph.nodes <= points.keys()
    nodes = graph.nodes if is_placed else find_heaviest(graph)
    start = lay_out_atlas(graph, previous)
    if not is_placed:
        scale = sqrt(FRAMES[0].width * FRAMES[0].height)
        # The positions in the atlas, for a frame with an area of 1.
        wide = {node: (at[FRAMES[0].x] / scale, at[FRAMES[0].y] / scale) for node, at in start.items()}
        points = place_nodes(graph, nodes, wide, points)
    return {
        node: {"x": points[node][0], "y": points[node][1], **start.get(node, {})} for node in graph if node in nodes
    }


def add_places(graph: Graph, previous: Places = MappingProxyType({})) -> None:
    """Lay out a graph (``lay_out``), and write the positions and hues into its nodes.

    ``previous`` has the positions of an earlier graph ({}: none).
    """
    for node, at in lay_out(graph, previous).items():
        graph.nodes[node].update(cast("NodeAttributes", at))
