"""One node: what it is, what it cites or who cites it, what is related to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import NotFoundError

from .fields import Telling
from .related import Relative, relatives_of
from .resolve import resolve_node

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..attributes import EdgeAttributes, NodeAttributes
    from .fields import FieldNames
    from .view import View

_ENDS = frozenset(("source", "target", "key"))


class Neighbour(NamedTuple):
    """A node at the other end of an edge, and what that says."""

    id: str
    attributes: NodeAttributes
    edge: EdgeAttributes

    def to_dict(self, tell: Telling) -> dict[str, object]:
        """Return what ``podgraph show --json`` prints of it: what it is, and the chosen fields of its edge."""
        edge = {name: value for name, value in self.edge.items() if name not in _ENDS}
        return {
            **tell(edge),
            "id": self.id,
            "kind": self.attributes.get("kind", ""),
            "label": self.attributes.get("label", ""),
        }


class Shown(NamedTuple):
    """A node, its neighbours by relation, along edges (``out``) and against them (``into``), by id; its relatives."""

    id: str
    attributes: NodeAttributes
    out: dict[str, list[Neighbour]]
    into: dict[str, list[Neighbour]]
    relatives: list[Relative]

    def to_dict(self, fields: FieldNames = "", most: int = 0) -> dict[str, object]:
        """Return what ``podgraph show --json`` prints; ``fields`` are those of the node and of its edges.

        ``out`` and ``in`` are fields too: the neighbours by relation, along edges and against them. Of each relation
        there are ``most`` (0: all); then ``more`` has how many are left out.
        """
        tell = Telling("show", fields)
        sides = {"out": self.out, "in": self.into}
        near = {name: _dicts(groups, tell, most) for name, groups in sides.items() if name in tell}
        more = {
            name: {relation: left for relation, others in sides[name].items() if (left := len(others) - most) > 0}
            for name in near
        }
        told = tell({**self.attributes, "id": self.id}) | near
        return told | {"more": more} if most and any(more.values()) else told


def show(query: str, view: View, repo: str = "") -> Shown:
    """Return the node that ``query`` means, as ``resolve_node`` takes it; raise ``NotFoundError`` for nothing."""
    id_ = resolve_node(query, view, repo)
    node = view.node(id_) if id_ else None
    if node is None:
        raise NotFoundError(f"no node is called {query!r}", remedy="`podgraph search` looks in labels and notes")
    out = _by_relation(((edge.relation, edge.target, edge.attributes) for edge in view.edges_from(id_)), view)
    into = _by_relation(((edge.relation, edge.source, edge.attributes) for edge in view.edges_to(id_)), view)
    return Shown(id_, node, out, into, relatives_of(id_, view))


def _dicts(groups: dict[str, list[Neighbour]], tell: Telling, most: int) -> dict[str, list[dict[str, object]]]:
    return {relation: [one.to_dict(tell) for one in others[: most or None]] for relation, others in groups.items()}


def _by_relation(edges: Iterable[tuple[str, str, EdgeAttributes]], view: View) -> dict[str, list[Neighbour]]:
    groups: dict[str, list[Neighbour]] = {}
    for relation, other, attributes in edges:
        groups.setdefault(relation, []).append(Neighbour(other, view.node(other) or {}, attributes))
    return {relation: sorted(groups[relation], key=lambda one: one.id) for relation in sorted(groups)}
