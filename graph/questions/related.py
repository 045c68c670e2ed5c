"""The related episodes of a saved graph, read from its edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..store import title_of
from .answer import Answer, build_row
from .resolve import resolve_episode
from .which import Which

if TYPE_CHECKING:
    from ..attributes import EdgeAttributes, NodeAttributes
    from .view import View
    from .which import First

_FIVE = Which(limit=5)


class Relative(NamedTuple):
    """A related episode or post: the weight and level (``strong`` or ``similar``) of the tie, and its reasons."""

    id: str
    attributes: NodeAttributes
    weight: float
    level: str
    reasons: tuple[str, ...]


class Related(NamedTuple):
    """An episode and its related episodes, the strongest first."""

    query: str
    id: str
    relatives: First[Relative]

    @property
    def total(self) -> int:
        """The number of related episodes and posts before a limit."""
        return self.relatives.total


def related(query: str, view: View, which: Which = _FIVE) -> Related:
    """Return the episodes related to the one called ``query`` (see ``resolve_episode``).

    ``which`` selects them: by default the five strongest.
    """
    id_ = resolve_episode(query, view)
    return Related(query, id_, which.of(relatives_of(id_, view), view))


def relatives_of(episode: str, view: View) -> list[Relative]:
    """Return the episodes related to ``episode`` (a node id), the strongest first.

    Edges of both directions count, each episode once.
    """
    found: dict[str, Relative] = {}
    for edge in view.edges_from(episode, "related"):
        found[edge.target] = _relative(edge.target, edge.attributes, view)
    for edge in view.edges_to(episode, "related"):
        if edge.source not in found:
            found[edge.source] = _relative(edge.source, edge.attributes, view)
    return sorted(found.values(), key=lambda relative: (-relative.weight, relative.id))


def _relative(id_: str, edge: EdgeAttributes, view: View) -> Relative:
    node, weight, level = view.node(id_) or {}, float(edge.get("weight", 0)), edge.get("level", "strong")
    return Relative(id_, node, weight, level, tuple(edge.get("reasons", ())))


def find_relatives(view: View, episode: str, *, which: Which = _FIVE) -> Answer:
    """Answer with the episodes related to one, the strongest first, each with its reasons."""
    found = related(episode, view, which)
    rows = [
        build_row(one.id, one.attributes, weight=one.weight, level=one.level, reasons=list(one.reasons))
        for one in found.relatives
    ]
    title = title_of(view.node(found.id) or {}, found.id)
    notes = () if rows else (f"no episode is related to {title}",)
    columns = ("date", "title", "level", "reasons", "url")
    return Answer("related", episode, columns, tuple(rows), found.total, f"related to {title}:", found.id, notes)
