"""Merges nodes and edges that several graphs have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from .attributes import was_read
from .build import STRONGER
from .kinds import SOURCES
from .metadata import join_edges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .attributes import NodeAttributes

    Attributes = dict[str, object]

_LISTS = {"names", "aliases", "hosts", "labels"}


def merge_nodes(several: Sequence[Attributes]) -> Attributes:
    """Return the attributes of one node from those that several graphs have for it. The first is changed.

    An episode or post that a graph read wins over one that others cite. Else the most specific kind wins, as in a
    build, then the first label in the alphabet; lists are joined, and other attributes come from the first graph with
    them. The order of the graphs does not matter.
    """
    if len(several) == 1:
        return several[0]  # most nodes: their order costs time
    first, *others = ordered = sorted(several, key=_order)
    if was_read(cast("NodeAttributes", first)) and first.get("kind") in SOURCES:
        return first
    for other in others:
        for name, value in other.items():
            first.setdefault(name, value)
    for name in first.keys() & _LISTS:
        joined = dict.fromkeys(one for node in ordered for one in cast("list[str]", node.get(name, ())))
        first[name] = sorted(joined) if name == "hosts" else [*joined]  # hosts are sorted in a build, too
    return first


def merge_edges(several: Sequence[Attributes]) -> Attributes:
    """Return the attributes of one edge from those that several graphs have for it. The first is changed.

    Evidence and reasons are joined.
    """
    if len(several) == 1:
        return several[0]
    first, *others = sorted(several, key=repr)
    for other in others:
        join_edges(first, other)
        reasons = [*cast("list[str]", first.get("reasons", [])), *cast("list[str]", other.get("reasons", []))]
        if reasons:
            first["reasons"] = [*dict.fromkeys(reasons)]
    return first


def _order(node: Attributes) -> tuple[bool, int, str, str, str]:
    kind = str(node.get("kind", ""))
    cited = not was_read(cast("NodeAttributes", node))
    return cited, -STRONGER.get(kind, 0), kind, str(node.get("label", "")), repr(node)
