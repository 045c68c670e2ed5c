r"""A Cypher script for Neo4j, Memgraph and FalkorDB that may be run again and again.

Nodes and relationships are merged in batches, so that a second run, or one of a newer graph, updates what is
there. Only literals carry text, and no backslash is ever written in front of a ``u``: some dialects read
``\u0027`` as a quote wherever it stands. Rules: https://opencypher.org, the Neo4j Cypher manual.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..files import write_text
from .neo4j import kind_label, relation_types
from .shared.flatten import Column, Flat, clean_text, flatten, values_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator

    from .shared.flatten import Row
    from .shared.plain import Graph

    Rows = dict[str, list[str]]

_BATCH = 500
# What a literal in single quotes escapes.
_ESCAPED = re.compile(r"[\\'\n\r\t]")
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")  # a name that needs no backticks
_HEAD = """\
// Run it with cypher-shell, mgconsole or the browser; a second run changes nothing.
// With more than some thousand nodes, create the index first:
//   Neo4j:    CREATE INDEX podgraph_id IF NOT EXISTS FOR (n:Entity) ON (n.id);
//   Memgraph: CREATE INDEX ON :Entity(id);
"""


def to_cypher(graph: Graph) -> str:
    r"""Return the script that makes ``graph``.

    Every node has the label ``Entity`` and one for its kind, and its id as the property ``id``; a relation's
    name in capitals is the relationship's type.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label="it's")
    >>> print(to_cypher(graph).split("(id);")[-1].strip())
    UNWIND [
    {id: 'topic:vmap', set: {kind: 'topic', label: 'it\'s'}}
    ] AS row MERGE (n:Entity {id: row.id}) SET n:Topic SET n += row.set;
    """
    return "".join(_lines(graph))


def write_cypher(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write the script to the file ``path``, all or nothing. Raises ``OutputError``."""
    write_text(path, _lines(graph))


def literal(value: object) -> str:
    r"""Return a text, number, truth value or list of texts as a Cypher literal.

    >>> print(literal("it's\n"), literal(["a", "b"]), literal(True))
    'it\'s\n' ['a', 'b'] true
    >>> print(literal("\\u0027"))
    '\\' + 'u0027'
    """
    if isinstance(value, str):
        text = clean_text(value)  # the items of a list may hold control characters
        text = _ESCAPED.sub(lambda match: _ESCAPES[match[0]], text) if _ESCAPED.search(text) else text
        return "'" + (text.replace("\\\\u", "\\\\' + 'u") if "\\\\u" in text else text) + "'"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if value == -(2**63):
        return "(-9223372036854775807 - 1)"  # the sign is an operator, and the number alone is too large
    return repr(value)


def _lines(graph: Graph) -> Iterator[str]:
    flat = flatten(graph, lists=True)
    yield _HEAD
    yield from _batches(_nodes(flat), lambda label: f"MERGE (n:Entity {{id: row.id}}) SET n:{label} SET n += row.set")
    yield from _batches(
        _relationships(flat),
        lambda name: (
            "MATCH (a:Entity {id: row.from}) MATCH (b:Entity {id: row.to}) "
            f"MERGE (a)-[r:{_name(name)}]->(b) SET r += row.set"
        ),
    )


def _batches(rows: Iterator[tuple[str, str]], statement: Callable[[str], str]) -> Iterator[str]:
    """Yield statements of at most so many rows, each for rows of one group."""
    waiting: Rows = {}
    for group, row in rows:
        batch = waiting.setdefault(group, [])
        batch.append(row)
        if len(batch) == _BATCH:
            yield _statement(batch, statement(group))
            batch.clear()
    for group, batch in waiting.items():
        if batch:
            yield _statement(batch, statement(group))


def _statement(rows: list[str], action: str) -> str:
    listed = ",\n".join(rows)
    return f"UNWIND [\n{listed}\n] AS row {action};\n"


def _nodes(flat: Flat) -> Iterator[tuple[str, str]]:
    kind = next((place for place, column in enumerate(flat.node_columns) if column.name == "kind"), None)
    for node, row in flat.nodes():
        label = kind_label(row[kind]) if kind is not None else "Kind"
        yield label, f"{{id: {literal(node)}, set: {_map(flat.node_columns, row)}}}"


def _relationships(flat: Flat) -> Iterator[tuple[str, str]]:
    types = relation_types(flat.relations())
    for source, target, relation, row in flat.edges():
        ends = f"from: {literal(source)}, to: {literal(target)}"
        yield types[relation], f"{{{ends}, set: {_map(flat.edge_columns, row)}}}"


def _map(columns: tuple[Column, ...], row: Row) -> str:
    pairs = (f"{_name(name)}: {literal(value)}" for name, value in values_of(columns, row).items())
    return f"{{{', '.join(pairs)}}}"


def _name(name: str) -> str:
    """Return a property's or a type's name, in backticks (which it never holds) unless it is a word."""
    return name if _PLAIN_NAME.fullmatch(name) else f"`{name}`"
