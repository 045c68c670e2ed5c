"""Related episodes and posts, each with a level and reasons in a person's words.

The score of a pair is the sum of two cosines: of the words of title and notes, and of the topics of a vocabulary. A
topic also counts for its wholes. Both are weighted by rarity. docs/how.md has the ablation.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from podgraph.extractors import language_of, own_place

from .attributes import was_read
from .kinds import SOURCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from podgraph.extractors import Extraction

    from .attributes import Graph, NewEdge

    Ints: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]
    Level: TypeAlias = Literal["strong", "similar"]

_PER_EPISODE: Final = 5
_HOLDERS: Final = 200  # of each word or topic: only those with its highest weights meet through it, so growth is linear
_LOOKED_AT: Final = 15  # pairs of each episode, the highest scores
_MET: Final = 1e-4  # the score of two texts with nothing in common, but one refers to the other
_WHOLE: Final = 0.7  # of a topic's weight counts for each of its wholes, and again for the wholes of these
_LITTLE: Final = 1 / 3  # of the mean squared length is added to each
_COMMON: Final = 1 / 3  # of a show: a topic or word in more of its episodes is no reason
_MAINLY: Final = 0.5  # of the weight of its first topic: a topic with as much is a main topic of an episode
_FEW: Final = 4  # episodes: no more are many, however small the show
_NARROW: Final = 0.1  # of a show: a topic of no more of its episodes is a sign
_RARE: Final = 3  # texts, or fewer, share a rare artifact
_PERSONS: Final = 0.02  # of all texts: persons whom more of them name are no guests but regulars
_HIGH: Final = 0.2  # the score of a strong pair; half of it is enough with one more sign
_FIRST: Final = 2  # ranks: each of two texts among the first of the other is a sign
NO_SUBJECT: Final = ("repo", "topic", *SOURCES)  # kinds: to name one of them does not show a text's subject
_STATED: Final = {"listen_first": "“{}” says: listen to “{}” first", "see_also": "“{}” refers to “{}”"}


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of texts: by id how often each stem occurs, and how each stem is spelled."""

    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    spelled: Mapping[str, str] = field(default_factory=dict)


def wording_of(extractions: Iterable[Extraction]) -> Wording:
    """Return the words of the items."""
    read = [*extractions]
    return Wording(
        {one.episode.id: one.words for one in read}, {stem: word for one in read for stem, word in one.spelled.items()}
    )


class _Text(NamedTuple):
    """An episode or post: the vocabulary's topics with their wholes, its own topics, its artifacts, those it names."""

    scored: dict[str, float]
    about: dict[str, float]
    artifacts: set[str]
    stated: dict[str, str]

    def is_mainly_about(self, topic: str) -> bool:
        """Return whether no topic has more than twice the weight of one."""
        return self.about[topic] >= _MAINLY * max(self.about.values())


def find_related(graph: Graph, wording: Wording, per_episode: int = _PER_EPISODE) -> Iterator[NewEdge]:
    """Yield the related episodes and posts of each: (source, target, attributes).

    The attributes are ``weight`` (a score from 0 to about 2), ``level`` (``strong`` or ``similar``) and ``reasons``.
    Each source has at most ``per_episode`` targets, the highest weight first; a pair without a reason is left out. The
    result does not depend on the order of nodes. The graph is not changed, but the caller may add each edge at once.
    """
    ids = sorted(
        node
        for node, data in graph.nodes(data=True)
        if data["kind"] in SOURCES and was_read(data) and data.get("type") != "trailer"
    )
    places = {node: place for place, node in enumerate(ids)}
    texts = [_read(graph, node, places) for node in ids]
    words = [wording.counts.get(node, {}) for node in ids]
    scores = _Scores(
        [{word: 1 + math.log(count) for word, count in counts.items()} for counts in words],
        [text.scored for text in texts],
        _years(graph, ids),
    )
    stated: dict[int, set[int]] = defaultdict(set)
    for place, text in enumerate(texts):
        for other in map(places.__getitem__, text.stated):
            stated[place].add(other)
            stated[other].add(place)
    reasons = _Reasons(graph, ids, texts, scores, wording)
    best = [dict(scores.best(place, stated[place])) for place in range(len(ids))]
    first = [{*islice(scored, _FIRST)} for scored in best]
    for place, source in enumerate(ids):
        kept = 0
        for other, weight in best[place].items():
            is_mutual = other in first[place] and place in first[other]
            level, why = reasons.of(place, other, weight, is_mutual=is_mutual)
            if why and kept < per_episode:
                yield source, ids[other], {"weight": weight, "level": level, "reasons": why}
                kept += 1


def _read(graph: Graph, node: str, places: Mapping[str, int]) -> _Text:
    """Return the features of an episode or post for its relations to others."""
    text = _Text({}, {}, set(), {})
    for _, target, relation, data in graph.out_edges(node, keys=True, data=True):
        if relation == "about":
            weight = text.about[target] = float(data.get("weight", 1))
            if not graph.nodes[target].get("derived"):  # derived topics are words of the notes: these count already
                for topic, part in _wholes(graph, target).items():
                    text.scored[topic] = max(text.scored.get(topic, 0.0), part * weight)
        elif target in places:
            if relation in ("listen_first", "see_also", "cites") and target != node:
                first = relation == "listen_first" or text.stated.get(target) == "listen_first"
                text.stated[target] = "listen_first" if first else "see_also"
        elif relation in ("cites", "mentions") and not data.get("boilerplate"):
            node_data = graph.nodes[target]
            is_own = node_data["kind"] == "web" and own_place(node_data.get("url", ""))
            if node_data["kind"] not in NO_SUBJECT and not is_own:  # a repository or a handle is not a subject
                text.artifacts.add(target)
    return text


def _wholes(graph: Graph, topic: str) -> dict[str, float]:
    """Return a topic, its wholes, and its area, with how much it counts for each."""
    found, share, level = {topic: 1.0}, 1.0, [topic]
    while level:
        share *= _WHOLE
        above = [end for part in level for _, end, key in graph.out_edges(part, keys=True) if key == "subtopic_of"]
        level = [whole for whole in dict.fromkeys(above) if whole not in found]
        found.update(dict.fromkeys(level, share))
    if area := graph.nodes[topic].get("area"):
        found[f"area:{area}"] = _WHOLE
    return found


def _years(graph: Graph, ids: Iterable[str]) -> Floats:
    """Return the date of each text in years. An undated one is far from all others."""
    dates = (graph.nodes[node].get("date", "")[:10] for node in ids)
    days = np.array([date or "NaT" for date in dates], "datetime64[D]")
    return np.where(np.isnat(days), np.inf, days.astype(np.int64) / 365.25)


class _Scores:
    """The scores of all pairs of texts, from sparse vectors of words and topics side by side.

    ``names`` are the words, from ``first_topic`` on the topics; ``holders`` counts the texts of each.
    """

    def __init__(
        self, words: Sequence[Mapping[str, float]], topics: Sequence[Mapping[str, float]], years: Floats
    ) -> None:
        """Join the vectors of words and topics into one sparse matrix, by texts and again by features."""
        total = len(words)
        word_names, rows, columns, values = _build_vectors(words)
        topic_names, topic_rows, topic_columns, topic_values = _build_vectors(topics)
        self.names = [*word_names, *topic_names]
        self.first_topic = len(word_names)
        rows = np.concatenate([rows, topic_rows])
        columns = np.concatenate([columns, topic_columns + self.first_topic])
        values = np.concatenate([values, topic_values])
        order = np.lexsort((columns, rows))
        rows, self._columns, self._values = rows[order], columns[order], values[order]
        self._starts = np.searchsorted(rows, np.arange(total + 1))
        self.holders = np.bincount(self._columns, minlength=len(self.names))
        # The texts of each word and topic with its highest weights.
        order = np.lexsort((rows, -self._values, self._columns))
        # How many entries of the same column come before each entry.
        ahead = np.arange(len(order)) - (np.cumsum(self.holders) - self.holders)[self._columns[order]]
        order = order[ahead < _HOLDERS]
        self._meeting, self._weights = rows[order], self._values[order]
        self._meeting_starts = np.searchsorted(self._columns[order], np.arange(len(self.names) + 1))
        self._years = years
        self._fresh = _freshness(rows, self._columns, self._values, years)
        # Two equal texts of average length have the score 1.
        self._scale = 1.0 if word_names and topic_names else 2.0

    def best(self, place: int, stated: Iterable[int]) -> Iterator[tuple[int, float]]:
        """Yield (text, score) for the texts most like the one at ``place``, best first, ``stated`` ones always."""
        entries = slice(*self._starts[place : place + 2])
        columns = self._columns[entries]
        first = self._meeting_starts[columns]
        counts = self._meeting_starts[columns + 1] - first
        # The entries of all these columns, one range after the other, without a loop.
        meeting = np.arange(counts.sum()) + np.repeat(first - np.cumsum(counts) + counts, counts)
        products = np.repeat(self._values[entries], counts) * self._weights[meeting]
        scores: Floats = np.bincount(self._meeting[meeting], products, len(self._starts) - 1).astype(np.float64)
        scores[place] = 0.0
        scores[[*stated]] += _MET
        met = np.flatnonzero(scores)
        weights = scores[met] * self._scale
        with np.errstate(invalid="ignore"):  # between two undated texts
            apart = np.nan_to_num(np.abs(self._years[met] - self._years[place]), nan=np.inf)
        is_stated = np.isin(met, [*stated])
        weights = np.round(weights * (1 + self._fresh / (1 + apart)), 4)
        top = np.lexsort((-weights, ~is_stated))[:_LOOKED_AT]
        yield from zip(met[top].tolist(), weights[top].tolist(), strict=True)

    def shared(self, place: int, other: int) -> list[int]:
        """Return the words and topics shared by two texts, by number, the strongest first."""
        one, two = (slice(*self._starts[text : text + 2]) for text in (place, other))
        both, first, second = np.intersect1d(
            self._columns[one], self._columns[two], assume_unique=True, return_indices=True
        )
        products: Floats = self._values[one][first] * self._values[two][second]
        found: list[int] = both[np.lexsort((both, -products))].tolist()
        return found


def _build_vectors(held: Sequence[Mapping[str, float]]) -> tuple[list[str], Ints, Ints, Floats]:
    """Return sparse vectors of weight times rarity (idf): names of features; by entry, vector, feature and value.

    A feature of one text alone counts in the length only.

    The squared length of each grows by a part of the mean of all before it becomes 1, so that the shortest texts are
    not the nearest to everything mentioned in them.
    """
    names = sorted({name for features in held for name in features})
    numbers = {name: number for number, name in enumerate(names)}
    sizes = np.fromiter(map(len, held), np.int64, len(held))
    rows = np.repeat(np.arange(len(held)), sizes)
    columns = np.fromiter((numbers[name] for features in held for name in features), np.int64, len(rows))
    values = np.fromiter((value for features in held for value in features.values()), np.float64, len(rows))
    order = np.lexsort((columns, rows))
    columns, values = columns[order], values[order]
    holders = np.bincount(columns, minlength=len(names))
    values *= np.log((len(held) + 1) / np.maximum(holders, 1))[columns]
    squares = np.bincount(rows, values**2, len(held))
    mean = squares[squares > 0].mean() if squares.any() else 1.0
    values /= np.sqrt(squares + _LITTLE * mean)[rows]
    kept = (holders[columns] > 1) & (values > 0)
    return names, rows[kept], columns[kept], values[kept]


def _freshness(rows: Ints, columns: Ints, values: Floats, years: Floats) -> float:
    """Return how much more two texts of the same day count than two far apart in time.

    The factor follows from the show: news return within a year, basics do not. It is the similarity of pairs within
    one year, on average, compared with the average of all pairs.
    """
    squares = np.bincount(rows, values**2, len(years))

    def alike(kept: NDArray[np.bool_]) -> tuple[float, int]:
        """Return the sum of the similarities of all pairs of the kept texts, and the number of these pairs."""
        # The squared length of a sum of vectors is the sum of all their products, with themselves too.
        inside, count = kept[rows], int(kept.sum())
        sums = (np.bincount(columns[inside], values[inside]) ** 2).sum()
        return float(sums - squares[kept].sum()), count * (count - 1)

    everything = alike(np.ones(len(years), np.bool_))
    calendar = np.floor(years)
    found = [alike(calendar == year) for year in np.unique(calendar[np.isfinite(calendar)])]
    near, pairs = sum(sums for sums, _ in found), sum(count for _, count in found)
    if not (pairs and everything[0] > 0):
        return 0.0
    return max(0.0, near / pairs / (everything[0] / everything[1]) - 1) / math.log(2)  # the mean of 1 / (1 + x) in 0..1


class _Reasons:
    """Gives the level and reasons of pairs of texts, given by their positions."""

    def __init__(
        self, graph: Graph, ids: Sequence[str], texts: Sequence[_Text], scores: _Scores, wording: Wording
    ) -> None:
        """Collect the words, topics and artifacts that are too frequent to be a reason."""
        self._graph, self._ids, self._texts, self._scores = graph, ids, texts, scores
        self._spelled = wording.spelled
        homes = [graph.nodes[node].get("podcast", "") for node in ids]
        sizes = Counter(homes)
        topics = Counter(
            (home, topic) for home, text in zip(homes, texts, strict=True) for topic in {**text.scored, **text.about}
        )
        names = [*map(self._names, sizes.keys() & graph.nodes)]
        self._names_of_shows = {word for of_show in names for word in of_show}
        self._dull = {topic for (home, topic), count in topics.items() if count > max(_COMMON * sizes[home], _FEW)}
        self._dull |= {topic for _, topic in topics if self._only_names(topic)}
        self._broad = {topic for (home, topic), count in topics.items() if count > max(_NARROW * sizes[home], 3)}
        self._artifacts = Counter(artifact for text in texts for artifact in text.artifacts)
        self._common = max(_COMMON * len(ids), _FEW)
        self._regular = max(_PERSONS * len(ids), 3)
        self._people = {
            word
            for node, data in graph.nodes(data=True)
            if data["kind"] == "person"
            for word in data["label"].casefold().split()
        }

    def _names(self, show: str) -> set[str]:
        """Return the words of a show's name and of its presenters' names: they do not describe its episodes."""
        podcast = self._graph.nodes[show]
        hosts = (self._graph.nodes.get(host, {}).get("label", host) for host in podcast.get("hosts", ()))
        names = " ".join((podcast.get("title", ""), podcast.get("author", ""), *hosts))
        known = language_of(podcast.get("language", ""), (names,))
        return {form for _, _, word in known.places(names) for form in (known.key(word), word.casefold())}

    def _only_names(self, topic: str) -> bool:
        """Return whether a topic's label is a handle, or has only words of the names of shows and presenters."""
        label = self._graph.nodes.get(topic, {}).get("label", "")
        return label.startswith("@") or {*label.casefold().split()} <= self._names_of_shows

    def of(self, place: int, other: int, weight: float, *, is_mutual: bool) -> tuple[Level, list[str]]:
        """Return the level of two texts with a score ``weight``, and the reasons why they are related.

        Without a reason in words the pair is no use to a person: the list is then empty. ``is_mutual`` means that each
        is among the other's best. That, a narrow main topic or a rare artifact is a sign: half of the score is enough.
        """
        one, two = self._texts[place], self._texts[other]
        stated = [
            _STATED[self._texts[first].stated[self._ids[second]]].format(
                *(self._graph.nodes[self._ids[end]]["label"] for end in (first, second))
            )
            for first, second in ((place, other), (other, place))
            if self._ids[second] in self._texts[first].stated
        ]
        topics = sorted(
            (one.about.keys() & two.about.keys()) - self._dull,
            key=lambda topic: (-one.about[topic] * two.about[topic], topic),
        )
        artifacts = sorted(
            filter(self._is_rare_enough, one.artifacts & two.artifacts), key=lambda name: (self._artifacts[name], name)
        )
        shared = self._scores.shared(place, other)
        common_whole = "" if topics else self._whole(shared)
        cited = [
            name
            for name in artifacts
            if all(self._graph.has_edge(self._ids[end], name, "cites") for end in (place, other))
        ]
        reasons = [
            *stated,
            *self._listed("both about {}", topics[:3]),
            *([f"both about {common_whole} or parts of it"] if common_whole else ()),
            *self._listed("both cite {}", cited[:2]),
            *self._listed("both name {}", [name for name in artifacts if name not in cited][:2]),
        ]
        has_sign = (
            is_mutual
            or any(
                one.is_mainly_about(name) and two.is_mainly_about(name) for name in topics if name not in self._broad
            )
            or any(self._artifacts[name] <= _RARE for name in artifacts)
        )
        words = [] if reasons else self._words(shared)
        is_strong = weight >= (_HIGH / 2 if has_sign else _HIGH) and (reasons or len(words) > 1)
        level: Level = "strong" if stated or is_strong else "similar"
        return level, reasons or ([f"similar words: {', '.join(words)}"] if words else [])

    def _is_rare_enough(self, artifact: str) -> bool:
        """Return whether so few texts name an artifact that it may be a reason. For a person the limit is lower."""
        person = self._graph.nodes[artifact]["kind"] == "person"
        return self._artifacts[artifact] <= (self._regular if person else self._common)

    def _whole(self, shared: Iterable[int]) -> str:
        """Return the topic with the strongest tie between two texts by their parts; "" for none."""
        first = self._scores.first_topic
        names = (self._scores.names[number] for number in shared if number >= first)
        known = (name for name in names if name in self._graph and name not in self._dull)
        return next((self._graph.nodes[name]["label"] for name in known), "")

    def _words(self, shared: Iterable[int]) -> list[str]:
        """Return the three meaningful words with the largest share in the tie of two texts, the rarest first."""
        names, holders = self._scores.names, self._scores.holders
        meaningful = [
            number
            for number in shared
            if number < self._scores.first_topic
            and holders[number] <= self._common
            and (word := names[number]) not in self._names_of_shows
            and self._spelled.get(word, word).casefold() not in self._people
        ][:3]
        meaningful.sort(key=lambda number: (holders[number], number))
        return [self._spelled.get(names[number], names[number]) for number in meaningful]

    def _listed(self, reason: str, nodes: Sequence[str]) -> list[str]:
        """Return a reason with the names of nodes, none without nodes."""
        labels = [self._graph.nodes[node]["label"] for node in nodes]
        *most, last = labels or [""]
        return [reason.format(f"{', '.join(most)} and {last}" if most else last)] if labels else []
