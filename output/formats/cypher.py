r"""A Cypher script for Neo4j, to be run any number of times.

The script first creates the constraint on the nodes' ids. It then merges nodes and relationships in batches, so a
second run, or the run of a newer graph, updates the database. Dates have Neo4j's type. The evidence of a relation
is a JSON text, with its lists ``quotes`` and ``links`` beside it. Texts occur only in literals, and the script never
has a backslash before a ``u``: Neo4j reads ``\u0027`` as a quote everywhere. Rules: https://opencypher.org, https://neo4j.com/docs/cypher-manual.
"""

from __future__ import annotations

import json
import re
from hashlib import blake2s
from typing import TYPE_CHECKING, Self

from ..files import write_text
from .shared.days import day_of, moment_of
from .shared.flatten import Flat, clean_name, clean_text, flatten, values_of
from .shared.plain import unique_names
from .shared.steering import without_steering
from .shared.weblink import web_link

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping

    from .shared.flatten import Scalar
    from .shared.plain import Graph

    Rows = dict[str, list[str]]

_BATCH = 500
# Characters to escape in a literal in single quotes.
_ESCAPED = re.compile(r"[\\'\n\r\t]")
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")  # a name without a need for backticks
# The gaps between the words of a label or a type.
_WORD = re.compile(r"[^A-Za-z0-9]+")
_LONGEST_NAME = 100  # characters of a label or a type
_LONGEST_ID = 2000  # characters; Neo4j indexes no longer texts
_HEAD = """\
// Run it with cypher-shell or the browser; a second run changes nothing.
// Nodes are found by id, which is made unique first.
CREATE CONSTRAINT podgraph_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE;
"""


def to_cypher(graph: Graph) -> str:
    r"""Return the script for making ``graph``.

    Every node has the label ``Entity`` and one for its kind, and its id as the property ``id``; a relation's
    name in capitals is the relationship's type.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label="it's", date="2024-08-04")
    >>> print(to_cypher(graph).split("UNIQUE;")[-1].strip())
    UNWIND [
    {id: 'topic:vmap', set: {kind: 'topic', label: 'it\'s', date: date('2024-08-04')}}
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
        text = without_steering(clean_text(value))  # the items of a list may hold control characters
        text = _ESCAPED.sub(lambda match: _ESCAPES[match[0]], text) if _ESCAPED.search(text) else text
        # Cypher decodes \uXXXX before all else, so a backslash and a u must not meet.
        return "'" + (text.replace("\\\\u", "\\\\' + 'u") if "\\\\u" in text else text) + "'"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if value == -(2**63):
        return "(-9223372036854775807 - 1)"  # the sign is an operator, and the number alone is too large
    return repr(value)


def kind_label(kind: object) -> str:
    """Return the label of a node of a kind.

    >>> kind_label("episode"), kind_label("a`b c")
    ('Episode', 'ABC')
    """
    text = kind if isinstance(kind, str) else ""
    words = "".join(word[:1].upper() + word[1:] for word in _WORD.split(text))[:_LONGEST_NAME]
    return words if words and not words[0].isdigit() else f"Kind{words}"


def relation_types(relations: list[str]) -> dict[str, str]:
    """Return the relationship type of each of the relations; no two share one.

    >>> relation_types(["part of", "part_of"])
    {'part of': 'PART_OF', 'part_of': 'PART_OF~2'}
    """
    types = unique_names(tuple(_WORD.sub("_", relation).upper()[:_LONGEST_NAME] for relation in relations))
    return dict(zip(relations, types, strict=True))


def _lines(graph: Graph) -> Iterator[str]:
    yield _HEAD
    yield from _Script(flatten(graph, lists=True)).statements()


class _Script:
    """The statements for one graph."""

    def __init__(self, flat: Flat) -> None:
        self._flat = flat
        self._kind = next((place for place, column in enumerate(flat.node_columns) if column.name == "kind"), None)

    def statements(self) -> Iterator[str]:
        """Yield them in order: nodes, then relationships."""
        ends = "MATCH (a:Entity {id: row.from}) MATCH (b:Entity {id: row.to})"
        merge = "MERGE (n:Entity {id: row.id}) SET n:"
        yield from _batches(self._nodes(), lambda label: f"{merge}{label} SET n += row.set")
        yield from _batches(
            self._relationships(), lambda name: f"{ends} MERGE (a)-[r:{_name(name)}]->(b) SET r += row.set"
        )

    def _nodes(self) -> Iterator[tuple[str, str]]:
        for node, row in self._flat.nodes():
            label = kind_label(row[self._kind]) if self._kind is not None else "Kind"
            yield label, self._row(node, self._dated(values_of(self._flat.node_columns, row)))

    def _relationships(self) -> Iterator[tuple[str, str]]:
        """Yield (type, map of values) of each edge.

        Evidence is a JSON text, with its quotes and links beside it.
        """
        types = relation_types(self._flat.relations())
        for source, target, relation, row in self._flat.edges():
            values = values_of(self._flat.edge_columns, row)
            if said := _evidence_of(values.get("evidence")):
                values["quotes"] = [str(item["quote"]) for item in said if isinstance(item.get("quote"), str)]
                values["links"] = list(dict.fromkeys(link for item in said if (link := web_link(item.get("url")))))
            yield types[relation], f"{{{self._ends(source, target)}, set: {_map(values)}}}"

    def _row(self, node: str, values: Mapping[str, Scalar], *ends: str) -> str:
        head = [f"id: {self._key(node)}"]
        head += [self._ends(*ends)] if ends else []
        return f"{{{', '.join(head)}, set: {_map(values)}}}"

    def _ends(self, source: str, target: str) -> str:
        return f"from: {self._key(source)}, to: {self._key(target)}"

    def _key(self, node: str) -> str:
        """Return the key of a node: its id, or, for an id too long for an index, its beginning and a digest."""
        if len(node) <= _LONGEST_ID:
            return literal(node)
        return literal(f"{node[:_LONGEST_ID]}~{blake2s(node.encode(), digest_size=16).hexdigest()}")

    def _dated(self, values: dict[str, Scalar]) -> dict[str, Scalar]:
        """Return the attributes with the date as one, and the moment beside it, where it is one."""
        day, moment = day_of(values.get("date")), moment_of(values.get("date"))
        if not day:
            return values
        found = values | {"date": _Call("date", day.isoformat())}
        if moment:
            found["datetime"] = _Call("datetime", moment.isoformat())
        return found


class _Call(str):
    """A call of a function with a text: it is a value, and never a text of the feed."""

    __slots__ = ()

    def __new__(cls, name: str, text: str) -> Self:
        return super().__new__(cls, f"{name}({literal(text)})")


def _evidence_of(value: Scalar) -> list[dict[str, object]]:
    """Return the evidence in a column's JSON text; an empty list for other texts."""
    try:
        found = json.loads(value) if isinstance(value, str) else []
    except (ValueError, RecursionError):
        return []
    whole = isinstance(found, list) and all(isinstance(item, dict) for item in found)
    return found if whole else []


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


def _map(values: Mapping[str, Scalar]) -> str:
    pairs = (
        f"{_name(clean_name(name))}: {value if isinstance(value, _Call) else literal(value)}"
        for name, value in values.items()
    )
    return f"{{{', '.join(pairs)}}}"


def _name(name: str) -> str:
    """Return a property's or a type's name, in backticks (it never holds any) unless it is a word."""
    return name if _PLAIN_NAME.fullmatch(name) else f"`{name}`"
