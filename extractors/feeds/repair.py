"""The one repair of a feed whose text is not well-formed XML, before it is read; only where one reading is possible."""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5

# The start tag of a feed's outermost element.
ROOT = re.compile(r"<((?:[A-Za-z][\w.-]*:)?(?:rss|rdf|feed))(?=[\s/>])[^<>]*>", re.IGNORECASE)
# A document type with the declarations in it.
_DOCTYPE = re.compile(r"<!DOCTYPE[^\[<>]*+(?:\[[^\]]*+\]\s*+)?>", re.IGNORECASE)
# Characters outside of XML.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Sections in which & and < have no meaning, an open one to the end of its element; then the parts to look at.
_SUSPECT = re.compile(
    r"""<!\[CDATA\[(?:(?:(?!<!\[CDATA\[).)*?\]\]>|(?:(?!<!\[CDATA\[|</(?:description|content|itunes:summary|summary|title)).)*)
      | <!--(?:.*?-->|.*) | &(?P<name>\#?[A-Za-z0-9]*+;)? | <(?![A-Za-z_:!?]|/[A-Za-z_:])""",
    re.VERBOSE | re.DOTALL,
)
# An element with a text whose author escaped no markup.
_NOTES = re.compile(
    r"<(title|description|content:encoded|itunes:summary|summary)>([^<]*+<[A-Za-z](?:[^<]|<(?!/?(?:item|entry)\b|\1>))*?)</\1\s*>"
)
_TAG = re.compile(r"<[A-Za-z/][^<>]*>")
# The end of an item, or the place before its begin.
_ITEM_EDGE = re.compile(r"</(?:item|entry)\s*>|(?=<(?:item|entry)[\s>])", re.IGNORECASE)
# The prefix of an element or an attribute.
_PREFIX = re.compile(r"[<\s/]([A-Za-z_][\w.-]*):[A-Za-z_]")


def repair_xml(text: str) -> tuple[str, str]:
    r"""Return a feed's ``text`` nearer to well-formed XML, and a line about its missing end ("": the end is there).

    - Everything before the outermost element, a document type, and characters forbidden in XML are removed.
    - ``&`` and ``<`` that begin nothing known are escaped; HTML's named characters are replaced.
    - Notes with unescaped markup become CDATA sections; open CDATA sections end with their element.
    - Undeclared prefixes are declared.
    - A feed without an end is ended behind its last whole item.

    A text without a feed's outermost element comes back without its document type only.

    >>> repair_xml("<p>oops</p><rss><link>https://x.org/?a=1&sub=2</link><p>1 < 2&nbsp;!</p></rss>")
    ('<rss><link>https://x.org/?a=1&amp;sub=2</link><p>1 &lt; 2\xa0!</p></rss>', '')
    """
    text = _DOCTYPE.sub("", text, count=1)
    root = ROOT.search(text)
    if root is None:
        return text, ""
    text = _NOTES.sub(_wrap_notes, _SUSPECT.sub(_repair_match, _NOT_XML.sub("", text[root.start() :])))
    end, cut = text.rfind(f"</{root[1]}"), ""
    if end < 0:
        cut = "the feed's end is missing, and perhaps some of its items"
        end = max((match.end() for match in _ITEM_EDGE.finditer(text)), default=len(text))
    prefixes = {prefix for tag in _TAG.findall(text) for prefix in _PREFIX.findall(tag)}
    # At most 50: a hostile feed may have any number.
    unknown = sorted(prefixes - set(re.findall(r"\bxmlns:([A-Za-z_][\w.-]*)\s*=", text)) - {"xml", "xmlns"})[:50]
    spaces = "".join(f' xmlns:{prefix}="urn:undeclared:{prefix}"' for prefix in unknown)
    channel = "</channel>" if cut and "<channel" in text else ""
    return f"<{root[1]}{spaces}{text[1 + len(root[1]) : end]}{channel}</{root[1]}>", cut


def _wrap_notes(match: re.Match[str]) -> str:
    """Return an element whose text has unescaped markup, with the text as a CDATA section.

    A title loses its markup instead. ``match`` is one of ``_NOTES``: the element's name and its text.
    """
    name, text = match[1], match[2]
    return f"<title>{_TAG.sub('', text)}</title>" if name == "title" else f"<{name}><![CDATA[{text}]]></{name}>"


def _repair_match(match: re.Match[str]) -> str:
    """Return the replacement of one suspect part of XML: ``match`` is a match of ``_SUSPECT``.

    - A comment or a whole CDATA section stays; an open CDATA section gets its end.
    - A named or numeric character (``&nbsp;``) becomes the character; XML's own five stay.
    - Any other ``&`` or ``<`` is escaped.
    """
    name = match["name"]
    if match[0].startswith("<!"):
        return match[0] if match[0].endswith((">", "-")) else f"{match[0]}]]>"
    if name in {"amp;", "lt;", "gt;", "quot;", "apos;"}:
        return match[0]
    text = unescape(match[0]) if name and (name[0] == "#" or name in html5) else match[0]
    return _NOT_XML.sub("\ufffd", text).replace("&", "&amp;").replace("<", "&lt;")
