r"""A Cypher script for Neo4j, Memgraph and FalkorDB that may be run again and again.

The index that nodes are found by is made first; nodes and relationships are merged in batches, so that a second run,
or one of a newer graph, updates what is there. Dates are dates. What a text says of a relation can be asked: its
``quotes`` and ``links`` are lists, or, asked for, each is a node ``Evidence`` between both ends. Only
literals carry text, and no backslash is ever written in front of a ``u``: some dialects read ``\u0027`` as a quote
wherever it stands. Rules: https://opencypher.org, the manuals of Neo4j, Memgraph and FalkorDB.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC
from hashlib import blake2s
from typing import TYPE_CHECKING, Self

from podgraph.extractors import OutputError

from ..files import write_text
from .neo4j import kind_label, relation_types
from .shared.days import day_of, moment_of
from .shared.flatten import Flat, clean_name, clean_text, flatten, values_of
from .shared.steering import without_steering
from .shared.weblink import web_link

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping

    from .shared.flatten import Scalar
    from .shared.plain import Graph

    Rows = dict[str, list[str]]

_BATCH = 500
# What a literal in single quotes escapes.
_ESCAPED = re.compile(r"[\\'\n\r\t]")
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")  # a name that needs no backticks
_HEAD = """\
// Run it with cypher-shell, mgconsole or the browser; a second run changes nothing.
// For {name}. Nodes are found by {key}, which is made unique, or indexed, first.
"""
_LONGEST = 2000  # of an id; databases index no longer texts
EVIDENCE = ("lists", "nodes", "json")


@dataclass(frozen=True, slots=True)
class Dialect:
    """What databases do in ways of their own.

    ``first`` are the statements that make the index, ``key`` the property that nodes are found by, and ``moment`` the
    function for a point in time, in UTC where it has no zone; ``once`` keeps an edge from being made twice.
    """

    name: str
    first: tuple[str, ...]
    moment: str
    key: str = "id"
    zoned: bool = False
    once: str = ""


DIALECTS = {
    "neo4j": Dialect(
        "Neo4j",
        ("CREATE CONSTRAINT podgraph_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE",),
        "datetime",
        zoned=True,
    ),
    "memgraph": Dialect(
        "Memgraph",
        ("CREATE INDEX ON :Entity(id)", "CREATE CONSTRAINT ON (n:Entity) ASSERT n.id IS UNIQUE"),
        "localDateTime",
    ),
    # Its index does not find every text again (such as one with white space at an end): ids have digests for keys.
    "falkordb": Dialect(
        "FalkorDB (a second run says that the index is there)",
        ("CREATE INDEX FOR (n:Entity) ON (n.key)",),
        "localdatetime",
        key="key",
        once=" WITH DISTINCT row, a, b",  # its index may give a node of very long texts twice
    ),
}


def to_cypher(graph: Graph, *, dialect: str = "neo4j", evidence: str = "lists") -> str:
    r"""Return the script that makes ``graph``.

    Every node has the label ``Entity`` and one for its kind, and its id as the property ``id``; a relation's
    name in capitals is the relationship's type. ``dialect`` is one of ``DIALECTS``; ``evidence`` says how what a text
    says is kept: ``lists`` beside the JSON text, ``nodes``, or the ``json`` alone. Raises ``OutputError`` for others.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label="it's", date="2024-08-04")
    >>> print(to_cypher(graph).split("UNIQUE;")[-1].strip())
    UNWIND [
    {id: 'topic:vmap', set: {kind: 'topic', label: 'it\'s', date: date('2024-08-04')}}
    ] AS row MERGE (n:Entity {id: row.id}) SET n:Topic SET n += row.set;
    """
    return "".join(_lines(graph, dialect, evidence))


def write_cypher(
    graph: Graph, path: str | os.PathLike[str], *, dialect: str = "neo4j", evidence: str = "lists"
) -> None:
    """Write the script to the file ``path``, all or nothing. Raises ``OutputError``."""
    write_text(path, _lines(graph, dialect, evidence))


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
        return "'" + (text.replace("\\\\u", "\\\\' + 'u") if "\\\\u" in text else text) + "'"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if value == -(2**63):
        return "(-9223372036854775807 - 1)"  # the sign is an operator, and the number alone is too large
    return repr(value)


def _lines(graph: Graph, dialect: str, evidence: str) -> Iterator[str]:
    for name, given, known in (("dialect", dialect, tuple(DIALECTS)), ("evidence", evidence, EVIDENCE)):
        if given not in known:
            raise OutputError(f"is none: {given!r}", source=f"--{name}", remedy=f"one of {', '.join(known)}")
    script = _Script(flatten(graph, lists=True), DIALECTS[dialect], evidence)
    yield _HEAD.format(name=script.dialect.name, key=script.dialect.key)
    yield from (f"{statement};\n" for statement in script.dialect.first)
    yield from script.statements()


class _Script:
    """The statements for one graph in one dialect."""

    def __init__(self, flat: Flat, dialect: Dialect, evidence: str) -> None:
        self._flat, self.dialect, self._evidence = flat, dialect, evidence
        self._kind = next((place for place, column in enumerate(flat.node_columns) if column.name == "kind"), None)

    def statements(self) -> Iterator[str]:
        """Yield them in order: nodes, relationships, and evidence where it has nodes of its own."""
        key = self.dialect.key
        ends = f"MATCH (a:Entity {{{key}: row.from}}) MATCH (b:Entity {{{key}: row.to}}){self.dialect.once}"
        yield from _batches(
            self._nodes(), lambda label: f"MERGE (n:Entity {{{key}: row.{key}}}) SET n:{label} SET n += row.set"
        )
        yield from _batches(
            self._relationships(), lambda name: f"{ends} MERGE (a)-[r:{_name(name)}]->(b) SET r += row.set"
        )
        if self._evidence == "nodes":
            yield from _batches(
                self._said(),
                lambda _: (
                    f"{ends} MERGE (n:Entity {{{key}: row.{key}}}) SET n:Evidence SET n += row.set "
                    "MERGE (a)-[:SAYS]->(n) MERGE (n)-[:OF]->(b)"
                ),
            )

    def _nodes(self) -> Iterator[tuple[str, str]]:
        for node, row in self._flat.nodes():
            label = kind_label(row[self._kind]) if self._kind is not None else "Kind"
            yield label, self._row(node, self._dated(values_of(self._flat.node_columns, row)))

    def _relationships(self) -> Iterator[tuple[str, str]]:
        types = relation_types(self._flat.relations())
        for source, target, relation, row in self._flat.edges():
            values = values_of(self._flat.edge_columns, row)
            if self._evidence != "json" and (said := _evidence_of(values.get("evidence"))):
                if self._evidence == "nodes":
                    del values["evidence"]
                values["quotes"] = [str(item["quote"]) for item in said if isinstance(item.get("quote"), str)]
                values["links"] = list(dict.fromkeys(link for item in said if (link := web_link(item.get("url")))))
            yield types[relation], f"{{{self._ends(source, target)}, set: {_map(values)}}}"

    def _said(self) -> Iterator[tuple[str, str]]:
        for source, target, relation, row in self._flat.edges():
            said = _evidence_of(values_of(self._flat.edge_columns, row).get("evidence"))
            for place, item in enumerate(said):
                mark = blake2s(f"{source}\n{relation}\n{target}".encode(), digest_size=12).hexdigest()
                known = {name: value for name, value in item.items() if isinstance(value, (str, int, float))}
                yield "", self._row(f"evidence:{mark}-{place}", known | {"relation": relation}, source, target)

    def _row(self, node: str, values: Mapping[str, Scalar], *ends: str) -> str:
        head = [f"{self.dialect.key}: {self._key(node)}"]
        head += [self._ends(*ends)] if ends else []
        if self.dialect.key != "id":
            values = {"id": node, **values}
        return f"{{{', '.join(head)}, set: {_map(values)}}}"

    def _ends(self, source: str, target: str) -> str:
        return f"from: {self._key(source)}, to: {self._key(target)}"

    def _key(self, node: str) -> str:
        """Return what a node is found by; an id that is too long for an index is cut, and told apart by a digest."""
        if self.dialect.key == "id" and len(node) <= _LONGEST:
            return literal(node)
        digest = blake2s(node.encode(), digest_size=16).hexdigest()
        return literal(digest if self.dialect.key != "id" else f"{node[:_LONGEST]}~{digest}")

    def _dated(self, values: dict[str, Scalar]) -> dict[str, Scalar]:
        """Return the attributes with the date as one, and the moment beside it, where it is one."""
        day, moment = day_of(values.get("date")), moment_of(values.get("date"))
        if not day:
            return values
        found = values | {"date": _Call("date", day.isoformat())}
        if moment:
            text = moment.isoformat() if self.dialect.zoned else moment.astimezone(UTC).replace(tzinfo=None).isoformat()
            found["datetime"] = _Call(self.dialect.moment, text)
        return found


class _Call(str):
    """A call of a function with a text: it is a value, and never a text of the feed."""

    __slots__ = ()

    def __new__(cls, name: str, text: str) -> Self:
        return super().__new__(cls, f"{name}({literal(text)})")


def _evidence_of(value: Scalar) -> list[dict[str, object]]:
    """Return the evidence that a column holds as JSON, if it is that."""
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
    """Return a property's or a type's name, in backticks (which it never holds) unless it is a word."""
    return name if _PLAIN_NAME.fullmatch(name) else f"`{name}`"
