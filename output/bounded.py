"""The bytes of a graph in a file, no more of them than any graph has: the file may be a stranger's, or no file."""

from __future__ import annotations

import os
import stat

from podgraph.extractors import SourceError, patient, why_unreadable
from podgraph.graph import NewerError

_GZIP = b"\x1f\x8b"
_MOST = 1 << 30  # bytes of a graph in a file of JSON: parsed, it takes eight times as much memory
_MOST_OF_PIPE = 256 << 20
_MOST_FOREIGN = 64 << 20  # bytes of files by other programs: they are parsed as a whole, in 20 times the memory
_UNPACKED = 64 << 20  # bytes of any small file when unpacked; of a bigger one so many times its size
_TIMES = 30  # graphs have 9 to 15
_BEGIN = b" \t\r\n\xef\xbb\xbf"  # bytes allowed before JSON


def graph_bytes(source: str) -> bytes:
    """Return the bytes of node-link JSON in a file, decompressed if necessary, whatever the file's name.

    Raises ``SourceError`` for a missing, damaged or too large file, and for anything but a graph.
    """
    try:
        with open(source, "rb", opener=patient) as stream:
            about = os.fstat(stream.fileno())
            regular, most = stat.S_ISREG(about.st_mode), most_bytes(about)
            if regular and about.st_size > most:
                raise too_large(source, most)
            data = b"" if regular else stream.read(len(_GZIP))
            if not data or _may_begin(data):
                data += stream.read(-1 if regular else most)
    except FileNotFoundError:
        raise SourceError("there is no such file", source=source, remedy="`podgraph build` makes one") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise SourceError(f"cannot be read ({getattr(error, 'strerror', error)})", source=source) from error
    if len(data) > most:
        raise too_large(source, most)
    return _unpacked(data, source) if data.startswith(_GZIP) else data


def most_bytes(about: os.stat_result, *, packed: bool = False) -> int:
    """Return how many bytes of a file may be read, or may come out of a ``packed`` one."""
    if packed:
        return max(_UNPACKED, _TIMES * about.st_size)
    return _MOST if stat.S_ISREG(about.st_mode) else _MOST_OF_PIPE


def not_ours(source: str, error: Exception) -> SourceError:
    """Return the error for a file of another program, or a damaged one."""
    if isinstance(error, NewerError):
        return SourceError(str(error), source=source, remedy="update podgraph, or build it anew")
    if os.path.isfile(source) and not os.path.getsize(source):  # noqa: PTH113, PTH202 - any path
        return SourceError("is empty", source=source, remedy="`podgraph build` makes a graph")
    problem = f"is not a graph that podgraph wrote: {why_unreadable(error)}"
    return SourceError(problem, source=source, remedy="`podgraph build` makes one")


def build_it_first(source: str) -> str:
    """Return the remedy for a feed in the place of a graph."""
    return f"build it first: `podgraph build {source} -o podgraph.json`"


def check_foreign(data: bytes, source: str) -> None:
    """Raise ``SourceError`` for data of another program if it is too large to parse as a whole."""
    if len(data) > _MOST_FOREIGN:
        raise too_large(source, _MOST_FOREIGN)


def _may_begin(data: bytes) -> bool:
    """Return whether JSON or gzip may begin so, before an endless device is read."""
    return data.startswith(_GZIP) or data.lstrip(_BEGIN)[:1] in (b"", b"{")


def _unpacked(data: bytes, source: str) -> bytes:
    """Return gzip data decompressed, with a limit against data that unpack to a thousand times their size."""
    import zlib  # noqa: PLC0415 - few graphs are packed

    most = max(_UNPACKED, _TIMES * len(data))
    pieces, size = [], 0
    try:
        while data:  # gzip allows several members, one after the other
            stream = zlib.decompressobj(16 + zlib.MAX_WBITS)  # 16: of gzip
            pieces.append(stream.decompress(data, most - size + 1))
            size += len(pieces[-1])
            if size > most:
                raise too_large(source, most)
            if not stream.eof:
                raise _damaged(source)
            data = stream.unused_data.lstrip(b"\0")  # tapes and disks pad members with zeros
    except zlib.error as error:
        raise _damaged(source) from error
    return b"".join(pieces)


def _damaged(source: str) -> SourceError:
    return SourceError("is damaged: gzip cannot unpack it", source=source, remedy="`podgraph build` makes one")


def too_large(source: str, most: int) -> SourceError:
    """Return the error of a file of more than ``most`` bytes."""
    problem = f"is larger than a graph that is read so ({most >> 20:,} MB)"
    return SourceError(problem, source=source, remedy="`podgraph build -o FILE.sqlite` makes one of any size")
