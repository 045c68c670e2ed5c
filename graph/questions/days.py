"""Days: spans of them, as questions name them, and the order of episodes and posts by their days, known or inferred."""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING

from podgraph.extractors import QueryError

from ..store import title_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date
    from typing import TypeGuard, TypeVar

    from .view import Node, View

    Day = str | date  # 2024, 2024-03, 2024-03-09; "" for none
    Series = tuple[object, object]  # podcast, season

    _AnyNode = TypeVar("_AnyNode", bound=Node)


def span_of_days(since: Day, until: Day) -> tuple[date | None, date | None]:
    """Return the first and the last day of a span, ``None`` for an open end.

    Raises ``QueryError`` for an invalid date, and for a span ending before it begins.

    >>> [str(day) for until in ("2023", "2023-12", "2024-02") for day in span_of_days("2023-11", until)]
    ['2023-11-01', '2023-12-31', '2023-11-01', '2023-12-31', '2023-11-01', '2024-02-29']
    """
    first, last = _day(since, last=False), _day(until, last=True)
    if first and last and first > last:
        raise QueryError(f"until {until} is before since {since}", remedy="exchange them")
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
        name = "until" if last else "since"
        raise QueryError(f"invalid date {given!r} for {name}", remedy="use 2024, 2024-03 or 2024-03-09") from None


def newest_first(items: Iterable[_AnyNode], view: View) -> list[_AnyNode]:
    """Sort the nodes of an answer: the latest date first, undated ones last.

    An undated episode takes its position from its number in ``view`` (``inferred_days``). Nodes with one date, or
    without a date, are sorted by number, the highest first, then by title.
    """
    found = list(items)
    guessing = any("date" not in item.attributes and "number" in item.attributes for item in found)
    shows = dict.fromkeys(str(item.attributes.get("podcast", "")) for item in found) if guessing else ()
    days = inferred_days(episode for show in shows for episode in view.keyed("podcast", show))

    def place(item: _AnyNode) -> tuple[float, str, str]:
        number = item.attributes.get("number")
        return -number if _is_number(number) else float("inf"), title_of(item.attributes).casefold(), item.id

    found.sort(key=place)
    found.sort(key=lambda item: str(item.attributes.get("date") or days.get(item.id, ""))[:10], reverse=True)
    return found


def inferred_days(episodes: Iterable[tuple[str, Mapping[str, object]]]) -> dict[str, str]:
    """Return a day for each undated episode with a number, only for sorting.

    ``episodes`` are (id, attributes). The day is taken from the dated episode of the same podcast and season with the
    nearest lower number, or else with the nearest higher one. Of one day, the number decides.
    """
    dated: dict[Series, list[tuple[float, str]]] = {}
    undated: list[tuple[str, float, Series]] = []
    for id_, node in episodes:
        number, series = node.get("number"), (node.get("podcast"), node.get("season"))
        if not _is_number(number):
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


def _is_number(value: object) -> TypeGuard[float]:
    """Return whether a saved graph has a number where one belongs; other programs write words there too."""
    return isinstance(value, int | float)
