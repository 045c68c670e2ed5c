r"""A Cypher script for Neo4j, to be run any number of times.

The script first creates the constraint on the nodes' ids. It then merges nodes and relationships in batches, so a
second run, or the run of a newer graph, updates the database. Dates have Neo4j's type. The evidence of a relation
is a JSON text, with its lists ``quotes`` and ``links`` beside it. Texts occur only in literals, and the script never
has a backslash before a ``u``: Neo4j reads ``\u0027`` as a quote everywhere. Rules: https://opencypher.org, https://neo4j.com/docs/cypher-manual.
"""

from __future__ import annotations

import re
from hashlib import blake2s
from typing import TYPE_CHECKING

from .rows import list_evidence, text_of, to_scalar
from .shared.days import day_of, moment_of
from .shared.steering import clean_text
from .shared.weblink import web_link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .rows import Rows

_BATCH = 500
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_WORD = re.compile(r"[^A-Za-z0-9]+")  # the gaps between the words of a label or a type
_LONGEST_NAME = 100  # characters of a label or a type
_LONGEST_ID = 2000  # characters; Neo4j indexes no longer texts
_HEAD = """\
// Run it with cypher-shell or the browser; a second run changes nothing.
// Nodes are found by id, which is made unique first.
CREATE CONSTRAINT podgraph_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE;
"""


def to_cypher(rows: Rows) -> Iterator[str]:
    r"""Yield the script that creates a graph.

    Every node has the label ``Entity`` and one for its kind, and its id as the property ``id``; a relation's
    name in capitals is the relationship's type.

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label="it's", date="2024-08-04")
    >>> print("".join(to_cypher(Rows(graph))).split("UNIQUE;")[-1].strip())
    UNWIND [
    {id: 'topic:vmap', set: {kind: 'topic', label: 'it\'s', date: date('2024-08-04')}}
    ] AS row MERGE (n:Entity {id: row.id}) SET n:Topic SET n += row.set;
    """
    yield _HEAD
    merge = "MERGE (n:Entity {id: row.id}) SET n:"
    yield from _batches(_nodes(rows), lambda label: f"{merge}{label} SET n += row.set")
    ends = "MATCH (a:Entity {id: row.from}) MATCH (b:Entity {id: row.to})"
    yield from _batches(_relationships(rows), lambda name: f"{ends} MERGE (a)-[r:{_name(name)}]->(b) SET r += row.set")


def literal(value: object) -> str:
    r"""Return a text, number, truth value or list of texts as a Cypher literal.

    >>> print(literal("it's\n"), literal(["a", "b"]), literal(True))
    'it\'s\n' ['a', 'b'] true
    >>> print(literal("\\u0027"))
    '\\' + 'u0027'
    """
    if isinstance(value, str):
        # Cypher decodes \uXXXX before all else, so a backslash and a u must not meet.
        return "'" + value.translate(_ESCAPES).replace("\\\\u", "\\\\' + 'u") + "'"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if value == -(2**63):
        return "(-9223372036854775807 - 1)"  # the sign is an operator, and the number alone is too large
    return repr(value)


def kind_label(kind: str) -> str:
    """Return the label of a node of a kind.

    >>> kind_label("episode"), kind_label("a`b c")
    ('Episode', 'ABC')
    """
    words = "".join(word[:1].upper() + word[1:] for word in _WORD.split(kind))[:_LONGEST_NAME]
    return words if words and not words[0].isdigit() else f"Kind{words}"


def relation_types(relations: list[str]) -> dict[str, str]:
    """Return the relationship type of each of the relations; no two share one.

    >>> relation_types(["part of", "part_of"])
    {'part of': 'PART_OF', 'part_of': 'PART_OF~2'}
    """
    types: dict[str, str] = {}
    for relation in relations:
        name = _WORD.sub("_", relation).upper()[:_LONGEST_NAME]
        count = sum(other.partition("~")[0] == name for other in types.values())
        types[relation] = f"{name}~{count + 1}" if count else name
    return types


def _nodes(rows: Rows) -> Iterator[tuple[str, str]]:
    """Yield (label, map of values) of each node. A date is a date, with the moment beside it where there is one."""
    columns = rows.node_columns(lists=True)
    kinds = rows.store.rows("SELECT kind FROM nodes ORDER BY n")
    for (node, row), (kind,) in zip(rows.flat_nodes(columns), kinds, strict=True):
        values = {c.name: literal(value) for c, value in zip(columns, row, strict=True) if value is not None}
        dates = [value for c, value in zip(columns, row, strict=True) if c.key == "date"]
        if dates and (day := day_of(dates[0])):
            values["date"] = f"date('{day.isoformat()}')"
            if moment := moment_of(dates[0]):
                values["datetime"] = f"datetime('{moment.isoformat()}')"
        yield kind_label(kind or ""), f"{{id: {_key(node)}, set: {_map(values)}}}"


def _relationships(rows: Rows) -> Iterator[tuple[str, str]]:
    """Yield (type, map of values) of each edge. Evidence is a JSON text, with its quotes and links beside it."""
    types, columns = relation_types(rows.relations()), rows.edge_columns(lists=True)
    for source, target, relation, edge in rows.store.all_edges():
        attributes = dict(edge)
        values = {
            column.name: literal(to_scalar(value, column.type))
            for column in columns
            if (value := attributes.get(column.key)) is not None
        }
        if evidence := list_evidence(edge):
            values["quotes"] = literal([quote for item in evidence if (quote := text_of(item, "quote"))])
            links = dict.fromkeys(clean_text(link) for item in evidence if (link := web_link(item.get("url"))))
            values["links"] = literal([*links])
        yield (
            types[relation],
            f"{{from: {_key(rows.clean_id(source))}, to: {_key(rows.clean_id(target))}, set: {_map(values)}}}",
        )


def _key(node: str) -> str:
    """Return the key of a node: its id, or, for an id too long for an index, its beginning and a digest."""
    if len(node) <= _LONGEST_ID:
        return literal(node)
    return literal(f"{node[:_LONGEST_ID]}~{blake2s(node.encode(), digest_size=16).hexdigest()}")


def _batches(records: Iterator[tuple[str, str]], action: Callable[[str], str]) -> Iterator[str]:
    """Yield statements of at most so many records, each for records of one group."""
    waiting: dict[str, list[str]] = {}
    for group, record in records:
        batch = waiting.setdefault(group, [])
        batch.append(record)
        if len(batch) == _BATCH:
            yield _statement(waiting.pop(group), action(group))
    for group, batch in waiting.items():
        yield _statement(batch, action(group))


def _statement(records: list[str], action: str) -> str:
    listed = ",\n".join(records)
    return f"UNWIND [\n{listed}\n] AS row {action};\n"


def _map(values: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{_name(name)}: {value}" for name, value in values.items()) + "}"


def _name(name: str) -> str:
    """Return a property's or a type's name, in backticks (it never holds any) unless it is a word."""
    return name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) else f"`{name}`"
