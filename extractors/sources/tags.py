"""Find tags in markup of any quality, in one pass: enough for OPML outlines and for the links of a page.

Only the predefined entities in attribute values are expanded. No document type is read, nothing is loaded; a broken
tag costs only its own attributes. Time grows linearly with the length of any text.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# The begin of a start tag.
_NAME = re.compile(r"<([A-Za-z][^\s/>]*)")
# An end tag.
_END = re.compile(r"</([A-Za-z][^\s/>]*)")
# The end of a tag that is its own end tag.
_EMPTY = re.compile(r"\s*/\s*>")
# An attribute and its value in or without quotes.
_ATTRIBUTE = re.compile(r"[\s/]*([^\s=/>\"']+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+)))?")
_RAW = frozenset({"script", "style", "textarea", "title"})


def find_tags(text: str, names: frozenset[str], *, raw: frozenset[str] = _RAW) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield ``(name, attributes)`` of each start tag called one of ``names``, in the order of the text.

    Names of tags and attributes are lower-case, values decoded; of a repeated attribute the first counts.
    Comments, CDATA sections and the content of the elements ``raw`` are no markup. The shape of tags is that
    of HTML (WHATWG, 13.1.2), which XML's fits into. With ``/name`` among ``names`` the end tags are yielded so,
    too, also that of ``<name/>``.

    >>> list(find_tags("<!-- <link> --><LINK rel=alternate Href='/a?b=1&amp;c'>", frozenset({"link"})))
    [('link', {'rel': 'alternate', 'href': '/a?b=1&c'})]
    """
    at = text.find("<")
    while at >= 0:
        end = at + 1
        if text.startswith("<!--", at):
            end = _behind(text, "-->", at + 4)
        elif text.startswith("<![CDATA[", at):
            end = _behind(text, "]]>", at + 9)
        elif match := _NAME.match(text, at):
            name = match[1].lower()
            attributes, end = _attributes(text, match.end())
            if name in names:
                yield name, attributes
                if f"/{name}" in names and _EMPTY.match(text, end):
                    yield f"/{name}", {}
            if name in raw:
                end = _behind_closing(text, name, end)
        elif (match := _END.match(text, at)) and f"/{match[1].lower()}" in names:
            yield f"/{match[1].lower()}", {}
        at = text.find("<", end)


def _attributes(text: str, at: int) -> tuple[dict[str, str], int]:
    """Return the attributes from ``at`` on, and the place of their end."""
    attributes: dict[str, str] = {}
    while found := _ATTRIBUTE.match(text, at):
        at = found.end()
        attributes.setdefault(found[1].lower(), html.unescape(found[2] or found[3] or found[4] or ""))
    return attributes, at


def _behind(text: str, mark: str, start: int) -> int:
    found = text.find(mark, start)
    return len(text) if found < 0 else found + len(mark)


def _behind_closing(text: str, name: str, start: int) -> int:
    # The end tag of that name.
    found = re.compile(rf"</{re.escape(name)}\b", re.IGNORECASE).search(text, start)
    return found.end() if found else len(text)
