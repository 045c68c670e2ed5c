"""The related episodes of a saved graph, read from its edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..store import title_of
from .answer import Answer, Row, build_row
from .resolve import resolve_episode
from .which import Which

if TYPE_CHECKING:
    from .view import View

FIVE = Which(limit=5)


def find_relatives(view: View, episode: str, *, which: Which = FIVE) -> Answer:
    """Answer with the episodes related to one, the strongest first, each with its reasons.

    ``episode`` is for ``resolve_episode``; ``which`` selects them, by default the first five.
    """
    id_ = resolve_episode(episode, view)
    rows, total = which.of(relatives_of(id_, view), view)
    title = title_of(view.node(id_) or {}, id_)
    notes = () if rows else (f"no episode is related to {title}",)
    columns = ("date", "title", "level", "reasons", "url")
    return Answer("related", episode, columns, tuple(rows), total, f"related to {title}:", id_, notes)


def relatives_of(episode: str, view: View) -> list[Row]:
    """Return a row for each episode or post related to ``episode`` (a node id), the strongest first.

    Each has the ``weight``, the ``level`` (``strong`` or ``similar``) and the ``reasons`` of the edge, of either
    direction.
    """
    edges = {edge.source: edge.attributes for edge in view.edges_to(episode, "related")}
    edges |= {edge.target: edge.attributes for edge in view.edges_from(episode, "related")}
    rows = []
    for id_, edge in sorted(edges.items(), key=lambda item: (-float(item[1].get("weight", 0)), item[0])):
        values = {"weight": float(edge.get("weight", 0)), "level": edge.get("level", "strong")}
        rows.append(build_row(id_, view.node(id_) or {}, reasons=list(edge.get("reasons", ())), **values))
    return rows
