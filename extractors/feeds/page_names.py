"""Names from the address of an episode's or a post's page: its slug, the id of a post."""

from __future__ import annotations

import re

from ..sites.tables.podcast_hosts import episode_segment, without_addition
from ..slugs import slugify
from ..url import query_text, split_url, unescape

# The end of a file with a page or a sound.
_FILE_SUFFIX = re.compile(r"\.(?:html?|php|aspx?|jsp|mp3)$", re.IGNORECASE)
# The page of a folder.
_INDEX = re.compile(r"(?:index|default|home)(?:\.\w{2,5})?$", re.IGNORECASE)
# Parts without the name of the episode: numbers and dates, and words for the kind of page.
_SAYS_NOTHING = re.compile(
    r"[\d._-]*|id\d+|p|post|posts|e|ep|eps|episode|episodes|show|shows|podcast|podcasts|play|listen|watch|a|view"
)
# Identifiers, never in a title: a UUID, a digest, letters and digits in turns.
_IDENTIFIER = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16,}|"
    r"(?=[^-_]*[0-9])(?=[^-_]*[A-Za-z][^-_]*[0-9][^-_]*[A-Za-z]|[^-_]*[0-9][^-_]*[A-Za-z][^-_]*[0-9])[A-Za-z0-9]{6,}"
)
# The page of a folder, with its suffix.
_INDEX_FILE = re.compile(r"index\.(?:html?|php)", re.IGNORECASE)


def page_slug(url: str, title: str = "") -> str:
    """Return the slug in the last part of an episode's page, or an empty text.

    The hash appended by some hosts goes; ``title`` decides where the form alone leaves it open.

    >>> page_slug("https://anchor.fm/show/episodes/Title-of-it-e1abc2d"), page_slug("https://x.org/Title.html")
    ('title-of-it', 'title')
    >>> page_slug("https://example.org/2024/05/index.html"), page_slug("https://example.org/?p=12")
    ('', '')
    """
    parts = split_url(url)
    if parts is None or not parts.segments or parts.query:  # a query names the page, then, not the path
        return ""
    last = unescape(episode_segment(parts.host, parts.segments))
    if _INDEX.fullmatch(last):
        return ""
    last = _without_hash(parts.host, _FILE_SUFFIX.sub("", last), title)
    return "" if _SAYS_NOTHING.fullmatch(last.lower()) or _IDENTIFIER.fullmatch(last) else slugify(last)


def post_id(url: str) -> str:
    """Return ``blog:<host>/<path>`` for the page of a post, or an empty text for another ``url``.

    Queries with the page's name stay (``?p=12``); trackers, trailing slashes and ``index.html`` go.

    >>> post_id("http://www.blog.example.org/2024/05/A-post/index.html?utm_source=rss")
    'blog:blog.example.org/2024/05/A-post'
    """
    parts = split_url(url)
    if parts is None:
        return ""
    path = parts.path.rstrip("/")
    head, _, last = path.rpartition("/")
    if _INDEX_FILE.fullmatch(last):
        path = head.rstrip("/")
    return f"blog:{parts.host}{path or '/'}{query_text(parts.query)}" if path or parts.query else ""


def _without_hash(host: str, slug: str, title: str) -> str:
    """Remove the hash appended by the host: surely when the title remains, else by the look of it."""
    bare, certain = without_addition(host, slug)
    if bare == slug:
        return slug
    known = slugify(title)
    if known and known == slugify(slug):
        return slug
    return bare if certain or (known and known == slugify(bare)) else slug
