"""Areas of related episodes with the names of their topics, and the central nodes."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from heapq import heapify, heappop, heappush
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from .attributes import was_read
from .kinds import SOURCES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from .attributes import Graph

    Ties = Mapping[tuple[str, str], float]  # strengths by pair

# The strength of each relation; other relations would tie everything to a few hubs.
_STRENGTHS = {
    "related": 2.0,
    "listen_first": 2.0,
    "see_also": 1.5,
    "about": 1.0,
    "cites": 1.0,
    "mentions": 0.5,
    "subtopic_of": 0.2,
}
_KIN = {"related": 3.0, "listen_first": 1.0, "see_also": 1.0}  # weights between episodes
_FEWEST, _MOST_TOPICS = 4, 3  # members and topics of an area
OTHERS = "Other episodes"


def find_ties(graph: Graph) -> Ties:
    """Return the strength of the meaningful relations of each two nodes. Parallel ones add up."""
    strengths: dict[tuple[str, str], float] = defaultdict(float)
    for source, target, relation, data in graph.edges(keys=True, data=True):
        if relation in _STRENGTHS and source != target and not data.get("boilerplate"):
            strength = max(math.log2(1 + max(data.get("weight", 1), 0.0)), 0.05)
            strengths[min(source, target), max(source, target)] += _STRENGTHS[relation] * strength
    return strengths


def rank_nodes(ties: Ties) -> dict[str, float]:
    """Return the PageRank (Brin and Page 1998) of each node over the ties in both directions. The sum is 1."""
    nodes = sorted({node for pair in ties for node in pair})
    numbers = {node: number for number, node in enumerate(nodes)}
    total, damping = len(nodes), 0.85
    first, second = ([numbers[pair[side]] for pair in ties] for side in (0, 1))
    here, there = np.array(first + second, np.int64), np.array(second + first, np.int64)
    strength = np.tile(np.array([*ties.values()], np.float64), 2)
    share = strength / np.bincount(here, strength, total)[here]
    ranks = np.full(total, 1 / max(1, total))
    for _ in range(100):
        following = (1 - damping) / max(1, total) + damping * np.bincount(there, ranks[here] * share, total)
        change = np.abs(following - ranks).sum()
        ranks = following
        if change < 1e-7:
            break
    return dict(zip(nodes, ranks.round(8).tolist(), strict=True))


def find_areas(graph: Graph, ties: Ties, previous: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """Return the name of the area of each episode, and of each node with a tie to one. Without episodes, posts count.

    An area is made of the episodes about one to three topics: the area that a vocabulary gives to main topics, else
    frequent topics of related episodes. At most as many other episodes join the areas of their relatives. The name
    is the topic of at least half of the members, or two or three topics that cover half together. Episodes without an
    area are in ``OTHERS``. ``previous`` has the names of an earlier build; areas stay as long as their topics do.
    """
    items = find_items(graph)
    names = _Areas(graph, items, previous).divide(_find_main_areas(graph, items))
    best: dict[str, tuple[float, str]] = {"": (0.0, "")}
    while best:  # step by step, each other node joins the area of its strongest ties
        pulls: dict[tuple[str, str], float] = defaultdict(float)
        for (one, other), strength in ties.items():
            if one in names:
                if other not in names:
                    pulls[other, names[one]] += strength
            elif other in names:
                pulls[one, names[other]] += strength
        best = {}
        for (node, name), pull in pulls.items():
            best[node] = max(best.get(node, (0.0, "")), (round(pull, 9), name))
        names |= {node: name for node, (_, name) in best.items()}
    return dict.fromkeys(_find_texts(graph), OTHERS) | names


def find_items(graph: Graph) -> list[str]:
    """Return the sorted episodes of a graph; without any, its posts."""
    texts = _find_texts(graph)
    return [node for node in texts if graph.nodes[node]["kind"] == "episode"] or texts


def _find_texts(graph: Graph) -> list[str]:
    """Return the sorted episodes, and the posts that were read."""
    return sorted(
        node
        for node, data in graph.nodes(data=True)
        if (kind := data.get("kind")) == "episode" or (kind in SOURCES and (was_read(data) or graph.out_degree(node)))
    )


class _Areas:
    """The areas of episodes, or of posts. The first topic of its name stands for an area."""

    def __init__(self, graph: Graph, items: Sequence[str], previous: Mapping[str, str]) -> None:
        """Find the items about each topic and their relatives; restore the areas of an earlier build."""
        self._items = items
        self._kin = find_kin(graph, items)
        self._members = _find_members(graph, items)
        self._labels = {topic: graph.nodes[topic].get("label", topic) for topic in self._members}
        self._area_of: dict[str, str] = {}
        self._topics: dict[str, Sequence[str]] = {}  # by area
        self._former: dict[str, str] = {}  # areas in the earlier build
        by_label = {label: topic for topic, label in self._labels.items()}
        for name in sorted({*previous.values()}):
            labels = [name] if name in by_label else name.split(", ")
            topics = [by_label.get(label, "") for label in labels]
            if all(topics):
                self._topics[topics[0]] = topics
                self._former |= {item: topics[0] for item in items if previous.get(item) == name}
        self._area_of = self._keep_covered(self._former)

    def divide(self, main_areas: Mapping[str, str]) -> dict[str, str]:
        """Return the name of the area of each item. ``main_areas`` are topics of a vocabulary."""
        kept = self._area_of
        sizes = Counter(main_areas.values())
        self._area_of = {
            item: area
            for item, area in main_areas.items()
            if sizes[area] >= _FEWEST and item in self._members.get(area, ())
        } | kept
        count = sum(area not in sizes for area in self._topics)
        self._add_areas(math.isqrt(len(self._items) - len(main_areas)) - count)
        new = {*self._area_of.values()} - self._topics.keys()
        self._topics |= {area: [area] for area in sorted(new)}
        self._join_topics(new)
        self._choose_nearest()
        self._area_of |= kept
        topics: Mapping[str, Sequence[str]] = {}
        while topics != self._topics:  # a shorter name covers fewer items, which then may join another area
            topics = self._topics
            self._area_of = self._keep_covered(self._area_of)
            self._join_others()
            groups = defaultdict(set)
            for item, area in self._area_of.items():
                groups[area].add(item)
            self._topics = {
                area: self._shorten(topics[area], group) if area in new else topics[area]
                for area, group in sorted(groups.items())
                if len(group) >= _FEWEST
            }
        names = {area: ", ".join(self._labels[topic] for topic in chosen) for area, chosen in topics.items()}
        return {item: names.get(self._area_of.get(item, ""), OTHERS) for item in self._items}

    def _keep_covered(self, area_of: Mapping[str, str]) -> dict[str, str]:
        """Return the areas of the items about a topic of their area."""
        return {
            item: area
            for item, area in area_of.items()
            if any(item in self._members[topic] for topic in self._topics.get(area, ()))
        }

    def _find_free(self, topic: str) -> list[str]:
        """Return the items about a topic that have no area yet."""
        return sorted(item for item in self._members[topic] if item not in self._area_of)

    def _measure(self, topic: str) -> float:
        """Return the weights between the free items about a topic, and a little for each item."""
        group = {*self._find_free(topic)}
        if len(group) < 2:
            return 0.0
        weights = [weight for item in group for other, weight in self._kin[item].items() if other in group]
        return round(math.fsum(weights) + len(group) / 1000, 6)

    def _add_areas(self, count: int) -> None:
        """Add areas of one topic each, those with the most related items first."""
        waiting = [(-self._measure(topic), topic) for topic in self._members if topic not in self._topics]
        heapify(waiting)
        while count > 0 and waiting and waiting[0][0] < 0:
            former, topic = heappop(waiting)
            size = self._measure(topic)
            if size < -former:  # an earlier area has taken some of the items
                heappush(waiting, (-size, topic))
            else:
                self._area_of |= dict.fromkeys(self._find_free(topic), topic)
                count -= 1

    def _join_topics(self, areas: Iterable[str]) -> None:
        """Add topics to each area: of those nearest to it, the ones of most items that have no area yet."""
        best: dict[str, tuple[int, float, str]] = {"": (0, 0.0, "")}
        while best:
            best = {}
            unfinished = {area for area in areas if len(self._topics[area]) < _MOST_TOPICS}
            sizes = Counter(self._area_of.values())
            for topic in self._members:
                free = self._find_free(topic)
                pull, area = self._find_nearest(free, unfinished, sizes)
                if len(free) >= 2 and area:
                    best[area] = max(best.get(area, (0, 0.0, "")), (len(free), pull, topic))
            for area, (*_, topic) in sorted(best.items()):
                self._topics[area] = [*self._topics[area], topic]
                self._area_of |= dict.fromkeys(self._find_free(topic), area)

    def _choose_nearest(self) -> None:
        """Move each item about topics of several areas to the nearest of these."""
        choices: dict[str, set[str]] = defaultdict(set)
        for area, topics in self._topics.items():
            for topic in topics:
                for item in self._members[topic]:
                    choices[item].add(area)
        for _ in range(2):
            sizes = Counter(self._area_of.values())
            nearest = {item: self._find_nearest([item], areas, sizes)[1] for item, areas in choices.items()}
            self._area_of |= {item: area for item, area in nearest.items() if area}

    def _find_nearest(
        self, group: Iterable[str], areas: Collection[str], sizes: Mapping[str, int]
    ) -> tuple[float, str]:
        """Return the strength of the kin of some items in the nearest area, relative to its size, and that area."""
        pull: dict[str, float] = defaultdict(float)
        for item in group:
            for other, weight in self._kin[item].items():
                if (area := self._area_of.get(other, "")) in areas:
                    pull[area] += weight / math.sqrt(sizes[area])
        return max(((round(strength, 6), area) for area, strength in pull.items()), default=(0.0, ""))

    def _join_others(self) -> None:
        """Add items to their former or nearest areas. An area at most doubles."""
        sizes = Counter(self._area_of.values())
        room = sizes.copy()
        waiting = [item for item in self._items if item not in self._area_of]
        left = len(waiting) + 1
        while len(waiting) < left:
            left = len(waiting)
            areas = {area for area in room if room[area]}
            nearest = {item: self._find_nearest([item], areas, sizes) for item in waiting}
            nearest |= {item: (math.inf, area) for item in waiting if (area := self._former.get(item, "")) in areas}
            for item in sorted(waiting, key=lambda item: (-nearest[item][0], item)):
                area = nearest[item][1]
                if room[area]:
                    room[area] -= 1
                    self._area_of[item] = area
            waiting = [item for item in waiting if item not in self._area_of]

    def _shorten(self, topics: Sequence[str], group: Collection[str]) -> Sequence[str]:
        """Return the first topics that cover at least half of some items."""
        covered: set[str] = set()
        for count, topic in enumerate(topics, 1):
            covered.update(self._members[topic])
            if 2 * len(covered.intersection(group)) >= len(group):
                return topics[:count]
        return topics


def find_kin(graph: Graph, items: Collection[str]) -> Mapping[str, Mapping[str, float]]:
    """Return the weights between items, in both directions."""
    kin: dict[str, dict[str, float]] = {item: {} for item in items}
    for item, other, relation, data in graph.edges(keys=True, data=True):
        if relation in _KIN and item in kin and other in kin and other != item:
            weight = kin[item].get(other, 0.0) + _KIN[relation] * max(data.get("weight", 1), 1e-3)
            kin[item][other] = kin[other][item] = weight
    return kin


def _find_members(graph: Graph, items: Collection[str]) -> dict[str, set[str]]:
    """Return the items about each topic or a part of it. Topics of one or most items and names of the show are out."""
    members: dict[str, set[str]] = defaultdict(set)
    for item in items:
        waiting = [topic for _, topic, relation in graph.out_edges(item, keys=True) if relation == "about"]
        while waiting:
            topic = waiting.pop()
            if item not in members[topic]:
                members[topic].add(item)
                edges = graph.out_edges(topic, keys=True)
                waiting += [whole for _, whole, relation in edges if relation == "subtopic_of"]
    titles = [data.get("title", "").casefold() for _, data in graph.nodes(data=True) if data.get("kind") == "podcast"]
    words = {word for title in titles for word in title.split()}
    return {
        topic: group
        for topic, group in sorted(members.items())
        if 2 <= len(group) <= len(items) / 2
        and not words.issuperset(graph.nodes[topic].get("label", topic).casefold().split())
    }


def _find_main_areas(graph: Graph, items: Iterable[str]) -> dict[str, str]:
    """Return the topic that is the area of the main topic of each item, or that area's outermost whole."""
    topics: dict[str, str] = {}
    for node, data in graph.nodes(data=True):
        if "area" in data and data["area"] == data.get("label"):
            topics[data["area"]] = node
    wholes = {
        area: above
        for area in topics.values()
        for _, whole, relation in sorted(graph.out_edges(area, keys=True))
        if relation == "subtopic_of" and (above := topics.get(graph.nodes[whole].get("area", ""), area)) != area
    }
    area_of = {}
    for item in items:
        weights: dict[str, float] = defaultdict(float)
        for _, topic, relation, edge in graph.out_edges(item, keys=True, data=True):
            if relation == "about" and (area := topics.get(graph.nodes[topic].get("area", ""), "")):
                weights[area] += edge.get("weight", 1)
        if weights:
            area_of[item] = max(weights, key=lambda topic: (weights[topic], topic))
    for item, area in area_of.items():
        passed = [area]
        while (whole := wholes.get(passed[-1], "")) and whole not in passed:
            passed.append(whole)
        area_of[item] = passed[-1]
    return area_of
