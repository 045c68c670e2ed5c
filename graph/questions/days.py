"""Selections of an answer's episodes by podcast, day and number, and their order by days, known or inferred."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from podgraph.extractors import QueryError

from .resolve import podcast_called

if TYPE_CHECKING:
    from .answer import Row
    from .view import View


class Which(NamedTuple):
    """A selection of an answer's episodes: by podcast, by date, by number.

    ``podcast`` is a name for ``podcast_called``, ``since`` and ``until`` are for ``span_of_days``. ``reverse`` puts the
    last first, before ``limit`` (0: no limit) applies.
    """

    podcast: str = ""
    since: str = ""
    until: str = ""
    reverse: bool = False
    limit: int = 0

    def of(self, rows: Iterable[Row], view: View) -> tuple[list[Row], int]:
        """Return the selected episodes of an answer, and their number before ``limit``; undated ones match no date.

        Raises ``QueryError`` for an invalid date, ``NotFoundError`` for an unknown podcast.
        """
        podcast = self.podcast_id(view)
        first, last = span_of_days(self.since, self.until)
        rows = [row for row in rows if first <= row.get("date", "") <= last and podcast in ("", row.get("podcast"))]
        return (rows[::-1] if self.reverse else rows)[: self.limit or None], len(rows)

    def podcast_id(self, view: View) -> str:
        """Return the id of the selected podcast, "" for all."""
        return podcast_called(self.podcast, view) if self.podcast else ""


ALL = Which()


def span_of_days(since: str, until: str) -> tuple[str, str]:
    """Return the texts between which the days of a span are, both included, as texts sort; ("", "~") for any day.

    ``since`` and ``until`` are ``2024``, ``2024-03``, ``2024-03-09`` or "". Raises ``QueryError`` for an invalid date,
    and for a span ending before it begins.

    >>> span_of_days("2023-11", "2024"), span_of_days("", "2024")
    (('2023-11', '2024~'), ('0', '2024~'))
    """
    for name, day in (("since", since), ("until", until)):
        if day and not _is_date(day):
            raise QueryError(f"invalid date {day!r} for {name}", remedy="use 2024, 2024-03 or 2024-03-09")
    first, last = since or ("0" if until else ""), f"{until}~"
    if first > last:
        raise QueryError(f"until {until} is before since {since}", remedy="exchange them")
    return first, last


def _is_date(text: str) -> bool:
    from datetime import date  # noqa: PLC0415 - few questions name a day

    try:
        date.fromisoformat(text + "-01-01"[len(text) - 4 :])
    except ValueError:
        return False
    return re.fullmatch(r"\d{4}(-\d\d){0,2}", text, re.ASCII) is not None


def newest_first(rows: Iterable[Row], view: View) -> list[Row]:
    """Sort the rows of an answer: the latest date first, undated ones last.

    An undated episode takes its position from its number in ``view`` (``inferred_days``). Nodes with one date, or
    without a date, are sorted by number, the highest first, then by title.
    """
    rows = list(rows)
    shows = {row.get("podcast", "") for row in rows if not row.get("date") and row.get("number") is not None}
    days = {id_: day for show in shows for id_, day in days_of_podcast(show, view).items()}

    def place(row: Row) -> tuple[float, str, str]:
        number = row.get("number")
        return -number if is_number(number) else float("inf"), row["title"].casefold(), row["id"]

    rows.sort(key=place)
    rows.sort(key=lambda row: (row.get("date") or days.get(row["id"], ""))[:10], reverse=True)
    return rows


def days_of_podcast(podcast: str, view: View) -> dict[str, str]:
    """Return a day for each undated episode of a podcast with a number; see ``inferred_days``."""
    query = (
        "SELECT id, season, number, date FROM nodes WHERE kind = 'episode' AND number IS NOT NULL "
        "AND n IN (SELECT n FROM keys WHERE field = 'podcast' AND key = ?)"
    )
    rows = view.rows(query, (podcast,))
    return inferred_days(
        (id_, {"season": season, "number": number, "date": date}) for id_, season, number, date in rows
    )


def inferred_days(episodes: Iterable[tuple[str, Mapping[str, object]]]) -> dict[str, str]:
    """Return a day for each undated episode with a number, only for sorting.

    ``episodes`` are (id, attributes). The day is taken from the dated episode of the same podcast and season with the
    nearest lower number, or else with the nearest higher one. Of one day, the number decides.
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
    return {
        id_: days[series][max(0, bisect(days[series], number, key=lambda day: day[0]) - 1)][1]
        for id_, number, series in undated_episodes
        if series in days
    }


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a saved graph has a number where one belongs; other programs write words there too."""
    return isinstance(value, int | float)
