"""Related episodes and posts, each with a level and reasons in a person's words.

The score of a pair is the sum of three cosines: of the words of title and notes, of the topics of a vocabulary, and of
the artifacts. A topic also counts for its wholes. All are weighted by rarity. docs/how.md has the ablation.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from functools import cache
from heapq import nlargest
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import networkx as nx
import numpy as np

from podgraph.extractors import describe_own_place, language_of

from .attributes import in_title
from .boilerplate import episodes_by_show
from .kinds import SOURCES
from .words import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from podgraph.extractors import Extraction

    from .attributes import Graph, NewEdge

    Vector: TypeAlias = Mapping[str, float]  # weights of words, topics and artifacts

_MAXIMUM_RELATED: Final = 5  # episodes of one
_MAXIMUM_CANDIDATES: Final = 15  # of each episode: those with the highest scores; only these get reasons
# Of each word, topic or artifact: only the texts with its highest weights meet through it, so growth is linear.
_MAXIMUM_HOLDERS: Final = 200
_MAXIMUM_ARTIFACT_SHARE: Final = 0.1  # of the texts: links of sponsors are in more, and tie none
_WEIGHT_OF_NAMED: Final = 0.7  # of an artifact that a text names without a link; a cited one weighs 1
_WEIGHT_OF_WHOLE: Final = 0.7  # of a topic's weight counts for each of its wholes, and again for the wholes of these
_REFERENCE_SCORE: Final = 1e-4  # of two texts with nothing in common, but one refers to the other
_ADDED_LENGTH: Final = 1 / 3  # of the mean squared length of vectors
# A word, topic or artifact is a reason if at most this share of the texts have it, or at most 4 of a small show.
_MAXIMUM_REASON_SHARE: Final = 1 / 3
_MAXIMUM_PERSON_SHARE: Final = 0.02  # persons of more texts are regulars and not guests
_SMALL_COUNT: Final = 4
_MAXIMUM_RARE: Final = 3  # texts that share a rare artifact or person
_MAXIMUM_REFERENCES: Final = 5  # of a text: a roundup of the year refers to more, and each of them says little
_MAXIMUM_SHARED: Final = 5  # artifacts of two texts: those that share more have a list in common, say of conferences
_MAXIMUM_ARTIFACTS: Final = 40  # of a text: a round of news has more, and each of them says little
_MAXIMUM_TOPIC_SHARE: Final = 0.05  # of the texts: a topic of fewer, in both titles, makes a strong edge
# The cosine of the words of two texts from which on a reference or a rare artifact makes a strong edge. Asides and news
# refer to other texts and share artifacts too, but few other words.
_MINIMUM_LIKENESS: Final = {"listen_first": 0.0, "see_also": 0.08, "artifact": 0.13}
NO_SUBJECT: Final = ("repo", "topic", *SOURCES)  # kinds: to name one of them does not show a text's subject
_STATEMENTS: Final = {"listen_first": "“{}” says: listen to “{}” first", "see_also": "“{}” refers to “{}”"}


class Wording(NamedTuple):
    """The words of texts: by id how often each stem occurs, and how each stem is spelled."""

    counts: dict[str, Mapping[str, int]]
    spellings: dict[str, str]


def collect_wording(extractions: Iterable[Extraction]) -> Wording:
    """Return the words of the title and notes of each item."""
    wording = Wording({}, {})
    for extraction in extractions:
        wording.counts[extraction.episode.id] = extraction.words
        wording.spellings.update(extraction.spellings)
    return wording


class _Text(NamedTuple):
    """An episode or post as the sets that it may share with others.

    ``topics`` are those of a vocabulary and their wholes, with weights. ``about`` are all topics, each with whether the
    title names it; ``artifacts`` have whether they are cited, ``references`` to other texts their relation.
    """

    id: str
    topics: dict[str, float]
    about: dict[str, bool]
    artifacts: dict[str, bool]
    references: dict[str, str]


def find_related(graph: Graph, wording: Wording, per_episode: int = _MAXIMUM_RELATED) -> Iterator[NewEdge]:
    """Yield the related episodes and posts of each: (source, target, attributes).

    The attributes are ``weight`` (a score from 0 to about 3), ``level`` (``strong`` or ``similar``) and ``reasons``.
    Each source has at most ``per_episode`` targets, the highest weight first; a pair without a reason is left out. The
    result does not depend on the order of nodes. The graph is not changed, but the caller may add each edge at once.
    """
    shows = episodes_by_show(graph).values()
    ids = sorted(node for nodes in shows for node in nodes if graph.nodes[node].get("type") != "trailer")
    places = {node: place for place, node in enumerate(ids)}
    texts = [_read_text(graph, node, places) for node in ids]
    holders = Counter(name for text in texts for name in text.artifacts)
    maximum = max(_MAXIMUM_ARTIFACT_SHARE * len(ids), _MAXIMUM_RARE)
    artifacts = [
        {name: 1.0 if cited else _WEIGHT_OF_NAMED for name, cited in text.artifacts.items() if holders[name] <= maximum}
        for text in texts
    ]
    words = _weigh([{word: 1 + math.log(n) for word, n in wording.counts.get(node, {}).items()} for node in ids])
    parts = zip(words, _weigh([text.topics for text in texts]), _weigh(artifacts), strict=True)
    vectors = [{**of_words, **of_topics, **of_artifacts} for of_words, of_topics, of_artifacts in parts]
    references: nx.Graph[int] = nx.empty_graph(len(ids))
    references.add_edges_from((places[text.id], places[other]) for text in texts for other in text.references)
    reasons = _Reasons(graph, texts, words, wording)
    rankings = _rank_others(vectors, _read_years(graph, ids), references)
    for place, (source, ranking) in enumerate(zip(ids, rankings, strict=True)):
        explained = ((other, weight, *reasons.explain(place, other)) for other, weight in ranking)
        for other, weight, is_strong, why in islice((one for one in explained if one[-1]), per_episode):
            yield source, ids[other], {"weight": weight, "level": "strong" if is_strong else "similar", "reasons": why}


def _read_text(graph: Graph, node: str, places: Mapping[str, int]) -> _Text:
    """Return what an episode or post may share with others; ``places`` has the ids of all of them."""
    text = _Text(node, {}, {}, {}, {})
    for _, target, relation, data in graph.out_edges(node, keys=True, data=True):
        if relation == "about":
            text.about[target] = in_title(data)
            if not graph.nodes[target].get("derived"):  # derived topics are words of the notes: these count already
                for topic, share in _find_wholes(graph, target).items():
                    text.topics[topic] = max(text.topics.get(topic, 0.0), share * float(data.get("weight", 1)))
        elif target in places:
            if relation in ("listen_first", "see_also", "cites") and target != node:
                is_first = "listen_first" in (relation, text.references.get(target))
                text.references[target] = "listen_first" if is_first else "see_also"
        elif relation in ("cites", "mentions") and not data.get("boilerplate"):
            artifact = graph.nodes[target]
            is_own = artifact["kind"] == "web" and describe_own_place(artifact.get("url", ""))
            if artifact["kind"] not in NO_SUBJECT and not is_own:  # a repository or a handle is not a subject
                text.artifacts[target] = relation == "cites" or text.artifacts.get(target, False)
    return text


def _find_wholes(graph: Graph, topic: str) -> dict[str, float]:
    """Return a topic, its wholes and theirs, and its area, with the share of the topic's weight that each gets."""
    shares, parts = {topic: 1.0}, [topic]
    for part in parts:  # grows in the loop
        for _, whole, relation in graph.out_edges(part, keys=True):
            if relation == "subtopic_of" and whole not in shares:
                shares[whole] = _WEIGHT_OF_WHOLE * shares[part]
                parts.append(whole)
    if area := graph.nodes[topic].get("area"):
        shares[f"area:{area}"] = _WEIGHT_OF_WHOLE
    return shares


def _read_years(graph: Graph, ids: Iterable[str]) -> NDArray[np.float64]:
    """Return the date of each text in years since 1970. An undated one is infinitely far from all others."""
    dates = (graph.nodes[node].get("date", "")[:10] for node in ids)
    days = np.array([date or "NaT" for date in dates], "datetime64[D]")
    return np.where(np.isnat(days), np.inf, days.astype(np.int64) / 365.25)


def _weigh(texts: Sequence[Vector]) -> list[Vector]:
    """Return the vectors of texts with each weight times its rarity (idf), and with lengths of about 1.

    The squared length of each grows by a part of the mean, so that the shortest texts are not the nearest to everything
    mentioned in them. A word of a single text counts in the length only.
    """
    holders = Counter(name for text in texts for name in text)
    rarity = {name: math.log((len(texts) + 1) / count) for name, count in holders.items()}
    weights = [{name: value * rarity[name] for name, value in sorted(text.items())} for text in texts]
    squares = [math.fsum(value**2 for value in text.values()) for text in weights]
    added = _ADDED_LENGTH * math.fsum(squares) / max(1, sum(square > 0 for square in squares))
    return [
        {name: value / math.sqrt(square + added) for name, value in text.items() if holders[name] > 1}
        for text, square in zip(weights, squares, strict=True)
    ]


def _rank_others(
    vectors: Sequence[Vector], years: NDArray[np.float64], references: nx.Graph[int]
) -> Iterator[list[tuple[int, float]]]:
    """Yield, for each text, the others by descending score: (position, score), at most ``_MAXIMUM_CANDIDATES``.

    ``vectors`` and ``years`` are by position. ``references`` connects the positions of texts tied by a reference:
    these come first, whatever their score.
    """
    freshness = _measure_freshness(vectors, years)
    holders: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for place, vector in enumerate(vectors):
        for name, value in vector.items():
            holders[name].append((value, -place))  # of equal weights the first position counts
    # Two rows of each name: the weights, and the negated places that have them.
    rows_of = {name: np.array(nlargest(_MAXIMUM_HOLDERS, entries)).T for name, entries in holders.items()}
    for place, vector in enumerate(vectors):
        products = np.concatenate([np.empty(0), *(value * rows_of[name][0] for name, value in vector.items())])
        negated_places = np.concatenate([np.empty(0), *(rows_of[name][1] for name in vector)])
        scores = 0.0 + np.bincount(-negated_places.astype(np.int64), products, len(vectors))
        scores[place] = 0.0
        ties = np.bincount(np.array([*references[place]], np.int64), minlength=len(vectors))
        scores += _REFERENCE_SCORE * ties
        others = np.flatnonzero(scores)
        with np.errstate(invalid="ignore"):  # between two undated texts
            apart = np.nan_to_num(np.abs(years[others] - years[place]), nan=np.inf)
        fresh_scores = np.round(scores[others] * (1 + freshness / (1 + apart)), 4)
        first = np.lexsort((-fresh_scores, -ties[others]))[:_MAXIMUM_CANDIDATES]
        yield list(zip(others[first].tolist(), fresh_scores[first].tolist(), strict=True))


def _measure_freshness(vectors: Sequence[Vector], years: NDArray[np.float64]) -> float:
    """Return how much more two texts of the same day count than two far apart in time; 0: not at all.

    The factor follows from the show: news return within a year, basics do not. It is the mean similarity of the pairs
    within one calendar year, compared with the mean of all pairs.
    """
    calendar: dict[float, list[Vector]] = defaultdict(list)
    for vector, year in zip(vectors, years, strict=True):
        if math.isfinite(year):
            calendar[year // 1].append(vector)
    near, overall = _compare_pairs(calendar.values()), _compare_pairs([vectors])
    return max(0.0, near / overall - 1) / math.log(2) if overall > 0 else 0.0  # the mean of 1 / (1 + x) in 0..1


def _compare_pairs(groups: Iterable[Sequence[Vector]]) -> float:
    """Return the mean similarity of the pairs of vectors in the same group; 0 without pairs."""
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
    """Gives the strength and reasons of pairs of texts, given by their positions."""

    def __init__(self, graph: Graph, texts: Sequence[_Text], words: Sequence[Vector], wording: Wording) -> None:
        """Collect the names that are never a reason, and count the texts of each word, topic and artifact."""
        self._nodes, self._texts, self._words, self._spellings = graph.nodes, texts, words, wording.spellings
        nodes = [data for _, data in graph.nodes(data=True)]
        self._names_of_shows = {word for data in nodes if data["kind"] == "podcast" for word in self._list_names(data)}
        self._names_of_persons = {*fold(" ".join(data["label"] for data in nodes if data["kind"] == "person")).split()}
        self._counts = Counter(name for vector in words for name in vector)
        self._counts += Counter(name for text in texts for name in {*text.topics, *text.about, *text.artifacts})
        self._campaigns = _find_campaigns(graph)
        self._is_reason = cache(self._can_be_reason)  # asked for each pair that shares the name

    def _list_names(self, show: Mapping[str, Any]) -> set[str]:
        """Return the words of a show's name and of its presenters' names: they do not describe its episodes."""
        hosts = (self._nodes.get(host, {}).get("label", host) for host in show.get("hosts", ()))
        initials = "".join(filter(str.isupper, show.get("title", "")))
        names = " ".join((show.get("title", ""), initials, show.get("author", ""), *hosts))
        language = language_of(show.get("language", ""), (names,))
        # Every second part is a word, between separators.
        return {form for word in language.split(names)[1::2] for form in (language.key(word), word.casefold())}

    def explain(self, place: int, other: int) -> tuple[bool, list[str]]:
        """Return whether two texts are strongly related, and the reasons why they are related, the rarest first.

        Strong are a narrow topic in both titles and, of texts with similar words, a reference that is not one of many
        and a rare artifact or person that is not one of a list. Without a reason in words the pair is no use to a
        person: the list is then empty.
        """
        one, two = self._texts[place], self._texts[other]
        reasons, ties = [], []
        for source, target in ((one, two), (two, one)):
            if relation := source.references.get(target.id):
                ties.append("roundup" if len(source.references) > _MAXIMUM_REFERENCES else relation)
                labels = self._nodes[source.id]["label"], self._nodes[target.id]["label"]
                reasons.append(_STATEMENTS[relation].format(*labels))
        topics = self._sort_reasons(one.about.keys() & two.about.keys())
        wholes = [] if topics else self._sort_reasons(one.topics.keys() & two.topics.keys() & self._nodes.keys())
        artifacts = self._sort_reasons(one.artifacts.keys() & two.artifacts.keys())
        links = [name for name in artifacts if one.artifacts[name] and two.artifacts[name]]
        others = [name for name in artifacts if name not in links]
        ours, theirs = self._words[place], self._words[other]
        products = {word: ours[word] * theirs[word] for word in ours.keys() & theirs.keys()}
        is_list = len(artifacts) > _MAXIMUM_SHARED or max(len(one.artifacts), len(two.artifacts)) > _MAXIMUM_ARTIFACTS
        ties += ["artifact" for name in artifacts if self._counts[name] <= _MAXIMUM_RARE and not is_list]
        likeness = math.fsum(products.values())
        is_strong = "roundup" not in ties and any(likeness >= _MINIMUM_LIKENESS[tie] for tie in ties)
        narrow = max(_MAXIMUM_TOPIC_SHARE * len(self._texts), _MAXIMUM_RARE + 1)
        is_strong |= any(one.about[topic] and two.about[topic] and self._counts[topic] < narrow for topic in topics)
        groups = [("both about {}", topics[:3]), ("both about {} or parts of it", wholes[:1])]
        groups += [("both cite {}", links[:2]), ("both name {}", others[:2])]
        groups.sort(key=lambda group: min(map(self._counts.__getitem__, group[1]), default=0))
        reasons += [sentence.format(self._join_labels(nodes)) for sentence, nodes in groups if nodes]
        if not reasons:
            ranking = sorted(filter(self._is_reason, products), key=lambda word: (-products[word], word))
            words = ", ".join(self._spellings[word] for word in self._sort_reasons(ranking[:3]))
            reasons = [f"similar words: {words}"] if words else []
        return is_strong, reasons

    def _sort_reasons(self, names: Iterable[str]) -> list[str]:
        """Return the words or nodes that can be a reason, the rarest first."""
        return sorted(filter(self._is_reason, names), key=lambda name: (self._counts[name], name))

    def _can_be_reason(self, name: str) -> bool:
        """Return whether few texts share a word or node, and it is not the show, a code, a sponsor or a presenter."""
        is_word = name in self._spellings
        node = {"kind": "word", "label": self._spellings[name]} if is_word else self._nodes[name]
        share = _MAXIMUM_PERSON_SHARE if node["kind"] == "person" else _MAXIMUM_REASON_SHARE
        if self._counts[name] > max(share * len(self._texts), _SMALL_COUNT) or name in self._campaigns:
            return False
        words = {name} if is_word else {word.rstrip("0123456789") for word in node["label"].casefold().split()}
        is_first_name = node["kind"] in ("topic", "word") and self._names_of_persons >= {*fold(node["label"]).split()}
        return not (words <= self._names_of_shows or node["label"].startswith("@") or is_first_name)

    def _join_labels(self, nodes: Sequence[str]) -> str:
        """Return the names of nodes: "A, B and C"."""
        *first, last = [self._nodes[node]["label"] for node in nodes]
        return f"{', '.join(first)} and {last}" if first else last


def _find_campaigns(graph: Graph) -> set[str]:
    """Return the sponsors, conferences and surveys that the notes of a few episodes in a row announce.

    A subject of several episodes in a row is also in a title.
    """
    campaigns: set[str] = set()
    for episodes in episodes_by_show(graph).values():
        places: dict[str, set[int]] = defaultdict(set)
        for place, episode in enumerate(episodes):
            for _, target in graph.out_edges(episode):
                places[target].add(place)
        subjects = {target for _, target, data in graph.out_edges(episodes, data=True) if in_title(data)}
        # At least three episodes, which are at least half of those from the first to the last.
        campaigns.update(
            target for target, of_target in places.items()
            if target not in subjects and len(of_target) >= 3 and max(of_target) - min(of_target) < 2 * len(of_target)
        )  # fmt: skip
    return campaigns
