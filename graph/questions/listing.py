"""The nodes of a kind, narrowed and sorted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, cast

from podgraph.extractors import QueryError, nearest

from ..kinds import KINDS, ROLES, SOURCES
from ..store import title_of
from .answer import Answer, build_row
from .cites import CITING
from .days import newest_first, span_of_days
from .resolve import topic_called
from .stats import STATUSES
from .which import ALL, First, Which

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..attributes import NodeAttributes
    from ..kinds import Kinds
    from .view import Key, Outline, View

# Further words of `list` for its kinds.
LISTS = KINDS.listed()
SORTS = ("date", "title", "number", "id", "count")


@dataclass(frozen=True, slots=True)
class ListRow:
    """A node in a list: its attributes, and how many episodes and posts name it (or how much it names).

    For a podcast, its episodes are counted, from the ``first`` day to the ``last`` one. ``role`` is a person's
    strongest role in an episode.
    """

    id: str
    attributes: NodeAttributes
    count: int
    first: str = ""
    last: str = ""
    role: str = ""


class Listing(NamedTuple):
    """The nodes of some kinds, in the order asked for."""

    kinds: tuple[str, ...]
    rows: First[ListRow]

    @property
    def total(self) -> int:
        """The number of nodes before a limit."""
        return self.rows.total


def kinds_called(name: str, kinds: Kinds = KINDS) -> tuple[str, ...]:
    """Return the kinds of a list by its name (``pulls``, ``artifacts``, ``pull``); ``QueryError`` for no such."""
    found = kinds.named(name)
    if not found:
        known = sorted(kinds.listed())
        raise QueryError(f"unknown kind {name!r}", remedy=nearest(name, known) or f"use one of {', '.join(known)}")
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
    sort: str = "",
) -> Listing:
    """Return the nodes of the kinds called ``name``; ``which`` selects episodes and their mentions.

    ``year`` selects episodes of one year and their mentions; ``topic`` (a topic's name) the episodes about it and
    their mentions; an episode must meet all conditions. ``repo`` selects the artifacts in a repository and the
    episodes mentioning one; ``status`` nodes of one link status.
    ``sort`` is ``date``, ``title``, ``number``, ``id`` or ``count``; by default episodes
    by date, newest first, and everything else by its number of mentions.

    Boilerplate does not count, and nodes with only boilerplate edges are left out.

    Raises ``QueryError`` for an unknown kind, date, status or order, ``NotFoundError`` for an unknown topic or
    podcast.
    """
    for what, value, known in (("status", status, STATUSES), ("order", sort, SORTS)):
        if value and value not in known:
            remedy = nearest(value, known) or f"use one of {', '.join(known)}"
            raise QueryError(f"unknown {what} {value!r}", remedy=remedy)
    kinds = kinds_called(name, view.kinds)
    speakers = _speakers(view, which, year, topic)
    tests: list[Callable[[Outline], bool]] = []
    if speakers is not None:
        named = _named_by(speakers, view, boilerplate=False)
        tests.append(lambda node: node.key in (speakers if node.read else named))
    if repo:
        inside = _of_repository(repo.lower(), view, boilerplate=False)
        tests.append(lambda node: node.repo == repo.lower() or node.key in inside)
    if status:
        tests.append(lambda node: (node.status or "unknown") == status)
    outlines = view.outlines(kinds, CITING, boilerplate=False)
    rows = [
        _row(node, view)
        for node in outlines
        if (node.read or node.named or not node.aside) and all(passes(node) for passes in tests)
    ]
    rows = _sorted(rows, sort or ("date" if set(kinds) <= {"episode"} else "count"), view)
    found = First(rows[::-1] if which.reverse else rows, which.limit)
    people = kinds == ("person",)
    whole = (
        replace(row, attributes=view.node(row.id) or {}, role=_role(row.id, view) if people else "") for row in found
    )
    return Listing(kinds, First(whole, total=found.total))


def _sorted(rows: list[ListRow], order: str, view: View) -> list[ListRow]:
    return newest_first(rows, view) if order == "date" else sorted(rows, key=_SORTING[order])


# How to sort rows already sorted by id; sorting by date needs the whole graph.
_SORTING: dict[str, Callable[[ListRow], tuple[object, ...]]] = {
    "count": lambda row: (-row.count,),
    "title": lambda row: (title_of(row.attributes).casefold(),),
    "number": lambda row: ("number" not in row.attributes, row.attributes.get("number", 0)),
    "id": lambda row: (row.id,),
}


def _row(node: Outline, view: View) -> ListRow:
    """Return a row with only the attributes for sorting."""
    known: dict[str, object] = {"date": node.date, "title": node.title, "podcast": node.podcast}
    known |= {"number": node.number, "season": node.season}
    attributes = cast("NodeAttributes", {name: value for name, value in known.items() if value not in ("", None)})
    if node.kind != "podcast":
        return ListRow(node.id, attributes, node.names if node.read else node.named)
    episodes = [tie.other for tie in view.ties(node.key) if tie.relation == "part_of" and not tie.forward]
    # A podcast without episodes in the graph is cited by others: then the days are those of the citations.
    dated_nodes = episodes or {tie.other for tie in view.ties(node.key) if tie.relation in CITING and not tie.forward}
    days = [day for key in dated_nodes if (day := (view.node(view.id_of(key)) or {}).get("date", "")[:10])]
    return ListRow(node.id, attributes, len(episodes) or node.named, min(days, default=""), max(days, default=""))


def _role(person: str, view: View) -> str:
    """Return a person's strongest role in an episode, or nothing."""
    found = {edge.attributes.get("role") for edge in view.edges_to(person, "mentions")}
    return next((role for role in ROLES if role in found), "")


def speaker_test(view: View, which: Which) -> Callable[[str], bool]:
    """Return a predicate for the ids of the selected episodes and of every node they mention."""
    speakers = _speakers(view, which)
    if speakers is None:
        return lambda _: True
    wanted = {*speakers, *_named_by(speakers, view)}
    return lambda id_: view.key_of(id_) in wanted


def _speakers(view: View, which: Which, year: int | None = None, topic: str = "") -> set[Key] | None:
    """Return the keys of the selected episodes and posts, ``None`` for all."""
    podcasts = which.podcasts(view)
    since, until = span_of_days(which.since, which.until)
    about = topic_called(topic, view) if topic else ""
    if podcasts is None and not (since or until or about) and year is None:
        return None
    first, last = since.isoformat() if since else "", until.isoformat() if until else "9999"
    found = {
        item.key
        for item in view.outlines(SOURCES, (), read=True)
        if (podcasts is None or item.podcast in podcasts)
        and (not (since or until) or (item.date and first <= item.date[:10] <= last))
        and (year is None or item.date[:4] == f"{year:04}")
    }
    if not about:
        return found
    key = view.key_of(about)
    return {tie.other for tie in view.ties(key) if not tie.forward} & found if key is not None else set()


def _named_by(speakers: Iterable[Key], view: View, *, boilerplate: bool = False) -> set[Key]:
    """Return the keys of the nodes named by the speakers, and of their podcasts."""
    relations = {*CITING, "part_of"}
    ties = (tie for key in speakers for tie in view.ties(key) if tie.forward and tie.relation in relations)
    return {tie.other for tie in ties if boilerplate or not tie.boilerplate}


def _of_repository(repo: str, view: View, *, boilerplate: bool) -> set[Key]:
    """Return the episodes and posts naming something in a repository."""
    keys = (view.key_of(id_) for id_, _ in view.keyed("repo", repo))
    ties = (tie for key in keys if key is not None for tie in view.ties(key))
    citing = (tie for tie in ties if not tie.forward and tie.relation in CITING)
    return {tie.other for tie in citing if boilerplate or not tie.boilerplate}


def list_kind(
    view: View,
    kind: str,
    *,
    which: Which = ALL,
    topic: str = "",
    repo: str = "",
    year: int = 0,
    status: str = "",
    sort: str = "",
) -> Answer:
    """Answer with the nodes of a kind, as ``list_nodes`` selects and sorts them, with how many episodes name each."""
    found = list_nodes(kind, view, which=which, topic=topic, repo=repo, year=year or None, status=status, sort=sort)
    days = {row.id: {"first": row.first, "last": row.last} for row in found.rows}
    rows = [build_row(row.id, row.attributes, count=row.count, role=row.role, **days[row.id]) for row in found.rows]
    columns: tuple[str, ...] = ("count", "kind", "title", "url", "id")
    if found.kinds == ("episode",):
        columns = ("date", "number", "title", "duration", "url", "id")
    elif found.kinds == ("podcast",):
        columns = ("count", "title", "first", "last", "url", "id")
    elif found.kinds == ("person",):
        columns = ("count", "title", "role", "url", "id")
    elif status:
        columns = ("status", *columns, "current_url")
    notes = () if rows else (f"the graph has no {kind} of this selection; `podgraph stats` counts what it has",)
    return Answer("list", kind, columns, tuple(rows), found.total, notes=notes)
