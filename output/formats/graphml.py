"""GraphML, for igraph, Cytoscape, yEd and networkx.

Nodes and edges have ids such as ``n0`` and ``e0``, because the schema requires unique name tokens.
The column ``name`` is a node's id in podgraph, the column ``relation`` an edge's relation; every column is typed.
The description of a column with JSON texts (evidence, lists) mentions JSON.
Rules: http://graphml.graphdrawing.org, the structure and attributes schemas of version 1.0.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..files import write_text
from .shared.flatten import Column, Flat, flatten, scalar_text
from .shared.xml_text import HEAD, escape_attribute, escape_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .shared.flatten import Row
    from .shared.plain import Graph

_XMLNS = "http://graphml.graphdrawing.org/xmlns"
_JSON = "JSON"
_ID = Column("name", "", "string")
_RELATION = Column("relation", "", "string")


def to_graphml(graph: Graph) -> str:
    """Return ``graph`` as GraphML: the same graph gives the same text.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> _ = graph.add_edge("episode:a/b", "topic:vmap", "about", weight=2)
    >>> print(to_graphml(graph).split("<graph ")[1], end="")
    id="G" edgedefault="directed">
    <node id="n0"><data key="v0">episode:a/b</data></node>
    <node id="n1"><data key="v0">topic:vmap</data></node>
    <edge id="e0" source="n0" target="n1"><data key="d0">about</data><data key="d1">2</data></edge>
    </graph>
    </graphml>
    """
    return "".join(_lines(graph))


def write_graphml(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write ``graph`` to the file ``path``, all or nothing. Raises ``OutputError``."""
    write_text(path, _lines(graph))


def _lines(graph: Graph) -> Iterator[str]:
    """Yield the graph in pieces: the declarations of all columns, the graph's own data, nodes and edges."""
    flat = flatten(graph)
    yield HEAD
    yield f'<graphml xmlns="{_XMLNS}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    yield f' xsi:schemaLocation="{_XMLNS} {_XMLNS}/1.0/graphml.xsd">\n'
    columns = {"graph": flat.about_columns, "node": (_ID, *flat.node_columns), "edge": (_RELATION, *flat.edge_columns)}
    for domain, letter in (("graph", "g"), ("node", "v"), ("edge", "d")):
        for place, column in enumerate(columns[domain]):
            yield _key(f"{letter}{place}", domain, column)
    yield '<graph id="G" edgedefault="directed">\n'
    for place, value in enumerate(flat.about()):
        if value is not None:
            yield f'<data key="g{place}">{escape_text(scalar_text(value))}</data>\n'
    yield from _nodes_and_edges(flat)
    yield "</graph>\n</graphml>\n"


def _key(name: str, domain: str, column: Column) -> str:
    form = "string" if column.type == "json" else column.type
    head = f'<key id="{name}" for="{domain}" attr.name="{escape_attribute(column.name)}" attr.type="{form}"'
    return f"{head}><desc>{_JSON}</desc></key>\n" if column.type == "json" else f"{head}/>\n"


def _nodes_and_edges(flat: Flat) -> Iterator[str]:
    """Yield the nodes, then the edges. Elements are numbered, because their ids (NMTOKEN) allow no slash."""
    numbers: dict[str, int] = {}
    for number, (node, row) in enumerate(flat.nodes()):
        numbers[node] = number
        yield f'<node id="n{number}"><data key="v0">{escape_text(node)}</data>{_data("v", row)}</node>\n'
    for number, (source, target, relation, row) in enumerate(flat.edges()):
        yield f'<edge id="e{number}" source="n{numbers[source]}" target="n{numbers[target]}">'
        yield f'<data key="d0">{escape_text(relation)}</data>{_data("d", row)}</edge>\n'


def _data(letter: str, row: Row) -> str:
    return "".join(
        f'<data key="{letter}{place}">{escape_text(scalar_text(value))}</data>'
        for place, value in enumerate(row, 1)
        if value is not None
    )
