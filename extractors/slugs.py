"""Slugs: the readable part of an id, from the page of an episode or from its title."""

from __future__ import annotations

import re
import unicodedata

from .url import query_text, split_url, unescape

_LONGEST = 120
# Letters that Unicode does not take apart (NFKD), as they are written without them.
_FOLDS = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d",
     "Ð": "D", "þ": "th", "Þ": "Th", "ł": "l", "Ł": "L", "\u0131": "i", "ħ": "h", "Ħ": "H"}
)  # fmt: skip
_ACCENTS = re.compile("(?<=[A-Za-z])[\u0300-\u036f]+")
_SILENT = re.compile("['`\u00b4\u02bc\u2018\u2019]|(?<=[0-9])[.,](?=[0-9])")
_NO_WORD = re.compile(r"[^a-z0-9]+")

_FILE_SUFFIX = re.compile(r"\.(?:html?|php|aspx?|jsp|mp3)$", re.IGNORECASE)
_INDEX = re.compile(r"(?:index|default|home)(?:\.\w{2,5})?$", re.IGNORECASE)
# What says nothing about the episode: numbers and dates, and words that name the kind of page.
_SAYS_NOTHING = re.compile(
    r"[\d._-]*|id\d+|p|post|posts|e|ep|eps|episode|episodes|show|shows|podcast|podcasts|play|listen|watch|a|view"
)
_IDENTIFIER = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16,}|"  # UUID, digest
    r"(?=[^-_]*[0-9])(?=[^-_]*[A-Za-z][^-_]*[0-9][^-_]*[A-Za-z]|[^-_]*[0-9][^-_]*[A-Za-z][^-_]*[0-9])[A-Za-z0-9]{6,}"
)
_HASH = re.compile(r"(?<=.)-([A-Za-z0-9_-]{8})")
_ALTERNATES = re.compile(r"[a-z]+[0-9]+[a-z]|[0-9]+[a-z]+[0-9]")
_SPOTIFY_HASH = re.compile(r"(?<=.)-e(?=[0-9a-z]*[0-9])[0-9a-z]{5,8}$")
_SPOTIFY_HOSTS = frozenset(("anchor.fm", "podcasters.spotify.com", "creators.spotify.com"))


def slugify(text: str) -> str:
    """Return ``text`` in lower-case letters and digits of any script, joined by single hyphens.

    Accents on Latin letters go, apostrophes and the dot inside a number are not heard; the result is empty
    when nothing is left. This is what Simplecast makes of the titles it has been seen with.

    >>> [slugify(text) for text in ("C++ frontend", "__torch_fn__", "PyTorch 2.0", "Let's café", "学習")]
    ['c-frontend', 'torch-fn', 'pytorch-20', 'lets-cafe', '学習']
    """
    text = text[: 4 * _LONGEST]
    if not text.isascii():
        text = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.translate(_FOLDS)))
        text = _words(_SILENT.sub("", unicodedata.normalize("NFC", text)))
        slug = "-".join(text.lower().split())
    else:
        slug = _NO_WORD.sub("-", _SILENT.sub("", text.lower())).strip("-")
    if len(slug) > _LONGEST:
        slug = slug[:_LONGEST].rpartition("-")[0] or slug[:_LONGEST]
    return slug


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
    segments = list(parts.segments)
    if parts.host in _SPOTIFY_HOSTS and len(segments) > 1 and re.fullmatch(r"a-a[0-9a-z]+", segments[-1]):
        segments.pop()
    last = unescape(segments[-1])
    if _INDEX.fullmatch(last):
        return ""
    last = _FILE_SUFFIX.sub("", last)
    if parts.host.endswith(".simplecast.com"):
        last = _without_hash(last, title)
    elif parts.host in _SPOTIFY_HOSTS:
        last = _SPOTIFY_HASH.sub("", last)
    if _SAYS_NOTHING.fullmatch(last.lower()) or _IDENTIFIER.fullmatch(last):
        return ""
    return slugify(last)


def post_id(url: str) -> str:
    """Return ``blog:<host>/<path>`` for the page of a post, or nothing when ``url`` is none.

    Queries that name the page stay (``?p=12``); trackers, trailing slashes and ``index.html`` go.

    >>> post_id("http://www.blog.example.org/2024/05/A-post/index.html?utm_source=rss")
    'blog:blog.example.org/2024/05/A-post'
    """
    parts = split_url(url)
    if parts is None:
        return ""
    path = parts.path.rstrip("/")
    head, _, last = path.rpartition("/")
    if re.fullmatch(r"index\.(?:html?|php)", last, re.IGNORECASE):
        path = head.rstrip("/")
    return f"blog:{parts.host}{path or '/'}{query_text(parts.query)}" if path or parts.query else ""


def _without_hash(segment: str, title: str) -> str:
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


def _words(text: str) -> str:
    """Put spaces between words, counting as part of a word the marks that many scripts write vowels with."""
    kept = [" "]
    for c in text:
        of_word = c.isalnum() or (unicodedata.category(c) in {"Mn", "Mc"} and kept[-1] > "\u02ff" and c < "\ufe00")
        kept.append(c if of_word else " ")
    return "".join(kept)
