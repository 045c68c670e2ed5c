"""Decompress untrusted bytes piece by piece, so that a small input cannot become a huge one."""

from __future__ import annotations

import gzip
import io
import zlib
from typing import TYPE_CHECKING

from ..errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable

_PIECE = 1 << 20


def unpack(data: bytes, limit: int, take: Callable[[int], None], coding: str = "") -> bytes:
    """Return the content of compressed ``data``: a gzip file (RFC 1952), or of the ``coding`` deflate (RFC 1950, 1951).

    Other data is returned as it is. ``take`` gets the size of each unpacked piece, in bytes, so that a caller can
    charge a budget. Raises ``SourceError`` for damaged data, and for more than ``limit`` bytes.

    >>> unpack(gzip.compress(b"<rss/>"), 100, print), unpack(b"<rss/>", 100, print)
    6
    (b'<rss/>', b'<rss/>')
    """
    try:
        if data.startswith(b"\x1f\x8b"):
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                return _collect(file.read, limit, take)
        if coding == "deflate":
            # Some servers send deflate without the wrapping of zlib.
            is_wrapped = data[0] & 0x0F == 8 and data[0] >> 4 <= 7
            stream = zlib.decompressobj(15 if is_wrapped else -15)
            content = _collect(lambda size: stream.decompress(stream.unconsumed_tail or data, size), limit, take)
            if not stream.eof:
                raise EOFError
            return content
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError("contains damaged or truncated compressed data", remedy="check that it is whole") from error
    return data


def _collect(read: Callable[[int], bytes], limit: int, take: Callable[[int], None]) -> bytes:
    """Return all bytes that ``read`` gives in pieces of at most 1 MB."""
    with io.BytesIO() as content:
        while piece := read(_PIECE):
            take(len(piece))
            content.write(piece)
            if content.tell() > limit:
                raise SourceError(f"is larger than {limit / 1e6:,.6g} MB", remedy="give a smaller feed")
        return content.getvalue()
