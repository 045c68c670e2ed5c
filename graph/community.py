"""The map of the whole: which episodes and topics hang together, and which nodes stand in the middle."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

import networkx as nx

if TYPE_CHECKING:
    from collections.abc import Mapping

# How much an edge of a relation ties or lends standing; relations that are not here tie nothing (a hub ties all).
_TIES = {
    "related": 2.0,
    "listen_first": 2.0,
    "see_also": 1.5,
    "about": 1.0,
    "cites": 1.0,
    "mentions": 0.5,
    "subtopic_of": 0.2,
}
_SEED = 0
_NAMED_BY = 2  # topics in the name of a community
_DAMPING = 0.85  # of PageRank: Brin and Page, 1998
_ROUNDS, _EXACT = 100, 1e-7


def communities(graph: nx.MultiDiGraph[str]) -> dict[str, str]:
    """Return the name of each node's community, for the nodes that a meaningful relation ties to others.

    Louvain's method with a fixed seed on what is nameable; a name joins the most distinctive topics of the community.
    The same graph gives the same answer.
    """
    nodes, ties = _ties(graph)
    found: list[set[int]] = list(nx.community.louvain_communities(ties, weight="weight", seed=_SEED))
    groups = [sorted(nodes[place] for place in group) for group in found if len(group) > 1]
    groups.sort(key=lambda group: (-len(group), group))
    names = _names(graph, groups)
    return {node: name for group, name in zip(groups, names, strict=True) for node in group}


def ranks(graph: nx.MultiDiGraph[str]) -> dict[str, float]:
    """Return the PageRank of each node over the meaningful relations, walked both ways; all together give 1.

    Nodes without such a relation have none.
    """
    nodes, ties = _ties(graph)
    if not nodes:
        return {}
    near = [[(other, data["weight"]) for other, data in ties[place].items()] for place in range(len(nodes))]
    strength = [math.fsum(weight for _, weight in edges) for edges in near]
    shares = [[(other, weight / strength[other]) for other, weight in edges] for edges in near]
    rest = (1 - _DAMPING) / len(nodes)
    rank = [1 / len(nodes)] * len(nodes)
    for _ in range(_ROUNDS):
        following = [rest + _DAMPING * sum([rank[other] * share for other, share in edges]) for edges in shares]
        change = sum(abs(one - other) for one, other in zip(following, rank, strict=True))
        rank = following
        if change < _EXACT:
            break
    return {node: round(value, 8) for node, value in zip(nodes, rank, strict=True)}


def _ties(graph: nx.MultiDiGraph[str]) -> tuple[list[str], nx.Graph[int]]:
    """Return the nodes that something ties, sorted, and the graph of their ties by place in that list."""
    weights: dict[tuple[str, str], float] = defaultdict(float)
    for source, target, relation, data in graph.edges(keys=True, data=True):
        tie = _TIES.get(relation)
        if tie and source != target:
            strength = math.log2(1 + float(data.get("weight", 1)))
            weights[min(source, target), max(source, target)] += tie * max(strength, 0.05)
    nodes = sorted({node for pair in weights for node in pair})
    places = {node: place for place, node in enumerate(nodes)}
    ties: nx.Graph[int] = nx.Graph()
    ties.add_nodes_from(range(len(nodes)))
    for (source, target), weight in sorted(weights.items()):
        ties.add_edge(places[source], places[target], weight=weight)
    return nodes, ties


def _names(graph: nx.MultiDiGraph[str], groups: list[list[str]]) -> list[str]:
    """Return a name for each group: the topics that its items are about more than the others', else its first node."""
    overall: dict[str, float] = defaultdict(float)
    inside: list[Mapping[str, float]] = []
    for group in groups:
        weights: dict[str, float] = defaultdict(float)
        for node in group:
            for _, target, relation, data in graph.out_edges(node, keys=True, data=True):
                if relation == "about":
                    weights[target] += float(data.get("weight", 1))
                    overall[target] += float(data.get("weight", 1))
        inside.append(weights)
    names = []
    taken: set[str] = set()
    for group, own in zip(groups, inside, strict=True):
        best = sorted(own, key=lambda topic: (-own[topic] * own[topic] / overall[topic], topic))[:_NAMED_BY]
        labels = [str(graph.nodes[topic]["label"]) for topic in best] or [str(graph.nodes[group[0]]["label"])]
        name = ", ".join(labels)
        if name in taken:
            name = f"{name} ({graph.nodes[group[0]]['label']})"
        taken.add(name)
        names.append(name)
    return names
