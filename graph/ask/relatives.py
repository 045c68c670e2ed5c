"""The related episodes of a saved graph, read from its edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .view import View


@dataclass(frozen=True, slots=True)
class Relative:
    """A related episode or post: how strong the tie is, and why there is one, in words."""

    id: str
    attributes: Mapping[str, Any]
    weight: float
    reasons: tuple[str, ...]


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


def _relative(id_: str, edge: Mapping[str, Any], view: View) -> Relative:
    return Relative(id_, view.node(id_) or {}, float(edge.get("weight", 0)), tuple(edge.get("reasons", ())))
