"""GEXF 1.3, for Gephi and Gephi Lite: typed attributes, colour, size, shape and position.

A node has the attributes ``date`` and ``time``, a decimal year to rank and filter by. An edge's relation is its
``kind``, because Gephi keeps parallel edges apart by kind. The description is JSON: the graph's own attributes, and
the names of the columns with JSON texts. Rules: https://gexf.net, schema 1.3.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from podgraph.graph import kinds_of

from ..files import write_text
from .shared.days import day_of, decimal_year
from .shared.flatten import Column, Flat, flatten, scalar_text
from .shared.plain import plain_attributes
from .shared.style import colour, gexf_shape, size
from .shared.xml_text import HEAD, escape_attribute, escape_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from podgraph.graph import Kind

    from .shared.flatten import Row, Values
    from .shared.plain import Graph

_TYPES = {"json": "string", "list": "liststring"}
_TIME = "time"
_NUMBERS = ("long", "double")


def to_gexf(graph: Graph) -> str:
    """Return ``graph`` as GEXF: the same graph gives the same text.

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
    return "".join(_lines(graph))


def write_gexf(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write ``graph`` to the file ``path``, all or nothing. Raises ``OutputError``."""
    write_text(path, _lines(graph))


def _lines(graph: Graph) -> Iterator[str]:
    """Yield the graph in pieces."""
    flat = flatten(graph, lists=True)
    tables = (("node", flat.node_columns), ("edge", flat.edge_columns))
    nested = {domain: [c.name for c in columns if c.type == "json"] for domain, columns in tables}
    about = plain_attributes(graph.graph)
    yield HEAD
    yield '<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">\n'
    yield f"<meta><creator>{escape_text(scalar_text(str(about.get('generator', 'podgraph'))))}</creator>"
    yield f"<description>{escape_text(scalar_text({'graph': about, 'json': nested}))}</description></meta>\n"
    yield '<graph defaultedgetype="directed" idtype="string" mode="static">\n'
    node_names = _names(flat.node_columns, _built_in(flat))
    edge_names = _names(flat.edge_columns, {"weight"} if _is_number(flat.edge_columns, "weight") else set())
    for (domain, columns), names in zip(tables, (node_names, edge_names), strict=True):
        yield from _declared(domain, columns, names)
    yield f'<nodes count="{len(flat.ids)}">\n'
    yield from _nodes(flat, node_names)
    yield f'</nodes>\n<edges count="{graph.number_of_edges()}">\n'
    yield from _edges(flat, edge_names)
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


def _nodes(flat: Flat, names: list[str]) -> Iterator[str]:
    """Yield the nodes. ``names`` has the attribute id of each column."""
    columns = [column.name for column in flat.node_columns]
    built_in = set(columns) - set(names)
    degrees = dict(flat.graph.degree())
    kinds = kinds_of(flat.graph.graph)
    for (node, row), key in zip(flat.nodes(), flat.ids, strict=True):
        values = dict(zip(columns, row, strict=True))
        label, day = values.get("label"), day_of(values.get("date"))
        has_label = "label" in built_in and label is not None
        label_attribute = f' label="{escape_attribute(scalar_text(label))}"' if has_label else ""
        time_value = f'<attvalue for="{_TIME}" value="{decimal_year(day)}"/>' if day else ""
        yield f'<node id="{escape_attribute(node)}"{label_attribute}>{_values(names, row, time_value)}'
        yield _look(kinds[scalar_text(values.get("kind") or "")], values if "x" in built_in else {}, degrees[key])


def _look(kind: Kind, values: Values, degree: int) -> str:
    """Return colour, place, size and shape of a node, and its end."""
    red, green, blue = bytes.fromhex(colour(kind)[1:])
    x, y = values.get("x"), values.get("y")
    place = f'<viz:position x="{x!r}" y="{y!r}" z="0.0"/>' if x is not None else ""
    drawn = f'<viz:size value="{size(degree)}"/><viz:shape value="{gexf_shape(kind)}"/>'
    return f'<viz:color r="{red}" g="{green}" b="{blue}"/>{place}{drawn}</node>\n'


def _edges(flat: Flat, names: list[str]) -> Iterator[str]:
    weight = next((place for place, name in enumerate(names) if not name), None)  # "": the only built-in column
    for number, (source, target, relation, row) in enumerate(flat.edges()):
        word = escape_attribute(relation)
        yield f'<edge id="e{number}" source="{escape_attribute(source)}" target="{escape_attribute(target)}"'
        yield f' kind="{word}" label="{word}"'
        if weight is not None and row[weight] is not None:
            yield f' weight="{row[weight]!r}"'
        yield f">{_values(names, row, '')}</edge>\n"


def _values(names: list[str], row: Row, more: str) -> str:
    values = "".join(
        f'<attvalue for="{name}" value="{escape_attribute(scalar_text(value))}"/>'
        for name, value in zip(names, row, strict=True)
        if name and value is not None
    )
    return f"<attvalues>{values}{more}</attvalues>" if values or more else ""
