"""The nodes of a kind, narrowed and sorted."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from podgraph.extractors import QueryError, nearest

from ..kinds import KINDS, ROLES, SOURCES
from .answer import Answer, LazyRows, Row, build_row
from .days import is_number, newest_first, span_of_days
from .resolve import topic_called
from .stats import STATUSES
from .view import CITING, WAS_READ, in_list
from .which import ALL, Which

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..kinds import Kinds
    from .view import View

# Further words of `list` for its kinds.
LISTS = KINDS.listed()
SORTS = ("date", "title", "number", "id", "count")

_CITES = f"relation IN {in_list(CITING)} AND boilerplate IS NULL"
# The nodes of some kinds without those that only boilerplate names; `count` are the episodes and posts naming a node,
# or the nodes named by one that was read.
_LISTED = f"""
SELECT n, id, kind, coalesce(nullif(title, ''), label, ''), substr(date, 1, 10), number, podcast, url, duration,
  attributes ->> 'uncertain', CASE WHEN read
    THEN (SELECT count(DISTINCT target) FROM edges WHERE source = n AND {_CITES})
    ELSE (SELECT count(DISTINCT source) FROM edges WHERE target = n AND {_CITES})
  END AS count
FROM (SELECT *, kind IN {in_list(SOURCES)} AND {WAS_READ} AS read FROM nodes
  WHERE kind IN (SELECT value FROM json_each(:kinds)))
WHERE (NOT EXISTS (SELECT 1 FROM edges WHERE target = n AND boilerplate) OR read OR count
  OR EXISTS (SELECT 1 FROM edges WHERE target = n AND boilerplate IS NULL))
"""  # noqa: S608 - constants
_NAMED_BY_SPEAKERS = f"""
SELECT target FROM edges WHERE source IN (SELECT value FROM json_each(:speakers))
  AND relation IN {in_list((*CITING, "part_of"))} AND boilerplate IS NULL
"""  # noqa: S608 - constants
_OF_SPEAKERS = f"""
AND CASE WHEN read THEN n IN (SELECT value FROM json_each(:speakers)) ELSE n IN ({_NAMED_BY_SPEAKERS}) END
"""  # noqa: S608 - constants
_OF_REPOSITORY = f"""
AND (repo = :repo OR n IN (SELECT source FROM edges WHERE {_CITES}
  AND target IN (SELECT n FROM keys WHERE field = 'repo' AND key = :repo)))
"""  # noqa: S608 - constants


def kinds_called(name: str, kinds: Kinds = KINDS) -> tuple[str, ...]:
    """Return the kinds of a list by its name (``pulls``, ``artifacts``, ``pull``); ``QueryError`` for no such."""
    found = kinds.named(name)
    if not found:
        known = sorted(kinds.listed())
        raise QueryError(f"unknown kind {name!r}", remedy=nearest(name, known) or f"use one of {', '.join(known)}")
    return found


def list_nodes(
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
    """Answer with the nodes of the kinds called ``kind``, each with the number of episodes and posts that name it.

    ``which`` selects episodes and their mentions; so do ``year`` (0: all) and ``topic`` (a topic's name); an episode
    must meet all conditions. ``repo`` selects the artifacts in a repository and the episodes naming one; ``status``
    nodes of one link status. ``sort`` is one of ``SORTS``: by default episodes by date, the newest first, all others by
    count. Boilerplate does not count. Raises ``QueryError`` for an unknown kind, date, status or order,
    ``NotFoundError`` for an unknown topic or podcast.
    """
    for what, value, known in (("status", status, STATUSES), ("order", sort, SORTS)):
        if value and value not in known:
            remedy = nearest(value, known) or f"use one of {', '.join(known)}"
            raise QueryError(f"unknown {what} {value!r}", remedy=remedy)
    kinds = kinds_called(kind, view.kinds)
    speakers = _find_speakers(view, which, year, topic)
    conditions = "" if speakers is None else _OF_SPEAKERS
    conditions += _OF_REPOSITORY if repo else ""
    conditions += " AND coalesce(nullif(status, ''), 'unknown') = :status" if status else ""
    values = {"kinds": json.dumps(kinds), "speakers": json.dumps(speakers), "repo": repo.lower(), "status": status}
    names = ("n", "id", "kind", "title", "date", "number", "podcast", "url", "duration", "uncertain", "count")
    listed = [Row(zip(names, row)) for row in view.rows(f"{_LISTED} {conditions} ORDER BY n", values)]  # noqa: B905 - fast
    for row in listed:
        row["uncertain"] = json.loads(row["uncertain"]) if row["uncertain"] else ()
        if row["kind"] == "podcast":
            row.update(_count_episodes(view, row))
    order = sort or ("date" if set(kinds) <= {"episode"} else "count")
    listed = newest_first(listed, view) if order == "date" else sorted(listed, key=_SORT_KEYS[order])
    shown = (listed[::-1] if which.reverse else listed)[: which.limit or None]
    read = partial(_read_rows, view)
    columns = _COLUMNS.get(kinds[0]) if len(kinds) == 1 else None
    rows = read(shown) if {"podcast", "person"} & {*kinds} or status else LazyRows(shown, read)
    columns = columns or (("status", *_SHORT, "current_url") if status else _SHORT)
    notes = () if shown else (f"the graph has no {kind} of this selection; `podgraph stats` counts what it has",)
    return Answer("list", kind, columns, rows, len(listed), notes=notes)


_SHORT = ("count", "kind", "title", "url", "id")
_COLUMNS = {
    "episode": ("date", "number", "title", "duration", "url", "id"),
    "podcast": ("count", "title", "first", "last", "url", "id"),
    "person": ("count", "title", "role", "url", "id"),
}
# The rows to sort are sorted by id.
_SORT_KEYS: dict[str, Any] = {
    "count": lambda row: -row["count"],
    "title": lambda row: row["title"].casefold(),
    "number": lambda row: (row.number is None, row.number if is_number(row.number) else 0),
    "id": lambda row: row["id"],
}


def _read_rows(view: View, listed: Sequence[Row]) -> list[Row]:
    """Return the rows of nodes with all their attributes."""
    rows = []
    for row, (id_, node) in zip(listed, view.read(row["n"] for row in listed), strict=True):
        role = _find_role(view, row["n"]) if row["kind"] == "person" else ""
        rows.append(build_row(id_, node, count=row["count"], role=role, first=row.get("first"), last=row.get("last")))
    return rows


def _count_episodes(view: View, podcast: Row) -> dict[str, object]:
    """Return the number of a podcast's episodes and their first and last day.

    A podcast without episodes in the graph is cited by others: then the count stays and the days are theirs.
    """
    days = (
        "SELECT count(*), substr(min(nullif(date, '')), 1, 10), substr(max(date), 1, 10) FROM nodes WHERE n IN "
        "(SELECT source FROM edges WHERE target = ? AND relation IN {})"
    )
    count, first, last = next(view.rows(days.format("('part_of')"), (podcast["n"],)))
    if not count:
        _, first, last = next(view.rows(days.format(in_list(CITING)), (podcast["n"],)))
    return {"count": count or podcast["count"], "first": first, "last": last}


def _find_role(view: View, person: int) -> str:
    """Return a person's strongest role in an episode, "" without one."""
    query = "SELECT attributes ->> 'role' FROM edges WHERE target = ? AND relation = 'mentions'"
    roles = {role for (role,) in view.rows(query, (person,))}
    return next((role for role in ROLES if role in roles), "")


def find_selected(view: View, which: Which) -> set[str] | None:
    """Return the ids of the selected episodes and posts and of the nodes they name; ``None`` for all."""
    speakers = _find_speakers(view, which)
    if speakers is None:
        return None
    query = f"SELECT id FROM nodes WHERE n IN (SELECT value FROM json_each(:speakers) UNION {_NAMED_BY_SPEAKERS})"  # noqa: S608 - constants
    return {id_ for (id_,) in view.rows(query, {"speakers": json.dumps(speakers)})}


def _find_speakers(view: View, which: Which, year: int = 0, topic: str = "") -> list[int] | None:
    """Return the numbers of the selected episodes and posts, ``None`` for all."""
    podcast = which.podcast_id(view)
    first, last = span_of_days(which.since, which.until)
    about = topic_called(topic, view) if topic else ""
    if not (podcast or which.since or which.until or about or year):
        return None
    query = (
        f"SELECT n FROM nodes WHERE kind IN {in_list(SOURCES)} AND {WAS_READ} "  # noqa: S608 - constants
        "AND (:podcast = '' OR podcast = :podcast) AND (:year = 0 OR substr(date, 1, 4) = :year) "
        "AND coalesce(substr(date, 1, 10), '') BETWEEN :first AND :last "
        "AND (:about = '' OR n IN (SELECT source FROM edges WHERE target = (SELECT n FROM nodes WHERE id = :about)))"
    )
    values = {"podcast": podcast, "first": first, "last": last, "about": about, "year": f"{year:04}" if year else 0}
    return [n for (n,) in view.rows(query, values)]
