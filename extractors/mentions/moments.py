"""Times in notes ("12:34 Salt", "[@01:02:03]", "Salt - 00:12:34."): the moment of the recording for a passage."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..model import Episode, Mention

# A time of a recording, "1:02:03", "12:34", "75:10", and the end of a range that it begins: "05:00-12:30".
_TIME = re.compile(
    r"(?<![\w:./-])(?:(?P<hours>\d{1,2}):)?(?P<minutes>\d{1,3}):(?P<seconds>[0-5]\d)(?![\w:]|[.,]\d)"
    r"(?P<range>[)\]]?\s?(?:[-\u2010-\u2015\u2212~\u2192\u21d2\u279c]|[-=]{1,2}>|to|bis|until|till)\s?[(\[]?"
    r"(?:\d{1,2}:)?\d{1,3}:[0-5]\d(?![\w:]))?"
)
_SECONDS = re.compile(r":[0-5]\d")  # every time has them, and they are found faster
_LEAD = re.compile(r"[^\w\n]{0,8}\Z")  # characters before a time that begins a line
_TAIL = re.compile(r"[\s)\].,;]*")  # characters after one that ends a line
_BRACKETS = frozenset(("()", "[]", "\uff08\uff09", "\uff3b\uff3d", "\u3010\u3011"))
_BEFORE_LAST = frozenset("-\u2013\u2014([:@\u2022")  # one of these precedes a time that ends a line
_BESIDE = 10  # characters beside a time that are looked at
_LEAST = 2  # times without brackets that make a list of moments; one alone may be a time of the day
_FEW_LINES = 6  # under a time, up to the next, that still belong to it
_LATE = 1.1  # of the duration: a later time does not belong to this recording


class _Place(NamedTuple):
    """A part of the notes that is about one moment."""

    start: int
    end: int
    seconds: int


def with_moments(episode: Episode, mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Return the mentions of an episode, with their ``time`` in seconds where the notes give one.

    A time at the start of a line belongs to the rest of the line, and to the lines up to the next time. A time at the
    end of a line belongs to the text before it, a time in brackets to the text after it in the line.
    """
    places = list(_find_places(episode.notes, episode.duration))
    if not places:
        return tuple(mentions)
    starts = [place.start for place in places]
    return tuple(_add_time(mention, places, starts) for mention in mentions)


def moment_at(notes: str, position: int, duration: float | None = None) -> int | None:
    r"""Return the time, in seconds, that notes give for a position in them, or ``None``.

    >>> moment_at("00:00 Hello\n12:34 Salt", 20), moment_at("At 12:34 we went", 9)
    (754, None)
    """
    places = _find_places(notes, duration)
    return next((place.seconds for place in places if place.start <= position < place.end), None)


def _add_time(mention: Mention, places: list[_Place], starts: list[int]) -> Mention:
    """Return a mention with the time of the part that contains it; ``starts`` are the starts of ``places``."""
    at = bisect_right(starts, mention.start) - 1
    if mention.field != "notes" or at < 0 or mention.start >= places[at].end:
        return mention
    return replace(mention, time=places[at].seconds)


def _find_places(notes: str, duration: float | None) -> Iterator[_Place]:
    """Yield the parts of notes that times such as "12:34" belong to, in order.

    A single time without hours or brackets may be a time of the day, so it yields nothing.
    """
    kept = _find_times(notes, duration)
    if len(kept) < _LEAST and not any(role == "bracketed" or match["hours"] for match, role in kept):
        return
    free_from = 0
    for index, (match, role) in enumerate(kept):
        line_end = notes.find("\n", match.end())
        line_end = len(notes) if line_end < 0 else line_end
        following, role_of_following = kept[index + 1] if index + 1 < len(kept) else (None, "")
        if role == "trailing":
            start = max(free_from, notes.rfind("\n", free_from, match.start()) + 1)
            end = match.start()
        else:
            start = match.end()
            end = line_end
            if following is not None and role_of_following != "trailing":
                end = _reach(notes, line_end, following.start())
        if start < end:
            yield _Place(start, end, _seconds(match))
        free_from = max(end, match.end())


def _find_times(notes: str, duration: float | None) -> list[tuple[re.Match[str], str]]:
    """Return (match, role) of the times that structure the notes; times after the end of the recording do not count."""
    latest = _LATE * duration if duration else None
    times = _TIME.finditer(notes) if _SECONDS.search(notes) else ()
    kept: list[tuple[re.Match[str], str]] = []
    for match in times:
        if latest is not None and _seconds(match) > latest:
            continue
        role = _role(notes, match)
        if not role and kept:
            previous, role_of_previous = kept[-1]
            if role_of_previous != "trailing" and "\n" not in notes[previous.end() : match.start()]:
                role = "leading"  # a second time in a line
        if role:
            kept.append((match, role))
    return kept


def _reach(notes: str, line_end: int, following: int) -> int:
    """Return the end of a time's section: the next time, unless an empty line or many lines come before that."""
    between = notes[line_end:following]
    near = "\n\n" not in between and between.count("\n") <= _FEW_LINES
    return following if following <= line_end or near else line_end


def _role(notes: str, match: re.Match[str]) -> str:
    """Return the position of a time in its line: ``leading``, ``bracketed``, ``trailing``; "" where it may be any."""
    start, end = match.span()
    before = notes[max(0, start - _BESIDE) : start].rpartition("\n")[2]
    line_begins = start == len(before) or notes[start - len(before) - 1] == "\n"
    inside = notes[start - 1 : start].replace("@", "[") + notes[end : end + 1]
    bracketed = inside in _BRACKETS
    if line_begins and _LEAD.fullmatch(before):
        return "bracketed" if bracketed else "leading"
    tail = _TAIL.match(notes, end, min(len(notes), end + _BESIDE))
    behind = tail.end() if tail else end
    ends = behind == len(notes) or "\n" in notes[end:behind]
    if ends and (match["range"] or before.rstrip()[-1:] in _BEFORE_LAST):
        return "trailing"
    return "bracketed" if bracketed else ""


def _seconds(match: re.Match[str]) -> int:
    return 3600 * int(match["hours"] or 0) + 60 * int(match["minutes"]) + int(match["seconds"])
