"""Communities of episodes and topics, and the central nodes."""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from itertools import count, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .attributes import was_read
from .kinds import SOURCES
from .louvain import louvain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from .attributes import Graph

    Ints = np.ndarray[tuple[int], np.dtype[np.int64 | np.int32]]
    Floats = np.ndarray[tuple[int], np.dtype[np.float64]]
    Labels = Callable[[Collection[str]], Mapping[str, str]]
    Bools = np.ndarray[tuple[int], np.dtype[np.bool_]]

# How much an edge of a relation ties or lends standing; other relations tie nothing (a hub ties all).
_TIES = {
    "related": 2.0,
    "listen_first": 2.0,
    "see_also": 1.5,
    "about": 1.0,
    "cites": 1.0,
    "mentions": 0.5,
    "subtopic_of": 0.2,
}
TYING = (*_TIES,)
# The weight of each relation between episodes for communities; for computed edges times their weight.
_KIN = {"related": 3.0, "listen_first": 1.0, "see_also": 1.0}
_FINE = 1.4  # resolution of Louvain's method: of 1, 1.4 and more, the finest stable without an episode
_SEED = 0
_LEAST = 4  # items of an area: fewer join another
OTHERS = "Other episodes"  # the community of items without any ties, where there are communities
_NAMED_BY = 2  # areas in the name of a community
_SHARING = 6  # a topic names a community if at least one of six items is about it
_NAMING = 4  # an area names a community if at least one of four items is of it
LIGHTEST = 1e-3  # weight of a relation: ours are heavier, but a stranger's may be zero or negative
_DAMPING = 0.85  # of PageRank: Brin and Page, 1998
_ROUNDS, _EXACT = 100, 1e-7
_VAST = 1_000_000  # ties, those of some 160,000 episodes: Louvain's method takes 17 s and 280 MB for as many


class Edges(NamedTuple):
    """Edges as arrays: places of both ends in the list of nodes, a weight."""

    first: Ints
    second: Ints
    weight: Floats


class Ties(NamedTuple):
    """The meaningful relations: the nodes, sorted, and each tie once as two positions in that list and a weight.

    ``texts`` marks the episodes, and the posts of the sources. In the direction of the graph's edges:
    ``about``, ``kin`` (between texts) and ``parts`` (from a part to its whole).
    """

    nodes: Sequence[str]
    first: Ints
    second: Ints
    weight: Floats
    texts: Bools
    about: Edges
    kin: Edges
    parts: Edges


def find_ties(graph: Graph) -> Ties:
    """Return the meaningful relations of a graph as undirected ties. Parallel ones add up."""
    known = {  # a merely cited post was not read
        node
        for node, data in graph.nodes(data=True)
        if (kind := data.get("kind")) == "episode" or (kind in SOURCES and (was_read(data) or graph.out_degree(node)))
    }
    numbers: dict[str, int] = defaultdict(count().__next__)
    codes = {relation: code for code, relation in enumerate(TYING)}
    sources, targets, relations, weights = array("i"), array("i"), array("b"), array("d")
    for source, target, relation, data in graph.edges(keys=True, data=True):
        if relation in codes and source != target and not data.get("boilerplate"):
            sources.append(numbers[source])
            targets.append(numbers[target])
            relations.append(codes[relation])
            weights.append(max(data.get("weight", 1), LIGHTEST))
    nodes = sorted(numbers)
    ranked = np.empty(len(nodes), np.int64)
    ranked[[numbers[node] for node in nodes]] = np.arange(len(nodes))
    numbers.clear()
    texts = np.fromiter((node in known for node in nodes), np.bool_, len(nodes))
    edges = Edges(ranked[np.array(sources)], ranked[np.array(targets)], np.array(weights, np.float64))
    coded = np.array(relations)
    del sources, targets, relations, weights, known
    return ties_of(nodes, texts, edges, coded)


def ties_of(nodes: Sequence[str], texts: Bools, edges: Edges, coded: Ints) -> Ties:
    """Return the ties of ``edges``, whose ends are places in ``nodes`` and whose relations, ``coded``, in ``TYING``.

    ``texts`` marks the nodes that are episodes, or posts that were read.
    """
    distinct, place = np.unique(edges.weight, return_inverse=True)
    strength = np.array([max(math.log2(1 + weight), 0.05) for weight in distinct.tolist()])[place]
    strength *= np.array([*_TIES.values()])[coded]
    tied = _joined_both_ways(edges._replace(weight=strength), len(nodes))
    # the weights of kin are those for communities
    relatives = np.isin(coded, [TYING.index(relation) for relation in _KIN]) & texts[edges.first] & texts[edges.second]
    share = np.array([_KIN.get(relation, 0.0) for relation in TYING])
    kin = _selected_edges(edges._replace(weight=edges.weight * share[coded]), relatives)
    about, parts = (_selected_edges(edges, coded == TYING.index(relation)) for relation in ("about", "subtopic_of"))
    return Ties(nodes, *tied, texts, about, kin, parts)


def _selected_edges(edges: Edges, which: Bools) -> Edges:
    return Edges(edges.first[which], edges.second[which], edges.weight[which])


def _joined_both_ways(edges: Edges, total: int) -> Edges:
    """Return each pair of ends once, the lesser first, in order. The weights of parallel edges add up."""
    least = np.minimum(edges.first, edges.second).astype(np.int64)
    keys = least * total + np.maximum(edges.first, edges.second)
    keys, place = np.unique(keys, return_inverse=True)
    sums = np.bincount(place, edges.weight, len(keys)).astype(np.float64)  # of nothing it would be whole numbers
    return Edges((keys // total).astype(np.int32), (keys % total).astype(np.int32), sums)


def communities(graph: Graph, ties: Ties) -> list[str]:
    """Return ``communities_of_ties`` with the areas and labels of a graph in memory."""
    areas = {node: area for node, data in graph.nodes(data=True) if (area := data.get("area"))}

    def labels_of(nodes: Collection[str]) -> dict[str, str]:
        return {node: graph.nodes[node].get("label", node) for node in nodes}

    return communities_of_ties(ties, areas, labels_of)


def communities_of_ties(ties: Ties, areas_of: Mapping[str, str], labels_of: Labels) -> list[str]:
    """Return the name of the community of each node with a meaningful relation, in the order of the nodes.

    ``areas_of`` has the area of each node with one. ``labels_of`` returns labels by node; it is called twice, with few.

    An episode or post about topics of areas belongs to the area of most of its topics, or to the area's whole.
    Louvain's method, with a fixed seed, divides the others by their relatedness and their references to
    each other. Groups of fewer than four items join the group with the closest relations, and all other nodes join
    the group with the strongest ties; items without ties to a group are the community ``OTHERS``. If most items have no
    related ones, the method uses all relations; in a graph that ``is_vast``, each item follows its main topic
    instead. The name of a community joins its areas; else it is a topic shared by its items and few others. A community
    without either has a number, lower for more items. The same graph gives the same result.
    """
    areas, homes = _homes(ties, areas_of, labels_of)
    membership, others = _with_others(_membership(ties, homes, len(areas)), ties.texts)
    order = np.argsort(membership, kind="stable")
    groups = [group for group in np.split(order, np.flatnonzero(np.diff(membership[order])) + 1) if len(group)]
    groups.sort(key=lambda group: (-len(group), int(group[0])))
    name_of_node: list[str] = [""] * len(membership)
    names = _names(ties, groups, areas, homes, labels_of)
    items = [int(np.count_nonzero(ties.texts[group])) for group in groups]
    numbers = count(1)
    for number in sorted(range(len(groups)), key=lambda number: -items[number]):
        name = OTHERS if membership[groups[number][0]] == others else names[number] or f"Area {next(numbers)}"
        for place in groups[number].tolist():
            name_of_node[place] = name
    return name_of_node


def is_vast(ties: Ties) -> bool:
    """Return whether a graph is too large for Louvain's method: topics and areas alone make its communities."""
    return len(ties.first) > _VAST


def _homes(ties: Ties, areas_of: Mapping[str, str], labels_of: Labels) -> tuple[list[str], Ints]:
    """Return the sorted areas, and for each node of ``ties`` the place in them of a text's main area, or -1.

    A text mainly about topics without an area has none.
    """
    about, nodes = ties.about, ties.nodes
    wholes = _wholes_of_areas(ties, areas_of, labels_of)
    best: dict[int, str] = {}
    for text, topics in _by_first(about):
        weights: dict[str, float] = defaultdict(float)
        for topic, weight in topics:
            weights[areas_of.get(nodes[topic], "")] += weight
        area = max(weights, key=lambda area: (weights[area], area))
        if area:
            best[text] = wholes.get(area, area)
    areas = sorted(set(best.values()))
    numbers = {area: number for number, area in enumerate(areas)}
    homes = np.full(len(nodes), -1)
    homes[[*best]] = [numbers[area] for area in best.values()]
    return areas, homes


def _by_first(edges: Edges) -> Iterator[tuple[int, list[tuple[int, float]]]]:
    """Yield the first ends, in order, each with its second ends and weights in the order of the edges."""
    order = np.argsort(edges.first, kind="stable")
    borders = np.flatnonzero(np.diff(edges.first[order], prepend=-1))
    for start, end in pairwise([*borders.tolist(), len(order)]):
        own = order[start:end]
        yield int(edges.first[own[0]]), list(zip(edges.second[own].tolist(), edges.weight[own].tolist(), strict=True))


def _wholes_of_areas(ties: Ties, areas_of: Mapping[str, str], labels_of: Labels) -> dict[str, str]:
    """Return for each part of another area the outermost of its wholes, by label."""
    above: dict[str, str] = {}
    labels = labels_of({ties.nodes[place] for place in ties.parts.first.tolist()} & areas_of.keys())
    for topic, whole in sorted(zip(ties.parts.first.tolist(), ties.parts.second.tolist(), strict=True)):
        part_area, area = (areas_of.get(ties.nodes[place], "") for place in (topic, whole))
        if area and part_area and labels[ties.nodes[topic]] == part_area != area:
            above[part_area] = area
    outermost = {}
    for label in above:
        whole_area, seen = label, {label}
        while (following := above.get(whole_area, "")) and following not in seen:
            seen.add(following)
            whole_area = following
        outermost[label] = whole_area
    return outermost


def _by_all_ties(ties: Ties) -> Ints:
    """Return the number of the community of each node, by its place, from all ties."""
    homes, edges = _without_leaves(ties)
    core = np.flatnonzero(homes == np.arange(len(homes)))
    numbers = np.zeros(len(homes), np.int64)
    numbers[core] = np.arange(len(core))
    pairs = zip(numbers[edges.first].tolist(), numbers[edges.second].tolist(), edges.weight.tolist(), strict=True)
    found = np.array(louvain(len(core), pairs, seed=_SEED), np.int64)
    return found[numbers[homes]]


def _membership(ties: Ties, homes: Ints, areas: int) -> Ints:
    """Return the number of the community of each node, by its position.

    Texts with a main area belong to it (``homes``). Others are grouped by their related texts, in a vast graph by their
    main topics. ``areas`` is the number of areas.
    """
    kin = _joined_both_ways(ties.kin, len(ties.nodes))
    membership = _by_topic(ties, homes, areas) if is_vast(ties) else _by_kin(ties, kin, homes, areas)
    items = np.bincount(membership[ties.texts & (membership >= 0)], minlength=membership.max(initial=-1) + 1)
    _join_small(membership, np.flatnonzero(items < _LEAST).tolist(), kin)
    return _with_other_nodes(membership, ties)


def _with_others(membership: Ints, texts: Bools) -> tuple[Ints, int]:
    """Return the communities with those of too few items as one, and its number: -1 where no other has enough."""
    items = np.bincount(membership[texts], minlength=membership.max(initial=-1) + 1)
    few = (items > 0) & (items < _LEAST)
    if not few.any() or not (items >= _LEAST).any():
        return membership, -1
    others = int(np.flatnonzero(few)[0])
    return np.where(few[membership], others, membership), others


def _by_kin(ties: Ties, kin: Edges, homes: Ints, areas: int) -> Ints:
    """Return ``homes`` with numbers for the texts without one, from the ties between texts, else from all ties.

    Citations and topics alone would group episodes unconnected to a listener.
    """
    membership = homes.copy()
    free = ties.texts & (membership < 0)
    count, texts = np.count_nonzero(free), np.count_nonzero(ties.texts)
    free_edges = _selected_edges(kin, free[kin.first] & free[kin.second])
    kindred = dict.fromkeys(np.stack([free_edges.first, free_edges.second], 1).ravel().tolist())
    if kindred and 2 * len(kindred) >= count:
        numbers = {place: number for number, place in enumerate(kindred)}
        ends = ([numbers[place] for place in side.tolist()] for side in (free_edges.first, free_edges.second))
        pairs = zip(*ends, free_edges.weight.tolist(), strict=True)
        groups = louvain(len(kindred), pairs, resolution=_FINE, seed=_SEED)
        membership[[*kindred]] = areas + np.array(groups)
    elif not areas:
        return _by_all_ties(ties)
    elif 2 * count >= texts:
        _, numbers_of_all = np.unique(_by_all_ties(ties)[free], return_inverse=True)
        membership[free] = areas + numbers_of_all
    return membership


def _by_topic(ties: Ties, homes: Ints, areas: int) -> Ints:
    """Return ``homes`` with a number for each main topic of some texts without any."""
    membership = homes.copy()
    most = np.full(len(membership), -1)
    for text, topics in _by_first(ties.about):
        if membership[text] < 0:
            most[text] = max(topics, key=lambda topic: (topic[1], -topic[0]))[0]
    named = most >= 0
    sizes = np.bincount(most[named], minlength=len(membership))
    named &= sizes[most] >= _LEAST
    _, numbers = np.unique(most[named], return_inverse=True)
    membership[named] = areas + numbers
    return membership


def _join_small(membership: Ints, small: list[int], kin: Edges) -> None:
    """Join each small group to the group with the strongest ties to it on average, the smallest first, in place.

    A group without ties is dissolved: its members join others by their other relations.
    """
    while small:
        sizes = np.bincount(membership[membership >= 0])
        joining = min(small, key=lambda number: (sizes[number], number))
        small.remove(joining)
        if sizes[joining] >= _LEAST:
            continue
        one, other = membership[kin.first], membership[kin.second]
        outside = ((one == joining) != (other == joining)) & (one >= 0) & (other >= 0)
        beyond = (one + other - joining)[outside]
        pull = np.bincount(beyond, kin.weight[outside], len(sizes)) / np.maximum(1, sizes)
        met = np.unique(beyond)
        membership[membership == joining] = met[np.argmax(pull[met])] if len(met) else -1


def _with_other_nodes(membership: Ints, ties: Ties) -> Ints:
    """Let the nodes without a community (-1) join that of their strongest ties, step by step, in place.

    Nodes connected only to each other become one community.
    """
    first_waits, second_waits = membership[ties.first] < 0, membership[ties.second] < 0
    here = np.concatenate([ties.first[first_waits], ties.second[second_waits]])
    there = np.concatenate([ties.second[first_waits], ties.first[second_waits]])
    weight = np.concatenate([ties.weight[first_waits], ties.weight[second_waits]])
    while (meets := membership[there] >= 0).any():
        size = membership.max() + 1
        keys, pair_of = np.unique(here[meets].astype(np.int64) * size + membership[there[meets]], return_inverse=True)
        pull = np.round(np.bincount(pair_of, weight[meets], len(keys)), 9)  # equal for any order of the sums
        best = np.lexsort((keys % size, -pull, keys // size))
        joining, first = np.unique(keys[best] // size, return_index=True)
        membership[joining] = keys[best][first] % size
        waiting = membership[here] < 0
        here, there, weight = here[waiting], there[waiting], weight[waiting]
    # The remaining nodes have ties only to each other: connected ones become one community.
    neighbours: dict[int, list[int]] = defaultdict(list)
    for one, other in zip(here.tolist(), there.tolist(), strict=True):
        neighbours[one].append(other)
    following = int(membership.max(initial=-1)) + 1
    for start in np.flatnonzero(membership < 0).tolist():
        if membership[start] < 0:
            reached: list[int] = [start]
            membership[start] = following
            for node in reached:
                reached += (new := [other for other in neighbours[node] if membership[other] < 0])
                membership[new] = following
            following += 1
    return membership


def ranks(ties: Ties) -> list[float]:
    """Return the PageRank of each node over the meaningful relations, walked both ways. All together give 1."""
    total = len(ties.nodes)
    strength = np.bincount(ties.first, ties.weight, total) + np.bincount(ties.second, ties.weight, total)
    forth, back = ties.weight / strength[ties.first], ties.weight / strength[ties.second]
    rank = np.full(total, 1 / max(1, total))
    for _ in range(_ROUNDS):
        drawn = np.bincount(ties.second, rank[ties.first] * forth, total)
        drawn += np.bincount(ties.first, rank[ties.second] * back, total)
        following = (1 - _DAMPING) / max(1, total) + _DAMPING * drawn
        change = np.abs(following - rank).sum()
        rank = following
        if change < _EXACT:
            break
    rounded: list[float] = np.round(rank, 8).tolist()
    return rounded


def _without_leaves(ties: Ties) -> tuple[Ints, Edges]:
    """Return for each node a node certainly in the same community, and the ties between these.

    Modularity is never greater with a node of one tie apart from its neighbour. So such leaves, most of a graph of
    citations, are folded into the neighbour as a loop of the same weight, with the same degrees and sums.
    """
    total = len(ties.nodes)
    degree = np.bincount(ties.first, minlength=total) + np.bincount(ties.second, minlength=total)
    homes = np.arange(total)
    second_is_leaf = degree[ties.second] == 1
    first_is_leaf = ~second_is_leaf & (degree[ties.first] == 1)
    kept = ~second_is_leaf & ~first_is_leaf
    homes[ties.second[second_is_leaf]] = ties.first[second_is_leaf]
    homes[ties.first[first_is_leaf]] = ties.second[first_is_leaf]
    leaf = ~kept
    into = np.where(second_is_leaf, ties.first, ties.second)[leaf]
    loops = np.bincount(into, ties.weight[leaf], total)
    looped = np.flatnonzero(np.bincount(into, minlength=total))
    first, second = (np.concatenate([side[kept], looped]) for side in (ties.first, ties.second))
    return homes, Edges(first, second, np.concatenate([ties.weight[kept], loops[looped]]))


def _names(ties: Ties, groups: Sequence[Ints], areas: Sequence[str], homes: Ints, labels_of: Labels) -> list[str]:
    """Return a name for each group: its areas; else a topic shared by its items and few others; else "".

    An area needs a quarter of the items with an area, a topic a sixth of the items and most of its own items in the
    group. A group without items has the name of its first node.
    """
    group_of = np.empty(len(ties.nodes), np.int64)
    for number, group in enumerate(groups):
        group_of[group] = number
    # A pair of group and topic as one number, with the number of items about the topic.
    pairs = np.unique(group_of[ties.about.first] * len(ties.nodes) + ties.about.second, return_counts=True)
    about = np.bincount(ties.about.second, minlength=len(ties.nodes))
    shared = [Counter[int]() for _ in groups]
    for pair, items in zip(*(column.tolist() for column in pairs), strict=True):
        number, topic = divmod(pair, len(ties.nodes))
        if 2 * items >= about[topic]:
            shared[number][topic] = items
    best: list[list[int]] = []  # of each group the topic that is common in it and rare outside, if there is one
    for group, topics in zip(groups, shared, strict=True):
        most = [topic for topic in topics if _SHARING * topics[topic] >= np.count_nonzero(ties.texts[group])]
        best.append(sorted(most, key=lambda topic: (-(topics[topic] ** 2) / about[topic], topic))[:1])
    named = {place for group, own in zip(groups, best, strict=True) for place in (int(group[0]), *own)}
    labels = labels_of({ties.nodes[place] for place in named})
    names: list[str] = []
    taken: set[str] = set()
    for group, own in zip(groups, best, strict=True):
        first = labels[ties.nodes[group[0]]]
        counts = Counter(homes[group][homes[group] >= 0].tolist())
        ranked = sorted(counts, key=lambda area: (-counts[area], area))
        parts = [areas[area] for area in ranked if _NAMING * counts[area] >= counts.total()][:_NAMED_BY]
        parts = parts or [labels[ties.nodes[topic]] for topic in own]
        name = " · ".join(parts) if parts or ties.texts[group].any() else first
        names.append(f"{name} ({first})" if name in taken and name else name)
        taken.add(names[-1])
    return names
