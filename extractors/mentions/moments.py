"""Times in notes ("12:34 Salt", "[@01:02:03]", "Salt - 00:12:34."): the moment of the recording for a passage."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from .patterns import read_patterns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..model import Episode, Mention

_PATTERNS = read_patterns("moments")
_BRACKETS = frozenset(("()", "[]", "@]", "\uff08\uff09", "\uff3b\uff3d", "\u3010\u3011"))
_FEW_LINES = 6  # under a time, up to the next, that still belong to it


def add_moments(episode: Episode, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Yield the mentions of an episode, with their ``time`` in seconds where the notes give one.

    A time at the start of a line belongs to the rest of the line, and to the lines up to the next time. A time at the
    end of a line belongs to the text before it, a time in brackets to the text after it in the line.
    """
    places = [*_find_places(episode.notes, episode.duration)]
    starts = [start for start, _, _ in places]
    for mention in mentions:
        at = bisect_right(starts, mention.start) - 1
        is_inside = at >= 0 and mention.field == "notes" and mention.start < places[at][1]
        yield replace(mention, time=places[at][2]) if is_inside else mention


def find_moment(notes: str, position: int, duration: float | None = None) -> int | None:
    r"""Return the time, in seconds, that notes give for a position in them, or ``None``.

    >>> find_moment("00:00 Hello\n12:34 Salt", 20), find_moment("At 12:34 we went", 9)
    (754, None)
    """
    places = _find_places(notes, duration)
    return next((seconds for start, end, seconds in places if start <= position < end), None)


def _find_places(notes: str, duration: float | None) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, seconds) of the parts of notes that times such as "12:34" belong to, in order."""
    times = [*_find_times(notes, duration)]
    free_from = 0
    for (begin, end, seconds, is_behind), following in zip_longest(times, times[1:]) if len(times) > 1 else ():
        line_end = notes.find("\n", end)
        start, stop = end, line_end if line_end >= 0 else len(notes)
        if is_behind:
            start, stop = max(free_from, notes.rfind("\n", free_from, begin) + 1), begin
        elif following and not following[3]:
            between = notes[stop : following[0]]
            stop = following[0] if "\n\n" not in between and between.count("\n") <= _FEW_LINES else stop
        if start < stop:
            yield start, stop, seconds
        free_from = max(stop, end)


def _find_times(notes: str, duration: float | None) -> Iterator[tuple[int, int, int, bool]]:
    """Yield (start, end, seconds, whether its text is before it) of the times that structure the notes.

    Times after the end of the recording do not count.
    """
    for match in _PATTERNS["time"].finditer(notes) if _PATTERNS["seconds"].search(notes) else ():
        seconds = 3600 * int(match["hours"] or 0) + 60 * int(match["minutes"]) + int(match["seconds"])
        begins, separator = match["begins"] is not None, match["separator"] or ""
        ends = match["ends"] is not None and bool(match["range"] or separator)
        is_bracketed = separator + notes[match.end() : match.end() + 1] in _BRACKETS
        if (begins or ends or is_bracketed) and not (duration and seconds > 1.1 * duration):
            yield *match.span(), seconds, ends and not begins
