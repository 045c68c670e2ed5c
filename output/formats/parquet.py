"""Three Parquet files, for DuckDB, Polars, pandas and Spark: ``x.parquet``, ``x.nodes.parquet``, ``x.edges.parquet``.

``x.parquet`` is one table of citations: episode, relation, artifact and evidence. Columns are typed, evidence is
nested. Edges are sorted by target in groups of 65,536 rows, so a query for the citations of one artifact
reads one group. Needs pyarrow, from the extra ``parquet``.
"""

from __future__ import annotations

from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from .rows import Citation, encode_json, list_evidence, to_scalar, to_seconds
from .shared.days import day_of, moment_of
from .shared.steering import clean_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .rows import Rows

_ROWS = 65_536
_EVIDENCE = {
    **dict.fromkeys(("field", "quote", "method", "extractor", "url", "ref", "lines"), "string"),
    **dict.fromkeys(("start", "end"), "int64"),
    **dict.fromkeys(("confidence", "time"), "float64"),
}
_TYPES = {"long": "int64", "double": "float64", "boolean": "bool", "date": "date32"}
_CITATION = dict.fromkeys(Citation._fields, "string") | {
    "moment": "float64", "confidence": "float64", "date": "date32", "start": "int64", "end": "int64",
}  # fmt: skip


def write_parquet(rows: Rows, *streams: BinaryIO) -> None:
    """Write the citations, the nodes and the edges as Parquet.

    A list of texts is a list, evidence a list of structs; other nested values are JSON text. When every date of the
    graph is valid, ``date`` is a day, and ``datetime`` the moment in UTC.
    """
    arrow = import_module("pyarrow")
    citations, nodes, edges = streams
    _write(arrow, citations, _CITATION, map(list, rows.citations()))
    _write(arrow, nodes, *_nodes(rows))
    _write(arrow, edges, *_edges(rows), order=("target", "source", "relation"))


def _nodes(rows: Rows) -> tuple[dict[str, str], Iterator[list[object]]]:
    columns = rows.node_columns(lists=True)
    types = {"id": "string", **{column.name: column.type for column in columns}}
    dates = [text for (text,) in rows.store.rows("SELECT date FROM nodes WHERE date IS NOT NULL")]
    is_dated = types.get("date") == "string" and all(map(day_of, dates))
    if is_dated:
        types |= {"date": "date", "datetime": "timestamp"}
    place = next((number for number, column in enumerate(columns) if column.name == "date"), 0)

    def records() -> Iterator[list[object]]:
        for id_, row in rows.flat_nodes(columns):
            record: list[object] = [id_, *row]
            if is_dated:
                record[place + 1] = day_of(row[place])
                record.append(moment_of(row[place]))
            yield record

    return types, records()


def _edges(rows: Rows) -> tuple[dict[str, str], Iterator[list[object]]]:
    columns = rows.edge_columns(lists=True)
    ends = dict.fromkeys(("source", "target", "relation"), "string")
    types = ends | {column.name: "evidence" if column.key == "evidence" else column.type for column in columns}

    def records() -> Iterator[list[object]]:
        for source, target, relation, attributes in rows.edges():
            edge: Any = attributes
            cells: list[object] = []
            for column in columns:
                value = edge.get(column.key)
                if column.key == "evidence":
                    cells.append([*map(_to_struct, list_evidence(edge))] or None)
                else:
                    cells.append(None if value is None else to_scalar(value, column.type))
            yield [source, target, relation, *cells]

    return types, records()


def _to_struct(item: Any) -> dict[str, object]:
    """Return a piece of evidence with the types of the contract; other attributes are JSON text in ``more``."""
    struct: dict[str, object] = {}
    more = {}
    for name, found in item.items():
        value = to_seconds(found) if name == "time" else found
        expected = {"string": (str,), "int64": (int,), "float64": (int, float)}.get(_EVIDENCE.get(name, ""), ())
        if isinstance(value, expected) and not isinstance(value, bool):
            struct[name] = clean_text(value) if isinstance(value, str) else value
        else:
            more[name] = found
    return struct | ({"more": clean_text(encode_json(more))} if more else {})


def _write(
    arrow: Any, stream: BinaryIO, types: dict[str, str], records: Iterable[list[object]], order: tuple[str, ...] = ()
) -> None:
    """Write records in groups of rows; with an ``order`` they are sorted first, as a whole."""
    struct = arrow.struct(
        [*((name, arrow.type_for_alias(form)) for name, form in _EVIDENCE.items()), ("more", arrow.string())]
    )
    special = {
        "list": arrow.list_(arrow.string()),
        "timestamp": arrow.timestamp("us", "UTC"),
        "evidence": arrow.list_(struct),
    }
    fields = []
    for name, form in types.items():
        alias = form if form in _CITATION.values() else _TYPES.get(form, "string")
        fields.append((name, special.get(form) or arrow.type_for_alias(alias)))
    schema = arrow.schema(fields)
    iterator = iter(records)
    batches = []
    options = {"compression": "zstd", "write_statistics": True}
    with import_module("pyarrow.parquet").ParquetWriter(stream, schema, **options) as writer:
        writer.add_key_value_metadata({"creator": "podgraph"})
        while group := list(islice(iterator, _ROWS // 16)):
            cells = zip(*group, strict=True)
            arrays = [arrow.array(values, field.type) for values, field in zip(cells, schema, strict=True)]
            batches.append(arrow.record_batch(arrays, schema=schema))
            if len(batches) == 16 and not order:
                writer.write_table(arrow.Table.from_batches(batches), _ROWS)
                batches.clear()
        table = arrow.Table.from_batches(batches, schema)
        if order:
            table = table.sort_by([(name, "ascending") for name in order])
        writer.write_table(table, _ROWS)
