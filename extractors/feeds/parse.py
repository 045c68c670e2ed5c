"""Read a feed's bytes into episodes: the only entrance for feeds."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace

from ..errors import FeedError
from ..keys import HIDDEN
from ..model import Feed
from ..subjects.registry import find_default_repo
from ..url import host_of, without_user
from .bylines import parse_people
from .encoding import to_utf8
from .episodes import BYLINES, IMAGES, Show, list_recordings, read_title
from .ids import list_ids, list_own_pages, make_feed_slug
from .json_feed import read_json_feed
from .private import find_secrets
from .values import Node, list_nodes, one_line, text_of, web_url
from .xml_feed import read_xml_feed


def parse_feed(
    data: bytes, *, source: str, url: str = "", content_type: str = "", as_kind: str = "", requested_url: str = "",
    private: bool | None = None, pages: tuple[bytes, ...] = (),
) -> Feed:  # fmt: skip
    """Return the podcast or blog in the bytes of a feed: RSS 0.9x, 1.0 and 2.0, Atom, JSON Feed 1.0 and 1.1.

    A feed is a podcast if it has recordings or elements for podcasts. ``Feed.warnings`` has one line for each kind of
    skipped part.

    Args:
        data: the feed's first page
        source: the user's name for the feed
        url: the final address, without user name and password; relative links are resolved against it
        content_type: the header field of HTTP, which may name the encoding
        as_kind: ``episodes`` or ``posts`` overrides the detection; "": detect
        requested_url: the first address, with its keys if it has any
        private: overrides the detection of private feeds; ``None``: detect
        pages: the bytes of further pages, whose items follow; an item on two pages is one

    Raises:
        FeedError: the data cannot be read, or is not a feed

    >>> data = b"<rss><channel><title>T</title><item><title>A &amp;amp; B</title></item></channel></rss>"
    >>> feed = parse_feed(data, source="feed.xml")
    >>> feed.kind, feed.episodes[0].id, feed.episodes[0].title
    ('blog', 'blog:t/a-b', 'A & B')
    """
    content, page_count = _read_pages(to_utf8(data, source=source, content_type=content_type), pages, source)
    # Reversed, so that the first link of each relation counts.
    links = {text_of(link, "rel"): text_of(link, "href") for link in reversed(list_nodes(content["feed"], "links"))}
    own_url, moved_to = links.get("self", ""), text_of(content["feed"], "itunes:new-feed-url")
    others = (links.get("next") or links.get("prev-archive", ""), links.get("last", ""), moved_to)
    next_page, last_page, moved_to = (web_url(other, url, own_url) for other in others)
    # The keys of a private feed are hidden before any value is made of its data.
    if secrets := find_secrets(content, (requested_url, url, own_url), private=private):
        content, own_url, url, source = secrets.hide([content, own_url, url, host_of(source) or source])
    channel, cut = content["feed"], content["cut"]
    # Lines of one kind are under one key: the first is reported, the others are counted.
    warnings: defaultdict[str, list[str]] = defaultdict(list, {line: [line] for line in content["warnings"]})
    title = read_title(channel)
    feed_url = without_user(web_url(url) or web_url(own_url))
    home = web_url(text_of(channel, "link"), feed_url)
    is_show = content["is_show"] or any(list_recordings(entry, home, feed_url) for entry in content["entries"])
    slug = make_feed_slug(title, home, feed_url, source=source)
    podcast = f"podcast:{slug}" if (as_kind or ("episodes" if is_show else "posts")) == "episodes" else ""
    author = one_line(text_of(channel, *BYLINES))
    language = one_line(text_of(channel, "language"))[:35]  # no tag of a language is longer (RFC 5646, 4.4.1)
    show = Show(title, home, feed_url, podcast, language, secrets is not None, warnings)
    episodes = show.list_episodes(content["entries"])
    if not secrets:
        own_pages = list_own_pages([episode.url for episode in episodes], home)
        episodes = [replace(episode, url=own_page) for episode, own_page in zip(episodes, own_pages, strict=True)]
    ids = list_ids(episodes, f"episode:{slug}" if podcast else f"blog:{host_of(home) or host_of(feed_url) or slug}")
    # The last kind of warning is the likeliest reason.
    empty_because = "" if episodes else cut or next(reversed(warnings.values()), [""])[0]
    if not any(episode.notes for episode in episodes):
        line = "no item has a text; only titles are read" if episodes else "the feed has no items"
        warnings[""].append(line)
    if next_page:  # not all pages were given
        last = re.search(r"\d+(?=\D*\Z)", last_page)  # the last number in its address
        where = (f"pages 1 to {page_count}" if page_count > 1 else "page 1") + (f" of {last[0]}" if last else "")
        what = ("episode" if podcast else "post") + "s" * (len(episodes) != 1)
        warnings["page"].append(f"{where}; {len(episodes)} {what}")
    return Feed(
        source, "podcast" if podcast else "blog", podcast, title,
        tuple(replace(episode, id=id_) for episode, id_ in zip(episodes, ids, strict=True)),
        url=host_of(home) if HIDDEN in home else home, feed_url=host_of(feed_url) if secrets else feed_url,
        description=show.read_text(channel, home or feed_url)[0], language=language,
        author=(", ".join(parse_people(author)) if "@" in author else author)[:500],
        image=show.clean_address(text_of(channel, *IMAGES), home, feed_url),
        default_repo=find_default_repo(home, feed_url, own_url), people=show.read_people(channel, (home, feed_url)),
        warnings=tuple(f"{line} (and {len(more)} more like it)" if more else line for line, *more in warnings.values()),
        empty_because=empty_because, cut=cut, private=secrets is not None,
        next_page=next_page, moved_to=moved_to,
    )  # fmt: skip


def _read_pages(first: bytes, pages: tuple[bytes, ...], source: str) -> tuple[Node, int]:
    """Return the whole feed in the shape of feedparser's results, and the number of its last readable page.

    ``first`` is the first page in UTF-8, ``pages`` are the bytes of the others, ``source`` is the feed's name in
    errors. The items of all pages are in ``entries``; ``feed`` has the links of the last page. A page that cannot be
    read gives a warning. Raises ``FeedError`` if the first page is not a feed.
    """
    content, page_count = _read_page(first, source), 1
    for number, page in enumerate(pages, 2):
        try:
            more = _read_page(to_utf8(page, source=source), source)
        except FeedError as error:
            content["warnings"].append(f"page {number} {error.problem}")
            continue
        page_count = number
        content["entries"] += more["entries"]
        content["is_show"] = content["is_show"] or more["is_show"]
        content["feed"]["links"] = more["feed"].get("links", [])
    return content, page_count


def _read_page(text: bytes, source: str) -> Node:
    """Return one page of a feed in the shape of feedparser's results: ``feed``, ``entries``, ``warnings`` and others.

    ``text`` is the page in UTF-8; ``source`` is its name in errors. Raises ``FeedError`` if it is not a feed.
    """
    is_json = text[:1024].lstrip()[:1] in {b"{", b"["}
    return read_json_feed(text, source) if is_json else read_xml_feed(text, source)
