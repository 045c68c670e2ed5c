"""Feeds of malformed XML: mended where only one reading is possible, else cut into items.

Nothing here changes a URL: a bare ``&`` becomes ``&amp;``, its meaning, and never the start of an HTML entity without
a semicolon.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.entities import html5

from .xml_reader import KNOWN_PREFIXES

# The start tag of a feed's outermost element.
_ROOT = re.compile(r"<(?:[A-Za-z][\w.-]*:)?(?:rss|rdf|feed)(?=[\s>])[^<>]*>", re.IGNORECASE)
# A document type declaration with its internal subset.
_DOCTYPE = re.compile(
    r"""<!DOCTYPE(?:[^\[<>"']++|"[^"]*+"|'[^']*+')*+
        (?:\[(?:[^\]<"']++|"[^"]*+"|'[^']*+'|<!--.{0,999}?-->|<(?:[^<>"']++|"[^"]*+"|'[^']*+')*+>)*+\]\s*+)?>""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_LONGEST_PROLOG = 1 << 16
_LONGEST_ROOT = 1 << 15
_MOST_PREFIXES = 50
# Characters outside of XML.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Sections in which & and < have no meaning, an open one to the end of the text; then the parts to look at.
_SUSPECT = re.compile(
    r"""(?P<section><!\[CDATA\[(?:.*?\]\]>|.*)|<!--(?:.*?-->|.*))
      | &(?:\#(?P<decimal>[0-9]+);|\#[xX](?P<hexadecimal>[0-9A-Fa-f]+);|(?P<name>[A-Za-z][A-Za-z0-9]*;))?
      | <(?![A-Za-z_:!?]|/[A-Za-z_:])""",
    re.VERBOSE | re.DOTALL,
)
_CHARACTERS = ((9, 10, 13), range(0x20, 0xD800), range(0xE000, 0xFFFE), range(0x10000, 0x110000))
_XML_NAMES = frozenset(("amp;", "lt;", "gt;", "quot;", "apos;"))
# The prefix of an element or an attribute.
_PREFIX = re.compile(r"[<\s/]([A-Za-z_][\w.-]*):[A-Za-z_]")
# The prefix of a declared namespace.
_DECLARATION = re.compile(r"\bxmlns:([A-Za-z_][\w.-]*)\s*=")
# A tag.
_TAG = re.compile(r"<[A-Za-z/][^<>]*>")
# The name of the element at the beginning of a text.
_NAME = re.compile(r"<[^\s>]+")
# Where an item begins or ends, or a section where nothing does.
_BOUNDARY = re.compile(
    r"<!\[CDATA\[|<!--|<(?P<close>/)?(?:[A-Za-z][\w.-]*:)?(?P<name>item|entry)(?=[\s>])[^<>]*>", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Pieces:
    """A broken feed in pieces: the start tag of its root, the text outside items, and the items.

    ``cut`` is true if the last item has no end; ``items`` then leaves it out.
    """

    root: str
    head: str
    items: tuple[str, ...]
    cut: bool

    def document(self, *items: str) -> bytes:
        """Return a document of these items alone, under the root and its namespaces."""
        inner = "".join(items)
        if self.name.lower().rpartition(":")[2] == "rss":
            inner = f"<channel>{inner}</channel>"
        return f"{self.root}{inner}</{self.name}>".encode("utf-8", "replace")

    @property
    def name(self) -> str:
        """The name of the root, as it is written."""
        return self.root[1:].split(None, 1)[0].rstrip(">/")


def mend(text: str) -> str:
    r"""Return the feed in ``text`` in a form for strict parsers, where only one reading is possible.

    Removes everything before the root, a document type, and characters forbidden in XML. Escapes ``&`` and ``<`` before
    nothing known, replaces HTML's named characters, and declares prefixes without a namespace. Returns an empty text
    when there is no root of a feed.

    >>> mend("<p>oops</p><rss><link>https://x.org/?a=1&sub=2</link><p>1 < 2&nbsp;!</p></rss>")
    '<rss><link>https://x.org/?a=1&amp;sub=2</link><p>1 &lt; 2\xa0!</p></rss>'
    """
    root = _ROOT.search(text)
    if root is None:
        return ""
    doctype = _DOCTYPE.search(text, 0, _LONGEST_PROLOG)
    if doctype and doctype.start() < root.start():
        root = _ROOT.search(text, doctype.end()) or root
    text = _SUSPECT.sub(_mend_match, _NOT_XML.sub("", text[root.start() :]))
    return _declare(text)


def cut_up(text: str) -> Pieces | None:
    """Cut a mended feed into its items, or return nothing when it has no root.

    An unclosed item ends where the next begins; an unclosed CDATA section ends no item.
    """
    root = _ROOT.match(text)
    if root is None or len(root[0]) > _LONGEST_ROOT:
        return None
    heads: list[str] = []
    items: list[str] = []
    start = -1
    name = ""
    at = last = root.end()
    while boundary := _BOUNDARY.search(text, at):
        at = boundary.end()
        if boundary["name"] is None:
            at = _section_end(text, boundary)
        elif boundary["close"]:
            if start >= 0:
                items.append(text[start:at])
                start, last = -1, at
        else:
            if start >= 0:
                items.append(text[start : boundary.start()] + f"</{name}>")
            else:
                heads.append(text[last : boundary.start()])
            start = boundary.start()
            name = boundary[0][1:].split(None, 1)[0].rstrip(">/")
    if start < 0:
        heads.append(text[last:])
    return Pieces(root[0], "".join(heads), tuple(items), start >= 0)


def _section_end(text: str, opening: re.Match[str]) -> int:
    """Return where a CDATA section or comment ends.

    If another one opens before it is closed, it counts as empty: it ends with its own start mark.
    """
    mark = opening[0]
    end_mark = "]]>" if mark == "<![CDATA[" else "-->"
    following = text.find(mark, opening.end())
    end = text.find(end_mark, opening.end(), following if following >= 0 else len(text))
    return opening.end() if end < 0 else end + 3


def _mend_match(match: re.Match[str]) -> str:
    """Return the replacement for a suspect match: a CDATA section stays, an invalid character becomes U+FFFD.

    Any other ``<`` or ``&`` is text of the author's, and is escaped.
    """
    match match.lastgroup:
        case "section":
            return match[0]
        case "name":
            return _named(match["name"])
        case "decimal" | "hexadecimal":
            return match[0] if _is_character(match["decimal"], match["hexadecimal"]) else "\ufffd"
    return "&lt;" if match[0] == "<" else "&amp;"


def _named(name: str) -> str:
    """Return the character for HTML's entity ``name``, as XML writes it."""
    if name in _XML_NAMES:
        return f"&{name}"
    known = html5.get(name, "")
    return known.replace("&", "&amp;").replace("<", "&lt;") if known else f"&amp;{name}"


def _is_character(decimal: str | None, hexadecimal: str | None) -> bool:
    """Return whether XML allows the character of this number (XML 1.0, 2.2)."""
    digits = decimal or hexadecimal or ""
    code = int(digits[:8], 10 if decimal else 16)
    return len(digits) < 9 and any(code in allowed for allowed in _CHARACTERS)


def _declare(text: str) -> str:
    """Declare the prefixes used and nowhere declared."""
    used = {prefix for tag in _TAG.finditer(text) if ":" in tag[0] for prefix in _PREFIX.findall(tag[0])}
    missing = sorted(used - set(_DECLARATION.findall(text)) - {"xml", "xmlns"})[:_MOST_PREFIXES]
    if not missing:
        return text
    written = "".join(f' xmlns:{prefix}="{KNOWN_PREFIXES.get(prefix.lower(), f"urn:{prefix}")}"' for prefix in missing)
    name = _NAME.match(text)
    assert name is not None
    return name[0] + written + text[name.end() :]
