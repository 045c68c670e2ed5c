r"""A Cypher script for Neo4j, to be run any number of times.

The script first creates the constraint on the nodes' ids. It then merges nodes and relationships in batches, so a
second run, or the run of a newer graph, updates the database. Dates have Neo4j's type. The evidence of a relation
is a JSON text, with its lists ``quotes`` and ``links`` beside it. Texts occur only in literals, and the script never
has a backslash before a ``u``: Neo4j reads ``\u0027`` as a quote everywhere. Rules: https://opencypher.org, https://neo4j.com/docs/cypher-manual.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime

from .rows import Rows, format_cell, get_text, list_evidence, take_name, to_values
from .shared.texts import to_web_link

_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_MAXIMUM_NAME_LENGTH = 100  # characters of a label or a type
_BATCH_LENGTH = 500  # nodes or relationships in one statement
_HEAD = """\
// Run it with cypher-shell or the browser; a second run changes nothing.
// Nodes are found by id, which is made unique first.
CREATE CONSTRAINT podgraph_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE;
"""


def to_cypher(rows: Rows) -> Iterator[str]:
    r"""Yield the parts of a Cypher script that creates a graph, or updates it.

    A node has the label ``Entity`` and one for its kind, and its id as the property ``id``. The type of a relationship
    is the relation's name in capitals.

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
    nodes = (
        (_to_label(format_cell(values.get("kind", ""))), f"{{id: {to_literal(node)}, set: {_to_map(values)}}}")
        for node, values in rows.flat_nodes()
    )
    yield from _write_batches(nodes, "MERGE (n:Entity {id: row.id}) SET n:%s SET n += row.set")
    ends = "MATCH (a:Entity {id: row.from}) MATCH (b:Entity {id: row.to})"
    yield from _write_batches(_list_relationships(rows), f"{ends} MERGE (a)-[r:%s]->(b) SET r += row.set")


def to_literal(value: object) -> str:
    r"""Return a text, number, truth value, date or list of these as a Cypher literal.

    >>> print(to_literal("it's\n"), to_literal(["a", "b"]), to_literal(True), to_literal(date(2024, 8, 4)))
    'it\'s\n' ['a', 'b'] true date('2024-08-04')
    >>> print(to_literal("\\u0027"))
    '\\' + 'u0027'
    """
    if isinstance(value, str):
        # Cypher decodes \uXXXX before all else, so a backslash and a u must not meet.
        return "'" + value.translate(_ESCAPES).replace("\\\\u", "\\\\' + 'u") + "'"
    if isinstance(value, list):
        return f"[{', '.join(map(to_literal, value))}]"
    if isinstance(value, date):
        return f"{'datetime' if isinstance(value, datetime) else 'date'}('{format_cell(value)}')"
    if value == -(2**63):
        return "(-9223372036854775807 - 1)"  # the sign is an operator, and the number alone is too large
    return str(value).lower()


def _to_label(kind: str) -> str:
    """Return the label for the nodes of a kind: its words with capitals, without other characters.

    >>> _to_label("episode"), _to_label("a`b c")
    ('Episode', 'ABC')
    """
    words = "".join(word[:1].upper() + word[1:] for word in re.split("[^A-Za-z0-9]+", kind))[:_MAXIMUM_NAME_LENGTH]
    return words if words and not words[0].isdigit() else f"Kind{words}"


def _list_relationships(rows: Rows) -> Iterator[tuple[str, str]]:
    """Yield (type, map of properties in Cypher) for each edge.

    Evidence is a JSON text, with its ``quotes`` and ``links`` as further properties.
    """
    types: dict[str, str] = {}
    in_use: set[str] = set()
    for source, target, relation, edge in rows.edges():
        if relation not in types:
            types[relation] = take_name(re.sub("[^A-Za-z0-9]+", "_", relation).upper()[:_MAXIMUM_NAME_LENGTH], in_use)
        values: dict[str, object] = {**to_values(rows.edge_columns, edge)}
        if evidence := list_evidence(edge):
            values["quotes"] = [quote for item in evidence if (quote := get_text(item, "quote"))]
            links = (to_web_link(get_text(item, "url")) for item in evidence)
            values["links"] = [*dict.fromkeys(filter(None, links))]
        yield types[relation], f"{{from: {to_literal(source)}, to: {to_literal(target)}, set: {_to_map(values)}}}"


def _write_batches(records: Iterable[tuple[str, str]], action: str) -> Iterator[str]:
    """Yield statements in Cypher for the records, which are (label or type, map in Cypher).

    Each statement has at most 500 records of the same label or type. ``action`` is the statement's end, with ``%s`` for
    the label or type.
    """
    waiting: dict[str, list[str]] = {}
    for name, record in records:
        batch = waiting.setdefault(name, [])
        batch.append(record)
        if len(batch) == _BATCH_LENGTH:
            yield _to_statement(waiting.pop(name), action % _quote_name(name))
    for name, batch in waiting.items():
        yield _to_statement(batch, action % _quote_name(name))


def _to_statement(records: list[str], action: str) -> str:
    """Return the statement that runs ``action``, a part of a statement, for each of ``records``."""
    return "UNWIND [\n" + ",\n".join(records) + f"\n] AS row {action};\n"


def _to_map(values: Mapping[str, object]) -> str:
    """Return properties as a map in Cypher: ``{name: value, …}``."""
    return "{" + ", ".join(f"{_quote_name(name)}: {to_literal(value)}" for name, value in values.items()) + "}"


def _quote_name(name: str) -> str:
    """Return the name of a property or a type in backticks, unless it is a plain word.

    A name never contains backticks.
    """
    return name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) else f"`{name}`"
