"""Related episodes and posts, each with a level and reasons in a person's words.

The score of a pair is the sum of three cosines: of the words of title and notes, of the topics of a vocabulary, and of
the artifacts. A topic also counts for its wholes. All are weighted by rarity. docs/how.md has the ablation.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from heapq import nlargest
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from podgraph.extractors import language_of, own_place

from .attributes import in_title
from .boilerplate import episodes_by_show
from .kinds import SOURCES
from .words import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from podgraph.extractors import Extraction

    from .attributes import Graph, NewEdge

    Floats: TypeAlias = NDArray[np.float64]
    Level: TypeAlias = Literal["strong", "similar"]
    Vector: TypeAlias = Mapping[str, float]  # weights of words and topics

_PER_EPISODE: Final = 5
_HOLDERS: Final = 200  # of each word or topic: only those with its highest weights meet through it, so growth is linear
_LOOKED_AT: Final = 15  # pairs of each episode, the highest scores
_UNCOMMON: Final = 0.1  # of the texts: an artifact of more of them ties none; links of sponsors are in more
_NAMED: Final = 0.7  # of a cited artifact counts one that a text only names
_MET: Final = 1e-4  # the score of two texts with nothing in common, but one refers to the other
_WHOLE: Final = 0.7  # of a topic's weight counts for each of its wholes, and again for the wholes of these
_LITTLE: Final = 1 / 3  # of the mean squared length is added to each
_COMMON: Final = 1 / 3  # of the texts: a topic, word or artifact of more of them is no reason
_NARROW: Final = 0.05  # of the texts: a topic of fewer is the reason of a strong edge
_PASSING: Final = 1  # the weight of a topic named once, beyond the opening: it makes no edge strong
_RARE: Final = 3  # texts, or fewer, share the artifact that is the reason of a strong edge
_PERSONS: Final = 0.02  # of the texts: persons whom more of them name are no guests but regulars
_FEW: Final = 4  # texts: no more are many, however small the show
NO_SUBJECT: Final = ("repo", "topic", *SOURCES)  # kinds: to name one of them does not show a text's subject
_STATEMENTS: Final = {"listen_first": "“{}” says: listen to “{}” first", "see_also": "“{}” refers to “{}”"}


class Wording(NamedTuple):
    """The words of texts: by id how often each stem occurs, and how each stem is spelled."""

    counts: dict[str, Mapping[str, int]]
    spellings: dict[str, str]


def wording_of(extractions: Iterable[Extraction]) -> Wording:
    """Return the words of the items."""
    wording = Wording({}, {})
    for one in extractions:
        wording.counts[one.episode.id] = one.words
        wording.spellings.update(one.spellings)
    return wording


class _Text(NamedTuple):
    """An episode or post: the vocabulary's topics with their wholes, its own topics, artifacts, texts it refers to.

    Of each artifact it has whether it is cited, of each text the relation.
    """

    topics: dict[str, float]
    about: dict[str, float]
    artifacts: dict[str, bool]
    references: dict[str, str]


def find_related(graph: Graph, wording: Wording, per_episode: int = _PER_EPISODE) -> Iterator[NewEdge]:
    """Yield the related episodes and posts of each: (source, target, attributes).

    The attributes are ``weight`` (a score from 0 to about 3), ``level`` (``strong`` or ``similar``) and ``reasons``.
    Each source has at most ``per_episode`` targets, the highest weight first; a pair without a reason is left out. The
    result does not depend on the order of nodes. The graph is not changed, but the caller may add each edge at once.
    """
    shows = episodes_by_show(graph).values()
    ids = sorted(node for nodes in shows for node in nodes if graph.nodes[node].get("type") != "trailer")
    places = {node: place for place, node in enumerate(ids)}
    texts = [_read(graph, node, places) for node in ids]
    words = [wording.counts.get(node, {}) for node in ids]
    of_words = _weigh([{word: 1 + math.log(count) for word, count in counts.items()} for counts in words])
    of_topics = _weigh([text.topics for text in texts])
    counts = Counter(name for text in texts for name in text.artifacts)
    of_artifacts = _weigh([_weigh_rare(text.artifacts, counts, max(_UNCOMMON * len(ids), _RARE)) for text in texts])
    vectors = [{**one, **two, **three} for one, two, three in zip(of_words, of_topics, of_artifacts, strict=True)]
    reasons = _Reasons(graph, ids, texts, vectors, wording)
    references: dict[int, set[int]] = defaultdict(set)
    for place, text in enumerate(texts):
        for other in map(places.__getitem__, text.references):
            references[place].add(other)
            references[other].add(place)
    rankings = _rank_others(vectors, _find_years(graph, ids), references)
    for place, (source, ranking) in enumerate(zip(ids, rankings, strict=True)):
        explained = ((other, weight, *reasons.explain(place, other)) for other, weight in ranking)
        for other, weight, level, why in islice((one for one in explained if one[-1]), per_episode):
            yield source, ids[other], {"weight": weight, "level": level, "reasons": why}


def _weigh_rare(artifacts: Mapping[str, bool], counts: Mapping[str, int], most: float) -> dict[str, float]:
    """Return the weights of the artifacts that at most ``most`` texts have."""
    return {name: 1.0 if is_cited else _NAMED for name, is_cited in artifacts.items() if counts[name] <= most}


def _read(graph: Graph, node: str, places: Mapping[str, int]) -> _Text:
    """Return the features of an episode or post for its relations to others."""
    text = _Text({}, {}, {}, {})
    for _, target, relation, data in graph.out_edges(node, keys=True, data=True):
        if relation == "about":
            weight = text.about[target] = float(data.get("weight", 1))
            if not graph.nodes[target].get("derived"):  # derived topics are words of the notes: these count already
                for topic, share in _find_wholes(graph, target).items():
                    text.topics[topic] = max(text.topics.get(topic, 0.0), share * weight)
        elif target in places:
            if relation in ("listen_first", "see_also", "cites") and target != node:
                first = "listen_first" in (relation, text.references.get(target))
                text.references[target] = "listen_first" if first else "see_also"
        elif relation in ("cites", "mentions") and not data.get("boilerplate"):
            artifact = graph.nodes[target]
            is_own = artifact["kind"] == "web" and own_place(artifact.get("url", ""))
            if artifact["kind"] not in NO_SUBJECT and not is_own:  # a repository or a handle is not a subject
                text.artifacts[target] = relation == "cites" or text.artifacts.get(target, False)
    return text


def _find_wholes(graph: Graph, topic: str) -> dict[str, float]:
    """Return a topic, its wholes and theirs, and its area, with how much it counts for each."""
    shares, parts = {topic: 1.0}, [topic]
    for part in parts:
        wholes = (end for _, end, relation in graph.out_edges(part, keys=True) if relation == "subtopic_of")
        parts += [whole for whole in wholes if shares.setdefault(whole, _WHOLE * shares[part]) and whole not in parts]
    if area := graph.nodes[topic].get("area"):
        shares[f"area:{area}"] = _WHOLE
    return shares


def _find_years(graph: Graph, ids: Iterable[str]) -> Floats:
    """Return the date of each text in years. An undated one is far from all others."""
    dates = (graph.nodes[node].get("date", "")[:10] for node in ids)
    days = np.array([date or "NaT" for date in dates], "datetime64[D]")
    return np.where(np.isnat(days), np.inf, days.astype(np.int64) / 365.25)


def _weigh(texts: Sequence[Vector]) -> list[Vector]:
    """Return the vectors of texts with each weight times its rarity (idf), and with lengths of about 1.

    The squared length of each grows by a part of the mean, so that the shortest texts are not the nearest to everything
    mentioned in them. A word of one text alone counts in the length only.
    """
    holders = Counter(name for text in texts for name in text)
    rarity = {name: math.log((len(texts) + 1) / count) for name, count in holders.items()}
    weights = [{name: value * rarity[name] for name, value in sorted(text.items())} for text in texts]
    squares = [math.fsum(value**2 for value in text.values()) for text in weights]
    little = _LITTLE * math.fsum(squares) / max(1, sum(square > 0 for square in squares))
    return [
        {name: value / math.sqrt(square + little) for name, value in text.items() if holders[name] > 1}
        for text, square in zip(weights, squares, strict=True)
    ]


def _rank_others(
    vectors: Sequence[Vector], years: Floats, references: Mapping[int, set[int]]
) -> Iterator[list[tuple[int, float]]]:
    """Yield, for each text, those most like it, best first, and always its ``references``: (text, score)."""
    freshness = _measure_freshness(vectors, years)
    holders: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for place, vector in enumerate(vectors):
        for name, value in vector.items():
            holders[name].append((value, -place))
    meeting = {name: np.array(nlargest(_HOLDERS, entries)).T for name, entries in holders.items()}
    for place, vector in enumerate(vectors):
        scores = np.zeros(len(vectors))
        for name, value in vector.items():
            values, places = meeting[name]
            scores[-places.astype(np.int64)] += value * values
        scores[place] = 0.0
        scores[[*references.get(place, ())]] += _MET
        others = np.flatnonzero(scores)
        with np.errstate(invalid="ignore"):  # between two undated texts
            apart = np.nan_to_num(np.abs(years[others] - years[place]), nan=np.inf)
        weights = np.round(scores[others] * (1 + freshness / (1 + apart)), 4)
        top = np.lexsort((-weights, ~np.isin(others, [*references.get(place, ())])))[:_LOOKED_AT]
        yield list(zip(others[top].tolist(), weights[top].tolist(), strict=True))


def _measure_freshness(vectors: Sequence[Vector], years: Floats) -> float:
    """Return how much more two texts of the same day count than two far apart in time.

    The factor follows from the show: news return within a year, basics do not. It is the similarity of pairs within
    one year, on average, compared with the average of all pairs.
    """
    calendar: dict[float, list[Vector]] = defaultdict(list)
    for vector, year in zip(vectors, years, strict=True):
        if math.isfinite(year):
            calendar[year // 1].append(vector)
    near, overall = _compare(calendar.values()), _compare([vectors])
    return max(0.0, near / overall - 1) / math.log(2) if overall > 0 else 0.0  # the mean of 1 / (1 + x) in 0..1


def _compare(groups: Iterable[Sequence[Vector]]) -> float:
    """Return the mean similarity of the pairs of texts inside the groups."""
    total, pairs = 0.0, 0
    for vectors in groups:
        sums: dict[str, float] = defaultdict(float)
        for vector in vectors:
            for name, value in vector.items():
                sums[name] += value
                total -= value**2
        # The squared length of a sum of vectors is the sum of all their products, with themselves too.
        total += sum(value**2 for value in sums.values())
        pairs += len(vectors) * (len(vectors) - 1)
    return total / max(1, pairs)


class _Reasons:
    """Gives the level and reasons of pairs of texts, given by their positions."""

    def __init__(
        self, graph: Graph, ids: Sequence[str], texts: Sequence[_Text], vectors: Sequence[Vector], wording: Wording
    ) -> None:
        """Collect the names that are never a reason, and count the texts of each word, topic and artifact."""
        self._graph, self._ids, self._texts, self._vectors = graph, ids, texts, vectors
        self._spellings, self._labels = wording.spellings, [graph.nodes[node]["label"] for node in ids]
        shows = [data for _, data in graph.nodes(data=True) if data["kind"] == "podcast"]
        self._names_of_shows = {word for show in shows for word in self._find_names(show)}
        persons = [data["label"] for _, data in graph.nodes(data=True) if data["kind"] == "person"]
        self._people = {word for person in persons for word in fold(person).split()}
        self._counts = Counter(name for vector in vectors for name in vector)
        self._counts |= Counter(name for text in texts for name in (*text.about, *text.artifacts))
        self._campaigns = _find_campaigns(graph)

    def _find_names(self, show: Mapping[str, Any]) -> set[str]:
        """Return the words of a show's name and of its presenters' names: they do not describe its episodes."""
        hosts = (self._graph.nodes.get(host, {}).get("label", host) for host in show.get("hosts", ()))
        initials = "".join(filter(str.isupper, show.get("title", "")))
        names = " ".join((show.get("title", ""), initials, show.get("author", ""), *hosts))
        language = language_of(show.get("language", ""), (names,))
        return {form for word in language.split(names)[1::2] for form in (language.key(word), word.casefold())}

    def explain(self, place: int, other: int) -> tuple[Level, list[str]]:
        """Return the level of two texts, and the reasons why they are related, the rarest first.

        A reference, a narrow topic that both name more than in passing, or a rare artifact makes them strong. Without a
        reason in words the pair is no use to a person: the list is then empty.
        """
        one, two = self._texts[place], self._texts[other]
        reasons = []
        for source, target in ((place, other), (other, place)):
            if relation := self._texts[source].references.get(self._ids[target]):
                reasons.append(_STATEMENTS[relation].format(self._labels[source], self._labels[target]))
        topics = self._sort(one.about.keys() & two.about.keys())
        artifacts = self._sort(one.artifacts.keys() & two.artifacts.keys())
        most = max(_NARROW * len(self._ids), _RARE + 1)
        narrow = [name for name in topics if self._counts[name] < most and not self._is_common_word(name)]
        narrow = [name for name in narrow if min(one.about[name], two.about[name]) > _PASSING]
        is_strong = bool(reasons or narrow or [name for name in artifacts if self._counts[name] <= _RARE])
        ours, theirs = self._vectors[place], self._vectors[other]
        names = sorted(ours.keys() & theirs.keys(), key=lambda name: (-ours[name] * theirs[name], name))
        wholes = [] if topics else self._sort(name for name in names if name in one.topics and name in self._graph)
        links = [name for name in artifacts if one.artifacts[name] and two.artifacts[name]]
        others = [name for name in artifacts if name not in links]
        groups = [("both about {}", topics[:3]), ("both about {} or parts of it", wholes[:1])]
        groups += [("both cite {}", links[:2]), ("both name {}", others[:2])]
        groups.sort(key=lambda group: min(map(self._counts.__getitem__, group[1]), default=0))
        reasons += [self._list(reason, nodes) for reason, nodes in groups if nodes]
        words = self._sort(islice((name for name in names if name in self._spellings and self._is_reason(name)), 3))
        if words and not reasons:
            reasons = [f"similar words: {', '.join(map(self._spellings.__getitem__, words))}"]
        return "strong" if is_strong else "similar", reasons

    def _sort(self, names: Iterable[str]) -> list[str]:
        """Return the nodes that can be a reason, the rarest first."""
        return sorted(filter(self._is_reason, names), key=lambda name: (self._counts[name], name))

    def _is_reason(self, name: str) -> bool:
        """Return whether few texts share a word or node, and it is not the show, a code, a sponsor or a presenter."""
        is_word = name in self._spellings
        node = {"kind": "word", "label": self._spellings[name]} if is_word else self._graph.nodes[name]
        share = _PERSONS if node["kind"] == "person" else _COMMON
        words = {name} if is_word else {word.rstrip("0123456789") for word in node["label"].casefold().split()}
        is_name = words <= self._names_of_shows or node["label"].startswith("@")
        if node["kind"] in ("topic", "word"):  # first names
            is_name = is_name or {*fold(node["label"]).split()} <= self._people
        return self._counts[name] <= max(share * len(self._ids), _FEW) and not is_name and name not in self._campaigns

    def _is_common_word(self, topic: str) -> bool:
        """Return whether a topic derived from the notes is a word in small letters."""
        return bool(self._graph.nodes[topic].get("derived")) and self._graph.nodes[topic]["label"].islower()

    def _list(self, reason: str, nodes: Sequence[str]) -> str:
        """Return a reason with the names of nodes."""
        *most, last = [self._graph.nodes[node]["label"] for node in nodes]
        return reason.format(f"{', '.join(most)} and {last}" if most else last)


def _find_campaigns(graph: Graph) -> set[str]:
    """Return the sponsors, conferences and surveys that the notes of a few episodes in a row announce.

    A subject of several episodes in a row is also in a title.
    """
    campaigns: set[str] = set()
    for episodes in episodes_by_show(graph).values():
        places: dict[str, set[int]] = defaultdict(set)
        edges = [(place, edge) for place, node in enumerate(episodes) for edge in graph.out_edges(node, data=True)]
        for place, (_, target, _) in edges:
            places[target].add(place)
        subjects = {target for _, (_, target, data) in edges if in_title(data)}
        for target in places.keys() - subjects:
            count, first, last = len(places[target]), min(places[target]), max(places[target])
            if count >= 3 and last - first < 2 * count:
                campaigns.add(target)
    return campaigns
