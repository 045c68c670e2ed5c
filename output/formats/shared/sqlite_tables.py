"""The tables of a SQLite graph, and how to know one.

``keys`` is what nodes are found by (``graph/queries/keys.py``), ``title_parts`` any part of titles and slugs.
``name_words`` and ``note_words`` are the words that search reads (``graph/queries/search.py``), ``nodes_fts`` is for
those who ask by hand.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable

TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE nodes (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  kind TEXT,
  label TEXT,
  url TEXT,
  title TEXT,
  date TEXT,
  area TEXT,
  repo TEXT,
  path TEXT,
  author TEXT,
  state TEXT,
  community TEXT,
  rank REAL,
  aliases TEXT,
  names TEXT,
  summary TEXT,
  n INTEGER NOT NULL UNIQUE,
  attributes TEXT NOT NULL DEFAULT '{}'
);
CREATE TABLE keys (
  field TEXT NOT NULL,
  key TEXT NOT NULL,
  n INTEGER NOT NULL
);
CREATE VIRTUAL TABLE name_words USING fts5(
  label, names, id, url, content='', detail=column, tokenize="ascii tokenchars '_'"
);
CREATE VIRTUAL TABLE note_words USING fts5(notes, content='', detail=none, tokenize="ascii tokenchars '_'");
CREATE VIRTUAL TABLE name_vocabulary USING fts5vocab(name_words, 'col');
CREATE TABLE name_terms (
  term TEXT PRIMARY KEY,
  names INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE episodes (
  id TEXT PRIMARY KEY REFERENCES nodes(id),
  name TEXT NOT NULL,
  number INTEGER,
  season INTEGER,
  title TEXT,
  date TEXT,
  duration INTEGER,
  podcast TEXT REFERENCES nodes(id),
  guid TEXT,
  url TEXT,
  audio_url TEXT
);
CREATE TABLE edges (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL REFERENCES nodes(id),
  target TEXT NOT NULL REFERENCES nodes(id),
  relation TEXT NOT NULL,
  weight,
  reasons TEXT,
  attributes TEXT NOT NULL DEFAULT '{}'
);
CREATE TABLE evidence (
  id INTEGER PRIMARY KEY,
  edge INTEGER NOT NULL REFERENCES edges(id),
  field TEXT,
  start INTEGER,
  "end" INTEGER,
  quote TEXT,
  method TEXT,
  extractor TEXT,
  confidence REAL,
  url TEXT,
  ref TEXT,
  lines TEXT,
  time,
  attributes TEXT NOT NULL DEFAULT '{}'
);
"""
# Any three letters of a title or slug; SQLite knows such tables since 3.34 (2020), and without it all titles are read.
TITLE_PARTS = """
CREATE VIRTUAL TABLE title_parts USING fts5(
  title, slug, content='', detail=column, tokenize="trigram case_sensitive 1"
);
"""
HAS_PARTS = sqlite3.sqlite_version_info >= (3, 34)
_PART = 3  # letters
# The words of names, each with how many labels and other names hold it: read a hundred times faster than counted.
TERMS = """
  SELECT term, sum(CASE WHEN col IN ('label', 'names') THEN doc ELSE 0 END) AS names FROM name_vocabulary GROUP BY term
"""
INDEXES = """
CREATE UNIQUE INDEX edges_by_source ON edges(source, relation, target);
CREATE INDEX edges_by_target ON edges(target, relation);
CREATE INDEX evidence_by_edge ON evidence(edge);
CREATE INDEX nodes_by_kind ON nodes(kind, id);
CREATE INDEX keys_by_key ON keys(field, key, n);
CREATE INDEX nodes_by_url ON nodes(url);
CREATE INDEX episodes_by_date ON episodes(date);
CREATE VIRTUAL TABLE nodes_fts USING fts5(
  name, label, title, names, aliases, summary, url, id, content="nodes", content_rowid="n",
  tokenize="unicode61 remove_diacritics 2"
);
INSERT INTO nodes_fts(nodes_fts) VALUES ('rebuild');
CREATE VIEW citations AS
  SELECT a.name AS episode, b.name AS thing, b.kind AS kind, v.quote AS quote, CAST(v.time AS REAL) AS moment,
    coalesce(v.url, b.url) AS link, e.relation AS relation, a.date AS date, v.method AS method,
    v.confidence AS confidence, e.source AS episode_id, e.target AS thing_id
  FROM edges e JOIN nodes a ON a.id = e.source JOIN nodes b ON b.id = e.target
    LEFT JOIN evidence v ON v.edge = e.id
  WHERE v.id IS NOT NULL OR e.relation IN ('cites', 'mentions', 'about');
CREATE VIEW related AS
  SELECT a.name AS episode, b.name AS related, e.weight AS weight, e.reasons AS reasons,
    e.source AS episode_id, e.target AS related_id
  FROM edges e JOIN nodes a ON a.id = e.source JOIN nodes b ON b.id = e.target WHERE e.relation = 'related'
  UNION
  SELECT b.name, a.name, e.weight, e.reasons, e.target, e.source
  FROM edges e JOIN nodes a ON a.id = e.source JOIN nodes b ON b.id = e.target WHERE e.relation = 'related';
"""
PRAGMAS = "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
APPLICATION = 0x706F6467  # "podg"
VERSION = 3  # since 2 there are `keys` and the tables of words, since 3 a node's key is its id
NODE_TEXTS = ("kind", "label", "url", "title", "date", "summary")
NODE_COPIES = ("area", "repo", "path", "author", "state", "community", "rank", "aliases", "names")  # for those who ask
EPISODE_NUMBERS = ("number", "season", "duration")
EPISODE_TEXTS = ("title", "date", "guid", "url", "audio_url")
# what else there is stands in `attributes`
EVIDENCE_COLUMNS = (
    "field",
    "start",
    "end",
    "quote",
    "method",
    "extractor",
    "confidence",
    "url",
    "ref",
    "lines",
    "time",
)
EVIDENCE_TEXTS = ("field", "quote", "method", "extractor", "url", "ref", "lines", "time")

_READ = frozenset(
    ("about", "nodes", "edges", "evidence", "episodes", "keys", "name_terms", "title_parts")
)  # tables that a question reads
_STEPS = 100_000_000  # of SQLite's machine between two questions whether to go on; and 100 for each byte of the file
_ONE_STEP = 1_000_000
_LONGEST = 64 << 20  # bytes of a row
_MARK = 68  # where the head of a SQLite file has the application's id
_REMEDY = "give a file that podgraph wrote"


def open_database(path: str | os.PathLike[str]) -> sqlite3.Connection:
    """Open a SQLite graph to be read, as what a stranger may have made. Raises ``SourceError`` for what is none.

    Nothing in the file is run: a view or a trigger where tables are meant is refused, functions in the schema are not
    trusted, and a query that takes longer than any of ours on a file of that size is given up.
    """
    source = os.fspath(path)
    if not Path(source).is_file():
        raise SourceError("does not exist", source=source, remedy="make it with podgraph build")
    whole = Path(source).absolute().as_posix()
    address = "".join({"%": "%25", "?": "%3f", "#": "%23"}.get(letter, letter) for letter in whole)
    database = sqlite3.connect(f"file:{'' if address[0] == '/' else '/'}{address}?mode=ro", uri=True)
    try:
        limit_query(database, Path(source).stat().st_size)
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        database.execute("PRAGMA trusted_schema=OFF")
        database.execute("PRAGMA query_only=ON")
        problem = _problem(database)
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter of a damaged schema
        problem = f"cannot be read ({error})" if _is_ours(source) else "is no graph of podgraph"
    if problem:
        database.close()
        raise SourceError(problem, source=source, remedy=_REMEDY)
    return database


def limit_query(database: sqlite3.Connection, size: int) -> None:
    """Let the next query take so long as one of ours may on a file of ``size`` bytes: more is an ``sqlite3.Error``."""
    steps = iter(range((_STEPS + 100 * size) // _ONE_STEP))
    database.set_progress_handler(lambda: next(steps, None) is None, _ONE_STEP)


def _problem(database: sqlite3.Connection) -> str:
    """Say what is wrong with a database; "" for nothing."""
    if database.execute("PRAGMA application_id").fetchone() != (APPLICATION,):
        return "is no graph of podgraph"
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        return f"is of a newer podgraph (version {version}; this one reads {VERSION})"
    kinds = dict(database.execute("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view')"))
    if strange := sorted(name for name in _READ & kinds.keys() if kinds[name] != "table"):
        return f"has a view where the table {strange[0]} is meant"
    with closing(database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")) as found:
        trigger = found.fetchone()
    return f"has a trigger, {trigger[0]}" if trigger else ""


def _is_ours(source: str) -> bool:
    """Tell whether a file that SQLite cannot read bears our mark: a damaged graph, then, and no foreign file."""
    with Path(source).open("rb") as stream:
        head = stream.read(_MARK + 4)
    return head[_MARK:] == APPLICATION.to_bytes(4, "big")


def words_as_tokens(words: Iterable[str]) -> str:
    """Return folded words as the tables of words hold them: a letter that is not ASCII is its number.

    What begins or holds a word, begins or holds its token, whatever SQLite takes for letters.

    >>> words_as_tokens(["vmap", "été"])
    'vmap _e9_t_e9_'
    """
    text = " ".join(words)
    return text if text.isascii() else "".join(c if c < "\x80" else f"_{ord(c):x}_" for c in text)


def holding(column: str, part: str) -> str:
    """Return the query for what holds all threes of letters of ``part`` in a column of ``title_parts``; "" for fewer.

    >>> holding("slug", "vmap")
    'slug : ("vma" AND "map")'
    """
    doubled = (part[at : at + _PART].replace('"', '""') for at in range(len(part) - _PART + 1))
    threes = dict.fromkeys(f'"{three}"' for three in doubled)
    return f"{column} : ({' AND '.join(threes)})" if threes else ""


def tokens_as_words(token: str) -> str:
    """Return the word of a token: what ``words_as_tokens`` made of it.

    >>> tokens_as_words("_e9_t_e9_")
    'été'
    """
    return "".join(chr(int(part, 16)) if at % 2 else part for at, part in enumerate(token.split("_")))
