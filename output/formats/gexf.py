"""GEXF 1.3, for Gephi and Gephi Lite: typed attributes, colour, size, shape and position.

A node has the attributes ``date`` and ``time``, a decimal year to rank and filter by. An edge's relation is its
``kind``, because Gephi keeps parallel edges apart by kind. Rules: https://gexf.net, schema 1.3.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import date

from podgraph.graph import FAMILIES, SHAPES, Kind

from .rows import Rows, Scalar, format_cell
from .shared.texts import XML_HEAD, escape_attribute

_TYPES = {"json": "string", "list": "liststring", "date": "string", "datetime": "string"}
_BUILT_IN_COLUMNS = frozenset(("label", "x", "y", "weight"))  # GEXF has a place of its own for these


def to_gexf(rows: Rows) -> Iterator[str]:
    """Yield the parts of a GEXF file with a graph.

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
    yield f'{XML_HEAD}<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">\n'
    yield "<meta><creator>podgraph</creator></meta>\n"
    yield '<graph defaultedgetype="directed" idtype="string" mode="static">\n'
    for domain, columns in (("node", rows.node_columns), ("edge", rows.edge_columns)):
        yield f'<attributes class="{domain}">\n'
        for name, _, form in columns:
            if name not in _BUILT_IN_COLUMNS:
                yield f'<attribute id="{name}" title="{name}" type="{_TYPES.get(form, form)}"/>\n'
        yield '<attribute id="time" title="time" type="double"/>\n' if domain == "node" else ""
        yield "</attributes>\n"
    nodes, edges = (rows.store.value(f"SELECT count(*) FROM {name}") for name in ("nodes", "edges"))  # noqa: S608 - constants
    yield f'<nodes count="{nodes}">\n'
    degrees = rows.store.rows("SELECT degree FROM nodes ORDER BY n")
    for (node, values), (degree,) in zip(rows.flat_nodes(), degrees, strict=True):
        label = f' label="{escape_attribute(format_cell(values["label"]))}"' if "label" in values else ""
        look = _format_look(rows.store.kinds[format_cell(values.get("kind", ""))], values, degree)
        if isinstance(day := values.get("date"), date):
            values["time"] = round(day.year + (day.timetuple().tm_yday - 1) / 365.25, 4)  # a decimal year
        yield f'<node id="{escape_attribute(node)}"{label}>{_format_attributes(values)}{look}</node>\n'
    yield f'</nodes>\n<edges count="{edges}">\n'
    for number, (source, target, relation, values) in enumerate(rows.flat_edges()):
        word, weight = escape_attribute(relation), values.get("weight")
        yield f'<edge id="e{number}" source="{escape_attribute(source)}" target="{escape_attribute(target)}"'
        heavy = f' weight="{weight!r}"' if type(weight) in {int, float} else ""
        yield f' kind="{word}" label="{word}"{heavy}>{_format_attributes(values)}</edge>\n'
    yield "</edges>\n</graph>\n</gexf>\n"


def _format_look(kind: Kind, values: Mapping[str, Scalar], degree: int) -> str:
    """Return the XML elements for the colour, position, size and shape of a node.

    ``kind`` is its kind, ``values`` are its columns, ``degree`` is the number of its edges. The colours are those of
    the page's light theme.
    """
    red, green, blue = bytes.fromhex(FAMILIES[kind.family].light[1:])  # without the "#"
    x, y = values.get("x"), values.get("y")
    place = f'<viz:position x="{x!r}" y="{y!r}" z="0.0"/>' if {type(x), type(y)} <= {int, float} else ""
    size = round(4 + 2 * math.sqrt(degree), 2)  # the area grows with the number of edges
    shape, _ = SHAPES[kind.shape]  # the names of GEXF and of Graphviz
    look = f'<viz:size value="{size}"/><viz:shape value="{shape}"/>'
    return f'<viz:color r="{red}" g="{green}" b="{blue}"/>{place}{look}'


def _format_attributes(values: Mapping[str, Scalar]) -> str:
    """Return the element ``attvalues`` with the values of a node or an edge; "" if it would be empty.

    ``values`` are {column: value}. Columns for which GEXF has a place of its own (label, position, weight) are left
    out.
    """
    attributes = "".join(
        f'<attvalue for="{name}" value="{escape_attribute(format_cell(value))}"/>'
        for name, value in values.items()
        if name not in _BUILT_IN_COLUMNS
    )
    return f"<attvalues>{attributes}</attvalues>" if attributes else ""
