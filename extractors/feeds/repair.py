"""The one repair of a feed whose text is not well-formed XML, before it is read; only where one reading is possible."""

from __future__ import annotations

import re
from html.entities import html5

# The start tag of a feed's outermost element.
ROOT = re.compile(r"<((?:[A-Za-z][\w.-]*:)?(?:rss|rdf|feed))(?=[\s/>])[^<>]*>", re.IGNORECASE)
# A document type declaration with its internal subset.
_DOCTYPE = re.compile(
    r"""<!DOCTYPE(?:[^\[<>"']++|"[^"]*+"|'[^']*+')*+
        (?:\[(?:[^\]<"']++|"[^"]*+"|'[^']*+'|<!--.{0,999}?-->|<(?:[^<>"']++|"[^"]*+"|'[^']*+')*+>)*+\]\s*+)?>""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_LONGEST_PROLOG = 1 << 16
# Characters outside of XML.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Sections in which & and < have no meaning, an open one to the end of the text; then the parts to look at.
_SUSPECT = re.compile(
    r"""<!\[CDATA\[(?:.*?\]\]>|.*)|<!--(?:.*?-->|.*)
      | &(?:\#(?P<decimal>[0-9]+);|\#[xX](?P<hexadecimal>[0-9A-Fa-f]+);|(?P<name>[A-Za-z][A-Za-z0-9]*;))?
      | <(?![A-Za-z_:!?]|/[A-Za-z_:])""",
    re.VERBOSE | re.DOTALL,
)
_XML_NAMES = frozenset(("amp;", "lt;", "gt;", "quot;", "apos;"))
# An element with a text whose author escaped no markup.
_NOTES = re.compile(
    r"<(title|description|content:encoded|itunes:summary|summary)>([^<]*+<[A-Za-z](?:[^<]|<(?!/?(?:item|entry)\b|\1>))*?)</\1\s*>"
)
# The end of an element that may hold a CDATA section.
_TEXT_END = re.compile(r"</(?:description|content:encoded|content|itunes:summary|summary|title)\s*>")
_ITEM_EDGE = re.compile(r"<(/?)(?:item|entry)(?=[\s>])[^<>]*>", re.IGNORECASE)
# The prefix of an element or an attribute, and that of a declared namespace.
_PREFIX = re.compile(r"[<\s/]([A-Za-z_][\w.-]*):[A-Za-z_]")
_DECLARATION = re.compile(r"\bxmlns:([A-Za-z_][\w.-]*)\s*=")
_TAG = re.compile(r"<[A-Za-z/][^<>]*>")
_MOST_PREFIXES = 50


def repair_xml(text: str) -> tuple[str, str]:
    r"""Return the feed in ``text`` nearer to well-formed XML, and a line about its missing end ("": it is there).

    Removes everything before the root, a document type, and characters forbidden in XML. Escapes ``&`` and ``<`` before
    nothing known, replaces HTML's named characters, marks notes with plain markup as CDATA, declares prefixes,
    and ends the feed behind its last whole item.

    >>> repair_xml("<p>oops</p><rss><link>https://x.org/?a=1&sub=2</link><p>1 < 2&nbsp;!</p></rss>")
    ('<rss><link>https://x.org/?a=1&amp;sub=2</link><p>1 &lt; 2\xa0!</p></rss>', '')
    """
    doctype = _DOCTYPE.search(text, 0, _LONGEST_PROLOG)
    root = (ROOT.search(text, doctype.end()) if doctype else None) or ROOT.search(text)
    if root is None:
        return text, ""
    text = _close_sections(_NOT_XML.sub("", text[root.start() :]))
    text = _SUSPECT.sub(_repair_match, text)
    text = _NOTES.sub(_mark_notes, text)
    text, cut = _end(text, root[1])
    prefixes = {prefix for tag in _TAG.findall(text) for prefix in _PREFIX.findall(tag)}
    unknown = sorted(prefixes - set(_DECLARATION.findall(text)) - {"xml", "xmlns"})[:_MOST_PREFIXES]
    spaces = "".join(f' xmlns:{prefix}="urn:undeclared:{prefix}"' for prefix in unknown)
    return f"<{root[1]}{spaces}{text[1 + len(root[1]) :]}", cut


def _close_sections(text: str) -> str:
    """Return a text in which a CDATA section without an end goes no further than the element it is in."""
    first, *sections = text.split("<![CDATA[")
    closed = (one if "]]>" in one else _TEXT_END.sub(r"]]>\g<0>", one, count=1) for one in sections)
    return "<![CDATA[".join((first, *closed))


def _end(text: str, root: str) -> tuple[str, str]:
    """Return the feed without what follows its end, and without the part of an item where its end is missing."""
    end = text.rfind(f"</{root}")
    if end >= 0:
        return f"{text[:end]}</{root}>", ""
    edges = list(_ITEM_EDGE.finditer(text))
    cut = f"the feed's end (</{root}>) is missing"
    if edges and edges[-1][1]:
        text = text[: edges[-1].end()]
    elif edges:
        text = text[: edges[-1].start()]
        cut = "the feed ends in the middle of an item, which is passed over"
    return f"{text}{'</channel>' if '<channel' in text else ''}</{root}>", cut


def _mark_notes(match: re.Match[str]) -> str:
    """Return an element with its markup as a CDATA section; a title without it."""
    name, text = match[1], match[2]
    return f"<title>{_TAG.sub('', text)}</title>" if name == "title" else f"<{name}><![CDATA[{text}]]></{name}>"


def _repair_match(match: re.Match[str]) -> str:
    """Return a section as it is, a character for its reference, and ``<`` or ``&`` of the author's escaped."""
    if match["name"]:
        name = match["name"]
        return match[0] if name in _XML_NAMES else _escape(html5[name]) if name in html5 else f"&amp;{name}"
    if digits := match["decimal"] or match["hexadecimal"]:
        number = int(digits[:9], 10 if match["decimal"] else 16)
        is_character = number < 0x110000 and not _NOT_XML.match(chr(number))
        return match[0] if is_character else "\ufffd"
    return match[0] if len(match[0]) > 1 else _escape(match[0])


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
