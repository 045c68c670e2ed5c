"""Checks every graph once while it is read, because the file may be from a stranger.

The types are those of ``attributes.py``. Other attributes belong to plug-ins, and can have any type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from .attributes import EdgeAttributes, Evidence, LookedUp, NodeAttributes, SavedEdge
from .kinds import SCHEMA

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


def _number(value: object) -> bool:
    return isinstance(value, int | float) and -_FAR < value < _FAR


def _whole(value: object) -> bool:
    return isinstance(value, int) and -_FAR < value < _FAR


# A type of attributes.py -> whether a value is of it
_TYPES: dict[object, Callable[[object], bool]] = {
    str: lambda value: isinstance(value, str),
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
        if check is not None and not check(value):
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
    podgraph.graph.shapes.NewerError: is of a newer podgraph (schema 6; this one reads 5)
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
