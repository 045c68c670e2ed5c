"""A pair of CSV files, for pandas, DuckDB, spreadsheets and Gephi's table import.

UTF-8, CRLF and quotes as in RFC 4180. Texts are always quoted, numbers never. An absent value is an empty cell;
``""`` is an empty text. Lists and evidence are JSON. Edges have the columns Gephi expects (``source``, ``target``,
``type``). A text with the look of a spreadsheet's formula gets an apostrophe in front
(https://owasp.org/www-community/attacks/CSV_Injection).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..terminal import without_formula
from .rows import Column, Rows, Scalar, format_cell


def to_csv(rows: Rows) -> tuple[Iterator[str], Iterator[str]]:
    r"""Return two iterators: the lines of the nodes' file, and those of the edges' file.

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> _ = graph.add_edge("a", "b", "about", weight=2, note="=1+1")
    >>> [*to_csv(Rows(graph))[1]][1]
    '"e0","a","b","Directed","about",2,"\'=1+1"\r\n'
    """
    nodes = ({"id": id_, **values} for id_, values in rows.flat_nodes())
    edges = (
        {"id": f"e{number}", "source": source, "target": target, "type": "Directed", "relation": relation, **values}
        for number, (source, target, relation, values) in enumerate(rows.flat_edges())
    )
    return (
        _to_lines(("id", "kind", "label"), rows.node_columns, nodes),
        _to_lines(("id", "source", "target", "type", "relation"), rows.edge_columns, edges),
    )


def _to_lines(head: Iterable[str], columns: Iterable[Column], records: Iterable[Mapping[str, Scalar]]) -> Iterator[str]:
    """Yield the header and a line of CSV for each record, {column name: value}.

    The columns are ``head``, then ``columns``.
    """
    header = dict.fromkeys((*head, *(column.name for column in columns)))
    yield ",".join(map(_format_cell, header)) + "\r\n"
    for record in records:
        yield ",".join(map(_format_cell, map(record.get, header))) + "\r\n"


def _format_cell(value: Scalar) -> str:
    """Return a value as a cell of CSV.

    Numbers and truth values are bare, ``None`` is an empty cell, and texts are quoted. A text that a spreadsheet would
    take for a formula is escaped.
    """
    if value is None or isinstance(value, int | float):
        return "" if value is None else format_cell(value)
    return '"' + without_formula(format_cell(value)).replace('"', '""') + '"'
