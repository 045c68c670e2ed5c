"""The story of a graph in figures: what it holds, over which years, what ties it together and what lies apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..kinds import SOURCES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .view import View

_TELLS_NOTHING = frozenset(("part_of", "in_repo", "in_folder"))  # through these everything hangs together
_MOST, _BRIDGES = 10, 5


@dataclass(frozen=True, slots=True)
class Stats:
    """The figures of a graph; lists of (id, count) hold the ten with the most, the most first.

    ``areas`` and ``communities`` count the episodes and posts in them; ``bridges`` holds (id, names of the other
    communities that it is related to), ``islands`` the ids of episodes and posts that nothing ties to the others,
    in groups. ``first`` and ``last`` are the days of the episodes, ``first_post`` and ``last_post`` those of the posts
    that were read ("" where none has a date).
    """

    kinds: dict[str, int]
    relations: dict[str, int]
    areas: dict[str, int]
    communities: dict[str, int]
    most_cited: list[tuple[str, int]]
    most_connected: list[tuple[str, int]]
    bridges: list[tuple[str, list[str]]]
    islands: list[list[str]]
    uncited_episodes: list[str]
    truncated_links: int
    first: str
    last: str
    first_post: str
    last_post: str
    years: dict[str, int]


def stats(view: View) -> Stats:
    """Count what a graph holds by kind, relation, area and year, and find the most cited, bridges, islands, uncited."""
    # A post that is only cited was not read: it has no title and no edges of its own.
    read = {id_: node for id_, node in view.nodes(*SOURCES) if node.get("title") or view.edges_from(id_)}
    kinds: Counter[str] = Counter()
    relations: Counter[str] = Counter()
    cited: Counter[str] = Counter()
    degree: Counter[str] = Counter()
    years: Counter[str] = Counter()
    dates, uncited, truncated = [], [], 0
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
            years[str(node["date"])[:4] if "date" in node else "undated"] += 1
            if "date" in node:
                dates.append(str(node["date"]))
            if not any(edge.relation == "cites" for edge in edges):
                uncited.append(id_)
    posts = [str(node["date"]) for node in read.values() if node.get("kind") == "blog" and "date" in node]
    return Stats(
        {kind: kinds[kind] for kind in view.kinds.in_order(kinds)},
        {relation: relations[relation] for relation in sorted(relations)},
        _areas(view),
        dict(Counter(str(node["community"]) for node in read.values() if "community" in node).most_common()),
        _most(cited, at_least=2),
        _most(degree, at_least=1),
        _bridges(view),
        _islands(view, read),
        uncited,
        truncated,
        min(dates, default="")[:10],
        max(dates, default="")[:10],
        min(posts, default="")[:10],
        max(posts, default="")[:10],
        {year: years[year] for year in sorted(years)},  # digits sort before "undated"
    )


def _areas(view: View) -> dict[str, int]:
    """Return how many episodes and posts are about something in each area, the most first."""
    inside: dict[str, set[str]] = defaultdict(set)
    for topic, node in view.nodes("topic"):
        if "area" in node:
            inside[str(node["area"])].update(edge.source for edge in view.edges_to(topic) if edge.relation == "about")
    counts = {area: len(items) for area, items in inside.items() if items}
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _bridges(view: View) -> list[tuple[str, list[str]]]:
    """Return the episodes and posts related to the most communities that are not their own, two at least."""
    home = {id_: str(node["community"]) for id_, node in view.nodes(*SOURCES) if "community" in node}
    others: dict[str, set[str]] = defaultdict(set)
    for id_, own in home.items():
        for edge in view.edges_from(id_):
            other = home.get(edge.target, own)
            if edge.relation == "related" and other != own:
                others[id_].add(other)
                others[edge.target].add(own)
    ranked = sorted(others.items(), key=lambda item: (-len(item[1]), item[0]))
    return [(id_, sorted(names)) for id_, names in ranked[:_BRIDGES] if len(names) > 1]


def _islands(view: View, read: Iterable[str]) -> list[list[str]]:
    """Return the groups of episodes and posts that no meaningful relation ties to the greatest group."""
    above: dict[str, str] = {}

    def top(id_: str) -> str:
        while (higher := above.setdefault(id_, id_)) != id_:
            above[id_] = above[higher]
            id_ = higher
        return id_

    for id_, _ in view.nodes():
        for edge in view.edges_from(id_):
            if edge.relation not in _TELLS_NOTHING:
                above[top(edge.source)] = top(edge.target)
    groups: dict[str, list[str]] = defaultdict(list)
    for id_ in read:
        groups[top(id_)].append(id_)
    return sorted(groups.values(), key=lambda group: (-len(group), group))[1:]


def _most(counts: Counter[str], at_least: int) -> list[tuple[str, int]]:
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(id_, count) for id_, count in ranked[:_MOST] if count >= at_least]
