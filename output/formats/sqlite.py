"""A SQLite database, for SQL, Datasette and quick questions about big graphs.

Tables ``nodes``, ``edges``, ``evidence`` and ``episodes``, with foreign keys and indexes; ``nodes_fts`` for
full-text search; the views ``citations`` and ``related``. The key of a node is its id, so that Datasette's links lead
to it, and ``name`` is filled in every row. What has no column of its own is JSON in ``attributes``; ``area`` and the
like are columns besides, for those who ask in SQL. ``about`` holds the graph's own attributes.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sqlite3
from collections import defaultdict
from contextlib import closing, contextmanager, suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, cast

from podgraph.extractors import OutputError, SourceError
from podgraph.graph import keys_of, searched_words

from ..files import atomic_file, output_errors
from .shared.citations import name_of
from .shared.flatten import clean_text
from .shared.plain import edges_in_order, graph_of, node_ids, plain_attributes
from .shared.sqlite_tables import (
    APPLICATION,
    EPISODE_NUMBERS,
    EPISODE_TEXTS,
    EVIDENCE_COLUMNS,
    EVIDENCE_TEXTS,
    HAS_PARTS,
    INDEXES,
    NODE_COPIES,
    NODE_TEXTS,
    PRAGMAS,
    TABLES,
    TERMS,
    TITLE_PARTS,
    VERSION,
    open_database,
    words_as_tokens,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import BinaryIO

    from podgraph.graph import NodeAttributes

    from .shared.plain import Edge, Graph, Json, Node

_AT_ONCE = 5000  # rows
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


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
    target = Path(os.path.realpath(path))
    with atomic_file(path) as stream, _scratch(target.parent) as (scratch, database):
        try:
            _fill(database, graph)
        except sqlite3.OperationalError as error:
            remedy = "free some space, or narrow the graph"
            raise OutputError(f"cannot be written: {error}", source=os.fspath(path), remedy=remedy) from error
        shutil.copyfileobj(scratch, stream, 1 << 20)


def read_sqlite(path: str | os.PathLike[str]) -> Graph:
    """Return the graph of a database that podgraph wrote. Raises ``SourceError``."""
    source = os.fspath(path)
    try:
        with closing(open_database(path)) as database:
            about = {name: json.loads(value) for name, value in database.execute("SELECT name, value FROM about")}
            return graph_of(about, _read_nodes(database), _read_edges(database))
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise SourceError(f"cannot be read: {error}", source=source, remedy="write it anew") from error


@contextmanager
def _scratch(folder: Path) -> Iterator[tuple[BinaryIO, sqlite3.Connection]]:
    """Give an empty database on the disk of ``folder``, without a name where the system allows that."""
    with output_errors(str(folder)):
        # Named as files.py names what it clears away after a killed process.
        home = folder / f".podgraph-{os.getpid()}-{secrets.token_hex(4)}.tmp"
        try:
            home.mkdir(mode=0o700)
            file = home / "graph.sqlite"
            with (
                file.open("xb+") as scratch,
                closing(sqlite3.connect(file, isolation_level=None)) as database,
            ):
                with suppress(OSError):
                    # Open files live on without a name, and vanish with their process.
                    file.unlink()
                    home.rmdir()
                yield scratch, database
        finally:
            shutil.rmtree(home, ignore_errors=True)


def _fill(database: sqlite3.Connection, graph: Graph) -> None:
    ids = node_ids(graph, clean_text)
    database.executescript(PRAGMAS)
    database.executescript(f"PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION}; BEGIN;{TABLES}")
    if HAS_PARTS:
        database.execute(TITLE_PARTS)
    about = ((name, clean_text(_encode(value))) for name, value in plain_attributes(graph.graph).items())
    database.executemany("INSERT INTO about VALUES (?, ?)", about)
    columns = ", ".join(("n", "id", "name", *NODE_TEXTS, "attributes", *NODE_COPIES))
    with _inserting(database) as insert:
        known = frozenset(ids.values())
        for number, (node, name) in enumerate(ids.items(), 1):
            values = plain_attributes(graph.nodes[node])
            plain = cast("NodeAttributes", values)
            keys = [(field, clean_text(key)) for field, key in keys_of(name, plain)]
            insert("keys", ((field, key, number) for field, key in keys))
            found = dict(keys)
            if HAS_PARTS and "slug" in found:
                insert("title_parts (rowid, title, slug)", [(number, found.get("title"), found["slug"])])
            *names, notes = (words_as_tokens(words) for words in searched_words(name, plain))
            insert("name_words (rowid, label, names, id, url)", [(number, *names)])
            insert("note_words (rowid, notes)", [(number, notes)])
            if values.get("kind") == "episode":
                insert("episodes", [_episode_row(name, values, known)])
            insert(f"nodes ({columns})", [_node_row(number, name, values)])
        for number, (source, target, relation, attrs) in enumerate(edges_in_order(graph, ids, clean_text), 1):
            values = plain_attributes(attrs)
            insert("evidence", [_evidence_row(number, item) for item in _take_evidence(values)])
            weight = values.pop("weight") if _is_number(values.get("weight")) else None
            reasons = clean_text(_encode(values.pop("reasons"))) if "reasons" in values else None
            insert("edges", [(number, source, target, relation, weight, reasons, _rest(values))])
    database.executescript(f"BEGIN; {INDEXES} INSERT INTO name_terms {TERMS}; COMMIT;")


@contextmanager
def _inserting(database: sqlite3.Connection) -> Iterator[Callable[[str, Iterable[tuple[object, ...]]], None]]:
    """Give what takes rows of tables, and inserts them thousands at a time."""
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


def _take_evidence(values: dict[str, Json]) -> list[dict[str, Json]]:
    """Take the evidence out of an edge's attributes; what is none stays there."""
    evidence = values.get("evidence")
    found = [item for item in evidence if isinstance(item, dict)] if isinstance(evidence, list) else []
    if not found or not isinstance(evidence, list) or len(found) < len(evidence):
        return []
    del values["evidence"]
    return found


def _node_row(number: int, name: str, values: dict[str, Json]) -> tuple[object, ...]:
    called = name_of(values, name)
    return (number, name, called, *_texts(values, NODE_TEXTS), _rest(values), *_copies(values))


def _copies(values: dict[str, Json]) -> Iterator[object]:
    """Yield what has a column besides: texts and numbers as they are, lists as JSON."""
    for name in NODE_COPIES:
        value = values.get(name)
        fits = isinstance(value, str) if name != "rank" else _is_number(value)
        nested = clean_text(_encode(value)) if isinstance(value, list) else None
        yield clean_text(value) if isinstance(value, str) and fits else value if fits else nested


def _episode_row(name: str, values: dict[str, Json], known: frozenset[str]) -> tuple[object, ...]:
    number, season, duration = (values[key] if _is_number(values.get(key)) else None for key in EPISODE_NUMBERS)
    title, date, guid, url, audio = _texts(dict(values), EPISODE_TEXTS)
    podcast = values.get("podcast")
    parent = podcast if isinstance(podcast, str) and podcast in known else None
    return name, name_of(values, name), number, season, title, date, duration, parent, guid, url, audio


def _evidence_row(edge: int, item: dict[str, Json]) -> tuple[object, ...]:
    values = dict(item)
    row: list[Json] = [None, edge]
    for name in EVIDENCE_COLUMNS:
        value = values.get(name)
        fits = type(value) is str if name in EVIDENCE_TEXTS else _is_number(value)
        fits = fits or (name == "time" and _is_number(value))
        row.append(clean_text(value) if fits and isinstance(value, str) else value if fits else None)
        if fits:
            del values[name]
    return (*row, _rest(values))


def _texts(values: dict[str, Json], names: tuple[str, ...]) -> list[str | None]:
    """Take the texts of these names out of ``values``; what is no text stays."""
    return [clean_text(str(values.pop(name))) if type(values.get(name)) is str else None for name in names]


def _rest(values: dict[str, Json]) -> str:
    return clean_text(_encode(values)) if values else "{}"


def _is_number(value: object) -> bool:
    return type(value) is float or (type(value) is int and -(2**63) <= value < 2**63)


def _read_nodes(database: sqlite3.Connection) -> Iterator[Node]:
    rows = database.execute(f"SELECT id, attributes, {', '.join(NODE_TEXTS)} FROM nodes ORDER BY n")  # noqa: S608 - constants
    for node, attributes, *texts in rows:
        found = {name: text for name, text in zip(NODE_TEXTS, texts, strict=True) if text is not None}
        yield node, found | json.loads(attributes)


def _read_edges(database: sqlite3.Connection) -> Iterator[Edge]:
    names = ", ".join(f'v."{name}"' for name in EVIDENCE_COLUMNS)
    rows = database.execute(
        "SELECT e.id, e.source, e.target, e.relation, e.weight, e.reasons, e.attributes, v.attributes, "  # noqa: S608 - constants
        f"{names} FROM edges e LEFT JOIN evidence v ON v.edge = e.id ORDER BY e.id, v.id"
    )
    # One row a piece of evidence; the rows of an edge follow each other.
    for _, found in groupby(rows, key=itemgetter(0)):
        (_, source, target, relation, weight, reasons, attributes, *_), *_ = several = list(found)
        attrs = {} if weight is None else {"weight": weight}
        attrs |= {} if reasons is None else {"reasons": json.loads(reasons)}
        attrs |= json.loads(attributes)
        evidence = [
            {name: value for name, value in zip(EVIDENCE_COLUMNS, fields, strict=True) if value is not None}
            | json.loads(more)
            for *_, more, fields in ((*row[:8], row[8:]) for row in several)
            if more is not None
        ]
        yield source, target, relation, attrs | ({"evidence": evidence} if evidence else {})
