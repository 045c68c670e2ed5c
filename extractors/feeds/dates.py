"""Dates and durations as feeds write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz
from functools import cache
from pathlib import Path

# ISO 8601, with - or / or nothing between year, month and day; also a week and a day of it (2021-W31-1).
_ISO = re.compile(
    r"\d{4}(?:-\d\d(?:-\d\d(?:[ Tt].*)?)?|/\d\d/\d\d(?: .*)?|\d{4}(?:[Tt].*)?|-?[Ww]\d\d(?:-?[1-7](?:[Tt ].*)?)?)?",
    re.ASCII,
)
# Year, month and day with one digit, or with dots: 2021-8-5, 2021.08.05. The year first leaves no doubt.
_SHORT = re.compile(r"(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?!\d)")
# Day, month and year with dots: 31.10.2019. With them the day comes first everywhere.
_DOTS = re.compile(r"(?:[^\W\d]+\.?,? )?(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})(?![\d.])")
# Day, month and year, the month as a word of any language, a day of the week before it.
_WORDS = re.compile(r"(?:[^\W\d]+\.?,? ?)?(\d{1,2})\.?(?: de)?[ -]([^\W\d]+)\.?,?(?: de)?[ -](\d{4})(?!\d)")
# A leap second, unknown to datetime.
_LEAP = re.compile(r"(?<=:[0-5]\d:)60(?!\d)")
# A year, a month or a week, without a day.
_NO_DAY = re.compile(r"\d{4}(?:-\d\d|-?[Ww]\d\d)?")
# RFC 822, also with the month first, and asctime(3): 4 Aug 2024 01:47, Aug 4, 2024, Aug 4 01:47:46 2024.
_KNOWN = re.compile(
    r"(?:[a-z]{3,9}\.?,? ?)?(?:\d{1,2}[ -][a-z]{3,9}\.?,?[ -]\d{2,4}|[a-z]{3,9}\.? \d{1,2},? \d{4}|"
    r"[a-z]{3,9} \d{1,2} \d\d:\d\d(?::\d\d)?(?: [a-z]{1,5})? \d{4})"
    r"(?:,? \d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?)?(?: ?[ap]\.?m\.?)?(?: ?[+-]\d{1,2}(?::?\d\d)?)?(?: ?\(?[a-z][^ ]*)?",
    re.IGNORECASE,
)
# The zone behind a date of ISO 8601.
_ISO_ZONE = re.compile(r"\s*(?:([Zz]|UTC|GMT)|([+-]\d\d):?(\d\d)?)$")
# Names beside those of RFC 822, each with one meaning wherever feeds are written (hours east of Greenwich).
_ZONES = {
    "wet": 0, "west": 1, "bst": 1, "cet": 1, "met": 1, "cest": 2, "mest": 2, "eet": 2, "eest": 3, "msk": 3,
    "jst": 9, "kst": 9, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13, "akst": -9, "akdt": -8, "hst": -10,
}  # fmt: skip
# Year, month and day, each with its word in Chinese, Japanese or Korean, perhaps a day of the week, and a time of day.
_EAST_ASIAN = re.compile(
    "(\\d{4}) ?[\u5e74\ub144] ?(\\d{1,2}) ?[\u6708\uc6d4] ?(\\d{1,2}) ?[\u65e5\uc77c](?: ?[^\\d ]+)? ?"
    "(\\d\\d:\\d\\d(?::\\d\\d)?)?"
)
# An offset written as GMT+2, UTC-03:30, +05 or +05:30.
_GREENWICH = re.compile(r"(?: ?\b(?:GMT|UTC)|(?<=:\d\d) )([+-])(\d{1,2})(?::?(\d\d))?$")
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
_ENGLISH = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def parse_date(text: str, language: str = "") -> datetime | None:
    """Return the aware date of an RFC 822, ISO 8601 or East Asian text, with its own offset, or ``None``.

    A month may be a word of many languages; ``language`` decides where two mean different months by one. A missing
    zone, ``-0000`` and unknown zone names count as UTC; a year before 1900 or after 9998 gives ``None``.

    >>> parse_date("Sun, 4 Aug 2024 01:47:46 -0700").isoformat(), parse_date("2. Dez 2015").isoformat()
    ('2024-08-04T01:47:46-07:00', '2015-12-02T00:00:00+00:00')
    >>> parse_date("soon") is None
    True
    """
    text = " ".join(text[:200].split())
    if match := _EAST_ASIAN.fullmatch(text):
        text = f"{match[1]}-{match[2]:0>2}-{match[3]:0>2} {match[4] or ''}".strip()
    elif match := _SHORT.match(text):
        text = f"{match[1]}-{match[3]:0>2}-{match[4]:0>2}{text[match.end() :]}"
    elif match := _DOTS.match(text):
        text = f"{match[3]}-{match[2]:0>2}-{match[1]:0>2}{text[match.end() :]}"
    elif (match := _WORDS.match(text)) and (month := _find_month(match[2], language)):
        text = f"{match[1]} {_ENGLISH[month - 1]} {match[3]}{text[match.end() :]}"
    moment = _iso(text.upper()) if _ISO.fullmatch(text) else _rfc822(text) if _KNOWN.fullmatch(text) else None
    return moment if moment is not None and 1900 <= moment.year <= 9998 else None


def is_guess(text: str) -> bool:
    """Return whether ``parse_date`` adds to the text: it lacks a day.

    >>> [is_guess(text) for text in ("2021-W31-1", "4 Aug 2024", "2024-08")]
    [False, False, True]
    """
    return _NO_DAY.fullmatch(text.strip()) is not None


@cache
def _read_months() -> dict[str, dict[str, int]]:
    """Return the number of each month by its names, for each language."""
    lines = Path(__file__).with_name("months.txt").read_text(encoding="utf-8").splitlines()[1:]
    table: dict[str, dict[str, int]] = {}
    for line in lines:
        language, *months = line.split()
        table[language] = {name: number for number, names in enumerate(months, 1) for name in names.split(",")}
    return table


def _find_month(name: str, language: str) -> int:
    """Return the number of a month, 0 for a word that is none, or several."""
    name, table = name.casefold(), _read_months()
    own = table.get(language.lower().partition("-")[0], {}).get(name)
    numbers = {names[name] for names in table.values() if name in names}
    return own or table["en"].get(name) or (numbers.pop() if len(numbers) == 1 else 0)


def parse_duration(text: str) -> int | None:
    """Return the seconds of ``HH:MM:SS``, ``MM:SS``, plain seconds, ``PT1H2M`` or ``1 h 2 min``, or ``None``.

    Hosts write 0 when they do not know, and an episode never lasts more than a week: both give ``None``.

    >>> [parse_duration(text) for text in ("00:16:33", "16:33", "993", "PT16M33S", "long", "00:00")]
    [993, 993, 993, 993, None, None]
    """
    return parse_clock(text) or None


def parse_clock(text: str) -> int | None:
    """Return the whole seconds of a moment, written as a duration is; ``None`` for one that is not in a recording."""
    text = text.strip().lower()[:40]
    for pattern in (_CLOCK, _SECONDS, _PERIOD):
        if match := pattern.fullmatch(text):
            hours, minutes, seconds = (int(part or 0) for part in match.groups())
            total = hours * 3600 + minutes * 60 + seconds
            return total if text and total <= _LONGEST else None
    return None


def _iso(text: str) -> datetime | None:
    """Read a date of RFC 3339 or W3C-DTF: these allow a little more than ``fromisoformat`` takes."""
    text = text.replace("/", "-")
    if len(text) == 4:
        text += "-01-01"
    elif len(text) == 7:
        text += "-01"
    if len(text) > 10:
        text = _LEAP.sub("59", text)
        text = _ISO_ZONE.sub(lambda match: "Z" if match[1] else f"{match[2]}:{match[3] or '00'}", text)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _rfc822(text: str) -> datetime | None:
    """Read a date of RFC 822 in one of its many variants, such as ``1 Jan 2024 9:30 PM GMT+1``."""
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
        hour = hour % 12 + 12 * (half[1] in "pP")  # 12 AM is 0, 12 PM is 12
    try:
        # A leap second has no place in datetime.
        return datetime(year, month, day, hour, minute, 59 if second == 60 else second, tzinfo=_zone(parts[9], text))
    except (ValueError, OverflowError):
        return None


def _zone(offset: int | None, text: str) -> timezone:
    """Return the zone of so many seconds east of Greenwich, else of the name behind a date, else UTC."""
    seconds = offset or _ZONES.get(text.rpartition(" ")[2].strip("()").lower(), 0) * 3600
    return timezone(timedelta(seconds=seconds)) if seconds else UTC
