"""The story of a graph in figures: what it holds, over which years, what ties it together and what lies apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from ..attributes import was_read
from ..kinds import SOURCES
from .fields import FIELDS, Telling
from .questions import STATUSES
from .view import WithoutBoilerplate
from .which import First

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..attributes import NodeAttributes
    from .fields import FieldNames
    from .view import Edge, View

_TELLS_NOTHING = frozenset(("part_of", "in_repo", "in_folder"))  # through these everything hangs together
_MOST, _BRIDGES = 10, 5


@dataclass(frozen=True, slots=True)
class Stats:
    """The figures of a graph; lists of (id, count) hold those with the most (ten, by default), the most first.

    ``areas`` and ``communities`` count the episodes and posts in them; ``bridges`` holds (id, names of the other
    communities that it is related to), ``islands`` the ids of episodes and posts that nothing ties to the others,
    in groups. ``first`` and ``last`` are the days of the episodes, ``first_post`` and ``last_post`` those of the posts
    that were read ("" where none has a date). ``boilerplate`` holds (id, boilerplate edges, reason), the most frequent
    first: boilerplate counts neither as cited nor as connected, and ties nothing. ``total`` has the full length of
    ``most_cited`` and ``most_connected``.
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
    boilerplate: list[tuple[str, int, str]] = field(default_factory=list)
    total: dict[str, int] = field(default_factory=dict)

    def to_dict(self, fields: FieldNames = "") -> dict[str, object]:
        """Return what ``podgraph stats --json`` prints; ``fields`` are the names of figures."""
        return Telling("stats", fields)(asdict(self))


def stats(view: View, *, with_boilerplate: bool = False, most: int = _MOST) -> Stats:
    """Count what a graph holds by kind, relation, area and year, and find the most cited, bridges, islands, uncited.

    ``with_boilerplate`` counts boilerplate like everything else; ``most`` (0: all) is how many of the most cited and
    the most connected are returned.
    """
    whole, view = view, view if with_boilerplate else WithoutBoilerplate(view)
    # A post that is only cited was not read: it has no title and no edges of its own.
    read = {id_: node for id_, node in view.nodes(*SOURCES) if was_read(node) or view.edges_from(id_)}
    edges = [edge for id_, _ in view.nodes() for edge in view.edges_from(id_)]
    everything = edges if with_boilerplate else [edge for id_, _ in whole.nodes() for edge in whole.edges_from(id_)]
    citations = [edge for edge in edges if edge.relation == "cites"]
    episodes = dict(view.nodes("episode"))
    first, last = _span(episodes.values())
    most_cited = First(_ranked(Counter(edge.target for edge in citations), at_least=2), most)
    most_connected = First(_ranked(Counter(chain.from_iterable(edge[:2] for edge in edges)), at_least=1), most)
    first_post, last_post = _span(node for node in read.values() if node.get("kind") == "blog")
    return Stats(
        kinds=_kinds(view),
        relations=dict(sorted(Counter(edge.relation for edge in everything).items())),
        areas=_areas(view),
        communities=_communities(read.values()),
        most_cited=list(most_cited),
        most_connected=list(most_connected),
        bridges=_bridges(view),
        islands=_islands(edges, read),
        uncited_episodes=_uncited(episodes, citations),
        truncated_links=sum(len(node.get("truncated_links", ())) for node in episodes.values()),
        first=first,
        last=last,
        first_post=first_post,
        last_post=last_post,
        years=_years(episodes.values()),
        boilerplate=[] if with_boilerplate else _boilerplate(everything),
        total={"most_cited": most_cited.total, "most_connected": most_connected.total},
    )


def _kinds(view: View) -> dict[str, int]:
    counts = view.counts()
    return {kind: counts[kind] for kind in view.kinds.in_order(counts)}


def _years(episodes: Iterable[NodeAttributes]) -> dict[str, int]:
    years = Counter(str(node["date"])[:4] if "date" in node else "undated" for node in episodes)
    return dict(sorted(years.items()))  # digits sort before "undated"


def _communities(items: Iterable[NodeAttributes]) -> dict[str, int]:
    return dict(Counter(node["community"] for node in items if "community" in node).most_common())


def _uncited(episodes: Iterable[str], citations: Iterable[Edge]) -> list[str]:
    """Return the episodes that cite nothing."""
    citing = {edge.source for edge in citations}
    return [id_ for id_ in episodes if id_ not in citing]


def _span(items: Iterable[NodeAttributes]) -> tuple[str, str]:
    """Return the first and the last day of some episodes or posts; "" where none has a date."""
    dates = [str(node["date"]) for node in items if "date" in node]
    return min(dates, default="")[:10], max(dates, default="")[:10]


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


def _islands(edges: Iterable[Edge], read: Iterable[str]) -> list[list[str]]:
    """Return the groups of episodes and posts that no meaningful relation ties to the greatest group."""
    above: dict[str, str] = {}

    def top(id_: str) -> str:
        while (higher := above.setdefault(id_, id_)) != id_:
            above[id_] = above[higher]
            id_ = higher
        return id_

    for edge in edges:
        if edge.relation not in _TELLS_NOTHING:
            above[top(edge.source)] = top(edge.target)
    groups: dict[str, list[str]] = defaultdict(list)
    for id_ in read:
        groups[top(id_)].append(id_)
    return sorted(groups.values(), key=lambda group: (-len(group), group))[1:]


def _boilerplate(edges: Iterable[Edge]) -> list[tuple[str, int, str]]:
    """Return (id, how many edges, why) of all that is boilerplate, the most first."""
    found = [edge for edge in edges if edge.attributes.get("boilerplate")]
    counts = Counter(edge.target for edge in found)
    why = {edge.target: edge.attributes.get("reasons", ("",))[-1].removeprefix("boilerplate: ") for edge in found}
    return [(id_, count, why[id_]) for id_, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


def _ranked(counts: Counter[str], at_least: int) -> list[tuple[str, int]]:
    enough = [(id_, count) for id_, count in counts.items() if count >= at_least]
    return sorted(enough, key=lambda item: (-item[1], item[0]))


@dataclass(frozen=True, slots=True)
class LinkHealth:
    """The state of what is cited and named: how many of each status, and what has moved or gone, by id.

    ``changed`` holds (id, status, current address or "", ids of the episodes and posts that name it).
    """

    statuses: dict[str, int]
    changed: list[tuple[str, str, str, tuple[str, ...]]]

    def to_dict(self, fields: FieldNames = "") -> dict[str, object]:
        """Return what ``podgraph stats --links --json`` prints; ``fields`` are those of what has changed."""
        tell, names = Telling("links", fields), FIELDS["links"].default
        rows = ({name: value for name, value in zip(names, row, strict=True) if value} for row in self.changed)
        return {"statuses": self.statuses, "changed": [tell(row) for row in rows]}


def link_health(view: View) -> LinkHealth:
    """Sum up the ``status`` of the nodes that episodes and posts name; those nobody could check are ``unknown``."""
    statuses: Counter[str] = Counter()
    changed = []
    for id_, node in view.nodes():
        naming = sorted({edge.source for edge in view.edges_to(id_) if edge.relation in ("cites", "mentions")})
        if not naming:
            continue
        status = node.get("status", "unknown")
        statuses[status] += 1
        if status in ("moved", "gone", "private"):
            changed.append((id_, status, node.get("current_url", ""), tuple(naming)))
    told = [status for status in STATUSES if statuses[status] or status != "private"]
    return LinkHealth({status: statuses[status] for status in told}, sorted(changed))
