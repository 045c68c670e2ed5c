"""The steps from a file, a symbol or a topic to the episodes explaining it.

A file leads to episodes by itself, its symbols, its topics, its folder and its subsystem; each step has a weight.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import Layout, is_repo_path, name_parts, read_layout

from ..attributes import is_only_said
from ..questions.answer import Row, build_row
from ..questions.days import newest_first
from ..questions.keys import last_of_name
from ..questions.moments import moments_of
from ..questions.search import CITING, find_topics_with_word
from ..questions.view import NAMINGS, Naming, View, find_citing_changes, label_of
from ..words import stem

if TYPE_CHECKING:
    from podgraph.extractors import Index

    from ..store import Edge

# The steps from a file to an episode, the nearest first, with weights. For a topic, the weight is multiplied by the
# root of the topic's weight in the episode, at most 2.5: a citation of the file itself outweighs every topic.
STEPS = {
    "file": 4.0,
    "half": 2.5,  # x.cpp of x.h
    "counterpart": 2.5,  # the file tested or described by it
    "changed": 2.0,  # by a cited pull request or commit
    "named": 2.0,  # a name looked for: the episode names it or cites its page
    "called": 1.2,  # the topic with this name
    "symbol": 0.6,
    "listed": 1.0,  # by a topic, this very file
    "name": 0.8,  # of a topic, in the file's
    "folder": 0.7,
    "subsystem": 0.8,
}
_IN_TITLE = 3.0  # an episode is about a topic by its title from so much on; less is talking of it
_BESIDE = 0.95  # weight of an episode named after a whole or part of the topic, for lack of one named after the topic
_OF_AREA = 0.75  # the same, where the whole is an area
_ON_A_SHELF = 0.2  # weight of a mere folder of subsystems
_PAGE = "page:"  # prefix of pages in the lists of topics
_TEXTS = (".rst", ".md")  # sources of documentation pages
_TITLED = 4.0  # times as much as a symbol named in passing
_FURTHER = 0.5  # factor for each further place or outer folder
_RELATIONS = {"cites": "cites", "mentions": "names"}
STRONG, SIMILAR = "strong", "similar"
# An episode explains a file from so much on: it is about the file's topic by its title, or cites the file or its half.
# A topic in passing, a topic beside it or a folder alone counts less.
FIRM = 1.3
_SAID = 0.5  # weight of a mention in a transcript only, relative to one in the notes
_MOST_REASONS = 3


class Led(NamedTuple):
    """The result for a path: a row for each episode, the best first; else the nearest ones; topics without episodes.

    Each row has a ``weight``, a ``level``, ``reasons`` and the ``step`` of the first one (see ``STEPS``).
    """

    episodes: tuple[Row, ...] = ()
    nearest: tuple[Row, ...] = ()
    missing_topics: tuple[str, ...] = ()


class _Reason(NamedTuple):
    """A way to an episode; an answer has one reason for each subject."""

    episode: str
    weight: float
    step: str
    text: str
    subject: str


class Leads:
    """The ways from the files of one repository to the episodes and posts of a graph.

    Made once for many files. ``index`` (of the repository) has the layout and the topics' lists of files;
    without one, ``repo`` (``owner/name``) is enough for the files in the graph.
    """

    def __init__(self, view: View, index: Index | None = None, repo: str = "") -> None:
        """Collect the citations of the repository's files and folders by path.

        A moved file is listed under its path in the citation and under its present path.
        """
        self._view = view
        self._index = index
        self._repo = f"github:{(index.repo if index else repo).lower()}:"
        self._layout = read_layout(index.subject) if index else Layout()
        self._citations: dict[str, list[tuple[str, Naming]]] = defaultdict(list)  # path -> (as it was cited, by what)
        self._changes: dict[str, list[tuple[Edge, str]]] = defaultdict(list)  # path -> citations of its changes
        self._by_stem: dict[str, dict[str, None]] = defaultdict(dict)
        self._folders: set[str] = set()
        self._symbols: dict[str, list[str]] = defaultdict(list)  # a path without its suffix -> symbols defined there
        self._read_files()
        self._concepts = {concept.id: concept for concept in index.concepts} if index else {}
        self._listing: dict[str, dict[str, None]] = defaultdict(dict)  # a file or page -> the topics listing it
        for concept in self._concepts.values():
            for place in (*(path.rstrip("/") for path in concept.paths), *(_PAGE + page for page in concept.docs)):
                self._listing[_cut_suffix(place)][concept.id] = None

    def _read_files(self) -> None:
        """Note which edges cite a file or folder, which changes touched it, and which symbols it defines."""
        files = (
            f"SELECT t.id, t.kind, json_extract(t.attributes, '$.current_url'), {NAMINGS} "
            "AND t.kind IN ('file', 'folder') AND t.id >= ? AND t.id < ? ORDER BY t.n, e.id"
        )
        changes: dict[str, str] = {}
        for id_, kind, url, *row in self._view.rows(files, (self._repo, f"{self._repo}\U0010ffff")):
            naming = Naming(*row)
            path = id_.removeprefix(self._repo)
            present_path = (url or "").partition("/blob/")[2].partition("/")[2].strip("/")  # of a moved file
            for place in dict.fromkeys((path, present_path or path)):
                if naming.relation in _RELATIONS:
                    self._citations[place].append((path, naming))
                    self._by_stem[_cut_suffix(place)][place] = None
                    if kind == "folder":
                        self._folders.add(place)
                elif naming.relation == "touches":
                    changes[place] = id_
                elif naming.relation == "defined_in":
                    self._symbols[_cut_suffix(place)].append(naming.source)
        for place, id_ in changes.items():
            self._changes[place] += find_citing_changes(id_, self._view)

    def of(self, path: str, *, as_place: bool = False) -> Led:
        """Return the episodes and posts for a file or folder, whether or not it exists.

        With ``as_place`` the file is only the place of a definition. Then its other symbols and the
        topics listing it do not count, and its subsystem leads only to the episodes named after it.
        """
        path = path.strip("/")
        if not is_repo_path(path):
            return Led()
        places = self._places(path)
        counterparts = self._layout.stands_for(path)
        reasons = [reason for place in places for reason in self._by_itself(place, symbols=not as_place)]
        for counterpart in counterparts:
            reasons += self._by_half(counterpart, "counterpart")
        reasons += self._by_lists([] if as_place else [*places, *counterparts])
        belongings = [owner for place in places for owner in self._layout.belongings(place)]
        inner = [owner for owner in belongings if not self._layout.is_shelf(owner.place)]
        missing_topics: tuple[str, ...] = ()
        nearest: list[_Reason] = []  # the reasons of the nearest episodes, if none is found
        if inner and not reasons and not any(map(self._has_episode, inner[0].topics)):
            missing_topics = tuple(map(self._label, inner[0].topics))
            for topic in inner[0].topics:
                nearest += self._beside(topic, STEPS["subsystem"], "subsystem")
        # If the topics of the file have no episode, all further reasons are only for the nearest episodes.
        further = nearest if missing_topics else reasons
        further += self._by_name(path, alone=not inner)
        further += self._by_folder(path)
        weight = STEPS["subsystem"]
        for owner in belongings:
            share = weight * (_ON_A_SHELF if reasons and self._layout.is_shelf(owner.place) else 1.0)
            why = f"the subsystem of {owner.place}" if owner.place.endswith("/") else f"as files like {owner.place}"
            further += self._about(owner.topics, share, "subsystem", why, in_title=as_place)
            nearest += self._about(owner.near, share, "subsystem", f"which is near {owner.place}", in_title=as_place)
            weight *= _FURTHER
        episodes = self._rank(reasons)
        return Led(episodes, () if episodes else self._rank(nearest), missing_topics)

    def of_nodes(
        self, places: Iterable[tuple[str, float]], timed_ids: Collection[str] = (), *, inside: bool = False
    ) -> tuple[Row, ...]:
        """Return the episodes and posts that mention one of some nodes, the best first.

        ``places`` are (id, nearness to the query in 0..1). A topic without an episode leads to those of its whole and
        its parts. With ``inside``, a file leads to those of its symbols. ``timed_ids`` are the nodes whose first spoken
        mention is the moment of an answer.
        """
        reasons: list[_Reason] = []
        times: dict[str, int] = {}
        topics = 0
        for id_, nearness in places:
            label = label_of(id_, self._view)
            namings = self._view.list_namings(id_, *CITING)
            for naming, edge in zip(namings, self._view.edges_to(id_, *CITING), strict=True):
                if id_ in timed_ids and (moments := moments_of(edge.attributes.get("evidence", ()))):
                    times[edge.source] = min(moments[0], times.get(edge.source, moments[0]))
                if edge.relation in _RELATIONS:
                    only_said = is_only_said(edge.attributes)
                    weight = _weight(naming, STEPS["named"] * nearness * (_SAID if only_said else 1.0))
                    verb = "speaks of" if only_said else _verb(naming)
                    reasons.append(_Reason(edge.source, weight, "named", f"{verb} {label}", id_))
            if id_.startswith("topic:"):
                topics += 1
                topic = id_.partition(":")[2]
                reasons += self._about([topic], STEPS["called"] * nearness / topics, "called", "")
                if not self._has_episode(topic):
                    reasons += self._beside(topic, STEPS["called"] * nearness / topics, "called")
            if inside and (self._view.node(id_) or {}).get("kind") in ("file", "folder"):
                reasons += self._by_itself(id_.removeprefix(self._repo), symbols=True)
        rows = self._rank(reasons)
        for row in rows:
            row.update({"time": times[row["id"]]} if row["id"] in times else {})
        return rows

    def _label(self, topic: str) -> str:
        """Return the label of a topic in the graph, else the index's name of it."""
        if self._view.node(f"topic:{topic}") is not None:
            return label_of(f"topic:{topic}", self._view)
        concept = self._concepts.get(topic)
        return concept.label.partition(" (")[0] if concept else topic.replace("-", " ")

    def _places(self, path: str) -> list[str]:
        """Return a path, and its present path if it moved. A name at the root never counts as a former path."""
        status = self._index.file_status(path) if self._index and "/" in path else None
        return [path, status.path] if status and status.status == "moved" else [path]

    def _has_episode(self, topic: str) -> bool:
        return bool(self._view.list_namings(f"topic:{topic}", "about"))

    def _by_itself(self, path: str, *, symbols: bool) -> Iterator[_Reason]:
        """Yield the episodes citing a path itself, a change of it, or its other half (``x.h`` for ``x.cpp``).

        With ``symbols``, yield also those naming a symbol defined in the file. For a folder, yield those citing a file
        inside it.
        """
        for former, edge in self._citations.get(path, ()):
            once = "" if former == path else ", its former place"
            yield _Reason(edge.source, _weight(edge, STEPS["file"]), "file", f"{_verb(edge)} {former}{once}", former)
        for citation, reason in self._changes.get(path, ()):
            yield _Reason(citation.source, STEPS["changed"], "changed", reason, citation.target)
        for symbol in self._symbols.get(_cut_suffix(path), ()) if symbols else ():
            for edge in self._view.list_namings(symbol, "mentions"):
                weight = STEPS["symbol"] * (_TITLED if edge.in_title else 1.0)
                yield _Reason(edge.source, weight, "symbol", f"{_verb(edge)} {label_of(symbol, self._view)}", symbol)
        yield from self._by_half(_cut_suffix(path), "half", but=path)
        if path not in self._folders:  # a folder cited as such needs no citations of its files
            for place in self._citations:
                if place.startswith(f"{path}/"):
                    for _, edge in self._citations[place]:
                        yield _Reason(edge.source, STEPS["folder"], "folder", f"{_verb(edge)} {place}", place)

    def _by_half(self, path: str, step: str, but: str = "") -> Iterator[_Reason]:
        """Yield the episodes citing a file with this path without a suffix, except the file ``but``."""
        for place in self._by_stem.get(path, ()):
            for former, edge in self._citations[place] if place != but else ():
                yield _Reason(edge.source, _weight(edge, STEPS[step]), step, f"{_verb(edge)} {former}", former)

    def _by_lists(self, paths: Sequence[str]) -> Iterator[_Reason]:
        """Yield the episodes about the topics whose lists contain a path. The first path counts more than others."""
        for place, path in enumerate(paths):
            topics = self._listing.get(_cut_suffix(path)) or self._find_page(path)
            weight = STEPS["listed"] * (_FURTHER if place else 1.0)
            why = "to which belongs what it is of" if place else "to which it belongs"
            yield from self._about(topics, weight, "listed", why)

    def _find_page(self, path: str) -> Collection[str]:
        """Return the topics listing the documentation page made from a source text."""
        tail = _cut_suffix(path) if path.endswith(_TEXTS) else ""
        while tail := tail.partition("/")[2]:
            if topics := self._listing.get(_PAGE + tail):
                return topics
        return ()

    def _by_name(self, path: str, *, alone: bool) -> Iterator[_Reason]:
        """Yield the episodes about the topics whose name is in the file's name.

        One word is enough only if it is the whole name and the folder has no topic: the folder's topics come first.
        """
        words = _words(_cut_suffix(path).rpartition("/")[2])
        while words[:1] == ("test",):
            words = words[1:]
        weight = STEPS["name"] * (1.0 if alone else _FURTHER)
        for names, topic in dict.fromkeys(chain.from_iterable(map(self._topic_names, words))):
            is_within = len(names) > 1 and f" {' '.join(names)} " in f" {' '.join(words)} "
            if is_within or (alone and names == words):
                yield from self._about([topic], weight, "name", "as its name says")

    def _topic_names(self, word: str) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield (words of a name, topic) of the topics with a given word."""
        for id_, node in find_topics_with_word(word, self._view):
            for name in dict.fromkeys((node.get("label", ""), *node.get("aliases", ()))):
                if words := _words(name):
                    yield words, id_.partition(":")[2]

    def _by_folder(self, path: str) -> Iterator[_Reason]:
        """Yield the episodes citing a folder around a path. Each folder further out counts less."""
        weight = STEPS["folder"]
        while path := path.rpartition("/")[0]:
            share = weight * (_ON_A_SHELF if self._layout.is_shelf(f"{path}/") else 1.0)
            for place, edge in self._citations[path] if path in self._folders else ():
                yield _Reason(edge.source, share, "folder", f"{_verb(edge)} {place}, its folder", place)
            weight *= _FURTHER

    def _about(
        self, topics: Iterable[str], weight: float, step: str, where: str, *, in_title: bool = False
    ) -> Iterator[_Reason]:
        """Yield the episodes about some topics, with ``in_title`` only those named after one.

        The weight is divided by the topic's position. Topics without an episode take no position.
        """
        for position, topic in enumerate(filter(self._has_episode, topics), 1):
            label = label_of(f"topic:{topic}", self._view)
            edges = self._view.list_namings(f"topic:{topic}", "about")
            for edge in edges:
                strength = _strength(edge)
                if in_title and strength < _IN_TITLE:
                    continue
                text = f"{'is about' if strength >= _IN_TITLE else 'talks of'} {label}{where and ', '}{where}"
                yield _Reason(edge.source, weight * math.sqrt(strength) / position, step, text, topic)
            if max(map(_strength, edges)) < _IN_TITLE:
                yield from self._beside(topic, weight / position, step)

    def _beside(self, topic: str, weight: float, step: str) -> Iterator[_Reason]:
        """Yield the episodes named after a whole or a part of a topic without an episode of its own."""
        id_ = f"topic:{topic}"
        label = self._label(topic)
        wholes = [edge.target for edge in self._view.edges_from(id_, "subtopic_of")]
        if self._view.node(id_) is None and topic in self._concepts:
            wholes = [f"topic:{whole}" for whole in self._concepts[topic].part_of]
        parts = [edge.source for edge in self._view.edges_to(id_, "subtopic_of")]
        ways = dict.fromkeys(wholes, f"of which {label} is a part") | dict.fromkeys(parts, f"a part of {label}")
        for near, how in ways.items():
            node = self._view.node(near) or {}
            share = weight * (_OF_AREA if node.get("area") == node.get("label") else _BESIDE)
            for edge in self._view.list_namings(near, "about"):
                if _strength(edge) >= _IN_TITLE:
                    text = f"is about {label_of(near, self._view)}, {how}"
                    yield _Reason(
                        edge.source, share * math.sqrt(_strength(edge)), step, text, near.removeprefix("topic:")
                    )

    def _rank(self, all_reasons: Iterable[_Reason]) -> tuple[Row, ...]:
        """Return the episodes with their reasons, the heaviest first.

        An episode's weight is the sum of the best reason of each step. A topic counts for one step only.
        """
        by_episode: Mapping[str, list[_Reason]] = defaultdict(list)
        for reason in all_reasons:
            by_episode[reason.episode].append(reason)
        rows = []
        for id_, reasons in by_episode.items():
            best: dict[str, _Reason] = {}
            for reason in sorted(reasons, key=lambda one: -one.weight):
                if all(reason.subject != other.subject for other in best.values()):
                    best.setdefault(reason.step, reason)
            texts: dict[str, str] = {}
            for one in best.values():
                name = one.subject.removeprefix("symbol:")
                texts.setdefault(name if name == one.subject else last_of_name(name).lower(), one.text)
            weight = round(sum(one.weight for one in best.values()), 4)
            level = STRONG if weight >= FIRM else SIMILAR
            values = {"weight": weight, "level": level, "reasons": list(texts.values())[:_MOST_REASONS]}
            rows.append(build_row(id_, self._view.node(id_) or {}, step=next(iter(best)), **values))
        return tuple(sorted(newest_first(rows, self._view), key=lambda row: -row["weight"]))


def _weight(edge: Naming, weight: float) -> float:
    """Return the weight of a citation, a little more for each repetition."""
    return weight * (2.0 if edge.in_title else 1.0) + 0.1 * min(edge.evidence_count, 5)


def _strength(edge: Naming) -> float:
    """Return how much an episode is about a topic. All titles count alike, so the newer of two goes first."""
    return min(_IN_TITLE, max(0.0, edge.weight))  # a stranger's may be negative


def _verb(edge: Naming) -> str:
    return "is named after" if edge.in_title else _RELATIONS[edge.relation]


def _cut_suffix(path: str) -> str:
    """Return a path without its suffixes.

    >>> _cut_suffix("aten/TensorIterator.cpp"), _cut_suffix("torch/_tensor.py"), _cut_suffix(".github")
    ('aten/TensorIterator', 'torch/_tensor', '.github')
    """
    folder, slash, name = path.rpartition("/")
    head = name[:1]
    return f"{folder}{slash}{head}{name[1:].partition('.')[0]}"


def _words(name: str) -> tuple[str, ...]:
    """Return the stems of the words of a name or phrase.

    >>> _words("DispatchKeySet"), _words("min-cut partitioners"), _words("vmap")
    (('dispatch', 'key', 'set'), ('min', 'cut', 'partition'), ('vmap',))
    """
    return tuple(map(stem, name_parts(name)))
