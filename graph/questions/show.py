"""One node with its facts, citations in both directions, and related nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import NotFoundError

from ..store import title_of
from .answer import Answer, Row, build_row
from .related import Relative, relatives_of
from .resolve import name_like, resolve_node

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..attributes import EdgeAttributes, NodeAttributes
    from .view import View


class Neighbour(NamedTuple):
    """A node at the other end of an edge, and the edge's attributes."""

    id: str
    attributes: NodeAttributes
    edge: EdgeAttributes


class Shown(NamedTuple):
    """A node, its neighbours by relation, along edges (``out``) and against them (``into``), by id; its relatives."""

    id: str
    attributes: NodeAttributes
    out: dict[str, list[Neighbour]]
    into: dict[str, list[Neighbour]]
    relatives: list[Relative]


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


def _by_relation(edges: Iterable[tuple[str, str, EdgeAttributes]], view: View) -> dict[str, list[Neighbour]]:
    groups: dict[str, list[Neighbour]] = {}
    for relation, other, attributes in edges:
        groups.setdefault(relation, []).append(Neighbour(other, view.node(other) or {}, attributes))
    return {relation: sorted(groups[relation], key=lambda one: one.id) for relation in sorted(groups)}


def show_node(view: View, node: str, *, repo: str = "", evidence: bool = False) -> Answer:
    """Answer with a node: a row with all its attributes, then a row for each neighbour, by relation.

    ``backwards`` is true where the edge leads to the node. With ``evidence``, each mention is a row: its quote, its
    extractor and its confidence. Raises ``NotFoundError`` for an unknown node.
    """
    found = show(node, view, repo)
    rows = [build_row(found.id, found.attributes)]
    for groups, backwards in ((found.into, True), (found.out, False)):
        for relation, others in groups.items():
            if relation != "related":
                rows += [_build_neighbour(one, relation, backwards=backwards) for one in others]
    for one in found.relatives:
        values = {"level": one.level, "weight": one.weight, "reasons": list(one.reasons)}
        rows.append(build_row(one.id, one.attributes, relation="related", **values))
    if evidence:
        rows = [
            Row(row, quote=item.get("quote"), extractor=item.get("extractor"), confidence=item.get("confidence"))
            for row in rows
            for item in row.get("evidence", ())
        ]
        columns: tuple[str, ...] = ("extractor", "confidence", "relation", "quote", "title", "id")
    else:
        columns = ("relation", "date", "title", "evidence", "id")
    heading = title_of(found.attributes, found.id)
    notes = () if rows else (f"no text mentions {heading}",)
    return Answer("show", node, columns, tuple(rows), len(rows), heading, found.id, notes)


def _build_neighbour(one: Neighbour, relation: str, *, backwards: bool) -> Row:
    """Return the row of a neighbour: its attributes, and those of its edge under names free in the node."""
    edge = {name: value for name, value in one.edge.items() if name not in {"source", "target", "key"}}
    return build_row(one.id, {**edge, **one.attributes}, relation=relation, backwards=backwards or None)
