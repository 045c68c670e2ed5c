"""A pair of CSV files, for pandas, DuckDB, spreadsheets and Gephi's table import.

UTF-8, CRLF and quotes as in RFC 4180. Texts are always quoted, numbers never. An absent value is an empty cell;
``""`` is an empty text. The contract's columns come first, always in the same order; further columns
follow. A text with the look of a spreadsheet's formula gets an apostrophe in front
(https://owasp.org/www-community/attacks/CSV_Injection).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..files import atomic_folder, text_files
from ..terminal import without_formula
from .shared.days import day_of, moment_of
from .shared.flatten import Column, Flat, flatten, scalar_text
from .shared.steering import without_steering

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from typing import BinaryIO

    from .shared.plain import Graph

MEMBERS = ("nodes.csv", "edges.csv")
_NODES = (
    "id label kind url title date datetime duration number season podcast guid audio_url area aliases repo "
    "path language module state author current_url status community rank x y derived uncertain "
    "truncated_links summary"
)
_EDGES = "id source target type relation weight reasons evidence"


def to_csv(graph: Graph) -> tuple[str, str]:
    r"""Return the nodes and the edges of ``graph`` as two CSV texts.

    ``date`` is the day as the feed has it, ``datetime`` the moment in UTC if there is a time. Lists and
    evidence are JSON. Edges have the columns Gephi expects (``source``, ``target``, ``type``).

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> _ = graph.add_edge("a", "b", "about", weight=2, note="=1+1")
    >>> to_csv(graph)[1].split("\r\n")[1]
    '"e0","a","b","Directed","about",2,,,"\'=1+1"'
    """
    flat = flatten(graph)
    return "".join(_node_lines(flat)), "".join(_edge_lines(flat))


def write_csv(graph: Graph, nodes: str | os.PathLike[str], edges: str | os.PathLike[str]) -> None:
    """Write the two files ``nodes`` and ``edges``, both or none. Raises ``OutputError``."""
    with text_files([nodes, edges]) as streams:
        _write(flatten(graph), streams)


def write_csv_folder(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write ``nodes.csv`` and ``edges.csv`` into the folder ``path``, both or none.

    Raises ``OutputError``.
    """
    with atomic_folder(Path(path), MEMBERS) as streams:
        _write(flatten(graph), streams)


def csv_cell(value: object) -> str:
    """Return a value as a cell: texts quoted, numbers bare, nothing for ``None``.

    >>> print(csv_cell('say "hi" to'), csv_cell(0.5), csv_cell(True))
    "say ""hi"" to" 0.5 true
    """
    if value is None:
        return ""
    if isinstance(value, str):
        value = without_steering(value)
        return '"' + value.replace('"', '""') + '"' if '"' in value else f'"{value}"'
    text = scalar_text(value)
    return text if isinstance(value, (bool, int, float)) else csv_cell(text)


def _write(flat: Flat, streams: list[BinaryIO]) -> None:
    for stream, lines in zip(streams, (_node_lines(flat), _edge_lines(flat)), strict=True):
        stream.writelines(line.encode() for line in lines)


def _node_lines(flat: Flat) -> Iterator[str]:
    """Yield the header and a line for each node. A date becomes a day and a moment in UTC, in two columns."""
    header, source_columns = _layout(_NODES.split(), flat.node_columns)
    yield _line(map(csv_cell, header))
    day_column, moment_column = header.index("date"), header.index("datetime")
    date_column = _place(flat.node_columns, "date")
    for node, row in flat.nodes():
        cells = [None if column is None else row[column] for column in source_columns]
        cells[0] = node
        if date_column is not None and (day := day_of(row[date_column])):
            cells[day_column] = day.isoformat()
            moment = moment_of(row[date_column])
            cells[moment_column] = moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None
        yield _line(map(safe_cell, cells))


def _edge_lines(flat: Flat) -> Iterator[str]:
    names, places = _layout(_EDGES.split(), flat.edge_columns)
    yield _line(map(csv_cell, names))
    for number, (source, target, relation, row) in enumerate(flat.edges()):
        cells = [None if place is None else row[place] for place in places]
        cells[:5] = f"e{number}", source, target, "Directed", relation
        yield _line(map(safe_cell, cells))


def _layout(fixed: list[str], columns: tuple[Column, ...]) -> tuple[list[str], list[int | None]]:
    """Return the header, and for each of its names the place of the column in a row."""
    names = fixed + [column.name for column in columns if column.name not in fixed]
    return names, [_place(columns, name) for name in names]


def _place(columns: tuple[Column, ...], name: str) -> int | None:
    return next((place for place, column in enumerate(columns) if column.name == name), None)


def safe_cell(value: object) -> str:
    """Return a value as a cell, never a formula for a spreadsheet.

    >>> print(safe_cell("=1+1"), safe_cell(-1))
    "'=1+1" -1
    """
    return csv_cell(without_formula(value) if type(value) is str else value)


def _line(cells: Iterator[str]) -> str:
    return ",".join(cells) + "\r\n"
