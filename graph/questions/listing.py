"""The question ``list``: the nodes of a kind, selected and sorted."""

from __future__ import annotations

import json
from typing import Any

from podgraph.extractors import QueryError, nearest

from ..kinds import KINDS, ROLES, SOURCES, Kinds
from .answer import Answer, LazyRows, Row
from .days import ALL, Selection, is_number, newest_first, parse_period
from .resolve import find_known_topic
from .stats import STATUSES
from .view import CITING, TABLE, WAS_READ, View, in_list

# Names for kinds that `podgraph list` takes, such as "pulls": name -> kinds.
LISTS = KINDS.list_words()
SORTS = ("date", "title", "number", "id", "count")

_IS_CITATION = f"relation IN {in_list(CITING)} AND boilerplate IS NULL"
# The nodes of some kinds, without those that only boilerplate names. `count` is the number of episodes and posts naming
# a node; for an episode or post that was read, it is the number of nodes it names. `role` is a person's strongest role.
_LIST_QUERY = f"""
SELECT {TABLE}, CASE WHEN read
    THEN (SELECT count(DISTINCT target) FROM edges WHERE source = n AND {_IS_CITATION})
    ELSE (SELECT count(DISTINCT source) FROM edges WHERE target = n AND {_IS_CITATION})
  END AS count,
  CASE kind WHEN 'person' THEN (
    SELECT value FROM json_each('{json.dumps([*ROLES])}') roles WHERE value IN (
      SELECT attributes ->> 'role' FROM edges WHERE target = n AND relation = 'mentions'
    ) ORDER BY roles.key LIMIT 1
  ) END AS role
FROM (SELECT *, kind IN {in_list(SOURCES)} AND {WAS_READ} AS read FROM nodes
  WHERE kind IN (SELECT value FROM json_each(:kinds)))
WHERE (NOT EXISTS (SELECT 1 FROM edges WHERE target = n AND boilerplate) OR read OR count
  OR EXISTS (SELECT 1 FROM edges WHERE target = n AND boilerplate IS NULL))
"""  # noqa: S608 - constants
_NAMED_BY_SOURCES = f"""
SELECT target FROM edges WHERE source IN (SELECT value FROM json_each(:sources))
  AND relation IN {in_list((*CITING, "part_of"))} AND boilerplate IS NULL
"""  # noqa: S608 - constants
_IS_OF_SOURCES = f"""
AND CASE WHEN read THEN n IN (SELECT value FROM json_each(:sources)) ELSE n IN ({_NAMED_BY_SOURCES}) END
"""  # noqa: S608 - constants
_IS_OF_REPOSITORY = f"""
AND (repo = :repo OR n IN (SELECT source FROM edges WHERE {_IS_CITATION}
  AND target IN (SELECT n FROM keys WHERE field = 'repo' AND key = :repo)))
"""  # noqa: S608 - constants


def find_kinds_called(name: str, kinds: Kinds = KINDS) -> tuple[str, ...]:
    """Return the kinds that a word for a list means: ``pulls``, ``pull`` or a group such as ``artifacts``.

    ``kinds`` is the table of the graph's kinds. Raises ``QueryError`` for an unknown ``name``.
    """
    matches = kinds.find(name)
    if not matches:
        names = sorted(kinds.list_words())
        raise QueryError(f"unknown kind {name!r}", remedy=nearest(name, names) or f"use one of {', '.join(names)}")
    return matches


def list_nodes(
    view: View,
    kind: str,
    *,
    selection: Selection = ALL,
    topic: str = "",
    repo: str = "",
    year: int = 0,
    status: str = "",
    sort: str = "",
) -> Answer:
    """Answer with the nodes of a kind, each with the number of episodes and posts that name it.

    ``kind`` is a name of kinds, such as ``pulls``. ``selection``, ``year`` (0: any) and ``topic`` (a name; "": any)
    select episodes: all conditions must hold. Other nodes stay if a selected episode names them. ``repo`` (owner/name;
    "": any) keeps the artifacts in a repository and the episodes naming one of these. ``status`` keeps the links of one
    state (one of ``STATUSES``; "": all). ``sort`` is one of ``SORTS``; "" sorts episodes by date, the newest first, and
    other nodes by count. Boilerplate (links that a show repeats in its notes) does not count. Raises ``QueryError`` for
    an unknown kind, date, status or order, ``NotFoundError`` for an unknown topic or podcast.
    """
    for what, value, choices in (("status", status, STATUSES), ("order", sort, SORTS)):
        if value and value not in choices:
            remedy = nearest(value, choices) or f"use one of {', '.join(choices)}"
            raise QueryError(f"unknown {what} {value!r}", remedy=remedy)
    kinds = find_kinds_called(kind, view.kinds)
    sources = _find_selected_sources(view, selection, year, topic)
    conditions = "" if sources is None else _IS_OF_SOURCES
    conditions += _IS_OF_REPOSITORY if repo else ""
    conditions += " AND coalesce(nullif(status, ''), 'unknown') = :status" if status else ""
    values = {"kinds": json.dumps(kinds), "sources": json.dumps(sources), "repo": repo.lower(), "status": status}
    rows = view.read_table(f"{_LIST_QUERY} {conditions} ORDER BY n", values, "count", "role")
    for row in rows:
        if row.kind == "podcast":
            _fill_episode_counts(view, row)
    order = sort or ("date" if set(kinds) <= {"episode"} else "count")
    rows = newest_first(rows, view) if order == "date" else sorted(rows, key=_SORT_KEYS[order])
    table = (rows[::-1] if selection.reverse else rows)[: selection.limit or None]
    columns = _COLUMNS.get(kinds[0]) if len(kinds) == 1 else None
    columns = columns or (("status", *_COLUMNS_OF_OTHERS, "current_url") if status else _COLUMNS_OF_OTHERS)
    notes = () if table else (f"the graph has no {kind} of this selection; `podgraph stats` counts what it has",)
    # A table of states needs attributes that the short rows lack.
    lazy_rows = view.read_rows(table) if status else LazyRows(table, view.read_rows)
    return Answer("list", kind, columns, lazy_rows, len(rows), notes=notes)


_COLUMNS_OF_OTHERS = ("count", "kind", "title", "url", "id")
_COLUMNS = {  # of a list with a single kind
    "episode": ("date", "number", "title", "duration", "url", "id"),
    "podcast": ("count", "title", "first", "last", "url", "id"),
    "person": ("count", "title", "role", "url", "id"),
}
# The rows come sorted by id, and sorting is stable: equal rows stay in the order of their ids.
_SORT_KEYS: dict[str, Any] = {
    "count": lambda row: -row["count"],
    "title": lambda row: (row.title or "").casefold(),
    "number": lambda row: (row.number is None, row.number if is_number(row.number) else 0),
    "id": lambda row: row["id"],
}


def _fill_episode_counts(view: View, podcast: Row) -> None:
    """Set ``count``, ``first`` and ``last`` of a podcast's row: the number, first and last day of its episodes.

    For a podcast without episodes in the graph, the count stays, and the days are those of the episodes citing it.
    """
    query = (
        "SELECT count(*), substr(min(nullif(date, '')), 1, 10), substr(max(date), 1, 10) FROM nodes WHERE n IN "
        "(SELECT source FROM edges WHERE target = ? AND relation IN {})"
    )
    count, *days = next(view.rows(query.format("('part_of')"), (podcast["n"],)))
    if not count:
        _, *days = next(view.rows(query.format(in_list(CITING)), (podcast["n"],)))
    podcast.update(count=count or podcast["count"], first=days[0], last=days[1])


def find_selected_ids(view: View, selection: Selection) -> set[str] | None:
    """Return the ids of the episodes and posts in a selection, and of the nodes that these name.

    ``None`` means that everything is selected.
    """
    sources = _find_selected_sources(view, selection)
    if sources is None:
        return None
    query = f"SELECT id FROM nodes WHERE n IN (SELECT value FROM json_each(:sources) UNION {_NAMED_BY_SOURCES})"  # noqa: S608 - constants
    return {id_ for (id_,) in view.rows(query, {"sources": json.dumps(sources)})}


def _find_selected_sources(view: View, selection: Selection, year: int = 0, topic: str = "") -> list[int] | None:
    """Return the numbers of the episodes and posts in a selection; ``None`` if it has no condition: all are in it.

    ``year`` 0 and ``topic`` "" are no condition; ``topic`` is a name, and selects the episodes about it.
    """
    podcast = selection.podcast_id(view)
    first, last = parse_period(selection.since, selection.until)
    about = find_known_topic(topic, view) if topic else ""
    if not (podcast or selection.since or selection.until or about or year):
        return None
    query = (
        f"SELECT n FROM nodes WHERE kind IN {in_list(SOURCES)} AND {WAS_READ} "  # noqa: S608 - constants
        "AND (:podcast = '' OR podcast = :podcast) AND (:year = 0 OR substr(date, 1, 4) = :year) "
        "AND coalesce(substr(date, 1, 10), '') BETWEEN :first AND :last "
        "AND (:about = '' OR n IN (SELECT source FROM edges WHERE target = (SELECT n FROM nodes WHERE id = :about)))"
    )
    values = {"podcast": podcast, "first": first, "last": last, "about": about, "year": f"{year:04}" if year else 0}
    return [n for (n,) in view.rows(query, values)]
