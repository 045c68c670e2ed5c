"""The figures of a graph: counts by kind and year, the most cited nodes, the state of links."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..kinds import SOURCES
from .answer import Answer, Row, build_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .view import Outline, View

STATUSES = ("ok", "moved", "gone", "private", "unknown")  # of a link


def count_graph(view: View, *, n: int = 10) -> Answer:
    """Return the figures of a graph: a row for each, with its group, its name and its count.

    The groups are kinds, relations, areas and communities (their episodes and posts), years, the most cited and most
    connected nodes (the first ``n``; 0: all), episodes without a citation, truncated links, and boilerplate with the
    reason. Boilerplate counts neither as a citation nor as a connection.
    """
    items = list(view.outlines(SOURCES, ("cites",), read=True))
    episodes = [item for item in items if item.kind == "episode"]
    first, last = _span(episodes)
    years = Counter(item.date[:4] or "undated" for item in episodes)
    groups: dict[str, Iterable[tuple[str, int]]] = {
        "kinds": _kinds(view).items(),
        "relations": sorted(view.relations().items()),
        "areas": _ranked(view.areas(boilerplate=False)),
        "communities": Counter(item.community for item in items if item.community).most_common(),
        "years": sorted(years.items()),
        "truncated links": [("", count)] if (count := sum(item.truncated for item in episodes)) else [],
    }
    rows = [Row(group=group, title=name, count=count) for group, counts in groups.items() for name, count in counts]
    for group, relation in (("most cited", "cites"), ("most connected", "")):
        for id_, count in view.busiest(relation, n, boilerplate=False)[0]:
            rows.append(build_row(id_, view.node(id_) or {}, group=group, count=count))
    rows += [build_row(item.id, view.node(item.id) or {}, group="uncited") for item in episodes if not item.names]
    for id_, count, reason in _boilerplate(view):
        reasons = [reason] if reason else []
        rows.append(build_row(id_, view.node(id_) or {}, group="boilerplate", count=count, reasons=reasons))
    heading = f"{len(episodes)} episodes" + (f", {first} to {last}" if first else "")
    return Answer("stats", "", ("group", "title", "count", "reasons"), tuple(rows), len(rows), heading)


def check_links(view: View) -> Answer:
    """Return the state of cited and mentioned artifacts: a row for each count, and for each that moved or is lost.

    Addresses that no look-up could check are ``unknown``.
    """
    statuses: Counter[str] = Counter()
    changed = []
    naming = frozenset(("cites", "mentions"))
    for node in view.outlines((), naming, boilerplate=True):
        if not node.named:
            continue
        status = node.status or "unknown"
        statuses[status] += 1
        if status in ("moved", "gone", "private"):
            episodes = {
                view.id_of(tie.other) for tie in view.ties(node.key) if tie.relation in naming and not tie.forward
            }
            changed.append((node.id, status, sorted(episodes)))
    rows = [Row(group="links", title=status, count=statuses[status]) for status in STATUSES if statuses[status]]
    for id_, status, by in sorted(changed):
        rows.append(build_row(id_, view.node(id_) or {}, group=status, count=len(by), cited_by=by))
    return Answer("stats", "links", ("group", "title", "count", "url", "current_url"), tuple(rows), len(rows))


def _kinds(view: View) -> dict[str, int]:
    counts = view.counts()
    return {kind: counts[kind] for kind in view.kinds.in_order(counts)}


def _span(items: Iterable[Outline]) -> tuple[str, str]:
    """Return the first and the last day of some episodes or posts; "" where none has a date."""
    days = [item.date[:10] for item in items if item.date]
    return min(days, default=""), max(days, default="")


def _boilerplate(view: View) -> list[tuple[str, int, str]]:
    """Return (id, how many edges, why) of all boilerplate, the most first."""
    why = {id_: (count, reasons[-1] if reasons else "") for id_, count, reasons in view.asides()}
    ranked = _ranked({id_: count for id_, (count, _) in why.items()})
    return [(id_, count, why[id_][1].removeprefix("boilerplate: ")) for id_, count in ranked]


def _ranked(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
