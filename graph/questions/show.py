"""The questions ``show`` and ``related``: one node with everything about it; the episodes related to one."""

from __future__ import annotations

from podgraph.extractors import NotFoundError

from ..store import title_of
from .answer import Answer, Row, build_row
from .days import Selection
from .resolve import resolve_episode, resolve_node, suggest_name
from .view import View, name_of

_FIRST_FIVE = Selection(limit=5)


def show_node(view: View, node: str, *, repo: str = "", evidence: bool = False) -> Answer:
    """Answer with a row for a node with all its attributes, then a row for each neighbour, sorted by relation.

    ``node`` is an id, a title or a reference; ``repo`` is the repository of a bare number or path ("": the graph's
    own). ``backwards`` is true where the edge leads to the node. With ``evidence``, each mention is a row instead: its
    quote, its extractor and its confidence. Raises ``NotFoundError`` for an unknown node.
    """
    id_ = resolve_node(node, view, repo)
    attributes = view.node(id_) if id_ else None
    if attributes is None:
        remedy = suggest_name(node, view) or "`podgraph search` finds by words"
        raise NotFoundError(f"no node is called {node!r}", remedy=remedy)
    rows = [build_row(id_, attributes)]
    # None is left out of a row.
    for edges, backwards in ((view.edges_to(id_), True), (view.edges_from(id_), None)):
        neighbours = [(edge.relation, edge.source if backwards else edge.target, edge.attributes) for edge in edges]
        for relation, other, edge in sorted(neighbours, key=lambda neighbour: neighbour[:2]):
            if relation != "related":  # these rows come last, see below
                # An attribute of the edge stays where the node has none of the same name.
                values = {**edge, **(view.node(other) or {})}
                rows.append(build_row(other, values, relation=relation, backwards=backwards))
    rows += [Row(row, relation="related") for row in list_relatives(id_, view)]
    columns: tuple[str, ...] = ("relation", "date", "title", "evidence", "id")
    if evidence:
        columns = ("extractor", "confidence", "relation", "quote", "title", "id")
        mentions = [(row, item) for row in rows for item in row.get("evidence", ())]
        names = ("extractor", "confidence", "quote")
        rows = [Row(row, **{name: item.get(name) for name in names}) for row, item in mentions]
    heading = title_of(attributes, id_)
    notes = () if rows else (f"no text mentions {heading}",)
    return Answer("show", node, columns, tuple(rows), len(rows), heading, id_, notes)


def find_relatives(view: View, episode: str, *, selection: Selection = _FIRST_FIVE) -> Answer:
    """Answer with the episodes related to an episode, the strongest relation first, each with its reasons.

    ``episode`` is an id, address, number or title (``resolve_episode``). ``selection`` limits the related episodes; the
    default is the first five.
    """
    id_ = resolve_episode(episode, view)
    rows, total = selection.select(list_relatives(id_, view), view)
    title = name_of(id_, view)
    notes = () if rows else (f"no episode is related to {title}",)
    columns = ("date", "title", "level", "reasons", "url")
    return Answer("related", episode, columns, tuple(rows), total, f"related to {title}:", id_, notes)


def list_relatives(episode: str, view: View) -> list[Row]:
    """Return a row for each episode or post related to ``episode`` (a node id), the strongest relation first.

    Each row has the ``weight`` of the edge, its ``level`` (``strong`` or ``similar``) and its ``reasons``. Edges of
    either direction count.
    """
    edges = {edge.source: edge.attributes for edge in view.edges_to(episode, "related")}
    edges |= {edge.target: edge.attributes for edge in view.edges_from(episode, "related")}
    rows = []
    for id_, edge in sorted(edges.items(), key=lambda pair: (-float(pair[1].get("weight", 0)), pair[0])):
        values = {"weight": float(edge.get("weight", 0)), "level": edge.get("level", "strong")}
        rows.append(build_row(id_, view.node(id_) or {}, reasons=list(edge.get("reasons", ())), **values))
    return rows
