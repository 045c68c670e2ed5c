"""Decompress untrusted bytes piece by piece, so that a small input cannot become a huge one."""

from __future__ import annotations

import io
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# The encodings that podgraph accepts from a server (RFC 9110, 8.4.1).
CODINGS = "gzip, deflate"

_GZIP_MAGIC = b"\x1f\x8b"
_MOST_CODINGS = 3
# zlib returns a copy of its unused input: small slices keep that from growing quadratically.
_SLICE = 4096
_PIECE = 65536


class PackedError(ValueError):
    """Compressed bytes are damaged, or too large when unpacked; the message names the reason."""


def capped(chunks: Iterable[bytes], limit: int) -> Iterator[bytes]:
    """Yield ``chunks`` unchanged; raise ``PackedError`` as soon as they are more than ``limit`` bytes.

    >>> list(capped([b"ab", b"c"], 3))
    [b'ab', b'c']
    """
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > limit:
            raise PackedError(f"is larger than {limit / 1e6:,.6g} MB")
        yield chunk


def unpacked(chunks: Iterable[bytes], codings: str, limit: int) -> Iterator[bytes]:
    """Yield the decoded bytes of a body in pieces of some 64 KB.

    ``codings`` is the value of a Content-Encoding field: the codings in the order in which they were put on.
    Neither the result nor anything between two codings may be larger than ``limit`` bytes. Raises
    ``PackedError`` when it is, when the data is damaged or cut off, and for codings that are not read.

    >>> import gzip
    >>> b"".join(unpacked([gzip.compress(b"<rss/>")], "gzip", limit=100))
    b'<rss/>'
    """
    names = [name for part in codings.split(",") if (name := part.strip().lower()) not in {"", "identity"}]
    if len(names) > _MOST_CODINGS:
        raise PackedError(f"is compressed {len(names)} times over")
    chunks = capped(chunks, limit)
    for name in reversed(names):
        if name not in {"gzip", "x-gzip", "deflate"}:
            raise PackedError(f"is compressed with {name[:20]!r}, which podgraph does not read")
        chunks = capped(_inflate(chunks, gzip=name != "deflate"), limit)
    return iter(chunks)


def gunzip(data: bytes, limit: int, take: Callable[[int], None] = lambda _: None) -> bytes:
    """Return the content of ``data`` if that is a gzip file (RFC 1952), else ``data`` itself.

    ``take`` gets the size of each unpacked piece, in bytes, so that a caller can charge a budget. Raises
    ``PackedError`` for damaged data, and for more than ``limit`` bytes.
    """
    return join(unpacked([data], "gzip", limit), take) if data.startswith(_GZIP_MAGIC) else data


def join(chunks: Iterable[bytes], take: Callable[[int], None] = lambda _: None) -> bytes:
    """Return the chunks as one value without a second copy at any time; ``take`` gets the bytes of each chunk."""
    with io.BytesIO() as whole:  # closed, it holds nothing, also where an error keeps this frame alive
        for chunk in chunks:
            take(len(chunk))
            whole.write(chunk)
        return whole.getvalue()


def _inflate(chunks: Iterable[bytes], *, gzip: bool) -> Iterator[bytes]:
    """Yield the decompressed bytes of gzip or deflate data, piece by piece.

    A gzip file may have several members in a row; the result joins them. Raises ``PackedError`` for damaged data.
    """
    stream = None
    members = 0
    for data in _sliced(chunks):
        rest = data
        while rest:
            if stream is None:
                if members and not (gzip and rest.startswith(_GZIP_MAGIC[:1])):
                    break  # padding behind the last member is common, and means nothing
                # 31 is zlib's code for data in gzip's wrapping.
                stream = zlib.decompressobj(31 if gzip else _deflate_bits(rest[0]))
            yield _piece(stream, rest)
            rest = stream.unconsumed_tail
            if stream.eof:
                rest, stream, members = stream.unused_data, None, members + 1
    if stream is not None:
        yield stream.flush()
        if not stream.eof:
            raise PackedError("is cut off in the middle of its compressed data")


def _piece(stream: zlib._Decompress, data: bytes) -> bytes:
    """Return at most 64 KB of decompressed data; the stream keeps the rest of the input."""
    try:
        return stream.decompress(data, _PIECE)
    except zlib.error as error:
        raise PackedError("holds damaged compressed data") from error


def _sliced(chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        for start in range(0, len(chunk), _SLICE):
            yield chunk[start : start + _SLICE]


def _deflate_bits(first: int) -> int:
    """Distinguish "deflate" in its zlib wrapping (RFC 1950) from the bare one (RFC 1951) that some servers send."""
    return 15 if first & 0x0F == 8 and first >> 4 <= 7 else -15
