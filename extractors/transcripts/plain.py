"""Plain-text transcripts: with tabs, with times at the beginning of lines, or without times."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .cues import Cue
from .subtitles import MOMENT, seconds, spoken_by

# A time at the begin of a line, bare or in brackets, also the two of whisper's own output: `[00:01.000 --> 00:04.000]`.
_AT = re.compile(rf"\s*[\[(]?{MOMENT}(?:\s*-->\s*[\d:.,]{{4,20}})?[\])]?(?:\s*[-\u2013\u2014:|]\s|\s+|$)")
# A line of Whisper's TSV: milliseconds, milliseconds, words.
_ROW = re.compile(r"(\d{1,12}(?:\.\d{1,6})?)\t\d{1,12}(?:\.\d{1,6})?\t(.*)")
_LEAST = 2  # lines with a time: fewer are numbers in a text


def read_rows(text: str) -> Iterator[Cue]:
    """Yield the cues of Whisper's TSV (``start end text``, in milliseconds); other rows are skipped."""
    for line in text.splitlines():
        if row := _ROW.fullmatch(line):
            speaker, words = spoken_by(row[2].strip())
            yield Cue(float(row[1]) / 1000, words, speaker)


def read_plain(text: str) -> Iterator[Cue]:
    """Yield the lines of a text, with the times at which they begin where there are such."""
    lines = text.splitlines()
    times = [_AT.match(line) for line in lines]
    timed = sum(match is not None for match in times) >= _LEAST
    start: float | None = None
    for line, match in zip(lines, times, strict=True):
        rest = line
        if timed and match:
            start, rest = seconds(match), line[match.end() :]
        speaker, words = spoken_by(rest.strip())
        if words:
            yield Cue(start, words, speaker)
