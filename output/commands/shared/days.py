"""The options that name a span of days, the same for every command that takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.extractors import QueryError

if TYPE_CHECKING:
    import argparse
    from datetime import date


def add_day_arguments(group: argparse._ActionsContainer, what: str) -> None:
    """Add ``--since`` and ``--until`` to a command; they keep ``what`` is of these days."""
    group.add_argument("--since", default="", metavar="DATE", help=f"only {what} from this day, month or year on")
    group.add_argument("--until", default="", metavar="DATE", help=f"only {what} up to this day, month or year")


def days_asked(arguments: argparse.Namespace) -> tuple[date | None, date | None]:
    """Return the first and the last day that the options name; ``QueryError`` for what is no day, or ends too early."""
    since, until = _day(arguments.since, last=False), _day(arguments.until, last=True)
    if since and until and since > until:
        raise QueryError(f"--until {arguments.until} is before --since {arguments.since}", remedy="exchange them")
    return since, until


def _day(text: str, *, last: bool) -> date | None:
    """Read ``2024``, ``2024-03`` or ``2024-03-09``; of a year or a month the first or the ``last`` day."""
    if not text:
        return None
    from datetime import date  # noqa: PLC0415 - few questions name a day

    parts = text.split("-")
    try:
        if len(parts) == 1:
            return date(int(text), 12, 31) if last else date(int(text), 1, 1)
        if len(parts) == 2:
            year, month = map(int, parts)
            following = date(year + month // 12, month % 12 + 1, 1)
            return date.fromordinal(following.toordinal() - 1) if last else date(year, month, 1)
        return date.fromisoformat(text)
    except (ValueError, OverflowError):
        raise QueryError(f"{text!r} is no day", remedy="write 2024, 2024-03 or 2024-03-09") from None
