"""The map of the whole: which episodes and topics hang together, and which nodes stand in the middle."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

import networkx as nx
import numpy as np

from .kinds import SOURCES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .attributes import Graph

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
# How much of what ties episodes to each other counts for communities, a computed tie times its weight.
_KIN = {"related": 3.0, "listen_first": 1.0, "see_also": 1.0}
_FINE = 1.4  # resolution of Louvain's method: of 1, 1.4 and more, the finest that stays the same without an episode
_SEED = 0
_LEAST = 3  # items of an area: fewer join another
_NAMED_BY = 2  # areas or topics in the name of a community
_NAMING = 4  # of an area: the share of the items that names, one of so many
_DAMPING = 0.85  # of PageRank: Brin and Page, 1998
_ROUNDS, _EXACT = 100, 1e-7


class Ties(NamedTuple):
    """What meaningful relations tie: the nodes, sorted, and each tie once as two places in that list and a weight."""

    nodes: list[str]
    first: np.ndarray[tuple[int], np.dtype[np.int64]]
    second: np.ndarray[tuple[int], np.dtype[np.int64]]
    weight: np.ndarray[tuple[int], np.dtype[np.float64]]


def find_ties(graph: Graph) -> Ties:
    """Return the meaningful relations of a graph as undirected ties; parallel ones add up."""
    weights: dict[tuple[str, str], float] = defaultdict(float)
    for source, target, relation, data in graph.edges(keys=True, data=True):
        tie = _TIES.get(relation)
        if tie and source != target and not data.get("furniture"):
            strength = math.log2(1 + data.get("weight", 1))
            weights[min(source, target), max(source, target)] += tie * max(strength, 0.05)
    nodes = sorted({node for pair in weights for node in pair})
    places = {node: place for place, node in enumerate(nodes)}
    pairs = sorted((places[source], places[target], weight) for (source, target), weight in weights.items())
    first, second, weight = zip(*pairs, strict=True) if pairs else ((), (), ())
    return Ties(nodes, np.array(first, np.int64), np.array(second, np.int64), np.array(weight, np.float64))


def communities(graph: Graph, ties: Ties) -> dict[str, str]:
    """Return the name of each node's community, for the nodes that a meaningful relation ties to others.

    An episode or post that is about topics of an area belongs to the one it is about most, or to what that is part of;
    small areas join the one that their items are related to most. The others are divided by Louvain's method with a
    fixed seed on what makes them related, and on what they say of each other; all else joins where it is tied most.
    Where most are related to none, the method is used on all that is nameable. A name joins the areas of a community,
    else its most distinctive topics. The same graph gives the same answer.
    """
    homes = _homes(graph)
    found = _divided(graph, ties, homes)
    members: dict[int, list[str]] = defaultdict(list)
    for place, number in sorted(found.items()):
        members[number].append(ties.nodes[place])
    groups = sorted(members.values(), key=lambda group: (-len(group), group))
    names = _names(graph, groups, homes)
    return {node: name for group, name in zip(groups, names, strict=True) for node in group}


def _homes(graph: Graph) -> dict[str, str]:
    """Return the area that each episode or post is about most, by its label; none for one that is about others more."""
    weights: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for source, topic, relation, data in graph.edges(keys=True, data=True):
        if relation == "about":
            weights[source][graph.nodes[topic].get("area", "")] += data.get("weight", 1)
    wholes = _wholes_of_areas(graph)
    best = {text: max(own, key=lambda area: (own[area], area)) for text, own in sorted(weights.items())}
    return {text: wholes.get(area, area) for text, area in best.items() if area}


def _wholes_of_areas(graph: Graph) -> dict[str, str]:
    """Return for each area that is part of another the outermost of these, by label."""
    above: dict[str, str] = {}
    for topic, whole, relation in sorted(graph.edges(keys=True)):
        part, area = graph.nodes[topic], graph.nodes[whole].get("area")
        if relation == "subtopic_of" and area and part["label"] == part.get("area") != area:
            above[part["label"]] = area
    outermost = {}
    for label in above:
        whole, seen = label, {label}
        while (following := above.get(whole, "")) and following not in seen:
            seen.add(following)
            whole = following
        outermost[label] = whole
    return outermost


def _of_all(ties: Ties) -> dict[int, int]:
    """Return the number of the community of each node, by its place, from all ties."""
    homes, core = _without_leaves(ties)
    found: list[set[int]] = list(nx.community.louvain_communities(core, weight="weight", seed=_SEED))
    of = {place: number for number, group in enumerate(found) for place in group}
    return {place: of[home] for place, home in enumerate(homes)}


def _divided(graph: Graph, ties: Ties, homes: Mapping[str, str]) -> dict[int, int]:
    """Return the same from ``homes`` and, of texts without one, from what ties them to each other; else from all ties.

    Citations and topics alone draw episodes together that a listener would not name in one breath.
    """
    places = {node: place for place, node in enumerate(ties.nodes)}
    texts = {place for node, place in places.items() if graph.nodes[node].get("kind") in SOURCES}
    weights: dict[tuple[int, int], float] = defaultdict(float)
    for source, target, relation, data in graph.edges(keys=True, data=True):
        if relation in _KIN and source != target and {places.get(source), places.get(target)} <= texts:
            one, other = sorted((places[source], places[target]))
            weights[one, other] += _KIN[relation] * data.get("weight", 1)
    areas: dict[str, set[int]] = defaultdict(set)
    for text, area in homes.items():
        if text in places:
            areas[area].add(places[text])
    groups = [areas[area] for area in sorted(areas)]
    small = [number for number, group in enumerate(groups) if len(group) < _LEAST]
    free = texts.difference(*groups)
    kin: nx.Graph[int] = nx.Graph()
    kin.add_weighted_edges_from((*pair, weight) for pair, weight in sorted(weights.items()) if free.issuperset(pair))
    if len(kin) and 2 * len(kin) >= len(free):
        groups += nx.community.louvain_communities(kin, weight="weight", resolution=_FINE, seed=_SEED)
    elif not groups:
        return _of_all(ties)
    elif 2 * len(free) >= len(texts):
        of_all = _of_all(ties)
        numbers = sorted({of_all[place] for place in free})
        groups += [{place for place in free if of_all[place] == number} for number in numbers]
    of = {place: number for number, group in enumerate(groups) for place in group}
    _join_small(of, small, weights)
    return _joined(of, ties)


def _join_small(of: dict[int, int], small: list[int], weights: Mapping[tuple[int, int], float]) -> None:
    """Let each small group join the one to whose members it is tied most on average, the smallest first, in place.

    One that is tied to none is no group: its members join others by what else ties them.
    """
    while small:
        sizes = Counter(of.values())
        joining = min(small, key=lambda number: (sizes[number], number))
        small.remove(joining)
        pull: dict[int, float] = defaultdict(float)
        for (one, other), weight in weights.items():
            ends = {of[place] for place in (one, other) if place in of}
            if len(ends) == 2 and joining in ends:
                pull[sum(ends) - joining] += weight
        if sizes[joining] >= _LEAST:
            continue
        best = max(pull, key=lambda number: (pull[number] / sizes[number], -number), default=None)
        for place in [place for place, number in of.items() if number == joining]:
            if best is None:
                del of[place]
            else:
                of[place] = best


def _joined(of: dict[int, int], ties: Ties) -> dict[int, int]:
    """Let the other nodes join the community that they are tied to most, step by step; apart from all, they are one."""
    beside: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for one, other, weight in zip(ties.first.tolist(), ties.second.tolist(), ties.weight.tolist(), strict=True):
        beside[one].append((other, weight))
        beside[other].append((one, weight))
    waiting = sorted(place for place in range(len(ties.nodes)) if place not in of)
    while waiting:
        joining: dict[int, int] = {}
        for place in waiting:
            pull: dict[int, float] = defaultdict(float)
            for other, weight in beside[place]:
                if other in of:
                    pull[of[other]] += weight
            if pull:
                joining[place] = max(pull, key=lambda number: (round(pull[number], 9), -number))
        if not joining:  # nothing leads from here to any episode that is related to one
            joining = {waiting[0]: max(of.values(), default=-1) + 1}
        of |= joining
        waiting = [place for place in waiting if place not in of]
    return of


def ranks(ties: Ties) -> dict[str, float]:
    """Return the PageRank of each node over the meaningful relations, walked both ways; all together give 1.

    Nodes without such a relation have none.
    """
    count = len(ties.nodes)
    if not count:
        return {}
    here, there = np.concatenate([ties.first, ties.second]), np.concatenate([ties.second, ties.first])
    weight = np.concatenate([ties.weight, ties.weight])
    share = weight / np.bincount(here, weight, count)[here]
    rank = np.full(count, 1 / count)
    for _ in range(_ROUNDS):
        following = (1 - _DAMPING) / count + _DAMPING * np.bincount(there, rank[here] * share, count)
        change = np.abs(following - rank).sum()
        rank = following
        if change < _EXACT:
            break
    return dict(zip(ties.nodes, np.round(rank, 8).tolist(), strict=True))


def _without_leaves(ties: Ties) -> tuple[list[int], nx.Graph[int]]:
    """Return for each node the one it is certain to share a community with, and the graph of those.

    Modularity is never greater with a node of one tie apart from its neighbour, so such leaves, most of a graph of
    citations, are folded into it as a loop of the same weight, which keeps all degrees and sums.
    """
    first, second, weights = ties.first.tolist(), ties.second.tolist(), ties.weight.tolist()
    degree = np.bincount(np.concatenate([ties.first, ties.second]), minlength=len(ties.nodes)).tolist()
    homes = list(range(len(ties.nodes)))
    core: nx.Graph[int] = nx.Graph()
    loops: dict[int, float] = defaultdict(float)
    kept = []
    for one, other, weight in zip(first, second, weights, strict=True):
        if degree[other] == 1:
            homes[other] = one
            loops[one] += weight
        elif degree[one] == 1:
            homes[one] = other
            loops[other] += weight
        else:
            kept.append((one, other, weight))
    core.add_nodes_from(place for place, home in enumerate(homes) if place == home)
    core.add_weighted_edges_from(kept)
    core.add_weighted_edges_from((place, place, weight) for place, weight in loops.items())
    return homes, core


def _names(graph: Graph, groups: list[list[str]], homes: Mapping[str, str]) -> list[str]:
    """Return a name for each group: its areas; else the topics it is about more than others are; else its first node.

    An area names it with a quarter of the items that have any.
    """
    overall: dict[str, float] = defaultdict(float)
    inside: list[Mapping[str, float]] = []
    for group in groups:
        weights: dict[str, float] = defaultdict(float)
        for node in group:
            for _, target, relation, data in graph.out_edges(node, keys=True, data=True):
                if relation == "about":
                    weights[target] += data.get("weight", 1)
                    overall[target] += data.get("weight", 1)
        inside.append(weights)
    names: list[str] = []
    for group, own in zip(groups, inside, strict=True):
        areas = Counter(homes[node] for node in group if node in homes)
        ranked = sorted(areas, key=lambda area: (-areas[area], area))
        labels = [area for area in ranked if _NAMING * areas[area] >= areas.total()][:_NAMED_BY]
        best = sorted(own, key=lambda topic: (-own[topic] * own[topic] / overall[topic], topic))[:_NAMED_BY]
        labels = labels or [graph.nodes[topic]["label"] for topic in best] or [graph.nodes[group[0]]["label"]]
        name = " · ".join(labels)
        names.append(f"{name} ({graph.nodes[group[0]]['label']})" if name in names else name)
    return names
