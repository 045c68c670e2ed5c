"""The nodes of a kind, narrowed and sorted."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import QueryError

from ..kinds import KINDS, SOURCES
from .cites import CITING
from .days import newest_first, span_of_days
from .fields import Telling
from .questions import SORTS, STATES, STATUSES
from .resolve import topic_called
from .view import WithoutBoilerplate, title_of
from .which import ALL, First, Which

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

    from ..attributes import NodeAttributes
    from ..kinds import Kinds
    from .fields import FieldNames
    from .view import View

# What `list` calls its kinds beside the kinds' own names.
LISTS = KINDS.listed()


@dataclass(frozen=True, slots=True)
class Row:
    """A node in a list: its attributes, and how many episodes and posts name it (or how much it names).

    Of a podcast the count is that of its episodes, from the ``first`` day to the ``last`` one.
    """

    id: str
    attributes: NodeAttributes
    count: int
    first: str = ""
    last: str = ""

    def record(self) -> dict[str, object]:
        """Return all fields of it; the first and the last day where it has them."""
        days = {name: day for name, day in (("first", self.first), ("last", self.last)) if day}
        return {**self.attributes, "id": self.id, "count": self.count, **days}


class Listing(NamedTuple):
    """The nodes of some kinds, in the order asked for."""

    kinds: tuple[str, ...]
    rows: First[Row]

    @property
    def total(self) -> int:
        """The number of nodes before a limit."""
        return self.rows.total

    def to_dict(self, fields: FieldNames = "") -> list[dict[str, object]]:
        """Return what ``podgraph list --json`` prints: an object for each node, with its ``fields``."""
        tell = Telling("list", fields)
        return [tell(row.record()) for row in self.rows]


def kinds_called(name: str, kinds: Kinds = KINDS) -> tuple[str, ...]:
    """Return the kinds that a list is called by (``pulls``, ``artifacts``, ``pull``); ``QueryError`` for no such."""
    found = kinds.named(name)
    if not found:
        raise QueryError(f"there is no kind {name!r}", remedy=f"one of {', '.join(sorted(kinds.listed()))}")
    return found


def list_nodes(
    name: str,
    view: View,
    *,
    which: Which = ALL,
    year: int | None = None,
    repo: str = "",
    topic: str = "",
    status: str = "",
    state: str = "",
    sort: str = "",
    with_boilerplate: bool = False,
) -> Listing:
    """Return the nodes of the kinds that ``name`` means; ``which`` keeps episodes and what they name.

    ``year`` keeps episodes of that year and what they name; ``repo`` what lies in that repository and the episodes that
    name something there; ``topic`` (a topic's name) the episodes about it and what they name; ``status`` nodes of that
    link status, ``state`` pull requests and issues of that state (a draft is open, too). ``sort`` is ``date``,
    ``title``, ``number``, ``id`` or ``count``; by default episodes by date, newest first, and everything else by how
    many name it.

    What nearly every episode of a show says counts only ``with_boilerplate``; what nothing else leads to is left out.

    Raises ``QueryError`` for a kind, day, status or order that there is none of, ``NotFoundError`` for such a topic or
    podcast.
    """
    for what, value, known in (("status", status, STATUSES), ("state", state, STATES), ("order", sort, SORTS)):
        if value and value not in known:
            raise QueryError(f"there is no {what} {value!r}", remedy=f"one of {', '.join(known)}")
    kinds = kinds_called(name, view.kinds)
    whole, view = view, view if with_boilerplate else WithoutBoilerplate(view)
    tests = [_wanted(view, which)]
    tests.append(lambda entry: entry.is_there(whole))
    if year is not None:
        tests.append(lambda entry: entry.is_of_days(f"{year:04}", f"{year:04}-12-31"))
    if repo:
        tests.append(lambda entry: entry.is_of_repository(repo.lower()))
    if topic:
        about = topic_called(topic, view)
        tests.append(lambda entry: entry.is_about(about))
    if status:
        tests.append(lambda entry: entry.node.get("status", "unknown") == status)
    if state:
        states = ("open", "draft") if state == "open" else (state,)
        tests.append(lambda entry: entry.node.get("state") in states)
    entries = (_Entry(id_, node, view) for id_, node in view.nodes(*kinds))
    rows = [entry.row() for entry in entries if all(passes(entry) for passes in tests)]
    rows = _sorted(rows, sort or ("date" if set(kinds) <= {"episode"} else "count"), view)
    return Listing(kinds, First(rows[::-1] if which.reverse else rows, which.limit))


def _sorted(rows: list[Row], order: str, view: View) -> list[Row]:
    rows.sort(key=lambda row: row.id)
    return newest_first(rows, view) if order == "date" else sorted(rows, key=_SORTING[order])


# How to sort what is sorted by id already; by date it needs the whole graph.
_SORTING: dict[str, Callable[[Row], tuple[object, ...]]] = {
    "count": lambda row: (-row.count,),
    "title": lambda row: (title_of(row.attributes).casefold(),),
    "number": lambda row: ("number" not in row.attributes, row.attributes.get("number", 0)),
    "id": lambda row: (row.id,),
}


def speaker_test(view: View, which: Which) -> Callable[[str, NodeAttributes], bool]:
    """Return what tells whether a node is an episode that is wanted, or one that such an episode names."""
    is_wanted = _wanted(view, which)
    return lambda id_, node: is_wanted(_Entry(id_, node, view))


def _wanted(view: View, which: Which) -> Callable[[_Entry], bool]:
    podcasts = which.podcasts(view)
    since, until = span_of_days(which.since, which.until)
    days = (since.isoformat() if since else "0", until.isoformat() if until else "9999")
    return lambda entry: (
        (podcasts is None or entry.is_of_podcasts(podcasts)) and (not (since or until) or entry.is_of_days(*days))
    )


class _Entry:
    """A node that may be listed, the episodes and posts that speak of it, and what it is counted by.

    An episode, or a post that was read, speaks itself, and is counted by what it names; for a podcast speak its
    episodes, and count; all else is counted by who names it.
    """

    def __init__(self, id_: str, node: NodeAttributes, view: View) -> None:
        self.id, self.node, self._view = id_, node, view
        self._speaks = node.get("kind") in SOURCES and any(True for _ in view.edges_from(id_))
        if self._speaks:
            self.others = {edge.target for edge in view.edges_from(id_) if edge.relation in CITING}
            self._speakers = {id_}
        elif episodes := _episodes(id_, node, view):
            self.others = self._speakers = episodes
        else:
            self.others = self._speakers = {edge.source for edge in view.edges_to(id_) if edge.relation in CITING}

    def row(self) -> Row:
        """Return it as a list has it."""
        days = self._days() if self.node.get("kind") == "podcast" else []
        return Row(self.id, self.node, len(self.others), min(days, default=""), max(days, default=""))

    def _days(self) -> list[str]:
        nodes = (self._view.node(speaker) or {} for speaker in self._speakers)
        return [str(node["date"])[:10] for node in nodes if "date" in node]

    def is_there(self, whole: View) -> bool:
        """Tell whether not only boilerplate leads to it: ``whole`` is the view that has that, too."""
        return bool(self.others) or self._speaks or not _only_aside(self.id, whole)

    def is_of_podcasts(self, podcasts: AbstractSet[str]) -> bool:
        """Tell whether one that speaks of it is an episode of one of the podcasts."""
        return any((self._view.node(speaker) or {}).get("podcast", "") in podcasts for speaker in self._speakers)

    def is_of_days(self, first: str, last: str) -> bool:
        """Tell whether one that speaks of it is of a day from ``first`` to ``last``, written as ISO 8601 has it."""
        return any(first <= day <= last for day in self._days())

    def is_of_repository(self, repo: str) -> bool:
        """Tell whether it lies in a repository, or speaks of something there."""
        named = (self._view.node(other) or {} for other in (self.others if self._speaks else ()))
        return any(node.get("repo") == repo for node in chain((self.node,), named))

    def is_about(self, topic: str) -> bool:
        """Tell whether one that speaks of it is tied to the topic."""
        return any(edge.target == topic for speaker in self._speakers for edge in self._view.edges_from(speaker))


def _only_aside(id_: str, view: View) -> bool:
    edges = list(view.edges_to(id_))
    return bool(edges) and all(edge.attributes.get("boilerplate") for edge in edges)


def _episodes(id_: str, node: NodeAttributes, view: View) -> set[str]:
    """Return the episodes of a podcast; of anything else none."""
    if node.get("kind") != "podcast":
        return set()
    return {edge.source for edge in view.edges_to(id_) if edge.relation == "part_of"}
