"""SubRip and WebVTT (https://www.w3.org/TR/webvtt1), and similar files by speech recognisers and people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from .cues import Cue

# A time: hours are optional, and so is the fraction after a comma or a point.
MOMENT = r"(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2})(?:[.,](\d{1,9}))?"
# The line of a cue's times; settings may follow.
_TIMES = re.compile(rf"\s*{MOMENT}\s*-->\s*(?:\d{{1,4}}:)?\d{{1,4}}:\d{{1,2}}(?:[.,]\d{{1,9}})?(?:\s.*)?")
# A tag; a position of SubRip, `{\an8}`.
_TAG = re.compile(r"</?[A-Za-z0-9][^<>]{0,200}>|\{\\[^{}]{0,80}\}")
# The speaker before the words: `ANN LEE:`, `>> Ann:`, `[Speaker 1]:`, `- Ann:`.
_SPEAKER = re.compile(
    r"(?:>>\s{0,3}|-\s{0,3})?(?:\[([^\[\]\n]{1,40})\]|((?:[A-Z][\w.'-]{0,30})(?:\s[A-Z0-9][\w.'-]{0,30}){0,3})):\s+"
)


def to_seconds(match: re.Match[str]) -> float:
    """Return the time of a match of ``MOMENT``, in seconds."""
    hours, minutes, secs, fraction = match.group(1, 2, 3, 4)
    return 3600 * int(hours or 0) + 60 * int(minutes) + int(secs) + (float(f"0.{fraction}") if fraction else 0.0)


def read_subtitles(text: str) -> Iterator[Cue]:
    """Yield the cues of SubRip or WebVTT; other parts (counters, notes, styles) are skipped.

    Rolling captions repeat the line above a new one: it counts once.
    """
    start: float | None = None
    lines: list[str] = []
    shown: list[str] = []
    for line in (*text.splitlines(), ""):
        times = _TIMES.fullmatch(line) if "-->" in line else None
        if line.strip() and not times:
            if start is not None:
                lines.append(line)
            continue
        if start is not None:
            if times and lines and lines[-1].strip().isdecimal():
                lines.pop()  # the counter of the cue that begins without an empty line before it
            new = lines[1:] if len(lines) > 1 and shown and lines[0] == shown[-1] else lines
            shown = lines or shown
            if words := strip_speaker(unescape(_TAG.sub("", " ".join(new))).strip()):
                yield Cue(start, words)
        start, lines = (to_seconds(times) if times else None), []


def strip_speaker(text: str) -> str:
    """Return the words without the name of a speaker before them.

    >>> strip_speaker("ANN LEE: Good morning"), strip_speaker("The point: it is late"), strip_speaker("[Ben]: Hello")
    ('Good morning', 'The point: it is late', 'Hello')
    """
    match = _SPEAKER.match(text)
    return text[match.end() :] if match and match.end() < len(text) else text
