"""Questions about a graph, answered on plain adjacency."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..kinds import KINDS
from .citations import CITING, newest_first

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .view import View


def neighbours(id_: str, view: View) -> dict[str, list[tuple[str, Mapping[str, Any]]]]:
    """Group what a node is connected to: ``relation`` for edges that leave it, ``<relation`` for those that come.

    Each entry is (id of the other node, attributes of the edge), sorted by id.
    """
    groups: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
    for edge in view.edges_from(id_):
        groups.setdefault(edge.relation, []).append((edge.target, edge.attributes))
    for edge in view.edges_to(id_):
        groups.setdefault(f"<{edge.relation}", []).append((edge.source, edge.attributes))
    return {relation: sorted(groups[relation], key=lambda pair: pair[0]) for relation in sorted(groups)}


# What `list` calls its kinds beside the kinds' own names.
LISTS = KINDS.listed()


@dataclass(frozen=True, slots=True)
class Row:
    """A node in a list: its attributes, and how many episodes and posts name it (or how much it names)."""

    id: str
    attributes: Mapping[str, Any]
    count: int


def listing(
    kinds: Sequence[str],
    view: View,
    *,
    year: int | None = None,
    repo: str = "",
    topic: str = "",
    status: str = "",
    sort: str = "",
) -> list[Row]:
    """Return the nodes of some kinds, narrowed and sorted.

    ``year`` keeps episodes of that year and what they name; ``repo`` what lies in that repository and the
    episodes that name something there; ``topic`` (a node id) the episodes about it and what they name;
    ``status`` nodes of that link status. ``sort`` is ``date``, ``title``, ``number``, ``id`` or ``count``; by
    default episodes by date, newest first, and everything else by how many name it.
    """
    rows = []
    for id_, node in view.nodes(*kinds):
        own = node.get("kind") in ("episode", "blog") and any(True for _ in view.edges_from(id_))
        edges = [edge for edge in (view.edges_from(id_) if own else view.edges_to(id_)) if edge.relation in CITING]
        sources = {id_} if own else {edge.source for edge in edges}
        others = {edge.target for edge in edges} if own else {edge.source for edge in edges}
        if year is not None and not any(
            str((view.node(source) or {}).get("date", ""))[:4] == str(year) for source in sources
        ):
            continue
        if (
            repo
            and repo.lower() != node.get("repo")
            and not (own and any((view.node(other) or {}).get("repo") == repo.lower() for other in others))
        ):
            continue
        if topic and not any(edge.target == topic for source in sources for edge in view.edges_from(source)):
            continue
        if status and node.get("status", "unknown") != status:
            continue
        rows.append(Row(id_, node, len(others)))
    return _sorted(rows, sort or ("date" if set(kinds) <= {"episode"} else "count"), view)


def _sorted(rows: list[Row], order: str, view: View) -> list[Row]:
    rows.sort(key=lambda row: row.id)
    if order == "date":
        return newest_first(rows, key=lambda row: (row.attributes, row.id), view=view)
    if order == "count":
        rows.sort(key=lambda row: -row.count)
    elif order == "title":
        rows.sort(key=lambda row: str(row.attributes.get("title") or row.attributes.get("label", "")).casefold())
    elif order == "number":
        rows.sort(key=lambda row: (row.attributes.get("number") is None, row.attributes.get("number", 0)))
    return rows


@dataclass(frozen=True, slots=True)
class LinkHealth:
    """The state of what is cited and named: how many of each status, and what has moved or gone, by id.

    ``changed`` holds (id, status, current address or "", ids of the episodes and posts that name it).
    """

    statuses: dict[str, int]
    changed: list[tuple[str, str, str, tuple[str, ...]]]


def link_health(view: View) -> LinkHealth:
    """Sum up the ``status`` of the nodes that episodes and posts name; those nobody could check are ``unknown``."""
    statuses: Counter[str] = Counter()
    changed = []
    for id_, node in view.nodes():
        naming = sorted({edge.source for edge in view.edges_to(id_) if edge.relation in ("cites", "mentions")})
        if not naming:
            continue
        status = str(node.get("status", "unknown"))
        statuses[status] += 1
        if status in ("moved", "gone"):
            changed.append((id_, status, str(node.get("current_url", "")), tuple(naming)))
    return LinkHealth({status: statuses[status] for status in ("ok", "moved", "gone", "unknown")}, sorted(changed))
