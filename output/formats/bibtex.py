"""BibTeX entries for the episodes, papers, posts and videos of a graph."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .references import Reference, find_references

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .rows import Rows

# Characters with a meaning in LaTeX.
_SPECIAL = re.compile(r"[\\{}$&#_%~^]")
# Braces count for BibTeX even behind a backslash: a lone one would swallow the rest of the file.
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
# BibTeX counts braces; a URL can always encode them.
_IN_URL = re.compile(r"[\\{}]")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def to_bibtex(rows: Rows) -> Iterator[str]:
    r"""Yield the entries, sorted by id, with keys such as ``yang2021vmap``.

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("episode:a/b", kind="episode", title="Strides & views", date="2024-08-04")
    >>> print("".join(to_bibtex(Rows(graph))), end="")
    @misc{2024strides,
      title = {{Strides \& views}},
      key = {{Strides \& views}},
      howpublished = {Podcast episode},
      year = {2024},
      month = aug,
    }
    """
    separator = ""
    for reference in find_references(rows):
        fields = "".join(f"  {name} = {value},\n" for name, value in _fields(reference))
        yield f"{separator}@misc{{{reference.key},\n{fields}}}\n"
        separator = "\n"


def latex(text: str) -> str:
    r"""Return ``text`` as LaTeX shows it.

    >>> print(latex("50% of {x}"))
    50\% of \textbraceleft{}x\textbraceright{}
    """
    return _SPECIAL.sub(lambda match: _LATEX.get(match[0], f"\\{match[0]}"), text)


def _fields(item: Reference) -> Iterator[tuple[str, str]]:
    """Yield (name, value) of the fields of an entry. The value has its braces."""
    # A second pair of braces keeps capitals, and keeps the name of an organisation in one piece.
    yield "title", f"{{{{{latex(item.title)}}}}}"
    if item.authors:
        yield "author", f"{{{' and '.join(map(latex, item.authors))}}}"
    elif item.author:
        yield "author", f"{{{{{latex(item.author)}}}}}"
    else:  # styles sort and label by one of the two
        yield "key", f"{{{{{latex(item.title)}}}}}"
    if item.kind != "paper":
        medium = "podcast episode" if item.kind == "episode" else item.what
        published = latex(medium[:1].upper() + medium[1:]) + (f", {latex(item.series)}" if item.series else "")
        yield "howpublished", f"{{{published}}}"
    if item.state:
        yield "note", f"{{{latex(item.state.capitalize())}}}"
    if item.number is not None:
        yield "number", f"{{{item.number}}}"
    if item.date:
        yield "year", f"{{{item.date.year}}}"
        yield "month", _MONTHS[item.date.month - 1]
    if item.arxiv:
        yield "eprint", f"{{{latex(item.arxiv)}}}"
        yield "archiveprefix", "{arXiv}"
    if item.doi:
        yield "doi", f"{{{latex(item.doi)}}}"
    if item.url:
        yield "url", f"{{{_IN_URL.sub(lambda match: f'%{ord(match[0]):02X}', item.url)}}}"
