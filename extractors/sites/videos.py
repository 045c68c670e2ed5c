"""Videos, and the second at which a link lets them begin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..url import Url, split_url
from .table import Row, Table, parse_time, query

if TYPE_CHECKING:
    from ..ref import Ref

_YOUTUBE = "youtube.com gaming.youtube.com m.youtube.com music.youtube.com tv.youtube.com youtube-nocookie.com "
_YOUTUBE += "youtube.googleapis.com"
_YOUTUBE_ID = (
    r"(?P<n>(?!(?:videoseries|live_stream)\b)[A-Za-z0-9_-]{11})"  # an embedded list; a channel's broadcast of the day
)
_YOUTUBE_FOLDERS = "/(?:e|embed|live|shorts|v|video|watch)"
_VIMEO = (
    r"(?:/(?:channels|groups|ondemand)/[^/]+(?:/videos)?|/(?:album|showcase)/\d+/video|/video)?/(?P<n>[1-9]\d{4,11})"
)
_KEY = r"(?P<key>[0-9a-f]{8,12})"  # of an unlisted video, which does not open without it


def _video(hosts: str, pattern: str, site: str, label: str, page: str) -> Row:
    return Row(hosts, pattern, "video", f"{site}/{{n}}", label, page)


_TABLE = Table((
    *(
        _video(hosts, pattern, "youtube", "YouTube {n}", "https://www.youtube.com/watch?v={n}")
        for hosts, pattern in (
            ("youtu.be", rf"/{_YOUTUBE_ID}(?:/.*)?"),
            (_YOUTUBE, rf"{_YOUTUBE_FOLDERS}/{_YOUTUBE_ID}(?:/.*)?"),
            (_YOUTUBE, _YOUTUBE_FOLDERS + query("v", _YOUTUBE_ID)),
        )
    ),
    *(
        _video("vimeo.com player.vimeo.com", _VIMEO + key, "vimeo", "Vimeo {n}", page)
        for key, page in (
            (f"/{_KEY}", "https://vimeo.com/{n}/{key}"),
            (query("h", _KEY), "https://vimeo.com/{n}/{key}"),
            ("", "https://vimeo.com/{n}"),
        )
    ),
    _video("slideslive.com", r"/(?P<n>\d{8})(?:/(?P<slug>[^/]*).*)?", "slideslive",
           "SlidesLive: {slug:w} | SlidesLive: {n}", "https://slideslive.com/{n}"),
    _video("bilibili.com", r"/video/(?P<n>BV[0-9A-Za-z]{10}|av[1-9]\d{0,11})(?:/.*)?", "bilibili", "Bilibili {n}",
           "https://www.bilibili.com/video/{n}"),
))  # fmt: skip
knows = _TABLE.knows


def parse(url: str) -> Ref | None:
    """Return the video that ``url`` leads to, with ``time`` in whole seconds; channels and lists are ``None``.

    >>> ref = parse("https://youtu.be/-Z-17h3jG0A?t=1m30s")
    >>> ref.id, ref.time
    ('video:youtube/-Z-17h3jG0A', '90')
    """
    parts = split_url(url)
    ref = _TABLE.find(parts) if parts else None
    # The first of several places with a time counts, which no pattern can express.
    return ref._replace(time=_read_time(parts)) if parts and ref else None


def _read_time(parts: Url) -> str:
    """Return the second at which an address starts a video, by its query or fragment, or an empty text."""
    fragment = re.search(r"(?:\A|&)t=([^&]*)", parts.fragment)
    for text in (parts.get("t"), parts.get("start"), parts.get("time_continue"), fragment[1] if fragment else ""):
        if time := parse_time(text):
            return time
    return ""
