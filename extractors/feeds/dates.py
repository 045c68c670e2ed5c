"""Dates and durations as feeds write them."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from pathlib import Path
from typing import Any

# The hours of each zone, and for each language the numbers of its months.
_WORDS: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("date_words.json").read_text(encoding="utf-8"))
_WEEKDAY = r"(?:[^\W\d]+[., ]+)?"
# The ways to write a day. With dots the day comes first everywhere, except behind the year. With strokes, only a number
# above 12 shows the day.
_DAYS = [
    re.compile(pattern)
    for pattern in (
        r"(?P<year>\d{4})(?P<sign>[-./]?)(?P<month>(?(sign)\d{1,2}|\d\d))(?P=sign)(?P<day>(?(sign)\d{1,2}|\d\d))(?!\d)",
        r"(?P<year>\d{4}) ?[年년] ?(?P<month>\d{1,2}) ?[月월] ?(?P<day>\d{1,2}) ?[日일](?: ?[^\d ]+)?",
        _WEEKDAY + r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\. ?(?P<year>\d{4})(?![\d.])",
        _WEEKDAY + r"(?P<day>1[3-9]|[23]\d)([-/])(?P<month>\d{1,2})\2(?P<year>\d{4})(?!\d)",
        _WEEKDAY + r"(?P<month>\d{1,2})([-/])(?P<day>1[3-9]|[23]\d)\2(?P<year>\d{4})(?!\d)",
        _WEEKDAY
        + r"(?P<day>\d\d?)\.?(?: de)?[ -](?P<month>[^\W\d]+|\d+(?=月))月?[.,]*(?: de)?[ -](?P<year>\d{4}|\d\d)(?!\d)",
        _WEEKDAY + r"(?P<month>[^\W\d]+)\.? (?P<day>\d{1,2}),? (?P<year>\d{4})(?!\d)",
    )
]
# asctime(3): the year is at the end.
_ASCTIME = re.compile(r"(?:\w+ )?(\w+) (\d{1,2}) (\d\d:\d\d(?::\d\d)?(?: \w+)?) (\d{4})")
# The time behind a day, and its zone by name or by its offset.
_TIME = re.compile(
    r"(?: \u0433\.)?(?:[T ,]*(?P<hour>2[0-4]|[01]?\d):?(?P<minute>\d\d?)(?::?(?P<second>\d\d)(?:[.,]\d+)?)?)?"
    r"(?: ?(?P<half>[AP])\.?M\.?)? ?(?:\(?(?P<name>[A-Z][^ +-]*)[^ ]*?)?(?: ?(?P<sign>[+-])(?P<hours>\d{1,2}):?"
    r"(?P<minutes>\d\d)?)?(?: ?\(.*)?",
    re.IGNORECASE | re.ASCII,
)
# Durations with hours, minutes and seconds: 1:02:03 and 62:03; 3723, 3723.5 and 3723 s; PT1H2M3S, 1 h 2 min, 62 min.
_DURATION = re.compile(
    r"(?:(?P<h1>\d{1,3}):)?(?P<m1>\d{1,4}):(?P<s1>[0-5]?\d)(?:[.,]\d*)?|(?P<s2>\d{1,7})(?:[.,]\d*)?(?:\s*s[econds]*)?|"
    r"(?:pt)?\s*(?:(?P<h2>\d{1,3})\s*h[ours]*[\s,]*)?(?:(?P<m2>\d{1,4})\s*m[inutes]*[\s,]*)?"
    r"(?:(?P<s3>\d{1,6})(?:\.\d*)?\s*s[econds]*)?"
)


def parse_date(text: str, language: str = "") -> datetime | None:
    """Return the moment that a date in a feed names, with its own time zone; ``None`` for other texts.

    Understood are RFC 822, ISO 8601, asctime, days with dots or strokes, and East Asian dates. A missing zone,
    ``-0000`` and unknown zone names count as UTC. A year before 1900 or after 9998 gives ``None``.

    Args:
        text: the date, with or without a time
        language: the feed's language, such as ``de``: a month's name is looked up there first; "": unknown

    >>> parse_date("Sun, 4 Aug 2024 01:47:46 -0700").isoformat(), parse_date("2. Dez 2015").isoformat()
    ('2024-08-04T01:47:46-07:00', '2015-12-02T00:00:00+00:00')
    >>> parse_date("soon") is None
    True
    """
    text = _ASCTIME.sub(r"\2 \1 \4 \3", " ".join(text[:200].split()))
    day = next(filter(None, (pattern.match(text) for pattern in _DAYS)), None)
    time = _TIME.fullmatch(text, day.end()) if day else None
    if not day or not time:
        return None
    month = int(day["month"]) if day["month"].isdecimal() else _find_month(day["month"], language)
    # Two digits are a year from 1969 to 2068, as in POSIX; four digits get nothing added, because False counts as 0.
    year = int(day["year"]) + (len(day["year"]) == 2) * (1900 if day["year"] > "68" else 2000)
    hour, minute, second = (int(time[name] or 0) for name in ("hour", "minute", "second"))
    if time["half"]:
        hour = hour % 12 + 12 * (time["half"] in "pP")  # 12 AM is 0, 12 PM is 12
    # In minutes east of UTC.
    offset = 60 * _WORDS["zones"].get((time["name"] or "").lower().rstrip(")"), 0)
    if time["sign"]:
        offset = int(f"{time['sign']}1") * (60 * int(time["hours"]) + int(time["minutes"] or 0))
    try:  # the hour may be 24, which datetime does not allow, nor the leap second 60
        zone = timezone(timedelta(minutes=offset)) if offset else UTC
        moment = datetime(year, month, int(day["day"]), 0, minute, min(second, 59), tzinfo=zone) + timedelta(hours=hour)
    except ValueError:
        return None
    return moment if 1900 <= year <= 9998 else None


@lru_cache(1024)  # a feed names each month many times
def _find_month(name: str, language: str) -> int:
    """Return the number of a month (1 to 12) by its name or its first letters, 0 if none or several months fit.

    ``language`` such as ``de-AT`` is looked up first, then English, then all languages.
    """
    name, table = name.casefold().removeprefix("\u05d1"), _WORDS["months"]  # Hebrew writes ב, "in", before a month
    own = table.get(language.lower().partition("-")[0], {}).get(name) or table["en"].get(name)
    numbers = {number for months in table.values() for month, number in months.items() if month.startswith(name)}
    # All languages together, if they agree.
    return own or (numbers.pop() if len(numbers) == 1 else 0)


def parse_clock(text: str) -> int | None:
    """Return the whole seconds of a duration or of a moment in a recording; ``None`` for other texts.

    The forms are ``HH:MM:SS``, ``MM:SS``, plain seconds, ``PT1H2M`` and ``1 h 2 min``. Fractions are dropped. More than
    a week gives ``None``.

    >>> [parse_clock(text) for text in ("00:16:33", "16:33", "993", "PT16M33S", "long")]
    [993, 993, 993, 993, None]
    """
    match = _DURATION.fullmatch(text.strip().lower()[:40])
    if not match or not match[0]:
        return None
    parts = match.groupdict(default=0).items()
    # The first letter of a group's name is its unit: h1, m2.
    total = sum({"h": 3600, "m": 60, "s": 1}[name[0]] * int(digits) for name, digits in parts)
    return total if total <= 7 * 24 * 3600 else None
