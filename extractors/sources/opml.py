"""Lists of feeds: the outlines of an OPML file, and the feeds that a web page names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..printable import printable
from ..url import is_web, join
from .document_type import addresses, decode
from .tags import find_tags

if TYPE_CHECKING:
    from collections.abc import Iterator

# Only the begin of a page is searched, because the links are in its head.
_PAGE = 2_000_000
_DEEPEST_GROUP, _LONGEST_NAME = 5, 80  # outlines in a group's name, characters of one
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"})
# Early JSON Feeds have this type, and so have many other documents (WordPress' programming interface).
_LAST_RESORT = "application/json"
# Addresses of feeds in links for readers: feeds.HOST/…, /feed, /feed.xml, /rss, /podcast.rss
_FEED_ADDRESS = re.compile(
    r"https?://(?:feeds?\.[^/?#]+/.|[^?#]*/(?:feed|rss)(?:\.xml)?/?$|[^?#]*\.rss$)", re.IGNORECASE
)
# A show at Apple Podcasts
_APPLE = re.compile(r"https?://(?:podcasts|itunes)\.apple\.com/[^?#]*/id\d", re.IGNORECASE)


def find_outlines(data: bytes, base: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield ``("feed" | "list", url, group)`` for the outlines of an OPML document, nested ones too, in its order.

    A feed is an outline with an ``xmlUrl``. A list includes another OPML document (``type`` is ``include``, or ``link``
    to a name ending in ``.opml``; OPML 2.0, "Inclusion" and "Directories"). The group is the names of the outlines
    round it, joined by slashes. Relative addresses are resolved against ``base``. Other schemes than http(s) are
    yielded too; the caller refuses them. In a plain text of addresses each line is a feed.

    >>> list(find_outlines(b"<opml><outline text='a'><outline xmlUrl='https://a.example/f'/></outline></opml>"))
    [('feed', 'https://a.example/f', 'a')]
    """
    text = decode(data)
    if "<" not in text:
        yield from (("feed", line, "") for line in addresses(text))
        return
    round_it: list[str] = []
    for tag, attributes in find_tags(text, frozenset({"outline", "/outline"}), raw=frozenset()):
        if tag == "/outline":
            del round_it[-1:]
            continue
        kind = attributes.get("type", "").strip().lower()
        url = attributes.get("url", "").strip()
        group = "/".join(filter(None, round_it[:_DEEPEST_GROUP]))
        name = "" if "xmlurl" in attributes else attributes.get("text") or attributes.get("title", "")
        round_it.append(printable(" ".join(name.split()))[:_LONGEST_NAME])
        if feed := attributes.get("xmlurl", "").strip():
            yield "feed", join(base, feed), group
        elif url and (kind == "include" or (kind == "link" and url.lower().endswith(".opml"))):
            yield "list", join(base, url), group


def find_feed_links(data: bytes, base: str) -> Iterator[str]:
    """Yield the addresses of the feeds that an HTML page names by ``<link rel="alternate" type="...">``.

    Relative ones are resolved against the page's ``<base href>`` and its own address ``base``; only http(s)
    addresses are yielded. Addresses whose type is only JSON come last; without any, those of ``<a>`` that look like a
    feed's, then links to Apple Podcasts. The rule is the RSS Advisory Board's "RSS Autodiscovery".

    >>> page = b'<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    >>> list(find_feed_links(page, "https://a.example/about"))
    ['https://a.example/feed.xml']
    """
    found = False
    last: list[str] = []
    shown: dict[bool, list[str]] = {True: [], False: []}
    for name, attributes in find_tags(decode(data[:_PAGE]), frozenset({"base", "link", "a"})):
        href = attributes.get("href", "").strip()
        if name == "base":
            base = join(base, href)
            continue
        if name == "a":
            url = join(base, href)
            if is_web(url) and (_FEED_ADDRESS.match(url) or _APPLE.match(url)):
                shown[bool(_FEED_ADDRESS.match(url))].append(url)
            continue
        kind = attributes.get("type", "").partition(";")[0].strip().lower()
        if "alternate" not in attributes.get("rel", "").lower().split() or not href:
            continue
        url = join(base, href)
        if not is_web(url):
            continue
        if kind in _FEED_TYPES:
            found = True
            yield url
        elif kind == _LAST_RESORT:
            last.append(url)
    yield from last
    if not (found or last):
        yield from shown[True] or shown[False]
