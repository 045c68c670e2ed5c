"""RSS, RDF and Atom: read by feedparser, beside it one small pass over the elements that feedparser drops or merges.

Sources of the rules: RSS 2.0 (rssboard.org), Atom (RFC 4287), feed paging (RFC 5005), the itunes, content, Dublin Core
and media modules, Podlove Simple Chapters, the Podcast namespace 1.0 (podcastindex.org).
"""

from __future__ import annotations

import io
import re
from html import escape
from typing import TYPE_CHECKING

from lxml import etree

from ..errors import FeedError
from .bodies import mend_text, richest
from .raw import MOST_ITEMS, Body, RawElement, RawFeed
from .repair import ROOT, repair_xml
from .values import is_recording

if TYPE_CHECKING:
    from collections.abc import Iterator

# Namespaces without scheme, "www." and the last slash; of others the prefix counts.
_PREFIXES = {
    "w3.org/2005/atom": "", "purl.org/atom/ns": "", "purl.org/rss/1.0": "", "w3.org/1999/xhtml": "xhtml",
    "itunes.com/dtds/podcast-1.0.dtd": "itunes", "purl.org/rss/1.0/modules/content": "content",
    "purl.org/dc/elements/1.1": "dc", "search.yahoo.com/mrss": "media", "podlove.org/simple-chapters": "psc",
    "podcastindex.org/namespace/1.0": "podcast", "google.com/schemas/play-podcasts/1.0": "googleplay",
    "github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": "podcast",
    "urn:podgraph:snapshot": "podgraph", "youtube.com/xml/schemas/2015": "yt",
}  # fmt: skip
_ADDRESS_EDGE = re.compile(r"^https?://(?:www\.)?|[/#]+$")
_ATOM_PREFIXES = frozenset(("atom", "atom10", "a10", "rss"))
# Elements with a body, and its rank among equally rich ones.
_BODIES = {
    "content:encoded": 0, "content": 0, "xhtml:body": 0, "description": 1, "dc:description": 1, "summary": 1,
    "media:description": 2, "itunes:summary": 2, "googleplay:description": 2,
    "subtitle": 3, "tagline": 3, "itunes:subtitle": 3,
}  # fmt: skip
_KINDS = {
    "text": "text", "text/plain": "text", "html": "html", "text/html": "html", "xhtml": "html",
    "application/xhtml+xml": "html",
}  # fmt: skip
# Elements with one text value, and our name for it.
_VALUES = {
    "itunes:title": "other_title", "media:title": "other_title", "dc:title": "other_title",
    "itunes:explicit": "explicit", "itunes:block": "block", "itunes:episodetype": "type",
    "itunes:new-feed-url": "moved_to", "itunes:duration": "duration", "itunes:episode": "episode",
    "itunes:season": "season", "podcast:episode": "podcast_episode", "podcast:season": "podcast_season",
    "icon": "icon",
}  # fmt: skip
_BYLINES = frozenset(("author", "dc:creator", "dc:author", "itunes:author", "googleplay:author", "managingeditor"))
_PAGES = frozenset(("self", "next", "prev-archive", "last"))
_SPOKEN = frozenset(("itunes", "podcast", "yt", "psc"))
_OTHER_ROOTS = {
    "opml": "a list of feeds (OPML)", "html": "a web page", "urlset": "a sitemap", "sitemapindex": "a sitemap",
    "graphml": "a graph",
}  # fmt: skip
_HEAD = 1 << 16
_FIRST_TAG = re.compile(
    r"(?s)(?:[^<]|<(?:\?|!(?!doctype\s+html))[^>]*+>|<!--.*?-->)*?<(!doctype\s+html|[A-Za-z_][\w.:-]*)", re.IGNORECASE
)
# A section, else a comment or an instruction: expat before 2.6 takes the square of their length.
_REMARK = re.compile(rb"(<!\[CDATA\[.*?\]\]>)|<!--.*?-->|<\?(?!xml).*?\?>", re.DOTALL)
_LARGE = 1 << 22
_LONG_TAG = re.compile(rb"<[^>]{8000000}")
_MOST_REPAIRED = 32 << 20  # bytes
_MOST_LOOSE = 4 << 20  # bytes, and tags: in one tag they take 160 times as much memory
_MOST_LOOSE_TAGS = 200_000


def read_xml_feed(data: bytes, source: str) -> RawFeed:
    """Read a feed in XML (UTF-8). Text that is not well-formed is repaired once, with one line of warning.

    Raises ``FeedError`` for anything but a feed, and for a broken one that is too large to be repaired.
    """
    head = data[:_HEAD].upper()
    has_doctype = b"<!DOCTYPE" in head
    elements, fault = ([], "has a document type") if has_doctype else _read_elements(data)
    cut, broken = "", ""
    remedy = "fetch it again, it may be cut off"
    if fault and len(data) > _MOST_REPAIRED:
        problem = f"{fault}; it is larger than what is repaired ({_MOST_REPAIRED >> 20} MB)"
        raise FeedError(problem, source=source, remedy=remedy)
    text = data[: None if fault else _HEAD].decode("utf-8", "replace")
    _refuse_other(text, fault, source)
    if fault:
        text, cut = repair_xml(text)
        data = text.encode("utf-8", "replace")
        elements, broken = _read_elements(data)
    is_small = len(data) <= _MOST_LOOSE and data.count(b"<") <= _MOST_LOOSE_TAGS
    feed = RawFeed() if broken and not is_small else _fill_feed(_parse(data, source), elements)
    if fault and not (feed.items or feed.channel.values):
        raise FeedError(f"cannot be read as a feed ({broken or fault})", source=source, remedy=remedy)
    feed.cut = cut
    if broken:
        feed.warnings.append(f"{broken if has_doctype else fault}; read as far as it can be")
    elif b"<!ENTITY" in head:
        feed.warnings.append("declares entities of its own; they are left as they are written")
    elif fault and not (has_doctype or cut):
        feed.warnings.append(f"{fault}; repaired")
    return feed


def _refuse_other(text: str, fault: str, source: str) -> None:
    """Raise ``FeedError`` where the outermost element is not one of a feed."""
    first = _FIRST_TAG.match(text)
    name = first[1].lower().rpartition(":")[2].removeprefix("!doctype").strip() if first else ""
    remedy = "give it as a source of its own" if name == "opml" else "give the feed's own URL"
    if name in _OTHER_ROOTS:
        raise FeedError(f"is {_OTHER_ROOTS[name]}, not a feed", source=source, remedy=remedy)
    if not ROOT.search(text):
        what = f"XML, but no feed (its root is <{name[:40]}>)" if name else f"not a feed ({fault})"
        raise FeedError(f"is {what}", source=source, remedy=remedy)


def _parse(data: bytes, source: str) -> dict[str, object]:
    """Return what feedparser reads; its sanitiser would eat ``vector<int>``, its resolving of links rewrite them."""
    import feedparser  # noqa: PLC0415 - takes longer to load than many commands to run

    if len(data) > _LARGE:
        data = _REMARK.sub(lambda match: match[1] or b"", data)
        if _LONG_TAG.search(data):
            raise FeedError("has a tag of more than 8 MB", source=source, remedy="give the feed's own URL")
    headers = {"content-type": "application/xml; charset=utf-8"}
    options = {"sanitize_html": False, "resolve_relative_uris": False, "response_headers": headers}
    parsed: dict[str, object]
    try:  # bytes as they are would be taken for the name of a file first
        parsed = feedparser.parse(io.BytesIO(data), **options)
    except Exception:  # noqa: BLE001 - it raises anything, such as TypeError for a chapter without a start
        parsed = feedparser.parse(io.BytesIO(re.sub(rb"</?psc:[^>]*>", b"", data)), **options)
    return parsed


def _read_elements(data: bytes) -> tuple[list[RawElement], str]:
    """Return the channel and the items as far as feedparser drops or merges their elements, and the first fault."""
    options = {"huge_tree": True, "resolve_entities": False, "no_network": True, "load_dtd": False}
    found: list[RawElement] = []
    try:
        events = etree.iterparse(
            io.BytesIO(data), tag=("{*}item", "{*}entry"), remove_comments=True, remove_pis=True, **options
        )
        for _, element in events:
            outer = element.getparent()
            if outer is None or outer.tag.endswith(("item", "entry")):
                continue
            found.append(_take_element(element))
            element.clear(keep_tail=False)
    except etree.XMLSyntaxError as error:
        reason = next(iter((error.msg or "").partition(", line ")[0].strip().splitlines()), "")
        return [], f"line {error.lineno}: not well-formed XML ({reason[:120]})"
    root = events.root
    channel = root if (inner := root.find("{*}channel")) is None else inner
    return [_take_element(channel), *found], ""


def _name(element: etree._Element) -> str:
    """Return the name of an element under the usual prefix of its namespace."""
    space, _, local = element.tag.rpartition("}")
    prefix = _PREFIXES.get(_ADDRESS_EDGE.sub("", space[1:].lower())) if space else ""
    if prefix is None:
        prefix = (element.prefix or "").lower()
        prefix = "" if prefix in _ATOM_PREFIXES else prefix
    return f"{prefix}:{local.lower()}" if prefix else local.lower()


def _list_children(element: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    for child in element:
        name = _name(child)
        if name in {"media:group", "psc:chapters"}:
            yield from _list_children(child)
        yield name, child


def _take_element(element: etree._Element) -> RawElement:
    """Return what a channel or an item says in elements that feedparser drops or merges."""
    record = RawElement()
    for name, child in _list_children(element):
        if name.partition(":")[0] in _SPOKEN:
            record.put("spoken", "yes")
        text = (child.text or "").strip()
        if name in _BODIES:
            record.bodies.extend(_list_bodies(name, child))
        elif name in _VALUES:
            record.put(_VALUES[name], mend_text(text))
        elif name in _BYLINES:
            authors = [inner.text or "" for inner in child if _name(inner) == "name"] or [text]
            record.authors.extend(mend_text(author.strip()) for author in authors if author.strip())
        else:
            _take_attributes(record, name, child, mend_text(text))
    record.bodies = richest(record.bodies)
    return record


# Elements that an item may have several times, with our list for them and their values ("": the text).
_REPEATED = {
    "podcast:person": ("people", ("", "role", "href")),
    "podcast:soundbite": ("chapters", ("startTime", "", "href")),
    "psc:chapter": ("chapters", ("start", "title", "href")),
}


def _take_attributes(record: RawElement, name: str, element: etree._Element, text: str) -> None:
    """Take an element with attributes, such as those of which feedparser keeps the last."""
    url = element.get("url", "")
    if name in _REPEATED:
        field, keys = _REPEATED[name]
        getattr(record, field).append(tuple(element.get(key, "") if key else text for key in keys))
    elif name == "link" and (relation := element.get("rel", "").lower()) in _PAGES:
        record.put(relation, element.get("href", ""))
    elif name in {"itunes:image", "googleplay:image"}:
        record.put("itunes_image", element.get("href") or text)
    elif name == "media:content":
        record.sounds.append((url, element.get("type") or element.get("medium") or "", 1))
    elif name == "podcast:chapters":
        record.put("chapters", url)
    elif name == "podcast:transcript":
        record.transcripts.append(url)
    elif name == "podgraph:uncertain":
        record.uncertain.extend(element.get("fields", "").split())
    elif name in {"itunes:keywords", "media:keywords"}:
        record.keywords.extend(text.split(","))


def _list_bodies(name: str, element: etree._Element) -> Iterator[Body]:
    """Yield a body as written; Atom declares its type of text (RFC 4287, 3.1 and 4.1.3), RSS leaves it open."""
    kind = "html"
    declared = element.get("type", "").lower()
    text = element.text or ""
    if len(element):
        for inner in element.iter("*"):
            inner.tag = etree.QName(inner).localname
        etree.cleanup_namespaces(element)
        pieces = (etree.tostring(inner, method="html", encoding="unicode") for inner in element)
        text = escape(text, quote=False) + "".join(pieces)
    elif name in {"content", "summary", "subtitle"}:
        if element.get("src") or (declared and declared not in _KINDS and not declared.startswith("text/")):
            return
        kind = _KINDS.get(declared, "text") if declared else "html"
        if not declared:
            text = escape(text, quote=False)
    if text := mend_text(text.strip()):
        yield Body(text, _BODIES[name], kind, element.base or "")


def _fill_feed(parsed: dict[str, object], elements: list[RawElement]) -> RawFeed:
    """Return the feed that feedparser read, with what the second pass found where the two agree about the items."""
    entries = _nodes(parsed, "entries")
    if len(entries) != len(elements) - 1:
        elements = [RawElement() for _ in range(len(entries) + 1)]
        elements[0].put("spoken", "yes" if _SPOKEN & set(_node(parsed, "namespaces")) else "")
    is_atom = _text(parsed, "version").startswith("atom")
    feed = RawFeed(elements[0], elements[1 : MOST_ITEMS + 1])
    for record, node in zip([feed.channel, *feed.items], [_node(parsed, "feed"), *entries], strict=False):
        _fill(record, node, is_atom=is_atom)
        feed.spoken = feed.spoken or "spoken" in record.values or any(is_recording(*sound) for sound in record.sounds)
    if len(entries) > MOST_ITEMS:
        feed.warnings.append(f"the feed has more than {MOST_ITEMS} items; the rest is left out")
    return feed


# Our name for a value, and feedparser's.
_FEEDPARSER_NAMES = {
    "title": "title", "original": "feedburner_origlink", "guid": "id", "published": "published", "updated": "updated",
    "created": "created", "duration": "itunes_duration", "episode": "itunes_episode", "language": "language",
    "image": "logo", "icon": "icon",
}  # fmt: skip


def _fill(record: RawElement, node: dict[str, object], *, is_atom: bool) -> None:
    """Fill a raw element from a channel or item of ``feedparser``; ``is_atom`` is true for a feed in Atom."""
    for ours, theirs in _FEEDPARSER_NAMES.items():
        record.put(ours, _text(node, theirs))
    guid, link, is_link = _text(node, "id"), _text(node, "link"), dict.get(node, "guidislink")
    record.put("permalink", "" if is_link is False else guid)
    record.put("link", "" if is_link and link == guid else link)  # feedparser makes a link of a guid
    record.put("block", "yes" if dict.get(node, "itunes_block") == 1 else "")
    record.put("image", _text(_node(node, "image"), "href"))
    kind = _text(_node(node, "title_detail"), "type")
    record.title_kind = "html" if kind == "application/xhtml+xml" or (is_atom and kind == "text/html") else ""
    if not record.bodies:
        details = [(0, content) for content in _nodes(node, "content")]
        details += [(rank, _node(node, f"{name}_detail")) for rank, name in ((1, "summary"), (3, "subtitle"))]
        record.bodies = richest([_body(detail, rank, is_atom=is_atom) for rank, detail in details if detail])
    for place in _nodes(node, "links"):
        if _text(place, "rel") == "enclosure":
            record.sounds.append((_text(place, "href"), _text(place, "type"), 0))
        else:
            record.put(_text(place, "rel"), _text(place, "href"))
    record.authors = record.authors or [name for one in _nodes(node, "authors") if (name := _text(one, "name"))]
    record.keywords = [_text(tag, "label") or _text(tag, "term") for tag in _nodes(node, "tags")] or record.keywords


def _body(detail: dict[str, object], rank: int, *, is_atom: bool) -> Body:
    kind = "text" if is_atom and _text(detail, "type") == "text/plain" else "html"
    return Body(_text(detail, "value"), rank, kind, _text(detail, "base"))


# feedparser's own get() replaces missing values by others, and an element in a place unknown to it may be of any
# type.
def _text(node: dict[str, object], name: str) -> str:
    value = dict.get(node, name)
    return value if isinstance(value, str) else ""


def _node(node: dict[str, object], name: str) -> dict[str, object]:
    value = dict.get(node, name)
    return value if isinstance(value, dict) else {}


def _nodes(node: dict[str, object], name: str) -> list[dict[str, object]]:
    value = dict.get(node, name)
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []
