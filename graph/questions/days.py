"""Selecting and sorting the episodes of an answer by podcast, day and number.

An episode without a date is sorted by a day inferred from the episodes with the nearest numbers.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from podgraph.extractors import QueryError

from .resolve import find_known_podcast

if TYPE_CHECKING:
    from .answer import Row
    from .view import View


class Selection(NamedTuple):
    """A selection of an answer's episodes; the default selects all of them.

    ``podcast`` is the id or title of a podcast ("": all). ``since`` and ``until`` are the first and last day, month or
    year (``2024-03-09``, ``2024-03``, ``2024``; "": any). ``reverse`` puts the last first, before ``limit`` (the
    maximum number of episodes; 0: no limit) applies.
    """

    podcast: str = ""
    since: str = ""
    until: str = ""
    reverse: bool = False
    limit: int = 0

    def select(self, rows: Iterable[Row], view: View) -> tuple[list[Row], int]:
        """Return the selected ``rows`` of an answer, and their number before ``limit`` applies.

        Rows without a date are outside of any period. Raises ``QueryError`` for an invalid date, ``NotFoundError`` for
        an unknown podcast.
        """
        podcast = self.podcast_id(view)
        first, last = parse_period(self.since, self.until)
        rows = [row for row in rows if first <= row.get("date", "") <= last and podcast in ("", row.get("podcast"))]
        # A limit of 0 is none: a slice up to ``None`` has everything.
        return (rows[::-1] if self.reverse else rows)[: self.limit or None], len(rows)

    def podcast_id(self, view: View) -> str:
        """Return the node id of the selected podcast, "" for all podcasts."""
        return find_known_podcast(self.podcast, view) if self.podcast else ""


ALL = Selection()  # without any condition or limit


def parse_period(since: str, until: str) -> tuple[str, str]:
    """Return the first and last text of a period, for comparing with dates (YYYY-MM-DD) as texts, both included.

    ``since`` and ``until`` are ``2024``, ``2024-03``, ``2024-03-09``, or "" for no limit. Both empty give ("", "~"),
    which also include an absent date (""). Raises ``QueryError`` for an invalid date, and for a period ending before it
    begins.

    >>> parse_period("2023-11", "2024"), parse_period("", "2024")
    (('2023-11', '2024~'), ('0', '2024~'))
    """
    for name, day in (("since", since), ("until", until)):
        if day and not _is_date(day):
            raise QueryError(f"invalid date {day!r} for {name}", remedy="use 2024, 2024-03 or 2024-03-09")
    # "~" sorts behind digits and "-": "2024~" is behind all days of 2024. "0" is behind "", the date of undated nodes.
    first, last = since or ("0" if until else ""), f"{until}~"
    if first > last:
        raise QueryError(f"until {until} is before since {since}", remedy="exchange them")
    return first, last


def _is_date(text: str) -> bool:
    """Return whether a text is a year, a month or a day of the calendar.

    >>> [_is_date(text) for text in ("2024", "2024-03", "2024-03-09", "2024-13", "last year")]
    [True, True, True, False, False]
    """
    from datetime import date  # noqa: PLC0415 - few questions name a day

    try:
        # A year or month becomes its first day: "2024" gets "-01-01", "2024-03" gets "-01", a day gets "".
        date.fromisoformat(text + "-01-01"[len(text) - 4 :])
    except ValueError:
        return False
    return re.fullmatch(r"\d{4}(-\d\d){0,2}", text, re.ASCII) is not None


def newest_first(rows: Iterable[Row], view: View) -> list[Row]:
    """Return the ``rows`` of an answer, sorted by date: the latest first, rows without a date last.

    An undated episode with a number gets the place of its neighbours by number (``infer_days``). Rows of one day, and
    those without a day, are sorted by number, the highest first, then by title.
    """
    rows = list(rows)
    shows = {row.get("podcast", "") for row in rows if not row.get("date") and row.get("number") is not None}
    days = {id_: day for show in shows for id_, day in infer_days_of_podcast(show, view).items()}

    def place(row: Row) -> tuple[float, str, str]:
        """Return the sort key of a row among those of the same day: the highest number first, then by title."""
        number = row.get("number")
        return -number if is_number(number) else float("inf"), row["title"].casefold(), row["id"]

    rows.sort(key=place)
    rows.sort(key=lambda row: (row.get("date") or days.get(row["id"], ""))[:10], reverse=True)
    return rows


def infer_days_of_podcast(podcast: str, view: View) -> dict[str, str]:
    """Return {episode id: day} for each undated episode with a number of a podcast (a node id); see ``infer_days``."""
    query = (
        "SELECT id, season, number, date FROM nodes WHERE kind = 'episode' AND number IS NOT NULL "
        "AND n IN (SELECT n FROM keys WHERE field = 'podcast' AND key = ?)"
    )
    rows = view.rows(query, (podcast,))
    return infer_days((id_, {"season": season, "number": number, "date": date}) for id_, season, number, date in rows)


def infer_days(episodes: Iterable[tuple[str, Mapping[str, object]]]) -> dict[str, str]:
    """Return {episode id: day (YYYY-MM-DD)} for each undated episode with a number. The days are good only for sorting.

    ``episodes`` are (id, attributes). The day is that of the dated episode with the nearest lower number in the same
    podcast and season, else that of the nearest higher number. Episodes without such a neighbour are left out.
    """
    days: dict[object, list[tuple[float, str]]] = {}  # podcast and season -> number and day of each episode
    undated_episodes: list[tuple[str, float, object]] = []
    for id_, node in episodes:
        number, series = node.get("number"), (node.get("podcast"), node.get("season"))
        if is_number(number) and node.get("date") is not None:
            days.setdefault(series, []).append((number, str(node["date"])[:10]))
        elif is_number(number):
            undated_episodes.append((id_, number, series))
    for series_days in days.values():
        series_days.sort()
    return {  # bisect gives the place behind the nearest lower number; at place 0 there is only a higher one
        id_: days[series][max(0, bisect(days[series], number, key=lambda day: day[0]) - 1)][1]
        for id_, number, series in undated_episodes
        if series in days
    }


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value of a graph is a number. Graphs that other programs wrote may have text in its place."""
    return isinstance(value, int | float)
