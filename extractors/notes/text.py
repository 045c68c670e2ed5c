"""Show notes to plain text, with the hyperlinks and their places in it."""

from __future__ import annotations

import re

from ..model import Link
from ..sites import identify
from ..url import join, split_scheme
from .tokens import decode, parse_attribute, parse_tokens

# The number of line ends at an element's edge: a paragraph is set apart, a list item or a row gets its own line.
_PARAGRAPHS = "p h1 h2 h3 h4 h5 h6 blockquote pre ul ol dl table hr section article figure"
_ROWS = """
div li dt dd tr br address aside body caption center dir details dialog fieldset figcaption footer form frame
header hgroup html legend main menu nav option optgroup summary tbody tfoot thead video audio iframe object
"""
_BREAKS = {
    f"{slash}{name}": worth
    for names, worth in ((_ROWS, 1), (_PARAGRAPHS, 2))
    for name in names.split()
    for slash in ("", "/")
}

# Line ends of all systems.
_LINE_END = re.compile("\r\n?|[\u2028\u2029\x85]")
# Controls, soft hyphens, zero-width and bidirectional marks: unseen, and they cut URLs in two. The joiners stay
# where they belong: between letters of the scripts that use them.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
    "|(?<![^\x00-\x7f])[\u200c\u200d]+"
)
# A link to a moment of the page's own recording. If there is only one, brackets show that it is no time of the day.
_MOMENT = re.compile(r"""(?i)<a\s[^<>]{0,99}?href=["']?[#?]t=[\dhms:.,]+["']?[^<>]{0,99}>\s*(\d[\d:]*)\s*</a>""")
# Halves of characters.
_SURROGATE = re.compile("[\ud800-\udfff]")
# A port and the end or the path behind it: `localhost:8000/x` has no scheme.
_PORT = re.compile(r"\d{5}|\d{1,4}(?:/|\Z)")
# Spaces round an address, escaped: %20https://x.org.
_ESCAPED_SPACES = re.compile(
    r"\A(?:%20|%0[9ad]|%c2%a0|\+){1,8}(?=[a-z]{2,8}:)|(?:%20|%0[9ad]|%c2%a0){1,8}\Z", re.IGNORECASE
)
# A scheme written twice: http://https://x.org.
_DOUBLED_SCHEME = re.compile(r"(?:https?:/{0,3}){1,4}(?=https?:/)", re.IGNORECASE)
# A host at the begin where the scheme was left out.
_HOST_FIRST = re.compile(
    r"(?:www\.|(?:[a-z0-9-]++\.){1,8}(?:com|org|net|io|dev|ai|edu|gov)(?=[/?#:]|$))", re.IGNORECASE
)
_NO_LINE_ENDS = dict.fromkeys(map(ord, "\t\n\r"))
_QUOTES = " \xa0\"'<>\u201c\u201d\u2018\u2019\u2033"


def to_text(markup: str, base: str = "") -> tuple[str, tuple[Link, ...]]:
    r"""Return the plain text of notes, and the hyperlinks in it.

    The text has line ends where blocks end. There is one ``Link`` for each http(s) ``href``, in their order. The
    ``start`` and ``end`` of a link are the offsets of its words in the text. The words of a link without any are those
    of its picture, else its address.

    Args:
        markup: the notes, HTML or plain text
        base: an absolute URL against which relative links are resolved; "": relative links are left out

    >>> text, links = to_text('<p>See <a href="https://x.org/a?b=1&amp;c=2">the <b>PR</b></a>.</p>vector<int> &lt;3')
    >>> text
    'See the PR.\n\nvector<int> <3'
    >>> [(link.url, text[link.start : link.end]) for link in links]
    [('https://x.org/a?b=1&c=2', 'the PR')]
    """
    markup = _LINE_END.sub("\n", _SURROGATE.sub("\ufffd", markup))
    if len(_MOMENT.findall(markup)) == 1:
        markup = _MOMENT.sub(r"[\1]", markup)
    tokens = parse_tokens(markup)
    writer = _Writer(lines_matter=not any(name in _BREAKS for _, name, _ in tokens))
    for text, name, attributes in tokens:
        if not name:
            writer.write(decode(text))
        elif name in ("a", "/a"):
            writer.begin_link(_make_absolute(parse_attribute(attributes, "href"), base) if name == "a" else "")
        elif name in ("td", "th", "/td", "/th"):
            writer.space = True
        elif name == "img" and writer.href:
            writer.alternative = writer.alternative or decode(parse_attribute(attributes, "alt"))
        elif line_ends := _BREAKS.get(name):
            writer.end_line(name, line_ends)
        if name in ("iframe", "script", "embed"):
            address = _make_absolute(parse_attribute(attributes, "src"), base)
            identity = identify(address) if address else None
            if identity and identity.site != "web":  # no widgets, nor the show's own player
                writer.begin_link(address)
                writer.begin_link("")  # ends the link
    writer.begin_link("")  # ends a link that is still open
    return "".join(writer.parts), tuple(writer.links)


class _Writer:
    """Collects text with its white space folded, and the spans of links in it.

    ``lines_matter`` is true for plain text, whose line ends count; those of HTML are white space.
    """

    def __init__(self, *, lines_matter: bool) -> None:
        self.lines_matter = lines_matter
        self.parts: list[str] = []
        self.length = 0  # of the parts
        self.breaks = 0  # line ends that are due before the next text
        self.space = False  # a space is due
        self.preformatted = 0  # the number of open ``pre`` elements
        self.links: list[Link] = []
        self.href = ""  # the address of the open link
        self.start = -1  # where its words begin; -1 before them
        # The words of its picture.
        self.alternative = ""

    def end_line(self, name: str, line_ends: int) -> None:
        """End the line at a tag called ``name``; the next text is at least ``line_ends`` lines below.

        Several tags in turn are worth the maximum of their line ends; only ``br`` adds one, up to two.
        """
        if name.endswith("br"):
            self.breaks = min(self.breaks + 1, 2)
        elif line_ends > self.breaks:
            self.breaks = line_ends
        if name.endswith("pre"):
            self.preformatted = max(0, self.preformatted + (-1 if name[0] == "/" else 1))

    def write(self, text: str) -> None:
        """Add text of the notes; its line ends count in plain text and within ``pre``, else they are white space."""
        if not (self.lines_matter or self.preformatted):
            self.append(text)
            return
        for index, line in enumerate(text.split("\n")):
            if index:
                self.breaks = min(self.breaks + 1, 2)
            self.append(line)

    def append(self, text: str) -> None:
        """Add text without line ends: fold its white space, and write the space or line ends before it that are due.

        A link that was begun without words begins with this text.
        """
        if not text.isprintable():
            text = _INVISIBLE.sub("", text)
        bare = " ".join(text.split())  # split() cuts at any white space of Unicode
        if not bare:
            self.space = self.space or bool(text)
            return
        if self.length:
            gap = "\n" * self.breaks if self.breaks else " " if self.space or text[0].isspace() else ""
            self.parts.append(gap)
            self.length += len(gap)
        self.breaks = 0
        if self.href and self.start < 0:
            self.start = self.length
        self.parts.append(bare)
        self.length += len(bare)
        self.space = text[-1].isspace()

    def begin_link(self, href: str) -> None:
        """End the open link, if there is one, and begin another to ``href``, unless that is "".

        A link without words gets the words of its picture, else its address.
        """
        if self.href:
            for words in (self.alternative, f" {self.href} "):
                if self.start < 0:
                    self.write(words)
            self.links.append(Link(self.href, self.start, self.length, "href"))
        self.href, self.start, self.alternative = href, -1, ""


def _make_absolute(href: str, base: str) -> str:
    """Return an ``href`` as an absolute http(s) URL, "" if it is not one.

    Authors' common mistakes are mended: invisible characters, spaces and quotes round the URL, a scheme written twice
    or left out. ``base`` is the URL against which a relative one is resolved; "": there is none.

    >>> _make_absolute(" http://https://x.org/a b", ""), _make_absolute("/c", "https://x.org/d")
    ('https://x.org/a%20b', 'https://x.org/c')
    """
    url = decode(href)
    if not url.isprintable():
        url = _INVISIBLE.sub("", url).translate(_NO_LINE_ENDS)
    url = url.strip(_QUOTES)
    if "%" in url or url[:1] == "+":
        url = _ESCAPED_SPACES.sub("", url)
    if url.count(":") > 1:
        url = _DOUBLED_SCHEME.sub("", url, count=1)
    url = url.replace(" ", "%20").replace("\xa0", "%20")
    scheme, rest = split_scheme(url)
    if not scheme or _PORT.match(rest):
        if _HOST_FIRST.match(url):
            url = f"https://{url}"
        elif base and url and not url.startswith("#"):
            url = join(base, url)
        elif url.startswith("//"):
            url = f"https:{url}"
        scheme, rest = split_scheme(url)
    rest = rest.lstrip("/")
    return f"{scheme}://{rest}" if rest and scheme in ("http", "https") else ""
