"""Read a feed's bytes into episodes: the only entrance for feeds, and the only file with ``feedparser``.

Well-formed RSS and Atom take the fast way (``xml_reader``), JSON Feed its own; ``feedparser`` reads the rest: other
formats, and single items of broken feeds.
"""

from __future__ import annotations

import io
import re
from calendar import timegm
from datetime import UTC, datetime
from html import escape
from typing import TYPE_CHECKING

from ..errors import FeedError
from .bodies import richest
from .encoding import to_utf8
from .items import finish_feed
from .json_feed import parse_json_feed
from .markup import XmlFault, read_xml
from .mend import mend
from .raw import Body, RawElement, RawFeed
from .salvage import MOST_LOOSE_TAGS, salvage
from .xml_reader import FeedTarget

if TYPE_CHECKING:
    from ..model import Feed

# The begin of a web page.
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_OTHER_ROOTS = {
    "opml": ("is a list of feeds (OPML), not a feed", "give it as a source of its own"),
    "html": ("is a web page, not a feed", "give the feed's own URL"),
    "urlset": ("is a sitemap, not a feed", "give the feed's own URL"),
    "sitemapindex": ("is a sitemap, not a feed", "give the feed's own URL"),
    "graphml": ("is a graph, not a feed", "give the feed's own URL"),
}
_FEED_NAMES = frozenset(("feed", "rss", "rdf", "channel"))
# A time of day.
_CLOCK = re.compile(r"[0-9]+(?::[0-9]+)+")
# A whole number.
_NUMBER = re.compile(r"[0-9]+")
# A month's name: a date without one is in a standard form, or none (2021-W53-1).
_NAME = re.compile(r"[^\W\d_]{3}")
_MOST_LOOSE_BYTES = 4 << 20  # in one tag they would take 160 times as much memory
_MOST_ODD_DATES = 2000
_MOST_MENDED = 32 << 20  # bytes; it takes up to fourteen times as much memory


def parse_feed(
    data: bytes,
    *,
    source: str,
    url: str = "",
    content_type: str = "",
    as_kind: str = "",
    asked: str = "",
    private: bool | None = None,
) -> Feed:
    """Read a feed: RSS 0.9x, 1.0 and 2.0, Atom, JSON Feed 1.0 and 1.1, and other formats of ``feedparser``.

    ``source`` is the user's name for it, ``url`` its address (relative links are resolved against
    it), ``content_type`` the HTTP header. ``as_kind`` (``episodes`` or ``posts``) overrides the detected kind.
    ``asked`` is the requested address with its keys; ``private`` overrides the detection of private feeds.
    ``Feed.warnings`` has one line for each skipped part. Raises ``FeedError`` for unreadable data, and for anything
    but a feed.

    >>> data = b"<rss><channel><title>T</title><item><title>A &amp;amp; B</title></item></channel></rss>"
    >>> feed = parse_feed(data, source="feed.xml")
    >>> feed.kind, feed.episodes[0].id, feed.episodes[0].title
    ('blog', 'blog:t/a-b', 'A & B')
    """
    text = to_utf8(data, source=source, content_type=content_type)
    is_json = text[:1024].lstrip()[:1] in {b"{", b"["}
    raw = parse_json_feed(text, source=source) if is_json else _read(text, source)
    return finish_feed(raw, source=source, url=url, as_kind=as_kind, odd_date=_OddDates(), asked=asked, private=private)


def _read(data: bytes, source: str) -> RawFeed:
    """Read XML: strictly, else mended, else item by item, else as a format known only to ``feedparser``."""
    target = FeedTarget()
    fault = read_xml(data, target)
    if fault is None:
        return target.feed
    root = target.root.rpartition(":")[2]
    is_other = _HTML.match(data[:4096]) or root in _OTHER_ROOTS
    feed = None if is_other else _read_broken(data, target, fault, source)
    if feed is None:
        raise _make_error(data, root, fault, source)
    if feed.nothing_left:
        problem = f"cannot be read as a feed (line {fault.line}: {fault.reason})"
        raise FeedError(problem, source=source, remedy="fetch it again, it may be cut off")
    return feed


def _read_broken(data: bytes, target: FeedTarget, fault: XmlFault, source: str) -> RawFeed | None:
    """Read the rest after this ``fault`` of ``target``; ``None`` when the text is not a feed."""
    if fault.kind == "syntax" and target.whole:
        target.feed.warnings.append("there is something behind the end of the feed; it is passed over")
        return target.feed
    if fault.kind == "stopped" and not target.known and target.root.rpartition(":")[2] in _FEED_NAMES:
        return _loose(data)
    if len(data) > _MOST_MENDED:
        return _keep_unmended(target, fault, source)
    mended = mend(data.decode("utf-8", "replace"))
    return _read_mended(mended, data, fault) if mended else None


def _keep_unmended(target: FeedTarget, fault: XmlFault, source: str) -> RawFeed:
    """Return the feed in ``target`` so far; raises ``FeedError`` where it is empty."""
    problem = f"line {fault.line}: not well-formed XML ({fault.reason}), and larger than what is mended"
    if not target.feed.items:
        remedy = "fetch it again, it may be cut off"
        raise FeedError(f"{problem} ({_MOST_MENDED >> 20} MB)", source=source, remedy=remedy)
    if fault.kind == "namespace":
        target.feed.warnings.append(f"{problem}; read as it is")
    else:
        target.feed.cut = f"{problem}; the rest is left out"
    return target.feed


def _read_mended(mended: str, data: bytes, fault: XmlFault) -> RawFeed:
    """Read the mended text of ``data`` strictly, else item by item."""
    again = FeedTarget()
    if read_xml(mended.encode(), again) is not None:
        feed = salvage(mended, lambda part: _loose(part) or RawFeed()) or RawFeed()
        feed.nothing_left = not (feed.items or feed.channel.values)
        feed.warnings.insert(0, f"line {fault.line}: not well-formed XML ({fault.reason}); read item by item")
        return feed
    if fault.kind != "stopped":
        again.feed.warnings.append(f"line {fault.line}: not well-formed XML ({fault.reason}); mended")
    elif b"<!ENTITY" in data[: 1 << 16]:
        again.feed.warnings.append("declares entities of its own; they are left as they are written")
    return again.feed


def _make_error(data: bytes, root: str, fault: XmlFault, source: str) -> FeedError:
    """Return the error for data whose root is not that of a feed: a web page, another format, or no XML at all."""
    name = "html" if _HTML.match(data[:4096]) else root.removeprefix("?:")
    if name in _OTHER_ROOTS:
        problem, remedy = _OTHER_ROOTS[name]
        return FeedError(problem, source=source, remedy=remedy)
    if name:
        short = name if len(name) <= 40 else name[:39] + "…"
        problem = f"is XML, but no feed (its root is <{short}>)"
    else:
        problem = f"is not a feed (line {fault.line}: {fault.reason})"
    return FeedError(problem, source=source, remedy="give the feed's own URL")


def _loose(data: bytes) -> RawFeed | None:
    """Read a document with ``feedparser``: it makes something of almost anything, and nothing of no feed.

    Its sanitiser would eat ``vector<int>``, its resolving of links rewrite them: both are off.
    """
    if len(data) > _MOST_LOOSE_BYTES or data.count(b"<") > MOST_LOOSE_TAGS:
        return None
    import feedparser  # noqa: PLC0415 - takes longer to load than most feeds to read, and few need it

    try:
        parsed = feedparser.parse(
            io.BytesIO(data),  # bytes as they are would be taken for the name of a file first
            sanitize_html=False,
            resolve_relative_uris=False,
            response_headers={"content-type": "application/xml; charset=utf-8"},
        )
    except Exception:  # noqa: BLE001 - on broken input it raises anything; then it has read nothing
        return None
    if not parsed.version:
        return None
    feed = RawFeed()
    atom = parsed.version.startswith("atom")
    _fill(feed.channel, parsed.feed, atom=atom)
    for entry in parsed.entries:
        record = RawElement()
        _fill(record, entry, atom=atom)
        record.bodies = richest(record.bodies)
        feed.items.append(record)
    feed.spoken = any(item.enclosures for item in feed.items) or bool({"itunes", "podcast"} & set(parsed.namespaces))
    return feed


# Our name for a value, and feedparser's.
_FEEDPARSER_NAMES = (
    ("title", "title"), ("link", "link"), ("original", "feedburner_origlink"), ("guid", "id"),
    ("published", "published"), ("updated", "updated"), ("created", "created"),
    ("duration", "itunes_duration"),
    ("episode", "itunes_episode"), ("season", "itunes_season"), ("podcast_episode", "podcast_episode"),
    ("podcast_season", "podcast_season"), ("language", "language"),
    ("image", "logo"), ("icon", "icon"),
)  # fmt: skip


def _fill(record: RawElement, node: dict[str, object], *, atom: bool) -> None:
    """Fill a raw element from a channel or item of ``feedparser``; ``atom`` is true for a feed in Atom.

    ``dict.get`` avoids ``feedparser``'s own look-up, which falls back to other names.
    """
    for ours, theirs in _FEEDPARSER_NAMES:
        record.put(ours, _text(node, theirs))
    if dict.get(node, "guidislink") is not False:
        record.put("permalink", _text(node, "id"))
    if isinstance(explicit := dict.get(node, "itunes_explicit"), bool):
        record.put("explicit", str(explicit).lower())
    record.put("block", "yes" if dict.get(node, "itunes_block") == 1 else "")
    record.put("image", _text(_node(node, "image"), "href"))
    record.title_kind = _title_kind(node, atom=atom)
    record.bodies = _bodies(node, atom=atom)
    for link in _nodes(node, "links"):
        match _text(link, "rel"):
            case "enclosure":
                record.enclosures.append((_text(link, "href"), _text(link, "type")))
            case "self":
                record.put("self", _text(link, "href"))
    record.media = [(_text(media, "url"), _first(media, "type", "medium")) for media in _nodes(node, "media_content")]
    record.authors = list(filter(None, (_text(author, "name") for author in _nodes(node, "authors"))))
    record.keywords = [_first(tag, "label", "term") for tag in _nodes(node, "tags")]


def _title_kind(node: dict[str, object], *, atom: bool) -> str:
    kind = _text(_node(node, "title_detail"), "type")
    return "html" if kind == "application/xhtml+xml" or (atom and kind == "text/html") else ""


def _bodies(node: dict[str, object], *, atom: bool) -> list[Body]:
    """Return the bodies of a ``feedparser`` node, each with its rank."""
    bodies = [_body(content, 0, atom=atom) for content in _nodes(node, "content")]
    for rank, name in ((1, "summary"), (3, "subtitle")):
        if value := _text(node, name):
            bodies.append(_body(_node(node, f"{name}_detail") or {"value": value}, rank, atom=atom))
    return bodies


def _body(detail: dict[str, object], rank: int, *, atom: bool) -> Body:
    kind = "text" if atom and _text(detail, "type") == "text/plain" else "html"
    return Body(_text(detail, "value"), rank, kind, _text(detail, "base"))


# feedparser's own get() replaces missing values by others, and an element in a place unknown to it may be of any
# type.
def _text(node: dict[str, object], name: str) -> str:
    value = dict.get(node, name)
    return value if isinstance(value, str) else ""


def _first(node: dict[str, object], *names: str) -> str:
    return next(filter(None, (_text(node, name) for name in names)), "")


def _node(node: dict[str, object], name: str) -> dict[str, object]:
    value = dict.get(node, name)
    return value if isinstance(value, dict) else {}


def _nodes(node: dict[str, object], name: str) -> list[dict[str, object]]:
    value = dict.get(node, name)
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


class _OddDates:
    """Parses dates in no standard form with ``feedparser`` (Greek ones).

    It makes dates from other numbers, too, even from today's: an answer counts only when the text contains its year and
    its day. After very many questions every answer is ``None``.
    """

    def __init__(self) -> None:
        self.known: dict[str, datetime | None] = {}

    def __call__(self, text: str) -> datetime | None:
        if text not in self.known:
            self.known[text] = self._ask(text[:200]) if len(self.known) < _MOST_ODD_DATES else None
        return self.known[text]

    @staticmethod
    def _ask(text: str) -> datetime | None:
        """Return ``feedparser``'s date for a text, if the text contains its year and its day."""
        import feedparser  # noqa: PLC0415 - see above

        numbers = {int(number) for number in _NUMBER.findall(_CLOCK.sub("", text))}
        if not any(1900 <= number <= 9998 for number in numbers) or not _NAME.search(text):
            return None
        item = f"<rss version='2.0'><channel><item><pubDate>{escape(text)}</pubDate></item></channel></rss>"
        entries = feedparser.parse(io.BytesIO(item.encode("utf-8", "replace"))).entries
        parsed = dict.get(entries[0], "published_parsed") if entries else None
        if not parsed or not {parsed.tm_year, parsed.tm_mday} <= numbers or not 1900 <= parsed.tm_year <= 9998:
            return None
        return datetime.fromtimestamp(timegm(parsed), UTC)
