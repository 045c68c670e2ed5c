"""Texts in XML, for GraphML, GEXF and SVG."""

from __future__ import annotations

from xml.sax.saxutils import escape

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
# XML 1.0 (2.11, 3.3.3) changes white space; some readers take U+2028 for a line end, as XML 1.1 does.
_IN_TEXT = {"\r": "&#13;", "\u2028": "&#8232;"}
_IN_ATTRIBUTE = {'"': "&quot;", "\t": "&#9;", "\n": "&#10;", **_IN_TEXT}


def escape_text(text: str) -> str:
    r"""Return a text for the inside of an element.

    >>> escape_text("a<b\r")
    'a&lt;b&#13;'
    """
    return escape(text, _IN_TEXT)


def escape_attribute(text: str) -> str:
    r"""Return a text for the inside of a quoted attribute.

    >>> escape_attribute('a"b\n')
    'a&quot;b&#10;'
    """
    return escape(text, _IN_ATTRIBUTE)
