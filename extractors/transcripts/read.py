"""Parses bytes as a transcript or chapters. The text decides the format; name and media type only break ties."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from ..errors import SourceError
from ..notes.text import to_text
from .cues import Cue, Transcript, join_cues
from .records import read_records
from .subtitles import read_plain, read_rows, read_subtitles

_HEAD_LENGTH = 4096  # characters that show the format of a file
_REMEDY = "give SRT, WebVTT, the JSON or TSV of a speech recogniser, or plain text"


def read_transcript(data: bytes, name: str) -> Transcript:
    """Return the transcript or the chapters in the bytes of a file.

    The text decides the format: SubRip, WebVTT, JSON (podcast namespace, Whisper and its family, YouTube), Whisper's
    TSV, HTML, plain text with times or without. A byte order mark, CRLF and NUL do no harm.

    Args:
        data: the content of the file
        name: its name, for the transcript and for errors

    Raises:
        SourceError: the format is another one, or there are no words
    """
    text = _decode(data, name)
    head = text[:_HEAD_LENGTH]
    first = head.lstrip()[:1]
    if first in "{[" and (records := read_records(text, name)):
        return records
    if first == "{":
        raise SourceError("is JSON without a transcript in it", source=name, remedy=_REMEDY)
    transcript = join_cues(name, _read_cues(text, head, first))
    if not transcript.text:
        raise SourceError("holds no words", source=name, remedy=_REMEDY)
    return transcript


def _read_cues(text: str, head: str, first: str) -> Iterator[Cue]:
    """Yield the cues of a text that is not JSON, in the format that the text shows.

    ``head`` is the begin of the text, ``first`` its first character behind white space ("": there is none).
    """
    if head.lstrip().startswith("WEBVTT") or "-->" in head:
        is_of_whisper = re.search(r"^\s*\[[\d:.,]+ --> ", head, re.MULTILINE)  # lines begin with times
        return read_plain(text) if is_of_whisper else read_subtitles(text)
    if re.search(r"^(?:start\tend\ttext|\d+\t\d+\t)", head, re.MULTILINE):
        return read_rows(text)
    return read_plain(to_text(text)[0] if first == "<" else text)


def _decode(data: bytes, name: str) -> str:
    """Return the text of a file: by its byte order mark, else UTF-8, else Windows-1252.

    ``name`` is its name in errors. Raises ``SourceError`` if more than 2 % control characters show that it is not text.
    """
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    text = text.replace("\0", "")
    head = text[:_HEAD_LENGTH]
    controls = sum(char < " " and char not in "\t\n\r\f" for char in head)
    if controls > 0.02 * len(head):
        raise SourceError("is not text", source=name, remedy=_REMEDY)
    return text
