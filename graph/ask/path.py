"""How two nodes are connected, by the ways that mean most."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING

import networkx as nx

from podgraph.extractors import NotFoundError, QueryError

from .resolve import resolve_episode, resolve_reference

if TYPE_CHECKING:
    from ..attributes import EdgeAttributes
    from .view import Edge, View

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
    """One step: from ``source`` to ``target`` by ``relation``, along the edge or (``backwards``) against it."""

    source: str
    target: str
    relation: str
    backwards: bool
    attributes: EdgeAttributes


@dataclass(frozen=True, slots=True)
class Paths:
    """The ways from one node to another, by id, the most meaningful first."""

    first: str
    last: str
    ways: tuple[tuple[Step, ...], ...]


def path(first: str, last: str, view: View, k: int = 1) -> Paths:
    """Return up to ``k`` ways between what two names mean: an episode, else what a reference names.

    Raises ``NotFoundError`` for a name that nothing has.
    """
    ends = _node(first, view), _node(last, view)
    return Paths(*ends, tuple(map(tuple, find_paths(view, *ends, k))))


def find_paths(view: View, first: str, last: str, k: int = 1) -> list[list[Step]]:
    """Return up to ``k`` paths between two nodes, the most meaningful first; none when nothing connects them.

    The cost of a step is that of its relation plus what its ends weigh as hubs; edges are walked both ways.
    """
    simple = _weighted(view)
    if first == last or first not in simple or last not in simple or not nx.has_path(simple, first, last):
        return []
    ways = nx.shortest_simple_paths(simple, first, last, weight="cost")
    return [[_step(simple, source, target) for source, target in pairwise(way)] for way in islice(ways, k)]


def _node(query: str, view: View) -> str:
    """Return the one node that is meant: an episode by its title, else what a reference names."""
    try:
        return resolve_episode(query, view)
    except QueryError as error:
        found = resolve_reference(query, view).nodes
        if found:
            return found[0]
        raise NotFoundError(f"nothing in the graph is called {query!r}", remedy="try `podgraph search`") from error


def _weighted(view: View) -> nx.Graph[str]:
    """Return the graph of the cheapest edge between each two nodes, its ``cost`` and the ``edge`` itself."""
    edges = sorted((edge for id_, _ in view.nodes() for edge in view.edges_from(id_)), key=lambda edge: edge[:3])
    degree = Counter(end for edge in edges for end in edge[:2])
    simple: nx.Graph[str] = nx.Graph()
    for edge in edges:
        if edge.source != edge.target:
            hubs = math.log2(1 + degree[edge.source]) + math.log2(1 + degree[edge.target])
            cost = _COST.get(edge.relation, _OTHER) + _HUB * hubs / 2
            if not simple.has_edge(edge.source, edge.target) or cost < simple.edges[edge.source, edge.target]["cost"]:
                simple.add_edge(edge.source, edge.target, cost=cost, edge=edge)
    return simple


def _step(simple: nx.Graph[str], source: str, target: str) -> Step:
    edge: Edge = simple.edges[source, target]["edge"]
    return Step(source, target, edge.relation, edge.source != source, edge.attributes)
