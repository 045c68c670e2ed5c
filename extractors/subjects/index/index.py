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
_MAXIMUM_DOTS = 50  # in a name: names in code have fewer


class Place(NamedTuple):
    """A line of a file, and its permanent link."""

    path: str
    line: int
    url: str


class PageStatus(NamedTuple):
    """The state of a page: ``status`` is ``ok``, ``moved``, ``gone`` or ``unknown``.

    ``page`` is its present path below the docs and ``url`` its address; both are "" if it is gone or unknown.
    """

    status: str
    page: str = ""
    url: str = ""


def _make_section(name: str, parse: Callable[[str], _T]) -> cached_property[_T]:
    """Return a property of ``Index``: the section ``name`` of its file, as ``parse`` reads it on the first use."""
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
    files = _make_section("files", parse_paths)
    older_files = _make_section("older", parse_paths)
    # a letter of ``KINDS`` for every row
    kinds = _make_section("kinds", str)
    # other spellings to canonical names
    aliases = _make_section("aliases", parse_pairs)
    # the curated spellings of the names: tables with the keys of ``tools/index/data/names.toml``
    spellings: cached_property[dict[str, Any]] = _make_section("vocabulary", json.loads)
    # the lists of pages: tables with the keys of ``tools/index/data/pages.toml``
    page_lists: cached_property[dict[str, Any]] = _make_section("titles", json.loads)
    _steps = _make_section("lines", str)  # the distance of each row from the row before it in the file, in lines
    _pages = _make_section("pages", str)  # the place in the list of pages of each row's page
    _page_list = _make_section("pagelist", str.splitlines)
    _anchors = _make_section("anchors", parse_pairs)
    _alias_pages = _make_section("alias_pages", parse_pairs)
    _documented_modules = _make_section("modules", parse_pairs)

    @cached_property
    def concepts(self) -> list[Topic]:
        """The concepts (topics) of the subject, in the order of their list."""
        topics = []
        for entry in self.sections.read("concepts", json.loads):
            lists = {key: tuple(value) for key, value in entry.items() if isinstance(value, list)}
            topics.append(Topic(**{**entry, **lists}, subject=self.subject))
        return topics

    @cached_property
    def messages(self) -> Messages:
        """The error messages in the code."""
        return Messages(self.sections, self.files)

    @cached_property
    def paths(self) -> Paths:
        """The files of the repository, today and in an older version, with their moves."""
        new, old = Tree(self.files, self.version), Tree(self.older_files, self.older_version)
        return Paths(new, old, self.spellings["moved"], self.subject.code.unseen)

    @property
    def tutorials(self) -> dict[str, str]:
        """The tutorials of today: page to title."""
        return self.page_lists["tutorials"]  # type: ignore[no-any-return]

    @cached_property
    def docs(self) -> dict[str, str]:
        """For each known page of the docs, its title; for a page generated for a name, the name."""
        # The first two entries of the list stand for "no page" and "the page of its own".
        pages = {page: page for page in self._page_list[2:] if not page.startswith(_CPP_DOCS)}
        pages |= {f"generated/{name}.html": name for name, row in self.rows.items() if ord(self._pages[row]) == 1}
        pages |= {page: name for name, page in self._alias_pages.items()}
        pages |= {page: page for page in self._documented_modules.values()}
        pages |= self.page_lists["docs"]
        return {page: title for page, title in pages.items() if page not in self.page_lists["docs_gone"]}

    @cached_property
    def _rows_by_file(self) -> dict[str, range]:
        """For each file with names, the rows of its names; "" has those of names without a file."""
        # The section has the number of names in each file, as the code point of a character.
        starts = [0, *accumulate(map(ord, self.sections.read("counts", str)))]
        pairs = zip(("", *self.files), pairwise(starts), strict=True)
        return {path: range(start, end) for path, (start, end) in pairs if start < end}

    @cached_property
    def _paths(self) -> list[str]:
        """For each row, the path of its file; "" without one."""
        return [path for path, rows in self._rows_by_file.items() for _ in rows]

    @cached_property
    def names(self) -> list[str]:
        """For each row, its canonical name; "" for private functions."""
        names = self.sections.read("names", str).split("\n")
        for path, rows in self._rows_by_file.items():
            if module := module_of(path):  # it is left out before a dot: `.vmap`
                rows_of_file = slice(rows.start, rows.stop)
                names[rows_of_file] = [module + name if name[:1] == "." else name for name in names[rows_of_file]]
        return names

    @cached_property
    def rows(self) -> dict[str, int]:
        """For each canonical name, the number of its row."""
        return {name: row for row, name in enumerate(self.names) if name}

    @cached_property
    def _names_as_lines(self) -> str:
        """All canonical names as one text, each between two line breaks."""
        return "\n".join(("", *self.rows, ""))

    @cached_property
    def modules(self) -> dict[str, str]:
        """For each Python module (``torch.nn``), the path of its file."""
        return {module: path for path in self.files if (module := module_of(path))}

    def find_name(self, name: str) -> str:
        """Return the canonical name of code for an exact ``name`` in any of its spellings; "" for an unknown name.

        Spellings are the canonical name, an alias, a module, and a name behind the module that defines it or behind
        another spelling of its owner.

        >>> index = read_index()
        >>> index.find_name("torch.func.vmap"), index.find_name("torch.nothing")
        ('torch.vmap', '')
        """
        if name.count(".") > _MAXIMUM_DOTS:
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
        """Return the symbol with an exact ``name`` in any of its spellings (see ``find_name``), or ``None``."""
        full_name = self.find_name(name)
        return self._read_symbol(full_name) if full_name else None

    def _read_symbol(self, name: str) -> Symbol:
        """Return the symbol with a canonical name: one of ``names`` or ``modules``."""
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
        # Each row has the distance from the row before; their sum is the line.
        line = sum(map(ord, self._steps[self._rows_by_file[path].start : row + 1])) if path else 0
        page = self._page_list[ord(self._pages[row])]
        anchor = self._anchors.get(name, name if page else "")
        current = ""
        if letter == "x":  # a removed name has its present name in the place of the anchor
            anchor, current = "", anchor if anchor != name else ""
        page = f"generated/{name}.html" if page == OWN_PAGE else page
        return Symbol(name, _KIND_NAMES[letter], language, module, path, line, page, anchor, current)

    def find_by_last_part(self, last: str) -> list[tuple[int, str]]:
        """Return (row, canonical name) of the names whose last part is ``last``, in the order of rows; none for "".

        The last part of ``torch.nn.Module`` is ``Module``. The search is in one text, because a question asks for few
        parts, and a dictionary of all would take longer.
        """
        lines, end = self._names_as_lines, f"{last}\n"
        rows = []
        place = lines.find(end)
        while last and place >= 0:
            if lines[place - 1] in ".:\n":  # the character before a last part
                name = lines[lines.rfind("\n", 0, place) + 1 : place + len(last)]
                rows.append((self.rows[name], name))
            place = lines.find(end, place + 1)
        return rows

    def list_candidates(self, name: str) -> list[Symbol]:
        """Return all symbols with a bare or partly qualified name, the likeliest first.

        Documented symbols come first, then public ones, then those with fewer dots.

        >>> [symbol.name for symbol in read_index().list_candidates("nn.Module")]
        ['torch.nn.Module']
        """
        full_names = (full_name for _, full_name in self.find_by_last_part(last_part(name)))
        tails = (f".{name}", f"::{name}")
        symbols = [self._read_symbol(full) for full in full_names if full == name or full.endswith(tails)]
        symbols.sort(key=lambda symbol: (not symbol.page, "._" in symbol.name, symbol.name.count("."), symbol.name))
        return symbols

    def list_names(self, path: str) -> list[str]:
        """Return the canonical names defined in a file, in its order; none for an unknown file."""
        return [name for row in self._rows_by_file.get(path, ()) if (name := self.names[row])]

    def find_symbol_at(self, path: str, line: int = 0) -> Symbol | None:
        """Return the symbol that is defined at a line of a file, or last before the line.

        Without one, or without a line (0), it is the file's Python module; ``None`` if the file is not one.
        """
        name, line_of_row = "", 0
        for row in self._rows_by_file.get(path, ()):
            line_of_row += ord(self._steps[row])
            if line_of_row > line:
                break
            name = self.names[row]
        full_name = name or module_of(path)
        return self._read_symbol(full_name) if name or full_name in self.modules else None

    def docs_url(self, name: str) -> str:
        """Return the address of the documentation of a ``name`` in any of its spellings; "" if it has none."""
        if page := self._alias_pages.get(name):
            return self.page_url(page, name)
        symbol = self.symbol(name)
        return self.page_url(symbol.page, symbol.anchor) if symbol and symbol.kind != "removed" else ""

    def page_url(self, page: str, anchor: str = "") -> str:
        """Return the address of a page of the docs, "" for no page.

        The anchor is added unless the page is about that name alone.

        Args:
            page: a path below the docs, ``cppdocs:`` and a path below those of C++, or ""
            anchor: the name of an object on the page; "": the whole page
        """
        if not page:
            return ""
        if page.startswith(_CPP_DOCS):
            return self.cpp_docs_base + page.removeprefix(_CPP_DOCS)
        is_own_page = page.removesuffix(".html").rpartition("/")[2].removesuffix("_class") == anchor
        return f"{self.docs_base}{page}" + (f"#{anchor}" if anchor and not is_own_page else "")

    def source(self, name: str) -> Place | None:
        """Return the place where the symbol called ``name`` is defined; ``None`` if it is unknown."""
        symbol = self.symbol(name)
        if symbol is None or not symbol.path:
            return None
        return Place(symbol.path, symbol.line, self.permalink(symbol.path, symbol.line))

    def permalink(self, path: str, line: int = 0) -> str:
        """Return the address at GitHub of a file, or of a line of it (0: the whole file), at the index's commit."""
        tail = f"#L{line}" if line else ""
        return f"https://github.com/{self.repo}/blob/{self.commit}/{path}{tail}"

    def file_status(self, path: str) -> FileStatus:
        """Return the state of a file or folder of the repository: there, moved (and where), gone, or unknown."""
        return self.paths.find_status(path)

    def page_title(self, page: str) -> str:
        """Return the title of a page of the docs; of a page generated for a name of code, the name.

        >>> read_index().page_title("generated/torch.add.html")
        'torch.add'
        """
        return str(self.page_lists["docs"].get(page, page.removeprefix("generated/").removesuffix(".html")))

    def docs_status(self, page: str) -> PageStatus:
        """Return the state of a page of the docs: there, moved (and where), gone, or unknown.

        ``page`` is a path below the docs (``notes/cuda.html``); the suffix may be missing. A page generated for a name
        moves with the name.

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
        """Return the state of a tutorial: there, moved (and where), gone, or unknown.

        ``page`` is a path below the tutorials (``beginner/dist_overview``), with or without ``.html``. A tutorial that
        moved to an address outside of the tutorials is gone.
        """
        page = page.strip("/").removesuffix(".html") + ".html"
        target = page if page in self.tutorials else self.page_lists["tutorials_moves"].get(page, "")
        if target and not target.startswith("."):  # ../ leads outside of the tutorials
            return PageStatus("ok" if target == page else "moved", target, self.tutorials_base + target)
        return PageStatus("gone" if target or page in self.page_lists["tutorials_past"] else "unknown")


def subject_index(subject: Subject) -> Index | None:
    """Return the index of a subject's code, ``None`` if it has none; the file is read once in a process."""
    return _read_file(subject.file(subject.names), subject) if subject.names else None


def read_index(path: Path | None = None) -> Index:
    """Return the index of code in the file at ``path``; ``None``: that of the default subject.

    Its names are those of the default subject, whatever file they are in. A file is read once in a process. Raises
    ``SourceError`` if it cannot be read or is not an index.
    """
    subject = default_subject()
    return _read_file(os.fspath(path or subject.file(subject.names)), subject)


@lru_cache(maxsize=8)
def _read_file(path: str, subject: Subject) -> Index:
    """Return the index in a file: an index file, or a hand-written list of names (``.tsv``).

    ``subject`` is the owner of the names. Raises ``SourceError`` for a file that cannot be read, or is neither.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise SourceError(error.strerror or str(error), source=path, remedy=NO_INDEX) from error
    if path.endswith(LISTED):
        data = pack_list(data, subject, source=path)
    return Index(Sections(data, source=path), subject)
