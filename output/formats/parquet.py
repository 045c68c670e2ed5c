"""Three Parquet files, for DuckDB, Polars, pandas and Spark: ``x.parquet``, ``x.nodes.parquet``, ``x.edges.parquet``.

``x.parquet`` is one table of citations: episode, relation, artifact and evidence. Columns are typed, a list of texts is
a list, evidence a list of structs. Edges are sorted by target in groups of 65,536 rows, so a query for the citations
of one artifact reads one group. A folder ``x.parquet/`` has the tables nodes, edges and evidence, each partitioned by
show (``slug=…``; ``slug=_`` for what belongs to none). Needs pyarrow, from the extra ``parquet``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from podgraph.extractors import OutputError

from ..files import output_errors
from .rows import Column, Rows, list_evidence, to_values
from .shared.days import parse_day
from .shared.texts import clean_text

_GROUP_ROWS = 65_536
_EDGE_ENDS = dict.fromkeys(("source", "target", "relation"), "string")
_CITATION_COLUMNS = dict.fromkeys(
    "episode thing kind quote moment link relation date method confidence episode_id thing_id".split(), "string"
) | {"moment": "double", "confidence": "double", "date": "date"}
# of a piece of evidence
_PIECE_COLUMNS = dict.fromkeys(
    "field start end quote method extractor confidence url ref lines time".split(), "string"
) | {"start": "long", "end": "long", "confidence": "double", "time": "double"}


def write_parquet(rows: Rows, *streams: BinaryIO) -> None:
    """Write three Parquet files: the citations, the nodes and the edges, each to one of the three ``streams``."""
    citations, nodes, edges = streams
    _write_table(citations, _CITATION_COLUMNS, _list_citations(rows), ("episode_id", "relation", "thing_id"))
    records = ({"id": id_, **row} for id_, row in rows.flat_nodes())
    _write_table(nodes, {"id": "string", **_list_types(rows.node_columns)}, records)
    types = _EDGE_ENDS | _list_types(rows.edge_columns)
    types |= {"evidence": "evidence"} if "evidence" in types else {}
    _write_table(edges, types, _list_edges(rows), ("target", "source", "relation"))


def write_folder(rows: Rows, path: str | os.PathLike[str]) -> None:
    """Write a folder with the tables nodes, edges and evidence, partitioned by show, in batches of rows.

    It replaces the folder ``path`` when it is complete. Raises ``OutputError`` for a folder with other files.
    """
    nodes = ({"id": id_, **row} for id_, row in rows.flat_nodes())
    columns = [column for column in rows.edge_columns if column.name != "evidence"]
    pieces = (
        {name: record[name] for name in _EDGE_ENDS} | piece
        for record in _list_edges(rows)
        for piece in record["evidence"] or ()
    )
    shows: dict[str, str] = {}
    for id_, node in rows.nodes():
        show = id_ if node.get("kind") == "podcast" else node.get("podcast")
        if isinstance(show, str):
            shows[id_] = clean_text(show).removeprefix("podcast:") or "_"
    target = Path(os.path.realpath(path))
    with output_errors(str(target)), TemporaryDirectory(prefix=".podgraph-", dir=target.parent) as folder:
        if others := [file for file in target.rglob("*") if file.is_file() and file.suffix != ".parquet"]:
            raise OutputError("has other files", source=str(others[0]), remedy="name another folder")
        new = Path(folder, "new")
        new.mkdir()
        _write_parts(new / "nodes", {"id": "string", **_list_types(rows.node_columns)}, nodes, shows)
        _write_parts(new / "edges", _EDGE_ENDS | _list_types(columns), _list_edges(rows), shows)
        _write_parts(new / "evidence", _EDGE_ENDS | _PIECE_COLUMNS, pieces, shows)
        if target.exists():
            target.rename(Path(folder, "old"))
        new.rename(target)


def _write_parts(
    folder: Path, types: Mapping[str, str], records: Iterable[dict[str, Any]], shows: Mapping[str, str]
) -> None:
    """Write the records of a table into ``folder``: a folder for each show (``slug=…``) with the Parquet files.

    ``types`` are the columns with their types. ``shows`` are {node id: slug of its show}; other nodes come into
    ``slug=_``.
    """
    schema = _build_schema({**types, "slug": "string"})
    in_shows = (record | {"slug": shows.get(record.get("source") or record["id"], "_")} for record in records)
    import_module("pyarrow.dataset").write_dataset(
        _list_batches(schema, in_shows), folder, schema=schema, format="parquet", partitioning=["slug"],
        partitioning_flavor="hive", use_threads=False,
    )  # fmt: skip


def _list_types(columns: Iterable[Column]) -> dict[str, str]:
    """Return {name: type} of the columns."""
    return {column.name: column.type for column in columns}


def _list_citations(rows: Rows) -> Iterator[dict[str, Any]]:
    """Yield the records of the table of citations, {column: value}, from the view ``citations`` of the database."""
    for row in rows.store.rows(f"SELECT {', '.join(_CITATION_COLUMNS)} FROM citations"):  # noqa: S608 - constants
        record = dict(zip(_CITATION_COLUMNS, row, strict=True))
        ids = {name: rows.clean_id(record[name]) for name in ("episode_id", "thing_id")}
        yield _keep_typed(record | {"date": parse_day(record["date"])}, _CITATION_COLUMNS) | ids


def _list_edges(rows: Rows) -> Iterator[dict[str, Any]]:
    """Yield the records of the table of edges, {column: value}; ``evidence`` is a list of dicts or ``None``."""
    for source, target, relation, edge in rows.edges():
        evidence = [_keep_typed(item, _PIECE_COLUMNS) for item in list_evidence(edge)] or None
        values: dict[str, Any] = {**to_values(rows.edge_columns, edge), "evidence": evidence}
        yield {"source": source, "target": target, "relation": relation, **values}


def _keep_typed(values: Mapping[str, Any], types: Mapping[str, str]) -> dict[str, Any]:
    """Return {column: value} for the columns in ``types`` ({column: type}), with clean texts.

    A column whose value is of another type than the column is left out; an absent value is ``None``.
    """
    classes = {"string": (str,), "long": (int,), "double": (int, float)}
    fitting = {}
    for name, form in types.items():
        value = values.get(name)
        if form not in classes or type(value) in classes[form]:
            fitting[name] = clean_text(value) if isinstance(value, str) else value
    return fitting


def _write_table(
    stream: BinaryIO, types: Mapping[str, str], records: Iterable[dict[str, Any]], order: tuple[str, ...] = ("id",)
) -> None:
    """Write records ({column: value}) as one Parquet file, sorted by the columns in ``order``.

    ``types`` are {column: type}. The rows are in groups of ``_GROUP_ROWS``.
    """
    schema = _build_schema(types)
    arrow: Any = import_module("pyarrow")
    arrow.set_memory_pool(arrow.system_memory_pool())
    table = arrow.Table.from_batches(_list_batches(schema, records), schema)
    places = import_module("pyarrow.compute").sort_indices(table, [(name, "ascending") for name in order])
    with import_module("pyarrow.parquet").ParquetWriter(stream, schema, compression="zstd") as writer:
        writer.add_key_value_metadata({"written_by": "podgraph"})
        for start in range(0, len(places), _GROUP_ROWS):
            writer.write_table(table.take(places[start : start + _GROUP_ROWS]))


def _list_batches(schema: Any, records: Iterable[dict[str, Any]]) -> Iterator[Any]:
    """Yield records ({column: value}) in batches (``pyarrow.RecordBatch``) of at most 4,096 rows with ``schema``."""
    iterator = iter(records)
    while batch := list(islice(iterator, 4096)):
        yield import_module("pyarrow").RecordBatch.from_pylist(batch, schema)


def _build_schema(types: Mapping[str, str]) -> Any:
    """Return the ``pyarrow.Schema`` of a table.

    ``types`` are {column: type}; the types are those of ``rows``, and "evidence" for a list of structs.
    """
    arrow: Any = import_module("pyarrow")
    forms = {
        "string": arrow.string(), "json": arrow.string(), "long": arrow.int64(), "double": arrow.float64(),
        "boolean": arrow.bool_(), "list": arrow.list_(arrow.string()), "date": arrow.date32(),
        "datetime": arrow.timestamp("us", "UTC"),
    }  # fmt: skip
    forms["evidence"] = arrow.list_(arrow.struct([(name, forms[form]) for name, form in _PIECE_COLUMNS.items()]))
    return arrow.schema([(name, forms[form]) for name, form in types.items()])
