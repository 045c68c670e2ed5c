"""The pages of a feed's own episodes: the slug that an address says, without the hash that its host appends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..slugs import slugify
from ..url import split_url, unescape

if TYPE_CHECKING:
    from collections.abc import Callable

_FILE_SUFFIX = re.compile(r"\.(?:html?|php|aspx?|jsp|mp3)$", re.IGNORECASE)  # of the last part of a path
_INDEX = re.compile(r"(?:index|default|home)(?:\.\w{2,5})?$", re.IGNORECASE)  # a page that is its folder
# What says nothing about the episode: numbers and dates, and words that name the kind of page.
_SAYS_NOTHING = re.compile(
    r"[\d._-]*|id\d+|p|post|posts|e|ep|eps|episode|episodes|show|shows|podcast|podcasts|play|listen|watch|a|view"
)
# A number that a machine gave: a UUID, a digest, letters and digits in turn.
_IDENTIFIER = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16,}|"
    r"(?=[^-_]*[0-9])(?=[^-_]*[A-Za-z][^-_]*[0-9][^-_]*[A-Za-z]|[^-_]*[0-9][^-_]*[A-Za-z][^-_]*[0-9])[A-Za-z0-9]{6,}"
)
_HASH = re.compile(r"(?<=.)-([A-Za-z0-9_-]{8})")  # Simplecast's, behind the title
_ALTERNATES = re.compile(r"[a-z]+[0-9]+[a-z]|[0-9]+[a-z]+[0-9]")  # letters and digits in turn, as no word has them
_SPOTIFY_HASH = re.compile(r"(?<=.)-e(?=[0-9a-z]*[0-9])[0-9a-z]{5,8}$")  # a number of base 36 behind the title
_SPOTIFY_PART = re.compile(r"a-a[0-9a-z]+")  # what may stand behind the episode's part


def page_slug(url: str, title: str = "") -> str:
    """Return the slug that the last part of an episode's page says, or nothing when it says nothing.

    The hash that some hosts append goes: on Simplecast eight characters of ``[A-Za-z0-9_-]``, on Anchor and
    Spotify an ``e`` and a number of base 36. ``title`` decides where the form alone leaves it open.

    >>> page_slug("https://x.simplecast.com/episodes/xla-PZxcTtCL"), page_slug("https://x.simplecast.com/episodes/ep-20210504")
    ('xla', 'ep-20210504')
    >>> page_slug("https://example.org/2024/05/index.html"), page_slug("https://example.org/?p=12")
    ('', '')
    """
    parts = split_url(url)
    if parts is None or not parts.segments or parts.query:  # a query names the page, then, not the path
        return ""
    last, before = unescape(parts.segments[-1]), parts.segments[:-1]
    without_hash = next((drop for host, drop in _HASHES if f".{parts.host}".endswith(host)), None)
    if without_hash is _without_spotify_hash and before and _SPOTIFY_PART.fullmatch(last):
        last = unescape(before[-1])
    if _INDEX.fullmatch(last):
        return ""
    last = _FILE_SUFFIX.sub("", last)
    if without_hash:
        last = without_hash(last, title)
    return "" if _SAYS_NOTHING.fullmatch(last.lower()) or _IDENTIFIER.fullmatch(last) else slugify(last)


def _without_simplecast_hash(segment: str, title: str) -> str:
    """Drop Simplecast's hash: certain when the title is what is left, else by the look of it."""
    match = _HASH.fullmatch(segment, len(segment) - 9) if len(segment) > 9 else None
    if match is None:
        return segment
    rest, digest = segment[: match.start()], match[1]
    known = slugify(title)
    if known and known == slugify(segment):
        return segment
    looks = any(c.isupper() or c == "_" for c in digest) or ("-" not in digest and _ALTERNATES.search(digest))
    return rest if looks or (known and known == slugify(rest)) else segment


def _without_spotify_hash(segment: str, _title: str) -> str:
    return _SPOTIFY_HASH.sub("", segment)


# Hosts that append a hash to the name of an episode's page, and what takes it off.
_HASHES: tuple[tuple[str, Callable[[str, str], str]], ...] = (
    (".simplecast.com", _without_simplecast_hash),
    (".anchor.fm", _without_spotify_hash),
    (".podcasters.spotify.com", _without_spotify_hash),
    (".creators.spotify.com", _without_spotify_hash),
)
