"""Node-link JSON, the lossless form: one node and one edge a line, for a change to show in a diff.

``networkx.node_link_graph(data, edges="edges")`` (3.4 and later) reads it, and so does D3. The shape is described by
``output/schemas/podgraph.schema.json``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ..json_text import escaped
from .rows import Rows, sort_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from podgraph.graph import Graph, Store

_NODE, _EDGE = ("id",), ("source", "target", "key")
_encode = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": ")).encode


def to_json(graph: Graph | Store) -> str:
    r"""Return ``graph`` as node-link JSON: the same graph gives the same text.

    Nodes are sorted by id, edges by source, target and key. An attribute with the name of a structural
    field (``id``; ``source``, ``target``, ``key``) gets a ``_`` behind it.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph(schema=2)
    >>> graph.add_node("topic:vmap", kind="topic", label="vmap")
    >>> print(to_json(graph), end="")
    {"directed": true, "multigraph": true,
    "graph": {"schema": 2},
    "nodes": [
    {"id": "topic:vmap", "kind": "topic", "label": "vmap"}
    ],
    "edges": []}
    """
    return "".join(to_node_link(Rows(graph)))


def to_node_link(rows: Rows) -> Iterator[str]:
    """Yield a graph as node-link JSON, with a line for each node and each edge."""
    about = {name: rows.about[name] for name in sort_names(rows.about)}
    yield f'{{"directed": true, "multigraph": true,\n"graph": {escaped(_encode(about))},\n"nodes": ['
    separator = "\n"
    for id_, node in rows.store.all_nodes():
        yield separator + _line({"id": id_}, node, _NODE)
        separator = ",\n"
    yield '],\n"edges": [' if separator == "\n" else '\n],\n"edges": ['
    separator = "\n"
    for source, target, relation, edge in rows.store.all_edges():
        yield separator + _line({"source": source, "target": target, "key": relation}, edge, _EDGE)
        separator = ",\n"
    yield "]}\n" if separator == "\n" else "\n]}\n"


def _line(head: dict[str, object], attributes: object, reserved: tuple[str, ...]) -> str:
    record = head
    if isinstance(attributes, dict):
        for name in sort_names(attributes):
            free = name
            while free in reserved or (free != name and free in attributes):
                free += "_"
            record[free] = attributes[name]
    return escaped(_encode(record))
