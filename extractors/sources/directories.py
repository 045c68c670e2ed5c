"""Find the feed of a show that is named by a link to a directory or player, or by its title.

One table has a row for each kind of link: the address of its feed, or of an answer of Apple's directory that names it,
or the reason why it has no feed. Sources of the rules: "iTunes Search API" (Apple, performance-partners.apple.com) and
the feeds that YouTube's channel pages name.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote_plus

from ..errors import SourceError, nearest
from ..printable import for_message, url_for_message
from ..url import is_web, without_scheme

if TYPE_CHECKING:
    from collections.abc import Iterable

LOOKUP = "https://itunes.apple.com/lookup?entity=podcast&id={}"
SEARCH = "https://itunes.apple.com/search?media=podcast&entity=podcast&limit=10&term={}"
HANDLE = "https://www.youtube.com/{}"
VIDEOS = "https://www.youtube.com/feeds/videos.xml?{}"
_NEWEST = "YouTube's feeds have only the newest 15 videos"
_BY_NAME = "give the show's name, or its feed's address"
_ONE_VIDEO = "give the address of the channel or the playlist"


class Found(NamedTuple):
    """The meaning of a link or name: the ``url`` to fetch, and a line for the user.

    ``answer`` marks the address of an answer that names feeds, not of a feed.
    """

    url: str
    answer: bool = False
    notice: str = ""


class _Row(NamedTuple):
    """One kind of link: a pattern of addresses without scheme and ``www.``, and the template that its group fills.

    A row without a template has no feed: ``notice`` is the problem and ``remedy`` the next step.
    """

    pattern: re.Pattern[str]
    template: str = ""
    notice: str = ""
    remedy: str = ""


def _row(pattern: str, template: str = "", notice: str = "", remedy: str = "") -> _Row:
    return _Row(re.compile(pattern, re.IGNORECASE), template, notice, remedy)


_TUBE = r"(?:m\.|music\.)?youtube\.com/"
_TABLE = (
    # podcasts.apple.com/us/podcast/NAME/id123, itunes.apple.com/podcast/id123
    _row(r"(?:podcasts|itunes)\.apple\.com/(?:[^?#]*/)?id(\d{4,12})(?:[/?#].*)?", LOOKUP),
    # id1417270816, as people copy it from a link
    _row(r"id(\d{6,12})", LOOKUP),
    # Players that use Apple's numbers: overcast.fm/itunes123/NAME, pca.st/itunes/123, castro.fm/itunes/123
    _row(r"(?:overcast\.fm|pca\.st|castro\.fm)/itunes/?(\d{4,12})(?:[/?#].*)?", LOOKUP),
    _row(rf"{_TUBE}channel/(UC[\w-]{{22}})(?:[/?#].*)?", VIDEOS.format("channel_id={}"), _NEWEST),
    _row(rf"{_TUBE}playlist\?(?:[^#]*&)?list=([\w-]{{10,60}})(?:[&#].*)?", VIDEOS.format("playlist_id={}"), _NEWEST),
    _row(rf"{_TUBE}user/([\w.-]+)(?:[/?#].*)?", VIDEOS.format("user={}"), _NEWEST),
    # A page that names its feed; the tabs of a channel are the same page.
    _row(rf"{_TUBE}((?:@|c/)[\w.%-]+)(?:[/?#].*)?", HANDLE, _NEWEST),
    _row(rf"(?:{_TUBE}(?:watch|live/|shorts/)|youtu\.be/).*", "", "is one video, not a show", _ONE_VIDEO),
    _row(r"(?:open|podcasters)\.spotify\.com/(?!.*rss).*", "", "Spotify publishes no feeds", _BY_NAME),
    _row(r"spotify:.*", "", "Spotify publishes no feeds", _BY_NAME),
    _row(r"(?:music|podcasts)\.amazon\.[a-z.]+/.*", "", "Amazon publishes no feeds", _BY_NAME),
    _row(r"podcasts\.google\.com/.*", "", "Google Podcasts has closed", _BY_NAME),
    _row(r"(?:mailto:)?[^\s/@:]+@[^\s/@:]+\.[a-z]{2,24}", "", "is an e-mail address", _BY_NAME),
)
# The end of a file's name: feed.xml. A show's name has a letter, and neither separators nor such an end.
_FILE_END = re.compile(r"\.[A-Za-z0-9]{1,5}$")
_LETTER = re.compile(r"[^\W\d_]")
_LONGEST_NAME = 120


def find_directory(name: str) -> Found | None:
    """Return the address to fetch for a link to a directory or player, or ``None`` for other names.

    Raise ``SourceError`` for a link without a feed, for example to Spotify.

    >>> find_directory("https://podcasts.apple.com/us/podcast/x/id1417270816?i=10").url
    'https://itunes.apple.com/lookup?entity=podcast&id=1417270816'
    >>> find_directory("https://a.example/feed.xml") is None
    True
    """
    bare = name if name.startswith("mailto:") else without_scheme(name)
    for row in _TABLE:
        if match := row.pattern.fullmatch(bare):
            if not row.template:
                raise SourceError(row.notice, source=for_message(name), remedy=row.remedy)
            return Found(row.template.format(match[1]), row.template == LOOKUP, row.notice)
    return None


def search_by_name(name: str, files: Iterable[str] = ()) -> Found | None:
    """Return the search for a show's title, or ``None`` for a text that is rather a path, an option or a mark.

    Raise ``SourceError`` for a misspelt name of one of the ``files`` beside it, so that no typing error is sent out.

    >>> search_by_name("PyTorch Developer Podcast").url.partition("&term=")[2]
    'PyTorch+Developer+Podcast'
    >>> [search_by_name(name) for name in ("feed.xml", "a/b", "12", "--")]
    [None, None, None, None]
    """
    text = " ".join(name.split())
    is_path = any(mark in name for mark in '/\\\0"<>{}') or _FILE_END.search(text) or text.startswith(("-", ".", "~"))
    if is_path or not name.isprintable() or not _LETTER.search(text) or len(text) > _LONGEST_NAME:
        return None
    # A file's name seldom has a space, a show's often.
    if remedy := "" if " " in text else nearest(text, files, 0.8):
        raise SourceError("there is no such file", source=for_message(name), remedy=remedy)
    return Found(SEARCH.format(quote_plus(text)), answer=True, notice="no file has this name; asking Apple Podcasts")


def read_answer(data: bytes, name: str) -> tuple[list[tuple[str, str]], SourceError | None]:
    """Return (title, feed's address) of each show in an answer of Apple's directory, and the error to report if any.

    An answer with one feed has no error.
    """
    try:
        answer = json.loads(data)
        rows = [row for row in answer["results"] if isinstance(row, dict)]
    except (ValueError, TypeError, KeyError, RecursionError):
        error = SourceError("Apple Podcasts sent no readable answer", source=name, remedy="give the feed's address")
        return [], error
    shows: dict[str, str] = {}
    for row in rows:
        url = row.get("feedUrl")
        if isinstance(url, str) and is_web(url):
            title = row.get("collectionName")
            shows.setdefault(url, for_message(title) if isinstance(title, str) else "")
    hits = [(title, url) for url, title in shows.items()]
    if not hits:
        problem = (
            "Apple Podcasts knows it, but names no feed"
            if rows
            else "no such file, and Apple Podcasts has no such show"
        )
        return [], SourceError(problem, source=name, remedy="check how it is written, or give a feed's address")
    if len(hits) > 1:
        first = url_for_message(hits[0][1])
        problem = f"Apple Podcasts has {len(hits)} such shows"
        return hits, SourceError(problem, source=name, remedy=f"give the feed's address of one, such as {first}")
    return hits, None
