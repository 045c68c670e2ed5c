"""The figures of a graph: counts by kind and year, most cited nodes, bridges, and unconnected episodes."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from ..kinds import SOURCES
from .fields import FIELDS
from .questions import STATUSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .view import Key, Outline, View

_TELLS_NOTHING = frozenset(("part_of", "in_repo", "in_folder"))  # through these everything hangs together
_MOST, _BRIDGES = 10, 5


@dataclass(frozen=True, slots=True)
class Stats:
    """The figures of a graph; lists of (id, count) have the highest counts first (by default ten).

    ``areas`` and ``communities`` count their episodes and posts; ``bridges`` has (id, names of other related
    communities), ``islands`` groups of episodes and posts without a connection to the others.
    ``first`` and ``last`` are the days of the episodes, ``first_post`` and ``last_post`` those of the posts
    of the sources ("" without dates). ``boilerplate`` has (id, boilerplate edges, reason), the most frequent
    first; boilerplate counts neither as a citation nor as a connection. ``total`` has the full length of
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

    def to_dict(self) -> dict[str, object]:
        """Return all figures by their names, as JSON has them."""
        return asdict(self)


def stats(view: View, *, with_boilerplate: bool = False, most: int = _MOST) -> Stats:
    """Count a graph by kind, relation, area and year, and find the most cited nodes, bridges, islands and uncited ones.

    ``with_boilerplate`` counts boilerplate like everything else; ``most`` (0: all) is the length of the lists of the
    most cited and the most connected nodes.
    """
    items = list(view.outlines(SOURCES, ("cites",), boilerplate=with_boilerplate, read=True))
    episodes = [item for item in items if item.kind == "episode"]
    first, last = _span(episodes)
    first_post, last_post = _span(item for item in items if item.kind == "blog")
    most_cited, cited = view.busiest("cites", most, boilerplate=with_boilerplate)
    most_connected, connected = view.busiest("", most, boilerplate=with_boilerplate)
    return Stats(
        kinds=_kinds(view),
        relations=dict(sorted(view.relations().items())),
        areas=dict(_ranked(view.areas(boilerplate=with_boilerplate))),
        communities=dict(Counter(item.community for item in items if item.community).most_common()),
        most_cited=most_cited,
        most_connected=most_connected,
        bridges=_bridges(view, items),
        islands=_islands(view, items, with_boilerplate=with_boilerplate),
        uncited_episodes=[item.id for item in episodes if not item.names],
        truncated_links=sum(item.truncated for item in episodes),
        first=first,
        last=last,
        first_post=first_post,
        last_post=last_post,
        years=dict(sorted(Counter(item.date[:4] or "undated" for item in episodes).items())),  # digits before letters
        boilerplate=[] if with_boilerplate else _boilerplate(view),
        total={"most_cited": cited, "most_connected": connected},
    )


def _kinds(view: View) -> dict[str, int]:
    counts = view.counts()
    return {kind: counts[kind] for kind in view.kinds.in_order(counts)}


def _span(items: Iterable[Outline]) -> tuple[str, str]:
    """Return the first and the last day of some episodes or posts; "" where none has a date."""
    days = [item.date[:10] for item in items if item.date]
    return min(days, default=""), max(days, default="")


def _bridges(view: View, items: Iterable[Outline]) -> list[tuple[str, list[str]]]:
    """Return the episodes and posts related to the most communities apart from their own, two at least."""
    home = {item.key: item.community for item in items if item.community}
    others: dict[Key, set[str]] = defaultdict(set)
    for source, target in view.pairs("related"):
        own, other = home.get(source, ""), home.get(target, "")
        if own and other and other != own:
            others[source].add(other)
            others[target].add(own)
    ranked = sorted(others.items(), key=lambda item: (-len(item[1]), item[0]))
    return [(view.id_of(key), sorted(names)) for key, names in ranked[:_BRIDGES] if len(names) > 1]


def _islands(view: View, items: Sequence[Outline], *, with_boilerplate: bool) -> list[list[str]]:
    """Return the groups of episodes and posts without a meaningful relation to the largest group.

    The first and the last source of each artifact are joined through it, a quick approximation. All edges are followed
    from the nodes then outside the largest group.
    """
    joined = _Joined()
    for target, first, last in view.joined(_TELLS_NOTHING, boilerplate=with_boilerplate):
        joined.join(first, last)
        joined.join(first, target)
    greatest = Counter(joined.group(item.key) for item in items).most_common(1)
    mainland = greatest[0][0] if greatest else ""
    followed: set[Key] = set()
    for item in items:
        waiting = [item.key]
        while waiting and joined.group(item.key) != joined.group(mainland):
            key = waiting.pop()
            ties = () if key in followed else view.ties(key)
            meaningful = (tie for tie in ties if tie.relation not in _TELLS_NOTHING)
            neighbours = [tie.other for tie in meaningful if with_boilerplate or not tie.boilerplate]
            for other in neighbours:
                joined.join(key, other)
            waiting += neighbours
            followed.add(key)
    groups: dict[Key, list[str]] = defaultdict(list)
    for item in items:
        groups[joined.group(item.key)].append(item.id)
    return sorted(groups.values(), key=lambda group: (-len(group), group))[1:]


class _Joined:
    """Nodes in groups, with a way to join these (union-find); a node is in a group of its own until it is joined."""

    def __init__(self) -> None:
        self._above: dict[Key, Key] = {}

    def group(self, key: Key) -> Key:
        """Return the representative of a node's group."""
        above = self._above
        while (higher := above.setdefault(key, key)) != key:
            above[key] = above[higher]
            key = higher
        return key

    def join(self, one: Key, other: Key) -> None:
        """Make one group of the groups of two nodes."""
        above = self._above
        above[self.group(other) if other in above else other] = self.group(one)


def _boilerplate(view: View) -> list[tuple[str, int, str]]:
    """Return (id, how many edges, why) of all boilerplate, the most first."""
    why = {id_: (count, reasons[-1] if reasons else "") for id_, count, reasons in view.asides()}
    ranked = _ranked({id_: count for id_, (count, _) in why.items()})
    return [(id_, count, why[id_][1].removeprefix("boilerplate: ")) for id_, count in ranked]


def _ranked(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


@dataclass(frozen=True, slots=True)
class LinkHealth:
    """The state of cited and mentioned artifacts: counts by status, and the moved or lost ones, by id.

    ``changed`` has (id, status, current address or "", address of an archived copy or "", ids of the episodes and posts
    with a mention).
    """

    statuses: dict[str, int]
    changed: list[tuple[str, str, str, str, tuple[str, ...]]]

    def to_dict(self) -> dict[str, object]:
        """Return the counts by status, and the changed artifacts, for JSON."""
        names = FIELDS["links"].default
        rows = ({name: value for name, value in zip(names, row, strict=True) if value} for row in self.changed)
        return {"statuses": self.statuses, "changed": list(rows)}


def link_health(view: View) -> LinkHealth:
    """Sum up the ``status`` of the nodes named in episodes and posts. Those nobody could check are ``unknown``."""
    statuses: Counter[str] = Counter()
    changed = []
    naming = frozenset(("cites", "mentions"))
    for node in view.outlines((), naming, boilerplate=True):
        if not node.named:
            continue
        status = node.status or "unknown"
        statuses[status] += 1
        if status in ("moved", "gone", "private"):
            by = {view.id_of(tie.other) for tie in view.ties(node.key) if tie.relation in naming and not tie.forward}
            known = view.node(node.id) or {}
            addresses = known.get("current_url", ""), known.get("archived_url", "")
            changed.append((node.id, status, *addresses, tuple(sorted(by))))
    told = [status for status in STATUSES if statuses[status] or status != "private"]
    return LinkHealth({status: statuses[status] for status in told}, sorted(changed))
