"""The checks of a graph: against the tables of kinds and relations, and of the types of a stranger's file.

The types are those of ``attributes.py``. Other attributes belong to plug-ins, and can have any type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from .attributes import EdgeAttributes, Evidence, LookedUp, NodeAttributes, SavedEdge
from .kinds import EVIDENCE, METHODS, RELATIONS, SCHEMA, kinds_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .attributes import Graph

_TEXT_OF = {"notes": "summary", "title": "title"}


def check(graph: Graph) -> Iterator[str]:
    """Yield a sentence for each violation of the contract; a valid graph yields nothing.

    Checked are kinds, labels, absent instead of null attributes, the ends of every relation, and the ``reasons``
    of every edge, or its ``evidence`` with the quote at its offsets.
    """
    yield from (f"the graph has no {key!r}" for key in ("schema", "generator", "sources") if key not in graph.graph)
    kinds = kinds_of(graph.graph)
    groups = {name: kind.groups for name, kind in kinds.items()}
    groups_of: dict[str, frozenset[str]] = {}  # by node: the edges look up both ends
    for node, attributes in graph.nodes(data=True):
        groups_of[node] = groups.get(str(attributes.get("kind")), frozenset())
        if attributes.get("kind") not in kinds:
            yield f"{node}: unknown kind {attributes.get('kind')!r}"
        if not attributes.get("label"):
            yield f"{node}: no label"
        if None in attributes.values():
            yield from (f"{node}: {name} is null" for name, value in attributes.items() if value is None)
    yield from _edge_problems(graph, groups_of)


def _edge_problems(graph: Graph, groups_of: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield a sentence for each problem of an edge. ``groups_of`` has the groups of each node's kind."""
    ends = {name: (relation.sources, relation.targets) for name, relation in RELATIONS.items()}
    nodes = graph.nodes
    for source, target, key, attributes in graph.edges(keys=True, data=True):
        where = f"{source} -{key}-> {target}"
        if key not in ends:
            yield f"{where}: unknown relation"
            continue
        source_groups, target_groups = ends[key]
        if source_groups.isdisjoint(groups_of[source]) or target_groups.isdisjoint(groups_of[target]):
            source_kind, target_kind = str(nodes[source].get("kind")), str(nodes[target].get("kind"))
            yield f"{where}: {key} does not lead from {source_kind} to {target_kind}"
        evidence = attributes.get("evidence", ())
        if not evidence and not attributes.get("reasons"):
            yield f"{where}: no evidence and no reasons"
        for item in evidence:
            yield from (f"{where}: {problem}" for problem in _evidence_problems(nodes[source], item))


def _evidence_problems(source: Mapping[str, object], evidence: Mapping[str, object]) -> Iterator[str]:
    """Yield a phrase for each problem of a piece of evidence: its fields, its method, and its quote in the source."""
    if unknown := evidence.keys() - EVIDENCE.keys():
        yield f"unknown evidence fields {sorted(unknown)}"
    if evidence.get("method") not in METHODS:
        yield f"unknown method {evidence.get('method')!r}"
    start, end, quote = evidence.get("start"), evidence.get("end"), evidence.get("quote")
    attribute = _TEXT_OF.get(str(evidence.get("field")))
    if not attribute:  # the graph does not contain transcripts
        return
    if not isinstance(start, int) or not isinstance(end, int) or str(source.get(attribute, ""))[start:end] != quote:
        yield f"{quote!r} is not at {start}:{end} of the {evidence['field']}"


_FAR = 1 << 63  # SQLite counts so far; no number of ours is near


class NewerError(ValueError):
    """A graph is of a newer shape than this program knows."""


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _evidence(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(item, dict) and not _wrong(item, _EVIDENCE) and item.get("start", 0) <= item.get("end", _FAR)
        for item in value
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _number(value: object) -> bool:
    return isinstance(value, int | float) and -_FAR < value < _FAR


def _whole(value: object) -> bool:
    return isinstance(value, int) and -_FAR < value < _FAR


# A type of attributes.py -> whether a value is of it
_TYPES: dict[object, Callable[[object], bool]] = {
    str: _is_text,
    int: _whole,
    float: _number,
    bool: lambda value: isinstance(value, bool),
    int | float | str: lambda value: isinstance(value, str) or _number(value),
    list[str]: _texts,
    list[int]: lambda value: isinstance(value, list) and all(map(_whole, value)),
    list[Evidence]: _evidence,
    LookedUp: lambda value: isinstance(value, dict) and all(map(_TYPES[str], value.values())),
}


def _checks(shape: type) -> dict[str, Callable[[object], bool]]:
    return {name: _TYPES[type_] for name, type_ in shape.__annotations__.items()}


_NODE, _EDGE, _SAVED, _EVIDENCE = map(_checks, (NodeAttributes, EdgeAttributes, SavedEdge, Evidence))


def _wrong(given: Mapping[str, object], checks: Mapping[str, Callable[[object], bool]]) -> str:
    """Return the first name whose value has another type, "" without one."""
    for name, value in given.items():
        check = checks.get(name)
        if check is None or (check is _is_text and value.__class__ is str):  # most values: no call for them
            continue
        if not check(value):
            return name
    return ""


def checked_node(data: object, *, whole: bool = True) -> NodeAttributes:
    """Return the attributes of a node (``whole``: including its id). Raises ``ValueError`` for invalid ones.

    >>> checked_node({"id": "topic:vmap", "label": 5})
    Traceback (most recent call last):
    ValueError: 'label' of 'topic:vmap' is of another type
    """
    if not isinstance(data, dict) or (whole and "id" not in data):
        raise ValueError("not a node with an id")
    if name := _wrong(data, _NODE):
        raise ValueError(f"{name!r} of {data.get('id', 'a node')!r} is of another type")
    return cast("NodeAttributes", data)


def checked_edge(data: object, *, whole: bool = True) -> SavedEdge:
    """Return the attributes of an edge (``whole``: including its ends and relation), else raise ``ValueError``.

    >>> checked_edge({"source": "a", "target": "b"})
    Traceback (most recent call last):
    ValueError: not an edge with source, target and key
    """
    if not isinstance(data, dict) or (whole and not {"source", "target", "key"} <= data.keys()):
        raise ValueError("not an edge with source, target and key")
    if name := _wrong(data, _SAVED if whole else _EDGE):
        raise ValueError(f"{name!r} of an edge is of another type")
    return cast("SavedEdge", data)


def checked_about(about: object) -> dict[str, object]:
    """Return a graph's own attributes, with the number of this ``SCHEMA``.

    Raises ``ValueError`` for invalid ones, ``NewerError`` for a newer schema.

    >>> checked_about({"schema": 6})
    Traceback (most recent call last):
    podgraph.graph.checking.NewerError: is of a newer podgraph (schema 6; this one reads 5)
    """
    if not isinstance(about, dict):
        raise ValueError("its own attributes are not an object")  # noqa: TRY004 - whoever reads has one error to think of
    schema = about.get("schema", SCHEMA)
    if not isinstance(schema, int):
        raise ValueError("its schema is not a number")  # noqa: TRY004
    if schema > SCHEMA:
        raise NewerError(f"is of a newer podgraph (schema {schema}; this one reads {SCHEMA})")
    return {**about, "schema": SCHEMA} if "schema" in about else about


def checked_lists(data: object) -> tuple[list[NodeAttributes], list[SavedEdge], dict[str, object]]:
    """Return the nodes, edges and own attributes of node-link data. Raises ``ValueError`` for other data."""
    if not isinstance(data, dict):
        raise ValueError("not an object")  # noqa: TRY004
    nodes, edges = data.get("nodes"), data.get("edges")
    if not isinstance(nodes, list) or not isinstance(edges, list):
        raise ValueError("no lists of nodes and edges")  # noqa: TRY004
    return [*map(checked_node, nodes)], [*map(checked_edge, edges)], checked_about(data.get("graph", {}))
