"""Related episodes and posts, each with the reasons a person would give.

The score of a pair sums what ties it: topics, their groups and areas by how rare they are, words of title and notes
(TF-IDF), code and sources that both name, and what one says of the other. Only what has a nameable reason is
kept. Pairs are met through an inverted index in which each feature proposes only those who hold it most, so the
work grows with the number of episodes and not with its square.
"""

from __future__ import annotations

import math
from collections import defaultdict
from heapq import nlargest
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from .kinds import SOURCES
from .words import series_of, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import networkx as nx

    Vectors = Mapping[str, Mapping[str, float]]
    Ints = np.ndarray[tuple[int], np.dtype[np.int64]]
    Floats = np.ndarray[tuple[int], np.dtype[np.float64]]

_PER_EPISODE = 5
_PROPOSING = 6  # how many of its features of a family, the strongest, find a node its proposals
_CHAMPIONS = 14  # how many of those that share a feature it proposes
_BLOCK = 1024  # places whose proposals are summed in one step: what is held at once does not grow
_RESCORED = 16  # how many proposals of each episode are looked at closely
_LEAST = 0.14  # below this score the tie is too thin to be of use
WEIGHTS = {"topic": 1.0, "area": 0.35, "word": 0.8, "symbol": 0.3, "source": 0.3, "series": 0.3}
_SAID = {"listen_first": 0.5, "see_also": 0.5}
_TITLE_WORDS = 2.0  # a word of the title counts as often
_ABOVE = 0.5  # of a topic's weight goes to what it is part of
_SAYS = {"listen_first": "“{}” says: listen to “{}” first", "see_also": "“{}” names “{}” in its notes"}


def find_related(
    graph: nx.MultiDiGraph[str], per_episode: int = _PER_EPISODE
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Find the related episodes and posts of each: (source, target, attributes), attributes ``weight`` and ``reasons``.

    ``weight`` lies between 0 and about 3 and compares across the graph; at most ``per_episode`` targets for each
    source, the strongest first. The graph itself is not changed; the order of its nodes does not matter.
    """
    texts = sorted(node for node, data in graph.nodes(data=True) if data["kind"] in SOURCES and data.get("title"))
    families = _features(graph, texts)
    vectors = {
        family: _vectors(features, len(texts), unsaid=family == "topic") for family, features in families.items()
    }
    said = _said(graph, set(texts))
    places = {node: place for place, node in enumerate(texts)}
    spoken: dict[tuple[int, int], float] = defaultdict(float)
    for (source, target), relation in said.items():
        for one, other in ((places[source], places[target]), (places[target], places[source])):
            spoken[one, other] += _SAID[relation]
    table = _Table(vectors, texts)
    for place, (source, likely) in enumerate(zip(texts, _proposals(vectors, texts, spoken), strict=True)):
        scored = zip(likely, table.products(place, likely), strict=True)
        ranked = sorted((-round(product + spoken.get((place, other), 0.0), 4), other) for other, product in scored)
        kept = 0
        for negative, other in ranked:
            score, target = -negative, texts[other]
            if kept == per_episode or score < _LEAST:
                break
            reasons = _reasons(source, target, graph, vectors, said)
            if reasons:
                kept += 1
                yield source, target, {"weight": score, "reasons": reasons}


def _features(graph: nx.MultiDiGraph[str], texts: Iterable[str]) -> dict[str, dict[str, dict[str, float]]]:
    """Return, by family and node, what it is made of and how much, not yet times its rarity."""
    families: dict[str, dict[str, dict[str, float]]] = {name: {} for name in WEIGHTS}
    groups = _groups(graph)
    for node in texts:
        found: dict[str, dict[str, float]] = {name: {} for name in WEIGHTS}
        for _, target, relation, data in graph.out_edges(node, keys=True, data=True):
            if relation == "about":
                weight = float(data.get("weight", 1))
                found["topic"][target] = math.sqrt(weight)
                for group in groups[target]:
                    found["area"][group] = max(found["area"].get(group, 0.0), math.sqrt(weight) * _ABOVE)
            elif relation == "mentions" and graph.nodes[target].get("kind") == "symbol":
                found["symbol"][target] = 1.0
            elif relation in ("cites", "mentions") and graph.nodes[target].get("kind") not in ("repo", *SOURCES):
                found["source"][target] = 1.0
        attributes = graph.nodes[node]
        counts: dict[str, float] = defaultdict(float)
        for text, times in ((attributes.get("title"), _TITLE_WORDS), (attributes.get("summary"), 1.0)):
            for word in words_of(str(text or "")):
                counts[word] += times
        found["word"] = {word: 1.0 + math.log(count) for word, count in counts.items()}
        series = series_of(str(attributes.get("title", "")))
        if series:
            found["series"][series] = 1.0
        for family, features in found.items():
            families[family][node] = features
    return families


def _groups(graph: nx.MultiDiGraph[str]) -> dict[str, list[str]]:
    """Return for each topic the labels of its area, of what it is part of, and of itself if it has parts."""
    topics = [node for node, data in graph.nodes(data=True) if data["kind"] == "topic"]
    above = {
        topic: [target for _, target, key in graph.out_edges(topic, keys=True) if key == "subtopic_of"]
        for topic in topics
    }
    whole = {parent for parents in above.values() for parent in parents}
    groups = {}
    for topic, parents in above.items():
        # What lies in no area itself, the subject as such, groups nothing.
        wider = [node for node in (*parents, *([topic] if topic in whole else [])) if "area" in graph.nodes[node]]
        labels = {str(graph.nodes[node]["label"]) for node in wider}
        groups[topic] = sorted(labels | {str(graph.nodes[topic].get("area", ""))} - {""})
    return groups


def _vectors(features: Vectors, total: int, *, unsaid: bool = False) -> dict[str, dict[str, float]]:
    """Return vectors of weight times rarity (idf) for each node; what only one holds counts in the length.

    Their length is 1; with ``unsaid``, less the fewer features a node has: each is taken to have as much again as the
    average node that it does not say, or a bare title of one topic would be that topic's best example.
    """
    spread: dict[str, int] = defaultdict(int)
    for held in features.values():
        for feature in held:
            spread[feature] += 1
    rarity = {feature: math.log((total + 1) / count) for feature, count in spread.items()}
    squares = {
        node: math.fsum((weight * rarity[feature]) ** 2 for feature, weight in held.items())
        for node, held in features.items()
        if held
    }
    more = math.fsum(squares.values()) / len(squares) if unsaid and squares else 0.0
    vectors: dict[str, dict[str, float]] = {node: {} for node in features}
    for node, square in squares.items():
        length = math.sqrt(square + more)
        vectors[node] = {
            feature: weight * rarity[feature] / length
            for feature, weight in features[node].items()
            if spread[feature] > 1
        }
    return vectors


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
    edges = np.searchsorted(holders, np.arange(0, len(texts) + _BLOCK, _BLOCK))
    extra = sorted(spoken.items())
    told = 0
    for low, (begin, end) in zip(range(0, len(texts), _BLOCK), pairwise(edges), strict=False):
        known = counts[features[begin:end]]
        own = np.repeat(np.arange(begin, end), known)
        met = np.arange(len(own)) - np.repeat(np.cumsum(known) - known, known) + starts[features[own]]
        keys = (holders[own] - low) * len(texts) + champions[met]
        weights = values[own] * champion_values[met]
        strangers = holders[own] != champions[met]
        keys, weights = keys[strangers], weights[strangers]
        until = told
        while until < len(extra) and extra[until][0][0] < low + _BLOCK:
            until += 1
        pairs, told = extra[told:until], until
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


def _said(graph: nx.MultiDiGraph[str], texts: set[str]) -> dict[tuple[str, str], str]:
    """Return what the notes of one say of another; to be heard first goes before to be seen also."""
    edges = sorted(edge for edge in graph.edges(keys=True) if edge[2] in _SAID or edge[2] == "cites")
    found: dict[tuple[str, str], str] = {}
    for source, target, relation in edges:
        if source in texts and target in texts:
            found.setdefault((source, target), relation if relation in _SAID else "see_also")
    return found


def _reasons(
    source: str, target: str, graph: nx.MultiDiGraph[str], vectors: Mapping[str, Vectors],
    said: Mapping[tuple[str, str], str],
) -> list[str]:  # fmt: skip
    reasons = [
        _SAYS[said[pair]].format(*(graph.nodes[node]["label"] for node in pair))
        for pair in ((source, target), (target, source))
        if pair in said
    ]
    series = _shared(vectors["series"], source, target)
    if series:
        reasons.append(f"both of the series “{series[0].capitalize()}”")
    topics = _shared(vectors["topic"], source, target)
    if topics:
        reasons.append(f"both about {_listed(graph.nodes[topic]['label'] for topic in topics[:3])}")
    for family, verb, most in (("source", "cite", 2), ("symbol", "name", 3)):
        shared = _shared(vectors[family], source, target)
        if shared:
            reasons.append(f"both {verb} {_listed(graph.nodes[item]['label'] for item in shared[:most])}")
    if not reasons:
        areas = _shared(vectors["area"], source, target)
        if areas:
            reasons.append(f"both in the field of {_listed(areas[:2])}")
    return reasons


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
