"""XML written and read element by element, for GraphML and GEXF, at any size of file.

Reading refuses a document type declaration: entities, and their abuse, come from nowhere else.
"""

from __future__ import annotations

import gzip
import os
import re
import zlib
from typing import TYPE_CHECKING
from xml.parsers import expat

from podgraph.extractors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

    Event = tuple[str, str, dict[str, str] | str]

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
# What the inside of an element, and of an attribute, escapes.
# Some readers take U+0085 and U+2028 for line ends, as XML 1.1 does.
_TEXT = re.compile("[&<>\r\x85\u2028]")
_ATTRIBUTE = re.compile('[&<>"\t\n\r\x85\u2028]')
_ESCAPES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\t": "&#9;",
    "\n": "&#10;",
    "\r": "&#13;",
    "\x85": "&#133;",
    "\u2028": "&#8232;",
}
_CHUNK = 1 << 18


def escape_text(text: str) -> str:
    r"""Return ``text`` for the inside of an element; a carriage return survives (XML 1.0, 2.11).

    >>> escape_text("a<b\r")
    'a&lt;b&#13;'
    """
    return text if _TEXT.search(text) is None else _TEXT.sub(lambda match: _ESCAPES[match[0]], text)


def escape_attribute(text: str) -> str:
    r"""Return ``text`` for the inside of a quoted attribute; white space survives (XML 1.0, 3.3.3).

    >>> escape_attribute('a"b\n')
    'a&quot;b&#10;'
    """
    return text if _ATTRIBUTE.search(text) is None else _ATTRIBUTE.sub(lambda match: _ESCAPES[match[0]], text)


def xml_events(path: str | os.PathLike[str]) -> Iterator[Event]:
    """Yield ("start", name, attributes) and ("end", name, text) for each element of the file ``path``.

    Names are without their namespace; ``text`` is what stood directly before the end tag. Raises
    ``SourceError`` when the file cannot be read, is not well-formed XML, or declares a document type.
    """
    source = os.fspath(path)
    opened = gzip.open if source.lower().endswith(".gz") else open
    events: list[Event] = []
    text: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        text.clear()
        events.append(("start", name.rpartition("}")[2], attributes))

    def end(name: str) -> None:
        events.append(("end", name.rpartition("}")[2], "".join(text)))
        text.clear()

    def refuse(*_: object) -> None:
        raise SourceError("declares a document type", source=source, remedy="give a file that podgraph wrote")

    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text.append
    parser.StartDoctypeDeclHandler = refuse
    try:
        with opened(path, "rb") as stream:
            while chunk := stream.read(_CHUNK):
                parser.Parse(chunk)
                yield from events
                events.clear()
            parser.Parse(b"", True)
        yield from events
    except (expat.ExpatError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise SourceError(f"is damaged: {error}", source=source, remedy="write it anew") from error
    except FileNotFoundError as error:
        raise SourceError("does not exist", source=source) from error
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}", source=source) from error
