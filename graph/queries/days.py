"""Spans of days, as questions name them: by a day, a month or a year."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.extractors import QueryError

if TYPE_CHECKING:
    from datetime import date

    Day = str | date  # 2024, 2024-03, 2024-03-09; "" for none


def span_of_days(since: Day, until: Day) -> tuple[date | None, date | None]:
    """Return the first and the last day of a span, ``None`` where it is open.

    Raises ``QueryError`` for what is no day, and for a span that ends before it begins.

    >>> [str(day) for until in ("2023", "2023-12", "2024-02") for day in span_of_days("2023-11", until)]
    ['2023-11-01', '2023-12-31', '2023-11-01', '2023-12-31', '2023-11-01', '2024-02-29']
    """
    first, last = _day(since, last=False), _day(until, last=True)
    if first and last and first > last:
        raise QueryError(f"--until {until} is before --since {since}", remedy="exchange them")
    return first, last


def _day(given: Day, *, last: bool) -> date | None:
    """Read ``2024``, ``2024-03`` or ``2024-03-09``; of a year or a month the first or the ``last`` day."""
    if not isinstance(given, str) or not given:
        return given or None
    from datetime import date  # noqa: PLC0415 - few questions name a day

    parts = given.split("-")
    try:
        if len(parts) == 1:
            return date(int(given), 12, 31) if last else date(int(given), 1, 1)
        if len(parts) == 2:
            year, month = map(int, parts)
            following = date(year + month // 12, month % 12 + 1, 1)
            return date.fromordinal(following.toordinal() - 1) if last else date(year, month, 1)
        return date.fromisoformat(given)
    except (ValueError, OverflowError):
        raise QueryError(f"{given!r} is no day", remedy="write 2024, 2024-03 or 2024-03-09") from None
