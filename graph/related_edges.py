"""Related episodes and posts, each with the reasons a person would give.

The score of a pair sums what ties it: topics, their groups and areas by how rare they are, topics that are spoken of
together in the code, words of title and notes (TF-IDF), code and sources that both name, and what one says of the
other. Only what has a nameable reason is kept; an area that only groups topics is one behind three others. Pairs are
met through an inverted index in which each feature proposes only those who hold it most, so the work grows with the
number of episodes and not with its square.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect
from collections import Counter, defaultdict
from itertools import count, pairwise
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from podgraph.extractors import language_of, own_place

from .attributes import is_only_said, is_said, was_read
from .boilerplate import is_common
from .content_words import count_words, series_of
from .kinds import SOURCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from podgraph.extractors import Aside

    from .attributes import EdgeAttributes, Graph, NewEdge, NodeAttributes

    Together = Mapping[tuple[str, str], tuple[float, str]]
    Near = Mapping[str, Mapping[str, tuple[float, str]]]
    Held = dict[str, dict[str, float]]  # by family: what is held, and how much
    Ints = np.ndarray[tuple[int], np.dtype[np.int64]]
    SmallInts = np.ndarray[tuple[int], np.dtype[np.int32]]
    Floats = np.ndarray[tuple[int], np.dtype[np.float64]]

_PER_EPISODE = 5
_PROPOSING = 6  # how many of its features of a family, the strongest, find a node its proposals
_CHAMPIONS = 14  # how many of those that share a feature it proposes
_BLOCK = 256  # places of one step: what is held at once beside the table does not grow
_RESCORED = 16  # how many proposals of each episode are looked at closely
_LEAST = 0.14  # below this score the tie is too thin to be of use
_GROWN = 40  # texts from which on that holds: in a small show the same tie scores less, its topics being less rare
_BROAD, _BROAD_LEAST = 0.15, 8  # of the texts are about a derived topic: too many for it to be a reason alone
WEIGHTS = {  # of families: first those of which each feature has a name
    "topic": 1.0, "area": 0.35, "symbol": 0.3, "source": 0.3, "series": 0.3, "said": 0.3,
    "near": 0.4, "word": 0.8, "speech": 0.3,
}  # fmt: skip
_FAMILIES = (*WEIGHTS,)
_NAMED = _FAMILIES.index("said") + 1
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
    ``said`` is the text of the transcript of each item that has one. The graph itself is not changed, but whoever asks
    may add each edge as it comes; the order of its nodes does not matter.
    """
    read = _Read(graph, together or {}, asides or {}, said or {})
    table, texts = _Table(read.gathered, len(read.texts)), read.texts
    derived = any(graph.nodes[topic].get("derived") for topic in read.topics)  # topics of the show's own words
    least = _LEAST * min(1.0, len(texts) / _GROWN) if derived else _LEAST
    ties = _Reasons(graph, read, table)
    spoken = _spoken(read.told)
    pairs, by_area, scores = array("i"), array("i"), array("d")
    for place, likely in enumerate(_proposals(table, spoken)):
        ties.turn_to(place)
        ranked = sorted(
            (-round(product + spoken.get((place, other), 0.0), 4), other, nameable)
            for other, product, nameable in zip(likely, *table.products(place, likely), strict=True)
        )
        kept, grouped = 0, []
        for negative, other, nameable in ranked:
            if -negative < least or kept == per_episode:
                break
            shared = ties.shared(other) if nameable else {}
            if reasons := ties.named(other, shared):
                kept += 1
                pairs.extend((place, other))
                yield texts[place], texts[other], {"weight": -negative, "reasons": reasons}
            elif "area" in shared:
                grouped.append((other, -negative))
        for other, score in grouped[: per_episode - kept] if kept >= _BEHIND else ():
            by_area.extend((place, other))
            scores.append(score)
    partners = _partners(pairs, len(texts))
    for place, other, score in zip(by_area[::2], by_area[1::2], scores, strict=True):
        if partners[other] >= _BEHIND:
            ties.turn_to(place)
            reason = f"both in the field of {_listed(ties.shared(other)['area'][:2])}"
            weight = round(min(score * _BY_AREA, 0.9 * least), 4)
            yield texts[place], texts[other], {"weight": weight, "reasons": [reason]}


def _partners(pairs: array[int], total: int) -> list[int]:
    """Return with how many others each of ``total`` places has a named reason, either way."""
    one, other = np.array(pairs, np.int64).reshape(-1, 2).T
    both = np.unique(np.concatenate([one * total + other, other * total + one]))
    partners: list[int] = np.bincount(both // total, minlength=total).tolist()
    return partners


def _spoken(told: Mapping[tuple[int, int], str]) -> dict[tuple[int, int], float]:
    """Return what is added to pairs of places, both ways, for what one says of the other."""
    spoken: dict[tuple[int, int], float] = defaultdict(float)
    for (one, other), relation in told.items():
        spoken[one, other] += _SAID[relation]
        spoken[other, one] += _SAID[relation]
    return spoken


class _Gathered:
    """What texts hold, row after row: a row for each text and family, of features and how much, not yet times rarity.

    ``numbers`` are those of the features, by family; row ``r`` goes from ``ends[r]`` to ``ends[r + 1]``.
    """

    def __init__(self) -> None:
        following = count().__next__
        self.numbers: dict[str, dict[str, int]] = {family: defaultdict(following) for family in _FAMILIES}
        self.features, self.weights, self.ends = array("i"), array("d"), array("q", [0])

    def add(self, held: Held) -> None:
        for family, numbers in self.numbers.items():
            of_family = held.get(family, {})
            self.features.extend(map(numbers.__getitem__, of_family))
            self.weights.extend(of_family.values())
            self.ends.append(len(self.features))


class _Read:
    """What is read in the graph: ``texts`` (episodes and posts), ``topics``, what each text holds.

    ``told`` has what the notes of one say of another, by places in ``texts``; ``near`` the topics that are spoken of
    with each, how much one stands for the other, and where; ``about`` the topics of each text, and how much it is about
    each beside the first, in 0..1, where any are near to others.
    """

    def __init__(
        self, graph: Graph, together: Together, asides: Mapping[str, Sequence[Aside]], said: Mapping[str, str]
    ) -> None:
        homes: dict[str, str] = {}
        self.topics: list[str] = []
        self._symbols, self._untelling, people = set[str](), set[str](), set[str]()
        for node, data in graph.nodes(data=True):
            if data["kind"] in SOURCES and was_read(data):
                homes[node] = data.get("podcast", "")
            elif data["kind"] == "topic":
                self.topics.append(node)
            elif data["kind"] == "symbol":
                self._symbols.add(node)
            elif data["kind"] == "person":
                people.add(node)
            if data["kind"] in ("repo", "topic", *SOURCES) or _is_handle(data):
                self._untelling.add(node)
        self.texts = sorted(homes)
        self.near = _neighbours(together, graph)
        self.told: dict[tuple[int, int], str] = {}
        self.gathered = _Gathered()
        self.about = _About()
        groups = _groups(graph, self.topics)
        self._places = {node: place for place, node in enumerate(self.texts)}
        codes = _codes(graph, self.texts, homes)
        sizes = Counter(homes.values())
        shared = Counter[tuple[str, str]]()
        subjects = people.union(self.topics)
        for place, node in enumerate(self.texts):
            code = codes[homes[node]]
            held = self._ties(graph, groups, place)
            held |= _wording(graph.nodes[node], code, asides.get(node, ())) | _speech(said.get(node, ""), code)
            self.gathered.add(held)
            named = subjects & {*held["topic"], *held["source"], *held["said"]}
            shared.update((homes[node], one) for one in named)
        # Persons and topics that so many episodes of a show share that they say nothing of two of them.
        self.common = {one for (home, one), count in shared.items() if is_common(count, sizes[home])}
        del self._places, self._symbols, self._untelling

    def _ties(self, graph: Graph, groups: Mapping[str, Sequence[str]], place: int) -> Held:  # noqa: C901
        """Return what the edges of a text say of it, by family: topics, what these are part of, symbols, sources."""
        near = self.near
        found: Held = defaultdict(dict)
        about: dict[str, float] = {}
        for _, target, relation, data in graph.out_edges(self.texts[place], keys=True, data=True):
            if (relation in _SAID or relation == "cites") and (other := self._places.get(target)) is not None:
                first = "listen_first" in (relation, self.told.get((place, other)))  # goes before to be seen also
                self.told[place, other] = "listen_first" if first else "see_also"
            heard = is_said(data)
            unwritten = heard and is_only_said(data)
            if relation == "about" and not unwritten:
                about[target] = float(data.get("weight", 1))
            if data.get("boilerplate"):
                continue
            if heard:
                found["said"][target] = _said_often(data)
            if unwritten:
                continue
            if relation == "about":
                found["topic"][target] = strength = math.sqrt(data.get("weight", 1))
                for group in groups[target]:
                    found["area"][group] = max(found["area"].get(group, 0.0), strength)
                for other_topic, (value, _) in {target: (1.0, ""), **near.get(target, {})}.items() if near else ():
                    found["near"][other_topic] = max(found["near"].get(other_topic, 0.0), strength * value)
            elif relation == "mentions" and target in self._symbols:
                found["symbol"][target] = 1.0
            elif relation in ("cites", "mentions") and target not in self._untelling:
                found["source"][target] = 1.0
        if near:
            self.about.add(about)
        return found


class _About:
    """The topics of each text, and how much it is about each beside the first, in 0..1."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._topics, self._strengths, self._ends = array("i"), array("d"), array("q", [0])
        self.names: list[str] = []

    def add(self, weights: Mapping[str, float]) -> None:
        most = max(weights.values(), default=1.0)
        for topic, weight in weights.items():
            if topic not in self._numbers:
                self._numbers[topic] = len(self.names)
                self.names.append(topic)
            self._topics.append(self._numbers[topic])
            self._strengths.append(math.sqrt(weight / most))
        self._ends.append(len(self._topics))

    def of(self, place: int) -> dict[str, float]:
        start, end = self._ends[place : place + 2]
        topics = (self.names[number] for number in self._topics[start:end])
        return dict(zip(topics, self._strengths[start:end], strict=True))


def _neighbours(together: Together, graph: Graph) -> dict[str, dict[str, tuple[float, str]]]:
    """Return for each topic of the graph those that it is spoken of with: how much one stands for the other, where."""
    near: dict[str, dict[str, tuple[float, str]]] = defaultdict(dict)
    for (one, other), (value, path) in together.items():
        first, second = f"topic:{one}", f"topic:{other}"
        if first in graph and second in graph:
            near[first][second] = near[second][first] = min(value, _NEAR_AT_MOST), path
    return near


def _said_often(data: EdgeAttributes) -> float:
    """Return how much a transcript says something: the logarithm of the minutes in which it does."""
    return 1.0 + math.log(max(len(item.get("moments", ())) or 1 for item in data["evidence"]))


def _is_handle(node: NodeAttributes) -> bool:
    """Tell whether a page is somebody's own place on a network: it says who spoke, and not of what."""
    return node.get("kind") == "web" and own_place(node.get("url", "")) != ""


def _codes(graph: Graph, texts: Sequence[str], homes: Mapping[str, str]) -> dict[str, str]:
    """Return the language of each podcast by its id, as two letters; ``homes`` are the podcasts of texts."""
    of_podcast: dict[str, list[str]] = defaultdict(list)
    for node in texts:
        of_podcast[homes[node]].append(node)
    return {
        podcast: language_of(graph.nodes.get(podcast, {}).get("language", ""), _spelled(graph, own)).code
        for podcast, own in of_podcast.items()
    }


def _spelled(graph: Graph, nodes: Iterable[str]) -> Iterator[str]:
    """Yield title and notes of nodes; whoever has seen enough asks for no more."""
    for node in nodes:
        data = graph.nodes[node]
        yield f"{data.get('title', '')} {data.get('summary', '')}"


def _wording(attributes: NodeAttributes, code: str, asides: Sequence[Aside]) -> Held:
    """Return what title and notes say of a node, by family: words, and the series that the title names."""
    notes, told, last = attributes.get("summary", ""), [], 0
    for aside in asides:
        told.append(notes[last : aside.start])
        last = aside.end
    told.append(notes[last:])
    counts: dict[str, float] = {**count_words("\n".join(told), code)}
    for word, times in count_words(attributes.get("title", ""), code).items():
        counts[word] = counts.get(word, 0.0) + _TITLE_WORDS * times
    series = series_of(attributes.get("title", ""))
    return {
        "word": {word: 1.0 + math.log(times) for word, times in counts.items()},
        "series": {series: 1.0} if series else {},
    }


def _speech(text: str, code: str) -> Held:
    """Return the words of a transcript, apart from those of the notes: said often, they would drown these."""
    counts = count_words(text, code) if text else {}
    return {"speech": {word: 1.0 + math.log(times) for word, times in counts.items()}}


def _groups(graph: Graph, topics: Iterable[str]) -> dict[str, list[str]]:
    """Return for each topic the labels of its area, of what it is part of, and of itself if it has parts."""
    above = {node: _wholes(graph, node) for node in topics}
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


class _Table:
    """The vectors of all texts, once: rows of features and values (weight times rarity), one for each text and family.

    Features are numbered by family and name, so that what goes by number goes by name; those of the families that come
    first have their ``names``. Each row has the length 1, less what is said below; what only one text holds counts in
    the length and is not in it. Topics are shorter the fewer a text has: each is taken to have as much again as the
    average one that it does not say, or a bare title of one topic would be that topic's best example. What is heard is
    as long as the part of the texts that has any: few transcripts must not tie for being there.
    """

    def __init__(self, gathered: _Gathered, total: int) -> None:
        self._total = total
        self.names: list[str] = []
        self.bounds = [0]
        order = array("i")
        for place, numbers in enumerate(gathered.numbers.values()):
            named = sorted(numbers)
            order.extend(map(numbers.__getitem__, named))
            self.bounds.append(len(order))
            if place < _NAMED:
                self.names += named
            numbers.clear()
        ranks = np.empty(len(order), np.int32)
        ranks[order] = np.arange(len(order), dtype=np.int32)
        self.features: SmallInts = ranks[np.frombuffer(gathered.features, np.int32)]
        self.values: Floats = np.array(gathered.weights)
        self.ends: Ints = np.array(gathered.ends)
        del gathered.features, gathered.weights, gathered.ends
        self.holders: Ints = np.bincount(self.features, minlength=len(ranks))  # texts that hold each feature
        self._weigh()
        self._drop_lone()
        sizes = np.diff(self.bounds)
        self.scales: Floats = np.repeat([*WEIGHTS.values()], sizes)
        self._starts = self.ends[:: len(_FAMILIES)].copy()  # of the texts
        self._own = np.zeros(len(ranks))

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield first and last (beyond) place of each block of texts."""
        yield from ((low, min(low + _BLOCK, self._total)) for low in range(0, self._total, _BLOCK))

    def rows(self, low: int, high: int) -> tuple[slice, Ints]:
        """Return where the features of the texts from ``low`` to ``high`` stand, and the row of each from 0."""
        ends = self.ends[low * len(_FAMILIES) : high * len(_FAMILIES) + 1]
        return slice(int(ends[0]), int(ends[-1])), np.repeat(np.arange(len(ends) - 1), np.diff(ends))

    def _weigh(self) -> None:
        """Make weights to values."""
        distinct, places = np.unique(self.holders, return_inverse=True)
        rarity = np.array([math.log((self._total + 1) / held) for held in distinct.tolist()])[places]
        squares = array("d")
        for low, high in self.blocks():
            where, _ = self.rows(low, high)
            self.values[where] *= rarity[self.features[where]]
            squared = (self.values[where] ** 2).tolist()
            ends = (self.ends[low * len(_FAMILIES) : high * len(_FAMILIES) + 1] - where.start).tolist()
            # not numpy's sum: what two texts hold in another order is as long
            squares.extend(math.fsum(squared[start:end]) for start, end in pairwise(ends))
        lengths = np.array(squares).reshape(-1, len(_FAMILIES))
        topics = lengths[:, _FAMILIES.index("topic")]
        if topics.any():
            topics[topics > 0] += fmean(topics[topics > 0].tolist())
        lengths[lengths == 0] = 1.0
        flat = np.sqrt(lengths).ravel()
        for low, high in self.blocks():
            where, rows = self.rows(low, high)
            self.values[where] /= flat[low * len(_FAMILIES) + rows]

    def _drop_lone(self) -> None:
        """Drop what one text alone holds, put each row in the order of features, and shorten what is heard."""
        counts = array("q", [0])
        end = 0
        for low, high in self.blocks():
            where, rows = self.rows(low, high)
            features, values = self.features[where], self.values[where]
            kept = np.lexsort((features, rows))
            kept = kept[self.holders[features[kept]] > 1]
            self.features[end : end + len(kept)] = features[kept]
            self.values[end : end + len(kept)] = values[kept]
            end += len(kept)
            counts.extend(np.bincount(rows[kept], minlength=(high - low) * len(_FAMILIES)))
        self.features.resize(end, refcheck=False)
        self.values.resize(end, refcheck=False)
        self.ends = np.cumsum(counts)
        for family in map(_FAMILIES.index, _HEARD):
            having = np.count_nonzero(np.diff(self.ends)[family :: len(_FAMILIES)])
            first, last = self.bounds[family : family + 2]
            if having:
                heard = (self.features >= first) & (self.features < last)
                self.values[heard] *= math.sqrt(having / self._total)

    def strongest(self) -> tuple[SmallInts, Ints]:
        """Return where the strongest features of each family of each text stand, and up to where those of each text."""
        found, counts = [], [np.zeros(1, np.int64)]
        for low, high in self.blocks():
            where, rows = self.rows(low, high)
            backwards = np.arange(len(rows) - 1, -1, -1)  # of two that weigh the same, the last in the alphabet
            order = backwards[np.argsort(-self.values[where][backwards], kind="stable")]
            order = order[np.argsort(rows[order], kind="stable")]
            ahead = np.searchsorted(rows, np.arange((high - low) * len(_FAMILIES)))
            order = order[np.arange(len(rows)) - ahead[rows] < _PROPOSING]
            found.append((order + where.start).astype(np.int32))
            counts.append(np.bincount(rows[order] // len(_FAMILIES), minlength=high - low))
        return np.concatenate(found or [np.zeros(0, np.int32)]), np.cumsum(np.concatenate(counts))

    def products(self, place: int, others: Sequence[int]) -> tuple[list[float], list[int]]:
        """Return the scalar product of the text at ``place`` with each of ``others``, and how many names they share."""
        start, end = self._starts[place : place + 2]
        own = self.features[start:end]
        self._own[own] = self.values[start:end] * self.scales[own]
        places = np.array(others, np.int64)
        first, sizes = self._starts[places], self._starts[places + 1] - self._starts[places]
        whose = np.repeat(np.arange(len(places)), sizes)
        where = np.arange(len(whose)) + (first - np.cumsum(sizes) + sizes)[whose]
        features = self.features[where]
        products = self._own[features] * self.values[where]
        self._own[own] = 0.0
        named = whose[(products > 0) & (features < len(self.names))]
        return np.bincount(whose, products, len(places)).tolist(), np.bincount(named, minlength=len(places)).tolist()

    def named(self, place: int) -> dict[int, float]:
        """Return the features that have a name of the text at ``place``, by number, with their values."""
        start, end = self.ends[place * len(_FAMILIES)], self.ends[place * len(_FAMILIES) + _NAMED]
        return dict(zip(self.features[start:end].tolist(), self.values[start:end].tolist(), strict=True))


def _proposals(table: _Table, spoken: Mapping[tuple[int, int], float]) -> Iterator[list[int]]:
    """Yield for each text, by place, those that share a strong feature and hold it most, the likeliest first.

    ``spoken`` are pairs of places that meet anyhow, and how much that adds.
    """
    strong, bounds = table.strongest()
    total = len(bounds) - 1
    features = table.features[strong]
    values = table.values[strong] * np.sqrt(table.scales[features])
    holders = np.repeat(np.arange(total, dtype=np.int32), np.diff(bounds))
    del strong
    counts = np.bincount(features, minlength=len(table.scales))
    starts = np.cumsum(counts) - counts
    ranked = np.lexsort((-values, features))
    first = np.arange(len(ranked)) - starts[features[ranked]] < _CHAMPIONS
    ranked = ranked[first]
    champions, champion_values = holders[ranked], values[ranked]
    counts = np.minimum(counts, _CHAMPIONS)
    starts = np.cumsum(counts) - counts
    del ranked, first
    extra = sorted(spoken.items())
    handled = 0
    for low, high in table.blocks():
        begin, end = bounds[low], bounds[high]
        known = counts[features[begin:end]]
        own = np.repeat(np.arange(begin, end), known)
        met = np.arange(len(own)) - np.repeat(np.cumsum(known) - known, known) + starts[features[own]]
        strangers = holders[own] != champions[met]
        own, met = own[strangers], met[strangers]
        keys = (holders[own].astype(np.int64) - low) * total + champions[met]
        weights = values[own] * champion_values[met]
        until = handled
        while until < len(extra) and extra[until][0][0] < high:
            until += 1
        pairs, handled = extra[handled:until], until
        keys = np.append(keys, np.array([(one - low) * total + other for (one, other), _ in pairs], np.int64))
        weights = np.append(weights, np.array([weight for _, weight in pairs]))
        found, inverse = np.unique(keys, return_inverse=True)
        sums = np.bincount(inverse, weights, len(found))
        places = found // total
        found = found[np.lexsort((-sums, places))] % total  # of two that weigh the same, the first: they are in order
        borders = np.searchsorted(places, np.arange(high - low + 1))
        for start, last in pairwise(borders.tolist()):
            yield found[start : min(last, start + _RESCORED)].tolist()


class _Reasons:
    """Says why a text is related to others, all given by their places."""

    def __init__(self, graph: Graph, read: _Read, table: _Table) -> None:
        self._graph, self._texts, self._told, self._table = graph, read.texts, read.told, table
        self._near, self._about, self._common = read.near, read.about, read.common
        most = max(_BROAD_LEAST, _BROAD * len(read.texts))
        topics = [(topic, graph.nodes[topic]) for topic in read.topics]
        # Topics of a show's own words that so many texts are about tie nothing alone.
        self._broad = {topic for topic, data in topics if data.get("derived") and data.get("count", 0) > most}
        # A group that episodes are about themselves is a subject, not only a place to put topics.
        subjects = {
            data["label"]
            for topic, data in topics
            if any(key == "about" for _, _, key in graph.in_edges(topic, keys=True))
        }
        first, last = table.bounds[_FAMILIES.index("area") : _FAMILIES.index("area") + 2]
        holders = zip(table.names[first:last], table.holders[first:last].tolist(), strict=True)
        wide = {area for area, held in holders if held > _WIDE * len(read.texts)}
        self._subjects = subjects - wide
        self._place, self._own = -1, dict[int, float]()
        self._reach: dict[str, list[tuple[float, str, str]]] = {}

    def turn_to(self, place: int) -> None:
        """Let the first of all pairs be the text at ``place``."""
        self._place, self._own, self._reach = place, self._table.named(place), self._reached(place)

    def shared(self, other: int) -> dict[str, list[str]]:
        """Return the features that two texts share and that can be a reason, by family, the weightiest first."""
        own, theirs = self._own, self._table.named(other)
        common = sorted(own.keys() & theirs.keys(), key=lambda feature: (-own[feature] * theirs[feature], feature))
        found: dict[str, list[str]] = {}
        for feature in common:
            family, name = _FAMILIES[bisect(self._table.bounds, feature) - 1], self._table.names[feature]
            if name not in self._common:
                found.setdefault(family, []).append(name)
        return found

    def named(self, other: int, shared: Mapping[str, Sequence[str]]) -> list[str]:
        """Return what a person would name: what one says of the other, what both are about, cite and name."""
        place, labels = self._place, self._graph.nodes
        reasons = [
            _SAYS[self._told[pair]].format(*(labels[self._texts[end]]["label"] for end in pair))
            for pair in ((place, other), (other, place))
            if pair in self._told
        ]
        if not (shared or reasons):
            return self._together(other)
        source, target = self._texts[place], self._texts[other]
        series = [f"“{name.capitalize()}”" for name in shared.get("series", ())]
        topics = shared.get("topic", ())
        # A name said in passing is no reason; a topic that is said comes back in several minutes.
        both_say = shared.get("said", ())
        spoken = [one for one in both_say if one not in topics and labels[one]["kind"] == "topic"]
        telling = bool(reasons or series) or any(topic not in self._broad for topic in topics)
        sources = shared.get("source", ())[:2]
        cited = [one for one in sources if all(self._graph.has_edge(text, one, "cites") for text in (source, target))]
        named = [one for one in sources if one not in cited]
        names = {
            "both of the series {}": series[:1],
            "both about {}": _labels(self._graph, topics[:3] if telling else ()),
            "both cite {}": _labels(self._graph, cited),
            "both name {}": _labels(self._graph, [*named, *shared.get("symbol", ())[:3]]),
            "both speak of {}": _labels(self._graph, spoken[:3]),
        }
        reasons += [reason.format(_listed(found)) for reason, found in names.items() if found]
        if len(reasons) == 1 and names["both about {}"] and self._in_passing(source, target, topics):
            reasons = []
        return reasons or self._together(other) or self._parts(shared.get("area", ()))

    def _in_passing(self, source: str, target: str, topics: Sequence[str]) -> bool:
        """Tell whether two share one topic of a vocabulary only, and both only mention it: many do."""
        topic, *more = topics
        if self._graph.nodes[topic].get("derived"):
            return False
        weights = (self._graph.edges[node, topic, "about"].get("weight", 1) for node in (source, target))
        return not more and max(weights) < _SUBJECT

    def _reached(self, place: int) -> dict[str, list[tuple[float, str, str]]]:
        """Return the topics that are spoken of in the code with those of a text: how much, with which, and where."""
        reached: dict[str, list[tuple[float, str, str]]] = defaultdict(list)
        for one, strength in self._about.of(place).items() if self._near else ():
            for other, (value, path) in self._near.get(one, {}).items() if one not in self._common else ():
                reached[other].append((value * strength, one, path))
        return reached

    def _together(self, target: int) -> list[str]:
        """Return the topics of both that are spoken of together in the code, those that they are most about."""
        if not self._reach:
            return []
        best = (_TOGETHER, "", "", "")
        there = self._about.of(target)
        for other in (self._reach.keys() & there.keys()) - self._common:
            for value, one, path in self._reach[other]:
                best = max(best, (value * there[other], one, other, path))
        _, one, other, path = best
        return [f"{' and '.join(_labels(self._graph, (one, other)))} are spoken of together in {path}"] if one else []

    def _parts(self, areas: Sequence[str]) -> list[str]:
        groups = [group for group in areas if group in self._subjects]
        return [f"both about {groups[0]} or parts of it"] if groups else []


def _labels(graph: Graph, nodes: Iterable[str]) -> list[str]:
    return [graph.nodes[node]["label"] for node in nodes]


def _listed(names: Iterable[str]) -> str:
    """Join names as a person does.

    >>> _listed(["a", "b", "c"])
    'a, b and c'
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
