"""How two nodes are connected, by the ways that mean most."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import networkx as nx

if TYPE_CHECKING:
    from collections.abc import Mapping

# What a step along a relation costs before the size of its ends is counted: what an author said is nearest.
_COST = {
    "listen_first": 0.6, "see_also": 0.7, "cites": 1.0, "mentions": 1.0, "about": 1.0, "related": 1.6,
    "documented_at": 0.8, "defined_in": 0.8, "covers": 1.4, "subtopic_of": 1.6, "in_folder": 1.8, "in_repo": 4.0,
    "part_of": 6.0,
}  # fmt: skip
_OTHER = 2.0
_HUB = 0.35  # how much each doubling of a node's edges adds: through a hub, everything is near everything


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: from ``source`` to ``target`` by ``relation``, along the edge or (``backwards``) against it."""

    source: str
    target: str
    relation: str
    backwards: bool
    attributes: Mapping[str, Any]


def find_paths(graph: nx.MultiDiGraph[str], first: str, last: str, k: int = 1) -> list[list[Step]]:
    """Return up to ``k`` paths between two nodes, the most meaningful first; none when nothing connects them.

    The cost of a step is that of its relation plus what its ends weigh as hubs; edges are walked both ways.
    """
    simple = _weighted(graph)
    if first == last or first not in simple or last not in simple or not nx.has_path(simple, first, last):
        return []
    ways = nx.shortest_simple_paths(simple, first, last, weight="cost")
    return [_steps(graph, simple, way) for way in islice(ways, k)]


def _weighted(graph: nx.MultiDiGraph[str]) -> nx.Graph[str]:
    simple: nx.Graph[str] = nx.Graph()
    degree = dict(graph.degree())
    for source, target, relation in graph.edges(keys=True):
        if source == target:
            continue
        cost = _COST.get(relation, _OTHER) + _HUB * (math.log2(1 + degree[source]) + math.log2(1 + degree[target])) / 2
        if not simple.has_edge(source, target) or cost < simple.edges[source, target]["cost"]:
            simple.add_edge(source, target, cost=cost, relation=relation, forward=source)
    return simple


def _steps(graph: nx.MultiDiGraph[str], simple: nx.Graph[str], way: list[str]) -> list[Step]:
    steps = []
    for source, target in zip(way, way[1:], strict=False):
        edge = simple.edges[source, target]
        forward = edge["forward"] == source
        ends = (source, target) if forward else (target, source)
        steps.append(Step(source, target, edge["relation"], not forward, graph.edges[(*ends, edge["relation"])]))
    return steps
