"""Days: spans of them, as questions name them, and the order of episodes and posts by their days, known or inferred."""

from __future__ import annotations

import re
from bisect import bisect
from typing import TYPE_CHECKING

from podgraph.extractors import QueryError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeGuard

    from .answer import Row
    from .view import View

    Series = tuple[object, object]  # podcast, season


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
    found = list(rows)
    shows = {row.get("podcast", "") for row in found if not row.get("date") and row.get("number") is not None}
    days = {id_: day for show in shows for id_, day in days_of_podcast(show, view).items()}

    def place(row: Row) -> tuple[float, str, str]:
        number = row.get("number")
        return -number if is_number(number) else float("inf"), row["title"].casefold(), row["id"]

    found.sort(key=place)
    found.sort(key=lambda row: (row.get("date") or days.get(row["id"], ""))[:10], reverse=True)
    return found


def days_of_podcast(podcast: str, view: View) -> dict[str, str]:
    """Return a day for each undated episode of a podcast with a number; see ``inferred_days``."""
    query = (
        "SELECT id, season, number, date FROM nodes WHERE kind = 'episode' AND number IS NOT NULL "
        "AND n IN (SELECT n FROM keys WHERE field = 'podcast' AND key = ?)"
    )
    rows = view.rows(query, (podcast,))
    return inferred_days(
        (id_, dict(season=season, number=number, **({"date": date} if date is not None else {})))
        for id_, season, number, date in rows
    )


def inferred_days(episodes: Iterable[tuple[str, Mapping[str, object]]]) -> dict[str, str]:
    """Return a day for each undated episode with a number, only for sorting.

    ``episodes`` are (id, attributes). The day is taken from the dated episode of the same podcast and season with the
    nearest lower number, or else with the nearest higher one. Of one day, the number decides.
    """
    dated: dict[Series, list[tuple[float, str]]] = {}
    undated: list[tuple[str, float, Series]] = []
    for id_, node in episodes:
        number, series = node.get("number"), (node.get("podcast"), node.get("season"))
        if not is_number(number):
            continue
        if "date" in node:
            dated.setdefault(series, []).append((number, str(node["date"])[:10]))
        else:
            undated.append((id_, number, series))
    for days in dated.values():
        days.sort()
    return {
        id_: dated[series][max(0, bisect(dated[series], number, key=lambda day: day[0]) - 1)][1]
        for id_, number, series in undated
        if series in dated
    }


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a saved graph has a number where one belongs; other programs write words there too."""
    return isinstance(value, int | float)
