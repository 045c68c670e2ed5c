"""Transcripts as JSON: the podcast namespace's, the Whisper family's, YouTube's; and chapters.

https://github.com/Podcastindex-org/podcast-namespace (transcripts, chapters); ``segments`` of Whisper, faster-whisper
and WhisperX, ``transcription`` of whisper.cpp, ``events`` of YouTube's json3, lists of ``start`` and ``text``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..feeds.dates import parse_clock
from ..url import is_web
from .cues import Cue, Transcript, join_cues

# The key of a list of records, the keys of time and words in a record, the unit of time in seconds; tried in this
# order. A list at the top is read as `segments` are.
_SHAPES = (
    ("chapters", "startTime", "title", 1.0),
    ("segments", "startTime", "body", 1.0),
    ("segments", "start", "text", 1.0),
    ("transcription", "offsets", "text", 0.001),
    ("events", "tStartMs", "segs", 0.001),
)


def read_records(text: str, name: str) -> Transcript | None:
    """Return the transcript or the chapters in a JSON text; ``None`` for one of no known form.

    A record without words or a link is passed over, one without a time has none.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(data, list):
        data = {"segments": data}
    if not isinstance(data, Mapping):
        return None
    for key, start, words, unit in _SHAPES:
        records = data.get(key)
        if isinstance(records, list) and (cues := list(_make_cues(records, start, words, unit))):
            return Transcript(name, chapters=tuple(cues)) if key == "chapters" else join_cues(name, cues)
    whole = data.get("text")
    return join_cues(name, [Cue(None, whole)]) if isinstance(whole, str) and whole.strip() else None


def _make_cues(records: Sequence[object], start_key: str, words_key: str, unit: float) -> Iterator[Cue]:
    """Yield the cues of records in a format; those without words (or a link) or without a time are passed over."""
    for record in records:
        if isinstance(record, Mapping):
            start, words, url = (record.get(key) for key in (start_key, words_key, "url"))
            start = start.get("from") if isinstance(start, Mapping) else start
            # YouTube has a list of pieces.
            pieces = (
                [one.get("utf8") for one in words if isinstance(one, Mapping)] if isinstance(words, list) else [words]
            )
            text = "".join(piece for piece in pieces if isinstance(piece, str))
            if (text.strip() or url) and start is not None:
                yield Cue(_to_seconds(start, unit), text, url if isinstance(url, str) and is_web(url) else "")


def _to_seconds(value: Any, unit: float) -> float | None:
    if isinstance(value, str) and ":" in value:
        return parse_clock(value)
    try:
        seconds = float(value) * unit
    except (TypeError, ValueError, OverflowError):
        return None
    return seconds if math.isfinite(seconds) and 0 <= seconds < 10**7 else None
