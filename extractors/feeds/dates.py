"""Dates and durations as feeds write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz

# ISO 8601, with - or / or nothing between year, month and day.
_ISO = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:[ Tt].*)?)?|/\d\d/\d\d(?: .*)?|\d{4}(?:[Tt].*)?)?")
# The zone behind such a date.
_ISO_ZONE = re.compile(r"\s*(?:([Zz]|UTC|GMT)|([+-]\d\d):?(\d\d)?)$")
# Names beside those of RFC 822, each with one meaning wherever feeds are written (hours east of Greenwich).
_ZONES = {
    "wet": 0, "west": 1, "bst": 1, "cet": 1, "met": 1, "cest": 2, "mest": 2, "eet": 2, "eest": 3, "msk": 3,
    "jst": 9, "kst": 9, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13, "akst": -9, "akdt": -8, "hst": -10,
}  # fmt: skip
# Year, month and day, each with its word in Chinese, Japanese or Korean, and a time of day.
_EAST_ASIAN = re.compile(
    "(\\d{4}) ?[\u5e74\ub144] ?(\\d{1,2}) ?[\u6708\uc6d4] ?(\\d{1,2}) ?[\u65e5\uc77c] ?(\\d\\d:\\d\\d(?::\\d\\d)?)?"
)
# An offset written as GMT+2 or UTC-03:30.
_GREENWICH = re.compile(r" ?\b(?:GMT|UTC)([+-])(\d{1,2})(?::?(\d\d))?$")
# A year before 1000.
_YEAR_NOUGHT = re.compile(r"(?<![+\d-])0\d{3}\b")
# am or pm behind a time of day.
_HALF_OF_DAY = re.compile(r"\d ?([ap])\.?m\b", re.IGNORECASE)
# Durations, each with the groups hours, minutes, seconds: 1:02:03, 62:03.
_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,4}):([0-5]?\d)(?:[.,]\d*)?")
# 3723, 3723.5, 3723 s
_SECONDS = re.compile(r"()()(\d{1,7})(?:[.,]\d*)?(?:\s*s(?:ec(?:onds?)?)?)?")
# PT1H2M3S, 1 h 2 min, 62 minutes
_PERIOD = re.compile(
    r"(?:pt)?\s*(?:(\d{1,3})\s*h(?:ours?|rs?)?[\s,]*)?(?:(\d{1,4})\s*m(?:in(?:ute)?s?)?[\s,]*)?(?:(\d{1,6})(?:\.\d*)?\s*s(?:ec(?:ond)?s?)?)?"
)
_LONGEST = 7 * 24 * 3600


def parse_date(text: str) -> datetime | None:
    """Return the aware date of an RFC 822, ISO 8601 or East Asian text, with its own offset, or ``None``.

    No zone, ``-0000`` and names of no known meaning count as UTC; a year before 1900 or after 9998 is none.

    >>> parse_date("Sun, 4 Aug 2024 01:47:46 -0700").isoformat()
    '2024-08-04T01:47:46-07:00'
    >>> parse_date("2024-08-04T01:47Z").isoformat()
    '2024-08-04T01:47:00+00:00'
    >>> parse_date("soon") is None
    True
    """
    text = " ".join(text[:200].split())
    if match := _EAST_ASIAN.fullmatch(text):
        text = f"{match[1]}-{match[2]:0>2}-{match[3]:0>2} {match[4] or ''}".strip()
    date = _iso(text) if _ISO.fullmatch(text) else _rfc822(text)
    return date if date is not None and 1900 <= date.year <= 9998 else None


def parse_duration(text: str) -> int | None:
    """Return the seconds of ``HH:MM:SS``, ``MM:SS``, plain seconds, ``PT1H2M`` or ``1 h 2 min``, or ``None``.

    Nought is what hosts write when they don't know, and more than a week is no episode: both are ``None``.

    >>> [parse_duration(text) for text in ("00:16:33", "16:33", "993", "PT16M33S", "long", "00:00")]
    [993, 993, 993, 993, None, None]
    """
    text = text.strip().lower()[:40]
    for pattern in (_CLOCK, _SECONDS, _PERIOD):
        if match := pattern.fullmatch(text):
            hours, minutes, seconds = (int(part or 0) for part in match.groups())
            total = hours * 3600 + minutes * 60 + seconds
            return total if 0 < total <= _LONGEST else None
    return None


def _iso(text: str) -> datetime | None:
    """Read what RFC 3339 and W3C-DTF allow, which is a little more than ``fromisoformat`` takes."""
    text = text.replace("/", "-")
    if len(text) == 4:
        text += "-01-01"
    elif len(text) == 7:
        text += "-01"
    if len(text) > 10:
        text = _ISO_ZONE.sub(lambda match: "Z" if match[1] else f"{match[2]}:{match[3] or '00'}", text)
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _rfc822(text: str) -> datetime | None:
    text = _GREENWICH.sub(lambda match: f" {match[1]}{int(match[2]):02}{match[3] or '00'}", text)
    if _YEAR_NOUGHT.search(text):
        return None  # 0001 is how some programs write "no date"; email.utils would read 2001
    try:
        parts = parsedate_tz(text if ":" in text else f"{text} 00:00:00")
    except (ValueError, IndexError, TypeError, OverflowError):
        return None
    if parts is None:
        return None
    year, month, day, hour, minute, second = parts[:6]
    if half := _HALF_OF_DAY.search(text):
        hour = hour % 12 + 12 * (half[1] in "pP")
    try:
        # A leap second has no place in datetime.
        return datetime(year, month, day, hour, minute, 59 if second == 60 else second, tzinfo=_zone(parts[9], text))
    except (ValueError, OverflowError):
        return None


def _zone(offset: int | None, text: str) -> timezone:
    """Return the zone of so many seconds east of Greenwich, else of the name behind a date, else UTC."""
    seconds = offset or _ZONES.get(text.rpartition(" ")[2].strip("()").lower(), 0) * 3600
    return timezone(timedelta(seconds=seconds)) if seconds else UTC
