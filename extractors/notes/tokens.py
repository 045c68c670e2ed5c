"""Cut notes into text and tags. Notes come as HTML, as plain text, or as something between.

Only certain tags are taken for one: ``vector<int>``, ``a <b and c> d`` and ``<https://x>`` are text. Every step reads
its input once, so that the time grows linearly with the length.
"""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5

from lxml.html import defs

_ELEMENTS = defs.tags | frozenset(
    "bdi content data dialog frame image main nobr noembed noframes picture plaintext rb rtc slot template xmp".split()
)
_UNSHOWN = frozenset("script style template head title iframe noembed noframes svg math".split())
# A tag: a name, then attributes with < only between quotes. Possessive, so that no input makes it backtrack.
_MARKUP = re.compile(
    r"""<(?:
        (?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9]*(?:[-:][A-Za-z0-9]+)*+)(?=[\s/>])
            (?P<attributes>(?>[^<>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')|[="'])*+)>
      | (?P<comment>!--)
      | (?P<cdata>!\[CDATA\[)
      | (?:!doctype|\?xml)\b[^<>]*+>
    )""",
    re.VERBOSE | re.IGNORECASE,
)
# The end tag of an element that is not of HTML.
_CLOSED = re.compile(r"</([A-Za-z][A-Za-z0-9]*[-:][A-Za-z0-9:-]*+)")
# An attribute and its value, quoted or not; other characters are skipped.
_ATTRIBUTE = re.compile(r"""([^\s=/>"']++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>]++)))?+|[\s/]++|.""", re.DOTALL)
# An entity; it ends with a semicolon here: in `?a=1&copy=2` the author meant a parameter.
_ENTITY = re.compile(r"&(?:#(?:[0-9]{1,7}|[xX][0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));")
# A tag whose angle bracket was escaped, up to three times.
_ESCAPED_TAG = re.compile(
    r"&(?:amp;){0,3}lt;(?:/(?:p|a|div|ul|ol|li|span|strong|em|b|i|h[1-6])\s{0,9}&(?:amp;){0,3}gt;|"
    r"a\s[^<>]{0,200}?\bhref\s{0,9}=|br\s{0,9}/?\s{0,9}&(?:amp;){0,3}gt;)",
    re.IGNORECASE,
)

Token = tuple[str, str, str]
"""(text, "", "") for text, ("", name, attributes) for a tag; the name of an end tag begins with a slash."""


def parse_tokens(markup: str) -> list[Token]:
    """Return the texts and tags of notes, in their order.

    A text is ``(text, "", "")``, with its entities. A start tag is ``("", name, attributes)``, an end tag ``("",
    "/name", attributes)``, with the name in lower case. Comments and invisible elements (scripts, styles, frames) are
    skipped.

    Some publishers escape all tags of their notes, even several times. If there is no tag, such notes are decoded, at
    most three times.

    >>> parse_tokens("a <b and c> <BR/><!-- d -->e")
    [('a <b and c> ', '', ''), ('', 'br', '/'), ('e', '', '')]
    """
    tokens = _cut_markup(markup)
    for _ in range(3):
        if any(name for _, name, _ in tokens) or not _ESCAPED_TAG.search(markup):
            break
        markup = decode(markup)
        tokens = _cut_markup(markup)
    return tokens


def parse_attribute(attributes: str, name: str) -> str:
    """Return the value of the first attribute called ``name`` in the attributes of a tag, "" without one.

    Entities in the value are not decoded. ``name`` is in lower case.

    >>> parse_attribute(''' title='href="no"' HREF = "https://x.org/?a&amp;b" ''', "href")
    'https://x.org/?a&amp;b'
    """
    for match in _ATTRIBUTE.finditer(attributes):
        if match[1] and match[1].lower() == name:
            return match[2] or match[3] or match[4] or ""
    return ""


def decode(text: str) -> str:
    """Return ``text`` with its entities decoded once; an entity ends with a semicolon.

    >>> decode("&lt;&#8230;&amp;amp; ?a=1&copy=2 &section;")
    '<…&amp; ?a=1&copy=2 &section;'
    """
    return _ENTITY.sub(_decode_entity, text) if "&" in text else text


def _decode_entity(match: re.Match[str]) -> str:
    """Return the character of an entity (a match of ``_ENTITY``); one with an unknown name stays as it is."""
    return html5.get(f"{match[1]};", match[0]) if match[1] else unescape(match[0])


def _cut_markup(markup: str) -> list[Token]:
    """Return the texts and tags of ``markup``, found in one pass from ``<`` to ``<``.

    A ``<`` that does not begin a tag is text. A name that HTML does not have is a tag only where markup is likely: with
    an end tag somewhere, an attribute, or a slash.
    """
    tokens: list[Token] = []
    custom: set[str] = set()  # names beside those of HTML that some end tag has
    missing: set[str] = set()  # end marks that do not come any more: searched for once, not once a tag
    at = start = 0  # the place of the search, and the begin of the next text
    while (at := markup.find("<", at)) >= 0:
        match = _MARKUP.match(markup, at)
        name = match["name"].lower() if match and match["name"] else ""
        if name and name not in _ELEMENTS and not custom:
            # Never empty, so that the search is done once only.
            custom = {name.lower() for name in _CLOSED.findall(markup)} or {""}
        if match is None or (name and not _is_tag(name, match["attributes"], custom)):
            at += 1
            continue
        if at > start:
            tokens.append((markup[start:at], "", ""))
        if name:
            tokens.append(("", match["close"] + name, match["attributes"]))
        at = start = _find_visible(markup, match, name, missing)
    if start < len(markup):
        tokens.append((markup[start:], "", ""))
    if "<![" in markup:
        tokens = [(text.replace("]]>", ""), name, attributes) for text, name, attributes in tokens]
    return [token for token in tokens if token[0] or token[1]]


def _find_visible(markup: str, match: re.Match[str], name: str, missing: set[str]) -> int:
    """Return the offset of the next visible text: behind a comment, a tag, or an invisible element such as a script.

    Args:
        markup: the notes
        match: a match of ``_MARKUP``: the tag, or the begin of the comment
        name: the name of the tag in lower case, "" for a comment
        missing: end marks known to be absent; without its end mark only the tag itself is skipped. May get one more
    """
    if match["comment"]:
        return _find_end_mark(markup, match.end(), "-->", missing) or match.end()
    if name in _UNSHOWN and not match["close"] and not match["attributes"].endswith("/"):
        return _find_end_mark(markup, match.end(), f"</{name}", missing) or match.end()
    return match.end()


def _is_tag(name: str, attributes: str, custom: set[str]) -> bool:
    """Return whether a name in angle brackets is a tag, and not a comparison or a type such as ``vector<int>``.

    Args:
        name: the name, in lower case
        attributes: the text behind the name
        custom: names of elements that are not of HTML, with an end tag in the same notes
    """
    if name in _ELEMENTS:
        # `i <b and c> d` compares; no element of one letter has attributes without values.
        return len(name) > 1 or "=" in attributes or not attributes.strip(" \t\n/")
    return ("-" in name or ":" in name) and (name in custom or "=" in attributes or attributes.endswith("/"))


def _find_end_mark(markup: str, at: int, end_mark: str, missing: set[str]) -> int:
    """Return the offset where an end tag begins, or where the end mark of a comment ends; 0 if it never comes.

    Args:
        markup: the notes
        at: the offset to search from
        end_mark: ``</script`` or the like, or ``-->``, in upper or lower case
        missing: end marks known to be absent behind an earlier offset; gets this one if it is absent
    """
    if end_mark in missing:
        return 0
    match = re.compile(re.escape(end_mark), re.IGNORECASE).search(markup, at)
    if match is None:
        missing.add(end_mark)
        return 0
    return match.start() if end_mark.startswith("</") else match.end()
