"""Nested attributes as typed columns of scalars, for every format without nested values.

A column has one type: ``string``, ``long`` (64 bits), ``double``, ``boolean``, ``list`` (of texts, in formats with
lists) or ``json``: compact JSON text for evidence, nested values and, elsewhere, lists. Our readers parse it again.
Integers beside fractions become doubles; any other mixture, ``nan``, ``inf`` and integers of more than 64 bits make
a column ``string``. A graph of the contract survives the round trip unchanged.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .plain import attribute_order, edges_in_order, node_ids, plain, whole_text

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

    from .plain import Graph, Json

    # A value of a column; None: the attribute is absent.
    Scalar = str | int | float | bool | list[str] | None
    Row = tuple[Scalar, ...]
    Values = dict[str, Scalar]
    Plan = list[tuple[str, Callable[[Any], Scalar]]]

# Not allowed in XML: control characters, lone surrogates, noncharacters.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_WHOLE = re.compile(r"-?[0-9]{1,18}")  # a number without a point, of 64 bits at most
_NOT_A_NAME = re.compile(r"[^A-Za-z0-9_.-]+")  # not allowed in a column's name
# Names with a meaning in some format; an attribute with such a name gets a "_" at its end, in every format.
_TAKEN = (
    "id node name shared_name parent pid source target key start end interval timeset datetime time selected "
    "suid labels viz size color shape value"
)
_TAKEN_BY_EDGES = "edge relation kind type label interaction shared_interaction"
NODE_TAKEN = frozenset(_TAKEN.split())
EDGE_TAKEN = NODE_TAKEN | frozenset(_TAKEN_BY_EDGES.split())
_WORDS = {True: "true", False: "false"}
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its ``name``, the attribute ``key`` it is from, and its ``type`` (see the module)."""

    name: str
    key: str
    type: str


@dataclass(frozen=True, slots=True)
class Flat:
    """A graph as tables. A row has a value for each column; ``None`` where the attribute is absent."""

    graph: Graph
    about_columns: tuple[Column, ...]
    node_columns: tuple[Column, ...]
    edge_columns: tuple[Column, ...]
    ids: dict[Hashable, str]

    def about(self) -> Row:
        """Return the row of the graph's own attributes."""
        return next(_rows([self.graph.graph], self.about_columns))

    def nodes(self) -> Iterator[tuple[str, Row]]:
        """Yield (id, row), sorted by id."""
        attrs = self.graph.nodes
        return zip(self.ids.values(), _rows((attrs[node] for node in self.ids), self.node_columns), strict=True)

    def relations(self) -> list[str]:
        """Return the names of the relations, sorted."""
        return sorted({relation for _, _, relation, _ in edges_in_order(self.graph, self.ids, clean_text)})

    def edges(self) -> Iterator[tuple[str, str, str, Row]]:
        """Yield (source, target, relation, row), sorted."""
        plan = _plan(self.edge_columns)
        for source, target, relation, attrs in edges_in_order(self.graph, self.ids, clean_text):
            yield source, target, relation, _row(attrs, plan)


def flatten(graph: Graph, *, lists: bool = False) -> Flat:
    """Return ``graph`` as tables; column names are ASCII, and differ in more than case.

    ``lists``: the format has lists of texts. Rows are made on demand, so nothing is copied.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("a", kind="topic", id=7, aliases=["x", "y"])
    >>> flat = flatten(graph)
    >>> [(column.name, column.type) for column in flat.node_columns]
    [('id_', 'long'), ('kind', 'string'), ('aliases', 'json')]
    >>> list(flat.nodes())
    [('a', (7, 'topic', '["x","y"]'))]
    """
    edges = (attrs for _, _, attrs in graph.edges(data=True))
    return Flat(
        graph,
        _columns([graph.graph], frozenset(), lists=lists),
        _columns(graph.nodes.values(), NODE_TAKEN, lists=lists),
        _columns(edges, EDGE_TAKEN, lists=lists),
        node_ids(graph, clean_text),
    )


def values_of(columns: tuple[Column, ...], row: Row) -> Values:
    """Return the values of a row by the names of their columns, without absent ones."""
    return {column.name: value for column, value in zip(columns, row, strict=True) if value is not None}


def clean_text(text: str) -> str:
    r"""Return ``text`` with only the characters valid in every format, by XML's rule (XML 1.0, 2.2).

    Control characters become their pictures (U+2400 and up), noncharacters become U+FFFD.

    >>> clean_text("a\0b\tc") == "a" + chr(0x2400) + "b\tc"
    True
    """
    if _UNPRINTABLE.search(text) is None:
        return text
    return _UNPRINTABLE.sub(lambda m: chr(0x2400 + ord(m[0])) if m[0] < " " else "\ufffd", whole_text(text))


def clean_name(name: str) -> str:
    """Return a column name valid in every format: XML's NMTOKEN, SQL, a spreadsheet's header.

    >>> clean_name("owner's wish")
    'owner_s_wish'
    """
    return _NOT_A_NAME.sub("_", name) or "_"


def scalar_text(value: object) -> str:
    """Return a row's value as text: ``true``, ``7``, ``0.5``; a list of texts as JSON.

    >>> scalar_text(True), scalar_text(1e-05)
    ('true', '1e-05')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return _WORDS[value]
    return repr(value) if isinstance(value, (int, float)) else clean_text(_encode(value))


def parse_scalar(text: str, form: str) -> Json:
    """Return the value of ``text`` in a column of the type ``form``; ``None`` for an invalid text.

    >>> parse_scalar("true", "boolean"), parse_scalar("7", "long"), parse_scalar("x", "long")
    (True, 7, None)
    """
    if form == "string":
        return text
    if form == "boolean":
        return {"true": True, "1": True, "false": False, "0": False}.get(text.strip().lower())
    try:
        if form == "long" or (form == "double" and _WHOLE.fullmatch(text)):
            return int(text)
        found: Json = float(text) if form == "double" else json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


def _columns(rows: Iterable[Mapping[str, object]], taken: frozenset[str], *, lists: bool) -> tuple[Column, ...]:
    """Return a column for each key of some attributes. ``taken`` are names that are not free."""
    forms_of: dict[str, set[str]] = {}
    for attrs in rows:
        for key, value in attrs.items():
            if value is not None:
                form = _form(value)
                try:  # faster than setdefault, which makes a set for each value
                    forms_of[key].add(form)
                except KeyError:
                    forms_of[key] = {form}
    order = attribute_order(tuple(forms_of))
    names = _apart([clean_name(name) for _, name in order], taken)
    types = [_common_type(forms_of[key], lists=lists) for key, _ in order]
    return tuple(Column(name, key, type_) for (key, _), name, type_ in zip(order, names, types, strict=True))


def _apart(names: list[str], taken: frozenset[str]) -> list[str]:
    """Add numbers to names different only in case, because SQL and spreadsheets ignore case."""
    used = set(taken)
    result = []
    for name in names:
        free, count = f"{name}_" if name.lower() in taken else name, 1
        while free.lower() in used:
            count += 1
            free = f"{name}_{count}"
        used.add(free.lower())
        result.append(free)
    return result


def _form(value: object) -> str:
    """Return the form of a value in a column. ``longer`` has more than 53 bits, ``other`` only a text holds."""
    form = type(value)
    if form is str:
        return "string"
    if form in _FORMS:
        return _FORMS[form](value)
    try:
        return _form(plain(value))
    except RecursionError:
        return "string"


def _form_of_int(value: int) -> str:
    if -(2**53) <= value <= 2**53:
        return "long"
    return "longer" if -(2**63) <= value < 2**63 else "other"


def _common_type(forms: set[str], *, lists: bool) -> str:
    """Return the type of a column by the forms of its values. With ``lists``, a column may be of lists."""
    if "json" in forms or ("list" in forms and (len(forms) > 1 or not lists)):
        return "json"
    if len(forms) == 1:
        (form,) = forms
        return {"longer": "long", "other": "string"}.get(form, form)
    if forms == {"long", "longer"}:
        return "long"
    return "double" if forms == {"long", "double"} else "string"


def _plan(columns: tuple[Column, ...]) -> Plan:
    return [(column.key, _CONVERT[column.type]) for column in columns]


def _row(attrs: Mapping[str, object], plan: Plan) -> Row:
    return tuple(None if (value := attrs.get(key)) is None else convert(value) for key, convert in plan)


def _rows(rows: Iterable[Mapping[str, object]], columns: tuple[Column, ...]) -> Iterator[Row]:
    plan = _plan(columns)
    for attrs in rows:
        yield _row(attrs, plan)


def _string(value: object) -> str:
    if type(value) is str:
        return value if _UNPRINTABLE.search(value) is None else clean_text(value)
    return clean_text(scalar_text(_plain(value)))


def _plain(value: object) -> Json:
    try:
        return plain(value)
    except RecursionError:
        return "(nested too deeply)"


def _json(value: object) -> str:
    return clean_text(_encode(_plain(value)))


_FORMS: dict[type, Callable[[Any], str]] = {
    bool: lambda _: "boolean",
    dict: lambda _: "json",
    int: _form_of_int,
    float: lambda value: "double" if math.isfinite(value) else "other",
    list: lambda value: "list" if all(type(item) is str for item in value) else "json",
}
_CONVERT: dict[str, Callable[[Any], Scalar]] = {
    "string": _string,
    "long": int,
    "double": lambda value: value if type(value) is int else float(value),
    "boolean": bool,
    "list": lambda value: json.loads(_json(value)),
    "json": _json,
}
