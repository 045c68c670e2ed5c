"""Areas of related episodes with the names of their topics, and the central nodes."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from types import MappingProxyType
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np

from .boilerplate import list_texts
from .kinds import RELATIONS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from .attributes import Graph

    Ties = Sequence[tuple[str, str, float]]  # source, target, strength

_RELATED_WEIGHTS = {"related": 3.0, "listen_first": 1.0, "see_also": 1.0}  # of an edge between episodes, by relation
_MINIMUM_MEMBERS, _MAXIMUM_TOPICS = 4, 3  # of an area
OTHERS = "Other episodes"


def find_ties(graph: Graph) -> Ties:
    """Return the edges that tie two nodes together, with their strengths: (source, target, strength).

    They are the input for areas and ranks. The strength is that of the relation (``RELATIONS``) times the logarithm of
    the edge's weight, so that one citation that is repeated often does not outweigh the others; the factor is at least
    0.05, also for a weight near 0. Boilerplate, and relations that would tie everything to a few nodes (their strength
    is 0), are left out.
    """
    return [
        (source, target, RELATIONS[relation].strength * max(math.log2(1 + max(data.get("weight", 1), 0.0)), 0.05))
        for source, target, relation, data in graph.edges(keys=True, data=True)
        if relation in RELATIONS and RELATIONS[relation].strength and source != target and not data.get("boilerplate")
    ]


def rank_nodes(ties: Ties) -> dict[str, float]:
    """Return {node id: its PageRank (Brin and Page 1998)} over the ``ties``, which count in both directions.

    The sum is 1.
    """
    nodes = sorted({node for source, target, _ in ties for node in (source, target)})
    numbers = {node: number for number, node in enumerate(nodes)}
    total, damping = max(1, len(nodes)), 0.85
    ends = np.array([(numbers[source], numbers[target]) for source, target, _ in ties], np.int64).reshape(-1, 2)
    here, there = np.concatenate([ends, ends[:, ::-1]]).T  # each tie in both directions
    strength = np.tile(np.array([strength for *_, strength in ties], np.float64), 2)
    # A node gives its rank to its neighbours, to each in proportion to the strength of the tie.
    share = strength / np.bincount(here, strength, total)[here]
    ranks = np.full(total, 1 / total)
    for _ in range(100):  # 0.85 to the power of 100 is less than a digit of the result
        ranks = (1 - damping) / total + damping * np.bincount(there, ranks[here] * share, total)
    return dict(zip(nodes, ranks.round(8).tolist(), strict=False))


def find_areas(graph: Graph, ties: Ties, previous: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """Return {node id: name of its area} for each episode, and for each node with a tie to one.

    Without episodes, posts count.

    An area is made of the episodes about one to three topics: the area that a vocabulary gives to main topics, else
    frequent topics of related episodes. At most as many other episodes join the areas of their relatives. The name is
    the topic of at least half of the members, or two or three topics that cover half together. Episodes without an area
    are in ``OTHERS``. ``ties`` are from ``find_ties``. ``previous`` has the names of an earlier build ({}: none); areas
    stay as long as their topics do.
    """
    items = list_episodes_or_posts(graph)
    names = _Areas(graph, items).assign_areas(_find_main_areas(graph, items), previous)
    pulls: dict[str, dict[str, float]] = {"": {}}
    while pulls:  # step by step, each other node joins the area of its strongest ties
        pulls = defaultdict(lambda: defaultdict(float))
        for source, target, strength in ties:
            for member, other in ((source, target), (target, source)):
                if member in names and other not in names:
                    pulls[other][names[member]] += strength
        for node, strengths in pulls.items():
            names[node] = max((round(strength, 9), name) for name, strength in strengths.items())[1]
    return dict.fromkeys(list_texts(graph), OTHERS) | names


def list_episodes_or_posts(graph: Graph) -> list[str]:
    """Return the sorted ids of a graph's episodes; without any, of its posts.

    The areas and the atlas are made of these.
    """
    texts = list_texts(graph)
    return [node for node in texts if graph.nodes[node]["kind"] == "episode"] or texts


class _Areas:
    """The areas of items, which are a graph's episodes, or its posts if it has no episodes.

    The first topic of an area's name stands for the area, as its key.
    """

    def __init__(self, graph: Graph, items: Sequence[str]) -> None:
        """Find the topics and the relatives of ``items`` (node ids)."""
        self._items = items
        self._relatives: dict[str, list[tuple[str, float]]] = {item: [] for item in items}
        for item, other, weight in list_related_pairs(graph, items):
            self._relatives[item].append((other, weight))
        self._members = _find_members(graph, items)
        self._labels = {topic: graph.nodes[topic].get("label", topic) for topic in self._members}
        self._area_of: dict[str, str] = {}  # item -> its area
        # Area -> the topics of its name.
        self._topics: dict[str, list[str]] = {}

    def assign_areas(self, main_areas: Mapping[str, str], previous: Mapping[str, str]) -> dict[str, str]:
        """Return {item: name of its area}.

        ``main_areas`` is {item: topic}, the areas that a vocabulary gives; ``previous`` is {item: name of its area in
        an earlier build}.
        """
        # The areas: those of the earlier build, those of the vocabulary, then new ones of frequent topics.
        self._restore_areas(previous)
        former = {*self._topics}
        sizes = Counter(main_areas.values())
        for item, area in main_areas.items():
            if sizes[area] >= _MINIMUM_MEMBERS and item in self._members.get(area, ()):
                self._area_of.setdefault(item, area)
        self._add_areas(math.isqrt(len(self._items) - len(main_areas)) - len(former - sizes.keys()))
        new = {*self._area_of.values()} - former
        self._topics |= {area: [area] for area in sorted(new)}
        while self._join_relatives() or self._add_topics(new):
            pass  # until neither changes anything
        groups = _group_items(self._area_of)
        # Areas that stayed too small are dissolved; their items join the areas of their relatives.
        self._topics = {area: topics for area, topics in self._topics.items() if len(groups[area]) >= _MINIMUM_MEMBERS}
        self._area_of = {item: area for item, area in self._area_of.items() if area in self._topics}
        while self._join_relatives():
            pass
        groups = _group_items(self._area_of)
        for area in new & self._topics.keys():  # the last topic of a name goes if the others cover half of the items
            while 2 * len(groups[area] & self._find_about(self._topics[area][:-1])) >= len(groups[area]):
                self._topics[area].pop()
        names = {area: ", ".join(self._labels[topic] for topic in topics) for area, topics in self._topics.items()}
        return {item: names.get(self._area_of.get(item, ""), OTHERS) for item in self._items}

    def _restore_areas(self, previous: Mapping[str, str]) -> None:
        """Restore the areas of an earlier build whose topics the graph still has.

        ``previous`` has the area of each item.

        Of the former items, as many stay as keep those about the area's topics at half or more.
        """
        by_label = {label: topic for topic, label in self._labels.items()}
        for name, group in sorted(_group_items({item: previous.get(item, "") for item in self._items}).items()):
            topics = [by_label.get(label, "") for label in ([name] if name in by_label else name.split(", "))]
            if all(topics):
                about = self._find_about(topics)
                self._topics[topics[0]] = topics
                # First the items about a topic, then at most as many others.
                staying = sorted(group, key=lambda item: (item not in about, item))[: 2 * len(about & group)]
                self._area_of |= dict.fromkeys(staying, topics[0])

    def _find_about(self, topics: Iterable[str]) -> set[str]:
        """Return the items about at least one of some topics."""
        return set().union(*(self._members[topic] for topic in topics))

    def _add_areas(self, count: int) -> None:
        """Add at most ``count`` areas of one topic each: first the topics whose items are most related to each other.

        A topic with half or more of its items in other areas gets no area.
        """

        def rank(topic: str) -> tuple[float, str]:
            """Return the sort key of a topic: minus the weight of the relations among its items, then its id."""
            group = self._members[topic]
            weights = [weight for item in group for other, weight in self._relatives[item] if other in group]
            # Of topics with the same relatedness, those with more items come first.
            return -round(math.fsum(weights) / math.sqrt(len(group)) + len(group) / 1000, 6), topic

        for topic in sorted(self._members, key=rank):
            free = self._members[topic].difference(self._area_of)
            if count > 0 and topic not in self._topics and 2 * len(free) > len(self._members[topic]):
                self._area_of |= dict.fromkeys(sorted(free), topic)
                count -= 1

    def _find_nearest(self) -> list[tuple[float, str, str]]:
        """Return (gap, item, area) for each item without an area and each area of its relatives, the nearest first.

        The gap is minus the sum of the weights of the relations to the area's items, divided by the root of its size.
        """
        groups = _group_items(self._area_of)
        nearest = []
        for item in self._items:
            if item not in self._area_of:
                pulls: dict[str, float] = defaultdict(float)
                for other, weight in self._relatives[item]:
                    if area := self._area_of.get(other):
                        pulls[area] += weight / math.sqrt(len(groups[area]))
                nearest += [(-round(pull, 6), item, area) for area, pull in pulls.items()]
        return sorted(nearest)

    def _join_relatives(self) -> bool:
        """Add items without an area to that of an item related to them, the nearest first.

        Return whether any was added.

        An area has at most as many items about other topics as items about its own.
        """
        groups = _group_items(self._area_of)
        about = {area: self._find_about(topics) for area, topics in self._topics.items()}
        # How many more items about other topics fit: the items about its own less those about others.
        room = {area: 2 * len(groups[area] & items) - len(groups[area]) for area, items in about.items()}
        count = len(self._area_of)
        for _, item, area in self._find_nearest():
            gain = 1 if item in about[area] else -1
            if item not in self._area_of and room[area] + gain >= 0:
                room[area] += gain
                self._area_of[item] = area
        return len(self._area_of) > count

    def _add_topics(self, areas: Iterable[str]) -> bool:
        """Add to each of ``areas`` one more topic: the one that most of its items without a topic of it are about.

        Items near an area count as its own. A name has at most three topics. Return whether any topic was added.
        """
        used = {topic for topics in self._topics.values() for topic in topics}
        count_before = len(used)
        # The nearest area of an item comes last, so it replaces the others.
        nearest_area = {item: area for _, item, area in reversed(self._find_nearest())}
        groups = _group_items(nearest_area | self._area_of)
        for area in sorted(areas):
            rest = groups[area] - self._find_about(self._topics[area])
            counts = [(len(group & rest), topic) for topic, group in self._members.items() if topic not in used]
            count, topic = max(counts, default=(0, ""))
            if count >= 2 and len(self._topics[area]) < _MAXIMUM_TOPICS:
                self._topics[area].append(topic)
                used.add(topic)
        return len(used) > count_before


def _group_items(area_of: Mapping[str, str]) -> dict[str, set[str]]:
    """Return {area: its items} for ``area_of``, which is {item: its area}."""
    groups: dict[str, set[str]] = defaultdict(set)
    for item, area in area_of.items():
        groups[area].add(item)
    return groups


def list_related_pairs(graph: Graph, items: Collection[str]) -> list[tuple[str, str, float]]:
    """Return the edges that relate two of ``items`` (node ids), each in both directions: (item, other item, weight)."""
    ends = {*items}
    pairs = []
    for item, other, relation, data in graph.out_edges(items, keys=True, data=True):
        if relation in _RELATED_WEIGHTS and other in ends and other != item:
            weight = _RELATED_WEIGHTS[relation] * max(data.get("weight", 1), 1e-3)
            pairs += [(item, other, weight), (other, item, weight)]
    return pairs


def _find_members(graph: Graph, items: Collection[str]) -> dict[str, set[str]]:
    """Return {topic: the ``items`` (ids of episodes or posts) about it or a part of it}.

    Topics of a single item or of more than half of the items, and topics that are the name of the show, are left
    out.
    """
    members: dict[str, set[str]] = defaultdict(set)
    wholes = nx.DiGraph((part, whole) for part, whole, key in graph.edges(keys=True) if key == "subtopic_of")
    for item, topic, relation in graph.out_edges(items, keys=True):
        if relation == "about":
            for whole in (topic, *(nx.descendants(wholes, topic) if topic in wholes else ())):
                members[whole].add(item)
    titles = [data.get("title", "").casefold() for _, data in graph.nodes(data=True) if data.get("kind") == "podcast"]
    words = {word for title in titles for word in title.split()}
    return {
        topic: group
        for topic, group in sorted(members.items())
        if 2 <= len(group) <= len(items) / 2
        and not words.issuperset(graph.nodes[topic].get("label", topic).casefold().split())
    }


def _find_main_areas(graph: Graph, items: Iterable[str]) -> dict[str, str]:
    """Return {item: topic} for ``items`` with topics in areas of a vocabulary: the area that the item is most about.

    If that area is a part of another one, the outermost is returned. An area is given by the id of its topic.
    """
    topics = {data["area"]: node for node, data in graph.nodes(data=True) if data.get("area", "") == data.get("label")}
    area_by_topic = {node: topics.get(data.get("area", ""), "") for node, data in graph.nodes(data=True)}
    wholes: dict[str, str] = {}
    for area in topics.values():
        ends = sorted(end for _, end, relation in graph.out_edges(area, keys=True) if relation == "subtopic_of")
        above = [other for end in ends if (other := area_by_topic[end]) not in ("", area)]
        wholes[area] = above[0] if above else area
    area_of: dict[str, str] = {}
    for item in items if topics else ():
        weights: dict[str, float] = defaultdict(float)
        for _, topic, relation, data in graph.out_edges(item, keys=True, data=True):
            if relation == "about" and (area := area_by_topic[topic]):
                weights[area] += data.get("weight", 1)
        if weights:
            main_area = max(weights, key=lambda topic: (round(weights[topic], 6), topic))
            for _ in wholes:  # at most as many steps as there are areas: so a circle ends, too
                main_area = wholes[main_area]
            area_of[item] = main_area
    return area_of
