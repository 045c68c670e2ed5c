"""An index from a hand-written list of names, for a subject without a wheel.

A line has tab-separated fields: a name, its kind (see ``table.KINDS``), and optionally the file, the line in the file
and the docs page. A line beginning with ``#`` is a comment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import SourceError
from .container import pack
from .paths import pack_paths
from .table import KINDS, Row, pack_symbols

if TYPE_CHECKING:
    from ..subject import Subject

LISTED = ".tsv"
"""The suffix by which such a list is known."""

_EMPTY_SPELLINGS = b'{"phrases":{},"words":{},"prefixes":{},"dunders":{},"dtypes":{},"moved":{}}'
_EMPTY_PAGES = b'{"docs":{},"docs_moves":{},"docs_gone":[],"tutorials":{},"tutorials_moves":{},"tutorials_past":[]}'


def pack_list(data: bytes, subject: Subject, *, source: str) -> bytes:
    """Return the bytes of the index of a list of names of ``subject``'s code; ``SourceError`` names a bad line."""
    lines = enumerate(data.decode("utf-8", "replace").splitlines(), 1)
    parsed = (_parse(line, number, source) for number, line in lines if line.strip() and not line.startswith("#"))
    rows = {row.name: row for row in parsed}
    files = sorted({row.path for row in rows.values() if row.path})
    header = {"version": "", "older": "", "commit": "main", "repo": subject.repo, "docs": subject.docs, "cppdocs": ""}
    sections = {
        "files": pack_paths(files),
        **pack_symbols(rows, files),
        "vocabulary": _EMPTY_SPELLINGS,
        "titles": _EMPTY_PAGES,
    }
    return pack({**header, "tutorials": subject.tutorials}, sections)


def _parse(line: str, number: int, source: str) -> Row:
    name, kind, path, at, page, *_ = (*map(str.strip, line.split("\t")), *[""] * 4)
    if not name or kind not in KINDS or not (at or "0").isdecimal():
        problem = f"line {number} does not have a name, kind, file, line and page"
        raise SourceError(problem, source=source, remedy=f"put tabs between; a kind is {', '.join(KINDS)}")
    return Row(name, kind, path, int(at or 0), page, name if page else "")
