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

# For each format the key of the list of records, the keys of time and words in a record, the unit of time in seconds.
# They are tried in this order. A list at the top is read as `segments` are.
_FORMATS = (
    ("chapters", "startTime", "title", 1.0),
    ("segments", "startTime", "body", 1.0),
    ("segments", "start", "text", 1.0),
    ("transcription", "offsets", "text", 0.001),
    ("events", "tStartMs", "segs", 0.001),
)


def read_records(text: str, name: str) -> Transcript | None:
    """Return the transcript or the chapters in a JSON text; ``None`` for a text of no known format.

    A record without a time is left out, as is one that has neither words nor a link (of a chapter). ``name`` becomes
    the name of the transcript.

    >>> read_records('{"segments": [{"start": 2, "text": "Hello"}]}', "a.json").text
    'Hello'
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(data, list):
        data = {"segments": data}
    if not isinstance(data, Mapping):
        return None
    for list_key, start_key, words_key, unit in _FORMATS:
        records = data.get(list_key)
        if isinstance(records, list) and (cues := list(_make_cues(records, start_key, words_key, unit))):
            return Transcript(name, chapters=tuple(cues)) if list_key == "chapters" else join_cues(name, cues)
    whole = data.get("text")
    return join_cues(name, [Cue(None, whole)]) if isinstance(whole, str) and whole.strip() else None


def _make_cues(records: Sequence[object], start_key: str, words_key: str, unit: float) -> Iterator[Cue]:
    """Yield the cues in some records of JSON, in their order.

    A record without a time is left out, and one that has neither words nor the address of a link (of a chapter).

    Args:
        records: JSON objects; others are ignored
        start_key: the key of a record's time, a number or text; whisper.cpp has an object with ``from`` there
        words_key: the key of a record's words, a text; YouTube has a list of pieces there
        unit: the unit of numbers for a time, in seconds
    """
    for record in records:
        if isinstance(record, Mapping):
            start, words, url = (record.get(key) for key in (start_key, words_key, "url"))
            start = start.get("from") if isinstance(start, Mapping) else start
            if isinstance(words, list):
                pieces = [piece.get("utf8") for piece in words if isinstance(piece, Mapping)]
                words = "".join(piece for piece in pieces if isinstance(piece, str))
            text = words if isinstance(words, str) else ""
            if (text.strip() or url) and start is not None:
                yield Cue(_to_seconds(start, unit), text, url if isinstance(url, str) and is_web(url) else "")


def _to_seconds(value: Any, unit: float) -> float | None:
    """Return a time in seconds; ``None`` for a value that is not a time, and for 10,000,000 s and more.

    ``value`` is a number of units, each ``unit`` seconds long, as a number or a text; or a text such as ``1:02:03``.
    """
    if isinstance(value, str) and ":" in value:
        return parse_clock(value)
    try:
        seconds = float(value) * unit
    except (TypeError, ValueError, OverflowError):
        return None
    return seconds if math.isfinite(seconds) and 0 <= seconds < 10**7 else None
