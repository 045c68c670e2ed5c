"""Which episodes cite something, and the order in which lists have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .resolve import Target
    from .view import View

CITING = frozenset(("cites", "mentions", "about", "listen_first", "see_also"))


class Citation(NamedTuple):
    """An episode (or post) that names something: what it names, by which relation, and the proof."""

    episode: str
    attributes: Mapping[str, Any]
    targets: tuple[str, ...]
    relations: tuple[str, ...]
    evidence: tuple[Mapping[str, Any], ...]


def citing(target: Target, view: View) -> list[Citation]:
    """Return the episodes and posts that cite or name what ``target`` stands for, newest first, undated last."""
    found: dict[str, list[tuple[str, str, Mapping[str, Any]]]] = {}
    for id_ in target.nodes:
        for edge in view.edges_to(id_):
            if edge.relation in CITING:
                found.setdefault(edge.source, []).append((id_, edge.relation, edge.attributes))
    citations = [
        Citation(
            episode,
            view.node(episode) or {},
            tuple(dict.fromkeys(id_ for id_, _, _ in edges)),
            tuple(dict.fromkeys(relation for _, relation, _ in edges)),
            tuple(item for _, _, attributes in edges for item in attributes.get("evidence", ())),
        )
        for episode, edges in found.items()
    ]
    return newest_first(citations, key=lambda citation: (citation.attributes, citation.episode))


def newest_first(items: Iterable[Any], key: Any) -> list[Any]:
    """Sort by (attributes, id) from ``key``: the latest date first, the undated behind them.

    Of one date, and of none, the highest number comes first, then those without one by title.
    """

    def place(item: Any) -> tuple[float, str, str]:
        attributes, id_ = key(item)
        number = attributes.get("number")
        last = -number if isinstance(number, (int, float)) else float("inf")
        return last, str(attributes.get("title") or attributes.get("label", "")).casefold(), id_

    in_place = sorted(items, key=place)
    return sorted(in_place, key=lambda item: str(key(item)[0].get("date", ""))[:10], reverse=True)
