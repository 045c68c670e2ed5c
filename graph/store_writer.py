"""Fill the tables of a graph at rest (``tables.sql``, ``indexes.sql``)."""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from .attributes import Evidence, NodeAttributes
from .checking import build_tests
from .questions.keys import keys_of, searched_texts
from .store_tables import APPLICATION_ID, EVIDENCE_COLUMNS, NODE_COLUMNS, VERSION, to_index_terms
from .words import fold

if TYPE_CHECKING:
    import sqlite3


Node = tuple[Hashable, Mapping[str, Any]]  # id, attributes
EdgeRow = tuple[str, str, str, Mapping[str, Any]]  # source, target, relation, attributes

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def create_tables(database: sqlite3.Connection) -> None:
    """Create the tables of a graph in an empty database."""
    database.isolation_level = None
    database.executescript(
        f"""
        PRAGMA page_size=16384; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;
        PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={VERSION};
        BEGIN; {Path(__file__).with_name("tables.sql").read_text("utf-8")} COMMIT;
        """
    )


def fill_database(
    database: sqlite3.Connection, about: Mapping[str, Any], nodes: Iterable[Node], edges: Iterable[tuple[Any, ...]]
) -> None:
    """Create the tables in an empty database, and fill them.

    The same graph gives the same rows, in whatever order its nodes and edges come. ``about`` are the graph's own
    attributes. The ends of each edge are ids of ``nodes``.
    """
    create_tables(database)
    database.execute("BEGIN")
    insert_about(database, about)
    node_attributes = dict(nodes)
    ids = _name_uniquely(node_attributes)
    node_list = sorted((ids[node], attributes) for node, attributes in node_attributes.items())
    numbers = {id_: number for number, (id_, _) in enumerate(node_list, 1)}
    urls = {id_: url for id_, node in node_list if isinstance(url := node.get("url"), str)}
    edge_list = _sort_edges(edges, ids)
    degrees = Counter(end for source, target, *_ in edge_list for end in (source, target))
    _insert_rows(database, "edges", _edge_rows(edge_list, numbers))
    _insert_rows(database, "evidence", _evidence_rows(edge_list, urls))
    _insert_rows(
        database,
        f"nodes (n, id, {', '.join(NODE_COLUMNS)}, degree, attributes)",
        (_node_row(numbers[id_], id_, node, degrees[id_]) for id_, node in node_list),
    )
    add_indexes(database, cast("Iterable[tuple[str, NodeAttributes]]", node_list))


def insert_about(database: sqlite3.Connection, about: Mapping[str, Any]) -> None:
    """Insert the graph's own attributes."""
    _insert_rows(database, "about", ((name, _to_json(value)) for name, value in sorted(about.items())))


def add_indexes(database: sqlite3.Connection, nodes: Iterable[tuple[str, NodeAttributes]]) -> None:
    """Fill the keys and the full-text index of filled tables, and commit. ``nodes`` are all nodes, sorted by id."""
    quotes: defaultdict[int, list[str]] = defaultdict(list)  # from transcripts, by the number of the episode
    tables = "FROM evidence v JOIN edges e ON e.id = v.edge WHERE v.field = 'transcript' AND v.quote IS NOT NULL"
    for number, quote in database.execute(f"SELECT e.source, v.quote {tables} ORDER BY v.edge, v.place"):
        quotes[number].append(fold(quote))
    numbers = enumerate(nodes, 1)
    while batch := list(islice(numbers, 5000)):
        keys = ((field, _clean(key), number) for number, (id_, node) in batch for field, key in keys_of(id_, node))
        _insert_rows(database, "keys", keys)
        texts = (
            (number, *map(to_index_terms, (*searched_texts(id_, node), "\n".join(quotes[number]))))
            for number, (id_, node) in batch
        )
        _insert_rows(database, "nodes_fts (rowid, label, names, place, notes, said)", texts)
    # A script ends the transaction before.
    database.executescript(f"BEGIN; {Path(__file__).with_name('indexes.sql').read_text('utf-8')} COMMIT;")


def _name_uniquely(names: Iterable[Hashable]) -> dict[Hashable, str]:
    """Return a clean text for each name, with ``~2``, ``~3`` … where two become equal; a clean name keeps its form."""
    if all(type(name) is str and name and _clean(name) == name for name in names):
        return {name: str(name) for name in names}
    texts = sorted(((str(name), repr(type(name)), name) for name in names), key=itemgetter(0, 1))
    result: dict[Hashable, str] = {}
    unique_names: set[str] = set()
    for is_clean in (True, False):
        for text, _, name in texts:
            clean = _clean(text) or "_"
            if (clean == text) is is_clean:
                unique, count = clean, 1
                while unique in unique_names:
                    count += 1
                    unique = f"{clean}~{count}"
                unique_names.add(unique)
                result[name] = unique
    return result


def _sort_edges(edges: Iterable[tuple[Any, ...]], ids: Mapping[Hashable, str]) -> list[EdgeRow]:
    """Return the edges with the ids of their ends, sorted; relations between two nodes differ.

    Raises ``ValueError`` for an edge from or to an unknown node.
    """
    between: defaultdict[tuple[str, str], dict[Hashable, Mapping[str, Any]]] = defaultdict(dict)
    for source, target, relation, attributes in edges:
        if source not in ids or target not in ids:
            raise ValueError("an edge has an end that is no node")
        between[ids[source], ids[target]][relation] = attributes
    result = []
    for (source, target), relations in sorted(between.items()):
        names = _name_uniquely(relations)
        result += sorted(((source, target, names[key], value) for key, value in relations.items()), key=itemgetter(2))
    return result


def _list_evidence(attributes: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the evidence of an edge: a list of dicts; an empty list where it is anything else."""
    evidence = attributes.get("evidence")
    is_whole = isinstance(evidence, list) and all(isinstance(item, dict) for item in evidence)
    return evidence if isinstance(evidence, list) and is_whole else []


def _insert_rows(database: sqlite3.Connection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    iterator = iter(rows)
    while batch := list(islice(iterator, 5000)):
        placeholders = ", ".join("?" * len(batch[0]))
        database.executemany(f"INSERT INTO {table} VALUES ({placeholders})", batch)  # noqa: S608 - constants


def _node_row(number: int, id_: str, node: Mapping[str, Any], degree: int) -> tuple[Any, ...]:
    columns, rest = _split_columns(node, NodeAttributes, NODE_COLUMNS)
    return (number, id_, *columns, degree, _to_json(rest) if rest else None)


def _edge_rows(edges: Iterable[EdgeRow], numbers: Mapping[str, int]) -> Iterator[tuple[Any, ...]]:
    for number, (source, target, relation, attributes) in enumerate(edges, 1):
        rest = {name: value for name, value in attributes.items() if value is not None}
        if _list_evidence(attributes):
            del rest["evidence"]
        weight = rest.pop("weight") if _is_number(rest.get("weight")) else None
        boilerplate = rest.pop("boilerplate") if rest.get("boilerplate") is True else None
        reasons = _to_json(rest.pop("reasons")) if "reasons" in rest else None
        more = _to_json(rest) if rest else None
        yield number, numbers[source], numbers[target], relation, weight, boilerplate, reasons, more


def _evidence_rows(edges: Iterable[EdgeRow], urls: Mapping[str, str]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of evidence. A URL is absent where it is the target's, and "" where there is none."""
    for number, (_, target, _, attributes) in enumerate(edges, 1):
        for place, item in enumerate(_list_evidence(attributes), 1):
            (url, *columns), rest = _split_columns(item, Evidence, EVIDENCE_COLUMNS)
            own_url = None if url == urls.get(target) else url or ""
            yield number, place, own_url, *columns, _to_json(rest) if rest else None


def _split_columns(values: Mapping[str, Any], shape: Any, columns: Iterable[str]) -> tuple[list[Any], dict[str, Any]]:
    """Return the values for columns of a table, and the others: of other names, or not of the types of ``shape``."""
    row, rest, tests = dict.fromkeys(columns), {}, build_tests(shape)
    for name, value in values.items():
        if name in row and tests[name](value):
            row[name] = (
                _clean(value) if isinstance(value, str) else _to_json(value) if isinstance(value, list) else value
            )
        elif value is not None:
            rest[name] = value
    return list(row.values()), rest


@lru_cache(4096)  # most texts of evidence are repeated
def _clean(text: str) -> str:
    """Return a text without characters that XML 1.0 (2.2), a terminal or UTF-8 cannot hold."""
    if _UNPRINTABLE.search(text) is None:
        return text
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _UNPRINTABLE.sub(lambda match: chr(0x2400 + ord(match[0])) if match[0] < " " else "\ufffd", whole)


def _to_json(value: object) -> str:
    try:
        return _clean(_encode(value))
    except (TypeError, ValueError, RecursionError):  # a graph that podgraph did not build
        return _clean(_encode(_to_json_value(value)))


def _to_json_value(value: object, depth: int = 0) -> Any:
    """Return a value as JSON can hold it: other objects, and deeply nested or infinite ones, as text."""
    if depth > 100:
        return "(nested too deeply)"
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Mapping):
        return {str(name): _to_json_value(item, depth + 1) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_to_json_value(item, depth + 1) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((_to_json_value(item, depth + 1) for item in value), key=repr)
    if isinstance(value, int) and not _is_number(value):
        return hex(value)  # Python limits the digits that it writes
    return value if _is_number(value) else str(value)


def _is_number(value: object) -> bool:
    return (type(value) is float and math.isfinite(value)) or (type(value) is int and -(2**63) <= value < 2**63)
