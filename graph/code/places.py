"""Finding where a name or path of code is defined and documented, and the episodes about it."""

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
from .leads import Explainer, Explanation

if TYPE_CHECKING:
    from podgraph.extractors import Index

    from ..questions.answer import Row

# The nearness of each kind of place to the query, in 0..1.
_NEARNESS = {"symbol": 1.0, "file": 0.6, "folder": 0.6, "topic": 0.8, "docs": 0.4, "tutorial": 0.4}
_LINE_AT_END = re.compile(r"(?::\d+|#L\d+)(?::\d+|-L?\d+)?\Z")  # of a path: `:12`, `:12:3`, `#L3-L8`
_ON_DISK = re.compile(r"/|~/|[A-Za-z]:[\\/]")  # the beginning of a path from the root, or from home
_SIDE_OF_DIFF = re.compile(r"\A(?:\./|[ab]/(?=[\w.-]+/))")  # ahead of a path; or `./` of a shell
# suffixes of files, never of names of code: `engine.cpp`, `native_functions.yaml`, unlike `torch.vmap`
_FILE_SUFFIXES = frozenset(
    "py pyi c h cc cpp cxx hpp cu cuh m mm js ts rs go java kt swift md rst txt yml yaml toml json cmake bzl sh in "
    "ipynb bazel glsl S".split()
)
_FILES_WITHOUT_SUFFIX = frozenset(("CMakeLists", "Makefile", "Dockerfile", "BUCK", "CODEOWNERS"))
_MAXIMUM_SYMBOLS = 300  # a file that defines more is not specific to one of them


class Place(NamedTuple):
    """The places of a name or path, and the episodes about it.

    ``path`` is the path that the user means, "" for a name. ``absent`` is a text such as "is absent from owner/name at
    1234abcd" for a path that the index does not have, else "".
    """

    places: tuple[Location, ...]
    explanation: Explanation
    path: str = ""
    absent: str = ""


class Places:
    """Finds the places where names of code are defined and documented, in a graph and in an index of code.

    An index has the names, files and pages of a project. Several queries share the data.
    """

    def __init__(self, view: View, index: Index | None) -> None:
        """Find places in the graph ``view`` and in ``index`` (``None``: only in the graph)."""
        self._view, self._index = view, index

    @cached_property
    def explainer(self) -> Explainer:
        """The object that finds the episodes for a file, created on first use."""
        return Explainer(self._view, self._index, "" if self._index else self._home)

    @cached_property
    def _home(self) -> str:
        """The repository of bare paths: the index's, else the one with the most files in the graph."""
        return self._index.repo if self._index else home_of(self._view)

    def find(self, query: str) -> Place:
        """Return the code and documentation for ``query`` (a name or path), and all episodes about it.

        The places come from the index, or else from the graph. A path leads to episodes by ``Explainer.explain_path``.
        A name leads to the episodes mentioning it. Without any, and if its file defines too many symbols, it leads to
        those about the topic of its words; else to those of its file.
        """
        name, query = query, self._shorten_query(query)
        known_places = locate(query, self._index, lambda id_: self._view.node(id_) is not None) if self._index else []
        places = tuple(map(_to_topic, known_places)) or tuple(_locate_named_nodes(name, self._view, self._home))
        path = self.find_path(query, places)
        if path:
            return Place(places, self.explainer.explain_path(path), path, self._describe_absence(query, path))
        specific = [place for place in places if place.kind != "file" or not self._has_many_symbols(place.path)]
        episodes = self._explain_name(query, specific)
        path = next((place.path for place in places if place.path), "")
        if episodes or not path:
            return Place(places, Explanation(episodes))
        name = last_of_name(query.strip().strip("`'\"").removesuffix("()"))
        if self._has_many_symbols(path) and (episodes := self._explain_topic(name)):
            return Place(places, Explanation(episodes))
        is_named_so = name_parts(path.rpartition("/")[2].partition(".")[0]) == name_parts(name)
        # Of a file named after the symbol, everything counts.
        return Place(places, self.explainer.explain_path(path, as_place=not is_named_so))

    def find_path(self, query: str, places: Iterable[Location] = ()) -> str:
        """Return the path that a query means, whether or not there is such a file; "" if the query is not a path.

        ``places`` are the known places of the query: a place whose path ends with the query gives the whole path.
        """
        text = _SIDE_OF_DIFF.sub("", _LINE_AT_END.sub("", query.strip().strip("`'\"")).replace("\\", "/")).strip("/")
        stem, _, ending = text.rpartition(".")
        is_file = (stem and ending in _FILE_SUFFIXES) or (stem or ending) in _FILES_WITHOUT_SUFFIX
        if ":" in text or " " in text or not ("/" in text or is_file):
            return ""
        paths = [place.path for place in places if place.kind in ("file", "folder") and not place.inside]
        if paths or not places:  # else the query is a name with a dot
            return next((path for path in paths if f"/{path}".endswith(f"/{text}")), text)
        return ""

    def _shorten_query(self, query: str) -> str:
        """Return the path in a query that is an address, a label or an id of a file of the graph's own repository.

        For a documentation page or an anchor about one name, return the name. For a path on a disk (of a clone or an
        installation), return its longest end that is a path in the repository. Other queries are returned unchanged.
        """
        text = query.strip()
        line = ""
        if "://" in text or text.startswith("github.com/"):
            line, name = "".join(_LINE_AT_END.findall(text)), text.partition("#")[2]
            text = page_of(text)
            if self._index and text.startswith("docs:"):
                names = (name, text.rpartition("/generated/")[2])  # Sphinx's anchors and stubs
                page = text.removeprefix(f"docs:{self._index.subject.docs_project}/")
                source = query if page == text or self._view.node(text) else f"docs/source/{page}.rst"
                return next((name for name in names if self._index.symbol(name)), source)
        elif self._index and _ON_DISK.match(text) and is_repo_path(text):
            parts = text.replace("\\", "/").split("/")
            ends = ("/".join(parts[at:]) for at in range(1, len(parts) - 1))
            return next((end for end in ends if self._index.paths.find_state(_LINE_AT_END.sub("", end))), query)
        repo, _, path = text.removeprefix("github:").partition(":")
        return path + line if path and "/" in repo and repo.lower() == self._home.lower() else query

    def _describe_absence(self, query: str, path: str) -> str:
        """Return a text for a path that the indexed code lacks; "" for one that it has, that moved, or on a disk.

        The text is such as "is absent from owner/name at 1234abcd". ``query`` is the path as the user wrote it.
        """
        if self._index is None or _ON_DISK.match(query):
            return ""
        status = self._index.file_status(path).status
        # Any other status than "gone" means that the index may have only a part of this folder.
        place = self._index.repo if status == "gone" else f"the known files of {self._index.repo}"
        return "" if status in ("ok", "moved") else f"is absent from {place} at {self._index.commit[:8]}"

    def _has_many_symbols(self, path: str) -> bool:
        """Return whether the file ``path`` defines too many symbols to be specific to one of them."""
        return self._index is not None and len(self._index.list_names(path)) > _MAXIMUM_SYMBOLS

    def _explain_topic(self, name: str) -> tuple[Row, ...]:
        """Return the rows of the episodes about the topic called ``name``.

        Without such a topic, the first hit of a search for the name gives the topics: itself, or those in its title.
        """
        topics = [topic] if (topic := resolve_topic(name, self._view)) else []
        hits, _ = ([], False) if topics else find_nodes(name, self._view, ("topic", *SOURCES))
        hit = next(iter(hits), None)
        if hit and not hit.instead and hit.where != "notes":
            edges = self._view.edges_from(hit.id, "about")
            in_name = [edge.target for edge in edges if in_title(edge.attributes)]
            topics = [hit.id] if hit.id.startswith("topic:") else in_name
        return self.explainer.explain_nodes([(topic, 1.0) for topic in topics], topics)

    def _explain_name(self, query: str, places: Iterable[Location]) -> tuple[Row, ...]:
        """Return the rows of the episodes mentioning one of the ``places`` of a name (``query``).

        Symbols inside of another place are left out.
        """
        outer = [place for place in places if not place.inside]
        nodes = {place.id: _NEARNESS.get(place.kind, 1.0) for place in reversed(outer)}
        # For a symbol, the other symbols of its file do not count.
        symbols = {place.id for place in outer if place.kind == "symbol"}
        timed_ids = symbols or {resolve_topic(query, self._view) or next(reversed(nodes), "")}
        return self.explainer.explain_nodes(reversed(nodes.items()), timed_ids, inside=not symbols)


def _to_topic(place: Location) -> Location:
    """Return a place of the index unchanged or, if it is a concept, as the topic in the graph for this concept."""
    if place.kind != "concept":
        return place
    return place._replace(kind="topic", id=f"topic:{place.id.removeprefix('concept:')}")


def _locate_named_nodes(query: str, view: View, home: str) -> Iterator[Location]:
    """Yield the places of the topic called ``query`` in a graph; without it, those of the nodes the reference means.

    Episodes and podcasts are left out. ``home`` is the repository of bare paths (owner/name).
    """
    topic = resolve_topic(query, view)
    for id_ in [topic] if topic else resolve_reference(query, view, home).nodes:
        node = view.node(id_) or {}
        if node.get("kind") not in ("episode", "podcast"):
            kind, label, url, path = (text_of(node, name) for name in ("kind", "label", "url", "path"))
            yield Location(kind, id_, label, url, path, reason=f"called {query}")
