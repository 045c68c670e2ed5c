"""Three Parquet files, for DuckDB, Polars, pandas and Spark: ``x.parquet``, ``x.nodes.parquet``, ``x.edges.parquet``.

``x.parquet`` is one table of citations: episode, relation, artifact and evidence. Columns are typed, evidence is
nested. Edges are sorted by target in groups of 65,536 rows, so a query for the citations of one artifact
reads one group. Needs pyarrow, from the extra ``parquet``.
"""

from __future__ import annotations

import json
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING

from podgraph.extractors import OutputError

from ..files import atomic_files
from .shared.citations import Citation, citations
from .shared.days import day_of, moment_of
from .shared.flatten import Column, Flat, flatten

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping
    from types import ModuleType
    from typing import BinaryIO

    from .shared.plain import Graph

_ROWS = 65_536
_FORMS: dict[str, tuple[type, ...]] = {
    "field": (str,),
    "start": (int,),
    "end": (int,),
    "quote": (str,),
    "method": (str,),
    "extractor": (str,),
    "confidence": (float, int),
    "url": (str,),
    "ref": (str,),
    "lines": (str,),
    "time": (str,),
}
_LARGEST_INT = 1 << 63
_TYPES: dict[str, tuple[type, ...]] = {"string": (str,), "int64": (int,), "float64": (int, float)}


def to_parquet(graph: Graph) -> tuple[object, object, object]:
    """Return the citations, the nodes and the edges of ``graph`` as three pyarrow tables.

    A list of texts is a list, evidence a list of structs; other nested values are JSON text. When every date of the
    graph is valid, ``date`` is a day, and ``datetime`` the moment in UTC. Raises ``OutputError``
    without pyarrow.
    """
    try:
        arrow = import_module("pyarrow")
    except ImportError as error:
        remedy = "pip install 'podgraph[parquet]'"
        raise OutputError("needs pyarrow", source="parquet", remedy=remedy) from error
    flat = flatten(graph, lists=True)
    return _citations(arrow, graph), _nodes(arrow, flat), _edges(arrow, flat)


def write_parquet(graph: Graph, *paths: str | os.PathLike[str]) -> None:
    """Write the files of citations, nodes and edges, all or none. Raises ``OutputError``."""
    tables = to_parquet(graph)
    with atomic_files(paths) as streams:
        for stream, table in zip(streams, tables, strict=True):
            write_table(table, stream)


def typed_table(rows: Iterable[Mapping[str, object]], fields: Mapping[str, object]) -> object:
    """Return a pyarrow table of ``rows`` with the columns and types of ``fields`` (such as ``jsonl.EPISODE``).

    A value of another type becomes null.
    """
    arrow = import_module("pyarrow")
    schema = arrow.schema(_fields(arrow, fields))
    fitting = ({name: _fit_to_type(row.get(name), form) for name, form in fields.items()} for row in rows)
    batches = []
    while found := list(islice(fitting, _ROWS)):
        batches.append(arrow.RecordBatch.from_pylist(found, schema=schema))
    return arrow.Table.from_batches(batches, schema)


def write_table(table: object, stream: BinaryIO) -> None:
    """Write one table, marked as ours, to a binary stream."""
    parquet = import_module("pyarrow.parquet")
    with parquet.ParquetWriter(stream, table.schema, compression="zstd") as writer:  # type: ignore[attr-defined] # pyarrow has no types
        writer.add_key_value_metadata({"written_by": "podgraph"})
        writer.write_table(table, row_group_size=_ROWS)


def _citations(arrow: ModuleType, graph: Graph) -> object:
    """Return the table of the citations, made in batches to save memory."""
    forms = {"moment": arrow.float64(), "confidence": arrow.float64(), "date": arrow.date32()}
    forms |= {"start": arrow.int64(), "end": arrow.int64()}
    types = [forms.get(name, arrow.string()) for name in Citation._fields]
    schema = arrow.schema(list(zip(Citation._fields, types, strict=True)))
    rows = citations(graph)
    batches = []
    while found := list(islice(rows, _ROWS)):
        batches.append(_batch(arrow, [list(cell) for cell in zip(*found, strict=True)], schema, types))
    return arrow.Table.from_batches(batches, schema)


def _nodes(arrow: ModuleType, flat: Flat) -> object:
    """Return the table of the nodes. A column of valid dates becomes two: the day and the moment in UTC."""
    ids: list[str] = []
    cells: list[list[object]] = [[] for _ in flat.node_columns]
    for node, row in flat.nodes():
        ids.append(node)
        for cell, value in zip(cells, row, strict=True):
            cell.append(value)
    arrays = {"id": arrow.array(ids, arrow.string())}
    for column, values in zip(flat.node_columns, cells, strict=True):
        if column.name == "date" and all(value is None or day_of(value) for value in values):
            arrays["date"] = arrow.array([day_of(value) for value in values], arrow.date32())
            moments = [moment_of(value) for value in values]
            arrays["datetime"] = arrow.array(moments, arrow.timestamp("us", tz="UTC"))
        else:
            arrays[column.name] = arrow.array(values, _type(arrow, column))
        values.clear()  # the array has a copy
    return arrow.table(arrays)


def _edges(arrow: ModuleType, flat: Flat) -> object:
    """Return the table of the edges, sorted by target. Evidence by the contract becomes a list of structs."""
    names = ["source", "target", "relation", *(column.name for column in flat.edge_columns)]
    evidence_at = next((3 + place for place, column in enumerate(flat.edge_columns) if _is_nested(flat, column)), 0)
    types: list[object] = [arrow.string()] * 3 + [_type(arrow, column) for column in flat.edge_columns]
    if evidence_at:
        types[evidence_at] = arrow.list_(_struct(arrow))
    schema = arrow.schema(list(zip(names, types, strict=True)))
    batches = []
    cells_of_batch: list[list[object]] = [[] for _ in names]
    for source, target, relation, row in flat.edges():
        values: list[object] = [source, target, relation, *row]
        if evidence_at and values[evidence_at] is not None:
            values[evidence_at] = json.loads(str(values[evidence_at]))
        for cell, value in zip(cells_of_batch, values, strict=True):
            cell.append(value)
        if len(cells_of_batch[0]) == _ROWS:
            batches.append(_batch(arrow, cells_of_batch, schema, types))
            cells_of_batch = [[] for _ in names]
    batches.append(_batch(arrow, cells_of_batch, schema, types))
    order = [(name, "ascending") for name in ("target", "source", "relation")]
    return arrow.Table.from_batches(batches, schema).sort_by(order)


def _batch(arrow: ModuleType, cells: list[list[object]], schema: object, types: list[object]) -> object:
    arrays = [arrow.array(values, form) for values, form in zip(cells, types, strict=True)]
    return arrow.record_batch(arrays, schema=schema)


def _fields(arrow: ModuleType, fields: Mapping[str, object]) -> list[object]:
    return [arrow.field(name, _form(arrow, form)) for name, form in fields.items()]


def _form(arrow: ModuleType, form: object) -> object:
    if isinstance(form, dict):
        return arrow.list_(arrow.struct(_fields(arrow, form)))
    return arrow.list_(_form(arrow, form[0])) if isinstance(form, list) else arrow.type_for_alias(form)


def _fit_to_type(value: object, form: object) -> object:
    """Return a value in the form of a column: ``None`` for a value of another type, [] for another than a list."""
    if isinstance(form, (dict, list)):
        items = value if isinstance(value, list) else []
        if isinstance(form, list):
            return [fitting for item in items if (fitting := _fit_to_type(item, form[0])) is not None]
        rows = (item for item in items if isinstance(item, dict))
        return [{name: _fit_to_type(row.get(name), part) for name, part in form.items()} for row in rows]
    if not isinstance(value, _TYPES[str(form)]) or isinstance(value, bool):
        return None
    return None if isinstance(value, int) and abs(value) >= _LARGEST_INT else value


def _is_nested(flat: Flat, column: Column) -> bool:
    """Return whether a column is evidence by the contract, and so can be a list of structs."""
    if column.name != "evidence" or column.type != "json":
        return False
    found = (attrs.get(column.key) for _, _, attrs in flat.graph.edges(data=True))
    return all(isinstance(value, list) and all(map(_fits, value)) for value in found if value is not None)


def _fits(item: object) -> bool:
    if type(item) is not dict:
        return False
    return all(type(value) in _FORMS.get(name, ()) for name, value in item.items() if value is not None)


def _type(arrow: ModuleType, column: Column) -> object:
    if column.type == "list":
        return arrow.list_(arrow.string())
    forms = {"long": arrow.int64(), "double": arrow.float64(), "boolean": arrow.bool_()}
    return forms.get(column.type, arrow.string())


def _struct(arrow: ModuleType) -> object:
    forms = {str: arrow.string(), int: arrow.int64(), float: arrow.float64()}
    return arrow.struct([(name, forms[types[0]]) for name, types in _FORMS.items()])
