"""The related episodes of a saved graph, read from its edges."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from .fields import Telling, record_of
from .resolve import podcast_called, resolve_episode

if TYPE_CHECKING:
    from ..attributes import EdgeAttributes, NodeAttributes
    from .fields import FieldNames
    from .view import View

_ALL = 1 << 30


@dataclass(frozen=True, slots=True)
class Relative:
    """A related episode or post: how strong the tie is, and why there is one, in words."""

    id: str
    attributes: NodeAttributes
    weight: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """The episode that was asked for, and what is related to it, the strongest first."""

    query: str
    id: str
    relatives: tuple[Relative, ...]

    def to_dict(self, fields: FieldNames = "") -> dict[str, object]:
        """Return what ``podgraph related --json`` prints; ``fields`` are those of each episode."""
        tell = Telling("related", fields)
        return {
            "query": self.query,
            "id": self.id,
            "found": bool(self.relatives),
            "related": [tell(record_of(one, weight=one.weight, reasons=one.reasons)) for one in self.relatives],
        }


def related(query: str, view: View, most: int = 5, podcast: str = "") -> Related:
    """Return what is related to the episode that ``query`` means, as ``resolve_episode`` takes it; all for 0.

    ``podcast`` keeps episodes of one podcast, as ``podcast_called`` takes it.
    """
    id_ = resolve_episode(query, view)
    most = most or _ALL
    if not podcast:
        return Related(query, id_, tuple(relatives_of(id_, view, most)))
    wanted = podcast_called(podcast, view)
    found = (one for one in relatives_of(id_, view, _ALL) if one.attributes.get("podcast") == wanted)
    return Related(query, id_, tuple(islice(found, most)))


def relatives_of(episode: str, view: View, most: int = 5) -> list[Relative]:
    """Return what is related to ``episode`` (a node id), the strongest first, ``most`` at most.

    Those that the episode proposes come with those that propose it, each once.
    """
    found: dict[str, Relative] = {}
    for edge in view.edges_from(episode):
        if edge.relation == "related":
            found[edge.target] = _relative(edge.target, edge.attributes, view)
    if len(found) < most:
        for edge in view.edges_to(episode):
            if edge.relation == "related" and edge.source not in found:
                found[edge.source] = _relative(edge.source, edge.attributes, view)
    return sorted(found.values(), key=lambda relative: (-relative.weight, relative.id))[:most]


def _relative(id_: str, edge: EdgeAttributes, view: View) -> Relative:
    return Relative(id_, view.node(id_) or {}, float(edge.get("weight", 0)), tuple(edge.get("reasons", ())))
