"""One node with its facts, citations in both directions, and related nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import NotFoundError

from .fields import with_day
from .related import Relative, relatives_of
from .resolve import name_like, resolve_node

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..attributes import EdgeAttributes, NodeAttributes
    from .view import View

_ENDS = frozenset(("source", "target", "key"))


class Neighbour(NamedTuple):
    """A node at the other end of an edge, and the edge's attributes."""

    id: str
    attributes: NodeAttributes
    edge: EdgeAttributes

    def record(self) -> dict[str, object]:
        """Return all fields of it: the attributes of the node and, under names free in the node, of its edge."""
        edge = {name: value for name, value in self.edge.items() if name not in _ENDS}
        own = {"id": self.id, "kind": self.attributes.get("kind", ""), "label": self.attributes.get("label", "")}
        return with_day({**edge, **self.attributes, **own})


class Shown(NamedTuple):
    """A node, its neighbours by relation, along edges (``out``) and against them (``into``), by id; its relatives."""

    id: str
    attributes: NodeAttributes
    out: dict[str, list[Neighbour]]
    into: dict[str, list[Neighbour]]
    relatives: list[Relative]

    def to_dict(self) -> dict[str, object]:
        """Return all attributes of the node, and its neighbours by relation, as JSON has it."""
        sides = {"out": _records(self.out), "into": _records(self.into)}
        return with_day({"found": True, **self.attributes, "id": self.id, **sides})


def show(query: str, view: View, repo: str = "") -> Shown:
    """Return the node called ``query``, as ``resolve_node`` takes it. Raise ``NotFoundError`` for nothing."""
    id_ = resolve_node(query, view, repo)
    node = view.node(id_) if id_ else None
    if node is None:
        remedy = name_like(query, view) or "`podgraph search` finds by words"
        raise NotFoundError(f"no node is called {query!r}", remedy=remedy)
    out = _by_relation(((edge.relation, edge.target, edge.attributes) for edge in view.edges_from(id_)), view)
    into = _by_relation(((edge.relation, edge.source, edge.attributes) for edge in view.edges_to(id_)), view)
    return Shown(id_, node, out, into, relatives_of(id_, view))


def _records(groups: dict[str, list[Neighbour]]) -> dict[str, list[dict[str, object]]]:
    return {relation: [one.record() for one in others] for relation, others in groups.items()}


def _by_relation(edges: Iterable[tuple[str, str, EdgeAttributes]], view: View) -> dict[str, list[Neighbour]]:
    groups: dict[str, list[Neighbour]] = {}
    for relation, other, attributes in edges:
        groups.setdefault(relation, []).append(Neighbour(other, view.node(other) or {}, attributes))
    return {relation: sorted(groups[relation], key=lambda one: one.id) for relation in sorted(groups)}
