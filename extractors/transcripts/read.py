"""Parses bytes as a transcript or chapters. The text decides the format; name and media type only break ties."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from ..errors import SourceError
from ..notes.text import to_text
from .cues import Cue, Transcript, join_cues
from .plain import read_plain, read_rows
from .records import read_records
from .subtitles import read_subtitles

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_HEAD = 4096  # characters in which a form shows itself
# A cue of YouTube's XML: `<text start="1.2" dur="3">` or `<p t="1200" d="3000">`.
_YOUTUBE = re.compile(
    r'<(?:text[^<>]{0,99}?\sstart="([\d.]{1,12})"|p[^<>]{0,99}?\st="(\d{1,12})")[^<>]{0,200}>(.*?)</', re.DOTALL
)
_TAGS = re.compile(r"<[^<>]{0,200}>")
_REMEDY = "give SRT, WebVTT, the JSON or TSV of a speech recogniser, or plain text"


def read_transcript(data: bytes, name: str) -> Transcript:
    """Return the transcript or chapters in a file; errors contain ``name``.

    SubRip, WebVTT, JSON (podcast namespace, Whisper and its family, YouTube), TSV, YouTube's XML, HTML, plain text with
    times or without; a byte order mark, CRLF and NUL do no harm. Raises ``SourceError`` for other formats.
    """
    text = _decode(data, name)
    head = text[:_HEAD]
    first = head.lstrip()[:1]
    if first in "{[" and (found := read_records(text)):
        cues, is_chapters = found
        return Transcript(name, chapters=tuple(cues)) if is_chapters else join_cues(name, cues)
    if first == "{":
        raise SourceError("is JSON without a transcript in it", source=name, remedy=_REMEDY)
    transcript = join_cues(name, _read_cues(text, head, first))
    if not transcript.text:
        raise SourceError("holds no words", source=name, remedy=_REMEDY)
    return transcript


def _read_cues(text: str, head: str, first: str) -> Iterator[Cue]:
    """Yield the cues of a text that is not JSON; ``head`` is its beginning, ``first`` its first character."""
    if head.lstrip().startswith("WEBVTT") or "-->" in head:
        is_of_whisper = re.search(r"^\s*\[[\d:.,]+ --> ", head, re.MULTILINE)  # lines begin with times
        return read_plain(text) if is_of_whisper else read_subtitles(text)
    if re.search(r"^(?:start\tend\ttext|\d+\t\d+\t)", head, re.MULTILINE):
        return read_rows(text)
    if first == "<":
        return _read_markup(text)
    return read_plain(text)


def _read_markup(text: str) -> Iterator[Cue]:
    """Yield the cues of YouTube's XML, else of HTML. YouTube escapes its texts twice."""
    found = list(_YOUTUBE.finditer(text))
    if not found:
        yield from read_plain(to_text(text)[0])
    for match in found:
        start = float(match[1]) if match[1] and match[1].count(".") < 2 else int(match[2] or 0) / 1000
        yield Cue(start, to_text(to_text(_TAGS.sub("", match[3]))[0])[0])


def _decode(data: bytes, name: str) -> str:
    """Return the text of a file, by its byte order mark, as UTF-8, or as Windows-1252.

    Raises ``SourceError`` if too many control characters show that it is not text.
    """
    mark, encoding = next((pair for pair in _MARKS if data.startswith(pair[0])), (b"", ""))
    data = data.removeprefix(mark)
    try:
        text = data.decode(encoding or "utf-8")
    except UnicodeDecodeError:
        text = data.decode(encoding or "cp1252", "replace")
    text = text.replace("\0", "")
    head = text[:_HEAD]
    controls = sum(char < " " and char not in "\t\n\r\f" for char in head)
    if controls > 0.02 * len(head):
        raise SourceError("is not text", source=name, remedy=_REMEDY)
    return text
