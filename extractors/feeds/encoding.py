"""The text of a source's bytes, and whether they can be a feed at all."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress

from ..charsets import find_codec
from ..errors import FeedError

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
)
# The encoding in a Content-Type header or an XML declaration.
_CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?([A-Za-z0-9._:-]+)""", re.IGNORECASE)
_MAGIC = {b"\x1f\x8b": "compressed with gzip", b"PK\x03\x04": "a ZIP archive", b"%PDF": "a PDF"}


def to_utf8(data: bytes, *, source: str, content_type: str = "") -> bytes:
    """Return the text of a source as UTF-8 without a byte order mark.

    A byte order mark decides. Valid UTF-8 is UTF-8 whatever the source declares. Then the header's and the XML
    declaration's encodings are tried, then mostly valid UTF-8, at last Windows-1252.

    Args:
        data: the bytes of a feed, list or page
        source: the name in errors
        content_type: the header field ``Content-Type``; "": unknown

    Raises:
        FeedError: the data is empty, or not text

    >>> to_utf8("<a>é</a>".encode("latin-1"), source="f", content_type="text/xml; charset=latin-1").decode()
    '<a>é</a>'
    """
    if not data or data.isspace():
        raise FeedError("is empty", source=source, remedy="give the URL or file of a feed")
    # "<" in two bytes shows UTF-16 without a byte order mark.
    starts = (*_BYTE_ORDER_MARKS, (b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
    encoding = next((name for mark, name in starts if data.startswith(mark)), "")
    kind = next((kind for magic, kind in _MAGIC.items() if data.startswith(magic)), "")
    # A NUL shows binary data, unless a feed begins there: then some broken software added it.
    if kind or (not encoding and b"\0" in data[:1024] and data[:1] not in {b"<", b"{"}):
        remedy = "unpack it first" if data[:1] in b"\x1fP" else "give the feed's own URL"  # gzip, ZIP
        raise FeedError(f"is {kind or 'binary data'}, not a feed", source=source, remedy=remedy)
    if encoding:
        return data.decode(encoding, "replace").removeprefix("\ufeff").encode("utf-8", "replace")
    names = _CHARSET.findall(content_type.encode() + data[:1024].partition(b"?>")[0])
    for codec in filter(None, (find_codec(name.decode(), ascii_based=True) for name in (b"utf-8", *names))):
        with suppress(UnicodeDecodeError):
            text = data.decode(codec)
            return data if codec == "utf-8" else text.encode()
    # A byte out of place here and there does not make the rest another encoding: half of all characters beyond ASCII
    # must be valid.
    text = data.decode("utf-8", "replace")
    # The characters beyond ASCII, U+FFFD for an invalid byte among them, are at least twice as many as the latter.
    is_utf8 = len(text) - len(text.encode("ascii", "ignore")) >= 2 * text.count("\ufffd")
    return (text if is_utf8 else data.decode("windows-1252", "replace")).encode()
