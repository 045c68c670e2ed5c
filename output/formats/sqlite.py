"""A SQLite database, for SQL, Datasette and quick questions about big graphs.

Tables ``nodes``, ``edges``, ``evidence`` and ``episodes``, with foreign keys and indexes; ``nodes_fts`` for
full-text search; the views ``citations`` and ``related``. Edges refer to nodes by their number ``n``, to keep the
file small. ``name`` is filled in every row of ``nodes``, for Datasette. Attributes without a column are
JSON in ``attributes``. ``about`` contains the graph's own attributes.
"""

from __future__ import annotations

import json
import math
import os
import secrets
import shutil
import sqlite3
from array import array
from collections import defaultdict
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from podgraph.extractors import OutputError, SourceError
from podgraph.graph import fold, is_quote_of_transcript, keys_of, searched_texts

from ..files import atomic_file, output_errors
from .shared.citations import name_of, text_of
from .shared.flatten import clean_text
from .shared.plain import edges_in_order, graph_of, node_ids, plain_attributes
from .shared.sqlite_tables import (
    APPLICATION,
    EDGES,
    EPISODE_COLUMNS,
    EVIDENCE_COLUMNS,
    INDEXES,
    NODE_COLUMNS,
    NODES,
    PRAGMAS,
    TABLES,
    VERSION,
    edges_of,
    node_of,
    open_database,
    tokens_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, BinaryIO

    from podgraph.graph import NodeAttributes

    from .shared.plain import Graph, Json

    # The numbers of source and target, the relation, the attributes, and the target's URL.
    NumberedEdge = tuple[int, int, str, Mapping[str, object], str | None]

    _Columns = Mapping[str, tuple[int, tuple[type, ...]]]  # name -> place in a row, fitting types
    _Insert = Callable[[str, Iterable[tuple[object, ...]]], None]

_AT_ONCE = 5000  # rows
_NODES = f"nodes (n, id, {', '.join(NODE_COLUMNS)}, degree, attributes)"
_NODE, _EPISODE, _EVIDENCE = (
    {name: (place, types) for place, (name, types) in enumerate(columns.items())}
    for columns in (NODE_COLUMNS, EPISODE_COLUMNS, EVIDENCE_COLUMNS)
)
_WORDS = "nodes_fts (rowid, label, names, place, notes, said)"
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_clean = lru_cache(4096)(clean_text)  # most texts of evidence come again and again


def to_sqlite(graph: Graph) -> bytes:
    """Return the bytes of a SQLite database of ``graph``.

    >>> import networkx
    >>> to_sqlite(networkx.MultiDiGraph())[:15]
    b'SQLite format 3'
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        _fill(database, graph)
        return database.serialize()


def write_sqlite(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write ``graph`` as a database to the file ``path``, all or nothing. Raises ``OutputError``."""
    with new_database(path) as database:
        _fill(database, graph)


@contextmanager
def new_database(path: str | os.PathLike[str]) -> Iterator[sqlite3.Connection]:
    """Give an empty database that becomes the file ``path`` when the block ends. Raises ``OutputError``."""
    target = Path(os.path.realpath(path))
    with atomic_file(path) as stream, _scratch(target.parent) as (scratch, database):
        try:
            yield database
        except sqlite3.OperationalError as error:
            remedy = "free some space, or narrow the graph"
            raise OutputError(f"cannot be written: {error}", source=os.fspath(path), remedy=remedy) from error
        shutil.copyfileobj(scratch, stream, 1 << 20)


def read_sqlite(path: str | os.PathLike[str]) -> Graph:
    """Return the graph of a database written by podgraph. Raises ``SourceError``."""
    source = os.fspath(path)
    try:
        with closing(open_database(path)) as database:
            about = {name: json.loads(value) for name, value in database.execute("SELECT name, value FROM about")}
            nodes = ((row[0], node_of(row, json.loads)) for row in database.execute(f"{NODES} ORDER BY n"))
            edges = edges_of(database.execute(f"{EDGES} ORDER BY e.id, v.place"), json.loads)
            return graph_of(about, nodes, edges)
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise SourceError(f"cannot be read: {error}", source=source, remedy="write it anew") from error


@contextmanager
def _scratch(folder: Path) -> Iterator[tuple[BinaryIO, sqlite3.Connection]]:
    """Give an empty database on the disk of ``folder``, without a name where the system allows it."""
    with output_errors(str(folder)):
        # files.py removes files with this name after a killed process.
        home = folder / f".podgraph-{os.getpid()}-{secrets.token_hex(4)}.tmp"
        try:
            home.mkdir(mode=0o700)
            file = home / "graph.sqlite"
            with file.open("xb+") as scratch, closing(sqlite3.connect(file, isolation_level=None)) as database:
                with suppress(OSError):
                    # Open files live on without a name, and vanish with their process.
                    file.unlink()
                    home.rmdir()
                yield scratch, database
        finally:
            shutil.rmtree(home, ignore_errors=True)


def _fill(database: sqlite3.Connection, graph: Graph) -> None:
    """Fill the tables with a graph in memory. Nodes are numbered in the order of their ids."""
    ids = node_ids(graph, clean_text)
    numbers = {name: number for number, name in enumerate(sorted(ids.values()), 1)}
    urls = {name: text_of(graph.nodes[node], "url") for node, name in ids.items()}
    edges = (
        (numbers[source], numbers[target], relation, attributes, urls[target])
        for source, target, relation, attributes in edges_in_order(graph, ids, clean_text)
    )
    nodes = ((numbers[name], name, plain_attributes(graph.nodes[node])) for node, name in ids.items())
    fill(database, plain_attributes(graph.graph), edges, nodes, numbers.get, len(ids))


def fill(
    database: sqlite3.Connection,
    about: Mapping[str, object],
    edges: Iterable[NumberedEdge],
    nodes: Iterable[tuple[int, str, dict[str, Json]]],
    number_of: Callable[[str], int | None],
    count: int,
) -> None:
    """Create the tables in an empty database, and fill them.

    ``about`` are the graph's own attributes. ``edges``, in order, are read before ``nodes``, which have (number, id,
    attributes) and are added fastest in order. ``number_of`` gives the number of a podcast by its id; ``count`` is the
    number of nodes.
    """
    database.executescript(PRAGMAS)
    ours = f"PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION};"
    database.executescript(f"{ours} BEGIN; {TABLES.read_text('utf-8')}")
    rows = ((name, clean_text(_encode(value))) for name, value in about.items())
    database.executemany("INSERT INTO about VALUES (?, ?)", rows)
    with _inserting(database) as insert:
        degrees, said = _insert_edges(insert, edges, count)
        for number, name, values in nodes:
            plain = cast("NodeAttributes", values)
            insert("keys", [(field, clean_text(key), number) for field, key in keys_of(name, plain)])
            texts = (*searched_texts(name, plain), "\n".join(said.get(number, ())))
            insert(_WORDS, [(number, *map(tokens_of, texts))])
            if values.get("kind") == "episode":
                podcast = values.get("podcast")
                parent = number_of(podcast) if isinstance(podcast, str) else None
                columns, _ = _fitting(values, _EPISODE)
                insert("episodes", [(number, name, name_of(values, name), parent, *columns)])
            columns, rest = _fitting(values, _NODE)
            insert(_NODES, [(number, name, *columns, degrees[number], _rest(rest))])
    database.executescript(f"BEGIN; {INDEXES.read_text('utf-8')} COMMIT;")  # it ends the transaction before


def _insert_edges(
    insert: _Insert, edges: Iterable[NumberedEdge], count: int
) -> tuple[array[int], defaultdict[int, list[str]]]:
    """Insert edges and their evidence.

    Returns the number of edges at each node, and the folded quotes from transcripts of each source.
    """
    degrees = array("L", [0]) * (count + 1)
    said: defaultdict[int, list[str]] = defaultdict(list)
    for number, (source, target, relation, attrs, url) in enumerate(edges, 1):
        degrees[source] += 1
        degrees[target] += 1
        evidence, values = _evidence_and_rest(attrs)
        if quotes := [fold(str(item["quote"])) for item in evidence if is_quote_of_transcript(item)]:
            said[source] += quotes
        insert("evidence", [_evidence_row(number, place, item, url) for place, item in enumerate(evidence, 1)])
        weight = values.pop("weight") if _is_number(values.get("weight")) else None
        boilerplate = values.pop("boilerplate") if values.get("boilerplate") is True else None
        reasons = clean_text(_encode(values.pop("reasons"))) if "reasons" in values else None
        insert("edges", [(number, source, target, relation, weight, boilerplate, reasons, _rest(values))])
    return degrees, said


@contextmanager
def _inserting(database: sqlite3.Connection) -> Iterator[_Insert]:
    """Yield a function for inserting rows into tables, thousands at a time."""
    waiting: defaultdict[str, list[tuple[object, ...]]] = defaultdict(list)

    def flush(table: str) -> None:
        rows = waiting.pop(table)
        places = ", ".join("?" * len(rows[0]))
        database.executemany(f"INSERT INTO {table} VALUES ({places})", rows)  # noqa: S608 - constants

    def insert(table: str, rows: Iterable[tuple[object, ...]]) -> None:
        waiting[table] += rows
        if len(waiting[table]) >= _AT_ONCE:
            flush(table)

    yield insert
    for table in list(filter(waiting.get, waiting)):
        flush(table)


def _evidence_and_rest(attrs: Mapping[str, object]) -> tuple[list[dict[str, object]], dict[str, Json]]:
    """Return the evidence of an edge and its other attributes. A list of anything else is one of these."""
    evidence = attrs.get("evidence")
    if not isinstance(evidence, list) or not evidence or not all(isinstance(item, dict) for item in evidence):
        return [], plain_attributes(attrs)
    return evidence, plain_attributes({name: value for name, value in attrs.items() if name != "evidence"})


def _evidence_row(edge: int, place: int, item: dict[str, object], url: str | None) -> tuple[object, ...]:
    """Return a row of evidence. Its URL is ``None`` where it equals ``url``, the artifact's, and "" without a URL."""
    (own, *columns), rest = _fitting(item, _EVIDENCE)
    return edge, place, None if own == url else own or "", *columns, _rest(plain_attributes(rest)) if rest else None


def _fitting(values: Mapping[str, Any], columns: _Columns) -> tuple[list[object], dict[str, object]]:
    """Return the values for the columns, and the remaining attributes."""
    row: list[object] = [None] * len(columns)
    rest = {}
    for name, value in values.items():
        place, types = columns.get(name, (0, ()))
        form = type(value)
        if form not in types:
            rest[name] = value
        elif form is str:
            row[place] = _clean(value)
        elif form is list:
            row[place] = clean_text(_encode(value))
        elif _is_number(value):
            row[place] = value
        else:
            rest[name] = value
    return row, rest


def _rest(values: Mapping[str, object]) -> str | None:
    return clean_text(_encode(values)) if values else None


def _is_number(value: object) -> bool:
    return (type(value) is float and math.isfinite(value)) or (type(value) is int and -(2**63) <= value < 2**63)
