"""Read the other pages of a feed (RFC 5005, JSON Feed), and the feed at its new address (``itunes:new-feed-url``)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..errors import FeedError, SourceError
from ..feeds.parse import parse_feed
from ..keys import without_keys
from ..printable import url_for_message
from ..url import address_key, without_user
from .documents import document_type
from .origin import Origin

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..model import Feed
    from .cache import Fetched

_MOST_PAGES = 200
# Elements and members that lead to other addresses of a feed.
_HINT = re.compile(rb"""["'](?:next|prev-archive|next_url)["']|new-feed-url""")


def read_pages(
    asked: str, first: Fetched, fetch: Callable[[str, Origin], Fetched], notify: Callable[[str], None]
) -> tuple[str, Fetched, tuple[bytes, ...]]:
    """Return the address of a whole feed, its first page and the bytes of the others.

    ``asked`` is the address of the ``first`` page. ``fetch`` gets an address and its origin, and raises
    ``SourceError``. The new address of a feed is followed once, except from an address with a login or key: private
    feeds often repeat the address of the public one. A page that cannot be read, or was read before, is the end.
    """
    feed = _read_channel(first.data, first.url)
    if feed and feed.moved_to and address_key(feed.moved_to) not in {address_key(asked), address_key(first.url)}:
        new_first = _move(asked, feed.moved_to, first, fetch, notify)
        if new_first:
            asked, first = feed.moved_to, new_first
            feed = _read_channel(first.data, first.url)
    pages: list[bytes] = []
    origin = Origin(home=first.home)
    known_addresses = {address_key(asked), address_key(first.url)}
    while (
        feed and feed.next_page and address_key(feed.next_page) not in known_addresses and len(pages) < _MOST_PAGES - 1
    ):
        url = feed.next_page
        known_addresses.add(address_key(url))
        try:
            page = fetch(url, origin)
        except SourceError as error:
            notify(f"page {len(pages) + 2} is not read: {error}")
            break
        if document_type(page.data) != "feed":
            notify(f"page {len(pages) + 2} is not read: {url_for_message(url)}: is not a feed")
            break
        pages.append(page.data)
        feed = _read_channel(page.data, page.url)
    return asked, first, tuple(pages)


def _move(
    asked: str, url: str, first: Fetched, fetch: Callable[[str, Origin], Fetched], notify: Callable[[str], None]
) -> Fetched | None:
    """Return the feed at its new address, ``None`` for a private one or without a feed there."""
    is_private = without_user(asked) != asked or without_keys(asked) != asked
    if is_private or parse_feed(_drop_items(first.data), source="", url=first.url, asked=asked).private:
        return None
    try:
        new_first = fetch(url, Origin(home=first.home))
    except SourceError:
        return None
    if document_type(new_first.data) != "feed":
        return None
    notify(f"{url_for_message(asked)} names a new address (itunes:new-feed-url); reading {url_for_message(url)}")
    return new_first


def _read_channel(data: bytes, url: str) -> Feed | None:
    """Return a feed without items for the links to its other addresses, ``None`` if there are no such links."""
    if not _HINT.search(data):
        return None
    try:
        return parse_feed(_drop_items(data), source="", url=url, private=False)
    except FeedError:
        return None


def _drop_items(data: bytes) -> bytes:
    """Return a feed in XML without its items, for a fast look at the links, which are outside them."""
    begin = re.search(rb"<(?:\w+:)?(?:item|entry)\b", data)
    end = max(data.rfind(b"item>"), data.rfind(b"entry>"))
    return data[: begin.start()] + data[data.index(b">", end) + 1 :] if begin and end > begin.start() else data
