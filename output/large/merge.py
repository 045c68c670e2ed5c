"""Joins the parts of a large build into one SQLite graph, out of memory: DuckDB sorts and joins, Python decides.

Where several parts have a node or an edge, the functions of ``graph/merging.py`` make one of them. Communities and
ranks come from the same functions as in memory, over arrays. DuckDB comes with the extra ``scale``.
"""

from __future__ import annotations

import json
from contextlib import closing, contextmanager
from importlib import import_module
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from podgraph.extractors import OutputError, SourceError
from podgraph.graph import (
    LIGHTEST,
    OTHERS,
    SOURCES,
    TYING,
    Edges,
    communities,
    merge_edges,
    merge_nodes,
    ranks,
    ties_of,
    whole_shas,
)

from ..formats.sqlite import fill, new_database
from .parts import VERSION, about_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from podgraph.graph import Graph

    from ..formats.sqlite import NumberedEdge

    Query = Callable[..., Any]

_MEMORY = "256MB"  # of DuckDB; it keeps the rest in its folder on disk
_AT_ONCE = 2_000  # rows
# A node of several parts has the different attributes in `several`. An id in `moves` is short for another.
_NODES = """
CREATE TABLE nodes AS
  SELECT row_number() OVER (ORDER BY id) AS n, id, min(kind) AS kind, bool_or(read) AS read,
    CASE WHEN count(DISTINCT attributes) > 1 THEN list(DISTINCT attributes ORDER BY attributes) END AS several,
    min(attributes) AS attributes
  FROM read_parquet(?) WHERE id NOT IN (SELECT short FROM moves) GROUP BY id ORDER BY id
"""
_EDGES = """
CREATE TABLE edges AS
  WITH present AS (
    SELECT coalesce(a.long, source) AS source, coalesce(b.long, target) AS target, relation, weight, boilerplate,
      attributes AS data
    FROM read_parquet(?) LEFT JOIN moves a ON a.short = source LEFT JOIN moves b ON b.short = target
  )
  SELECT s.n AS source, t.n AS target, relation, max(weight) AS weight, bool_or(boilerplate) AS boilerplate,
    CASE WHEN count(DISTINCT data) > 1 THEN list(DISTINCT data ORDER BY data) END AS several,
    min(data) AS attributes
  FROM present JOIN nodes s ON s.id = present.source JOIN nodes t ON t.id = present.target
  WHERE s.n <> t.n GROUP BY s.n, t.n, relation
"""
_TEXTS = """
SELECT n FROM nodes
WHERE kind = 'episode' OR (list_contains(?, kind) AND (read OR n IN (SELECT source FROM edges)))
"""


def merge_parts(folder: Path, path: Path) -> tuple[int, int]:
    """Write the graph of all parts in ``folder`` to the SQLite file ``path``; return its numbers of nodes and edges.

    Raises ``SourceError`` for a folder without parts, and for a part of another version, and ``OutputError`` when the
    file cannot be written.
    """
    about = _about(folder)
    nodes, edges = (str(folder / kind / "*.parquet") for kind in ("nodes", "edges"))
    with new_database(path) as database, _duckdb(path.parent) as query:
        # Short ids of commits, and the whole ones in their place: _NODES and _EDGES use this table.
        query("CREATE TABLE moves (short TEXT, long TEXT)")
        commits = query("SELECT DISTINCT id FROM read_parquet(?) WHERE kind = 'commit'", [nodes])
        for move in whole_shas(id_ for (id_,) in commits.fetchall()).items():
            query("INSERT INTO moves VALUES (?, ?)", move)
        query(_NODES, [nodes])
        query(_EDGES, [edges])
        shared = query("SELECT n, several FROM nodes WHERE several IS NOT NULL").fetchall()  # nodes of several parts
        numbers = [number for number, _ in shared]
        merged = [json.dumps(merge_nodes([*map(json.loads, several)]), ensure_ascii=False) for _, several in shared]
        query("CREATE TABLE merged AS SELECT unnest(?) AS n, unnest(?) AS attributes", [numbers, merged])
        query("UPDATE nodes SET attributes = merged.attributes FROM merged WHERE merged.n = nodes.n")
        podcasts = dict(query("SELECT id, n FROM nodes WHERE kind = 'podcast'").fetchall())
        counts = query("SELECT (SELECT count(*) FROM nodes), (SELECT count(*) FROM edges)").fetchone()
        fill(database, about, _edges(query), _nodes(query), podcasts.get, counts[0])
    return counts[0], counts[1]


def _about(folder: Path) -> dict[str, object]:
    """Return the attributes of the graph of all parts."""
    parts = sorted((folder / "nodes").glob("*.parquet"))
    if not parts:
        raise SourceError("has no parts", source=str(folder), remedy=f"write them: podgraph build LIST -o {folder}/")
    about: dict[str, object] = {}
    sources: list[object] = []
    for part in parts:
        found = about_part(part)
        if found.get("version") != VERSION or not (folder / "edges" / part.name).is_file():
            problem = "is a part of another version" if found.get("version") != VERSION else "has no edges beside it"
            raise SourceError(problem, source=str(part), remedy="build the parts again")
        graph = found["graph"]
        sources += graph.pop("sources", [])
        about = {**graph, **about, "kinds": {**about.get("kinds", {}), **graph.get("kinds", {})}}  # type: ignore[dict-item] # a table
    return {name: value for name, value in {**about, "sources": sources}.items() if value}


@contextmanager
def _duckdb(folder: Path) -> Iterator[Query]:
    """Yield a function that runs a statement of an empty DuckDB database in a temporary folder beside the output."""
    try:
        duckdb = import_module("duckdb")
    except ImportError as error:
        raise OutputError("needs duckdb", source="merge", remedy="pip install 'podgraph[scale]'") from error
    with (
        TemporaryDirectory(prefix=".podgraph-", suffix=".tmp", dir=folder, ignore_cleanup_errors=True) as scratch,
        closing(duckdb.connect(f"{scratch}/merge.duckdb", config={"memory_limit": _MEMORY})) as database,
    ):
        database.execute("SET enable_progress_bar = false")  # it would be printed among the answers
        database.execute("SET temp_directory = ?", [f"{scratch}/spilled"])
        try:
            yield database.execute
        except duckdb.Error as error:
            problem = str(error).partition("\n")[0]
            remedy = "free some space on the disk, or build the parts again"
            raise OutputError(f"cannot be merged: {problem}", source=str(folder), remedy=remedy) from error


def _rows(found: Any) -> Iterator[tuple[Any, ...]]:
    while rows := found.fetchmany(_AT_ONCE):
        yield from rows


def _edges(query: Query) -> Iterator[NumberedEdge]:
    """Yield the edges in order, each with its target's URL."""
    ordered = query(
        "SELECT source, target, relation, e.several, e.attributes, t.attributes ->> '$.url' "
        "FROM edges e JOIN nodes t ON t.n = target ORDER BY source, target, relation"
    )
    for source, target, relation, several, attributes, url in _rows(ordered):
        found = merge_edges([*map(json.loads, several)]) if several else json.loads(attributes)
        yield source, target, relation, found, url


def _nodes(query: Query) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the nodes in order, with community and rank."""
    columns = query(
        "SELECT source, target, relation, greatest(weight, ?) AS weight FROM edges "
        "WHERE list_contains(?, relation) AND NOT boilerplate", [LIGHTEST, [*TYING]],
    ).fetchnumpy()  # fmt: skip
    numbers, ends = np.unique(np.concatenate([columns["source"], columns["target"]]), return_inverse=True)
    first, second = np.split(ends, 2)
    names, codes = np.unique(np.asarray(columns["relation"], str), return_inverse=True)
    coded = np.array([TYING.index(name) for name in names.tolist()], np.int64)[codes]
    texts = np.isin(numbers, query(_TEXTS, [sorted(SOURCES)]).fetchnumpy()["n"])
    ties = ties_of(numbers.tolist(), texts, Edges(first, second, np.asarray(columns["weight"], float)), coded)
    groups = communities(cast("Graph", _Known(query)), ties)
    found = dict(zip(ties.nodes, zip(groups, ranks(ties), strict=True), strict=True))
    counts = dict(query("SELECT target, count(*) FROM edges WHERE relation = 'about' GROUP BY target").fetchall())
    for number, id_, read, attributes in _rows(query("SELECT n, id, read, attributes FROM nodes ORDER BY n")):
        node = {name: value for name, value in json.loads(attributes).items() if name not in ("community", "rank")}
        if number in found:
            node["community"], node["rank"] = found[number]
        elif ties.nodes and read and node["kind"] == "episode":
            node["community"] = OTHERS
        if number in counts:
            node["count"] = counts[number]
        yield number, id_, node


class _Known:
    """The few nodes whose attributes name the communities, read when they are needed."""

    def __init__(self, query: Query) -> None:
        self.nodes = _Attributes(query)


class _Attributes(dict[int, Any]):
    def __init__(self, query: Query) -> None:
        topics = query("SELECT n, attributes FROM nodes WHERE kind = 'topic'").fetchall()
        super().__init__((number, json.loads(attributes)) for number, attributes in topics)
        self._query = query

    def __missing__(self, number: int) -> Any:
        (attributes,) = self._query("SELECT attributes FROM nodes WHERE n = ?", [number]).fetchone()
        return self.setdefault(number, json.loads(attributes))
