"""Joins the parts of a large build into one SQLite graph, out of memory: DuckDB sorts and joins, Python decides.

Where several parts have a node or an edge, the functions of ``graph/merging.py`` make one of them. Communities and
ranks come from the same functions as in memory, over arrays. DuckDB comes with the extra ``scale``.
"""

from __future__ import annotations

import json
from contextlib import closing, contextmanager
from importlib import import_module
from itertools import groupby
from operator import itemgetter
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

_MEMORY = "350MB"  # of DuckDB; it keeps the rest in its folder on disk, if one thread sorts: more need all at once
_SETTINGS = {"memory_limit": _MEMORY, "threads": 1, "preserve_insertion_order": False}
_AT_ONCE = 2_000  # rows
# A number for each id, in order. The URL is "" where the parts do not agree on one: each piece of evidence has its own.
_NUMBERS = """
CREATE TABLE numbers AS
  SELECT row_number() OVER (ORDER BY id) AS n, id, min(kind) AS kind, bool_or(read) AS read,
    CASE WHEN count(url) = 0 OR (min(url) = max(url) AND count(url) = count(*)) THEN min(url) ELSE '' END AS url
  FROM (SELECT id, kind, read, attributes ->> '$.url' AS url FROM read_parquet(?))
  WHERE id NOT IN (SELECT short FROM moves) GROUP BY id
"""
# The edges of all parts, those of several parts more than once. An id in `moves` is short for another.
_EDGES = """
CREATE TABLE edges AS
  WITH present AS (
    SELECT coalesce(a.long, source) AS source, coalesce(b.long, target) AS target, relation, weight, boilerplate,
      attributes
    FROM read_parquet(?) LEFT JOIN moves a ON a.short = source LEFT JOIN moves b ON b.short = target
  )
  SELECT s.n AS source, t.n AS target, relation, weight, boilerplate, attributes, t.url AS url
  FROM present JOIN numbers s ON s.id = present.source JOIN numbers t ON t.id = present.target WHERE s.n <> t.n
"""
_JOINED = "FROM read_parquet(?) p JOIN numbers m ON m.id = p.id"
_TEXTS = """
SELECT n FROM numbers
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
        # Short ids of commits, and the whole ones in their place: _NUMBERS and _EDGES use this table.
        query("CREATE TABLE moves (short TEXT, long TEXT)")
        commits = query("SELECT DISTINCT id FROM read_parquet(?) WHERE kind = 'commit'", [nodes])
        for move in whole_shas(id_ for (id_,) in commits.fetchall()).items():
            query("INSERT INTO moves VALUES (?, ?)", move)
        query(_NUMBERS, [nodes])
        query(_EDGES, [edges])
        podcasts = dict(query("SELECT id, n FROM numbers WHERE kind = 'podcast'").fetchall())
        distinct = "SELECT DISTINCT source, target, relation FROM edges"
        counts = query(f"SELECT (SELECT count(*) FROM numbers), (SELECT count(*) FROM ({distinct}))").fetchone()  # noqa: S608
        fill(database, about, _edges(query), _nodes(query, nodes), podcasts.get, counts[0])
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
        closing(duckdb.connect(f"{scratch}/merge.duckdb", config=_SETTINGS)) as database,
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
    """Yield the edges in order, each with its target's URL; those of several parts are merged."""
    ordered = query("SELECT source, target, relation, attributes, url FROM edges ORDER BY source, target, relation")
    for (source, target, relation), rows in groupby(_rows(ordered), key=itemgetter(0, 1, 2)):
        several = {row[3]: row[4] for row in rows}
        yield source, target, relation, merge_edges([*map(json.loads, several)]), next(iter(several.values()))


def _nodes(query: Query, parts: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the nodes in order, with community and rank; those of several parts are merged."""
    columns = query(
        "SELECT source, target, relation, greatest(max(weight), ?) AS weight FROM edges "
        "WHERE list_contains(?, relation) AND NOT boilerplate GROUP BY source, target, relation "
        "ORDER BY source, target, relation", [LIGHTEST, [*TYING]],
    ).fetchnumpy()  # fmt: skip
    numbers, ends = np.unique(np.concatenate([columns["source"], columns["target"]]), return_inverse=True)
    first, second = np.split(ends, 2)
    names, codes = np.unique(np.asarray(columns["relation"], str), return_inverse=True)
    coded = np.array([TYING.index(name) for name in names.tolist()], np.int64)[codes]
    texts = np.isin(numbers, query(_TEXTS, [sorted(SOURCES)]).fetchnumpy()["n"])
    ties = ties_of(numbers.tolist(), texts, Edges(first, second, np.asarray(columns["weight"], float)), coded)
    groups = communities(cast("Graph", _Known(query, parts)), ties)
    found = dict(zip(ties.nodes, zip(groups, ranks(ties), strict=True), strict=True))
    counts = dict(
        query("SELECT target, count(DISTINCT source) FROM edges WHERE relation = 'about' GROUP BY target").fetchall()
    )
    ordered = query(f"SELECT n, m.id, m.read, attributes {_JOINED} ORDER BY n", [parts])
    for (number, id_, read), rows in groupby(_rows(ordered), key=itemgetter(0, 1, 2)):
        node = merge_nodes([*map(json.loads, {row[3]: None for row in rows})])
        node = {name: value for name, value in node.items() if name not in ("community", "rank")}
        if number in found:
            node["community"], node["rank"] = found[number]
        elif ties.nodes and read and node["kind"] == "episode":
            node["community"] = OTHERS
        if number in counts:
            node["count"] = counts[number]
        yield number, id_, node


class _Known:
    """The few nodes whose attributes name the communities: topics, and others read when they are needed."""

    def __init__(self, query: Query, parts: str) -> None:
        self.nodes = _Attributes(query, parts)


class _Attributes(dict[int, Any]):
    def __init__(self, query: Query, parts: str) -> None:
        self._query, self._parts = query, parts
        super().__init__(self._read("m.kind = 'topic'"))

    def _read(self, condition: str) -> Iterator[tuple[int, Any]]:
        rows = self._query(f"SELECT n, attributes {_JOINED} WHERE {condition} ORDER BY n", [self._parts])
        for number, several in groupby(rows.fetchall(), key=itemgetter(0)):
            yield number, merge_nodes([*map(json.loads, {row[1]: None for row in several})])

    def __missing__(self, number: int) -> Any:
        self.update(self._read(f"n = {int(number)}"))
        return self[number]
