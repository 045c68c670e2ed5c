"""The dates of nodes as dates and moments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime

# The day at the beginning of an ISO date, which may have a time.
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?=T|\Z)")


def parse_day(value: object) -> date | None:
    """Return the day of an ISO date, with or without a time, in its own time zone; ``None`` for other values.

    >>> parse_day("2024-08-04T23:47:46-07:00").isoformat()
    '2024-08-04'
    >>> parse_day("last summer") is None
    True
    """
    match = _DAY.match(value) if isinstance(value, str) else None
    try:
        return date.fromisoformat(match[0]) if match else None
    except ValueError:
        return None


def parse_moment(value: object) -> datetime | None:
    """Return the moment, in UTC, of an ISO date with time and time zone; ``None`` for other values.

    >>> parse_moment("2024-08-04T23:47:46-07:00").isoformat()
    '2024-08-05T06:47:46+00:00'
    """
    if not isinstance(value, str) or "T" not in value:
        return None
    try:
        moment = datetime.fromisoformat(value)
        return moment.astimezone(UTC) if moment.tzinfo else None
    except (ValueError, OverflowError):
        return None


def sort_newest_first(episodes: Mapping[str, Mapping[str, object]]) -> list[str]:
    """Return the ids of ``episodes`` (and posts), the newest first.

    ``episodes`` are {id: attributes}; an invalid date or number counts as absent. An undated episode comes beside those
    with the nearest numbers; one without a number comes last.
    """
    from podgraph.graph import infer_days  # noqa: PLC0415 - two of the formats list episodes

    facts: dict[str, dict[str, object]] = {}
    for id_, attributes in episodes.items():
        day, number = parse_day(attributes.get("date")), attributes.get("number")
        facts[id_] = {name: value for name, value in attributes.items() if name in {"podcast", "season"}}
        facts[id_] |= {"number": number} if type(number) is int else {}
        facts[id_] |= {"date": day.isoformat()} if day else {}
    days = infer_days(facts.items())
    # An episode without a number (-1) comes behind those of its day.
    places = {id_: (str(fact.get("date") or days.get(id_, "")), fact.get("number", -1)) for id_, fact in facts.items()}
    return sorted(sorted(facts), key=places.__getitem__, reverse=True)
