"""The tables of a SQLite graph, and how to recognise one.

A node has a number ``n``, in the order of ids; edges and evidence refer to it. A piece of evidence has a URL only
where it differs from the artifact's ("" without a URL). ``keys`` contains the keys for finding nodes
(``graph/queries/keys.py``), ``nodes_fts`` the search index (``graph/queries/search.py``), ``terms`` the words of
names, for prefixes and misspellings.
"""

from __future__ import annotations

import os
import sqlite3
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from podgraph.extractors import SourceError
from podgraph.graph import WORD

TABLES, INDEXES = (Path(__file__).with_name(f"{name}.sql") for name in ("tables", "indexes"))
_BYTES = "zzxq"  # ahead of the bytes of a word, if SQLite may split it

PRAGMAS = "PRAGMA page_size=16384; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
APPLICATION = 0x706F6467  # "podg"
VERSION = 5  # of the tables; a file of an older version has to be built again
_TEXT, _NUMBER, _LIST = (str,), (int, float), (list,)
# Columns and their types; other attributes are in `attributes`. A list is JSON.
NODE_COLUMNS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("kind", "label", "url", "title", "date", "area", "repo", "path", "author", "state"), _TEXT),
    **dict.fromkeys(("status", "community", "podcast", "summary"), _TEXT),
    **dict.fromkeys(("number", "season", "rank", "x", "y"), _NUMBER),
    **dict.fromkeys(("aliases", "names"), _LIST),
}
EPISODE_COLUMNS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("number", "season"), _NUMBER),
    **dict.fromkeys(("title", "date"), _TEXT),
    "duration": _NUMBER,
    **dict.fromkeys(("guid", "url", "audio_url"), _TEXT),
}
EVIDENCE_COLUMNS: dict[str, tuple[type, ...]] = {
    "url": _TEXT,
    "field": _TEXT,
    **dict.fromkeys(("start", "end"), _NUMBER),
    **dict.fromkeys(("quote", "method", "extractor"), _TEXT),
    "confidence": _NUMBER,
    **dict.fromkeys(("ref", "lines"), _TEXT),
    "time": (*_TEXT, *_NUMBER),
}
_LISTS = tuple(name for name, types in NODE_COLUMNS.items() if list in types)

# A row for each node; `node_of` reads it.
NODES = f"SELECT id, attributes, {', '.join(NODE_COLUMNS)} FROM nodes"  # noqa: S608 - constants
# A row for each piece of evidence of an edge, and one for an edge without any; `edges_of` reads them.
_EVIDENCE = ", ".join(f'v."{name}"' for name in EVIDENCE_COLUMNS)
EDGES = (
    "SELECT e.id, s.id, t.id, e.relation, e.weight, e.boilerplate, e.reasons, e.attributes, t.url, v.place, "  # noqa: S608 - constants
    f"v.attributes, {_EVIDENCE} FROM edges e JOIN nodes s ON s.n = e.source JOIN nodes t ON t.n = e.target "
    "LEFT JOIN evidence v ON v.edge = e.id"
)
# The tables for questions.
_READ = frozenset(("about", "nodes", "edges", "evidence", "episodes", "keys", "nodes_fts", "terms", "relations"))
_STEPS = 100_000_000  # of SQLite's machine between two questions whether to go on; and 100 for each byte of the file
_ONE_STEP = 1_000_000
_LONGEST = 64 << 20  # bytes of a row
_MARK = 68  # where the head of a SQLite file has the application's id
_NO_GRAPH, _REMEDY = "is not a graph of podgraph", "give a file that podgraph wrote"


def open_database(path: str | os.PathLike[str]) -> sqlite3.Connection:
    """Open an untrusted SQLite graph for reading. Raises ``SourceError`` for other files.

    No code in the file runs: views and triggers in place of tables are refused, functions in the schema are not
    trusted, and a query is interrupted if it takes longer than any of ours on a file of this size.
    """
    source = os.fspath(path)
    if not Path(source).is_file():
        raise SourceError("does not exist", source=source, remedy="make it with podgraph build")
    whole = Path(source).absolute().as_posix()
    address = "".join({"%": "%25", "?": "%3f", "#": "%23"}.get(letter, letter) for letter in whole)
    # SQLite would make -wal and -shm files beside a database in WAL mode, although nothing is written. An existing
    # log or journal must be read with the database.
    lone = not any(Path(f"{whole}{end}").exists() for end in ("-wal", "-journal"))
    database = sqlite3.connect(
        f"file:{'' if address[0] == '/' else '/'}{address}?mode=ro{'&immutable=1' if lone else ''}", uri=True
    )
    try:
        limit_query(database, Path(source).stat().st_size)
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        database.execute("PRAGMA trusted_schema=OFF")
        database.execute("PRAGMA query_only=ON")
        problem, remedy = _problem(database)
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter of a damaged schema
        problem, remedy = f"cannot be read ({error})" if _is_ours(source) else _NO_GRAPH, _REMEDY
    if problem:
        database.close()
        raise SourceError(problem, source=source, remedy=remedy)
    return database


def limit_query(database: sqlite3.Connection, size: int) -> None:
    """Let the next query take so long as one of ours may on a file of ``size`` bytes: more is an ``sqlite3.Error``."""
    steps = iter(range((_STEPS + 100 * size) // _ONE_STEP))
    database.set_progress_handler(lambda: next(steps, None) is None, _ONE_STEP)


def _problem(database: sqlite3.Connection) -> tuple[str, str]:
    """Return the error in a database ("" without one) and the remedy."""
    if database.execute("PRAGMA application_id").fetchone() != (APPLICATION,):
        return _NO_GRAPH, _REMEDY
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION:
        if version > VERSION:
            return f"is of a newer podgraph (tables of version {version})", "update podgraph"
        return f"is of an older podgraph (tables of version {version})", "build it again"
    kinds = dict(database.execute("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view')"))
    if strange := sorted(name for name in _READ & kinds.keys() if kinds[name] != "table"):
        return f"has a view where the table {strange[0]} is meant", _REMEDY
    with closing(database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")) as found:
        trigger = found.fetchone()
    return (f"has a trigger, {trigger[0]}", _REMEDY) if trigger else ("", "")


def _is_ours(source: str) -> bool:
    """Return whether a file unreadable for SQLite has our mark: then it is a damaged graph, not a foreign file."""
    with Path(source).open("rb") as stream:
        head = stream.read(_MARK + 4)
    return head[_MARK:] == APPLICATION.to_bytes(4, "big")


def node_of(row: Sequence[Any], parse: Callable[[str], Any]) -> dict[str, Any]:
    """Return the attributes of a node from a row of ``NODES``. ``parse`` reads JSON."""
    attributes = {name: value for name, value in zip(NODE_COLUMNS, row[2:], strict=True) if value is not None}
    for name in _LISTS:
        if name in attributes:
            attributes[name] = parse(attributes[name])
    return attributes | parse(row[1]) if row[1] else attributes


def edges_of(
    rows: Iterable[Sequence[Any]], parse: Callable[[str], Any]
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Yield (source id, target id, relation, attributes) from the rows of ``EDGES``; ``parse`` reads JSON.

    The rows of an edge have to follow each other.
    """
    for _, found in groupby(rows, key=itemgetter(0)):
        (_, source, target, relation, weight, boilerplate, reasons, more, *_), *_ = several = list(found)
        attributes: dict[str, Any] = {} if weight is None else {"weight": weight}
        attributes |= {"boilerplate": True} if boilerplate else {}
        attributes |= {} if reasons is None else {"reasons": parse(reasons)}
        attributes |= parse(more) if more else {}
        if evidence := [_evidence_of(row[8], row[10:], parse) for row in several if row[9] is not None]:
            attributes["evidence"] = evidence
        yield source, target, relation, attributes


def _evidence_of(url: str | None, row: Sequence[Any], parse: Callable[[str], Any]) -> dict[str, Any]:
    """Return a piece of evidence. ``url`` is the artifact's address, the default for the evidence's own."""
    found = {name: value for name, value in zip(EVIDENCE_COLUMNS, row[1:], strict=True) if value is not None}
    own = found.get("url", url)
    if own:
        found["url"] = own
    else:
        found.pop("url", None)  # an empty text: no address, not even the artifact's
    return found | parse(row[0]) if row[0] else found


def tokens_of(text: str) -> str:
    """Return a folded text as the index takes it: as it is where SQLite finds the same words, else its tokens."""
    return text if text.isascii() and _BYTES not in text else " ".join(map(token, WORD.findall(text)))


def token(word: str) -> str:
    """Return a word of search as the index keeps it: itself, or its bytes where SQLite may not know its letters.

    Unicode 3.2 is older than any SQLite.

    >>> token("vmap"), word_of(token("\U00010d00"))
    ('vmap', '\U00010d00')
    """
    known = word.isascii() or all(unicodedata.ucd_3_2_0.category(letter)[0] in "LN" for letter in word)
    return word if known and not word.startswith(_BYTES) else _BYTES + word.encode("utf-8", "surrogatepass").hex()


def word_of(term: str) -> str:
    """Return the word of a token."""
    known = term.startswith(_BYTES)
    return bytes.fromhex(term.removeprefix(_BYTES)).decode("utf-8", "replace") if known else term
