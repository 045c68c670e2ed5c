"""Merges the parts of a large build into one SQLite graph. DuckDB sorts and joins on disk.

Where several parts have a node or an edge, the functions of ``graph/merging.py`` make one of them. Related episodes,
communities and ranks come from the same functions as in memory. DuckDB comes with the extra ``scale``.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import defaultdict
from contextlib import closing, contextmanager
from glob import escape
from importlib import import_module
from itertools import groupby
from operator import itemgetter
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from podgraph.extractors import OutputError, SourceError
from podgraph.graph import (
    LIGHTEST,
    NO_SUBJECT,
    OTHERS,
    SOURCES,
    TYING,
    Edges,
    Wording,
    communities_of_ties,
    find_related,
    merge_edges,
    merge_nodes,
    ranks,
    ties_of,
    whole_shas,
)

from ..formats.shared.plain import graph_of
from ..formats.sqlite import fill, new_database
from .parts import VERSION, about_part, is_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping
    from pathlib import Path

    from podgraph.graph import Ties

    from ..formats.sqlite import NumberedEdge

    Query = Callable[..., Any]

# DuckDB writes to disk what exceeds this memory, but with one thread only: several need more at once.
_MEMORY = "200MB"
_SETTINGS = {"memory_limit": _MEMORY, "threads": 1, "preserve_insertion_order": False}
_ROWS_PER_FETCH = 2_000
_MOST_NAMING = 10  # texts that name an artifact, for it to be rare
_BATCH = 2_000  # texts, or some more, that are compared with each other

# A number for each id, in the order of ids. `home` is the part that read a text, `several` means several rows. The URL
# is '' where the rows do not agree on one: then each piece of evidence has its own.
_NUMBERS = """
CREATE TABLE numbers AS
  SELECT row_number() OVER (ORDER BY id) AS n, id, coalesce(min(kind) FILTER (read), min(kind)) AS kind,
    bool_or(read) AS read, min(filename) FILTER (read) AS home, count(*) > 1 AS several,
    CASE WHEN min(coalesce(url, '')) = max(coalesce(url, '')) THEN min(url) ELSE '' END AS url
  FROM (SELECT id, kind, read, filename, attributes ->> '$.url' AS url FROM part_nodes)
  WHERE id NOT IN (SELECT short FROM commits) GROUP BY id
"""
# The nodes of all parts, those of several parts more than once.
_NODES = """
CREATE VIEW nodes AS
  SELECT n, m.id, m.read, attributes, words, home, several FROM part_nodes p JOIN numbers m ON m.id = p.id
"""
# The edges of all parts, those of several parts more than once. With its whole id a commit may cite itself.
_EDGES = """
CREATE TABLE edges AS
  SELECT s.n AS source, t.n AS target, relation, weight, boilerplate, attributes, t.url AS url
  FROM read_parquet(?) e LEFT JOIN commits a ON a.short = e.source LEFT JOIN commits b ON b.short = e.target
    JOIN numbers s ON s.id = coalesce(a.long, e.source) JOIN numbers t ON t.id = coalesce(b.long, e.target)
  WHERE s.n <> t.n
"""
# For each rare artifact that texts of several shows name: these texts. A text counts as one that names itself.
_NAMING = """
WITH named AS (
  SELECT source AS text, target AS artifact, s.home FROM edges
    JOIN numbers s ON s.n = source JOIN numbers t ON t.n = target
  WHERE s.read AND NOT boilerplate AND relation IN ('cites', 'mentions', 'see_also', 'listen_first')
    AND (t.read OR NOT list_contains(?, t.kind))
  UNION SELECT n, n, home FROM numbers WHERE read
)
SELECT list(text) FROM named GROUP BY artifact
HAVING count(*) BETWEEN 2 AND ? AND count(DISTINCT home) > 1 ORDER BY artifact
"""
# The edges of the texts in a batch, without those to other texts, and the topics of topics.
_OF_BATCH = """
SELECT s.id, t.id, relation, attributes FROM edges JOIN numbers s ON s.n = source JOIN numbers t ON t.n = target
WHERE relation <> 'related' AND (s.n IN (SELECT n FROM batch) OR relation = 'subtopic_of')
  AND (NOT t.read OR t.n IN (SELECT n FROM batch))
"""
_TIES = """
SELECT source::INTEGER AS source, target::INTEGER AS target, (list_position($tying, relation) - 1)::TINYINT AS code,
  greatest(max(weight), $lightest)::DOUBLE AS weight
FROM edges WHERE list_contains($tying, relation) AND NOT boilerplate GROUP BY source, target, relation
ORDER BY source, target, relation
"""
_TEXTS = "SELECT n FROM numbers WHERE kind = 'episode' OR (list_contains(?, kind) AND read)"
_COUNTS = """
SELECT (SELECT count(*) FROM numbers), (SELECT count(*) FROM (SELECT DISTINCT source, target, relation FROM edges))
"""


def merge_parts(folder: Path, path: Path) -> tuple[int, int]:
    """Write the graph of all parts in ``folder`` to the SQLite file ``path``; return its numbers of nodes and edges.

    Raises ``SourceError`` for a folder without parts, and for a part of another version, and ``OutputError`` when the
    file cannot be written.
    """
    about = _checked_about(folder)
    parts = {kind: f"{escape(str(folder / kind))}/*.parquet" for kind in ("nodes", "edges")}
    with new_database(path) as database, _duckdb(folder, path.parent) as query:
        query("SET VARIABLE nodes = ?", [parts["nodes"]])
        query("CREATE VIEW part_nodes AS SELECT * FROM read_parquet(getvariable('nodes'), filename = true)")
        query("CREATE TABLE commits (short TEXT, long TEXT)")
        commits = query("SELECT DISTINCT id FROM part_nodes WHERE kind = 'commit'")
        for both in whole_shas(id_ for (id_,) in commits.fetchall()).items():
            query("INSERT INTO commits VALUES (?, ?)", both)
        query(_NUMBERS)
        query(_NODES)
        query(_EDGES, [parts["edges"]])
        _relate(query)
        podcasts = dict(query("SELECT id, n FROM numbers WHERE kind = 'podcast'").fetchall())
        node_count, edge_count = query(_COUNTS).fetchone()
        fill(database, about, _merged_edges(query), _merged_nodes(query), podcasts.get, node_count)
    return node_count, edge_count


def _checked_about(folder: Path) -> dict[str, object]:
    """Return the attributes of the graph of all parts, after a check of each part."""
    parts = sorted((folder / "nodes").glob("*.parquet"))
    if not parts:
        raise SourceError("has no parts", source=str(folder), remedy=f"write them: podgraph build LIST -o {folder}/")
    missing = {path.stem for path in (folder / "read").glob("*.hints")} - {part.stem for part in parts}
    if missing:
        remedy = "go on with podgraph build, or delete read/ in it to merge the others"
        problem = f"has no part of {len(missing)} of its shows, such as {min(missing)}"
        raise SourceError(problem, source=str(folder), remedy=remedy)
    about: dict[str, object] = {}
    kinds: dict[str, object] = {}
    sources: list[object] = []
    for part in parts:
        found = about_part(part)
        problem = "is damaged, or a part of another version" if found.get("version") != VERSION else ""
        problem = problem or ("" if (folder / "edges" / part.name).is_file() else "has no edges beside it")
        if problem:
            raise SourceError(problem, source=str(part), remedy="build the parts again")
        graph = found["graph"]
        sources += graph.pop("sources", [])
        kinds = graph.pop("kinds", {}) | kinds
        about = graph | about
    more = {"kinds": kinds, "sources": sources}
    return about | {name: value for name, value in more.items() if value}


@contextmanager
def _duckdb(parts: Path, folder: Path) -> Iterator[Query]:
    """Yield a function that runs a statement of an empty DuckDB database in a temporary folder in ``folder``.

    A statement discards the rows of the one before that were not fetched.
    """
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
            for part in sorted(parts.glob("*/*.parquet")):
                if not is_whole(part):
                    remedy = "delete it, and build the parts again"
                    raise SourceError("is damaged", source=str(part), remedy=remedy) from error
            problem = str(error).partition("\n")[0]
            remedy = "free some space on the disk"
            raise OutputError(f"cannot be merged: {problem}", source=str(parts), remedy=remedy) from error


def _rows(found: Any) -> Iterator[tuple[Any, ...]]:
    while rows := found.fetchmany(_ROWS_PER_FETCH):
        yield from rows


def _relate(query: Query) -> None:
    """Add ``related`` edges between texts of different shows that name the same rare artifact.

    Each part has those within its show. Texts are compared in batches; a pair in two of them has two edges, which
    become one.
    """
    batch: defaultdict[int, set[int]] = defaultdict(set)  # text -> its rare artifacts
    rare = query(_NAMING, [[*NO_SUBJECT], _MOST_NAMING]).fetchall()
    for artifact, (texts,) in enumerate(rare):
        for text in texts:
            batch[text].add(artifact)
        if len(batch) >= _BATCH or artifact == len(rare) - 1:
            _relate_batch(query, batch)
            batch.clear()


def _relate_batch(query: Query, artifacts: Mapping[int, set[int]]) -> None:
    """Add the edges between the texts of a batch, from the rare artifacts of each. Only these texts are compared."""
    query("CREATE OR REPLACE TEMP TABLE batch AS SELECT unnest(?) AS n", [[*artifacts]])
    rows = query("SELECT id, n, home, max(words) FROM nodes SEMI JOIN batch USING (n) GROUP BY ALL").fetchall()
    texts = {id_: (number, home) for id_, number, home, _ in rows}
    wording = Wording({id_: json.loads(words or "{}") for id_, _, _, words in rows})
    edges = [(*row[:3], json.loads(row[3])) for row in query(_OF_BATCH).fetchall()]
    ids = [*{end for edge in edges for end in edge[:2]}]
    chosen = "nodes WHERE n IN (SELECT n FROM batch) OR id IN (SELECT unnest(?)) ORDER BY n"
    nodes = ((id_, node) for _, id_, _, node in _merged(query, chosen, [ids]))
    for source, target, attributes in find_related(graph_of({}, nodes, edges), wording):
        (number, home), (other, home_of_other) = texts[source], texts[target]
        if home != home_of_other and artifacts[number] & artifacts[other]:
            found = [number, attributes["weight"], json.dumps(attributes), other]
            query("INSERT INTO edges SELECT ?, n, 'related', ?, false, ?, url FROM numbers WHERE n = ?", found)


def _merged_edges(query: Query) -> Iterator[NumberedEdge]:
    """Yield the edges in order, each with its target's URL; those of several parts are merged."""
    ordered = query("SELECT source, target, relation, url, attributes FROM edges ORDER BY source, target, relation")
    for (source, target, relation, url), rows in groupby(_rows(ordered), key=itemgetter(0, 1, 2, 3)):
        yield source, target, relation, merge_edges([*map(json.loads, {row[4] for row in rows})]), url


def _merged_nodes(query: Query) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the nodes with community and rank: those of several parts, merged, then the others part by part.

    To sort the others, too, DuckDB would need memory for their texts.
    """

    def labels_of(numbers: Collection[Any]) -> dict[Any, str]:
        chosen = _merged(query, "nodes WHERE n IN (SELECT unnest(?)) ORDER BY n", [[*numbers]])
        return {number: str(node.get("label", id_)) for number, id_, _, node in chosen}

    with_area = _merged(query, "nodes WHERE attributes ->> '$.area' <> '' ORDER BY n")
    areas: Any = {number: node["area"] for number, _, _, node in with_area}
    ties = _ties(query)
    tied: Any = ties.nodes
    names, ranked = communities_of_ties(ties, areas, labels_of), ranks(ties)
    del ties  # some hundred MB
    about = "SELECT target, count(DISTINCT source) FROM edges WHERE relation = 'about' GROUP BY target"
    counts = dict(query(about).fetchall())
    # Sorted as a table they take less memory than sorted while they are joined.
    query("CREATE TABLE of_several AS SELECT n, id, read, attributes FROM nodes WHERE several")
    for which in ("of_several ORDER BY n", "nodes WHERE NOT several"):
        for number, id_, read, merged in _merged(query, which):
            # Community and rank of a part are those within a show.
            node = {name: value for name, value in merged.items() if name not in ("community", "rank")}
            place = bisect_left(tied, number)
            if tied[place : place + 1] == [number]:
                node["community"], node["rank"] = names[place], ranked[place]
            elif tied and read and node["kind"] == "episode":
                node["community"] = OTHERS
            if number in counts:
                node["count"] = counts[number]
            yield number, id_, node


def _merged(
    query: Query, which: str, parameters: Collection[object] = ()
) -> Iterator[tuple[int, str, bool, dict[str, Any]]]:
    """Yield the number, the id, whether it was read, and the attributes of each node, merged.

    ``which`` has a table and conditions in SQL; the rows of a node have to follow each other.
    """
    found = query(f"SELECT n, id, read, attributes FROM {which}", [*parameters])  # noqa: S608 - written here
    for (number, id_, read), rows in groupby(_rows(found), key=itemgetter(0, 1, 2)):
        yield number, id_, read, merge_nodes([*map(json.loads, {row[3] for row in rows})])


def _ties(query: Query) -> Ties:
    """Return the ties of the graph. Its nodes are their numbers, which begin at 1, instead of ids."""
    columns = query(_TIES, {"tying": [*TYING], "lightest": LIGHTEST}).fetchnumpy()
    source, target, code, weight = (columns[name] for name in ("source", "target", "code", "weight"))
    size = 1 + max(source.max(initial=0), target.max(initial=0))
    tied = np.bincount(source, minlength=size) + np.bincount(target, minlength=size) > 0
    numbers: Any = np.flatnonzero(tied)
    texts = np.isin(numbers, query(_TEXTS, [sorted(SOURCES)]).fetchnumpy()["n"])
    for limit in ("20MB", _MEMORY):  # DuckDB frees what it holds beyond a limit
        query(f"SET memory_limit = '{limit}'")
    places = np.cumsum(tied, dtype=np.int32) - 1
    source[:], target[:] = places[source], places[target]  # in place: there are millions
    return ties_of(numbers.tolist(), texts, Edges(source, target, weight), code)
