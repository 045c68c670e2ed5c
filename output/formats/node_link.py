"""Node-link JSON, the lossless form: one node and one edge a line, for a change to show in a diff.

``networkx.node_link_graph(data, edges="edges")`` (3.4 and later) reads it, and so does D3. The shape is described by
``output/schemas/podgraph.schema.json``.
"""

from __future__ import annotations

import json
import os
from functools import partial
from typing import TYPE_CHECKING, Any, TypedDict, cast

from podgraph.extractors import SourceError, why_unreadable

from ..bounded import graph_bytes
from ..files import write_text
from ..json_text import escaped
from .shared.plain import edges_in_order, graph_of, node_ids, plain_attributes, whole_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .shared.plain import Graph


class NodeLink(TypedDict):
    """The content of a node-link file: the graph's attributes, nodes with an ``id``, edges with their ends."""

    graph: dict[str, Any]
    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]


_NODE = frozenset({"id"})
_EDGE = frozenset({"source", "target", "key"})
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(", ", ": ")).encode


def to_json(graph: Graph) -> str:
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
    return "".join(_lines(graph))


def write_json(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write ``graph`` to ``path``, all or nothing, compressed when the path ends in ``.gz``.

    Raises ``OutputError``.
    """
    write_text(path, _lines(graph))


def from_json(text: str | bytes) -> Graph:
    """Return the graph of a node-link JSON text. Raises ``SourceError`` for other texts."""
    return _build(_checked_data(lambda: text, ""))


def read_json(path: str | os.PathLike[str]) -> Graph:
    """Return the graph of the file ``path``. Raises ``SourceError``."""
    return _build(read_node_link(path))


def read_node_link(path: str | os.PathLike[str]) -> NodeLink:
    """Return the data of the node-link file ``path`` as plain dicts and lists, without loading networkx.

    ``nodes`` are dicts with an ``id``, ``edges`` dicts with ``source``, ``target`` and ``key``; ``graph``
    contains the graph's attributes. Reads compressed files too. Raises ``SourceError`` for other files.
    """
    source = os.fspath(path)
    return _checked_data(partial(graph_bytes, source), source)


def _checked_data(read: Callable[[], str | bytes], source: str) -> NodeLink:
    """Return the node-link data of a file. ``read`` returns its content. Raises ``SourceError`` for other content."""
    try:
        data = json.loads(read())  # nothing else keeps the bytes while the text is parsed
    except (ValueError, RecursionError) as error:
        raise SourceError(f"is not JSON: {why_unreadable(error)}", source=source, remedy="build it anew") from error
    if not isinstance(data, dict):
        raise SourceError("is not a graph: not an object", source=source, remedy="give a file that podgraph built")
    nodes = data.get("nodes")
    edges = data.get("edges", data.get("links"))  # the older name, of networkx before 3.6
    if nodes is None or edges is None or not _are_dicts(nodes, ("id",)) or not _are_edges(edges):
        raise SourceError("is not a node-link graph", source=source, remedy="give a file that podgraph built")
    attrs = data.get("graph")
    return {"graph": attrs if isinstance(attrs, dict) else {}, "nodes": nodes, "edges": edges}


def _are_dicts(items: object, fields: tuple[str, ...]) -> bool:
    return isinstance(items, list) and all(
        isinstance(item, dict) and all(isinstance(item.get(name), (str, int)) for name in fields) for item in items
    )


def _are_edges(items: object) -> bool:
    """Return whether these are edges. Those of other programs may lack a key."""
    return _are_dicts(items, ("source", "target")) and not any(
        isinstance(item.get("key"), list | dict) for item in cast("list[dict[str, object]]", items)
    )


def _build(data: NodeLink) -> Graph:
    """Return the graph of the data, and empty these: networkx copies them, and a long show has 100 MB of them."""
    ids: dict[Any, Any] = {}  # each id is one string, however many edges name it

    def once(id_: Any) -> Any:
        return ids.setdefault(id_, id_)

    nodes = ((once(node.pop("id")), node) for node in _drained(data["nodes"]))
    edges = (
        (once(edge.pop("source")), once(edge.pop("target")), edge.pop("key", None), edge)
        for edge in _drained(data["edges"])
    )
    return graph_of(data["graph"], nodes, edges)


def _drained(items: list[Any]) -> Iterator[Any]:
    items.reverse()
    while items:
        yield items.pop()


def _lines(graph: Graph) -> Iterator[str]:
    """Yield the graph in pieces, with a line for each node and each edge."""
    yield '{"directed": true, "multigraph": true,\n'
    yield f'"graph": {escaped(whole_text(_encode(plain_attributes(graph.graph))))},\n"nodes": ['
    ids = node_ids(graph)
    separator = "\n"
    for node, name in ids.items():
        yield separator + escaped(whole_text(_encode({"id": name} | plain_attributes(graph.nodes[node], _NODE))))
        separator = ",\n"
    yield '\n],\n"edges": [' if ids else '],\n"edges": ['
    separator = "\n"
    for source, target, key, attrs in edges_in_order(graph, ids):
        head = {"source": source, "target": target, "key": key}
        yield separator + escaped(whole_text(_encode(head | plain_attributes(attrs, _EDGE))))
        separator = ",\n"
    yield "\n]}\n" if separator != "\n" else "]}\n"
