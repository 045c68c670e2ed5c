"""Fill the tables of a graph at rest (``tables.sql``, ``indexes.sql``)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from itertools import count, islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from .checking import EDGE_TESTS, EVIDENCE_TESTS, NODE_TESTS, build_test
from .questions.keys import keys_of, searched_texts
from .store_tables import APPLICATION_ID, EVIDENCE_COLUMNS, NODE_COLUMNS, VERSION
from .words import WORD, fold

if TYPE_CHECKING:
    import sqlite3

    from .attributes import NodeAttributes


Node = tuple[Hashable, Mapping[str, Any]]  # id, attributes
EdgeRow = tuple[str, str, str, Mapping[str, Any]]  # source, target, relation, attributes

# The quotes from transcripts, by the number of the episode.
_QUOTES = """
SELECT source, group_concat(quote, char(10)) FROM (
  SELECT e.source, v.quote FROM evidence v JOIN edges e ON e.id = v.edge
  WHERE v.field = 'transcript' ORDER BY v.edge, v.place
) GROUP BY source
"""
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_FAST = "PRAGMA page_size=16384; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def create_tables(database: sqlite3.Connection) -> None:
    """Create the tables of a graph in an empty database."""
    database.isolation_level = None
    tables = Path(__file__).with_name("tables.sql").read_text("utf-8")
    numbers = f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={VERSION};"
    database.executescript(f"{_FAST} {numbers} BEGIN; {tables} COMMIT;")


def fill_database(
    database: sqlite3.Connection, about: Mapping[str, Any], nodes: Iterable[Node], edges: Iterable[tuple[Any, ...]]
) -> None:
    """Create the tables in an empty database, and fill them with ``nodes`` (id, attributes) and ``edges``.

    An edge is (source, target, relation, attributes); its ends are ids of nodes. The same graph gives the same rows, in
    whatever order its nodes and edges come. ``about`` are the graph's own attributes.
    """
    create_tables(database)
    database.execute("BEGIN")
    insert_about(database, about)
    node_attributes = dict(nodes)
    ids = _name_uniquely(node_attributes)
    node_list = sorted(((ids[node], attributes) for node, attributes in node_attributes.items()), key=itemgetter(0))
    edge_list = _sort_edges(edges, ids)
    numbers = {id_: number for number, (id_, _) in enumerate(node_list, 1)}
    urls = {id_: node.get("url") for id_, node in node_list}
    degrees = Counter(end for edge in edge_list for end in edge[:2])
    _insert_rows(database, "edges", 8, _build_edge_rows(edge_list, numbers))
    _insert_rows(database, "evidence", 3 + len(EVIDENCE_COLUMNS), _build_evidence_rows(edge_list, urls))
    node_rows = (
        (numbers[id_], id_, degrees[id_], *_split_columns(node, NODE_TESTS, NODE_COLUMNS)) for id_, node in node_list
    )
    table = f"nodes (n, id, degree, {', '.join(NODE_COLUMNS)}, attributes)"
    _insert_rows(database, table, 4 + len(NODE_COLUMNS), node_rows)
    add_indexes(database, cast("Iterable[tuple[str, NodeAttributes]]", node_list))


def insert_about(database: sqlite3.Connection, about: Mapping[str, Any]) -> None:
    """Insert ``about``, the graph's own attributes, into their table."""
    _insert_rows(database, "about", 2, ((name, _to_json(value)) for name, value in sorted(about.items())))


def add_indexes(database: sqlite3.Connection, nodes: Iterable[tuple[str, NodeAttributes]]) -> None:
    """Fill the table of keys and the full-text index, after the other tables of a graph, and commit.

    ``nodes`` are all nodes, sorted by id.
    """
    quotes = dict(database.execute(_QUOTES))
    numbered = enumerate(nodes, 1)
    while batch := [*islice(numbered, 1000)]:  # of a merge, all nodes would be too much for the memory
        keys = ((field, _clean(key), number) for number, node in batch for field, key in keys_of(*node))
        _insert_rows(database, "keys", 3, keys)
        texts = ((number, (*searched_texts(*node), fold(quotes.get(number, "")))) for number, node in batch)
        words = ((number, *map(_to_index_words, columns)) for number, columns in texts)
        _insert_rows(database, "nodes_fts (rowid, label, names, place, notes, said)", 6, words)
    # A script ends the transaction before.
    database.executescript(f"BEGIN; {Path(__file__).with_name('indexes.sql').read_text('utf-8')} COMMIT;")


def _to_index_words(text: str) -> str:
    """Return a text in the form that the full-text index splits into the same words as ``WORD`` does.

    SQLite splits texts in ASCII like this already; of others, only the words stay, with spaces between.
    """
    return text if text.isascii() else " ".join(WORD.findall(text))


def _insert_rows(database: sqlite3.Connection, table: str, width: int, rows: Iterable[tuple[Any, ...]]) -> None:
    """Insert ``rows`` into a ``table``; ``width`` is the number of values in a row."""
    database.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * width)})", rows)  # noqa: S608 - constants


def _name_uniquely(names: Collection[Hashable]) -> dict[Hashable, str]:
    """Return {name: a text for it that no other name has}. A name that is already a clean text keeps it.

    Names may be any objects; characters that the database cannot hold are replaced. Where two texts become equal, they
    get ``~2``, ``~3`` … at the end.
    """
    if all(type(name) is str and name and _clean(name) == name for name in names):
        return {name: str(name) for name in names}

    def rank(name: Hashable) -> tuple[bool, str, str]:
        """Return the sort key of a name: clean texts first, as they keep their form."""
        return (_clean(str(name)) or "_") != str(name), str(name), repr(type(name))

    texts: dict[str, Hashable] = {}
    for name in sorted(names, key=rank):
        clean = unique = _clean(str(name)) or "_"
        numbers = count(2)
        while unique in texts:
            unique = f"{clean}~{next(numbers)}"
        texts[unique] = name
    return {name: text for text, name in texts.items()}


def _sort_edges(edges: Iterable[tuple[Any, ...]], ids: Mapping[Hashable, str]) -> list[EdgeRow]:
    """Return the edges sorted by source, target and relation, with ``ids`` in place of the names of their ends.

    Parallel edges get different relations. Raises ``ValueError`` for an edge from or to an unknown node.
    """
    edge_attributes: dict[tuple[str, str, Hashable], Mapping[str, Any]] = {}
    for source, target, relation, attributes in edges:
        if source not in ids or target not in ids:
            raise ValueError("an edge has an end that is no node")
        edge_attributes[ids[source], ids[target], relation] = attributes
    names = _name_uniquely({relation for _, _, relation in edge_attributes})
    rows = ((source, target, names[relation], edge) for (source, target, relation), edge in edge_attributes.items())
    return sorted(rows, key=itemgetter(0, 1, 2))


def _list_evidence(attributes: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the evidence of an edge: a list of dicts; an empty list where it is anything else."""
    evidence = attributes.get("evidence")
    return evidence if isinstance(evidence, list) and all(isinstance(item, dict) for item in evidence) else []


def _build_edge_rows(edges: Iterable[EdgeRow], numbers: Mapping[str, int]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of the table ``edges``. ``numbers`` are those of the nodes, by id.

    ``evidence`` is left out, as it has its own table, unless it is not a list of dicts.
    """
    for number, (source, target, relation, attributes) in enumerate(edges, 1):
        evidence = _list_evidence(attributes)
        values = {name: value for name, value in attributes.items() if not (evidence and name == "evidence")}
        weight, boilerplate, *more = _split_columns(values, EDGE_TESTS, ("weight", "boilerplate", "reasons"))
        yield number, numbers[source], numbers[target], relation, weight, boilerplate or None, *more


def _build_evidence_rows(edges: Iterable[EdgeRow], urls: Mapping[str, object]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of the table ``evidence``. ``urls`` are those of the nodes, by id.

    A URL is ``None`` if it is the target's own, and "" if the evidence has no URL.
    """
    for number, (_, target, _, attributes) in enumerate(edges, 1):
        for place, item in enumerate(_list_evidence(attributes), 1):
            url, *columns = _split_columns(item, EVIDENCE_TESTS, EVIDENCE_COLUMNS)
            yield number, place, None if url == urls[target] else url or "", *columns


def _split_columns(values: Mapping[str, Any], tests: Mapping[str, Any], columns: Iterable[str]) -> list[Any]:
    """Return the values for ``columns``, in their order, then all other values as one text in JSON (``None`` without).

    A value that fails its test in ``tests`` is among the others, too.
    """
    row, rest = dict.fromkeys(columns), {}
    for name, value in values.items():
        if name in row and tests[name](value):
            is_text = isinstance(value, str)
            row[name] = _clean(value) if is_text else _to_json(value) if isinstance(value, list) else value
        elif value is not None:
            rest[name] = value
    return [*row.values(), _to_json(rest) if rest else None]


def _clean(text: str) -> str:
    r"""Return a text with a symbol for each character that XML 1.0 (2.2), a terminal or UTF-8 cannot hold.

    >>> _clean("a\x00b"), _clean("a\ufffeb"), _clean("\ud83d\ude80 \ud800")
    ('a␀b', 'a�b', '🚀 �')
    """
    if text.isprintable() or _UNPRINTABLE.search(text) is None:
        return text
    # Two halves of a character become one; a single half becomes U+FFFD.
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    # U+2400 and the following are pictures of control characters.
    return _UNPRINTABLE.sub(lambda match: chr(0x2400 + ord(match[0])) if match[0] < " " else "\ufffd", whole)


def _to_json(value: object) -> str:
    """Return a value as a text in JSON, cleaned (``_clean``); a value that JSON does not know is written as text."""
    try:
        return _clean(_encode(value))
    except (TypeError, ValueError, RecursionError):  # a graph that podgraph did not build
        return _clean(_encode(_to_json_value(value)))


def _to_json_value(value: object, depth: int = 0) -> Any:
    """Return a value in a form that JSON can hold: other objects, and deeply nested or infinite ones, as text.

    ``depth`` is the number of lists and dicts around the value.
    """
    if depth > 100:
        return "(nested too deeply)"
    if isinstance(value, Mapping):
        return {str(name): _to_json_value(item, depth + 1) for name, item in value.items()}
    if isinstance(value, set | frozenset):
        value = sorted(value, key=repr)
    if isinstance(value, list | tuple):
        return [_to_json_value(item, depth + 1) for item in value]
    if value is None or isinstance(value, bool | str) or build_test(float)(value):
        return value
    # Python limits the digits that it writes.
    return hex(value) if isinstance(value, int) else str(value)
