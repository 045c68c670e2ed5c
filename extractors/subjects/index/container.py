"""The file format of an index: a magic line, a line of JSON, then zlib streams of text, one a section.

A section is decompressed on first use, so a query pays only for the sections it needs. The names of the code
are stored uncompressed, because a wheel is compressed itself. A column of numbers is a text, too: a number is the
code point of a character, so that a column needs no parsing.
"""

from __future__ import annotations

import json
import zlib
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeVar

from ...errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MAGIC = b"podgraph-index 2"
_FIELDS = frozenset("version older commit repo docs cppdocs tutorials sections".split())
_SECTIONS = frozenset(
    "files older counts names kinds lines pages pagelist anchors aliases alias_pages modules vocabulary concepts "
    "titles message_gaps message_files".split()
)
_MAXIMUM_SIZE = 64 * 1024 * 1024  # bytes of a section when it is unpacked
_T = TypeVar("_T")

NO_INDEX = "give one that tools/index made, or a .tsv file"


def pack(header: Mapping[str, object], sections: Mapping[str, str]) -> bytes:
    """Return the bytes of an index file; the same input gives the same bytes.

    Args:
        header: the fields of the index, such as ``version`` and ``repo``
        sections: the text of each section by its name; a missing section is empty
    """
    blocks = {}
    for name in sorted(_SECTIONS | sections.keys()):
        data = sections.get(name, "").encode("utf-8", "surrogatepass")
        # Names are only stored: to decompress them in each query would take a quarter of Python's start-up time.
        blocks[name] = zlib.compress(data, 0 if name == "names" else 9)
    sizes = {name: len(data) for name, data in blocks.items()}
    line = json.dumps({**header, "sections": sizes}, ensure_ascii=False, separators=(",", ":"))
    return b"\n".join([_MAGIC, line.encode(), b"".join(blocks.values())])


class Sections:
    r"""The sections of an index file, unpacked one by one; ``header`` is its line of JSON.

    Raises ``SourceError`` when ``data`` is not an index.
    """

    def __init__(self, data: bytes, *, source: str) -> None:
        """Read the header, and find the place of each section by the sizes in it.

        ``source`` is the name of the file in errors. Raises ``SourceError`` if the sizes do not fit the data.
        """
        self._source = source
        magic, _, rest = data.partition(b"\n")
        line, _, self._data = rest.partition(b"\n")
        if magic != _MAGIC:
            raise SourceError("is not an index", source=source, remedy=NO_INDEX)
        try:
            self.header: dict[str, Any] = json.loads(line)
            sizes: dict[str, int] = self.header["sections"]
            ends = accumulate(sizes.values())
            self._places = {name: slice(end - sizes[name], end) for name, end in zip(sizes, ends, strict=True)}
            is_whole = sum(sizes.values()) == len(self._data)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise self._make_error() from error
        if not (is_whole and self.header.keys() >= _FIELDS and self._places.keys() >= _SECTIONS):
            raise self._make_error()

    def read(self, name: str, parse: Callable[[str], _T]) -> _T:
        """Return the section ``name``, as the function ``parse`` reads its text.

        Raises ``SourceError`` for a section that is damaged, or larger than 64 MB when it is unpacked.
        """
        unpacker = zlib.decompressobj()
        try:
            data = unpacker.decompress(self._data[self._places[name]], _MAXIMUM_SIZE)
            value = parse(data.decode("utf-8", "surrogatepass"))
        except (ValueError, LookupError, TypeError, RecursionError, zlib.error) as error:
            raise self._make_error() from error
        if not unpacker.eof:
            raise self._make_error()
        return value

    def _make_error(self) -> SourceError:
        """Return the error for a damaged index."""
        return SourceError("is a damaged index", source=self._source, remedy="make it anew with tools/index")


def parse_pairs(text: str) -> dict[str, str]:
    """Return {first word of a line: the rest of the line} for the lines of a text.

    >>> parse_pairs("a b c")
    {'a': 'b c'}
    """
    return {first: right for first, _, right in (line.partition(" ") for line in text.splitlines())}
