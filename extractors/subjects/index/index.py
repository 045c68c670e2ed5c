"""The index of a subject's code: its names, files and docs pages at a stated version and commit."""

from __future__ import annotations

import json
import os
from bisect import bisect_right
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import SourceError
from ..default import default_subject
from .container import NO_INDEX, Sections, parse_lines, parse_pairs
from .listed import LISTED, pack_list
from .messages import Messages
from .paths import FileStatus, Paths, parse_paths
from .symbols import KINDS, OWN_PAGE, Symbol, last_part, module_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..subject import Subject

_LARGEST = 64 << 20  # bytes of a file
_CPP_DOCS = "cppdocs:"
_KIND_NAMES = {letter: kind for kind, letter in KINDS.items()}
_LANGUAGES = {**dict.fromkeys("cfdv", "python"), **dict.fromkeys("nCFM", "c++"), "o": "operator", "e": "environment"}
_DEEPEST = 50  # dots in a name: names in code have fewer


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


class Index:
    """Queries on an index file; each section is decompressed on first use.

    ``subject`` is the owner of the names. ``names``, ``kinds`` and the other columns have an entry for each row: rows
    are sorted by file and line, those without a file first.

    >>> index = read_index()
    >>> index.symbol("torch.func.vmap").name, index.docs_url("torch.vmap")
    ('torch.vmap', 'https://docs.pytorch.org/docs/stable/generated/torch.vmap.html')
    >>> index.source("c10::intrusive_ptr").path
    'c10/util/intrusive_ptr.h'
    """

    def __init__(self, sections: Sections, subject: Subject) -> None:
        self._sections, self.subject = sections, subject
        header = sections.header
        self.version, self.commit, self.repo = str(header["version"]), str(header["commit"]), str(header["repo"])
        self.docs_base, self.cpp_docs_base = str(header["docs"]), str(header["cppdocs"])
        self.tutorials_base = str(header["tutorials"])
        self.projects: dict[str, str] = header.get("projects", {})
        """Other projects with an inventory in this index, to the addresses of their documentation."""

    @cached_property
    def files(self) -> list[str]:
        """The files of the repository, sorted."""
        return self._sections.read("files", parse_paths)

    @cached_property
    def messages(self) -> Messages:
        """The error messages of the code."""
        return Messages(self._sections, self.files)

    @cached_property
    def paths(self) -> Paths:
        """The known files of the repository."""
        return Paths(
            self.files, self._sections.read("older", parse_paths), self.spellings["moved"], version=self.version,
            old_version=str(self._sections.header["older"]), unseen=self.subject.code.unseen,
        )  # fmt: skip

    @cached_property
    def spellings(self) -> dict[str, Any]:
        """The curated spellings of the names: tables with the keys of ``tools/index/data/names.toml``."""
        return self._sections.read("vocabulary", json.loads)

    @cached_property
    def concepts(self) -> tuple[Concept, ...]:
        """The concepts, in the order of the list."""
        found = []
        for entry in self._sections.read("concepts", json.loads):
            values = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
            found.append(Concept(**values))
        return tuple(found)

    @cached_property
    def page_lists(self) -> dict[str, Any]:
        """The lists of pages: tables with the keys of ``tools/index/data/pages.toml``."""
        return self._sections.read("titles", json.loads)

    @property
    def tutorials(self) -> Mapping[str, str]:
        """The tutorials of today: page to title."""
        return self.page_lists["tutorials"]  # type: ignore[no-any-return]

    @cached_property
    def docs(self) -> Mapping[str, str]:
        """Every known page of the docs, to its title (of a generated page, its name)."""
        pages = {page: page for page in self._page_list[2:] if not page.startswith(_CPP_DOCS)}
        pages |= {f"generated/{name}.html": name for name, row in self.rows.items() if ord(self._pages[row]) == 1}
        pages |= {page: name for name, page in self._alias_pages.items()}
        pages |= {page: page for page in self._documented_modules.values()}
        pages |= self.page_lists["docs"]
        gone = set(self.page_lists["docs_gone"])
        return {page: title for page, title in pages.items() if page not in gone}

    @cached_property
    def _starts(self) -> list[int]:
        """The first row of every file, and the number of rows at the end; 0 for the rows without a file."""
        return [0, *accumulate(map(ord, self._sections.text("counts")))]

    @cached_property
    def _rows_by_file(self) -> dict[str, range]:
        pairs = zip(("", *self.files), pairwise(self._starts), strict=True)
        return {path: range(start, end) for path, (start, end) in pairs if start < end}

    @cached_property
    def names(self) -> list[str]:
        """The canonical name of every row, "" for private functions."""
        names = self._sections.text("names").split("\n")
        for path, rows in self._rows_by_file.items():
            if module := module_of(path):
                here = slice(rows.start, rows.stop)
                names[here] = [module + name if name[:1] == "." else name for name in names[here]]
        return names

    @cached_property
    def rows(self) -> dict[str, int]:
        """Name to row."""
        rows = dict(zip(self.names, range(len(self.names)), strict=True))
        rows.pop("", None)
        return rows

    @cached_property
    def _rows_by_last(self) -> dict[str, list[int]]:
        """The last component of a name to the rows ending in it."""
        found: dict[str, list[int]] = {}
        for row, name in enumerate(self.names):
            if last := name.replace(":", ".").rpartition(".")[2]:
                found.setdefault(last, []).append(row)
        return found

    @cached_property
    def kinds(self) -> str:
        """A letter of ``KINDS`` for every row."""
        return self._sections.text("kinds")

    @cached_property
    def _steps(self) -> str:
        """The distance of each row from the row before it in the file, in lines."""
        return self._sections.text("lines")

    @cached_property
    def _pages(self) -> str:
        """The place in ``_page_list`` of each row's page."""
        return self._sections.text("pages")

    @cached_property
    def _page_list(self) -> list[str]:
        return self._sections.read("pagelist", parse_lines)

    @cached_property
    def _anchors(self) -> dict[str, str]:
        return self._sections.read("anchors", parse_pairs)

    @cached_property
    def aliases(self) -> dict[str, str]:
        """Other spellings to canonical names."""
        return self._sections.read("aliases", parse_pairs)

    @cached_property
    def _alias_pages(self) -> dict[str, str]:
        """Other spellings to the pages they have of their own."""
        return self._sections.read("alias_pages", parse_pairs)

    @cached_property
    def _documented_modules(self) -> dict[str, str]:
        return self._sections.read("modules", parse_pairs)

    @cached_property
    def modules(self) -> dict[str, str]:
        """Python module to its path."""
        return {module: path for path in self.files if (module := module_of(path))}

    def find_name(self, name: str) -> str:
        """Return the canonical name for an exact spelling, or the empty string."""
        if name.count(".") > _DEEPEST:
            return ""
        if name in self.rows:
            return name
        if name in self.aliases:  # before the modules: a package may bind a function over its module's name
            return self.aliases[name]
        if name in self.modules:
            return name
        owner, _, last = name.rpartition(".")
        if owner in self.modules:  # a private spelling: the module of the definition
            rows = self._rows_by_file.get(self.modules[owner], ())
            names = (self.names[row] for row in rows if self.kinds[row] != "d")
            return next((full for full in names if full.endswith(f".{last}")), "")
        member = f"{self.find_name(owner)}.{last}" if owner else ""
        return member if member in self.rows else ""

    def symbol(self, name: str) -> Symbol | None:
        """Return the symbol of an exact name in any of its spellings, or ``None``."""
        found = self.find_name(name)
        return self._read_symbol(found) if found else None

    def _read_symbol(self, name: str) -> Symbol:
        """Return the symbol of a canonical name."""
        if name not in self.rows:
            owner, path = name.rpartition(".")[0], self.modules.get(name, "")
            page = self._documented_modules.get(name, "")
            return Symbol(name, "module", "python", owner, path, 1, page, f"module-{name}" if page else "")
        row = self.rows[name]
        letter = self.kinds[row]
        language = _LANGUAGES.get(letter) or ("c++" if "::" in name else "python")
        module = name.rpartition("::")[0] if language == "c++" else ""
        if language == "python":  # the longest prefix that is a module
            module = name.rpartition(".")[0]
            while module and module not in self.modules:
                module = module.rpartition(".")[0]
        number = bisect_right(self._starts, row) - 1
        path, line = "", 0
        if number:
            path, line = self.files[number - 1], sum(map(ord, self._steps[self._starts[number] : row + 1]))
        page = self._page_list[ord(self._pages[row])]
        anchor = self._anchors.get(name, name if page else "")
        current = ""
        if letter == "x":
            anchor, current = "", anchor if anchor != name else ""
        page = f"generated/{name}.html" if page == OWN_PAGE else page
        return Symbol(name, _KIND_NAMES[letter], language, module, path, line, page, anchor, current)

    def ending_in(self, last: str) -> list[tuple[int, str]]:
        """Return (row, name) of the names with the last component ``last``, in the order of rows."""
        return [(row, self.names[row]) for row in self._rows_by_last.get(last, ())]

    def candidates(self, name: str) -> tuple[Symbol, ...]:
        """Return all symbols with a bare or partly qualified name, documented ones first.

        >>> [symbol.name for symbol in read_index().candidates("nn.Module")]
        ['torch.nn.Module']
        """
        names = (full for _, full in self.ending_in(last_part(name)))
        tails = (f".{name}", f"::{name}")
        found = [self._read_symbol(full) for full in names if full == name or full.endswith(tails)]
        found.sort(key=lambda symbol: (not symbol.page, "._" in symbol.name, symbol.name.count("."), symbol.name))
        return tuple(found)

    def in_file(self, path: str) -> list[str]:
        """Return the canonical names defined in a file, in its order."""
        return [name for row in self._rows_by_file.get(path, ()) if (name := self.names[row])]

    def at(self, path: str, line: int = 0) -> Symbol | None:
        """Return the symbol at, or last before, a line of a file, its module for no line, or ``None``."""
        name, here = "", 0
        for row in self._rows_by_file.get(path, ()):
            here += ord(self._steps[row])
            if here > line:
                break
            name = self.names[row]
        module = module_of(path)
        name = name or (module if module in self.modules else "")
        return self._read_symbol(name) if name else None

    def docs_url(self, name: str) -> str:
        """Return the address of a symbol's documentation, or the empty string."""
        if page := self._alias_pages.get(name):
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

    def file_status(self, path: str) -> FileStatus:
        """Return whether a file or folder of the repository is there, moved (and where) or gone."""
        return self.paths.status(path)

    def docs_status(self, page: str) -> PageStatus:
        """Return whether a page of the docs is there (``notes/cuda.html``; the suffix may be missing).

        >>> read_index().docs_status("torch.compiler_faq").status
        'moved'
        """
        page = _add_suffix(page)
        if page in self.docs:
            return PageStatus("ok", page, self.page_url(page))
        if moved := self.page_lists["docs_moves"].get(page):
            return PageStatus("moved", moved, self.page_url(moved))
        symbol = self.symbol(page.removeprefix("generated/").removesuffix(".html"))
        if symbol is not None and symbol.current:
            symbol = self.symbol(symbol.current)
        if symbol is not None and symbol.page and symbol.kind != "removed":
            return PageStatus("moved", symbol.page, self.page_url(symbol.page, symbol.anchor))
        return PageStatus("gone" if page in self.page_lists["docs_gone"] else "unknown")

    def tutorial_status(self, page: str) -> PageStatus:
        """Return whether a tutorial is there (``beginner/dist_overview.html``; the suffix may be missing)."""
        page = _add_suffix(page)
        if page in self.tutorials:
            return PageStatus("ok", page, self.tutorials_base + page)
        target = self.page_lists["tutorials_moves"].get(page)
        if target and not target.startswith("."):
            return PageStatus("moved", target, self.tutorials_base + target)
        return PageStatus("gone" if target or page in self.page_lists["tutorials_past"] else "unknown")

    def foreign(self, name: str) -> tuple[str, str] | None:
        """Return (project, address) of a name of another project (``numpy.ndarray``), or ``None``."""
        for project, base in self.projects.items():
            if (uri := self._inventories[project].get(name)) is not None:
                return project, base + uri
        return None

    @cached_property
    def _inventories(self) -> dict[str, dict[str, str]]:
        return {project: self._sections.read(f"inventory:{project}", parse_pairs) for project in self.projects}


def _add_suffix(page: str) -> str:
    page = page.strip("/")
    return page if page.endswith(".html") else f"{page}.html"


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
