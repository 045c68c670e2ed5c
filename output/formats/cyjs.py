"""Cytoscape.js JSON, for Cytoscape and for pages with cytoscape.js.

Edges have ids (``e0``), positions are kept, and no attribute can hide an id: those of such a name give way.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ..files import write_text
from ..json_text import escaped
from .shared.flatten import flatten, values_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from .shared.plain import Graph

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def to_cyjs(graph: Graph) -> str:
    """Return ``graph`` as the JSON of Cytoscape, ``cytoscape().json()`` and ``networkx.cytoscape_graph``.

    Attributes are in ``data``: scalars, lists of texts, and JSON text for nested values. Cytoscape shows ``name``.
    ``interaction`` and ``key`` (for networkx) are both the relation.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> _ = graph.add_edge("a", "b", "about", weight=2)
    >>> print(to_cyjs(graph).split('"edges":')[1], end="")
    [
    {"data":{"id":"e0","source":"a","target":"b","key":"about","interaction":"about","weight":2}}
    ]}}
    """
    return "".join(_lines(graph))


def write_cyjs(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write ``graph`` to the file ``path``, all or nothing. Raises ``OutputError``."""
    write_text(path, _lines(graph))


def _lines(graph: Graph) -> Iterator[str]:
    """Yield the graph in pieces. ``value`` and ``name`` of a node are for programs that show these fields."""
    flat = flatten(graph, lists=True)
    about = values_of(flat.about_columns, flat.about())
    yield '{"format_version":"1.0","generated_by":"podgraph","target_cytoscapejs_version":"~3.0",\n'
    yield '"directed":true,"multigraph":true,\n'
    yield f'"data":{escaped(_encode(about))},\n"elements":{{"nodes":['
    column_of = {column.name: place for place, column in enumerate(flat.node_columns)}
    numbers = {column.name for column in flat.node_columns if column.type in {"long", "double"}}
    label = column_of.get("label")
    positioned = {"x", "y"} <= numbers
    separator = "\n"
    for node, row in flat.nodes():
        name = row[label] if label is not None and row[label] is not None else node
        data = {"id": node, "value": node, "name": name} | values_of(flat.node_columns, row)
        element: dict[str, object] = {"data": data}
        if positioned and row[column_of["x"]] is not None and row[column_of["y"]] is not None:
            element["position"] = {"x": row[column_of["x"]], "y": row[column_of["y"]]}
        yield separator + escaped(_encode(element))
        separator = ",\n"
    yield '\n],"edges":['
    prefix = _edge_prefix(flat.ids.values())
    separator = "\n"
    for number, (source, target, relation, row) in enumerate(flat.edges()):
        head = {"id": f"{prefix}{number}", "source": source, "target": target, "key": relation, "interaction": relation}
        yield separator + escaped(_encode({"data": head | values_of(flat.edge_columns, row)}))
        separator = ",\n"
    yield "\n]}}\n"


def _edge_prefix(ids: Iterable[str]) -> str:
    """Return a prefix for the ids of edges: in cytoscape.js no edge may have the id of a node."""
    taken = {node for node in ids if node.startswith("e")}
    prefix = "e"
    while any(node.startswith(prefix) and node[len(prefix) :].isdigit() for node in taken):
        prefix += "e"
    return prefix
