"""Questions about a graph, answered on plain adjacency."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .citations import CITING, newest_first
from .schema import ARTIFACTS, KINDS

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
LISTS: dict[str, tuple[str, ...]] = {
    "podcasts": ("podcast",), "episodes": ("episode",), "posts": ("blog",), "topics": ("topic",),
    "artifacts": tuple(sorted(ARTIFACTS)),
    "repos": ("repo",), "repositories": ("repo",), "pulls": ("pull",), "prs": ("pull",), "issues": ("issue",),
    "discussions": ("discussion",), "commits": ("commit",), "files": ("file",), "folders": ("folder",),
    "symbols": ("symbol",), "wikis": ("wiki",), "releases": ("release",), "gists": ("gist",), "docs": ("docs",),
    "tutorials": ("tutorial",), "blogs": ("blog",), "forums": ("forum",), "papers": ("paper",),
    "videos": ("video",), "questions": ("question",), "packages": ("package",), "people": ("person",), "web": ("web",),
    "comparisons": ("compare",),
}  # fmt: skip


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
        if status and node.get("status") != status:
            continue
        rows.append(Row(id_, node, len(others)))
    return _sorted(rows, sort or ("date" if set(kinds) <= {"episode"} else "count"))


def _sorted(rows: list[Row], order: str) -> list[Row]:
    rows.sort(key=lambda row: row.id)
    if order == "date":
        return newest_first(rows, key=lambda row: (row.attributes, row.id))
    if order == "count":
        rows.sort(key=lambda row: -row.count)
    elif order == "title":
        rows.sort(key=lambda row: str(row.attributes.get("title") or row.attributes.get("label", "")).casefold())
    elif order == "number":
        rows.sort(key=lambda row: (row.attributes.get("number") is None, row.attributes.get("number", 0)))
    return rows


@dataclass(frozen=True, slots=True)
class Stats:
    """The figures of a graph; lists of (id, count) hold the ten with the most, the most first."""

    kinds: dict[str, int]
    relations: dict[str, int]
    most_cited: list[tuple[str, int]]
    most_connected: list[tuple[str, int]]
    uncited_episodes: list[str]
    truncated_links: int
    first: str
    last: str
    years: dict[str, int]


def stats(view: View) -> Stats:
    """Count what a graph holds: by kind, relation and year, the most cited, and the episodes that cite nothing."""
    kinds: Counter[str] = Counter()
    relations: Counter[str] = Counter()
    cited: Counter[str] = Counter()
    degree: Counter[str] = Counter()
    dates, uncited, truncated = [], [], 0
    undated = 0
    for id_, node in view.nodes():
        kinds[str(node.get("kind", ""))] += 1
        edges = list(view.edges_from(id_))
        degree[id_] += len(edges)
        for edge in edges:
            relations[edge.relation] += 1
            degree[edge.target] += 1
            if edge.relation == "cites":
                cited[edge.target] += 1
        if node.get("kind") == "episode":
            truncated += len(node.get("truncated_links", ()))
            if "date" in node:
                dates.append(str(node["date"]))
            else:
                undated += 1
            if not any(edge.relation == "cites" for edge in edges):
                uncited.append(id_)
    years = Counter(date[:4] for date in dates)
    by_year = {year: years[year] for year in sorted(years)} | ({"undated": undated} if undated else {})
    return Stats(
        {kind: kinds[kind] for kind in KINDS if kinds[kind]},
        {relation: relations[relation] for relation in sorted(relations)},
        _most(cited, at_least=2),
        _most(degree, at_least=1),
        uncited,
        truncated,
        min(dates, default="")[:10],
        max(dates, default="")[:10],
        by_year,
    )


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


def _most(counts: Counter[str], at_least: int) -> list[tuple[str, int]]:
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(id_, count) for id_, count in ranked[:10] if count >= at_least]
