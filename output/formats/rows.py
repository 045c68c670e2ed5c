"""A graph as sorted records: with nested values for JSON, and flat, typed and clean for every other format.

One table of columns serves all flat formats. A column has one type: ``string``, ``long`` (64 bits), ``double``,
``boolean``, ``list`` (of texts), ``json`` (evidence and other nested values, as compact JSON text), ``date`` or
``datetime``. A column with values of several types is ``string``. If every date of a graph is valid, ``date`` is the
day in the feed's own time zone, and ``datetime`` the moment in UTC. Nothing is copied: records are read from the
database while they are written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from podgraph.graph import NODE_COLUMNS, Edge, Graph, View

from .shared.days import parse_day, parse_moment
from .shared.texts import clean_text

# A value of a column; None: the attribute is absent.
Scalar = str | int | float | bool | list[str] | date | datetime | None
Attributes = Mapping[str, Any]
AnyGraph: TypeAlias = "Graph | View"

# Names with a meaning in some format; an attribute with such a name gets a "_" at its end, in every format.
_RESERVED_FOR_NODES = frozenset(
    "id node name shared_name parent pid source target key start end interval timeset datetime time selected "
    "suid labels viz size color shape value".split()
)
_RESERVED_FOR_EDGES = _RESERVED_FOR_NODES.union(
    "edge relation kind type label interaction shared_interaction quotes links".split()
)
# The first attributes for readers; all others follow by name.
_ORDER = (
    "kind label url title date datetime duration number season podcast repo path area aliases language module weight "
    "reasons schema generator sources"
).split()
_RANK_OF_NAME = {name: rank for rank, name in enumerate(_ORDER)}
_TYPES = {"text": "string", "integer": "long", "real": "double", "true": "boolean", "false": "boolean"}
_LIST_COLUMNS = ("aliases", "names")  # columns of the store with lists as JSON
encode_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_CONVERTERS: dict[str, Callable[[Any], Scalar]] = {
    "string": lambda value: clean_text(value) if isinstance(value, str) else format_cell(value),
    "long": int,
    "double": float,
    "boolean": bool,
    "list": lambda value: [clean_text(item) for item in value],
    "json": lambda value: clean_text(encode_json(value)),
    "date": parse_day,
    "datetime": parse_moment,
}


class Column(NamedTuple):
    """A column of a flat format: its ``name``, the ``key`` of the attribute that it is from, and its ``type``."""

    name: str
    key: str
    type: str


class Rows:
    """The records of a graph, for the writers of the formats.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("a", kind="topic", id=7, aliases=["x", "y"])
    >>> rows = Rows(graph)
    >>> [(column.name, column.type) for column in rows.node_columns]
    [('kind', 'string'), ('aliases', 'list'), ('id_', 'long')]
    >>> list(rows.flat_nodes())
    [('a', {'kind': 'topic', 'aliases': ['x', 'y'], 'id_': 7})]
    """

    def __init__(self, graph: AnyGraph) -> None:
        """Prepare the records of a ``networkx.MultiDiGraph`` or a database.

        On first use, a networkx graph is copied to a database in memory.
        """
        self._graph = graph

    @cached_property
    def store(self) -> View:
        """The graph as a database: ids are unique, values are JSON, nodes and edges are sorted."""
        return self._graph if isinstance(self._graph, View) else View.from_networkx(self._graph)

    def networkx(self) -> Graph:
        """Return the graph as a ``networkx.MultiDiGraph``."""
        return self._graph.to_networkx() if isinstance(self._graph, View) else self._graph

    def nodes(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield (id, attributes) for each node, sorted by id. Attributes may be nested lists and dicts.

        The ids are clean (``clean_id``); the attributes are those of the graph, unchanged.
        """
        for id_, attributes in self.store.all_nodes():
            yield self.clean_id(id_), attributes

    def edges(self) -> Iterator[Edge]:
        """Yield each edge, sorted by source, target and relation. Attributes may be nested lists and dicts."""
        for source, target, relation, attributes in self.store.all_edges():
            yield Edge(self.clean_id(source), self.clean_id(target), clean_text(relation) or "_", attributes)

    def flat_nodes(self) -> Iterator[tuple[str, dict[str, Scalar]]]:
        """Yield (id, {column name: value}) for each node, sorted by id; absent values are left out."""
        for id_, attributes in self.nodes():
            yield id_, to_values(self.node_columns, attributes)

    def flat_edges(self) -> Iterator[tuple[str, str, str, dict[str, Scalar]]]:
        """Yield (source, target, relation, {column name: value}) for each edge, sorted by the first three."""
        for source, target, relation, attributes in self.edges():
            yield source, target, relation, to_values(self.edge_columns, attributes)

    def clean_id(self, id_: str) -> str:
        """Return a node's id with replacements for characters that a format forbids. Different ids stay different."""
        return self._clean_ids.get(id_, id_) if self._clean_ids else id_

    @cached_property
    def _clean_ids(self) -> dict[str, str]:
        """The ids with forbidden characters: {id: clean id}. If the clean id is in use, ``~2``, ``~3`` … follow it."""
        ids = [id_ for (id_,) in self.store.rows("SELECT id FROM nodes ORDER BY n")]
        unclean = [id_ for id_ in ids if clean_text(id_) != id_]
        in_use = set(ids).difference(unclean) if unclean else set()
        return {id_: take_name(clean_text(id_) or "_", in_use) for id_ in unclean}

    @cached_property
    def node_columns(self) -> list[Column]:
        """The columns of the nodes, in the order for readers: one for each attribute."""
        types = self._find_types("nodes", [name for name in NODE_COLUMNS if name not in _LIST_COLUMNS], _LIST_COLUMNS)
        columns = _to_columns(types, _RESERVED_FOR_NODES)
        dates = self.store.rows("SELECT DISTINCT date FROM nodes WHERE date IS NOT NULL")
        if types.get("date") == {"string"} and all(parse_day(value) for (value,) in dates):
            place = columns.index(Column("date", "date", "string"))
            columns[place : place + 1] = Column("date", "date", "date"), Column("datetime", "date", "datetime")
        return columns

    @cached_property
    def edge_columns(self) -> list[Column]:
        """The columns of the edges, in the order for readers: one for each attribute."""
        flags = "SELECT 'boilerplate', 'true', 1 FROM edges WHERE boilerplate", "SELECT 'evidence', '', 1 FROM evidence"
        return _to_columns(self._find_types("edges", ["weight"], ["reasons"], flags), _RESERVED_FOR_EDGES)

    def _find_types(
        self, table: str, columns: Iterable[str], list_columns: Iterable[str], queries: Iterable[str] = ()
    ) -> dict[str, set[str]]:
        """Return {attribute name: types of its values} for the nodes or edges (``table``: a table of the database).

        ``columns`` are the table's columns with single values, ``list_columns`` those with JSON arrays. Other
        attributes are in its column ``attributes``. ``queries`` select further (name, type, value). The types are those
        of ``Column``.
        """
        parts = [f"SELECT a.key, a.type, a.value FROM {table} t, json_each(t.attributes) a", *queries]  # noqa: S608 - constants, here and below
        for type_function, names in (("typeof", columns), ("json_type", list_columns)):
            query = "SELECT '{0}', {1}({0}), {0} FROM {2} WHERE {0} IS NOT NULL"
            parts += [query.format(name, type_function, table) for name in names]
        # An integer of more than 64 bits is a text (SQLite reads it as real); an array of anything but texts is JSON.
        is_nested = "EXISTS (SELECT 1 FROM json_each(a.value) i WHERE i.type <> 'text')"
        type_of = f"""CASE type WHEN 'array' THEN iif({is_nested}, '', 'list')
            WHEN 'integer' THEN iif(typeof(value) = 'real', 'text', type) ELSE type END"""
        query = f"WITH a (key, type, value) AS ({' UNION ALL '.join(parts)}) SELECT DISTINCT key, {type_of} FROM a"  # noqa: S608
        types: dict[str, set[str]] = {}
        for name, sql_type in self.store.rows(query):
            types.setdefault(name, set()).add("list" if sql_type == "list" else _TYPES.get(sql_type, "json"))
        return types


def sort_names(names: Iterable[str]) -> list[str]:
    """Return the names of attributes in the order for readers: the important ones first, then by alphabet."""
    return sorted(names, key=lambda name: (_RANK_OF_NAME.get(name, len(_RANK_OF_NAME)), name))


def format_cell(value: object) -> str:
    """Return a value of a column as text: ``true``, ``7``, ``0.5``, ``2024-08-04``; a list of texts as JSON.

    >>> format_cell(True), format_cell(1e-05), format_cell(date(2024, 8, 4))
    ('true', '1e-05', '2024-08-04')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return str(value).lower()
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    return value.isoformat() if isinstance(value, date) else clean_text(encode_json(value))


def find_name(attributes: Attributes, id_: str) -> str:
    """Return the name of a node for readers: its title, else its label, else its id."""
    return get_text(attributes, "title") or get_text(attributes, "label") or id_


def get_text(attributes: Attributes, name: str) -> str | None:
    """Return the attribute ``name`` as clean text, ``None`` if it is absent or not a text."""
    value = attributes.get(name)
    return clean_text(value) if isinstance(value, str) else None


def get_weight(attributes: Attributes) -> float:
    """Return the weight of an edge from its attributes; 0 if it is absent or not a number."""
    weight: Any = attributes.get("weight")
    return float(weight) if type(weight) in {int, float} and abs(weight) < 1e15 else 0.0


def list_evidence(attributes: Attributes) -> list[Attributes]:
    """Return the pieces of evidence in the attributes of an edge, each a dict; [] without evidence."""
    evidence = attributes.get("evidence")
    return [item for item in evidence if isinstance(item, dict)] if isinstance(evidence, list) else []


def take_name(name: str, in_use: set[str], mark: str = "~", fold: Callable[[str], str] = str) -> str:
    """Return a name that is not in the set ``in_use``, and add it there: ``name``, or it with ``mark`` and a number.

    ``fold`` makes names equal that must not both occur, such as ``str.lower``.
    """
    free_name, count = name, 1
    while fold(free_name) in in_use:
        count += 1
        free_name = f"{name}{mark}{count}"
    in_use.add(fold(free_name))
    return free_name


def _to_columns(types: Mapping[str, set[str]], reserved_names: frozenset[str]) -> list[Column]:
    """Return a column for each attribute, in the order for readers.

    ``types`` are {attribute name: types of its values}. The names of columns are valid in XML (NMTOKEN), in SQL and as
    headers of a spreadsheet. They differ in more than case, because SQL and spreadsheets ignore it. One of
    ``reserved_names`` gets a ``_`` at its end.
    """
    in_use = set(reserved_names)
    columns = []
    for key in sort_names(types):
        name = re.sub(r"[^A-Za-z0-9_.-]+", "_", key) or "_"
        free = take_name(f"{name}_" if name.lower() in reserved_names else name, in_use, "_", str.lower)
        columns.append(Column(free, key, _join_types(types[key])))
    return columns


def _join_types(types: set[str]) -> str:
    """Return the type of a column (see ``Column``) whose values have several ``types``."""
    if len(types) == 1:
        return next(iter(types))
    return "json" if types & {"json", "list"} else "double" if types == {"long", "double"} else "string"


def to_values(columns: Iterable[Column], attributes: Attributes) -> dict[str, Scalar]:
    """Return {column name: value} of ``columns`` for the attributes of a node or edge; absent values are left out."""
    values: dict[str, Scalar] = {}
    for name, key, form in columns:
        value = attributes.get(key)
        if value is not None and (cell := _CONVERTERS[form](value)) is not None:
            values[name] = cell
    return values
