"""Transcripts as text: SubRip and WebVTT (https://www.w3.org/TR/webvtt1), Whisper's TSV, plain lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from .cues import Cue

# A time: hours are optional, and so is the fraction after a comma or a point.
_CLOCK_TIME = r"(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2})(?:[.,](\d{1,9}))?"
# The line of a cue's times; settings may follow.
_TIMES = re.compile(rf"\s*{_CLOCK_TIME}\s*-->\s*(?:\d{{1,4}}:)?\d{{1,4}}:\d{{1,2}}(?:[.,]\d{{1,9}})?(?:\s.*)?")
# A tag; a position of SubRip, `{\an8}`.
_TAG = re.compile(r"</?[A-Za-z0-9][^<>]{0,200}>|\{\\[^{}]{0,80}\}")
# The speaker before the words: `ANN LEE:`, `>> Ann:`, `[Speaker 1]:`, `- Ann:`.
_SPEAKER = re.compile(
    r"(?:>>\s{0,3}|-\s{0,3})?(?:\[([^\[\]\n]{1,40})\]|((?:[A-Z][\w.'-]{0,30})(?:\s[A-Z0-9][\w.'-]{0,30}){0,3})):\s+"
)


# A time at the begin of a line, bare or in brackets, also the two of whisper's own output: `[00:01.000 --> 00:04.000]`.
_AT = re.compile(rf"\s*[\[(]?{_CLOCK_TIME}(?:\s*-->\s*[\d:.,]{{4,20}})?[\])]?(?:\s*[-\u2013\u2014:|]\s|\s+|$)")
# A line of Whisper's TSV: milliseconds, milliseconds, words.
_ROW = re.compile(r"(\d{1,12}(?:\.\d{1,6})?)\t\d{1,12}(?:\.\d{1,6})?\t(.*)")


def _to_seconds(match: re.Match[str]) -> float:
    """Return the time of a match of ``_CLOCK_TIME`` (``1:02:03.5``), in seconds."""
    hours, minutes, seconds, fraction = match.group(1, 2, 3, 4)
    return 3600 * int(hours or 0) + 60 * int(minutes) + int(seconds) + (float(f"0.{fraction}") if fraction else 0.0)


def read_subtitles(text: str) -> Iterator[Cue]:
    """Yield the cues of a file in SubRip or WebVTT, in its order; counters, notes and styles are skipped.

    Rolling captions repeat the last line of the cue before at the top of a cue: such a line counts once.
    """
    start: float | None = None
    lines: list[str] = []
    former: list[str] = []  # the lines of the cue before
    for line in (*text.splitlines(), ""):  # the empty line ends the last cue
        times = _TIMES.fullmatch(line) if "-->" in line else None
        if line.strip() and not times:
            if start is not None:
                lines.append(line)
            continue
        if start is not None:
            if times and lines and lines[-1].strip().isdecimal():
                lines.pop()  # the counter of the cue that begins without an empty line before it
            new_lines = lines[1:] if len(lines) > 1 and former and lines[0] == former[-1] else lines
            former = lines or former
            if words := _strip_speaker(unescape(_TAG.sub("", " ".join(new_lines))).strip()):
                yield Cue(start, words)
        start, lines = (_to_seconds(times) if times else None), []


def read_rows(text: str) -> Iterator[Cue]:
    """Yield the cues of a file in Whisper's TSV: lines of start, end (both in milliseconds) and words.

    Other lines are skipped.
    """
    for line in text.splitlines():
        if row := _ROW.fullmatch(line):
            yield Cue(float(row[1]) / 1000, _strip_speaker(row[2].strip()))


def read_plain(text: str) -> Iterator[Cue]:
    """Yield the lines of a plain text as cues.

    A time at the begin of a line holds for this line and those below it, if at least two lines have one. Without times
    the start of each cue is ``None``.
    """
    lines = [(line, _AT.match(line)) for line in text.splitlines()]
    has_times = sum(match is not None for _, match in lines) >= 2  # a single one is a number in the text
    start: float | None = None
    for line, match in lines:
        if has_times and match:
            start = _to_seconds(match)
        if words := _strip_speaker(line[match.end() if has_times and match else 0 :].strip()):
            yield Cue(start, words)


def _strip_speaker(text: str) -> str:
    """Return a text without the name of its speaker, if one is before the words.

    >>> _strip_speaker("ANN LEE: Good morning"), _strip_speaker("The point: it is late"), _strip_speaker("[Ben]: Hello")
    ('Good morning', 'The point: it is late', 'Hello')
    """
    match = _SPEAKER.match(text)
    return text[match.end() :] if match and match.end() < len(text) else text
