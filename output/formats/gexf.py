"""GEXF 1.3, for Gephi and Gephi Lite: typed attributes, colour, size, shape and position.

The file is static: a node has the attributes ``date`` and ``time``, a decimal year to rank and filter by.
With an option it is dynamic, and nodes and edges begin at their dates. An edge's relation is
its ``kind``, because Gephi keeps parallel edges apart by kind. The description is JSON: the graph's own
attributes, and the names of the columns with JSON texts. Rules: https://gexf.net, schema 1.3.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from podgraph.extractors import SourceError
from podgraph.graph import kinds_of

from ..files import write_text
from .shared.days import day_of, decimal_year
from .shared.flatten import Column, Flat, flatten, parse_scalar, scalar_text
from .shared.plain import graph_of, plain_attributes
from .shared.style import colour, gexf_shape, size
from .shared.xml_events import HEAD, escape_attribute, escape_text, xml_events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from podgraph.graph import Kind

    from .shared.flatten import Row, Values
    from .shared.plain import Edge, Graph, Json, Node

_TYPES = {"json": "string", "list": "liststring"}
_TIME = "time"
_NUMBERS = ("long", "double")


def to_gexf(graph: Graph, *, dynamic: bool = False) -> str:
    """Return ``graph`` as GEXF: the same graph gives the same text.

    ``dynamic`` makes Gephi's timeline work: an episode begins at its date, every other node at the date of the
    first episode with a link to it.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label="vmap", x=0.5, y=-1)
    >>> print(to_gexf(graph).split("<nodes")[1].split("</nodes>")[0])
     count="1">
    <node id="topic:vmap" label="vmap"><attvalues><attvalue for="kind" value="topic"/></attvalues>\
<viz:color r="116" g="70" b="24"/><viz:position x="0.5" y="-1" z="0.0"/><viz:size value="4.0"/>\
<viz:shape value="diamond"/></node>
    <BLANKLINE>
    """
    return "".join(_lines(graph, dynamic=dynamic))


def write_gexf(graph: Graph, path: str | os.PathLike[str], *, dynamic: bool = False) -> None:
    """Write ``graph`` to the file ``path``, all or nothing. Raises ``OutputError``."""
    write_text(path, _lines(graph, dynamic=dynamic))


def read_gexf(path: str | os.PathLike[str]) -> Graph:
    """Return the graph of a GEXF file written by podgraph. Raises ``SourceError``."""
    found = _Reader()
    for event, name, value in xml_events(path):
        if isinstance(value, dict):
            found.start(name, value)
        elif event == "end":
            found.end(name, value)
    if not found.ended:
        raise SourceError("is not GEXF", source=os.fspath(path), remedy="give a file that podgraph wrote")
    return graph_of(found.about, found.nodes, found.edges)


class _Reader:
    """The state of the GEXF reader: the elements read so far."""

    def __init__(self) -> None:
        """Begin without anything read. The private fields are the state of the current element."""
        self.about: dict[str, Json] = {}
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.ended = False
        self._nested: set[tuple[str, str]] = set()  # columns (domain, title) of JSON texts
        self._columns: dict[tuple[str, str], tuple[str, str]] = {}  # (domain, id) -> title, type
        self._domain = ""
        self._item: dict[str, str] = {}
        self._attrs: dict[str, Json] = {}

    def start(self, name: str, value: dict[str, str]) -> None:
        """Take the start of an element, with its attributes."""
        if name == "attributes":
            self._domain = value.get("class", "")
        elif name == "attribute":
            title = value.get("title", "")
            form = "json" if (self._domain, title) in self._nested else value.get("type", "string")
            self._columns[self._domain, value.get("id", "")] = (title, form.replace("liststring", "json"))
        elif name in {"node", "edge"}:
            kept = ("label", "string") if name == "node" else ("weight", "double")
            self._domain, self._item = name, value
            self._attrs = {kept[0]: parse_scalar(value[kept[0]], kept[1])} if kept[0] in value else {}
        elif name == "attvalue" and value.get("for") != _TIME:
            title, form = self._columns.get((self._domain, value.get("for", "")), ("", "string"))
            self._attrs[title] = parse_scalar(value.get("value", ""), form)
        elif name == "position":
            self._attrs |= {axis: parse_scalar(value.get(axis, "0"), "double") for axis in ("x", "y")}

    def end(self, name: str, text: str) -> None:
        """Take the end of an element, with the text before it."""
        item = self._item
        if name == "description":
            self._describe(parse_scalar(text, "json"))
        elif name == "node":
            self.nodes.append((item.get("id", ""), self._attrs))
        elif name == "edge":
            self.edges.append((item.get("source", ""), item.get("target", ""), item.get("kind", ""), self._attrs))
        self.ended = self.ended or name == "gexf"

    def _describe(self, told: Json) -> None:
        """Take the graph's attributes, and the columns of JSON texts, from the description."""
        if isinstance(told, dict) and isinstance(about := told.get("graph"), dict):
            self.about = about
            nested = told.get("json")
            pairs = nested.items() if isinstance(nested, dict) else ()
            listed = ((domain, titles) for domain, titles in pairs if isinstance(titles, list))
            self._nested = {(domain, str(title)) for domain, titles in listed for title in titles}


def _lines(graph: Graph, *, dynamic: bool) -> Iterator[str]:
    """Yield the graph in pieces. ``dynamic`` gives nodes and edges the day from which they exist."""
    flat = flatten(graph, lists=True)
    starts = _starts(flat) if dynamic else {}
    tables = (("node", flat.node_columns), ("edge", flat.edge_columns))
    nested = {domain: [c.name for c in columns if c.type == "json"] for domain, columns in tables}
    about = plain_attributes(graph.graph)
    yield HEAD
    yield '<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">\n'
    yield f"<meta><creator>{escape_text(scalar_text(str(about.get('generator', 'podgraph'))))}</creator>"
    yield f"<description>{escape_text(scalar_text({'graph': about, 'json': nested}))}</description></meta>\n"
    mode = 'mode="dynamic" timeformat="date"' if dynamic else 'mode="static"'
    yield f'<graph defaultedgetype="directed" idtype="string" {mode}>\n'
    node_names = _names(flat.node_columns, _built_in(flat))
    edge_names = _names(flat.edge_columns, {"weight"} if _is_number(flat.edge_columns, "weight") else set())
    for (domain, columns), names in zip(tables, (node_names, edge_names), strict=True):
        yield from _declared(domain, columns, names)
    yield f'<nodes count="{len(flat.ids)}">\n'
    yield from _nodes(flat, node_names, starts)
    yield f'</nodes>\n<edges count="{graph.number_of_edges()}">\n'
    yield from _edges(flat, edge_names, starts)
    yield "</edges>\n</graph>\n</gexf>\n"


def _declared(domain: str, columns: tuple[Column, ...], names: list[str]) -> Iterator[str]:
    """Yield the declarations of the attributes of nodes, or of edges."""
    yield f'<attributes class="{domain}">\n'
    for column, name in zip(columns, names, strict=True):
        if name:
            form = _TYPES.get(column.type, column.type)
            yield f'<attribute id="{name}" title="{escape_attribute(column.name)}" type="{form}"/>\n'
    if domain == "node":
        yield f'<attribute id="{_TIME}" title="{_TIME}" type="double"/>\n'
    yield "</attributes>\n"


def _built_in(flat: Flat) -> set[str]:
    """Return the columns with a place of their own in GEXF: the label, and x with y."""
    places = {"label"} if any(c.name == "label" and c.type == "string" for c in flat.node_columns) else set()
    keys = [column.key for column in flat.node_columns if column.name in {"x", "y"} and column.type in _NUMBERS]
    if len(keys) == 2 and all(
        (attrs.get(keys[0]) is None) == (attrs.get(keys[1]) is None) for attrs in flat.graph.nodes.values()
    ):
        places |= {"x", "y"}
    return places


def _is_number(columns: tuple[Column, ...], name: str) -> bool:
    return any(column.name == name and column.type in _NUMBERS for column in columns)


def _names(columns: tuple[Column, ...], built_in: set[str]) -> list[str]:
    """Return an attribute id for each column: its name, because some readers show it; "" for built-in ones."""
    return ["" if column.name in built_in else column.name for column in columns]


def _nodes(flat: Flat, names: list[str], starts: dict[str, str]) -> Iterator[str]:
    """Yield the nodes. ``starts`` has the first day of each, ``names`` the attribute id of each column."""
    columns = [column.name for column in flat.node_columns]
    built_in = set(columns) - set(names)
    degrees = dict(flat.graph.degree())
    kinds = kinds_of(flat.graph.graph)
    for (node, row), key in zip(flat.nodes(), flat.ids, strict=True):
        values = dict(zip(columns, row, strict=True))
        label, day = values.get("label"), day_of(values.get("date"))
        start = f' start="{starts[node]}"' if node in starts else ""
        has_label = "label" in built_in and label is not None
        label_attribute = f' label="{escape_attribute(scalar_text(label))}"' if has_label else ""
        time_value = f'<attvalue for="{_TIME}" value="{decimal_year(day)}"/>' if day else ""
        yield f'<node id="{escape_attribute(node)}"{label_attribute}{start}>{_values(names, row, time_value)}'
        yield _look(kinds[scalar_text(values.get("kind") or "")], values if "x" in built_in else {}, degrees[key])


def _look(kind: Kind, values: Values, degree: int) -> str:
    """Return colour, place, size and shape of a node, and its end."""
    red, green, blue = bytes.fromhex(colour(kind)[1:])
    x, y = values.get("x"), values.get("y")
    place = f'<viz:position x="{x!r}" y="{y!r}" z="0.0"/>' if x is not None else ""
    drawn = f'<viz:size value="{size(degree)}"/><viz:shape value="{gexf_shape(kind)}"/>'
    return f'<viz:color r="{red}" g="{green}" b="{blue}"/>{place}{drawn}</node>\n'


def _edges(flat: Flat, names: list[str], starts: dict[str, str]) -> Iterator[str]:
    """Yield the edges. An edge exists from the first day on which both its ends exist."""
    weight = next((place for place, name in enumerate(names) if not name), None)  # "": the only built-in column
    for number, (source, target, relation, row) in enumerate(flat.edges()):
        word = escape_attribute(relation)
        yield f'<edge id="e{number}" source="{escape_attribute(source)}" target="{escape_attribute(target)}"'
        yield f' kind="{word}" label="{word}"'
        if weight is not None and row[weight] is not None:
            yield f' weight="{row[weight]!r}"'
        begin = max(starts.get(source, ""), starts.get(target, ""))
        yield (f' start="{begin}">' if begin else ">") + _values(names, row, "") + "</edge>\n"


def _values(names: list[str], row: Row, more: str) -> str:
    values = "".join(
        f'<attvalue for="{name}" value="{escape_attribute(scalar_text(value))}"/>'
        for name, value in zip(names, row, strict=True)
        if name and value is not None
    )
    return f"<attvalues>{values}{more}</attvalues>" if values or more else ""


def _starts(flat: Flat) -> dict[str, str]:
    """Return the first day of each node: its own date, else the earliest date of a node with a link to it."""
    attrs = flat.graph.nodes
    own = {name: day.isoformat() for node, name in flat.ids.items() if (day := day_of(attrs[node].get("date")))}
    starts = dict(own)
    for node, name in flat.ids.items():
        if name in own:
            for other in flat.graph.adj[node]:
                target = flat.ids[other]
                if target not in own:
                    starts[target] = min(own[name], starts.get(target, own[name]))
    return starts
