"""An index from a hand-written list of names, for a subject without a wheel.

A line has tab-separated fields: a name, its kind (see ``symbols.KINDS``), and optionally the file, the line in the
file and the docs page. A line beginning with ``#`` is a comment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import SourceError
from .container import pack
from .paths import pack_paths
from .symbols import KINDS, Row, pack_symbols

if TYPE_CHECKING:
    from ..subject import Subject

LISTED = ".tsv"  # the suffix of such a list

_NO_SPELLINGS = '{"phrases":{},"words":{},"prefixes":{},"dunders":{},"dtypes":{},"moved":{}}'
_NO_PAGES = '{"docs":{},"docs_moves":{},"docs_gone":[],"tutorials":{},"tutorials_moves":{},"tutorials_past":[]}'


def pack_list(data: bytes, subject: Subject, *, source: str) -> bytes:
    """Return the bytes of an index file, made from a hand-written list of names of code.

    Args:
        data: the list: lines with a name, kind, file, line and docs page, with tabs between; see the module
        subject: the subject whose code it is
        source: the name of the list in errors

    Raises:
        SourceError: a line is invalid; the error has its number
    """
    rows = {}
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            # The last columns may be missing: empty texts take their place.
            name, kind, path, at, page, *_ = (*map(str.strip, line.split("\t")), *[""] * 4)
            if not name or kind not in KINDS or not (at or "0").isdecimal():
                problem = f"line {number} does not have a name, kind, file, line and page"
                raise SourceError(problem, source=source, remedy=f"put tabs between; a kind is {', '.join(KINDS)}")
            rows[name] = Row(name, kind, path, int(at or 0), page, name if page else "")
    files = sorted({row.path for row in rows.values() if row.path})
    header = {"version": "", "older": "", "commit": "main", "repo": subject.repo, "cppdocs": ""}
    header |= {"docs": subject.docs, "tutorials": subject.tutorials}
    sections = {"files": pack_paths(files), "vocabulary": _NO_SPELLINGS, "titles": _NO_PAGES, "concepts": "[]"}
    return pack(header, sections | pack_symbols(rows.values(), files))
