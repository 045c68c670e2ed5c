"""RSS 0.9x, 1.0 and 2.0 and Atom 1.0, well-formed: read in one pass, one item in memory at a time.

This is the fast way. It gives the results of ``feedparser`` and the parts lost by ``feedparser``: bodies as written
(entities decoded once, by XML), and repeated elements. The tests read every fixture both ways.
Sources of the rules: RSS 2.0 (rssboard.org), RSS 1.0 (web.resource.org), Atom (RFC 4287), the itunes,
content, Dublin Core and media modules, the Podcast namespace 1.0 (podcastindex.org).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import ClassVar

from .bodies import mend_text, richest
from .markup import StopReading, XmlTarget
from .raw import Body, RawElement, RawFeed
from .web_urls import resolve

_NAMESPACES = {
    "": "",
    "http://www.w3.org/2005/atom": "",
    "http://purl.org/rss/1.0/": "",
    "http://my.netscape.com/rdf/simple/0.9/": "",
    "http://purl.org/rss/1.0/modules/rss091#": "",
    "http://blogs.law.harvard.edu/tech/rss": "",
    "http://backend.userland.com/rss": "",
    "http://backend.userland.com/rss2": "",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "http://purl.org/rss/1.0/modules/content/": "content",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "http://search.yahoo.com/mrss/": "media",
    "http://search.yahoo.com/mrss": "media",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "http://www.google.com/schemas/play-podcasts/1.0": "googleplay",
    "http://rssnamespace.org/feedburner/ext/1.0": "feedburner",
    "http://www.w3.org/1999/xhtml": "xhtml",
    "http://www.youtube.com/xml/schemas/2015": "yt",
    "https://podcastindex.org/namespace/1.0": "podcast",
    "http://podcastindex.org/namespace/1.0": "podcast",
    "https://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": "podcast",
    "urn:podgraph:snapshot": "podgraph",
}
# The usual prefixes, for feeds without declarations.
KNOWN_PREFIXES = {prefix: space for space, prefix in reversed(_NAMESPACES.items()) if prefix}
_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_ABOUT = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"

# Elements with one text value of a channel or an item.
_VALUES = {
    "itunes:title": "other_title", "media:title": "other_title", "dc:title": "other_title",
    "feedburner:origlink": "original",
    "pubdate": "published", "published": "published", "issued": "published", "dcterms:issued": "published",
    "created": "created", "dcterms:created": "created",
    "updated": "updated", "modified": "updated", "dc:date": "updated", "dcterms:modified": "updated",
    "itunes:duration": "duration", "itunes:episode": "episode", "itunes:season": "season",
    "itunes:explicit": "explicit", "itunes:block": "block", "itunes:new-feed-url": "moved_to",
    "language": "language", "dc:language": "language",
    "logo": "image", "icon": "icon", "podcast:episode": "podcast_episode", "podcast:season": "podcast_season",
}  # fmt: skip
# Elements with a body, and its rank among equally rich ones.
_BODIES = {
    "content:encoded": 0, "content": 0, "xhtml:body": 0, "description": 1, "dc:description": 1, "summary": 1,
    "media:description": 2, "itunes:summary": 2, "googleplay:description": 2,
    "subtitle": 3, "tagline": 3, "itunes:subtitle": 3,
}  # fmt: skip
_MARKUP = frozenset((*_BODIES, "title"))
_KINDS = {
    "text": "text", "text/plain": "text", "html": "html", "text/html": "html", "xhtml": "html",
    "application/xhtml+xml": "html",
}  # fmt: skip
_VOID = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"))
_ROOTS = frozenset(("rss", "rdf:rdf", "feed"))
_ITEMS = frozenset(("item", "entry"))
_PAGE_TYPES = frozenset(("", "text/html", "application/xhtml+xml"))
_NO_ATTRIBUTES: Mapping[str, str] = {}  # quicker to ask than lxml's own
_NOWHERE = -9
_DEEPEST_ITEM = 3

MOST_ITEMS = 200_000


class FeedTarget(XmlTarget):
    """Collects a feed from the events of ``read_xml`` in ``feed``.

    ``root`` is the name of the outermost element. A root of another format stops the reading and is not ``known``.
    ``whole`` is true once it was closed.
    """

    def __init__(self) -> None:
        self.feed = RawFeed()
        self.root = ""
        self.known = False
        self.whole = False
        self._names: dict[str, str] = {}  # our name of each tag met so far
        self._own_space = ""
        self._stack: list[str] = []  # the names of the open elements
        self._record = self.feed.channel  # the channel or the item in hand
        self._level = _NOWHERE  # how deep the children of the record are
        self._outer_level = _NOWHERE
        self._pieces: list[str] = []  # the text of the child in hand
        self._attributes: Mapping[str, str] = {}
        self._markup = 0  # how many elements are open inside a body or a title
        self._mixed = False  # there were some in this one
        self._bases: list[tuple[int, str]] = []  # (depth, address) of each open xml:base
        self._overfull = False  # the feed has more than MOST_ITEMS items
        self._nested = False  # an item contained another

    @property
    def depth(self) -> int:
        """How many elements are open."""
        return len(self._stack)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take the start of an element."""
        name = self._names.get(tag) or self._name(tag)
        depth = len(self._stack)
        self._stack.append(name)
        if self._markup:
            self._write_tag(name, attributes)
            return
        if attributes and depth <= max(self._level, _DEEPEST_ITEM) and _BASE in attributes:
            self._bases.append((depth, resolve(self._base(), attributes[_BASE])))
        if depth == self._level:
            self._begin_child(name, depth, attributes)
        elif depth == self._level + 1:
            if self._stack[depth - 1] in _MARKUP:
                self._write_tag(name, attributes)
            else:
                self._pieces = []
        elif depth <= _DEEPEST_ITEM and self._record is self.feed.channel:
            self._contain(name, depth, attributes)

    def data(self, text: str) -> None:
        """Take a piece of text."""
        self._pieces.append(escape(text, quote=False) if self._mixed else text)

    def end(self, _tag: str) -> None:
        """Take the end of an element."""
        name = self._stack.pop()
        depth = len(self._stack)
        if self._markup:
            self._markup -= 1
            local = name.rpartition(":")[2]
            if local not in _VOID:
                self._pieces.append(f"</{local}>")
            return
        if depth == self._level:
            self._take(name)
        elif depth == self._level + 1:
            self._take_inner(self._stack[-1], name)
        elif depth == self._level - 1:
            self._close(name)
        if self._bases and self._bases[-1][0] == depth:
            self._bases.pop()
        self.whole = not depth

    def _name(self, tag: str) -> str:
        """Give an element its namespace's prefix here; looked up once for each name."""
        space, _, local = tag.rpartition("}")
        space = space[1:].lower()
        if not self._stack and local.lower() == "rss":
            self._own_space = space  # RSS has no namespace, but some give it one of their own
        prefix = "" if space == self._own_space else _NAMESPACES.get(space, "?")
        name = f"{prefix}:{local.lower()}" if prefix else local.lower()
        if prefix in {"itunes", "podcast", "yt"}:
            self.feed.spoken = True
        self._names[tag] = name
        return name

    def _text(self) -> str:
        pieces = self._pieces
        text = (pieces[0] if len(pieces) == 1 else "".join(pieces)).strip()
        return text if text.isascii() else mend_text(text)

    def _base(self) -> str:
        return self._bases[-1][1] if self._bases else ""

    def _begin_child(self, name: str, depth: int, attributes: Mapping[str, str]) -> None:
        """Go into an item of the channel, or begin an element for ``_take``."""
        if name in _ITEMS and self._record is self.feed.channel:
            self._open(depth, attributes)
        elif name == "media:group":
            self._level += 1
        else:
            if name in _ITEMS and not self._nested:
                self._nested = True
                self.feed.warnings.append(f"item {len(self.feed.items) + 1} contains items, which are left out")
            self._pieces = []
            self._attributes = attributes or _NO_ATTRIBUTES
            self._mixed = False

    def _contain(self, name: str, depth: int, attributes: Mapping[str, str]) -> None:
        """Go into the root, the channel, or an item beside the channel (RSS 1.0)."""
        if depth == 0:
            self.root = name
            if name not in _ROOTS:
                raise StopReading(f"its root is <{name.removeprefix('?:')}>")
            self.known = True
            self.feed.channel.put("language_of_root", attributes.get(_LANGUAGE, ""))
        if name == "channel" or (depth == 0 and name == "feed"):
            self._level = depth + 1
            self.feed.channel.base = self._base()
        elif name in _ITEMS:
            self._open(depth, attributes)

    def _open(self, depth: int, attributes: Mapping[str, str]) -> None:
        """Begin a record for an item; an ``rdf:about`` is its guid and address (RSS 1.0)."""
        self._record = RawElement(base=self._base())
        self._record.put("permalink", attributes.get(_ABOUT, ""))
        self._record.put("guid", attributes.get(_ABOUT, ""))
        self._outer_level, self._level = self._level, depth + 1

    def _close(self, name: str) -> None:
        """Finish the record that a closing element ends: a group of media, the channel, or an item."""
        if name == "media:group":
            self._level -= 1
        elif self._record is self.feed.channel:
            self._level = _NOWHERE
        else:
            self._record.bodies = richest(self._record.bodies)
            if len(self.feed.items) < MOST_ITEMS:
                self.feed.items.append(self._record)
            elif not self._overfull:
                self._overfull = True
                self.feed.warnings.append(f"the feed has more than {MOST_ITEMS} items; the rest is left out")
            self._record = self.feed.channel
            self._level = self._outer_level

    def _write_tag(self, name: str, attributes: Mapping[str, str]) -> None:
        """Add a tag inside a body or title to its text; from the first one on, the text is markup."""
        if not self._mixed:
            self._pieces = [escape("".join(self._pieces), quote=False)]
            self._mixed = True
        self._markup += 1
        written = "".join(f' {key.rpartition("}")[2]}="{escape(value)}"' for key, value in attributes.items())
        self._pieces.append(f"<{name.rpartition(':')[2]}{written}>")

    def _take(self, name: str) -> None:
        """Take a child of the channel or of an item."""
        text = self._text()
        if value := _VALUES.get(name):
            self._record.put(value, text)
        elif take := self._TAKERS.get(name):
            take(self, name, text)
        elif element := _ELEMENTS.get(name):
            element(self._record, self._attributes, text)

    def _take_inner(self, parent: str, name: str) -> None:
        """Take the text inside such a child: an Atom author's name, the address of an RSS image."""
        if parent == "author" and name == "name":
            if text := self._text():
                self._record.authors.append(text)
        elif parent == "image" and name == "url":
            self._record.put("image", self._text())

    def _take_body(self, name: str, text: str) -> None:
        """Take a body; Atom declares its type of text (RFC 4287, 3.1 and 4.1.3), RSS leaves it open."""
        kind = "html"
        declared = self._attributes.get("type", "").lower()
        if self._mixed:
            text = text.strip()
        elif name in {"content", "summary", "subtitle"}:
            if self._attributes.get("src") or (
                declared and declared not in _KINDS and not declared.startswith("text/")
            ):
                return
            kind = _KINDS.get(declared, "text") if declared else "html"
            if not declared:
                text = escape(text, quote=False)
        if text:
            self._record.bodies.append(Body(text, _BODIES[name], kind, self._base()))

    def _take_title(self, name: str, text: str) -> None:
        self._record.put(name, text)
        if self._mixed or _KINDS.get(self._attributes.get("type", "").lower()) == "html":
            self._record.title_kind = "html"

    def _take_guid(self, _name: str, text: str) -> None:
        self._record.put("guid", text)
        if self._attributes.get("isPermaLink", "true").strip().lower() != "false":
            self._record.put("permalink", text)

    def _take_enclosure(self, _name: str, _text: str) -> None:
        attributes = self._attributes
        self.feed.spoken = True
        where = attributes.get("url") or attributes.get("href", "")
        self._record.enclosures.append((where, attributes.get("type", "")))

    def _take_link(self, _name: str, text: str) -> None:
        """Take a link: in RSS its text is the address, in Atom an attribute, and ``rel`` is its meaning."""
        href = self._attributes.get("href", "")
        relation = self._attributes.get("rel", "alternate").strip().lower()
        kind = self._attributes.get("type", "").lower()
        if not href:
            self._record.put("link", text)
        elif relation == "alternate":
            self._record.put("page" if kind in _PAGE_TYPES else "other_page", href)
        elif relation == "enclosure":
            self.feed.spoken = True
            self._record.enclosures.append((href, kind))
        elif relation in {"self", "next", "prev-archive", "last"}:
            self._record.put(relation, href)

    # Elements with more than their text, or with a meaning for the whole feed.
    _TAKERS: ClassVar[dict[str, Callable[[FeedTarget, str, str], None]]] = {
        "title": _take_title,
        "guid": _take_guid,
        "id": _take_guid,
        "link": _take_link,
        "enclosure": _take_enclosure,
        **dict.fromkeys(_BODIES, _take_body),
    }


# Elements read by their attributes and their text alone.
_ELEMENTS: dict[str, Callable[[RawElement, Mapping[str, str], str], None]] = {
    **dict.fromkeys(
        ("author", "dc:creator", "dc:author", "itunes:author", "googleplay:author", "managingeditor"),
        lambda record, _, text: record.authors.extend([text] if text else ()),
    ),
    "media:content": lambda record, given, _: record.media.append(
        (given.get("url", ""), given.get("type") or given.get("medium", ""))
    ),
    **dict.fromkeys(
        ("itunes:image", "googleplay:image"),
        lambda record, given, text: record.put("itunes_image", given.get("href") or text),
    ),
    **dict.fromkeys(
        ("itunes:keywords", "media:keywords"), lambda record, _, text: record.keywords.extend(text.split(","))
    ),
    **dict.fromkeys(
        ("category", "dc:subject"),
        lambda record, given, text: record.keywords.append(text or given.get("label") or given.get("term", "")),
    ),
    # feedparser keeps the last of repeated elements of the podcast namespace, and drops their text
    "podcast:chapters": lambda record, given, _: record.put("chapters", given.get("url", "")),
    "podcast:person": lambda record, given, text: record.people.append(
        (text, given.get("role", ""), given.get("href", ""))
    ),
    "podcast:transcript": lambda record, given, _: record.transcripts.append(given.get("url", "")),
    "podgraph:uncertain": lambda record, given, _: record.uncertain.extend(given.get("fields", "").split()),
}
