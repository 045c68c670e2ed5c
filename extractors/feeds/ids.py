"""The ids of a feed and of its items: independent of their order, and unique."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC
from hashlib import sha256
from itertools import chain, count
from typing import TYPE_CHECKING

from ..sites import identify
from ..sites.tables.podcast_hosts import episode_segment, without_addition
from ..slugs import slugify
from ..url import query_text, split_url, unescape

if TYPE_CHECKING:
    from ..model import Episode

# The end of a file with a page or a sound.
_FILE_SUFFIX = re.compile(r"\.(?:html?|php|aspx?|jsp|mp3)$", re.IGNORECASE)
# Parts of a path without the name of the episode: numbers and dates, words for the kind of page, the page of a folder,
# and identifiers (a UUID, a digest, letters and digits in turns).
_NO_NAME = re.compile(
    r"[\d._-]*|id\d+|p|posts?|e|eps?|episodes?|shows?|podcasts?|play|listen|watch|a|view|index|default|home|"
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16,}|"
    r"(?=[^-_]*[0-9])(?=[^-_]*[a-z][^-_]*[0-9][^-_]*[a-z]|[^-_]*[0-9][^-_]*[a-z][^-_]*[0-9])[a-z0-9]{6,}",
    re.IGNORECASE,
)


def make_feed_slug(title: str, *urls: str, source: str = "") -> str:
    """Return the slug of a feed's id: from its title, else the first host of its addresses, else its file's name.

    ``urls`` are the feed's home and own address, ``source`` is a path or an address. Without any of them: ``feed``.

    >>> make_feed_slug("PyTorch Developer Podcast"), make_feed_slug("", "https://pod.example.org/feed.xml")
    ('pytorch-developer-podcast', 'pod-example-org')
    >>> make_feed_slug("", source="shows/My Feed.xml"), make_feed_slug("")
    ('my-feed', 'feed')
    """
    name = source.replace("\\", "/").rstrip("/").rpartition("/")[2].partition(".")[0]
    hosts = (parts.host for parts in map(split_url, urls) if parts)
    return slugify(title) or slugify(next(hosts, name)) or "feed"


def list_own_pages(pages: list[str], home: str) -> list[str]:
    """Return the addresses of the items' pages; "" for a page that several items share or that is the feed's ``home``.

    Such a page does not identify an item.

    >>> list_own_pages(["https://x.org/1", "https://x.org/all", "https://x.org/all/", "https://x.org"], "https://x.org/")
    ['https://x.org/1', '', '', '']
    """
    urls = [split_url(page) for page in (*pages, home)]
    keys = [url and f"{url.host}{url.path.rstrip('/')}?{sorted(url.query)}" for url in urls]
    uses = Counter(keys)
    # The keys have one more than the pages: that of the home.
    return [page if key and uses[key] == 1 else "" for page, key in zip(pages, keys, strict=False)]


def list_ids(items: list[Episode], begin: str) -> list[str]:
    """Return the node id of each item of a feed, in the items' order. Ids do not depend on the order of the items.

    An id ends with a name from the item's page, else its title, else its number, else its guid. If several items have
    one id, the earliest keeps it; the ids of the others end with six digits of a hash.

    ``begin`` is the begin of the ids: ``episode:<podcast-slug>`` for episodes. For posts it is ``blog:<host>``, and a
    post with a page of its own is ``blog:<host>/<path>``.
    """
    is_blog = begin.startswith("blog:")
    ids = []
    for item in items:
        name = make_page_slug(item.url, item.title) or slugify(item.title)
        name = name or ("" if item.number is None else f"episode-{item.number}") or slugify(item.guid) or "untitled"
        ids.append((is_blog and make_post_id(item.url)) or f"{begin}/{name}")
    unique_ids, used_ids, first_ids = list(ids), set(ids), set[str]()
    parts = [
        (str(item.date and item.date.astimezone(UTC)), item.guid, item.title, item.url, str(item.number), item.notes)
        for item in items
    ]
    for at in sorted(range(len(ids)), key=parts.__getitem__):  # the earliest item first
        if ids[at] in first_ids:
            # The hash of the guid, else of all data and a number, until one is unused.
            seeds = chain(filter(None, [items[at].guid]), ("\n".join((*parts[at], str(n))) for n in count()))
            # Six hexadecimal digits of each seed's hash.
            digests = (sha256(seed.encode("utf-8", "replace")).hexdigest()[:6] for seed in seeds)
            unique_ids[at] = next(new for digest in digests if (new := f"{ids[at]}-{digest}") not in used_ids)
            used_ids.add(unique_ids[at])
        first_ids.add(ids[at])
    return unique_ids


def make_page_slug(url: str, title: str = "") -> str:
    """Return the slug of an episode from the last part of the address of its page, "" if the part names no episode.

    The hash that some podcast hosts append is removed. ``title`` is the episode's title ("": unknown): the slug is
    compared with it where the form alone does not show whether the end is a hash.

    >>> make_page_slug("https://anchor.fm/show/episodes/Title-of-it-e1abc2d")
    'title-of-it'
    >>> make_page_slug("https://x.org/Title.html")
    'title'
    >>> make_page_slug("https://example.org/2024/05/index.html"), make_page_slug("https://example.org/?p=12")
    ('', '')
    """
    parts = split_url(url)
    if parts is None or not parts.segments or parts.query:  # such as ?p=12, which names the page
        return ""
    name = _FILE_SUFFIX.sub("", unescape(episode_segment(parts.host, parts.segments)))
    name_without_hash, is_certain = without_addition(parts.host, name)
    if slugify(title) != slugify(name) and (is_certain or (title and slugify(title) == slugify(name_without_hash))):
        name = name_without_hash
    return "" if _NO_NAME.fullmatch(name) else slugify(name)


def make_post_id(url: str) -> str:
    """Return the id ``blog:<host>/<path>`` of a post, from the address of its page; "" for an address without a path.

    Queries with the page's name stay (``?p=12``); trackers, trailing slashes and ``index.html`` are removed.

    >>> make_post_id("http://www.blog.example.org/2024/05/A-post/index.html?utm_source=rss")
    'blog:blog.example.org/2024/05/A-post'
    """
    identity, parts = identify(url), split_url(url)
    if identity and identity.ref.kind == "blog":
        return identity.ref.id
    if parts is None:
        return ""
    path = re.sub(r"/+(?:index\.(?:html?|php))?$", "", parts.path, flags=re.IGNORECASE)
    return f"blog:{parts.host}{path or '/'}{query_text(parts.query)}" if path or parts.query else ""
