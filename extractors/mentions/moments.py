"""Times in notes ("12:34 Salt", "[@01:02:03]", "Salt - 00:12:34."): the moment of the recording for a passage."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING

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
_TAIL = re.compile(r"[\s)\].,;]*(?:\n|\Z)")  # characters after one that ends a line
_BRACKETS = frozenset(("()", "[]", "@]", "\uff08\uff09", "\uff3b\uff3d", "\u3010\u3011"))
_BESIDE = 10  # characters beside a time that are looked at
_FEW_LINES = 6  # under a time, up to the next, that still belong to it


def add_moments(episode: Episode, mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Return the mentions of an episode, with their ``time`` in seconds where the notes give one.

    A time at the start of a line belongs to the rest of the line, and to the lines up to the next time. A time at the
    end of a line belongs to the text before it, a time in brackets to the text after it in the line.
    """
    places = list(_find_places(episode.notes, episode.duration))
    starts = [start for start, _, _ in places]
    results = []
    for mention in mentions:
        at = bisect_right(starts, mention.start) - 1
        is_inside = at >= 0 and mention.field == "notes" and mention.start < places[at][1]
        results.append(replace(mention, time=places[at][2]) if is_inside else mention)
    return tuple(results)


def find_moment(notes: str, position: int, duration: float | None = None) -> int | None:
    r"""Return the time, in seconds, that notes give for a position in them, or ``None``.

    >>> find_moment("00:00 Hello\n12:34 Salt", 20), find_moment("At 12:34 we went", 9)
    (754, None)
    """
    places = _find_places(notes, duration)
    return next((seconds for start, end, seconds in places if start <= position < end), None)


def _find_places(notes: str, duration: float | None) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, seconds) of the parts of notes that times such as "12:34" belong to, in order.

    A single time without hours or brackets may be a time of the day, so it yields nothing.
    """
    times = _find_times(notes, duration)
    if len(times) == 1 and times[0][1] != "bracketed" and not times[0][0]["hours"]:
        return
    free_from = 0
    for index, (match, role) in enumerate(times):
        following, next_role = times[index + 1] if index + 1 < len(times) else (None, "trailing")
        if role == "trailing":
            start, end = max(free_from, notes.rfind("\n", free_from, match.start()) + 1), match.start()
        else:
            start, end = match.end(), notes.find("\n", match.end())
            end = len(notes) if end < 0 else end
            if following is not None and next_role != "trailing":
                between = notes[end : following.start()]
                if "\n\n" not in between and between.count("\n") <= _FEW_LINES:
                    end = following.start()
        if start < end:
            yield start, end, _count_seconds(match)
        free_from = max(end, match.end())


def _find_times(notes: str, duration: float | None) -> list[tuple[re.Match[str], str]]:
    """Return (match, role) of the times that structure the notes; times after the end of the recording do not count."""
    times: list[tuple[re.Match[str], str]] = []
    for match in _TIME.finditer(notes) if _SECONDS.search(notes) else ():
        if duration and _count_seconds(match) > 1.1 * duration:
            continue
        role = _find_role(notes, match)
        if not role and times and times[-1][1] != "trailing" and "\n" not in notes[times[-1][0].end() : match.start()]:
            role = "leading"  # a second time in a line
        if role:
            times.append((match, role))
    return times


def _find_role(notes: str, match: re.Match[str]) -> str:
    """Return the position of a time in its line: ``leading``, ``bracketed``, ``trailing``; "" where it may be any."""
    start, end = match.span()
    before = notes[max(0, start - _BESIDE) : start].rpartition("\n")[2]
    line_begins = start == len(before) or notes[start - len(before) - 1] == "\n"
    bracketed = "bracketed" if notes[start - 1 : start] + notes[end : end + 1] in _BRACKETS else ""
    if line_begins and _LEAD.fullmatch(before):
        return bracketed or "leading"
    ends = _TAIL.match(notes, end, min(len(notes), end + _BESIDE))
    is_trailing = ends and (match["range"] or before.rstrip().endswith(tuple("-\u2013\u2014([:@\u2022")))
    return "trailing" if is_trailing else bracketed


def _count_seconds(match: re.Match[str]) -> int:
    return 3600 * int(match["hours"] or 0) + 60 * int(match["minutes"]) + int(match["seconds"])
