"""Show notes to plain text, with the hyperlinks and where they stand in it.

Notes come as HTML, as plain text, or as something between: unclosed tags, ``vector<int>`` in prose, links in
angle brackets, entities escaped twice. Only what is certainly a tag is taken for one, so no text is lost,
and every step reads its input once, so that the time grows with the length and no more.
"""

from __future__ import annotations

import html
import re
from urllib.parse import urljoin

from .model import Link

_ELEMENTS = frozenset(
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink blockquote body br "
    "button canvas caption center cite code col colgroup content data datalist dd del details dfn dialog dir div dl "
    "dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr "
    "html i iframe image img input ins kbd label legend li link main map mark marquee math menu menuitem meta meter "
    "nav nobr noembed noframes noscript object ol optgroup option output p param picture plaintext pre progress q rb "
    "rp rt rtc ruby s samp script section select shadow slot small source span strike strong style sub summary sup "
    "svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp".split()
)
# How many line ends an element's edge is worth: a paragraph stands apart, a list item or a row gets its own line.
_PARAGRAPHS = frozenset("p h1 h2 h3 h4 h5 h6 blockquote pre ul ol dl table hr section article figure".split())
_LINES = frozenset(
    "div li dt dd tr br address aside body caption center dir details dialog fieldset figcaption footer form frame "
    "header hgroup html legend main menu nav option optgroup summary tbody tfoot thead video audio iframe object".split()
)
_CELLS = frozenset(("td", "th"))
_UNSHOWN = frozenset(("script", "style", "template", "head", "title", "iframe", "noembed", "noframes", "svg", "math"))

# A tag: a name, then attributes in which < stands only between quotes. Possessive, so that no input makes it go back.
_MARKUP = re.compile(
    r"""<(?:
        (?P<close>/)?(?P<name>[A-Za-z][A-Za-z0-9]*(?:[-:][A-Za-z0-9]+)*)(?=[\s/>])
            (?P<attributes>(?>[^<>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')|[="'])*+)>
      | (?P<comment>!--)
      | (?P<cdata>!\[CDATA\[)
      | (?:!doctype|\?xml)\b[^<>]*+>
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"""(?:^|(?<=[\s"'/]))(?P<name>href|alt|src)\s*+=\s*+(?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'|(?P<bare>[^\s"'>]++))""",
    re.IGNORECASE,
)
# An entity ends with a semicolon here: in `?a=1&copy=2` the author meant a parameter.
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ESCAPED_TAG = re.compile(r"&lt;(?:/(?:p|a|div|ul|ol|li|span|strong|em|b|i|h[1-6])\s*&gt;|a\s+href\s*=|br\s*/?\s*&gt;)", re.IGNORECASE)
_BLANK = " \t\n\r\f\v\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
_SPACES = re.compile(f"[{_BLANK}\u2028\u2029]+")
_SPACES_IN_LINE = re.compile(f"[{_BLANK.replace(chr(10), '')}]+")
_LINE_END = re.compile("\r\n?|[\u2028\u2029\x85]")
_BREAK_ELEMENT = re.compile(rf"<(?:{'|'.join(sorted(_PARAGRAPHS | _LINES))})[\s/>]", re.IGNORECASE)
# Controls, soft hyphens, zero-width and bidirectional marks: unseen, and they cut URLs in two.
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]")
_JOINERS = re.compile("(?<=[\x21-\x7e])[\u200c\u200d]+|[\u200c\u200d]+(?=[\x21-\x7e])")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_DOUBLED_SCHEME = re.compile(r"(?:https?:/{0,3}){1,4}(?=https?:/)", re.IGNORECASE)
_HOST_FIRST = re.compile(r"(?:www\.|(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|ai|edu|gov)(?=[/?#:]|$))", re.IGNORECASE)


def to_text(markup: str, base: str = "") -> tuple[str, tuple[Link, ...]]:
    """Turn notes into plain text and the hyperlinks in it.

    ``markup`` is HTML or plain text; ``base`` an absolute URL against which relative links are resolved.
    Returns the text, with the ends of blocks as line ends, and one ``Link`` for each http(s) ``href``, whose
    ``start`` and ``end`` index the words it stands behind (empty for a link without words).

    >>> to_text('<p>See <a href="https://x.org/a?b=1&amp;c=2">the <b>PR</b></a>.</p><p>vector<int> &lt;3')
    ('See the PR.\\n\\nvector<int> <3', (Link(url='https://x.org/a?b=1&c=2', start=4, end=10, method='href', truncated=False),))
    """
    markup = _LINE_END.sub("\n", _SURROGATE.sub("\ufffd", markup))
    tokens = list(_tokens(markup))
    if not any(name for _, name, _ in tokens) and _ESCAPED_TAG.search(markup):
        markup = _decode(markup)
        tokens = list(_tokens(markup))
    writer = _Writer(base, lines_matter=not _BREAK_ELEMENT.search(markup))
    for text, name, attributes in tokens:
        if name:
            writer.tag(name, attributes)
        else:
            writer.write(_decode(text))
    return writer.result()


def _tokens(markup: str) -> list[tuple[str, str, str]]:
    """Cut into (text, "", "") and ("", name or /name, attributes); comments and unshown elements are passed over."""
    tokens: list[tuple[str, str, str]] = []
    missing: set[str] = set()  # ends known not to come any more: looked for once, not once a tag
    at = start = 0
    in_cdata = False
    while match := _MARKUP.search(markup, at):
        name = (match["name"] or "").lower()
        end = match.end()
        if name and name not in _ELEMENTS and "-" not in name and ":" not in name:
            at = match.start() + 1
            continue
        if match.start() > start:
            tokens.append((markup[start : match.start()], "", ""))
        if match["comment"]:
            end = _skip(markup, end, "-->", missing) or end
        elif match["cdata"]:
            in_cdata = True
        elif name:
            tokens.append(("", ("/" if match["close"] else "") + name, match["attributes"]))
            if name in _UNSHOWN and not match["close"] and not match["attributes"].endswith("/"):
                end = _skip(markup, end, f"</{name}", missing) or end
        at = start = end
    if start < len(markup):
        tokens.append((markup[start:], "", ""))
    return [(text.replace("]]>", ""), *rest) for text, *rest in tokens] if in_cdata else tokens  # type: ignore[misc]


def _skip(markup: str, at: int, closer: str, missing: set[str]) -> int:
    """Return where ``closer`` begins (an end tag) or ends (a comment) behind ``at``; 0 when it never comes."""
    if closer in missing:
        return 0
    found = re.compile(re.escape(closer), re.IGNORECASE).search(markup, at)
    if found is None:
        missing.add(closer)
        return 0
    return found.start() if closer.startswith("</") else found.end()


def _decode(text: str) -> str:
    return _ENTITY.sub(lambda match: html.unescape(match[0]), text) if "&" in text else text


class _Writer:
    """Collects text with its white space folded, and the spans of links in it."""

    def __init__(self, base: str, *, lines_matter: bool) -> None:
        self.base = base
        self.lines_matter = lines_matter
        self.parts: list[str] = []
        self.length = 0
        self.breaks = 0
        self.space = False
        self.preformatted = 0
        self.links: list[Link] = []
        self.href = ""
        self.start = -1
        self.alternative = ""

    def tag(self, name: str, attributes: str) -> None:
        closing = name.startswith("/")
        element = name.removeprefix("/")
        if element == "a":
            self._end_link()
            if not closing:
                self.href = _absolute(_attribute(attributes, "href"), self.base)
        elif element == "br":
            self.breaks = min(self.breaks + 1, 2)
        elif element in _PARAGRAPHS:
            self.breaks = 2
            self.preformatted = max(0, self.preformatted + (-1 if closing else 1)) if element == "pre" else self.preformatted
        elif element in _LINES:
            self.breaks = max(self.breaks, 1)
        elif element in _CELLS:
            self.space = True
        elif element == "img" and self.href:
            self.alternative = self.alternative or _decode(_attribute(attributes, "alt"))

    def write(self, text: str) -> None:
        if not text.isascii() or _INVISIBLE.search(text):
            text = _JOINERS.sub("", _INVISIBLE.sub("", text))
        if not (self.lines_matter or self.preformatted):
            self._append(_SPACES.sub(" ", text))
            return
        for index, line in enumerate(text.split("\n")):
            if index:
                self.breaks = min(self.breaks + 1, 2)
                self.space = False
            self._append(_SPACES_IN_LINE.sub(" ", line))

    def result(self) -> tuple[str, tuple[Link, ...]]:
        self._end_link()
        return "".join(self.parts), tuple(self.links)

    def _append(self, text: str) -> None:
        bare = text.strip(" ")
        if not bare:
            self.space = self.space or bool(text)
            return
        if self.length:
            gap = "\n" * self.breaks if self.breaks else " " if self.space or text[0] == " " else ""
            self.parts.append(gap)
            self.length += len(gap)
        self.breaks = 0
        if self.href and self.start < 0:
            self.start = self.length
        self.parts.append(bare)
        self.length += len(bare)
        self.space = text[-1] == " "

    def _end_link(self) -> None:
        if self.href:
            if self.start < 0 and self.alternative:
                self.write(self.alternative)
            start = self.length if self.start < 0 else self.start
            self.links.append(Link(self.href, start, self.length, "href"))
        self.href, self.start, self.alternative = "", -1, ""


def _attribute(attributes: str, wanted: str) -> str:
    for match in _ATTRIBUTE.finditer(attributes):
        if match["name"].lower() == wanted:
            return match["double"] or match["single"] or match["bare"] or ""
    return ""


def _absolute(href: str, base: str) -> str:
    """Return an ``href`` as an absolute http(s) URL, with what authors commonly get wrong mended; "" for others."""
    url = re.sub(r"[\t\n\r]", "", _INVISIBLE.sub("", _decode(href))).strip(" \xa0")
    url = _DOUBLED_SCHEME.sub("", url, count=1).replace(" ", "%20")
    scheme = _SCHEME.match(url)
    if scheme is None or url[scheme.end() :][:5].split("/")[0].isdigit():
        if _HOST_FIRST.match(url):
            return f"https://{url}"
        if not url or url.startswith("#") or not base:
            return f"https:{url}" if url.startswith("//") else ""
        try:
            url = urljoin(base, url)
        except ValueError:
            return ""
        scheme = _SCHEME.match(url)
    if scheme is None or scheme[1].lower() not in ("http", "https"):
        return ""
    return f"{scheme[1].lower()}://{url[scheme.end() :].lstrip('/')}"
