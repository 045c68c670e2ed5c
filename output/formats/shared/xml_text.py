"""Texts in XML, for GraphML, GEXF and SVG."""

from __future__ import annotations

import re

from .steering import STEERING

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
