"""Symbols of code: their names and facts, and how the index packs them, in columns sorted by file and line.

Python names are stored without the module, because the file implies it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

KINDS = {
    "class": "c", "function": "f", "method": "d", "variable": "v", "namespace": "n", "c++ class": "C",
    "c++ function": "F", "macro": "M", "operator": "o", "environment": "e", "removed": "x",
}  # fmt: skip
OWN_PAGE = "*"
# the parts of a name: `DispatchKeySet`, `HTTPServer`, `min_cut`, `bf16`
_PART = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")


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
    """Return the dotted name of the Python module in a file, by the file's path in the repository; "" for other files.

    >>> module_of("torch/nn/__init__.py"), module_of("c10/core/Device.h")
    ('torch.nn', '')
    """
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") if path.endswith(".py") else ""


def last_part(name: str) -> str:
    """Return the last part of a name of code, behind its last dot or ``::``.

    >>> last_part("c10::intrusive_ptr"), last_part("torch.vmap"), last_part("TORCH_TRACE")
    ('intrusive_ptr', 'vmap', 'TORCH_TRACE')
    """
    return name.rpartition(".")[2].rpartition("::")[2]


def name_parts(name: str) -> list[str]:
    """Return the words that a name of code is made of, in lower case, in order.

    >>> name_parts("c10::DispatchKeySet"), name_parts("TORCH_TRACE"), name_parts("min_cut2")
    (['c10', 'dispatch', 'key', 'set'], ['torch', 'trace'], ['min', 'cut2'])
    """
    return [part.lower() for part in _PART.findall(name)]


def pack_symbols(rows: Iterable[Row], files: Sequence[str], *, public: str = "") -> dict[str, str]:
    """Return the sections of an index with names of code: columns of texts, sorted by file and line.

    Numbers in a column are characters with this code point. Private functions are stored without their names.

    Args:
        rows: the names
        files: the paths of all files of the index, sorted
        public: the file whose private functions keep their names; else a line in one would belong to the function
            before it
    """
    by_file: dict[str, list[Row]] = {path: [] for path in ("", *files)}  # "" has the rows without a file
    for row in rows:
        by_file[row.path].append(row)
    pages = {"": 0, OWN_PAGE: 1}  # page -> its number in the list of pages
    names, anchors = [], []
    columns: dict[str, list[str]] = {"counts": [chr(len(rows_of_file)) for rows_of_file in by_file.values()]}
    columns |= {"kinds": [], "lines": [], "pages": []}
    for path, rows_of_file in by_file.items():
        line = 0
        module = f"{module_of(path)}."
        for row in sorted(rows_of_file, key=lambda row: (row.line, row.name)):
            is_private = row.kind == "function" and last_part(row.name)[0] == "_" and not row.page and path != public
            # Without its module, but with the dot, which shows that the module is left out: `.vmap`.
            short_name = row.name[len(module) - 1 :] if len(module) > 1 and row.name.startswith(module) else row.name
            page = OWN_PAGE if row.page == f"generated/{row.name}.html" else row.page
            names.append("" if is_private else short_name)
            columns["kinds"].append("-" if is_private else KINDS[row.kind])
            columns["lines"].append(chr(row.line - line))  # the distance from the name before
            columns["pages"].append(chr(pages.setdefault(page, len(pages))))
            line = row.line
            if (row.page or row.anchor) and row.anchor != row.name:
                anchors.append(f"{row.name} {row.anchor}")
    texts = {name: "".join(column) for name, column in columns.items()}
    return {**texts, "names": "\n".join(names), "pagelist": "\n".join(pages), "anchors": "\n".join(anchors)}
