"""The place of a piece of code, and the episodes about it, the best explanation first."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import Location, is_repo_path, locate, name_parts, subject_index

from ..attributes import in_title
from ..kinds import SOURCES
from ..questions.answer import Answer, Row, build_row
from ..questions.keys import last_of_name, page_of, text_of, texts_of
from ..questions.resolve import name_like, resolve_reference, resolve_topic, subject_of
from ..questions.search import find_nodes, topics_with
from ..questions.view import home_of
from ..questions.which import ALL
from ..words import ASKING, stem, told_words, words_of
from .leads import Leads

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from podgraph.extractors import Index

    from ..questions.view import View
    from ..questions.which import Which

# The nearness of each kind of place to the query.
_NEAR = {"symbol": 1.0, "file": 0.6, "folder": 0.6, "topic": 0.8, "docs": 0.4, "tutorial": 0.4}
# the line at the end of a path (`:12`, `:12:3`, `#L3-L8`), and the side of a diff ahead of it
_LINE = re.compile(r"(?::\d+|#L\d+)(?::\d+|-L?\d+)?\Z")
_ON_DISK = re.compile(r"/|~/|[A-Za-z]:[\\/]")  # the beginning of a path from the root, or from home
_SIDE = re.compile(r"\A(?:\./|[ab]/(?=[\w.-]+/))")
# suffixes of files, never of names of code: `engine.cpp`, `native_functions.yaml`, unlike `torch.vmap`
_ENDINGS = frozenset(
    "py pyi c h cc cpp cxx hpp cu cuh m mm js ts rs go java kt swift md rst txt yml yaml toml json cmake bzl sh in "
    "ipynb bazel glsl S".split()
)
_FILES = frozenset(("CMakeLists", "Makefile", "Dockerfile", "BUCK", "CODEOWNERS"))
_SHOWN = 8  # of the symbols defined in a file
_REGISTRY = 300  # symbols: a file defining more is not specific to one of them
_OF_NEAR = 3  # episodes shown where none is about it


class Where(NamedTuple):
    """The places of a name or path, and a row for each episode and post about them, the best explanation first.

    Without an episode, ``nearest`` has those about neighbouring topics, and ``untold`` the path's own topics.
    ``absent`` says from which tree a path is missing, "" for one that is there.
    """

    places: tuple[Location, ...]
    episodes: tuple[Row, ...]
    nearest: tuple[Row, ...] = ()
    untold: tuple[str, ...] = ()
    absent: str = ""


class Asked:
    """A graph and its index, for several queries: shared data is made once."""

    def __init__(self, view: View, index: Index | None) -> None:
        self._view, self._index = view, index
        self._leads: Leads | None = None

    def where(self, query: str) -> Where:
        """Return the code and docs of ``query``, from the index or else from the graph, and all episodes about it.

        Of the symbols of a file only the first are places. A path leads by the steps of ``Leads``. A name leads to the
        episodes about it; without such, if its file defines too many symbols, to those about the topic of its words,
        else by the steps from its file.
        """
        asked, query = query, self._at_home(query)
        found = locate(query, self._index, lambda id_: self._view.node(id_) is not None) if self._index else []
        places = [_as_topic(place) for place in found]
        places = places or _locate_named_nodes(asked, self._view, self._home)
        inside = [place for place in places if place.inside]
        left_out = {place.id for place in inside[_SHOWN:]}
        shown = tuple(place for place in places if place.id not in left_out)
        path = self._path(query, places)
        if path:
            return Where(shown, *self.leads.of(path), self._absent(query, path))
        specific = [place for place in places if place.kind != "file" or not self._is_registry(place.path)]
        explained = self._explaining(query, specific)
        path = next((place.path for place in places if place.path), "")
        if explained or not path:
            return Where(shown, explained)
        name = last_of_name(query.strip().strip("`'\"").removesuffix("()"))
        if self._is_registry(path) and (named := self._named_after(name)):
            return Where(shown, named)
        is_named_so = name_parts(path.rpartition("/")[2].partition(".")[0]) == name_parts(name)
        # Of a file named after the symbol, everything counts.
        return Where(shown, *self.leads.of(path, as_place=not is_named_so))

    @property
    def leads(self) -> Leads:
        """The ways from files to episodes."""
        if self._leads is None:
            self._leads = Leads(self._view, self._index, "" if self._index else self._home)
        return self._leads

    @cached_property
    def _home(self) -> str:
        """The repository of bare paths: the index's, else the repository with the most files in the graph."""
        return self._index.repo if self._index else home_of(self._view)

    def _at_home(self, query: str) -> str:
        """Return the path in an address, a label or an id in the repository of bare paths; else ``query``.

        For a documentation page or an anchor about one name, return the name. For a path on a disk, return its longest
        end known to the repository, in a clone or an installation.
        """
        text = query.strip()
        line = ""
        if "://" in text or text.startswith("github.com/"):
            line, name = "".join(_LINE.findall(text)), text.partition("#")[2]
            text = page_of(text)
            if self._index and text.startswith("docs:"):
                names = (name, text.rpartition("/generated/")[2])  # Sphinx's anchors and stubs
                page = text.removeprefix(f"docs:{self._index.subject.docs_project}/")
                source = query if page == text or self._view.node(text) else f"docs/source/{page}.rst"
                return next((name for name in names if self._index.symbol(name)), source)
        elif self._index and _ON_DISK.match(text) and is_repo_path(text):
            parts = text.replace("\\", "/").split("/")
            ends = ("/".join(parts[at:]) for at in range(1, len(parts) - 1))
            return next((end for end in ends if self._index.paths.known(_LINE.sub("", end))), query)
        repo, _, path = text.removeprefix("github:").partition(":")
        return path + line if path and "/" in repo and repo.lower() == self._home.lower() else query

    def _absent(self, query: str, path: str) -> str:
        """Return the indexed tree that lacks a path; "" if the path is there, moved, or one on a disk."""
        if self._index is None or _ON_DISK.match(query):
            return ""
        status = self._index.file_status(path).status
        # The index may know only a part of the tree there.
        place = self._index.repo if status == "gone" else f"the known files of {self._index.repo}"
        return "" if status in ("ok", "moved") else f"is absent from {place} at {self._index.commit[:8]}"

    def _path(self, query: str, places: Iterable[Location]) -> str:
        """Return the intended path, whether or not there is such a file; "" for a name."""
        text = _SIDE.sub("", _LINE.sub("", query.strip().strip("`'\"")).replace("\\", "/")).strip("/")
        stem, _, ending = text.rpartition(".")
        is_file = (stem and ending in _ENDINGS) or (stem or ending) in _FILES
        if ":" in text or " " in text or not ("/" in text or is_file):
            return ""
        known = [place.path for place in places if place.kind in ("file", "folder") and not place.inside]
        if known or not places:
            return next((path for path in known if f"/{path}".endswith(f"/{text}")), text)
        return ""

    def _is_registry(self, path: str) -> bool:
        """Return whether a file defines too many symbols to be specific to one of them."""
        return self._index is not None and len(self._index.in_file(path)) > _REGISTRY

    def _named_after(self, name: str) -> tuple[Row, ...]:
        """Return the episodes about the topic of a name's words: the first hit of a search."""
        topic = resolve_topic(name, self._view)
        topics = [topic] if topic else []
        hit = None if topics else next(iter(find_nodes(name, self._view, ("topic", *SOURCES))[0]), None)
        if hit and not hit.instead and hit.where != "notes":
            titled = (edge.target for edge in self._view.edges_from(hit.id, "about") if in_title(edge.attributes))
            topics = [hit.id] if hit.id.startswith("topic:") else [*titled]
        return self.leads.of_nodes([(topic, 1.0) for topic in topics], topics)

    def _explaining(self, query: str, places: Iterable[Location]) -> tuple[Row, ...]:
        """Return the episodes mentioning one of the places of a name. Symbols inside a file are not looked up."""
        outer = [place for place in places if not place.inside]
        nodes = {place.id: _NEAR.get(place.kind, 1.0) for place in reversed(outer)}
        # For a name, its file is a place to look, but the other symbols of the file do not count.
        named = {place.id for place in outer if place.kind == "symbol"}
        said = named or {resolve_topic(query, self._view) or next(reversed(nodes), "")}
        return self.leads.of_nodes(reversed(nodes.items()), said, inside=not named)


def names_of(view: View) -> Index | None:
    """Return the index of the code of a graph's subject: see ``subject_of``."""
    subject = subject_of(view)
    return subject_index(subject) if subject else None


def _as_topic(place: Location) -> Location:
    """Return a concept of the index as its topic in the graph."""
    if place.kind != "concept":
        return place
    return place._replace(kind="topic", id=f"topic:{place.id.removeprefix('concept:')}")


def _locate_named_nodes(query: str, view: View, home: str) -> list[Location]:
    """Return the nodes of the graph for a name.

    These are the topic with this name, else any node with it, else the topics with its words in a name.
    """
    topic = resolve_topic(query, view)
    found = [topic] if topic else list(resolve_reference(query, view, home).nodes)
    reason = f"called {query}" if found else f"holds {query}"
    found = found or _find_topics_with_words(query, view)
    nodes = [(id_, view.node(id_) or {}) for id_ in found]
    return [
        Location(
            node.get("kind", ""), id_, node.get("label", id_), node.get("url", ""), node.get("path", ""), 0, reason
        )
        for id_, node in nodes
        if node.get("kind") not in ("episode", "podcast")
    ]


def _find_topics_with_words(query: str, view: View) -> list[str]:
    """Return the topics with all words of a query in one of their names, compared by stems.

    The index finds the topics with the first word.
    """
    words = [word for word in words_of(query) if word not in ASKING]
    wanted = set(map(stem, words))
    nodes = topics_with(words[0], view) if words else []
    topics = ((id_, (text_of(node, "label"), *texts_of(node, "aliases"))) for id_, node in nodes)
    return [id_ for id_, names in topics if any(wanted <= {*told_words(_without_ending(name))} for name in names)]


def _without_ending(name: str) -> str:
    """Return the name of a file without its suffix. Other names stay unchanged."""
    stem, _, ending = name.rpartition(".")
    return stem if ending in _ENDINGS and stem else name


def find_places(view: View, names: Sequence[str], *, index: Index | None, which: Which = ALL) -> Answer:
    """Answer with where names or paths of code are defined and documented, and the episodes about them.

    Of each name come first the episodes (``relation``: ``about``; ``near`` if none is about it), then the places, whose
    ``relation`` is their kind.
    """
    asked = Asked(view, index)
    has_several = len(names) > 1
    rows, notes, total = [], [], 0
    for name in names:
        found = asked.where(name)
        episodes, count = which.of(found.episodes, view)
        nearest, _ = which.of(found.nearest, view)
        total += count
        query = {"query": name} if has_several else {}
        for row in episodes or nearest[:_OF_NEAR]:
            del row["step"]
            rows.append(Row(row, relation="about" if episodes else "near", **query))
        for place in sorted(found.places, key=lambda place: place.inside):
            values = {"kind": place.kind, "line": place.line or None, "path": place.path, "url": place.url, **query}
            title = place.label if place.path in ("", place.label) else f"{place.label} ({place.path})"
            rows.append(build_row(place.id, values, title=title, relation=place.kind, reasons=[place.reason]))
        if not episodes:
            notes += _explain_absence(name, found, nearest, view, is_alone=not has_several)
        elif found.absent:
            notes.append(f"{name!r} {found.absent}")
    if not rows and subject_of(view) is None:
        notes.append("the graph is about no project whose code is known: only its own names were asked")
    columns = (*(("query",) if has_several else ()), "relation", "date", "title", "reasons", "url")
    return Answer("where", " ".join(names), columns, tuple(rows), total, notes=tuple(notes))


def _explain_absence(query: str, found: Where, nearest: Sequence[Row], view: View, *, is_alone: bool) -> list[str]:
    """Return why a name has no episode: it is absent from the tree, only others are near, or unknown."""
    if not nearest:
        what = "no episode is about" if found.places else "nothing is known of"
        meant = (name_like(query, view) if is_alone else "") or "`podgraph search` finds by words"
        return [f"{what} {query!r}" + (f": it {found.absent}" if found.absent else f"; {meant}")]
    about = f" ({', '.join(found.untold)})" if found.untold else ""
    notes = [f"{query!r} {found.absent}"] if found.absent else []
    return [*notes, f"no episode is about {query!r}{about}; these are nearest"]
