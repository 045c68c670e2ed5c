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

from podgraph.extractors import SourceError, patient

from ...bounded import most_bytes, too_large
from .steering import STEERING

if TYPE_CHECKING:
    from collections.abc import Iterator

    Event = tuple[str, str, dict[str, str] | str]

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
# Characters to escape in the content of an element, and in an attribute.
# Some readers treat U+0085 and U+2028 as line ends, as XML 1.1 does.
_TEXT = re.compile(f"[&<>\r\u2028{STEERING}]")
_ATTRIBUTE = re.compile(f'[&<>"\t\n\r\u2028{STEERING}]')
_ESCAPES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\t": "&#9;",
    "\n": "&#10;",
    "\r": "&#13;",
    "\u2028": "&#8232;",
    **{mark: f"&#{ord(mark)};" for mark in STEERING},
}
_CHUNK = 1 << 18
_DEEPEST = 50  # elements in each other; graphs have six


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

    Names have no namespace; ``text`` is the text directly before the end tag. Raises
    ``SourceError`` when the file cannot be read, is too large for a graph, compressed or not, is not well-formed XML,
    or declares a document type.
    """
    source = os.fspath(path)
    packed = source.lower().endswith(".gz")
    depth = 0
    events: list[Event] = []
    text: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise SourceError("is not a graph: its elements are nested", source=source, remedy="write it anew")
        text.clear()
        events.append(("start", name.rpartition("}")[2], attributes))

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
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
        with open(path, "rb", opener=patient) as file, gzip.GzipFile(fileobj=file) if packed else file as stream:
            most = left = most_bytes(os.fstat(file.fileno()), packed=packed)
            while chunk := stream.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise too_large(source, most)
                parser.Parse(chunk)
                yield from events
                events.clear()
            parser.Parse(b"", True)
        yield from events
    except (expat.ExpatError, LookupError, EOFError, zlib.error, gzip.BadGzipFile) as error:  # the second: an encoding
        raise SourceError(f"is damaged: {error}", source=source, remedy="write it anew") from error
    except FileNotFoundError as error:
        raise SourceError("does not exist", source=source) from error
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}", source=source) from error
