"""Three Parquet files, for DuckDB, Polars, pandas and Spark: ``x.parquet``, ``x.nodes.parquet``, ``x.edges.parquet``.

``x.parquet`` is one table of citations: episode, relation, artifact and evidence. Columns are typed, evidence is
nested. Edges are sorted by target in groups of 65,536 rows, so a query for the citations of one artifact
reads one group. Needs pyarrow, from the extra ``parquet``.
"""

from __future__ import annotations

from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from .rows import Citation, list_evidence, to_scalar, to_seconds
from .shared.days import day_of, moment_of
from .shared.steering import clean_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .rows import Rows

_ROWS = 65_536  # in a group
_NUMBERS = {"start": "int64", "end": "int64", "confidence": "float64"}
_CITATION = dict.fromkeys(Citation._fields, "string") | _NUMBERS | {"moment": "float64", "date": "date32"}
_EVIDENCE = dict.fromkeys(("field", "start", "end", "quote", "method", "extractor", "confidence", "url", "ref", "lines",
                           "time"), "string") | _NUMBERS | {"time": "float64"}  # fmt: skip
_TYPES = {"long": "int64", "double": "float64", "boolean": "bool", "json": "string"}


def write_parquet(rows: Rows, *streams: BinaryIO) -> None:
    """Write the citations, the nodes and the edges as Parquet.

    A list of texts is a list, evidence a list of structs; other nested values are JSON text. When every date of the
    graph is valid, ``date`` is a day, and ``datetime`` the moment in UTC.
    """
    citations, nodes, edges = streams
    _write(citations, _CITATION, rows.citations())
    dates = [date for (date,) in rows.store.rows("SELECT date FROM nodes WHERE date IS NOT NULL")]
    columns = {column.name: column for column in rows.node_columns(lists=True)}
    types = {name: _TYPES.get(column.type, column.type) for name, column in columns.items()}
    is_dated = "date" in types and all(map(day_of, dates))
    if is_dated:
        types |= {"date": "date32", "datetime": "timestamp"}
    _write(nodes, {"id": "string", **types}, _node_records(rows, list(columns), is_dated=is_dated))
    types = dict.fromkeys(("source", "target", "relation"), "string")
    for column in rows.edge_columns(lists=True):
        types[column.name] = "evidence" if column.key == "evidence" else _TYPES.get(column.type, column.type)
    _write(edges, types, _edge_records(rows), order=("target", "source", "relation"))


def _node_records(rows: Rows, names: list[str], *, is_dated: bool) -> Iterator[list[object]]:
    for id_, row in rows.flat_nodes(rows.node_columns(lists=True)):
        record: list[object] = [id_, *row]
        if is_dated:
            date = row[names.index("date")]
            record[names.index("date") + 1] = day_of(date)
            record.append(moment_of(date))
        yield record


def _edge_records(rows: Rows) -> Iterator[list[object]]:
    columns = rows.edge_columns(lists=True)
    for source, target, relation, edge in rows.edges():
        record: list[object] = [source, target, relation]
        for column in columns:
            value: Any = edge.get(column.key)
            if column.key == "evidence":
                record.append([*map(_to_struct, list_evidence(edge))] or None)
            else:
                record.append(None if value is None else to_scalar(value, column.type))
        yield record


def _to_struct(item: Any) -> dict[str, object]:
    """Return a piece of evidence with the attributes and the types of the contract."""
    types = {"string": str, "int64": int, "float64": int | float}
    struct: dict[str, object] = {}
    for name, form in _EVIDENCE.items():
        value = to_seconds(item.get(name)) if name == "time" else item.get(name)
        if isinstance(value, types[form]) and not isinstance(value, bool):
            struct[name] = clean_text(value) if isinstance(value, str) else value
    return struct


def _write(
    stream: BinaryIO, types: dict[str, str], records: Iterable[Iterable[object]], order: tuple[str, ...] = ()
) -> None:
    """Write records in groups of rows; with an ``order`` they are sorted first, as a whole."""
    arrow: Any = import_module("pyarrow")
    struct = arrow.struct([(name, arrow.type_for_alias(form)) for name, form in _EVIDENCE.items()])
    nested = {
        "list": arrow.list_(arrow.string()), "timestamp": arrow.timestamp("us", "UTC"), "evidence": arrow.list_(struct),
    }  # fmt: skip
    schema = arrow.schema([(name, nested.get(form) or arrow.type_for_alias(form)) for name, form in types.items()])
    iterator = iter(records)
    batches = []
    while group := list(islice(iterator, _ROWS // 16)):
        cells = zip(*group, strict=True)
        arrays = [arrow.array(values, field.type) for values, field in zip(cells, schema, strict=True)]
        batches.append(arrow.record_batch(arrays, schema=schema))
    table = arrow.Table.from_batches(batches, schema)
    if order:
        table = table.sort_by([(name, "ascending") for name in order])
    with import_module("pyarrow.parquet").ParquetWriter(stream, schema, compression="zstd") as writer:
        writer.add_key_value_metadata({"written_by": "podgraph"})
        writer.write_table(table, row_group_size=_ROWS)
