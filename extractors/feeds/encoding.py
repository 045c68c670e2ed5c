"""The text of a source's bytes, and whether they can be a feed at all."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress

from ..charsets import codec_of
from ..errors import FeedError

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
)
# "<?xm" and "<rss" in four bytes (XML 1.0, appendix F), after blank lines.
_STARTS = (
    (re.compile(rb"(?:\x00\x00\x00[\t\n\r ])*\x00\x00\x00[<{]"), "utf-32-be"),
    (re.compile(rb"(?:[\t\n\r ]\x00\x00\x00)*[<{]\x00\x00\x00"), "utf-32-le"),
    (re.compile(rb"(?:\x00[\t\n\r ])*\x00[<{]\x00[^\x00]"), "utf-16-be"),
    (re.compile(rb"(?:[\t\n\r ]\x00)*[<{]\x00[^\x00]\x00"), "utf-16-le"),
    (re.compile(rb"\x4c\x6f\xa7\x94"), "cp037"),
)
# The encoding in an XML declaration.
_DECLARED = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']""")
# The charset in a Content-Type header.
_CHARSET = re.compile(r"""charset\s*=\s*["']?([A-Za-z0-9._:-]+)""", re.IGNORECASE)
_MAGIC = {
    b"\x1f\x8b": "is compressed with gzip", b"PK\x03\x04": "is a ZIP archive", b"%PDF": "is a PDF",
    b"ID3": "is an audio file", b"\x89PNG": "is a picture", b"\xff\xd8\xff": "is a picture", b"GIF8": "is a picture",
    b"SQLite format 3": "is a database",
}  # fmt: skip
# Runs of characters beyond ASCII.
_BEYOND_ASCII = re.compile("[^\\x00-\\x7f]+")
_SLICE = 1 << 20
MOST_BYTES = 256 << 20


def to_utf8(data: bytes, *, source: str, content_type: str = "") -> bytes:
    """Return the text of a source as UTF-8 without a byte order mark.

    A byte order mark decides. Valid UTF-8 is UTF-8 whatever the source declares. Then follow the HTTP charset, the XML
    declaration, and Windows-1252. Raises ``FeedError`` for data other than text.

    >>> to_utf8("<a>é</a>".encode("latin-1"), source="f", content_type="text/xml; charset=latin-1").decode()
    '<a>é</a>'
    """
    _refuse_other(data, source)
    data, encoding = _marked(data)
    if encoding not in {"", "utf-8"}:
        return data.decode(encoding, "replace").encode("utf-8", "replace")
    with suppress(UnicodeDecodeError):
        for _ in codecs.iterdecode((data[at : at + _SLICE] for at in range(0, len(data), _SLICE)), "utf-8"):
            pass  # memory never holds a whole copy
        _refuse_binary(data, source)
        return data
    charset = _CHARSET.search(content_type)
    declared = _DECLARED.match(data[:1024].lstrip())
    for name in (charset and charset[1], declared and declared[1].decode("ascii")):
        if codec := codec_of(name or "", ascii_based=True):
            with suppress(UnicodeDecodeError):
                return data.decode(codec).encode()
    _refuse_binary(data, source)
    return _undeclared(data)


def _refuse_other(data: bytes, source: str) -> None:
    """Raise ``FeedError`` for too large or empty data, and for the beginning of a file of another format."""
    if len(data) > MOST_BYTES:
        raise FeedError(f"is larger than {MOST_BYTES >> 20} MB", source=source, remedy="give a smaller feed")
    if not data or data.isspace():
        raise FeedError("is empty", source=source, remedy="give the URL or file of a feed")
    for magic, problem in _MAGIC.items():
        if data.startswith(magic):
            remedy = "unpack it first" if magic[:1] in b"\x1fP" else "give the feed's own URL"
            raise FeedError(f"{problem}, not a feed", source=source, remedy=remedy)


def _marked(data: bytes) -> tuple[bytes, str]:
    """Return the data after its byte order mark, and the encoding by this mark or else by the first bytes."""
    for mark, name in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data[len(mark) :], name
    return data, next((name for start, name in _STARTS if start.match(data)), "")


def _undeclared(data: bytes) -> bytes:
    """Return text of no known encoding as UTF-8: broken UTF-8 when little of it is broken, else Windows-1252."""
    try:  # some programs write characters beyond U+FFFF as two halves (CESU-8)
        halves = data.decode("utf-8", "surrogatepass")
        return halves.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
    except UnicodeDecodeError:
        pass
    # A byte out of place here and there does not make the rest another encoding; in Windows-1252 hardly any
    # two bytes happen to be a character of UTF-8.
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    if sum(map(len, _BEYOND_ASCII.findall(text))) > 2 * broken:
        return text.encode()
    return data.decode("windows-1252", "replace").encode()


def _refuse_binary(data: bytes, source: str) -> None:
    head = data[:1024].lstrip()
    if b"\0" in head and head[:1] not in {b"<", b"{"}:
        raise FeedError("is binary data, not a feed", source=source, remedy="give the feed's own URL")
