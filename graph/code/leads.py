"""From a file to the episodes explaining it: by itself, its symbols, its topics, its folder, its subsystem."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import is_repo_path, name_parts, read_layout

from ..attributes import is_only_said
from ..questions.answer import Row, build_row
from ..questions.days import newest_first
from ..questions.keys import last_of_name
from ..questions.moments import moments_of
from ..questions.search import CITING, topics_with
from ..questions.view import NAMINGS, Naming, label_of, through_changes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from podgraph.extractors import Belonging, Index, Layout

    from ..questions.view import View
    from ..store import Edge

    _Add = Callable[[str, float, str, str, str], None]  # episode, weight, step, reason, subject of the reason

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
_MANY_LISTS = 4  # a file in the lists of more topics is not specific to any
_RELATIONS = {"cites": "cites", "mentions": "names"}
_JOINED = ("is named after ", "names ", "cites ", "speaks of ")
STRONG, SIMILAR = "strong", "similar"
# An episode explains a file from so much on: it is about the file's topic by its title, or cites the file or its half.
# A topic in passing, a topic beside it or a folder alone counts less.
FIRM = 1.3
_SAID = 0.5  # weight of a mention in a transcript only, relative to one in the notes
_MOST_NAMED = 3  # symbols in a reason
_MOST_REASONS = 3


def level_of(weight: float) -> str:
    """Return the level of a weight: see ``FIRM``."""
    return STRONG if weight >= FIRM else SIMILAR


class Led(NamedTuple):
    """The result for a path: a row for each episode, the best first; else the nearest ones; topics without episodes.

    Each row has a ``weight``, a ``level``, ``reasons`` and the ``step`` of the first one (see ``STEPS``).
    """

    episodes: tuple[Row, ...] = ()
    nearest: tuple[Row, ...] = ()
    untold: tuple[str, ...] = ()


class _Reason(NamedTuple):
    weight: float
    step: str
    text: str
    of: str  # its subject: an answer has one reason for each


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
        self._layout: Layout | None = read_layout(index.subject) if index else None
        self._cited: dict[str, list[tuple[str, Naming]]] = defaultdict(list)  # path -> (as it was cited, by what)
        self._changed: dict[str, list[tuple[Edge, str]]] = defaultdict(list)  # path -> citations of its changes
        self._by_stem: dict[str, list[str]] = defaultdict(list)
        self._folders: set[str] = set()
        self._symbols: dict[str, list[str]] = defaultdict(list)
        self._defining: dict[str, list[str]] = defaultdict(list)  # a path without its suffix -> those with symbols
        self._read_files()
        self._concepts = {concept.id: concept for concept in index.concepts} if index else {}
        self._listing = self._lists()
        self._names: dict[str, list[tuple[tuple[str, ...], str]]] = {}  # word -> names with it, and their topics

    def _read_files(self) -> None:
        """Note which edges cite a file or folder, which changes touched it, and which symbols it defines."""
        files = (
            f"SELECT t.id, t.kind, json_extract(t.attributes, '$.current_url'), {NAMINGS} "
            "AND t.kind IN ('file', 'folder') AND t.id >= ? AND t.id < ? ORDER BY t.n, e.id"
        )
        changed: dict[str, str] = {}
        for id_, kind, url, *row in self._view.rows(files, (self._repo, f"{self._repo}\U0010ffff")):
            naming = Naming(*row)
            path = id_.removeprefix(self._repo)
            for place in dict.fromkeys((path, _find_present(url, path))):
                if naming.relation in _RELATIONS:
                    self._cited[place].append((path, naming))
                    if place not in self._by_stem[_stem(place)]:
                        self._by_stem[_stem(place)].append(place)
                    if kind == "folder":
                        self._folders.add(place)
                elif naming.relation == "touches":
                    changed[place] = id_
                elif naming.relation == "defined_in":
                    self._symbols[place].append(naming.source)
                    if place not in self._defining[_stem(place)]:
                        self._defining[_stem(place)].append(place)
        for place, id_ in changed.items():
            self._changed[place] += through_changes(id_, self._view)

    def _lists(self) -> dict[str, list[str]]:
        """Return the topics listing each file or page (without its suffix)."""
        listing: dict[str, dict[str, None]] = defaultdict(dict)
        for concept in self._concepts.values():
            for place in (*(path.rstrip("/") for path in concept.paths), *(_PAGE + page for page in concept.docs)):
                listing[_stem(place)][concept.id] = None
        return {place: list(ids) for place, ids in listing.items()}

    def _label(self, topic: str) -> str:
        """Return the label of a topic in the graph, else the index's name of it."""
        if self._view.node(f"topic:{topic}") is not None:
            return label_of(f"topic:{topic}", self._view)
        concept = self._concepts.get(topic)
        return concept.label.partition(" (")[0] if concept else topic.replace("-", " ")

    def _topic_names(self, word: str) -> list[tuple[tuple[str, ...], str]]:
        """Return (words of a name, topic) of the topics with a given word."""
        if word not in self._names:
            self._names[word] = [
                (words, id_.partition(":")[2])
                for id_, node in topics_with(word, self._view)
                for name in dict.fromkeys((node.get("label", ""), *node.get("aliases", ())))
                if (words := _words(name))
            ]
        return self._names[word]

    def of(self, path: str, *, as_place: bool = False) -> Led:
        """Return the episodes and posts for a file or folder, whether or not it exists.

        With ``as_place`` the file is only the place of a definition. Then its other symbols and the
        topics listing it do not count, and its subsystem leads only to the episodes named after it.
        """
        path = path.strip("/")
        if not is_repo_path(path):
            return Led()
        reasons_of: dict[str, list[_Reason]] = defaultdict(list)
        reasons_of_near: dict[str, list[_Reason]] = defaultdict(list)  # of the nearest episodes, if none is found
        add, add_near = _adding(reasons_of), _adding(reasons_of_near)
        places = self._places(path)
        counterparts = self._layout.stands_for(path) if self._layout else []
        for place in places:
            self._by_itself(place, add, symbols=not as_place)
        for counterpart in counterparts:
            self._by_stem_of(counterpart, "counterpart", add)
        self._by_lists([] if as_place else [*places, *counterparts], add)
        belongings = [owner for place in places for owner in self._belongings(place)]
        inner = [owner for owner in belongings if not self._is_shelf(owner.place)]
        untold: tuple[str, ...] = ()
        if inner and not reasons_of and not any(map(self._has_episode, inner[0].topics)):
            untold = tuple(map(self._label, inner[0].topics))
            for topic in inner[0].topics:
                self._beside(topic, STEPS["subsystem"], "subsystem", add_near)
        # If the topics of the file have no episode, all further reasons are only for the nearest episodes.
        into = add_near if untold else add
        self._by_name(path, into, alone=not inner)
        self._by_folder(path, into)
        weight = STEPS["subsystem"]
        for owner in belongings:
            reduced = weight * (_ON_A_SHELF if reasons_of and self._is_shelf(owner.place) else 1.0)
            why = f"the subsystem of {owner.place}" if owner.place.endswith("/") else f"as files like {owner.place}"
            self._about(owner.topics, reduced, "subsystem", why, into, titled=as_place)
            self._about(owner.near, reduced, "subsystem", f"which is near {owner.place}", add_near, titled=as_place)
            weight *= _FURTHER
        explained = self._explained(reasons_of)
        return Led(explained, () if explained else self._explained(reasons_of_near), untold)

    def of_nodes(
        self, places: Iterable[tuple[str, float]], said: Collection[str] = (), *, inside: bool = False
    ) -> tuple[Row, ...]:
        """Return the episodes and posts that mention one of some nodes, the best first.

        ``places`` are (id, nearness to the query in 0..1). A topic without an episode leads to those of its whole and
        its parts. With ``inside``, a file leads to those of its symbols. ``said`` are the nodes whose first spoken
        mention is the moment of an answer.
        """
        reasons_of: dict[str, list[_Reason]] = defaultdict(list)
        times: dict[str, int] = {}
        add = _adding(reasons_of)
        topics = 0
        for id_, nearness in places:
            label = label_of(id_, self._view)
            namings = self._view.namings(id_, *CITING)
            for naming, edge in zip(namings, self._view.edges_to(id_, *CITING), strict=True):
                if id_ in said and (moments := moments_of(edge.attributes.get("evidence", ()))):
                    times[edge.source] = min(moments[0], times.get(edge.source, moments[0]))
                if edge.relation in _RELATIONS:
                    only_said = is_only_said(edge.attributes)
                    weight = _weight(naming, STEPS["named"] * nearness * (_SAID if only_said else 1.0))
                    verb = "speaks of" if only_said else _verb(naming)
                    add(edge.source, weight, "named", f"{verb} {label}", id_)
            if id_.startswith("topic:"):
                topics += 1
                topic = id_.partition(":")[2]
                self._about([topic], STEPS["called"] * nearness / topics, "called", "", add)
                if not self._has_episode(topic):
                    self._beside(topic, STEPS["called"] * nearness / topics, "called", add)
            if inside and (self._view.node(id_) or {}).get("kind") in ("file", "folder"):
                self._by_itself(id_.removeprefix(self._repo), add, symbols=True)
        rows = self._explained(reasons_of)
        for row in rows:
            row.update({"time": times[row["id"]]} if row["id"] in times else {})
        return rows

    def _places(self, path: str) -> list[str]:
        """Return a path, and its present path if it moved. A name at the root never counts as a former path."""
        status = self._index.file_status(path) if self._index and "/" in path else None
        return [path, status.path] if status and status.status == "moved" else [path]

    def _belongings(self, path: str) -> list[Belonging]:
        return self._layout.belongings(path) if self._layout else []

    def _by_itself(self, path: str, add: _Add, *, symbols: bool) -> None:
        """Add the episodes citing a path itself, a change of it, or its other half (``x.h`` for ``x.cpp``).

        With ``symbols``, add also those naming a symbol defined in the file. For a folder, add those citing a file
        inside it.
        """
        for cited, edge in self._cited.get(path, ()):
            once = "" if cited == path else ", its former place"
            add(edge.source, _weight(edge, STEPS["file"]), "file", f"{_verb(edge)} {cited}{once}", cited)
        for citation, reason in self._changed.get(path, ()):
            add(citation.source, STEPS["changed"], "changed", reason, citation.target)
        defining = self._defining.get(_stem(path), ()) if symbols else ()
        for place in defining:
            for symbol in self._symbols[place]:
                for edge in self._view.namings(symbol, "mentions"):
                    weight = STEPS["symbol"] * (_TITLED if edge.in_title else 1.0)
                    add(edge.source, weight, "symbol", f"{_verb(edge)} {label_of(symbol, self._view)}", symbol)
        self._by_stem_of(_stem(path), "half", add, but=path)
        if path not in self._folders:  # a folder cited as such needs no citations of its files
            for place in self._cited:
                if place.startswith(f"{path}/"):
                    for _, edge in self._cited[place]:
                        add(edge.source, STEPS["folder"], "folder", f"{_verb(edge)} {place}", place)

    def _by_stem_of(self, stem: str, step: str, add: _Add, but: str = "") -> None:
        """Add the episodes citing a file with this path before the suffix, except the file ``but``."""
        for place in self._by_stem.get(stem, ()):
            if place != but:
                for cited, edge in self._cited[place]:
                    add(edge.source, _weight(edge, STEPS[step]), step, f"{_verb(edge)} {cited}", cited)

    def _by_lists(self, paths: Sequence[str], add: _Add) -> None:
        """Add the episodes about the topics whose lists contain a path. The first path counts more than the others."""
        for place, path in enumerate(paths):
            topics = self._listing.get(_stem(path)) or self._of_page(path)
            if len(topics) <= _MANY_LISTS:
                weight = STEPS["listed"] * (_FURTHER if place else 1.0)
                why = "to which belongs what it is of" if place else "to which it belongs"
                self._about(topics, weight, "listed", why, add)

    def _of_page(self, path: str) -> list[str]:
        """Return the topics listing the documentation page made from a source text."""
        tail = _stem(path) if path.endswith(_TEXTS) else ""
        while tail := tail.partition("/")[2]:
            if topics := self._listing.get(_PAGE + tail):
                return topics
        return []

    def _by_name(self, path: str, add: _Add, *, alone: bool) -> None:
        """Add the topics whose name is in the file's name.

        One word is enough only if it is the whole name and the folder has no topic: the folder's topics come first.
        """
        words = _words(_stem(path).rpartition("/")[2])
        while words[:1] == ("test",):
            words = words[1:]
        weight = STEPS["name"] * (1.0 if alone else _FURTHER)
        for names, topic in dict.fromkeys(chain.from_iterable(map(self._topic_names, words))):
            if (len(names) > 1 and _within(names, words)) or (alone and names == words):
                self._about([topic], weight, "name", "as its name says", add)

    def _by_folder(self, path: str, add: _Add) -> None:
        """Add the episodes citing a folder around a path. Each folder further out counts less."""
        weight = STEPS["folder"]
        while path := path.rpartition("/")[0]:
            if path in self._folders:
                reduced = weight * (_ON_A_SHELF if self._is_shelf(f"{path}/") else 1.0)
                for cited, edge in self._cited[path]:
                    add(edge.source, reduced, "folder", f"{_verb(edge)} {cited}, its folder", cited)
            weight *= _FURTHER

    def _is_shelf(self, place: str) -> bool:
        return self._layout is not None and self._layout.is_shelf(place)

    def _has_episode(self, topic: str) -> bool:
        return bool(self._view.namings(f"topic:{topic}", "about"))

    def _about(
        self, topics: Iterable[str], weight: float, step: str, where: str, add: _Add, *, titled: bool = False
    ) -> None:
        """Add the episodes about some topics, with ``titled`` only those named after one.

        The weight is divided by the topic's position. Topics without an episode take no position.
        """
        for position, topic in enumerate(filter(self._has_episode, topics), 1):
            label = label_of(f"topic:{topic}", self._view)
            edges = self._view.namings(f"topic:{topic}", "about")
            for edge in edges:
                strength = _strength(edge)
                if titled and strength < _IN_TITLE:
                    continue
                text = f"{'is about' if strength >= _IN_TITLE else 'talks of'} {label}{where and ', '}{where}"
                add(edge.source, weight * math.sqrt(strength) / position, step, text, topic)
            if max(map(_strength, edges)) < _IN_TITLE:
                self._beside(topic, weight / position, step, add)

    def _beside(self, topic: str, weight: float, step: str, add: _Add) -> None:
        """Add the episodes named after a whole or a part of a topic without an episode of its own."""
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
            for edge in self._view.namings(near, "about"):
                if _strength(edge) >= _IN_TITLE:
                    text = f"is about {label_of(near, self._view)}, {how}"
                    add(edge.source, share * math.sqrt(_strength(edge)), step, text, near.partition(":")[2])

    def _explained(self, found: Mapping[str, list[_Reason]]) -> tuple[Row, ...]:
        """Return the episodes with their reasons, the heaviest first.

        An episode's weight is the sum of the best reason of each step. A topic counts for one step only.
        """
        explained = []
        for id_, reasons in found.items():
            best: dict[str, _Reason] = {}
            for reason in sorted(reasons, key=lambda one: -one.weight):
                if all(reason.of != other.of for other in best.values()):
                    best.setdefault(reason.step, reason)
            for step in {"named", "symbol"} & best.keys():
                every = dict.fromkeys(one.text for one in reasons if one.step == step)
                best[step] = best[step]._replace(text=_named(list(every)))
            texts: dict[str, str] = {}
            for one in best.values():
                name = one.of.removeprefix("symbol:")
                texts.setdefault(name if name == one.of else last_of_name(name).lower(), one.text)
            weight = round(sum(one.weight for one in best.values()), 4)
            values = {"weight": weight, "level": level_of(weight), "reasons": list(texts.values())[:_MOST_REASONS]}
            explained.append(build_row(id_, self._view.node(id_) or {}, step=next(iter(best)), **values))
        return tuple(sorted(newest_first(explained, self._view), key=lambda row: -row["weight"]))


def _adding(found: Mapping[str, list[_Reason]]) -> _Add:
    """Return a function that adds a reason to the reasons of an episode."""
    return lambda episode, *reason: found[episode].append(_Reason(*reason))


def _weight(edge: Naming, weight: float) -> float:
    """Return the weight of a citation, a little more for each repetition."""
    return weight * (2.0 if edge.in_title else 1.0) + 0.1 * min(edge.evidence_count, 5)


def _strength(edge: Naming) -> float:
    """Return how much an episode is about a topic. All titles count alike, so the newer of two goes first."""
    return min(_IN_TITLE, max(0.0, edge.weight))  # a stranger's may be negative


def _verb(edge: Naming) -> str:
    return "is named after" if edge.in_title else _RELATIONS[edge.relation]


def _named(texts: Sequence[str]) -> str:
    """Join the names behind the first verb.

    >>> _named(["names a", "names b", "cites x", "names c", "names d"])
    'names a, b, c and 1 more'
    """
    verb = next((verb for verb in _JOINED if texts[0].startswith(verb)), "")
    names = [text.removeprefix(verb) for text in texts if text.startswith(verb)]
    more = len(names) - _MOST_NAMED
    return f"{verb}{', '.join(names[:_MOST_NAMED])}{f' and {more} more' if more > 0 else ''}"


def _find_present(url: str | None, path: str) -> str:
    """Return the present path of a moved file, by its present address."""
    return (url or "").partition("/blob/")[2].partition("/")[2].strip("/") or path


def _stem(path: str) -> str:
    """Return a path without its suffixes.

    >>> _stem("aten/TensorIterator.cpp"), _stem("torch/_tensor.py"), _stem(".github")
    ('aten/TensorIterator', 'torch/_tensor', '.github')
    """
    folder, slash, name = path.rpartition("/")
    head = name[:1]
    return f"{folder}{slash}{head}{name[1:].partition('.')[0]}"


def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name or phrase, in small letters and the singular.

    >>> _words("DispatchKeySet"), _words("min-cut partitioners"), _words("vmap")
    (('dispatch', 'key', 'set'), ('min', 'cut', 'partitioner'), ('vmap',))
    """
    return tuple(map(_singular, name_parts(name)))


def _singular(word: str) -> str:
    """Return an English word without its plural ending.

    >>> [_singular(word) for word in ("graphs", "class", "libraries", "axis")]
    ['graph', 'class', 'library', 'axis']
    """
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word


def _within(words: Sequence[str], longer: Sequence[str]) -> bool:
    return any(tuple(longer[at : at + len(words)]) == tuple(words) for at in range(len(longer) - len(words) + 1))
