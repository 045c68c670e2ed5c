"""One node with its facts, citations in both directions, and related nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.extractors import NotFoundError

from ..store import title_of
from .answer import Answer, Row, build_row
from .related import relatives_of
from .resolve import name_like, resolve_node

if TYPE_CHECKING:
    from .view import View


def show_node(view: View, node: str, *, repo: str = "", evidence: bool = False) -> Answer:
    """Answer with a node: a row with all its attributes, then a row for each neighbour, by relation.

    ``backwards`` is true where the edge leads to the node. With ``evidence``, each mention is a row: its quote, its
    extractor and its confidence. Raises ``NotFoundError`` for an unknown node.
    """
    id_ = resolve_node(node, view, repo)
    attributes = view.node(id_) if id_ else None
    if attributes is None:
        remedy = name_like(node, view) or "`podgraph search` finds by words"
        raise NotFoundError(f"no node is called {node!r}", remedy=remedy)
    rows = [build_row(id_, attributes)]
    into = [(edge.relation, edge.source, edge.attributes) for edge in view.edges_to(id_)]
    out = [(edge.relation, edge.target, edge.attributes) for edge in view.edges_from(id_)]
    for edges, backwards in ((into, True), (out, None)):
        for relation, other, edge in sorted(edges, key=lambda one: one[:2]):
            if relation != "related":
                # the attributes of the edge under names free in the node
                values = {**edge, **(view.node(other) or {})}
                rows.append(build_row(other, values, relation=relation, backwards=backwards))
    rows += [Row(row, relation="related") for row in relatives_of(id_, view)]
    columns: tuple[str, ...] = ("relation", "date", "title", "evidence", "id")
    if evidence:
        columns = ("extractor", "confidence", "relation", "quote", "title", "id")
        mentions = [(row, item) for row in rows for item in row.get("evidence", ())]
        rows = [
            Row(row, **{name: item.get(name) for name in ("quote", "extractor", "confidence")})
            for row, item in mentions
        ]
    heading = title_of(attributes, id_)
    notes = () if rows else (f"no text mentions {heading}",)
    return Answer("show", node, columns, tuple(rows), len(rows), heading, id_, notes)
