"""A graph as a ``pyvis.network.Network``, for a notebook. Only this file imports pyvis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyvis.network import Network

from podgraph.graph import FAMILIES, kinds_of

if TYPE_CHECKING:
    from podgraph.graph import Graph


def to_pyvis(graph: Graph) -> Network:
    """Return a graph as a network of pyvis, with the colours of its kinds, and the reasons of edges as tooltips."""
    network = Network(directed=True, notebook=True, cdn_resources="in_line", height="600px", width="100%")
    network.toggle_physics(len(graph) <= 200)  # above, the simulation takes the browser's whole processor
    kinds = kinds_of(graph.graph)
    for id_, node in graph.nodes(data=True):
        name = str(node.get("title") or node.get("label", id_))
        kind = kinds[node.get("kind", "")]
        colour = FAMILIES[kind.family].light
        network.add_node(id_, label=name[:40], title=f"{name} ({kind.singular})", color=colour)
    for source, target, relation, edge in graph.edges(keys=True, data=True):
        network.add_edge(source, target, title="; ".join([relation, *edge.get("reasons", ())]))
    return network
