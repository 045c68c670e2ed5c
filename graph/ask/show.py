"""One node: what it is, what it cites or who cites it, what is related to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .related import Relative, relatives_of
from .resolve import resolve_node

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..attributes import EdgeAttributes, NodeAttributes
    from .view import View

_ALL = 1 << 30


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A node at the other end of an edge, and what that says."""

    id: str
    attributes: NodeAttributes
    edge: EdgeAttributes


@dataclass(frozen=True, slots=True)
class Shown:
    """A node, its neighbours by relation, along edges (``out``) and against them (``into``), by id; its relatives."""

    id: str
    attributes: NodeAttributes
    out: dict[str, list[Neighbour]]
    into: dict[str, list[Neighbour]]
    relatives: list[Relative]


def show(query: str, view: View, repo: str = "") -> Shown | None:
    """Return the node that ``query`` means, as ``resolve_node`` takes it; ``None`` for nothing."""
    id_ = resolve_node(query, view, repo)
    node = view.node(id_) if id_ else None
    if node is None:
        return None
    out = _by_relation(((edge.relation, edge.target, edge.attributes) for edge in view.edges_from(id_)), view)
    into = _by_relation(((edge.relation, edge.source, edge.attributes) for edge in view.edges_to(id_)), view)
    return Shown(id_, node, out, into, relatives_of(id_, view, _ALL))


def _by_relation(edges: Iterable[tuple[str, str, EdgeAttributes]], view: View) -> dict[str, list[Neighbour]]:
    groups: dict[str, list[Neighbour]] = {}
    for relation, other, attributes in edges:
        groups.setdefault(relation, []).append(Neighbour(other, view.node(other) or {}, attributes))
    return {relation: sorted(groups[relation], key=lambda one: one.id) for relation in sorted(groups)}
