"""All places of a graph's nodes: on the whole map (``x``, ``y``) and in the frames of the atlas."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from ..attributes import PLACES
from .atlas import atlas
from .place import place
from .thinned import thinned

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..attributes import Graph, NodeAttributes

    Places = Mapping[str, Mapping[str, float]]


def saved_places(graph: Graph) -> dict[str, dict[str, float]]:
    """Return the attributes of ``PLACES`` of the nodes of a graph, for nodes with any."""
    found = {}
    for node, attributes in graph.nodes(data=True):
        known: Mapping[str, object] = attributes
        if at := {name: value for name in PLACES if isinstance(value := known.get(name), int | float)}:
            found[node] = at
    return found


def lay_out(graph: Graph, known: Places = MappingProxyType({})) -> dict[str, dict[str, float]]:
    """Return each node's place on the map, and each episode's places and hue in the atlas.

    Of a graph of more than ``MOST_PLACED`` nodes, these are those of the ``thinned`` one, unless all have one already.
    ``known`` holds those of an earlier graph: what is known of there stays where it was; where all is known nothing
    moves at all, so building twice changes nothing.
    """
    points = {node: (at["x"], at["y"]) for node, at in known.items() if "x" in at and "y" in at}
    if not (stood := all(node in points for node in graph)):
        graph = thinned(graph, bare=True)
        stood = all(node in points for node in graph)
    map_ = {node: points[node] for node in graph} if stood else place(graph, points)
    start = atlas(graph, map_, known)
    return {node: {"x": x, "y": y, **start.get(node, {})} for node, (x, y) in map_.items()}


def add_places(graph: Graph, known: Places = MappingProxyType({})) -> int:
    """Give the nodes of a graph their places, as ``lay_out`` finds them. Return how many have one."""
    found = lay_out(graph, known)
    for node, at in found.items():
        graph.nodes[node].update(cast("NodeAttributes", at))
    return len(found)
