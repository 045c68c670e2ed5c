"""The place of a name or path of code, and the episodes about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import Location, is_repo_path, locate, name_parts

from ..attributes import in_title
from ..kinds import SOURCES
from ..questions.keys import last_of_name, page_of, text_of
from ..questions.resolve import resolve_reference, resolve_topic
from ..questions.search import find_nodes
from ..questions.view import View, home_of
from .leads import Leads, Led

if TYPE_CHECKING:
    from podgraph.extractors import Index

    from ..questions.answer import Row

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
_REGISTRY = 300  # symbols: a file defining more is not specific to one of them


class Place(NamedTuple):
    """The places of a name or path, and where they lead. ``path`` is the intended path, "" for a name.

    ``absent`` says from which tree a path is missing, "" for one that is there.
    """

    places: tuple[Location, ...]
    led: Led
    path: str = ""
    absent: str = ""


class Places:
    """A graph and its index, for several queries: shared data is made once."""

    def __init__(self, view: View, index: Index | None) -> None:
        self._view, self._index = view, index

    @cached_property
    def leads(self) -> Leads:
        """The ways from files to episodes."""
        return Leads(self._view, self._index, "" if self._index else self._home)

    @cached_property
    def _home(self) -> str:
        """The repository of bare paths: the index's, else the repository with the most files in the graph."""
        return self._index.repo if self._index else home_of(self._view)

    def find(self, query: str) -> Place:
        """Return the code and docs of ``query``, from the index or else from the graph, and all episodes about it.

        A path leads by the steps of ``Leads``. A name leads to the episodes about it; without such, if its file defines
        too many symbols, to those about the topic of its words, else by the steps from its file.
        """
        name, query = query, self._find_at_home(query)
        known_places = locate(query, self._index, lambda id_: self._view.node(id_) is not None) if self._index else []
        places = tuple(map(_to_topic, known_places)) or tuple(_locate_named_nodes(name, self._view, self._home))
        path = self.find_path(query, places)
        if path:
            return Place(places, self.leads.of(path), path, self._describe_absence(query, path))
        specific = [place for place in places if place.kind != "file" or not self._is_registry(place.path)]
        episodes = self._explain_name(query, specific)
        path = next((place.path for place in places if place.path), "")
        if episodes or not path:
            return Place(places, Led(episodes))
        name = last_of_name(query.strip().strip("`'\"").removesuffix("()"))
        if self._is_registry(path) and (episodes := self._explain_words(name)):
            return Place(places, Led(episodes))
        is_named_so = name_parts(path.rpartition("/")[2].partition(".")[0]) == name_parts(name)
        # Of a file named after the symbol, everything counts.
        return Place(places, self.leads.of(path, as_place=not is_named_so))

    def find_path(self, query: str, places: Iterable[Location] = ()) -> str:
        """Return the intended path, whether or not there is such a file; "" for a name."""
        text = _SIDE.sub("", _LINE.sub("", query.strip().strip("`'\"")).replace("\\", "/")).strip("/")
        stem, _, ending = text.rpartition(".")
        is_file = (stem and ending in _ENDINGS) or (stem or ending) in _FILES
        if ":" in text or " " in text or not ("/" in text or is_file):
            return ""
        paths = [place.path for place in places if place.kind in ("file", "folder") and not place.inside]
        if paths or not places:
            return next((path for path in paths if f"/{path}".endswith(f"/{text}")), text)
        return ""

    def _find_at_home(self, query: str) -> str:
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
            return next((end for end in ends if self._index.paths.find_state(_LINE.sub("", end))), query)
        repo, _, path = text.removeprefix("github:").partition(":")
        return path + line if path and "/" in repo and repo.lower() == self._home.lower() else query

    def _describe_absence(self, query: str, path: str) -> str:
        """Return the indexed tree that lacks a path; "" if the path is there, moved, or one on a disk."""
        if self._index is None or _ON_DISK.match(query):
            return ""
        status = self._index.file_status(path).status
        # The index may know only a part of the tree there.
        place = self._index.repo if status == "gone" else f"the known files of {self._index.repo}"
        return "" if status in ("ok", "moved") else f"is absent from {place} at {self._index.commit[:8]}"

    def _is_registry(self, path: str) -> bool:
        """Return whether a file defines too many symbols to be specific to one of them."""
        return self._index is not None and len(self._index.in_file(path)) > _REGISTRY

    def _explain_words(self, name: str) -> tuple[Row, ...]:
        """Return the episodes about the topic of a name's words: the first hit of a search."""
        topic = resolve_topic(name, self._view)
        topics = [topic] if topic else []
        hit = None if topics else next(iter(find_nodes(name, self._view, ("topic", *SOURCES))[0]), None)
        if hit and not hit.instead and hit.where != "notes":
            edges = self._view.edges_from(hit.id, "about")
            in_name = [edge.target for edge in edges if in_title(edge.attributes)]
            topics = [hit.id] if hit.id.startswith("topic:") else in_name
        return self.leads.of_nodes([(topic, 1.0) for topic in topics], topics)

    def _explain_name(self, query: str, places: Iterable[Location]) -> tuple[Row, ...]:
        """Return the episodes mentioning one of the places of a name. Symbols inside a file are not looked up."""
        outer = [place for place in places if not place.inside]
        nodes = {place.id: _NEAR.get(place.kind, 1.0) for place in reversed(outer)}
        # For a name, its file is a place to look, but the other symbols of the file do not count.
        symbols = {place.id for place in outer if place.kind == "symbol"}
        timed_ids = symbols or {resolve_topic(query, self._view) or next(reversed(nodes), "")}
        return self.leads.of_nodes(reversed(nodes.items()), timed_ids, inside=not symbols)


def _to_topic(place: Location) -> Location:
    """Return a concept of the index as its topic in the graph."""
    if place.kind != "concept":
        return place
    return place._replace(kind="topic", id=f"topic:{place.id.removeprefix('concept:')}")


def _locate_named_nodes(query: str, view: View, home: str) -> Iterator[Location]:
    """Yield the nodes of the graph for a name: the topic with this name, else any node with it."""
    topic = resolve_topic(query, view)
    for id_ in [topic] if topic else resolve_reference(query, view, home).nodes:
        node = view.node(id_) or {}
        if node.get("kind") not in ("episode", "podcast"):
            kind, label, url, path = (text_of(node, name) for name in ("kind", "label", "url", "path"))
            yield Location(kind, id_, label, url, path, reason=f"called {query}")
