"""A pair of CSV files, for pandas, DuckDB, spreadsheets and Gephi's table import.

UTF-8, CRLF and quotes as in RFC 4180. Texts are always quoted, numbers never. An absent value is an empty cell;
``""`` is an empty text. The contract's columns come first, always in the same order; further columns
follow. A text with the look of a spreadsheet's formula gets an apostrophe in front
(https://owasp.org/www-community/attacks/CSV_Injection).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..terminal import without_formula
from .rows import cell_text
from .shared.days import day_of, moment_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .rows import Column, Rows

_NODES = (
    "id label kind url title date datetime duration number season podcast guid audio_url area aliases repo "
    "path language module state author current_url status community rank x y derived uncertain "
    "truncated_links summary"
).split()
_EDGES = "id source target type relation weight reasons evidence".split()


def to_csv(rows: Rows) -> tuple[Iterator[str], Iterator[str]]:
    r"""Return the lines of the nodes, and those of the edges.

    ``date`` is the day as the feed has it, ``datetime`` the moment in UTC if there is a time. Lists and
    evidence are JSON. Edges have the columns Gephi expects (``source``, ``target``, ``type``).

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> _ = graph.add_edge("a", "b", "about", weight=2, note="=1+1")
    >>> [*to_csv(Rows(graph))[1]][1]
    '"e0","a","b","Directed","about",2,,,"\'=1+1"\r\n'
    """
    return _node_lines(rows), _edge_lines(rows)


def _node_lines(rows: Rows) -> Iterator[str]:
    """Yield the header and a line for each node. A date becomes a day and a moment in UTC, in two columns."""
    columns = rows.node_columns()
    header, places = _arrange(_NODES, columns)
    yield _line(header)
    day_place, moment_place = header.index("date"), header.index("datetime")
    for node, row in rows.flat_nodes(columns):
        cells = [None if place is None else row[place] for place in places]
        cells[0] = node
        date = cells[day_place]
        if day := day_of(date):
            moment = moment_of(date)
            cells[day_place] = day.isoformat()
            cells[moment_place] = moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None
        yield _line(cells)


def _edge_lines(rows: Rows) -> Iterator[str]:
    columns = rows.edge_columns()
    header, places = _arrange(_EDGES, columns)
    yield _line(header)
    for number, (source, target, relation, row) in enumerate(rows.flat_edges(columns)):
        cells = [None if place is None else row[place] for place in places]
        cells[:5] = f"e{number}", source, target, "Directed", relation
        yield _line(cells)


def _arrange(fixed: list[str], columns: list[Column]) -> tuple[list[str], list[int | None]]:
    """Return the header, and for each of its names the place of the column in a row."""
    names = [column.name for column in columns]
    header = fixed + [name for name in names if name not in fixed]
    return header, [names.index(name) if name in names else None for name in header]


def _line(cells: Iterable[object]) -> str:
    return ",".join(map(_cell, cells)) + "\r\n"


def _cell(value: object) -> str:
    """Return a value as a cell: texts quoted and never a formula, numbers bare, nothing for ``None``."""
    if value is None:
        return ""
    if isinstance(value, str):
        text = without_formula(value)
        return '"' + text.replace('"', '""') + '"'
    return cell_text(value)
