"""The table of symbols of an index: name, kind, file, line and page, in columns, loaded in milliseconds.

Rows are sorted by (file, line). Python names are stored without the module, because the file implies it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from ...errors import SourceError
from .container import numbers_to_bytes

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from .container import Sections

KINDS = {
    "class": "c",
    "function": "f",
    "method": "d",
    "variable": "v",
    "namespace": "n",
    "c++ class": "C",
    "c++ function": "F",
    "macro": "M",
    "operator": "o",
    "environment": "e",
    "removed": "x",
}
_KIND_NAMES = {letter: kind for kind, letter in KINDS.items()}
_PRIVATE = "-"  # a private function: kept, or a line in it would be taken for the function before
_OWN_PAGE = "*"
_LANGUAGES = {"c": "python", "f": "python", "d": "python", "v": "python", "m": "python"}
_DEEPEST = 50  # dots in a name: names in code have fewer
# the parts of a name: `DispatchKeySet`, `HTTPServer`, `min_cut`, `bf16`
_PART = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")
_LANGUAGES |= {"n": "c++", "C": "c++", "F": "c++", "M": "c++", "o": "operator", "e": "environment"}


class Row(NamedTuple):
    """A name: its kind (see ``KINDS``), where it is defined, the page and anchor of its documentation.

    For a ``removed`` name, ``page`` is its last one and ``anchor`` its present name.
    """

    name: str
    kind: str
    path: str = ""
    line: int = 0
    page: str = ""
    anchor: str = ""


class Symbol(NamedTuple):
    """A symbol: its canonical name and its facts.

    ``kind`` is a key of ``KINDS`` or ``module``; ``language`` is ``python``, ``c++``, ``operator`` or
    ``environment``; ``module`` the Python module or C++ namespace (empty for macros and environment variables).
    ``path`` and ``line`` locate the definition at the index's commit. ``page`` is relative to the docs.
    ``current`` is the present name of a ``removed`` symbol.
    """

    name: str
    kind: str
    language: str
    module: str = ""
    path: str = ""
    line: int = 0
    page: str = ""
    anchor: str = ""
    current: str = ""


def module_of(path: str) -> str:
    """Return the dotted name of the Python module at a repository path, or the empty string.

    >>> module_of("torch/nn/__init__.py"), module_of("c10/core/Device.h")
    ('torch.nn', '')
    """
    if not path.endswith(".py"):
        return ""
    return path[:-3].removesuffix("/__init__").replace("/", ".")


def last_part(name: str) -> str:
    """Return the last component of a dotted or ``::`` name.

    >>> last_part("c10::intrusive_ptr"), last_part("torch.vmap"), last_part("TORCH_TRACE")
    ('intrusive_ptr', 'vmap', 'TORCH_TRACE')
    """
    return name.rpartition(".")[2].rpartition("::")[2]


def name_parts(name: str) -> list[str]:
    """Return the words of a name of code, in small letters.

    >>> name_parts("c10::DispatchKeySet"), name_parts("TORCH_TRACE"), name_parts("min_cut2")
    (['c10', 'dispatch', 'key', 'set'], ['torch', 'trace'], ['min', 'cut2'])
    """
    return [part.lower() for part in _PART.findall(name)]


def pack_symbols(rows: Mapping[str, Row], files: Sequence[str], *, public: str = "") -> dict[str, bytes]:
    """Return the sections for ``rows``; ``files`` are all paths of the index, sorted.

    Private functions are kept without their names, except those in the file ``public``.
    """
    number = {path: place for place, path in enumerate(("", *files))}
    ordered = sorted(rows.values(), key=lambda row: (number[row.path], row.line, row.name))
    counts = Counter(row.path for row in ordered)
    names = ["" if _is_nameless(row, public) else _stored(row) for row in ordered]
    kinds = [KINDS[row.kind] if name else _PRIVATE for row, name in zip(ordered, names, strict=True)]
    pages = [_OWN_PAGE if row.page == f"generated/{row.name}.html" else row.page for row in ordered]
    numbers = {page: place for place, page in enumerate(dict.fromkeys(("", _OWN_PAGE, *pages)))}
    anchors = (f"{row.name} {row.anchor}" for row in ordered if (row.page or row.anchor) and row.anchor != row.name)
    columns = {
        "counts": (counts[path] for path in number),
        "lines": _steps(ordered),
        "pages": (numbers[page] for page in pages),
    }
    try:
        packed = {name: numbers_to_bytes(column) for name, column in columns.items()}
    except OverflowError as error:
        problem = "an index has no room for more than 65,535 names in a file, lines between two of them, or pages"
        raise SourceError(problem, remedy="leave that file out") from error
    return {
        "counts": packed["counts"],
        "names": "\n".join(names).encode(),
        "kinds": "".join(kinds).encode(),
        "lines": packed["lines"],
        "pages": packed["pages"],
        "pagelist": "\n".join(numbers).encode(),
        "anchors": "\n".join(anchors).encode(),
    }


def _steps(rows: Iterable[Row]) -> Iterator[int]:
    """Yield the distance in lines of each row from the previous row of its file."""
    path, line = "", 0
    for row in rows:
        yield row.line - (line if row.path == path else 0)
        path, line = row.path, row.line


def _is_nameless(row: Row, public: str) -> bool:
    return row.kind == "function" and last_part(row.name)[0] == "_" and not row.page and row.path != public


def _stored(row: Row) -> str:
    """Return a row's name without the module of its file."""
    module = module_of(row.path)
    return row.name[len(module) :] if module and row.name.startswith(f"{module}.") else row.name


class SymbolTable:
    """Lookups over the packed rows; ``files`` are all paths of the index, sorted."""

    def __init__(self, sections: Sections, files: Sequence[str]) -> None:
        self._sections = sections
        self._files = files

    def row(self, name: str) -> int | None:
        """Return the row of a canonical name, or ``None``."""
        return self.rows.get(name)

    def ending_in(self, last: str) -> list[tuple[int, str]]:
        """Return (row, name) of the names with the last component ``last``, in the order of rows."""
        return [(row, self.names[row]) for row in self.by_last.get(last, ())]

    def module_path(self, name: str) -> str:
        """Return the path of a Python module, or the empty string."""
        return self.modules.get(name, "")

    @cached_property
    def starts(self) -> list[int]:
        """The first row of every file, the rows without a file first, and the number of rows at the end."""
        return [0, *accumulate(self._sections.numbers("counts"))]

    @cached_property
    def names(self) -> list[str]:
        """The canonical name of every row."""
        names = self._sections.text("names").split("\n")
        starts = self.starts
        for number, path in enumerate(self._files, 1):
            first, end = starts[number], starts[number + 1]
            if first < end and path.endswith(".py"):
                module = module_of(path)
                names[first:end] = [module + name if name[:1] == "." else name for name in names[first:end]]
        return names

    @cached_property
    def rows(self) -> dict[str, int]:
        """Name to row."""
        rows = dict(zip(self.names, range(len(self.names)), strict=True))
        rows.pop("", None)
        return rows

    @cached_property
    def by_last(self) -> dict[str, list[int]]:
        """The last component of a name to the rows ending in it."""
        found: dict[str, list[int]] = {}
        for row, name in enumerate(self.names):
            if last := name.replace(":", ".").rpartition(".")[2]:
                found.setdefault(last, []).append(row)
        return found

    @cached_property
    def kinds(self) -> str:
        """One letter for every row."""
        return self._sections.text("kinds")

    @cached_property
    def _told_aliases(self) -> list[list[str]]:
        """Spelling, canonical name and the spelling's own page, if any."""
        return [line.split(" ") for line in self._sections.lines("aliases")]

    @cached_property
    def aliases(self) -> dict[str, str]:
        """Other spellings to canonical names."""
        return {entry[0]: entry[1] for entry in self._told_aliases}

    @cached_property
    def alias_pages(self) -> dict[str, str]:
        """Other spellings to the pages they have of their own."""
        return {
            alias: f"generated/{alias}.html" if page == _OWN_PAGE else page
            for alias, _, page in (entry for entry in self._told_aliases if len(entry) > 2)
        }

    @cached_property
    def documented_modules(self) -> dict[str, str]:
        """Module to its page."""
        return to_pairs(self._sections.lines("modules"))

    @cached_property
    def modules(self) -> dict[str, str]:
        """Python module to its path."""
        return {module: path for path in self._files if (module := module_of(path))}

    @cached_property
    def _deltas(self) -> array[int]:
        return self._sections.numbers("lines")

    @cached_property
    def _pages(self) -> array[int]:
        return self._sections.numbers("pages")

    @cached_property
    def pagelist(self) -> list[str]:
        """The pages named in rows."""
        return self._sections.lines("pagelist")

    @cached_property
    def _anchors(self) -> dict[str, str]:
        return to_pairs(self._sections.lines("anchors"))

    def owns_page(self, row: int) -> bool:
        """Return whether a row has a page of its own name."""
        return self._pages[row] == 1

    def find(self, name: str) -> str:
        """Return the canonical name for an exact spelling, or the empty string."""
        if name.count(".") > _DEEPEST:
            return ""
        if self.row(name) is not None:
            return name
        known = self.aliases.get(name)  # before the modules: a package may bind a function over its module's name
        if known is not None:
            return known
        if self.module_path(name):
            return name
        owner, _, last = name.rpartition(".")
        if path := self.module_path(owner):
            return self._private(path, last)
        short = self.find(owner) if owner else ""
        return f"{short}.{last}" if short and self.row(f"{short}.{last}") is not None else ""

    def _private(self, path: str, last: str) -> str:
        """Return the public name of the definition ``last`` in the module at ``path``, or the empty string."""
        names = ((row, self.names[row]) for row in self._rows_of(path))
        return next((name for row, name in names if self.kinds[row] != "d" and name.endswith(f".{last}")), "")

    def get(self, name: str) -> Symbol:
        """Return the symbol of a canonical name."""
        row = self.row(name)
        if row is None:
            page = self.documented_modules.get(name, "")
            module = name.rpartition(".")[0]
            anchor = f"module-{name}" if page else ""
            return Symbol(name, "module", "python", module, self.module_path(name), 1, page, anchor)
        letter = self.kinds[row]
        file = bisect_right(self.starts, row) - 1
        page = self.pagelist[self._pages[row]]
        anchor = self._anchors.get(name, name if page else "")
        language = _LANGUAGES.get(letter) or ("c++" if "::" in name else "python")
        removed = letter == "x"
        return Symbol(
            name,
            _KIND_NAMES[letter],
            language,
            self._module(name, language),
            self._files[file - 1] if file else "",
            sum(self._deltas[self.starts[file] : row + 1]) if file else 0,
            f"generated/{name}.html" if page == _OWN_PAGE else page,
            "" if removed else anchor,
            anchor if removed and anchor != name else "",
        )

    def at(self, path: str, line: int) -> str:
        """Return the canonical name of the definition at, or last before, a line of a file."""
        found, here = "", 0
        for row in self._rows_of(path):
            here += self._deltas[row]
            if here > line:
                break
            found = self.names[row]
        return found

    def in_file(self, path: str) -> list[str]:
        """Return the canonical names defined in a file, in its order."""
        return [name for row in self._rows_of(path) if (name := self.names[row])]

    def _rows_of(self, path: str) -> Iterable[int]:
        """Return the rows of the symbols that are defined in a file."""
        number = bisect_right(self._files, path)
        if not number or self._files[number - 1] != path:
            return ()
        return range(self.starts[number], self.starts[number + 1])

    def _module(self, name: str, language: str) -> str:
        """Return the module or namespace of a symbol: for Python the longest prefix of its name that is a module."""
        if language == "c++":
            return name.rpartition("::")[0]
        if language != "python":
            return ""
        module = name.rpartition(".")[0]
        while module and not self.module_path(module):
            module = module.rpartition(".")[0]
        return module


def to_pairs(lines: Iterable[str]) -> dict[str, str]:
    """Return lines of two words as a mapping.

    >>> to_pairs(["a b c"])
    {'a': 'b c'}
    """
    return {left: right for left, _, right in (line.partition(" ") for line in lines)}
