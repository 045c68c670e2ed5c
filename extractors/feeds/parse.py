"""Read a feed's bytes into episodes: the only entrance for feeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import FeedError
from .encoding import to_utf8
from .items import finish_feed
from .json_feed import parse_json_feed
from .xml_feed import read_xml_feed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model import Feed
    from .raw import RawFeed


def parse_feed(
    data: bytes,
    *,
    source: str,
    url: str = "",
    content_type: str = "",
    as_kind: str = "",
    asked: str = "",
    private: bool | None = None,
    pages: Sequence[bytes] = (),
) -> Feed:
    """Read a feed: RSS 0.9x, 1.0 and 2.0, Atom, JSON Feed 1.0 and 1.1.

    ``source`` is the user's name for it, ``url`` its address (relative links are resolved against
    it), ``content_type`` the HTTP header. ``as_kind`` (``episodes`` or ``posts``) overrides the detected kind.
    ``asked`` is the requested address with its keys; ``private`` overrides the detection of private feeds.
    ``pages`` are the feed's further pages, whose items follow; an item on two pages is one.
    ``Feed.warnings`` has one line for each skipped part. Raises ``FeedError`` for unreadable data, and for anything
    but a feed.

    >>> data = b"<rss><channel><title>T</title><item><title>A &amp;amp; B</title></item></channel></rss>"
    >>> feed = parse_feed(data, source="feed.xml")
    >>> feed.kind, feed.episodes[0].id, feed.episodes[0].title
    ('blog', 'blog:t/a-b', 'A & B')
    """
    raw = _read(to_utf8(data, source=source, content_type=content_type), source)
    for number, page in enumerate(pages, 2):
        try:
            more = _read(to_utf8(page, source=source), source)
        except FeedError as error:
            raw.warnings.append(f"page {number} {error.problem}")
            continue
        raw.items += more.items
        raw.spoken = raw.spoken or more.spoken
        raw.pages = number
        for name in ("next", "prev-archive"):
            raw.channel.values.pop(name, None)
            raw.channel.put(name, more.channel.get(name))
    return finish_feed(raw, source=source, url=url, as_kind=as_kind, asked=asked, private=private)


def _read(text: bytes, source: str) -> RawFeed:
    """Return one page of a feed as read, from its text in UTF-8."""
    is_json = text[:1024].lstrip()[:1] in {b"{", b"["}
    return parse_json_feed(text, source=source) if is_json else read_xml_feed(text, source)
