"""GraphML, for igraph, Cytoscape, yEd and networkx.

Nodes and edges have ids such as ``n0`` and ``e0``, because the schema requires unique name tokens.
The column ``name`` is a node's id in podgraph, the column ``relation`` an edge's relation; every column is typed.
The description of a column with JSON texts (evidence, lists) mentions JSON.
Rules: http://graphml.graphdrawing.org, the structure and attributes schemas of version 1.0.
"""

from __future__ import annotations

from collections.abc import Iterator

from .rows import Column, Rows, Scalar, format_cell
from .shared.texts import XML_HEAD, escape_text

_XMLNS = "http://graphml.graphdrawing.org/xmlns"


def to_graphml(rows: Rows) -> Iterator[str]:
    """Yield the parts of a GraphML file: the declarations of all columns, the nodes and the edges.

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> _ = graph.add_edge("episode:a/b", "topic:vmap", "about", weight=2)
    >>> print("".join(to_graphml(Rows(graph))).split("<graph ")[1], end="")
    id="G" edgedefault="directed">
    <node id="n0"><data key="n.name">episode:a/b</data></node>
    <node id="n1"><data key="n.name">topic:vmap</data></node>
    <edge id="e0" source="n0" target="n1"><data key="e.relation">about</data><data key="e.weight">2</data></edge>
    </graph>
    </graphml>
    """
    yield f'{XML_HEAD}<graphml xmlns="{_XMLNS}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    yield f' xsi:schemaLocation="{_XMLNS} {_XMLNS}/1.0/graphml.xsd">\n'
    for domain, first, columns in (("node", "name", rows.node_columns), ("edge", "relation", rows.edge_columns)):
        for name, _, type_ in (Column(first, "", "string"), *columns):
            form = type_ if type_ in {"long", "double", "boolean"} else "string"
            end = "><desc>JSON</desc></key>" if type_ in {"json", "list"} else "/>"
            yield f'<key id="{domain[0]}.{name}" for="{domain}" attr.name="{name}" attr.type="{form}"{end}\n'
    yield '<graph id="G" edgedefault="directed">\n'
    names: dict[str, str] = {}
    for number, (node, values) in enumerate(rows.flat_nodes()):
        names[node] = f"n{number}"
        yield f'<node id="n{number}">{_format_data("n", {"name": node, **values})}</node>\n'
    for number, (source, target, relation, values) in enumerate(rows.flat_edges()):
        data = _format_data("e", {"relation": relation, **values})
        yield f'<edge id="e{number}" source="{names[source]}" target="{names[target]}">{data}</edge>\n'
    yield "</graph>\n</graphml>\n"


def _format_data(domain: str, values: dict[str, Scalar]) -> str:
    """Return the elements ``data`` with the values of a node (``domain`` "n") or an edge ("e")."""
    return "".join(
        f'<data key="{domain}.{name}">{escape_text(format_cell(value))}</data>' for name, value in values.items()
    )
