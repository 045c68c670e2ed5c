"""Node-link JSON, the lossless form: one node and one edge a line, for a change to show in a diff.

``networkx.node_link_graph(data, edges="edges")`` (3.4 and later) reads it, and so does D3. The shape is described by
``output/schemas/podgraph.schema.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..json_text import escape_controls
from .rows import AnyGraph, Rows, sort_names

_encode = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": ")).encode


def to_json(graph: AnyGraph) -> str:
    """Return a graph as node-link JSON. The same graph always gives the same text.

    Nodes are sorted by id, edges by source, target and key. An attribute with the name of a structural field (``id``;
    ``source``, ``target``, ``key``) gets a ``_`` at its end.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph(schema=5)
    >>> graph.add_node("topic:vmap", kind="topic", label="vmap")
    >>> print(to_json(graph), end="")
    {"directed": true, "multigraph": true,
    "graph": {"schema": 5},
    "nodes": [
    {"id": "topic:vmap", "kind": "topic", "label": "vmap"}
    ],
    "edges": []}
    """
    return "".join(to_node_link(Rows(graph)))


def to_node_link(rows: Rows) -> Iterator[str]:
    """Yield the parts of a graph as node-link JSON, with a line for each node and each edge."""
    about = {name: rows.store.about[name] for name in sort_names(rows.store.about)}
    yield f'{{"directed": true, "multigraph": true,\n"graph": {escape_controls(_encode(about))},\n"nodes": ['
    yield from _write_lines(({"id": id_}, node) for id_, node in rows.store.all_nodes())
    yield '],\n"edges": ['
    edges = rows.store.all_edges()
    yield from _write_lines(
        ({"source": source, "target": target, "key": relation}, attributes)
        for source, target, relation, attributes in edges
    )
    yield "]}\n"


def _write_lines(records: Iterable[tuple[dict[str, Any], Mapping[str, Any]]]) -> Iterator[str]:
    """Yield a line of JSON for each record: its structural fields (``id``, say), then its attributes.

    A record is (structural fields, attributes). An attribute with the name of a field gets a ``_`` at its end.
    """
    start = "\n"
    for record, attributes in records:
        for name in sort_names(attributes):
            free_name = name
            while free_name in record or (free_name != name and free_name in attributes):
                free_name += "_"
            record[free_name] = attributes[name]
        yield start + escape_controls(_encode(record))
        start = ",\n"
    yield "\n" if start == ",\n" else ""
