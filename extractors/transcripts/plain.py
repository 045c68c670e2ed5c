"""Plain-text transcripts: with tabs, with times at the beginning of lines, or without times."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .cues import Cue
from .subtitles import MOMENT, strip_speaker, to_seconds

# A time at the begin of a line, bare or in brackets, also the two of whisper's own output: `[00:01.000 --> 00:04.000]`.
_AT = re.compile(rf"\s*[\[(]?{MOMENT}(?:\s*-->\s*[\d:.,]{{4,20}})?[\])]?(?:\s*[-\u2013\u2014:|]\s|\s+|$)")
# A line of Whisper's TSV: milliseconds, milliseconds, words.
_ROW = re.compile(r"(\d{1,12}(?:\.\d{1,6})?)\t\d{1,12}(?:\.\d{1,6})?\t(.*)")


def read_rows(text: str) -> Iterator[Cue]:
    """Yield the cues of Whisper's TSV (``start end text``, in milliseconds); other rows are skipped."""
    for line in text.splitlines():
        if row := _ROW.fullmatch(line):
            yield Cue(float(row[1]) / 1000, strip_speaker(row[2].strip()))


def read_plain(text: str) -> Iterator[Cue]:
    """Yield the lines of a text, with the times at which they begin where there are such."""
    lines = text.splitlines()
    times = [_AT.match(line) for line in lines]
    is_timed = sum(match is not None for match in times) >= 2  # fewer are numbers in a text
    start: float | None = None
    for line, match in zip(lines, times, strict=True):
        rest = line
        if is_timed and match:
            start, rest = to_seconds(match), line[match.end() :]
        if words := strip_speaker(rest.strip()):
            yield Cue(start, words)
