"""A graph as sorted records: with nested values for JSON, and flat, typed and clean for every other format.

A flat column has one type: ``string``, ``long`` (64 bits), ``double``, ``boolean``, ``list`` (of texts, in formats
that have lists) or ``json``: compact JSON text for evidence, nested values and, elsewhere, lists. A column of several
types is ``string``. Nothing is copied: records are read from the store while they are written.
"""

from __future__ import annotations

import json
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from podgraph.graph import NODE_COLUMNS, Edge, Store

from .shared.days import day_of
from .shared.steering import clean_text
from .shared.weblink import web_link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import date

    from podgraph.graph import Graph, Kinds

    # A value of a column; None: the attribute is absent.
    Scalar = str | int | float | bool | list[str] | None
    Attributes = Mapping[str, Any]

_NOT_A_NAME = re.compile(r"[^A-Za-z0-9_.-]+")  # not allowed in a column's name
# Names with a meaning in some format; an attribute with such a name gets a "_" at its end, in every format.
_RESERVED_FOR_NODES = (
    "id node name shared_name parent pid source target key start end interval timeset datetime time selected "
    "suid labels viz size color shape value"
).split()
_RESERVED_FOR_EDGES = [*_RESERVED_FOR_NODES, *"edge relation kind type label interaction shared_interaction".split()]
# The first attributes for readers; all others follow by name.
_ORDER = (
    "kind label url title date duration number season podcast repo path area aliases language module weight reasons "
    "schema generator sources"
).split()
_FORMS = {"text": "string", "integer": "long", "real": "double", "true": "boolean", "false": "boolean"}
_LISTS = ("aliases", "names")  # columns of the store with lists as JSON
_CITING = ("cites", "mentions", "about")
encode_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Column(NamedTuple):
    """A column: its ``name``, the attribute ``key`` it is from, and its ``type`` (see the module)."""

    name: str
    key: str
    type: str


class Citation(NamedTuple):
    """One piece of evidence: an episode (or post) mentions an artifact.

    ``moment`` is in seconds from the beginning, ``link`` the address as found, else the artifact's address. Unknown
    values are ``None``.
    """

    episode: str
    thing: str
    kind: str
    quote: str | None
    moment: float | None
    link: str | None
    relation: str
    date: date | None
    method: str | None
    confidence: float | None
    field: str | None
    start: int | None
    end: int | None
    episode_id: str
    thing_id: str


class Rows:
    """The records of a graph, for the writers of the formats.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("a", kind="topic", id=7, aliases=["x", "y"])
    >>> rows = Rows(graph)
    >>> [(column.name, column.type) for column in rows.node_columns()]
    [('kind', 'string'), ('aliases', 'json'), ('id_', 'long')]
    >>> list(rows.flat_nodes(rows.node_columns()))
    [('a', ['topic', '["x","y"]', 7])]
    """

    def __init__(self, graph: Graph | Store) -> None:
        """Take a ``networkx.MultiDiGraph`` or a store. A networkx graph fills a store in memory on first use."""
        self._graph = graph

    @cached_property
    def store(self) -> Store:
        """The graph as a store: ids are unique, values are JSON, nodes and edges are sorted."""
        return self._graph if isinstance(self._graph, Store) else Store.from_networkx(self._graph)

    def networkx(self) -> Graph:
        """Return the graph as a ``networkx.MultiDiGraph``."""
        return self._graph.to_networkx() if isinstance(self._graph, Store) else self._graph

    def __len__(self) -> int:
        return (
            int(self.store.value("SELECT count(*) FROM nodes")) if isinstance(self._graph, Store) else len(self._graph)
        )

    @property
    def about(self) -> Attributes:
        """The graph's own attributes."""
        return self.store.about

    @property
    def kinds(self) -> Kinds:
        """The kinds of the graph."""
        return self.store.kinds

    def nodes(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield (id, attributes), sorted by id; attributes in the order for readers, with nested values."""
        for id_, attributes in self.store.all_nodes():
            yield self.clean_id(id_), {name: attributes[name] for name in sort_names(attributes)}

    def edges(self) -> Iterator[Edge]:
        """Yield the edges, sorted by source, target and relation, with nested values."""
        for edge in self.store.all_edges():
            source, target, relation, attributes = edge
            yield Edge(self.clean_id(source), self.clean_id(target), clean_text(relation) or "_", attributes)

    def clean_id(self, id_: str) -> str:
        """Return an id that every format can hold; no two ids share one."""
        return self._clean_ids.get(id_, id_) if self._clean_ids else id_

    @cached_property
    def _clean_ids(self) -> dict[str, str]:
        """The ids that are not clean, each with a clean one: ``~2``, ``~3`` … follow where it is taken."""
        ids = [id_ for (id_,) in self.store.rows("SELECT id FROM nodes ORDER BY n")]
        unclean = [id_ for id_ in ids if clean_text(id_) != id_]
        taken = set(ids).difference(unclean) if unclean else set()
        return {id_: _take_name(clean_text(id_) or "_", taken, "~") for id_ in unclean}

    def relations(self) -> list[str]:
        """Return the names of the relations, sorted."""
        return [name for (name,) in self.store.rows("SELECT DISTINCT relation FROM edges ORDER BY relation")]

    def about_columns(self) -> list[Column]:
        """Return the columns of the graph's own attributes."""
        forms = {name: {_form_of(value)} for name, value in self.about.items()}
        return _to_columns(forms, (), lists=False)

    def node_columns(self, *, lists: bool = False) -> list[Column]:
        """Return the columns of the nodes. ``lists``: the format has lists of texts."""
        forms = self._find_forms("nodes", [name for name in NODE_COLUMNS if name not in _LISTS], _LISTS)
        return _to_columns(forms, _RESERVED_FOR_NODES, lists=lists)

    def edge_columns(self, *, lists: bool = False) -> list[Column]:
        """Return the columns of the edges. ``lists``: the format has lists of texts."""
        forms = self._find_forms("edges", ["weight"], ["reasons"])
        for name, query in (("boilerplate", "edges WHERE boilerplate"), ("evidence", "evidence")):
            if self.store.value(f"SELECT 1 FROM {query} LIMIT 1"):  # noqa: S608 - constants
                forms.setdefault(name, set()).add("boolean" if name == "boilerplate" else "json")
        return _to_columns(forms, _RESERVED_FOR_EDGES, lists=lists)

    def _find_forms(self, table: str, columns: Iterable[str], lists: Iterable[str]) -> dict[str, set[str]]:
        """Return the forms of the values of each attribute, as SQLite finds them."""
        forms: dict[str, set[str]] = {}
        for name in columns:
            types = self.store.rows(f"SELECT DISTINCT typeof({name}) FROM {table}")  # noqa: S608 - constants
            forms[name] = {_FORMS[type_] for (type_,) in types if type_ != "null"}
        # A whole number of more than 64 bits becomes a text.
        type_of = "CASE WHEN a.type = 'integer' AND typeof(a.value) = 'real' THEN 'text' ELSE a.type END"
        each = f"FROM {table}, json_each({table}.attributes) a"
        for name, type_ in self.store.rows(f"SELECT DISTINCT a.key, {type_of} {each}"):
            forms.setdefault(name, set()).add({**_FORMS, "array": "list"}.get(type_, "json"))
        items = "json_each(CASE a.type WHEN 'array' THEN a.value ELSE '[]' END) i"
        for (name,) in self.store.rows(f"SELECT DISTINCT a.key {each}, {items} WHERE i.type <> 'text'"):
            forms[name].add("json")
        for name in lists:
            items = f"{table} LEFT JOIN json_each({name}) i WHERE {name} IS NOT NULL"
            are_lists = f"SELECT DISTINCT coalesce(json_type({name}) = 'array' AND i.type = 'text', 1) FROM {items}"  # noqa: S608 - constants
            for (is_list,) in self.store.rows(are_lists):
                forms.setdefault(name, set()).add("list" if is_list else "json")
        return forms

    def flat_nodes(self, columns: Iterable[Column]) -> Iterator[tuple[str, list[Scalar]]]:
        """Yield (id, a value for each column), sorted by id."""
        plan = [(column.key, _CONVERT[column.type]) for column in columns]
        for id_, attributes in self.store.all_nodes():
            yield self.clean_id(id_), _to_cells(attributes, plan)

    def flat_edges(self, columns: Iterable[Column]) -> Iterator[tuple[str, str, str, list[Scalar]]]:
        """Yield (source, target, relation, a value for each column), sorted."""
        plan = [(column.key, _CONVERT[column.type]) for column in columns]
        for source, target, relation, attributes in self.store.all_edges():
            yield self.clean_id(source), self.clean_id(target), clean_text(relation) or "_", _to_cells(attributes, plan)

    def citations(self) -> Iterator[Citation]:
        """Yield a row for each piece of evidence, by episode, thing and place in the text."""
        nodes: dict[str, tuple[str, str, str, date | None]] = {}
        for id_, node in self.nodes():
            nodes[id_] = (
                name_of(node, id_),
                text_of(node, "kind") or "",
                web_link(node.get("url")),
                day_of(node.get("date")),
            )
        for source, target, relation, attributes in self.edges():
            evidence = list_evidence(attributes) or ([{}] if relation in _CITING else [])
            for item in evidence:
                name, kind, url, _ = nodes[target]
                yield Citation(
                    nodes[source][0], name, kind, quote=text_of(item, "quote"), moment=to_seconds(item.get("time")),
                    link=web_link(item.get("url")) or url or None, relation=relation, date=nodes[source][3],
                    method=text_of(item, "method"), confidence=_to_number(item.get("confidence")),
                    field=text_of(item, "field"), start=_to_offset(item.get("start")), end=_to_offset(item.get("end")),
                    episode_id=source, thing_id=target,
                )  # fmt: skip

    def title(self) -> str:
        """Return the names of the podcasts, sorted, as a title; another one without podcasts."""
        podcasts = self.store.rows("SELECT id, title, label FROM nodes WHERE kind = 'podcast'")
        names = sorted(clean_text(title or label or id_) for id_, title, label in podcasts)
        return ", ".join(names) or "Episodes and what they cite"


def sort_names(names: Iterable[str]) -> list[str]:
    """Return the names of attributes in the order for readers."""
    return sorted(names, key=lambda name: (_RANK.get(name, len(_RANK)), name))


_RANK = {name: rank for rank, name in enumerate(_ORDER)}


def cell_text(value: object) -> str:
    """Return a value of a row as text: ``true``, ``7``, ``0.5``; a list of texts as JSON.

    >>> cell_text(True), cell_text(1e-05)
    ('true', '1e-05')
    """
    if isinstance(value, str):
        return value
    return clean_text(encode_json(value))


def name_of(attributes: Attributes, id_: str) -> str:
    """Return the name of a node for readers: its title, else its label, else its id."""
    return text_of(attributes, "title") or text_of(attributes, "label") or id_


def text_of(attributes: Attributes, name: str) -> str | None:
    """Return a text attribute, clean; ``None`` for other types."""
    value = attributes.get(name)
    return clean_text(value) if isinstance(value, str) else None


def list_evidence(attributes: Attributes) -> list[Attributes]:
    """Return the pieces of evidence of an edge."""
    evidence = attributes.get("evidence")
    return [item for item in evidence if isinstance(item, dict)] if isinstance(evidence, list) else []


def to_seconds(value: object) -> float | None:
    """Return a moment in seconds, from a number or a numeric text; ``None`` for other values.

    >>> to_seconds(90), to_seconds("90.5"), to_seconds("soon")
    (90.0, 90.5, None)
    """
    is_decimal = isinstance(value, str) and re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]{1,9})?", value)
    return float(str(value)) if is_decimal else _to_number(value)


def _to_number(value: object) -> float | None:
    return float(value) if type(value) in {int, float} and abs(value) < 1e15 else None  # type: ignore[arg-type]


def _to_offset(value: object) -> int | None:
    return value if type(value) is int and abs(value) < 1 << 53 else None


def _take_name(name: str, taken: set[str], mark: str) -> str:
    """Return a name that is free, with a number where it is not, and take it."""
    free, count = name, 1
    while free.lower() in taken if mark == "_" else free in taken:
        count += 1
        free = f"{name}{mark}{count}"
    taken.add(free.lower() if mark == "_" else free)
    return free


def clean_name(name: str) -> str:
    """Return a column name valid in every format: XML's NMTOKEN, SQL, a spreadsheet's header.

    >>> clean_name("owner's wish")
    'owner_s_wish'
    """
    return _NOT_A_NAME.sub("_", name) or "_"


def _to_columns(forms: Mapping[str, set[str]], reserved: Iterable[str], *, lists: bool) -> list[Column]:
    """Return a column for each attribute. Names differ in more than case, because SQL and spreadsheets ignore it."""
    reserved, taken = frozenset(reserved), set(reserved)
    columns = []
    for key in sort_names(name for name, found in forms.items() if found):
        name = clean_name(key)
        free = _take_name(f"{name}_" if name.lower() in reserved else name, taken, "_")
        columns.append(Column(free, key, _common_type(forms[key], lists=lists)))
    return columns


def _common_type(forms: set[str], *, lists: bool) -> str:
    if "json" in forms or ("list" in forms and (len(forms) > 1 or not lists)):
        return "json"
    if len(forms) == 1:
        return next(iter(forms))
    return "double" if forms == {"long", "double"} else "string"


def _form_of(value: object) -> str:
    forms = {str: "string", bool: "boolean", int: "long", float: "double"}
    is_long = type(value) is int and not -(2**63) <= value < 2**63
    return "json" if is_long else forms.get(type(value), "json")


def _to_cells(attributes: Attributes, plan: list[tuple[str, Callable[[Any], Scalar]]]) -> list[Scalar]:
    return [None if (value := attributes.get(key)) is None else convert(value) for key, convert in plan]


def to_scalar(value: Any, column_type: str) -> Scalar:
    """Return a value of an attribute as a column of a type has it."""
    return _CONVERT[column_type](value)


_CONVERT: dict[str, Callable[[Any], Scalar]] = {
    "string": lambda value: clean_text(value) if isinstance(value, str) else cell_text(value),
    "long": int,
    "double": float,
    "boolean": bool,
    "list": lambda value: [clean_text(item) for item in value],
    "json": lambda value: clean_text(encode_json(value)),
}
