"""The file format of an index: a magic line, a line of JSON, then zlib streams, one a section.

A section is decompressed on first use, so a query pays only for the sections it needs. The names of the code
are stored uncompressed, because a wheel is compressed itself.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections.abc import Iterable, Mapping
from typing import Any

from ...errors import SourceError

_MAGIC = b"podgraph-index 1\n"
_READ_WHOLE = frozenset(("names",))  # decompressing it in each query would take a quarter of Python's start-up time
_LIMIT = 64 * 1024 * 1024  # bytes a section may unpack to

NO_INDEX = "give one that tools/index made, or a .tsv file"


def pack(header: Mapping[str, object], sections: Mapping[str, bytes]) -> bytes:
    """Return the bytes of an index file; the same input gives the same bytes."""
    packed = {name: zlib.compress(data, 0 if name in _READ_WHOLE else 9) for name, data in sections.items()}
    sizes = {name: len(data) for name, data in packed.items()}
    line = json.dumps({**header, "sections": sizes}, ensure_ascii=False, separators=(",", ":"))
    return b"".join([_MAGIC, line.encode(), b"\n", *packed.values()])


class Sections:
    r"""The sections of an index file, unpacked one by one; ``header`` is its line of JSON.

    Raises ``SourceError`` when ``data`` is not an index.

    >>> sections = Sections(pack({"package": "shop"}, {"names": b"a\nb"}), source="shop.idx")
    >>> sections.header["package"], sections.text("names")
    ('shop', 'a\nb')
    """

    def __init__(self, data: bytes, *, source: str) -> None:
        """Read the header and the place of each section. Raise ``SourceError`` if the sizes do not fit the data."""
        self._source = source
        end = data.find(b"\n", len(_MAGIC))
        if not data.startswith(_MAGIC) or end < 0:
            raise SourceError("is not an index", source=source, remedy=NO_INDEX)
        try:
            self.header: dict[str, Any] = json.loads(data[len(_MAGIC) : end])
            sizes: dict[str, int] = self.header["sections"]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise self.damaged() from error
        if not isinstance(sizes, dict) or not all(isinstance(size, int) and size >= 0 for size in sizes.values()):
            raise self.damaged()
        self._data = data
        self._at: dict[str, tuple[int, int]] = {}
        start = end + 1
        for name, size in sizes.items():
            self._at[name] = (start, start + size)
            start += size
        if start != len(data):
            raise self.damaged()

    def raw(self, name: str) -> bytes:
        """Return a section's bytes, none for a section the file does not have."""
        if name not in self._at:
            return b""
        start, end = self._at[name]
        unpacker = zlib.decompressobj()
        try:
            data = unpacker.decompress(self._data[start:end], _LIMIT)
        except zlib.error as error:
            raise self.damaged() from error
        if not unpacker.eof:
            raise self.damaged()
        return data

    def text(self, name: str) -> str:
        """Return a section as text."""
        try:
            return self.raw(name).decode()
        except UnicodeDecodeError as error:
            raise self.damaged() from error

    def lines(self, name: str) -> list[str]:
        """Return a section as its lines."""
        text = self.text(name)
        return text.split("\n") if text else []

    def numbers(self, name: str, code: str = "H") -> array[int]:
        """Return a section of numbers of 16 bits, or of 32 (``code`` ``I``)."""
        return numbers_from_bytes(self.raw(name), code)

    def json(self, name: str) -> object:
        """Return a section of JSON, an empty object for none."""
        text = self.text(name)
        try:
            found: object = json.loads(text) if text else {}
        except (ValueError, RecursionError) as error:
            raise self.damaged() from error
        return found

    def has(self, names: Iterable[str]) -> bool:
        """Return whether the file has all of these sections."""
        return self._at.keys() >= set(names)

    def damaged(self) -> SourceError:
        """Return the error of a file different from ``pack``'s."""
        return SourceError("is a damaged index", source=self._source, remedy="make it anew with tools/index")


def numbers_to_bytes(numbers: Iterable[int], code: str = "H") -> bytes:
    """Return numbers of 16 bits, or of 32 (``code`` ``I``), as little-endian bytes.

    >>> numbers_from_bytes(numbers_to_bytes([1, 65535])).tolist()
    [1, 65535]
    """
    values = array(code, numbers)
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def numbers_from_bytes(data: bytes, code: str = "H") -> array[int]:
    """Return the numbers written by ``numbers_to_bytes``."""
    values = array(code)
    values.frombytes(data[: len(data) - len(data) % values.itemsize])
    if sys.byteorder == "big":
        values.byteswap()
    return values
