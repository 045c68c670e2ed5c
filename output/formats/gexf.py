"""GEXF 1.3, for Gephi and Gephi Lite: typed attributes, colour, size, shape and position.

A node has the attributes ``date`` and ``time``, a decimal year to rank and filter by. An edge's relation is its
``kind``, because Gephi keeps parallel edges apart by kind. The description is JSON: the graph's own attributes, and
the names of the columns with JSON texts. Rules: https://gexf.net, schema 1.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .rows import cell_text
from .shared.days import day_of, decimal_year
from .shared.steering import clean_text
from .shared.style import colour, gexf_shape, size
from .shared.xml_text import HEAD, escape_attribute, escape_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from podgraph.graph import Kind

    from .rows import Column, Rows, Scalar

_TYPES = {"json": "string", "list": "liststring"}
_NUMBERS = ("long", "double")


def to_gexf(rows: Rows) -> Iterator[str]:
    """Yield a graph as GEXF.

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label="vmap", x=0.5, y=-1)
    >>> print("".join(to_gexf(Rows(graph))).split("<nodes")[1].split("</nodes>")[0])
     count="1">
    <node id="topic:vmap" label="vmap"><attvalues><attvalue for="kind" value="topic"/></attvalues>\
<viz:color r="116" g="70" b="24"/><viz:position x="0.5" y="-1.0" z="0.0"/><viz:size value="4.0"/>\
<viz:shape value="diamond"/></node>
    <BLANKLINE>
    """
    tables = {"node": rows.node_columns(lists=True), "edge": rows.edge_columns(lists=True)}
    json_columns = {domain: [c.name for c in columns if c.type == "json"] for domain, columns in tables.items()}
    about = cell_text({"graph": rows.about, "json": json_columns})
    yield f'{HEAD}<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">\n'
    yield f"<meta><creator>{escape_text(clean_text(str(rows.about.get('generator', 'podgraph'))))}</creator>"
    yield f"<description>{escape_text(about)}</description></meta>\n"
    yield '<graph defaultedgetype="directed" idtype="string" mode="static">\n'
    own_places = _find_own_places(rows, tables["node"])
    is_weighted = any(column.name == "weight" and column.type in _NUMBERS for column in tables["edge"])
    names = {
        "node": _attribute_ids(tables["node"], own_places),
        "edge": _attribute_ids(tables["edge"], {"weight"} if is_weighted else set()),
    }
    for domain, columns in tables.items():
        yield f'<attributes class="{domain}">\n'
        for column, name in zip(columns, names[domain], strict=True):
            if name:
                form = _TYPES.get(column.type, column.type)
                yield f'<attribute id="{name}" title="{name}" type="{form}"/>\n'
        yield '<attribute id="time" title="time" type="double"/>\n' if domain == "node" else ""
        yield "</attributes>\n"
    count = rows.store.value("SELECT count(*) FROM nodes")
    yield f'<nodes count="{count}">\n'
    yield from _nodes(rows, tables["node"], names["node"], own_places)
    count = rows.store.value("SELECT count(*) FROM edges")
    yield f'</nodes>\n<edges count="{count}">\n'
    yield from _edges(rows, tables["edge"], names["edge"])
    yield "</edges>\n</graph>\n</gexf>\n"


def _find_own_places(rows: Rows, columns: list[Column]) -> set[str]:
    """Return the columns with a place of their own in GEXF: the label, and x with y where each node has both."""
    types = {column.name: column.type for column in columns}
    places = {"label"} if types.get("label") == "string" else set()
    is_alone = rows.store.value("SELECT 1 FROM nodes WHERE (x IS NULL) <> (y IS NULL) LIMIT 1")
    return places | {"x", "y"} if types.get("x") == types.get("y") == "double" and not is_alone else places


def _attribute_ids(columns: list[Column], own_places: set[str]) -> list[str]:
    """Return an attribute id for each column: its name, because some readers show it; "" for own places."""
    return ["" if column.name in own_places else column.name for column in columns]


def _nodes(rows: Rows, columns: list[Column], names: list[str], own_places: set[str]) -> Iterator[str]:
    degrees = rows.store.rows("SELECT degree FROM nodes ORDER BY n")
    for (node, row), (degree,) in zip(rows.flat_nodes(columns), degrees, strict=True):
        values = {column.name: value for column, value in zip(columns, row, strict=True)}
        label, day = values.get("label"), day_of(values.get("date"))
        head = f' label="{escape_attribute(str(label))}"' if "label" in own_places and label is not None else ""
        time = f'<attvalue for="time" value="{decimal_year(day)}"/>' if day else ""
        place = ""
        if "x" in own_places and values["x"] is not None:
            place = f'<viz:position x="{values["x"]!r}" y="{values["y"]!r}" z="0.0"/>'
        look = _look(rows.kinds[cell_text(values.get("kind") or "")], place, degree)
        yield f'<node id="{escape_attribute(node)}"{head}>{_values(names, row, time)}{look}</node>\n'


def _look(kind: Kind, place: str, degree: int) -> str:
    """Return colour, place, size and shape of a node."""
    red, green, blue = bytes.fromhex(colour(kind)[1:])
    drawn = f'<viz:size value="{size(degree)}"/><viz:shape value="{gexf_shape(kind)}"/>'
    return f'<viz:color r="{red}" g="{green}" b="{blue}"/>{place}{drawn}'


def _edges(rows: Rows, columns: list[Column], names: list[str]) -> Iterator[str]:
    place = names.index("") if "" in names else None  # of the weight
    for number, (source, target, relation, row) in enumerate(rows.flat_edges(columns)):
        word = escape_attribute(relation)
        weight = f' weight="{row[place]!r}"' if place is not None and row[place] is not None else ""
        yield f'<edge id="e{number}" source="{escape_attribute(source)}" target="{escape_attribute(target)}"'
        yield f' kind="{word}" label="{word}"{weight}>{_values(names, row, "")}</edge>\n'


def _values(names: list[str], row: list[Scalar], more: str) -> str:
    values = "".join(
        f'<attvalue for="{name}" value="{escape_attribute(cell_text(value))}"/>'
        for name, value in zip(names, row, strict=True)
        if name and value is not None
    )
    return f"<attvalues>{values}{more}</attvalues>" if values or more else ""
