"""The index of a subject's code: its names, files and docs pages at a stated version and commit."""

from __future__ import annotations

import os
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from ...errors import SourceError
from ..default import default_subject
from .container import NO_INDEX, Sections
from .listed import LISTED, pack_list
from .messages import Messages
from .paths import FileStatus, Paths, unpack_paths
from .table import Symbol, SymbolTable, last_part, module_of, to_pairs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..subject import Subject
    from .shapes import ConceptEntry, Pages, Spellings

_LARGEST = 64 << 20  # bytes of a file
_CPP_DOCS = "cppdocs:"


class Concept(NamedTuple):
    """A subsystem or idea of a subject: its names, its code, its pages, its place among the others.

    ``weak`` names count only beside another concept of the same subsystem. ``paths`` are files, and folders
    ending in ``/``; ``docs`` and ``tutorials`` are pages relative to the docs and the tutorials.
    """

    id: str
    label: str
    aliases: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    docs: tuple[str, ...] = ()
    tutorials: tuple[str, ...] = ()
    part_of: tuple[str, ...] = ()
    repo: str = ""


class Place(NamedTuple):
    """A line of a file, and its permanent link."""

    path: str
    line: int
    url: str


class PageStatus(NamedTuple):
    """``status`` is ``ok``, ``moved``, ``gone`` or ``unknown``; ``page`` the present page, ``url`` its address."""

    status: str
    page: str = ""
    url: str = ""


# The header fields and sections of every index.
_TEXTS = ("version", "older", "commit", "repo", "docs", "cppdocs", "tutorials")
_SECTIONS = ("files", "counts", "names", "kinds", "lines", "pages", "pagelist", "anchors", "vocabulary", "titles")


class Index:
    """Queries on an index file; each section is decompressed on first use.

    ``subject`` is the owner of the names.

    >>> index = read_index()
    >>> index.symbol("torch.func.vmap").name, index.docs_url("torch.vmap")
    ('torch.vmap', 'https://docs.pytorch.org/docs/stable/generated/torch.vmap.html')
    >>> index.source("c10::intrusive_ptr").path
    'c10/util/intrusive_ptr.h'
    """

    def __init__(self, sections: Sections, subject: Subject) -> None:
        self._sections = sections
        self.subject = subject
        header = sections.header
        texts = all(isinstance(header.get(name), str) for name in _TEXTS)
        if not (texts and isinstance(header.get("projects", {}), dict) and sections.has(_SECTIONS)):
            raise sections.damaged()
        self.version: str = header["version"]
        self.older_version: str = header["older"]
        self.commit: str = header["commit"]
        self.repo: str = header["repo"]
        self.docs_base: str = header["docs"]
        self.cpp_docs_base: str = header["cppdocs"]
        self.tutorials_base: str = header["tutorials"]

    @cached_property
    def _files(self) -> list[str]:
        return unpack_paths(self._sections.lines("files"))

    @cached_property
    def table(self) -> SymbolTable:
        """The symbols in columns, for loops over all of them."""
        return SymbolTable(self._sections, self._files)

    @cached_property
    def messages(self) -> Messages:
        """The error messages of the code."""
        return Messages(self._sections, self._files)

    @cached_property
    def paths(self) -> Paths:
        """The known files of the repository."""
        return Paths(
            self._files, self.older_files, self.names["moved"], version=self.version, old_version=self.older_version,
            unseen=self.subject.code.unseen,
        )  # fmt: skip

    @cached_property
    def older_files(self) -> list[str]:
        """Files only in the older tree of the repository, sorted."""
        return unpack_paths(self._sections.lines("older"))

    @cached_property
    def names(self) -> Spellings:
        """The curated spellings of the names."""
        return cast("Spellings", self._sections.json("vocabulary"))

    @cached_property
    def concepts(self) -> tuple[Concept, ...]:
        """The concepts, in the order of the list."""
        return tuple(map(_to_concept, cast("list[ConceptEntry]", self._sections.json("concepts") or [])))

    @cached_property
    def page_lists(self) -> Pages:
        """The lists of pages as the fact file has them."""
        return cast("Pages", self._sections.json("titles"))

    @property
    def tutorials(self) -> Mapping[str, str]:
        """The tutorials of today: page to title."""
        return self.page_lists["tutorials"]

    @cached_property
    def docs(self) -> Mapping[str, str]:
        """Every known page of the docs, to its title (of a generated page, its name)."""
        pages = {page: page for page in self.table.pagelist[2:] if not page.startswith(_CPP_DOCS)}
        pages |= {f"generated/{name}.html": name for name, row in self.table.rows.items() if self.table.owns_page(row)}
        pages |= {page: name for name, page in self.table.alias_pages.items()}
        pages |= {page: page for page in self.table.documented_modules.values()}
        pages |= self.page_lists["docs"]
        for page in self._gone_pages:
            pages.pop(page, None)
        return pages

    def docs_title(self, page: str) -> str | None:
        """Return the title of a page in ``docs``, ``None`` for none."""
        return self.docs.get(page)

    def symbol(self, name: str) -> Symbol | None:
        """Return the symbol of an exact name in any of its spellings, or ``None``."""
        found = self.table.find(name)
        return self.table.get(found) if found else None

    def candidates(self, name: str) -> tuple[Symbol, ...]:
        """Return all symbols with a bare or partly qualified name, documented ones first.

        >>> [symbol.name for symbol in read_index().candidates("nn.Module")]
        ['torch.nn.Module']
        """
        names = (full for _, full in self.table.ending_in(last_part(name)))
        tails = (name, f".{name}", f"::{name}")
        found = [self.table.get(full) for full in names if full == name or full.endswith(tails[1:])]
        found.sort(key=lambda symbol: (not symbol.page, "._" in symbol.name, symbol.name.count("."), symbol.name))
        return tuple(found)

    def docs_url(self, name: str) -> str:
        """Return the address of a symbol's documentation, or the empty string."""
        page = self.table.alias_pages.get(name)
        if page:
            return self.page_url(page, name)
        symbol = self.symbol(name)
        return self.page_url(symbol.page, symbol.anchor) if symbol and symbol.kind != "removed" else ""

    def page_url(self, page: str, anchor: str = "") -> str:
        """Return the address of a page of the index's lists, the empty string for none."""
        if not page:
            return ""
        if page.startswith(_CPP_DOCS):
            return self.cpp_docs_base + page.removeprefix(_CPP_DOCS)
        own = page.removesuffix(".html").rpartition("/")[2].removesuffix("_class") == anchor
        return f"{self.docs_base}{page}" + (f"#{anchor}" if anchor and not own else "")

    def source(self, name: str) -> Place | None:
        """Return where a symbol is defined, or ``None``."""
        symbol = self.symbol(name)
        if symbol is None or not symbol.path:
            return None
        return Place(symbol.path, symbol.line, self.permalink(symbol.path, symbol.line))

    def permalink(self, path: str, line: int = 0) -> str:
        """Return the address of a file, or of a line of it, at the index's commit."""
        tail = f"#L{line}" if line else ""
        return f"https://github.com/{self.repo}/blob/{self.commit}/{path}{tail}"

    def at(self, path: str, line: int = 0) -> Symbol | None:
        """Return the symbol at a line of a file, its module for no line, or ``None``."""
        name = self.table.at(path, line) if line else ""
        module = module_of(path)
        if not name and self.table.module_path(module):
            name = module
        return self.table.get(name) if name else None

    def file_status(self, path: str) -> FileStatus:
        """Return whether a file or folder of the repository is there, moved (and where) or gone."""
        return self.paths.status(path)

    def docs_status(self, page: str) -> PageStatus:
        """Return whether a page of the docs is there (``notes/cuda.html``; the suffix may be missing).

        >>> read_index().docs_status("torch.compiler_faq").status
        'moved'
        """
        page = page.strip("/")
        page = page if page.endswith(".html") else f"{page}.html"
        if self.docs_title(page) is not None:
            return PageStatus("ok", page, self.page_url(page))
        moved = self.page_lists["docs_moves"].get(page)
        if moved:
            return PageStatus("moved", moved, self.page_url(moved))
        name = page.removeprefix("generated/").removesuffix(".html")
        symbol = self.symbol(name)
        if symbol is not None and symbol.current:
            symbol = self.symbol(symbol.current)
        if symbol is not None and symbol.page and symbol.kind != "removed":
            return PageStatus("moved", symbol.page, self.page_url(symbol.page, symbol.anchor))
        return PageStatus("gone" if page in self._gone_pages else "unknown")

    @cached_property
    def _gone_pages(self) -> frozenset[str]:
        return frozenset(self.page_lists["docs_gone"])

    def tutorial_status(self, page: str) -> PageStatus:
        """Return whether a tutorial is there (``beginner/dist_overview.html``; the suffix may be missing)."""
        page = page.strip("/")
        page = page if page.endswith(".html") else f"{page}.html"
        if page in self.tutorials:
            return PageStatus("ok", page, self.tutorials_base + page)
        target = self.page_lists["tutorials_moves"].get(page)
        if target and not target.startswith("."):
            return PageStatus("moved", target, self.tutorials_base + target)
        if target or page in self.page_lists["tutorials_past"]:
            return PageStatus("gone")
        return PageStatus("unknown")

    @cached_property
    def projects(self) -> tuple[str, ...]:
        """Other projects with an inventory in this index."""
        return tuple(self._projects)

    @property
    def _projects(self) -> dict[str, str]:
        """Other projects to the addresses of their documentation."""
        projects: dict[str, str] = self._sections.header.get("projects", {})
        return projects

    def foreign(self, name: str) -> tuple[str, str] | None:
        """Return (project, address) of a name of another project (``numpy.ndarray``), or ``None``."""
        for project, base in self._projects.items():
            uri = self._inventories[project].get(name)
            if uri is not None:
                return project, base + uri
        return None

    @cached_property
    def _inventories(self) -> dict[str, dict[str, str]]:
        return {project: to_pairs(self._sections.lines(f"inventory:{project}")) for project in self._projects}


def _to_concept(entry: ConceptEntry) -> Concept:
    return Concept(
        entry["id"], entry["label"], tuple(entry.get("aliases", ())), tuple(entry.get("weak", ())),
        tuple(entry.get("paths", ())), tuple(entry.get("docs", ())), tuple(entry.get("tutorials", ())),
        tuple(entry.get("part_of", ())), entry.get("repo", ""),
    )  # fmt: skip


def subject_index(subject: Subject) -> Index | None:
    """Return the index of a subject's code, ``None`` where it has none; read once in a process."""
    return _read(subject.file(subject.names), subject) if subject.names else None


def read_index(path: Path | None = None) -> Index:
    """Return the index in the file at ``path``; without a path, the default subject's.

    A file is read once in a process. Raises ``SourceError`` when it cannot be read or is not an index.
    """
    owner = default_subject()
    return _read(os.fspath(path or owner.file(owner.names)), owner)


@lru_cache(maxsize=8)
def _read(path: str, subject: Subject) -> Index:
    """Return the index in a file, or that of a list of names. Raise ``SourceError`` for any other file."""
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(_LARGEST + 1)
    except OSError as error:
        raise SourceError(error.strerror or str(error), source=path, remedy=NO_INDEX) from error
    if len(data) > _LARGEST:
        raise SourceError("is larger than any index", source=path, remedy=NO_INDEX)
    if path.endswith(LISTED):
        data = pack_list(data, subject, source=path)
    return Index(Sections(data, source=path), subject)
