"""Related episodes and posts, each with the reasons a person would give.

The score of a pair sums what ties it: topics, their groups and areas by how rare they are, topics that are spoken of
together in the code, words of title and notes (TF-IDF), code and sources that both name, and what one says of the
other. Only what has a nameable reason is kept; an area that only groups topics is one behind three others. Pairs are
met through an inverted index in which each feature proposes only those who hold it most, so the work grows with the
number of episodes and not with its square.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from heapq import nlargest
from itertools import chain, islice, pairwise
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from podgraph.extractors import language_of, own_place

from .attributes import is_only_said, is_said, was_read
from .content_words import series_of, words_of
from .kinds import SOURCES

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from podgraph.extractors import Aside

    from .attributes import EdgeAttributes, Graph, NewEdge, NodeAttributes

    Vectors = Mapping[str, Mapping[str, float]]
    Together = Mapping[tuple[str, str], tuple[float, str]]
    Ints = np.ndarray[tuple[int], np.dtype[np.int64]]
    Floats = np.ndarray[tuple[int], np.dtype[np.float64]]

_PER_EPISODE = 5
_PROPOSING = 6  # how many of its features of a family, the strongest, find a node its proposals
_CHAMPIONS = 14  # how many of those that share a feature it proposes
_BLOCK = 1024  # places whose proposals are summed in one step: what is held at once does not grow
_RESCORED = 16  # how many proposals of each episode are looked at closely
_LEAST = 0.14  # below this score the tie is too thin to be of use
_GROWN = 40  # texts from which on that holds: in a small show the same tie scores less, its topics being less rare
_BROAD, _BROAD_LEAST = 0.15, 8  # of the texts are about a derived topic: too many for it to be a reason alone
WEIGHTS = {
    "topic": 1.0, "area": 0.35, "near": 0.4, "word": 0.8, "symbol": 0.3, "source": 0.3, "series": 0.3, "said": 0.3,
    "speech": 0.3,
}  # fmt: skip
_SAID = {"listen_first": 0.5, "see_also": 0.5}
_HEARD = ("said", "speech")  # families of what is said
_TITLE_WORDS = 2.0  # a word of the title counts as often
_NEAR_AT_MOST = 0.6  # how much of a topic stands for one that is spoken of with it, however often
_TOGETHER = 0.1  # two topics of two episodes that stand for each other less are no reason
_SUBJECT = 2.0  # an episode that is less about a topic names it in passing
_WIDE = 0.15  # of all episodes: what more of them are in the field of says nothing of two
_BEHIND = 3  # named reasons go before an area alone, which counts little then
_BY_AREA = 0.2
_SAYS = {"listen_first": "“{}” says: listen to “{}” first", "see_also": "“{}” names “{}” in its notes"}


def find_related(
    graph: Graph,
    per_episode: int = _PER_EPISODE,
    together: Together | None = None,
    asides: Mapping[str, Sequence[Aside]] | None = None,
    said: Mapping[str, str] | None = None,
) -> Iterator[NewEdge]:
    """Find the related episodes and posts of each: (source, target, attributes), attributes ``weight`` and ``reasons``.

    ``weight`` lies between 0 and about 3 and compares across the graph; at most ``per_episode`` targets for each
    source, the strongest first. ``together`` maps two topics (by id, in order) to how much they are spoken of together
    (0..1) and where; ``asides`` are the passages of each item's notes that its feed repeats, which say nothing;
    ``said`` is the text of the transcript of each item that has one. The graph itself is not changed; the order of its
    nodes does not matter.
    """
    texts = _texts(graph)
    near = _neighbours(together or {}, graph)
    vectors = {
        family: _vectors(features, len(texts), unsaid=family == "topic")
        for family, features in _features(graph, texts, near, asides or {}, said or {}).items()
    }
    for family in _HEARD:
        vectors[family] = _as_far_as_heard(vectors[family])
    told = _said(graph, set(texts))
    spoken = _spoken(told, texts)
    table = _Table(vectors, texts)
    derived = any(data.get("derived") for _, data in graph.nodes(data=True))  # topics of the show's own words
    least = _LEAST * min(1.0, len(texts) / _GROWN) if derived else _LEAST
    ties = _Reasons(graph, vectors, told, near, _broad_topics(graph, len(texts)))
    by_area: list[NewEdge] = []
    own: Counter[str] = Counter()
    beside: dict[str, set[str]] = defaultdict(set)  # who has a named reason with it, either way
    for place, (source, likely) in enumerate(zip(texts, _proposals(vectors, texts, spoken), strict=True)):
        scored = zip(likely, table.products(place, likely), strict=True)
        ranked = sorted((-round(product + spoken.get((place, other), 0.0), 4), other) for other, product in scored)
        strong = [(texts[other], -negative) for negative, other in ranked if -negative >= least]
        explained = ((target, score, reasons) for target, score in strong if (reasons := ties.named(source, target)))
        kept = list(islice(explained, per_episode))
        own[source] = len(kept)
        for target, score, reasons in kept:
            beside[source].add(target)
            beside[target].add(source)
            yield source, target, {"weight": score, "reasons": reasons}
        grouped = ((target, score, reasons) for target, score in strong if (reasons := ties.grouped(source, target)))
        for target, score, reasons in islice(grouped, max(0, per_episode - len(kept))):
            by_area.append(
                (source, target, {"weight": round(min(score * _BY_AREA, 0.9 * least), 4), "reasons": reasons})
            )
    yield from (edge for edge in by_area if own[edge[0]] >= _BEHIND and len(beside[edge[1]]) >= _BEHIND)


def _neighbours(together: Together, graph: Graph) -> dict[str, dict[str, tuple[float, str]]]:
    """Return for each topic of the graph those that it is spoken of with: how much one stands for the other, where."""
    near: dict[str, dict[str, tuple[float, str]]] = defaultdict(dict)
    for (one, other), (value, path) in together.items():
        first, second = f"topic:{one}", f"topic:{other}"
        if first in graph and second in graph:
            near[first][second] = near[second][first] = min(value, _NEAR_AT_MOST), path
    return near


def _texts(graph: Graph) -> list[str]:
    return sorted(node for node, data in graph.nodes(data=True) if data["kind"] in SOURCES and was_read(data))


def _spoken(said: Mapping[tuple[str, str], str], texts: Sequence[str]) -> dict[tuple[int, int], float]:
    """Return what is added to pairs of places, both ways, for what one says of the other."""
    places = {node: place for place, node in enumerate(texts)}
    spoken: dict[tuple[int, int], float] = defaultdict(float)
    for (source, target), relation in said.items():
        for one, other in ((places[source], places[target]), (places[target], places[source])):
            spoken[one, other] += _SAID[relation]
    return spoken


def _features(
    graph: Graph,
    texts: Sequence[str],
    near: Mapping[str, Mapping[str, tuple[float, str]]],
    asides: Mapping[str, Sequence[Aside]],
    said: Mapping[str, str],
) -> dict[str, dict[str, dict[str, float]]]:
    """Return, by family and node, what it is made of and how much, not yet times its rarity."""
    groups, codes = _groups(graph), _codes(graph, texts)
    found = {
        node: _ties(graph, node, groups, near)
        | _wording(graph.nodes[node], codes[graph.nodes[node].get("podcast", "")], asides.get(node, ()))
        | _speech(said.get(node, ""), codes[graph.nodes[node].get("podcast", "")])
        for node in texts
    }
    return {family: {node: found[node].get(family, {}) for node in texts} for family in WEIGHTS}


def _ties(
    graph: Graph,
    node: str,
    groups: Mapping[str, Iterable[str]],
    near: Mapping[str, Mapping[str, tuple[float, str]]],
) -> dict[str, dict[str, float]]:
    """Return what the edges of a node say of it, by family: topics, what these are part of, symbols, sources."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for _, target, relation, data in graph.out_edges(node, keys=True, data=True):
        kind = graph.nodes[target].get("kind")
        if data.get("furniture"):
            continue
        if is_said(data):
            found["said"][target] = _said_often(data)
        if is_only_said(data):
            continue
        if relation == "about":
            found["topic"][target] = strength = math.sqrt(data.get("weight", 1))
            for group in groups[target]:
                found["area"][group] = max(found["area"].get(group, 0.0), strength)
            for other, (value, _) in {target: (1.0, ""), **near.get(target, {})}.items() if near else ():
                found["near"][other] = max(found["near"].get(other, 0.0), strength * value)
        elif relation == "mentions" and kind == "symbol":
            found["symbol"][target] = 1.0
        elif relation in ("cites", "mentions") and kind not in ("repo", *SOURCES) and not _is_handle(graph, target):
            found["source"][target] = 1.0
    return found


def _said_often(data: EdgeAttributes) -> float:
    """Return how much a transcript says something: the logarithm of the minutes in which it does."""
    return 1.0 + math.log(max(len(item.get("moments", ())) or 1 for item in data["evidence"]))


def _is_handle(graph: Graph, node: str) -> bool:
    """Tell whether a page is somebody's own place on a network: it says who spoke, and not of what."""
    data = graph.nodes[node]
    return data.get("kind") == "web" and own_place(data.get("url", "")) != ""


def _broad_topics(graph: Graph, total: int) -> frozenset[str]:
    """Return the topics of a show's own words that so many of ``total`` texts are about that they tie nothing alone."""
    most = max(_BROAD_LEAST, _BROAD * total)
    topics = ((node, data) for node, data in graph.nodes(data=True) if data["kind"] == "topic" and data.get("derived"))
    return frozenset(node for node, data in topics if data.get("count", 0) > most)


def _codes(graph: Graph, texts: Sequence[str]) -> dict[str, str]:
    """Return the language of each podcast by its id, as two letters."""
    words: dict[str, list[str]] = defaultdict(list)
    for node in texts:
        data = graph.nodes[node]
        words[data.get("podcast", "")].append(f"{data.get('title', '')} {data.get('summary', '')}")
    return {
        podcast: language_of(graph.nodes.get(podcast, {}).get("language", ""), spoken).code
        for podcast, spoken in words.items()
    }


def _wording(attributes: NodeAttributes, code: str, asides: Sequence[Aside]) -> dict[str, dict[str, float]]:
    """Return what title and notes say of a node, by family: words, and the series that the title names."""
    counts: dict[str, float] = defaultdict(float)
    notes, told, last = attributes.get("summary", ""), [], 0
    for aside in asides:
        told.append(notes[last : aside.start])
        last = aside.end
    told.append(notes[last:])
    for text, times in ((attributes.get("title", ""), _TITLE_WORDS), ("\n".join(told), 1.0)):
        for word in words_of(text, code):
            counts[word] += times
    series = series_of(attributes.get("title", ""))
    return {
        "word": {word: 1.0 + math.log(count) for word, count in counts.items()},
        "series": {series: 1.0} if series else {},
    }


def _speech(text: str, code: str) -> dict[str, dict[str, float]]:
    """Return the words of a transcript, apart from those of the notes: said often, they would drown these."""
    counts = Counter(words_of(text, code)) if text else {}
    return {"speech": {word: 1.0 + math.log(count) for word, count in counts.items()}}


def _groups(graph: Graph) -> dict[str, list[str]]:
    """Return for each topic the labels of its area, of what it is part of, and of itself if it has parts."""
    above = {node: _wholes(graph, node) for node, data in graph.nodes(data=True) if data["kind"] == "topic"}
    whole = {parent for parents in above.values() for parent in parents}
    groups = {}
    for topic, parents in above.items():
        wider = (*parents, topic) if topic in whole else parents
        # What lies in no area itself, the subject as such, groups nothing.
        labels = {graph.nodes[node]["label"] for node in wider if "area" in graph.nodes[node]}
        groups[topic] = sorted(labels | {graph.nodes[topic].get("area", "")} - {""})
    return groups


def _wholes(graph: Graph, topic: str) -> list[str]:
    return [target for _, target, key in graph.out_edges(topic, keys=True) if key == "subtopic_of"]


def _vectors(features: Vectors, total: int, *, unsaid: bool = False) -> dict[str, dict[str, float]]:
    """Return vectors of weight times rarity (idf) for each node; what only one holds counts in the length.

    Their length is 1; with ``unsaid``, less the fewer features a node has: each is taken to have as much again as the
    average node that it does not say, or a bare title of one topic would be that topic's best example.
    """
    spread = Counter(chain.from_iterable(features.values()))
    rarity = {feature: math.log((total + 1) / count) for feature, count in spread.items()}
    weighed = {
        node: {feature: weight * rarity[feature] for feature, weight in held.items()} for node, held in features.items()
    }
    lengths = _lengths(weighed, unsaid=unsaid)
    return {
        node: {feature: value / lengths[node] for feature, value in held.items() if spread[feature] > 1}
        for node, held in weighed.items()
    }


def _as_far_as_heard(vectors: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Return vectors as long as the part of the nodes that has any: few transcripts must not tie for being there."""
    part = math.sqrt(sum(map(bool, vectors.values())) / max(1, len(vectors)))
    return {node: {feature: value * part for feature, value in held.items()} for node, held in vectors.items()}


def _lengths(vectors: Vectors, *, unsaid: bool) -> dict[str, float]:
    """Return the Euclidean length of each vector that is not empty; with ``unsaid``, of it and as much as the mean."""
    squares = {node: math.fsum(value**2 for value in held.values()) for node, held in vectors.items() if held}
    more = fmean(squares.values()) if unsaid and squares else 0.0
    return {node: math.sqrt(square + more) for node, square in squares.items()}


def _proposals(
    vectors: Mapping[str, Vectors], texts: Sequence[str], spoken: Mapping[tuple[int, int], float]
) -> Iterator[list[int]]:
    """Yield for each of ``texts``, by place, those that share a strong feature and hold it most, the likeliest first.

    ``spoken`` are pairs of places that meet anyhow, and how much that adds.
    """
    features, holders, values = _holdings(vectors, texts)
    ranked = np.lexsort((holders, -values, features))
    champions, champion_values = holders[ranked], values[ranked]
    counts = np.bincount(features)
    starts = np.cumsum(counts) - counts
    counts = np.minimum(counts, _CHAMPIONS)
    by_place = np.argsort(holders, kind="stable")
    features, holders, values = features[by_place], holders[by_place], values[by_place]
    bounds = np.searchsorted(holders, np.arange(0, len(texts) + _BLOCK, _BLOCK))
    extra = sorted(spoken.items())
    handled = 0
    for low, (begin, end) in zip(range(0, len(texts), _BLOCK), pairwise(bounds), strict=False):
        known = counts[features[begin:end]]
        own = np.repeat(np.arange(begin, end), known)
        met = np.arange(len(own)) - np.repeat(np.cumsum(known) - known, known) + starts[features[own]]
        keys = (holders[own] - low) * len(texts) + champions[met]
        weights = values[own] * champion_values[met]
        strangers = holders[own] != champions[met]
        keys, weights = keys[strangers], weights[strangers]
        until = handled
        while until < len(extra) and extra[until][0][0] < low + _BLOCK:
            until += 1
        pairs, handled = extra[handled:until], until
        keys = np.append(keys, np.array([(one - low) * len(texts) + other for (one, other), _ in pairs], np.int64))
        weights = np.append(weights, np.array([weight for _, weight in pairs]))
        found, inverse = np.unique(keys, return_inverse=True)
        sums = np.bincount(inverse, weights, len(found))
        best = np.lexsort((found, -sums, found // len(texts)))
        found = found[best]
        borders = np.searchsorted(found // len(texts), np.arange(min(_BLOCK, len(texts) - low) + 1))
        for first, last in pairwise(borders.tolist()):
            yield (found[first : min(last, first + _RESCORED)] % len(texts)).tolist()


def _holdings(vectors: Mapping[str, Vectors], texts: Sequence[str]) -> tuple[Ints, Ints, Floats]:
    """Return, for the strongest features of each of ``texts``, three arrays: number of the feature, place, value."""
    numbers: dict[tuple[str, str], int] = {}
    features: list[int] = []
    holders: list[int] = []
    values: list[float] = []
    for family, of_nodes in vectors.items():
        scale = math.sqrt(WEIGHTS[family])
        for place, node in enumerate(texts):
            strongest = nlargest(_PROPOSING, of_nodes[node].items(), key=lambda item: (item[1], item[0]))
            for feature, value in strongest:
                features.append(numbers.setdefault((family, feature), len(numbers)))
                holders.append(place)
                values.append(value * scale)
    return np.array(features, np.int64), np.array(holders, np.int64), np.array(values, np.float64)


class _Table:
    """The vectors of all families side by side as arrays, so that one node meets many others in one step."""

    def __init__(self, vectors: Mapping[str, Vectors], texts: Sequence[str]) -> None:
        numbers: dict[tuple[str, str], int] = {}
        self._features, self._values = [], []
        for node in texts:
            row = {
                numbers.setdefault((family, feature), len(numbers)): value * math.sqrt(WEIGHTS[family])
                for family, of_nodes in vectors.items()
                for feature, value in sorted(of_nodes[node].items())
            }
            self._features.append(np.fromiter(row.keys(), np.int64, len(row)))
            self._values.append(np.fromiter(row.values(), np.float64, len(row)))
        self._own = np.zeros(len(numbers))

    def products(self, place: int, others: Sequence[int]) -> list[float]:
        """Return the scalar product of the node at ``place`` with each of ``others``, in their order."""
        self._own[self._features[place]] = self._values[place]
        products = [float(self._own[self._features[other]] @ self._values[other]) for other in others]
        self._own[self._features[place]] = 0.0
        return products


def _said(graph: Graph, texts: set[str]) -> dict[tuple[str, str], str]:
    """Return what the notes of one say of another; to be heard first goes before to be seen also."""
    edges = (
        (source, target, key) for source, target, key in graph.edges(keys=True) if source in texts and target in texts
    )
    found: dict[tuple[str, str], str] = {}
    for source, target, relation in sorted(edges, key=lambda edge: (edge[2] != "listen_first", edge)):
        if relation in _SAID or relation == "cites":
            found.setdefault((source, target), relation if relation in _SAID else "see_also")
    return found


class _Reasons:
    """Says why two episodes are related."""

    def __init__(
        self,
        graph: Graph,
        vectors: Mapping[str, Vectors],
        said: Mapping[tuple[str, str], str],
        near: Mapping[str, Mapping[str, tuple[float, str]]],
        broad: Container[str],
    ) -> None:
        self._graph, self._vectors, self._said, self._near, self._broad = graph, vectors, said, near, broad
        self._source, self._found = "", dict[str, list[str]]()
        self._about: dict[str, dict[str, float]] = {}
        holders = Counter(chain.from_iterable(vectors["area"].values()))
        # A group that episodes are about themselves is a subject, not only a place to put topics.
        subjects = {
            data["label"]
            for node, data in graph.nodes(data=True)
            if data["kind"] == "topic" and any(key == "about" for _, _, key in graph.in_edges(node, keys=True))
        }
        self._subjects = {group for group in subjects if holders[group] <= _WIDE * len(vectors["area"])}

    def named(self, source: str, target: str) -> list[str]:
        """Return what a person would name: what one says of the other, what both are about, cite and name."""
        if source != self._source:
            self._source, self._found = source, {}
        if target not in self._found:  # areas, which come after all else, ask again
            self._found[target] = self._nameable(source, target)
        return self._found[target]

    def _nameable(self, source: str, target: str) -> list[str]:
        vectors, labels = self._vectors, self._graph.nodes
        pairs = ((source, target), (target, source))
        reasons = [
            _SAYS[self._said[pair]].format(*(labels[node]["label"] for node in pair))
            for pair in pairs
            if pair in self._said
        ]
        series = [f"“{name.capitalize()}”" for name in _shared(vectors["series"], source, target)]
        topics = _shared(vectors["topic"], source, target)
        # A name said in passing is no reason; a topic that is said comes back in several minutes.
        both_say = _shared(vectors["said"], source, target)
        spoken = [one for one in both_say if one not in topics and labels[one]["kind"] == "topic"]
        telling = bool(reasons or series) or any(topic not in self._broad for topic in topics)
        sources = _shared(vectors["source"], source, target)[:2]
        cited = [one for one in sources if all(self._graph.has_edge(text, one, "cites") for text in (source, target))]
        named = [one for one in sources if one not in cited]
        names = {
            "both of the series {}": series[:1],
            "both about {}": _labels(self._graph, topics[:3] if telling else []),
            "both cite {}": _labels(self._graph, cited),
            "both name {}": _labels(self._graph, [*named, *_shared(vectors["symbol"], source, target)[:3]]),
            "both speak of {}": _labels(self._graph, spoken[:3]),
        }
        reasons += [reason.format(_listed(shared)) for reason, shared in names.items() if shared]
        if len(reasons) == 1 and names["both about {}"] and self._in_passing(source, target):
            reasons = []
        return reasons or self._together(source, target) or self._parts(source, target)

    def _in_passing(self, source: str, target: str) -> bool:
        """Tell whether two share one topic of a vocabulary only, and both only mention it: many do."""
        topic, *more = _shared(self._vectors["topic"], source, target)
        if self._graph.nodes[topic].get("derived"):
            return False
        weights = (self._graph.edges[node, topic, "about"].get("weight", 1) for node in (source, target))
        return not more and max(weights) < _SUBJECT

    def _together(self, source: str, target: str) -> list[str]:
        """Return the topics of both that are spoken of together in the code, those that they are most about."""
        best = (_TOGETHER, "", "", "")
        here, there = self._topics(source), self._topics(target)
        for one, strength in here.items():
            for other, (value, path) in self._near.get(one, {}).items():
                if other in there:
                    best = max(best, (value * strength * there[other], one, other, path))
        _, one, other, path = best
        return [f"{' and '.join(_labels(self._graph, (one, other)))} are spoken of together in {path}"] if one else []

    def _topics(self, node: str) -> dict[str, float]:
        """Return the topics of an episode, and how much it is about each beside the first, in 0..1."""
        if node not in self._about:
            self._about[node] = dict(self._find_topics(node))
        return self._about[node]

    def _find_topics(self, node: str) -> Iterator[tuple[str, float]]:
        edges = self._graph.out_edges(node, keys=True, data=True)
        about = {
            target: float(data.get("weight", 1))
            for _, target, key, data in edges
            if key == "about" and not is_only_said(data)
        }
        most = max(about.values(), default=1.0)
        yield from ((topic, math.sqrt(weight / most)) for topic, weight in about.items())

    def _parts(self, source: str, target: str) -> list[str]:
        groups = [group for group in _shared(self._vectors["area"], source, target) if group in self._subjects]
        return [f"both about {groups[0]} or parts of it"] if groups else []

    def grouped(self, source: str, target: str) -> list[str]:
        """Return the areas that both lie in, where nothing else is to be named."""
        areas = [] if self.named(source, target) else _shared(self._vectors["area"], source, target)[:2]
        return [f"both in the field of {_listed(areas)}"] if areas else []


def _labels(graph: Graph, nodes: Iterable[str]) -> list[str]:
    return [graph.nodes[node]["label"] for node in nodes]


def _shared(vectors: Vectors, first: str, second: str) -> list[str]:
    """Return what two nodes share, what weighs most first."""
    one, other = vectors[first], vectors[second]
    return sorted(one.keys() & other.keys(), key=lambda feature: (-one[feature] * other[feature], feature))


def _listed(names: Iterable[str]) -> str:
    """Join names as a person does.

    >>> _listed(["a", "b", "c"])
    'a, b and c'
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
