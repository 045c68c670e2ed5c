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

_LISTS = ("names", "aliases", "hosts", "labels")


def merge_nodes(several: Sequence[Attributes]) -> Attributes:
    """Return the attributes of one node from those that several graphs have for it.

    An episode or post that a graph read wins over one that others cite. Else the most specific kind wins, as in a
    build, then the first label; lists are joined, and other attributes come from the first graph with them. The order
    of the graphs does not matter.
    """
    first, *others = sorted(several, key=_rank)
    if was_read(cast("NodeAttributes", first)) and first.get("kind") in SOURCES:
        return first
    for other in others:
        for name, value in other.items():
            first_value = first.setdefault(name, value)
            if name in _LISTS and first_value is not value:
                both = [*cast("list[str]", first_value), *cast("list[str]", value)]
                first[name] = sorted({*both}) if name == "hosts" else [*dict.fromkeys(both)]
    return first


def merge_edges(several: Sequence[Attributes]) -> Attributes:
    """Return the attributes of one edge from those that several graphs have for it. Evidence and reasons are joined."""
    first, *others = sorted(several, key=repr)
    for other in others:
        join_edges(first, other)
        reasons = [*cast("list[str]", first.get("reasons", [])), *cast("list[str]", other.get("reasons", []))]
        if reasons:
            first["reasons"] = [*dict.fromkeys(reasons)]
    return first


def _rank(node: Attributes) -> tuple[bool, int, str, str, str]:
    kind = str(node.get("kind", ""))
    cited = not was_read(cast("NodeAttributes", node))
    return cited, -STRONGER.get(kind, 0), kind, str(node.get("label", "")), repr(node)
