"""Read feeds from files and streams, no more than fits."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import SourceError
from ..printable import for_message
from .connection import LIMITS, WORLD, Budget

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO


def read_file(path: Path, budget: Budget | None = None) -> bytes:
    """Return the content of a file, decompressed if it is gzip; a pipe is read to its end.

    Its bytes are taken from the ``budget``. Raises ``SourceError`` for a file that is missing, unreadable, empty or
    too large.
    """
    try:
        with Path(path).open("rb") as file:
            return read_stream(file, str(path), budget, "check that it is the right file")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        problem = f"cannot be read: {for_message(getattr(error, 'strerror', None) or str(error))}"
        remedy = "check the path and its permissions"
        if isinstance(error, FileNotFoundError):
            problem, remedy = "there is no such file", "check the path, or give a feed's address"
        raise SourceError(problem, source=for_message(str(path)), remedy=remedy) from error


def read_stream(
    stream: BinaryIO | None, name: str = "standard input", budget: Budget | None = None,
    remedy: str = "pipe a feed into podgraph, or leave out the '-'",
) -> bytes:  # fmt: skip
    """Return the bytes of an open stream, by default standard input, decompressed if they are gzip.

    ``name`` and ``remedy`` are for error messages. Raises ``SourceError`` for too many bytes, or none.
    """
    try:
        data = (stream or getattr(sys.stdin, "buffer", None) or io.BytesIO()).read(LIMITS.body + 1)
        budget = budget or Budget(WORLD)
        budget.take(len(data))
        data = unpack(data, LIMITS.body, budget.take)
        if not data or data.isspace():
            raise SourceError("is empty", remedy=remedy)
    except SourceError as error:
        SourceError.__init__(error, error.problem, source=for_message(name), remedy=error.remedy)
        raise
    return data


def unpack(data: bytes, limit: int, take: Callable[[int], None]) -> bytes:
    """Return the content of a gzip file (RFC 1952), unpacked piece by piece; other ``data`` as it is.

    ``take`` gets the size of each unpacked piece, in bytes, so that a caller can charge a budget. Raises
    ``SourceError`` for damaged data, and for more than ``limit`` bytes.

    >>> unpack(gzip.compress(b"<rss/>"), 100, print), unpack(b"<rss/>", 100, print)
    6
    (b'<rss/>', b'<rss/>')
    """
    try:
        with io.BytesIO() as content, gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            while data.startswith(b"\x1f\x8b") and content.tell() <= limit and (piece := file.read(1 << 20)):
                take(len(piece))
                content.write(piece)
            data = content.getvalue() or data
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError("contains damaged or truncated compressed data", remedy="check that it is whole") from error
    if len(data) > limit:
        raise SourceError(f"is larger than {limit / 1e6:,.6g} MB", remedy="give a smaller feed")
    return data
