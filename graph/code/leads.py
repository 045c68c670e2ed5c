"""The steps from a file, a symbol or a topic to the episodes that explain it.

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
    "half": 2.5,  # a file of the same name with another suffix: x.cpp of x.h
    "counterpart": 2.5,  # the file tested or described by it
    "changed": 2.0,  # by a cited pull request or commit
    "named": 2.0,  # a name looked for: the episode names it or cites its page
    "called": 1.2,  # the topic with this name
    "symbol": 0.6,
    "listed": 1.0,  # a topic lists this very file
    "name": 0.8,  # the file's name contains a topic's
    "folder": 0.7,  # the episode cites the folder of the file
    "subsystem": 0.8,  # a folder with topics contains the file
}
_TITLE_STRENGTH = 3.0  # the minimum weight of a topic in the title of an episode; with less, it only talks of the topic
_RELATED_TOPIC_FACTOR = 0.95  # for an episode named after a whole or part of a topic, if none is named after the topic
_AREA_FACTOR = 0.75  # the same, where the whole is an area
_SHELF_FACTOR = 0.2  # for a shelf: a folder that only contains subsystems, so it says little about a file
_PAGE_MARK = "page:"  # of documentation pages among the paths listed by topics
_DOCUMENT_SUFFIXES = (".rst", ".md")  # of sources of documentation pages
_SYMBOL_IN_TITLE_FACTOR = 4.0  # relative to a symbol named in passing
_FURTHER_FACTOR = 0.5  # for each further place or outer folder
_VERBS = {"cites": "cites", "mentions": "names"}
STRONG, SIMILAR = "strong", "similar"
# From this weight on, an episode explains a file: it is about the file's topic by its title, or cites the file or its
# half. A topic in passing, a related topic or a folder alone weighs less.
_MINIMUM_STRONG_WEIGHT = 1.3
_SPOKEN_FACTOR = 0.5  # for a mention in a transcript only, relative to one in the notes
_MAXIMUM_REASONS = 3


class Explanation(NamedTuple):
    """The episodes that explain something: a row each, the best first.

    ``nearest`` are rows of other episodes, if none explains it. ``missing_topics`` are the names of its topics without
    an episode. A row has a ``weight``, a ``level`` (``strong`` or ``similar``), ``reasons``, and the ``step`` (a key of
    ``STEPS``) of the first reason.
    """

    episodes: tuple[Row, ...] = ()
    nearest: tuple[Row, ...] = ()
    missing_topics: tuple[str, ...] = ()


class _Reason(NamedTuple):
    """A way to an episode: its weight, the step (a key of ``STEPS``), and a text for the reader.

    ``subject`` is the path, node or topic by which the way leads: an answer gives one reason for each.
    """

    episode: str
    weight: float
    step: str
    text: str
    subject: str


class Explainer:
    """Finds the episodes and posts that explain the files of one repository.

    Create it once for many files. ``index`` (of the repository's code) has the layout and the topics' lists of files;
    without an index, ``repo`` (``owner/name``) is enough for the files in the graph.
    """

    def __init__(self, view: View, index: Index | None = None, repo: str = "") -> None:
        """Read the citations of the repository's files and folders from the graph, by path.

        A moved file is listed under its path in the citation and under its present path.
        """
        self._view = view
        self._index = index
        self._repo = f"github:{(index.repo if index else repo).lower()}:"
        self._layout = read_layout(index.subject) if index else Layout()
        # Path -> (path as it was cited, the edge that cites it); path -> (edge citing a change of the file, reason).
        self._citations: dict[str, list[tuple[str, Naming]]] = defaultdict(list)
        self._changes: dict[str, list[tuple[Edge, str]]] = defaultdict(list)
        # Path without its suffix -> cited paths, as an ordered set; cited folders.
        self._paths_by_stem: dict[str, dict[str, None]] = defaultdict(dict)
        self._folders: set[str] = set()
        self._symbols: dict[str, list[str]] = defaultdict(list)  # path without its suffix -> symbols defined there
        self._collect_files()
        self._concepts = {concept.id: concept for concept in index.concepts} if index else {}
        self._listing: dict[str, dict[str, None]] = defaultdict(dict)  # file or page -> the topics listing it
        for concept in self._concepts.values():
            for place in (*(path.rstrip("/") for path in concept.paths), *(_PAGE_MARK + page for page in concept.docs)):
                self._listing[_cut_suffix(place)][concept.id] = None

    def _collect_files(self) -> None:
        """Fill the dicts of the repository's files and folders.

        They have the edges citing a file, the citations of changes that touched it, and the symbols that it defines.
        """
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
                if naming.relation in _VERBS:
                    self._citations[place].append((path, naming))
                    self._paths_by_stem[_cut_suffix(place)][place] = None
                    if kind == "folder":
                        self._folders.add(place)
                elif naming.relation == "touches":
                    changes[place] = id_
                elif naming.relation == "defined_in":
                    self._symbols[_cut_suffix(place)].append(naming.source)
        for place, id_ in changes.items():
            self._changes[place] += find_citing_changes(id_, self._view)

    def explain_path(self, path: str, *, as_place: bool = False) -> Explanation:
        """Return the episodes and posts for a file or folder of the repository, whether or not the repository has it.

        With ``as_place``, the file matters only as the place of a definition. Then its other symbols and the topics
        listing it do not count, and its subsystem leads only to the episodes named after it.
        """
        path = path.strip("/")
        if not is_repo_path(path):
            return Explanation()
        paths = self._list_present_paths(path)
        direct_reasons = self._find_direct(path, paths, as_place=as_place)
        places = [place for each in paths for place in self._layout.list_places(each)]  # with topics, around the file
        subsystems = [place for place in places if not self._layout.is_shelf(place.place)]
        topics = subsystems[0].topics if subsystems and not direct_reasons else ()
        missing_topics = () if any(map(self._has_episode, topics)) else tuple(map(self._find_label, topics))
        reasons = [*direct_reasons]  # to explain the file
        reasons += self._find_by_name(path, alone=not subsystems)
        reasons += self._find_citing_folders(path)
        nearest_reasons: list[_Reason] = []  # for the nearest episodes, if none explains the file
        for topic in topics if missing_topics else ():
            nearest_reasons += self._find_about_related(topic, STEPS["subsystem"], "subsystem")
        nearest_reasons += reasons
        weight = STEPS["subsystem"]
        for place in places:
            is_faint = reasons and not missing_topics and self._layout.is_shelf(place.place)
            share = weight * (_SHELF_FACTOR if is_faint else 1.0)
            why = "the subsystem of" if place.place.endswith("/") else "as files like"
            about = [*self._find_about(place.topics, share, "subsystem", f"{why} {place.place}", in_title=as_place)]
            reasons += about
            nearest_reasons += about
            near = f"which is near {place.place}"
            nearest_reasons += self._find_about(place.near, share, "subsystem", near, in_title=as_place)
            weight *= _FURTHER_FACTOR
        # If the topics of the file have no episode, the other reasons do not explain it.
        episodes = () if missing_topics else self._rank(reasons)
        return Explanation(episodes, () if episodes else self._rank(nearest_reasons), missing_topics)

    def _find_direct(self, path: str, paths: Sequence[str], *, as_place: bool) -> list[_Reason]:
        """Return the ways to the episodes for a file itself, not by its name, its folders or its subsystem.

        They cite it or the file that it tests or describes (its counterpart), or are about a topic that lists one of
        the two. ``paths`` are ``path`` and its present path. ``as_place`` is that of ``explain_path``.
        """
        counterparts = self._layout.list_counterparts(path)
        reasons = [reason for place in paths for reason in self._find_citing(place, symbols=not as_place)]
        for counterpart in counterparts:
            reasons += self._find_citing_stem(counterpart, "counterpart")
        return [*reasons, *self._find_by_lists([] if as_place else [*paths, *counterparts])]

    def explain_nodes(
        self, places: Iterable[tuple[str, float]], timed_ids: Collection[str] = (), *, inside: bool = False
    ) -> tuple[Row, ...]:
        """Return a row for each episode or post that mentions one of some nodes, the best first.

        ``places`` are (node id, its nearness to the query in 0..1). A topic without an episode leads to those of its
        whole and its parts. With ``inside``, a file leads to the episodes of its symbols too. ``timed_ids`` are the
        nodes whose first spoken mention becomes the row's ``time`` in seconds.
        """
        reasons: list[_Reason] = []
        times: dict[str, int] = {}
        topics = 0  # their number so far: a further topic counts less
        for id_, nearness in places:
            label = label_of(id_, self._view)
            namings = self._view.list_namings(id_, *CITING)
            for naming, edge in zip(namings, self._view.edges_to(id_, *CITING), strict=True):
                if id_ in timed_ids and (moments := moments_of(edge.attributes.get("evidence", ()))):
                    times[edge.source] = min(moments[0], times.get(edge.source, moments[0]))
                if edge.relation in _VERBS:
                    only_said = is_only_said(edge.attributes)
                    weight = _weigh_edge(naming, STEPS["named"] * nearness * (_SPOKEN_FACTOR if only_said else 1.0))
                    verb = "speaks of" if only_said else _to_verb(naming)
                    reasons.append(_Reason(edge.source, weight, "named", f"{verb} {label}", id_))
            if id_.startswith("topic:"):
                topics += 1
                topic = id_.partition(":")[2]
                reasons += self._find_about([topic], STEPS["called"] * nearness / topics, "called", "")
                if not self._has_episode(topic):
                    reasons += self._find_about_related(topic, STEPS["called"] * nearness / topics, "called")
            if inside and (self._view.node(id_) or {}).get("kind") in ("file", "folder"):
                reasons += self._find_citing(id_.removeprefix(self._repo), symbols=True)
        rows = self._rank(reasons)
        for row in rows:
            row.update({"time": times[row["id"]]} if row["id"] in times else {})
        return rows

    def _find_label(self, topic: str) -> str:
        """Return the label of a topic (an id without ``topic:``) in the graph or index, else its id with spaces."""
        if self._view.node(f"topic:{topic}") is not None:
            return label_of(f"topic:{topic}", self._view)
        concept = self._concepts.get(topic)
        return concept.label.partition(" (")[0] if concept else topic.replace("-", " ")

    def _list_present_paths(self, path: str) -> list[str]:
        """Return the path of a file, and its present path if the file moved.

        A path without a folder never counts as moved.
        """
        status = self._index.file_status(path) if self._index and "/" in path else None
        return [path, status.path] if status and status.status == "moved" else [path]

    def _has_episode(self, topic: str) -> bool:
        """Return whether an episode or post is about a topic (an id without ``topic:``)."""
        return bool(self._view.list_namings(f"topic:{topic}", "about"))

    def _find_citing(self, path: str, *, symbols: bool) -> Iterator[_Reason]:
        """Yield a way to each episode citing the file ``path``, a change of it, or its half (``x.h`` for ``x.cpp``).

        With ``symbols``, yield also ways to those naming a symbol defined in the file. For a folder, yield also ways to
        those citing a file inside of it.
        """
        for cited, edge in self._citations.get(path, ()):
            place = cited if cited == path else f"{cited}, its former place"
            yield _Reason(edge.source, _weigh_edge(edge, STEPS["file"]), "file", f"{_to_verb(edge)} {place}", cited)
        for citation, reason in self._changes.get(path, ()):
            yield _Reason(citation.source, STEPS["changed"], "changed", reason, citation.target)
        for symbol in self._symbols.get(_cut_suffix(path), ()) if symbols else ():
            for edge in self._view.list_namings(symbol, "mentions"):
                weight = STEPS["symbol"] * (_SYMBOL_IN_TITLE_FACTOR if edge.in_title else 1.0)
                yield _Reason(edge.source, weight, "symbol", f"{_to_verb(edge)} {label_of(symbol, self._view)}", symbol)
        yield from self._find_citing_stem(_cut_suffix(path), "half", but=path)
        if path not in self._folders:  # a folder cited as such needs no citations of its files
            for place in self._citations:
                if place.startswith(f"{path}/"):
                    for _, edge in self._citations[place]:
                        yield _Reason(edge.source, STEPS["folder"], "folder", f"{_to_verb(edge)} {place}", place)

    def _find_citing_stem(self, path: str, step: str, but: str = "") -> Iterator[_Reason]:
        """Yield a way to each episode citing a file whose path without suffix is ``path``; not for the file ``but``.

        ``step`` is the key of ``STEPS`` with the weight.
        """
        for place in self._paths_by_stem.get(path, ()):
            for cited, edge in self._citations[place] if place != but else ():
                yield _Reason(edge.source, _weigh_edge(edge, STEPS[step]), step, f"{_to_verb(edge)} {cited}", cited)

    def _find_by_lists(self, paths: Sequence[str]) -> Iterator[_Reason]:
        """Yield a way to each episode about a topic whose list of files has one of ``paths``.

        The first path is the file's own; it counts more than the others, which are former paths and counterparts.
        """
        for place, path in enumerate(paths):
            topics = self._listing.get(_cut_suffix(path)) or self._find_page(path)
            weight = STEPS["listed"] * (_FURTHER_FACTOR if place else 1.0)
            # The others are files that it is a test or a page of.
            why = "to which belongs what it is of" if place else "to which it belongs"
            yield from self._find_about(topics, weight, "listed", why)

    def _find_page(self, path: str) -> Collection[str]:
        """Return the topics that list the documentation page made from the file ``path``; () for other files."""
        tail = _cut_suffix(path) if path.endswith(_DOCUMENT_SUFFIXES) else ""
        while tail := tail.partition("/")[2]:  # "docs/source/notes/autograd": the page is "notes/autograd"
            if topics := self._listing.get(_PAGE_MARK + tail):
                return topics
        return ()

    def _find_by_name(self, path: str, *, alone: bool) -> Iterator[_Reason]:
        """Yield a way to each episode about a topic whose name is in the name of the file ``path``.

        A name of several words may be any part of the file's name. A name of one word counts only if it is the whole
        name of the file, and if the file is ``alone``: it has no subsystem, whose topics would come first.
        """
        words = _list_stems(_cut_suffix(path).rpartition("/")[2])
        while words[:1] == ("test",):  # `test_dispatch.py` is named after what it tests
            words = words[1:]
        weight = STEPS["name"] * (1.0 if alone else _FURTHER_FACTOR)
        for names, topic in dict.fromkeys(chain.from_iterable(map(self._list_topic_names, words))):
            is_within = len(names) > 1 and f" {' '.join(names)} " in f" {' '.join(words)} "
            if is_within or (alone and names == words):
                yield from self._find_about([topic], weight, "name", "as its name says")

    def _list_topic_names(self, word: str) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield (stems of a name, topic) for each name of the topics with a word of the stem ``word`` in a name."""
        for id_, node in find_topics_with_word(word, self._view):
            for name in dict.fromkeys((node.get("label", ""), *node.get("aliases", ()))):
                if words := _list_stems(name):
                    yield words, id_.partition(":")[2]

    def _find_citing_folders(self, path: str) -> Iterator[_Reason]:
        """Yield a way to each episode citing a folder around the file ``path``. A folder further out counts less."""
        weight = STEPS["folder"]
        while path := path.rpartition("/")[0]:
            share = weight * (_SHELF_FACTOR if self._layout.is_shelf(f"{path}/") else 1.0)
            for place, edge in self._citations[path] if path in self._folders else ():
                yield _Reason(edge.source, share, "folder", f"{_to_verb(edge)} {place}, its folder", place)
            weight *= _FURTHER_FACTOR

    def _find_about(
        self, topics: Iterable[str], weight: float, step: str, where: str, *, in_title: bool = False
    ) -> Iterator[_Reason]:
        """Yield a way to each episode about one of ``topics``, the first of which counts most.

        The weight is divided by the topic's position; topics without an episode take no position. ``step`` is a key of
        ``STEPS``, and ``where`` is added to the text of the reason. With ``in_title``, only episodes named after the
        topic count.
        """
        for position, topic in enumerate(filter(self._has_episode, topics), 1):
            label = label_of(f"topic:{topic}", self._view)
            edges = self._view.list_namings(f"topic:{topic}", "about")
            for edge in edges:
                strength = _limit_strength(edge)
                if in_title and strength < _TITLE_STRENGTH:
                    continue
                text = f"{'is about' if strength >= _TITLE_STRENGTH else 'talks of'} {label}{where and ', '}{where}"
                yield _Reason(edge.source, weight * math.sqrt(strength) / position, step, text, topic)
            if max(map(_limit_strength, edges)) < _TITLE_STRENGTH:
                yield from self._find_about_related(topic, weight / position, step)

    def _find_about_related(self, topic: str, weight: float, step: str) -> Iterator[_Reason]:
        """Yield a way to each episode named after a whole or a part of ``topic``, which no episode is named after.

        ``weight`` and ``step`` (a key of ``STEPS``) are those of the topic; a related topic has a little less.
        """
        id_ = f"topic:{topic}"
        label = self._find_label(topic)
        wholes = [edge.target for edge in self._view.edges_from(id_, "subtopic_of")]
        if self._view.node(id_) is None and topic in self._concepts:
            wholes = [f"topic:{whole}" for whole in self._concepts[topic].part_of]
        parts = [edge.source for edge in self._view.edges_to(id_, "subtopic_of")]
        ways = dict.fromkeys(wholes, f"of which {label} is a part") | dict.fromkeys(parts, f"a part of {label}")
        for near, how in ways.items():
            node = self._view.node(near) or {}
            share = weight * (_AREA_FACTOR if node.get("area") == node.get("label") else _RELATED_TOPIC_FACTOR)
            for edge in self._view.list_namings(near, "about"):
                if _limit_strength(edge) >= _TITLE_STRENGTH:
                    text = f"is about {label_of(near, self._view)}, {how}"
                    strength = math.sqrt(_limit_strength(edge))
                    yield _Reason(edge.source, share * strength, step, text, near.removeprefix("topic:"))

    def _rank(self, all_reasons: Iterable[_Reason]) -> tuple[Row, ...]:
        """Return a row for each episode with its reasons, the highest weight first.

        ``all_reasons`` are of all episodes.

        The weight of an episode is the sum of its best reason for each step. A subject counts for one step only.
        """
        by_episode: Mapping[str, list[_Reason]] = defaultdict(list)
        for reason in all_reasons:
            by_episode[reason.episode].append(reason)
        rows = []
        for id_, reasons in by_episode.items():
            best: dict[str, _Reason] = {}
            for reason in sorted(reasons, key=lambda reason: -reason.weight):
                if all(reason.subject != other.subject for other in best.values()):
                    best.setdefault(reason.step, reason)
            texts: dict[str, str] = {}
            for reason in best.values():  # a symbol and a topic of the same name give one text
                name = reason.subject.removeprefix("symbol:")
                texts.setdefault(name if name == reason.subject else last_of_name(name).lower(), reason.text)
            weight = round(sum(reason.weight for reason in best.values()), 4)
            level = STRONG if weight >= _MINIMUM_STRONG_WEIGHT else SIMILAR
            values = {"weight": weight, "level": level, "reasons": list(texts.values())[:_MAXIMUM_REASONS]}
            rows.append(build_row(id_, self._view.node(id_) or {}, step=next(iter(best)), **values))
        return tuple(sorted(newest_first(rows, self._view), key=lambda row: -row["weight"]))


def _weigh_edge(edge: Naming, weight: float) -> float:
    """Return the weight of a citation: ``weight``, doubled in a title, and a little more for each repetition."""
    return weight * (2.0 if edge.in_title else 1.0) + 0.1 * min(edge.evidence_count, 5)


def _limit_strength(edge: Naming) -> float:
    """Return how much an episode is about a topic: the weight of the edge between both, at most that of a title.

    All titles count alike, so that the newer of two episodes comes first.
    """
    # A stranger's may be negative.
    return min(_TITLE_STRENGTH, max(0.0, edge.weight))


def _to_verb(edge: Naming) -> str:
    """Return the words for an edge in a reason, such as "cites" or "is named after"."""
    return "is named after" if edge.in_title else _VERBS[edge.relation]


def _cut_suffix(path: str) -> str:
    """Return a path without the suffixes of its last part. A name that begins with a dot keeps it.

    >>> _cut_suffix("aten/TensorIterator.cpp"), _cut_suffix("torch/_tensor.py"), _cut_suffix(".github")
    ('aten/TensorIterator', 'torch/_tensor', '.github')
    """
    folder, slash, name = path.rpartition("/")
    head = name[:1]  # the first character, also if it is a dot
    return f"{folder}{slash}{head}{name[1:].partition('.')[0]}"


def _list_stems(name: str) -> tuple[str, ...]:
    """Return the stems of the words in a name or phrase.

    >>> _list_stems("DispatchKeySet"), _list_stems("min-cut partitioners"), _list_stems("vmap")
    (('dispatch', 'key', 'set'), ('min', 'cut', 'partition'), ('vmap',))
    """
    return tuple(map(stem, name_parts(name)))
