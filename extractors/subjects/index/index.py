"""The index of a subject's code: its names, files and docs pages at a stated version and commit."""

from __future__ import annotations

import json
import os
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ...errors import SourceError
from ..default import default_subject
from ..subject import Topic
from .container import NO_INDEX, Sections, parse_pairs
from .listed import LISTED, pack_list
from .messages import Messages
from .paths import FileStatus, Paths, Tree, parse_paths
from .symbols import KINDS, OWN_PAGE, Symbol, last_part, module_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..subject import Subject

_T = TypeVar("_T")
_CPP_DOCS = "cppdocs:"
_KIND_NAMES = {letter: kind for kind, letter in KINDS.items()}
_LANGUAGES = {**dict.fromkeys("cfdv", "python"), **dict.fromkeys("nCFM", "c++"), "o": "operator", "e": "environment"}
_DEEPEST = 50  # dots in a name: names in code have fewer


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


def _section(name: str, parse: Callable[[str], _T]) -> cached_property[_T]:
    return cached_property(lambda index: index.sections.read(name, parse))


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
        self.sections, self.subject = sections, subject
        texts = {name: str(value) for name, value in sections.header.items()}
        self.version, self.older_version = texts["version"], texts["older"]
        self.commit, self.repo = texts["commit"], texts["repo"]
        self.docs_base, self.cpp_docs_base, self.tutorials_base = texts["docs"], texts["cppdocs"], texts["tutorials"]

    # the files of the repository, sorted
    files = _section("files", parse_paths)
    older_files = _section("older", parse_paths)
    # a letter of ``KINDS`` for every row
    kinds = _section("kinds", str)
    # other spellings to canonical names
    aliases = _section("aliases", parse_pairs)
    # the curated spellings of the names: tables with the keys of ``tools/index/data/names.toml``
    spellings: cached_property[dict[str, Any]] = _section("vocabulary", json.loads)
    # the lists of pages: tables with the keys of ``tools/index/data/pages.toml``
    page_lists: cached_property[dict[str, Any]] = _section("titles", json.loads)
    _steps = _section("lines", str)  # the distance of each row from the row before it in the file, in lines
    _pages = _section("pages", str)  # the place in the list of pages of each row's page
    _page_list = _section("pagelist", str.splitlines)
    _anchors = _section("anchors", parse_pairs)
    _alias_pages = _section("alias_pages", parse_pairs)
    _documented_modules = _section("modules", parse_pairs)

    @cached_property
    def concepts(self) -> list[Topic]:
        """The concepts, in the order of the list."""
        topics = []
        for entry in self.sections.read("concepts", json.loads):
            lists = {key: tuple(value) for key, value in entry.items() if isinstance(value, list)}
            topics.append(Topic(**{**entry, **lists}, subject=self.subject))
        return topics

    @cached_property
    def messages(self) -> Messages:
        """The error messages of the code."""
        return Messages(self.sections, self.files)

    @cached_property
    def paths(self) -> Paths:
        """The known files of the repository."""
        new, old = Tree(self.files, self.version), Tree(self.older_files, self.older_version)
        return Paths(new, old, self.spellings["moved"], self.subject.code.unseen)

    @property
    def tutorials(self) -> dict[str, str]:
        """The tutorials of today: page to title."""
        return self.page_lists["tutorials"]  # type: ignore[no-any-return]

    @cached_property
    def docs(self) -> dict[str, str]:
        """Every known page of the docs, to its title (of a generated page, its name)."""
        pages = {page: page for page in self._page_list[2:] if not page.startswith(_CPP_DOCS)}
        pages |= {f"generated/{name}.html": name for name, row in self.rows.items() if ord(self._pages[row]) == 1}
        pages |= {page: name for name, page in self._alias_pages.items()}
        pages |= {page: page for page in self._documented_modules.values()}
        pages |= self.page_lists["docs"]
        return {page: title for page, title in pages.items() if page not in self.page_lists["docs_gone"]}

    @cached_property
    def _rows_by_file(self) -> dict[str, range]:
        """The rows of each file that has any; "" has those without a file."""
        starts = [0, *accumulate(map(ord, self.sections.read("counts", str)))]
        pairs = zip(("", *self.files), pairwise(starts), strict=True)
        return {path: range(start, end) for path, (start, end) in pairs if start < end}

    @cached_property
    def _paths(self) -> list[str]:
        """The file of every row, "" for none."""
        return [path for path, rows in self._rows_by_file.items() for _ in rows]

    @cached_property
    def names(self) -> list[str]:
        """The canonical name of every row, "" for private functions."""
        names = self.sections.read("names", str).split("\n")
        for path, rows in self._rows_by_file.items():
            if module := module_of(path):
                here = slice(rows.start, rows.stop)
                names[here] = [module + name if name[:1] == "." else name for name in names[here]]
        return names

    @cached_property
    def rows(self) -> dict[str, int]:
        """Name to row."""
        return {name: row for row, name in enumerate(self.names) if name}

    @cached_property
    def _names_as_lines(self) -> str:
        """All names, each between line breaks."""
        return "\n".join(("", *self.rows, ""))

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
        full_name = self.find_name(name)
        return self._read_symbol(full_name) if full_name else None

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
        path = self._paths[row]
        line = sum(map(ord, self._steps[self._rows_by_file[path].start : row + 1])) if path else 0
        page = self._page_list[ord(self._pages[row])]
        anchor = self._anchors.get(name, name if page else "")
        current = ""
        if letter == "x":
            anchor, current = "", anchor if anchor != name else ""
        page = f"generated/{name}.html" if page == OWN_PAGE else page
        return Symbol(name, _KIND_NAMES[letter], language, module, path, line, page, anchor, current)

    def ending_in(self, last: str) -> list[tuple[int, str]]:
        """Return (row, name) of the names with the last component ``last``, in the order of rows.

        A search in one text, because a question asks for a few components only: a dictionary of all takes longer.
        """
        lines, end = self._names_as_lines, f"{last}\n"
        rows = []
        place = lines.find(end)
        while last and place >= 0:
            if lines[place - 1] in ".:\n":
                name = lines[lines.rfind("\n", 0, place) + 1 : place + len(last)]
                rows.append((self.rows[name], name))
            place = lines.find(end, place + 1)
        return rows

    def candidates(self, name: str) -> list[Symbol]:
        """Return all symbols with a bare or partly qualified name, documented ones first.

        >>> [symbol.name for symbol in read_index().candidates("nn.Module")]
        ['torch.nn.Module']
        """
        names = (full for _, full in self.ending_in(last_part(name)))
        tails = (f".{name}", f"::{name}")
        symbols = [self._read_symbol(full) for full in names if full == name or full.endswith(tails)]
        symbols.sort(key=lambda symbol: (not symbol.page, "._" in symbol.name, symbol.name.count("."), symbol.name))
        return symbols

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
        full_name = name or module_of(path)
        return self._read_symbol(full_name) if name or full_name in self.modules else None

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

    def page_title(self, page: str) -> str:
        """Return the title of a page of the docs; the name on a generated page (``generated/torch.add.html``)."""
        return str(self.page_lists["docs"].get(page, page.removeprefix("generated/").removesuffix(".html")))

    def docs_status(self, page: str) -> PageStatus:
        """Return whether a page of the docs is there (``notes/cuda.html``; the suffix may be missing).

        >>> read_index().docs_status("torch.compiler_faq").status
        'moved'
        """
        page = page.strip("/").removesuffix(".html") + ".html"
        if page in self.docs:
            return PageStatus("ok", page, self.page_url(page))
        if target := self.page_lists["docs_moves"].get(page):
            return PageStatus("moved", target, self.page_url(target))
        symbol = self.symbol(page.removeprefix("generated/").removesuffix(".html"))
        if symbol is not None and symbol.current:
            symbol = self.symbol(symbol.current)
        if symbol is not None and symbol.page and symbol.kind != "removed":
            return PageStatus("moved", symbol.page, self.page_url(symbol.page, symbol.anchor))
        return PageStatus("gone" if page in self.page_lists["docs_gone"] else "unknown")

    def tutorial_status(self, page: str) -> PageStatus:
        """Return the status of a tutorial's page (``beginner/dist_overview``, with or without ``.html``).

        A page that moved to an address outside of the tutorials, which begins with a dot, is gone.
        """
        page = page.strip("/").removesuffix(".html") + ".html"
        target = page if page in self.tutorials else self.page_lists["tutorials_moves"].get(page, "")
        if target and not target.startswith("."):
            return PageStatus("ok" if target == page else "moved", target, self.tutorials_base + target)
        return PageStatus("gone" if target or page in self.page_lists["tutorials_past"] else "unknown")


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
        data = Path(path).read_bytes()
    except OSError as error:
        raise SourceError(error.strerror or str(error), source=path, remedy=NO_INDEX) from error
    if path.endswith(LISTED):
        data = pack_list(data, subject, source=path)
    return Index(Sections(data, source=path), subject)
