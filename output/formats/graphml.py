"""GraphML, for igraph, Cytoscape, yEd and networkx.

Nodes and edges have ids such as ``n0`` and ``e0``, because the schema requires unique name tokens.
The column ``name`` is a node's id in podgraph, the column ``relation`` an edge's relation; every column is typed.
The description of a column with JSON texts (evidence, lists) mentions JSON.
Rules: http://graphml.graphdrawing.org, the structure and attributes schemas of version 1.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .rows import Column, cell_text, to_scalar
from .shared.xml_text import HEAD, escape_attribute, escape_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .rows import Rows, Scalar

_XMLNS = "http://graphml.graphdrawing.org/xmlns"


def to_graphml(rows: Rows) -> Iterator[str]:
    """Yield a graph as GraphML: the declarations of all columns, the graph's own data, nodes and edges.

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> _ = graph.add_edge("episode:a/b", "topic:vmap", "about", weight=2)
    >>> print("".join(to_graphml(Rows(graph))).split("<graph ")[1], end="")
    id="G" edgedefault="directed">
    <node id="n0"><data key="v0">episode:a/b</data></node>
    <node id="n1"><data key="v0">topic:vmap</data></node>
    <edge id="e0" source="n0" target="n1"><data key="d0">about</data><data key="d1">2</data></edge>
    </graph>
    </graphml>
    """
    yield f'{HEAD}<graphml xmlns="{_XMLNS}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    yield f' xsi:schemaLocation="{_XMLNS} {_XMLNS}/1.0/graphml.xsd">\n'
    about_columns, node_columns, edge_columns = rows.about_columns(), rows.node_columns(), rows.edge_columns()
    yield from _declare("graph", "g", about_columns)
    yield from _declare("node", "v", [Column("name", "", "string"), *node_columns])
    yield from _declare("edge", "d", [Column("relation", "", "string"), *edge_columns])
    yield '<graph id="G" edgedefault="directed">\n'
    about = [to_scalar(rows.about[column.key], column.type) for column in about_columns]
    if about:
        yield f"{_data('g', about)}\n"
    numbers: dict[str, int] = {}
    for number, (node, row) in enumerate(rows.flat_nodes(node_columns)):
        numbers[node] = number
        yield f'<node id="n{number}">{_data("v", [node, *row])}</node>\n'
    for number, (source, target, relation, row) in enumerate(rows.flat_edges(edge_columns)):
        yield f'<edge id="e{number}" source="n{numbers[source]}" target="n{numbers[target]}">'
        yield f"{_data('d', [relation, *row])}</edge>\n"
    yield "</graph>\n</graphml>\n"


def _declare(domain: str, letter: str, columns: Iterable[Column]) -> Iterator[str]:
    for place, column in enumerate(columns):
        form, end = ("string", "><desc>JSON</desc></key>") if column.type == "json" else (column.type, "/>")
        name = escape_attribute(column.name)
        yield f'<key id="{letter}{place}" for="{domain}" attr.name="{name}" attr.type="{form}"{end}\n'


def _data(letter: str, row: Iterable[Scalar]) -> str:
    return "".join(
        f'<data key="{letter}{place}">{escape_text(cell_text(value))}</data>'
        for place, value in enumerate(row)
        if value is not None
    )
