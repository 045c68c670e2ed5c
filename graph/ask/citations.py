"""Which episodes cite something, and the order in which lists have them."""

from __future__ import annotations

from bisect import bisect
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
    return newest_first(citations, key=lambda citation: (citation.attributes, citation.episode), view=view)


def newest_first(items: Iterable[Any], key: Any, view: View) -> list[Any]:
    """Sort by (attributes, id) from ``key``: the latest date first, the undated behind them.

    An undated episode stands where its number puts it in ``view`` (``inferred_days``). Of one date, and of none, the
    highest number comes first, then those without one by title.
    """
    found = [(item, *key(item)) for item in items]
    days = (
        inferred_days(view.nodes("episode"))
        if any("date" not in node and "number" in node for _, node, _ in found)
        else {}
    )

    def place(entry: tuple[Any, Mapping[str, Any], str]) -> tuple[float, str, str]:
        _, attributes, id_ = entry
        number = attributes.get("number")
        last = -number if isinstance(number, (int, float)) else float("inf")
        return last, str(attributes.get("title") or attributes.get("label", "")).casefold(), id_

    found.sort(key=place)
    found.sort(key=lambda entry: str(entry[1].get("date") or days.get(entry[2], ""))[:10], reverse=True)
    return [item for item, _, _ in found]


def inferred_days(episodes: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, str]:
    """Return, for sorting and never to be shown, a day for each undated episode that has a number.

    ``episodes`` are (id, attributes). The day is that of the dated episode of the same podcast and season with the
    nearest lower number; where there is none, of the nearest higher one. Of one day, the number decides.
    """
    dated: dict[tuple[Any, Any], list[tuple[float, str]]] = {}
    undated: list[tuple[str, float, tuple[Any, Any]]] = []
    for id_, node in episodes:
        number, series = node.get("number"), (node.get("podcast"), node.get("season"))
        if isinstance(number, (int, float)) and "date" in node:
            dated.setdefault(series, []).append((number, str(node["date"])[:10]))
        elif isinstance(number, (int, float)):
            undated.append((id_, number, series))
    for days in dated.values():
        days.sort()
    return {
        id_: dated[series][max(0, bisect(dated[series], number, key=lambda day: day[0]) - 1)][1]
        for id_, number, series in undated
        if series in dated
    }
