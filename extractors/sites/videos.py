"""Videos, and the second at which a link lets them begin."""

from __future__ import annotations

import re

from ..ref import Ref
from ..url import Url, split_url
from .shared.labels import slug_to_words

# YouTube's hosts.
_YOUTUBE_HOST = re.compile(r"(?:(?:gaming|m|music|tv)\.)?youtube\.com|youtube-nocookie\.com|youtube\.googleapis\.com")
# The id of a video of YouTube.
_YOUTUBE_ID = re.compile(r"[A-Za-z0-9_-]{11}")
_YOUTUBE_FOLDERS = frozenset(("e", "embed", "live", "shorts", "v", "video", "watch"))
_NO_VIDEO = frozenset(("videoseries", "live_stream"))  # an embedded list; a channel's broadcast of the day
# The key of an unlisted video follows its number; the video does not open without it.
_VIMEO = re.compile(
    r"(?:/(?:channels|groups|ondemand)/[^/]+(?:/videos)?|/(?:album|showcase)/\d+/video|/video)?"
    r"/([1-9]\d{4,11})(?:/([0-9a-f]{8,12}))?/?",
    re.ASCII,
)
# The key of an unlisted video of Vimeo.
_VIMEO_KEY = re.compile(r"[0-9a-f]{8,12}")
# The number of a talk.
_SLIDESLIVE = re.compile(r"\d{8}", re.ASCII)
# The id of a video of Bilibili, new and old.
_BILIBILI = re.compile(r"BV[0-9A-Za-z]{10}|av[1-9]\d{0,11}")
# A place in a recording: 90, 90s, 1h2m3s.
_TIME = re.compile(r"(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?", re.ASCII | re.IGNORECASE)
# A place in a recording: 1:02:03.
_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,4}):(\d{2})", re.ASCII)
# The time in a fragment.
_FRAGMENT_TIME = re.compile(r"(?:\A|&)t=([^&]*)")


def knows(host: str) -> bool:
    """Return whether the rule covers a host."""
    return host == "youtu.be" or host in _RULES or _YOUTUBE_HOST.fullmatch(host) is not None


def parse(url: str) -> Ref | None:
    """Return the video that ``url`` leads to, with ``time`` in whole seconds; channels and lists are ``None``.

    >>> ref = parse("https://youtu.be/-Z-17h3jG0A?t=1m30s")
    >>> ref.id, ref.time
    ('video:youtube/-Z-17h3jG0A', '90')
    """
    parts = split_url(url)
    if parts is None or not parts.segments:
        return None
    if parts.host == "youtu.be":
        return _youtube(parts.segments[0], parts)
    if _YOUTUBE_HOST.fullmatch(parts.host):
        return _youtube(_youtube_id(parts), parts)
    rule = _RULES.get(parts.host)
    return rule(parts) if rule else None


def parse_time(text: str) -> str:
    """Return a time (``90``, ``90s``, ``1h2m3s``, ``1:30``) in seconds; "" for zero and for other texts.

    >>> [parse_time(text) for text in ("90", "1m30s", "1h", "1:02:03", "0", "soon")]
    ['90', '90', '3600', '3723', '', '']
    """
    found = _TIME.fullmatch(text) or _CLOCK.fullmatch(text)
    if found is None:
        return ""
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    total = 3600 * hours + 60 * minutes + seconds
    return str(total) if total else ""


def _read_time(parts: Url) -> str:
    """Return the second at which an address starts a video, by its query or fragment, or an empty text."""
    asked = (parts.get("t"), parts.get("start"), parts.get("time_continue"))
    fragment = _FRAGMENT_TIME.search(parts.fragment)
    return next((time for text in (*asked, fragment[1] if fragment else "") if (time := parse_time(text))), "")


def _youtube_id(parts: Url) -> str:
    first, *rest = parts.segments
    if first not in _YOUTUBE_FOLDERS:
        return ""
    return rest[0] if rest else parts.get("v")


def _youtube(video: str, parts: Url) -> Ref | None:
    if not _YOUTUBE_ID.fullmatch(video) or video in _NO_VIDEO:
        return None
    url = f"https://www.youtube.com/watch?v={video}"
    return Ref("video", f"video:youtube/{video}", f"YouTube {video}", url, time=_read_time(parts))


def _vimeo(parts: Url) -> Ref | None:
    """Return a video at Vimeo; an unlisted one opens only with the key in its path or query."""
    found = _VIMEO.fullmatch(parts.path)
    if found is None:
        return None
    key = found[2] or (parts.get("h") if _VIMEO_KEY.fullmatch(parts.get("h")) else "")
    url = f"https://vimeo.com/{found[1]}" + f"/{key}" * bool(key)
    return Ref("video", f"video:vimeo/{found[1]}", f"Vimeo {found[1]}", url, time=_read_time(parts))


def _slideslive(parts: Url) -> Ref | None:
    first = parts.segments[0]
    if not _SLIDESLIVE.fullmatch(first):
        return None
    title = slug_to_words(parts.segments[1]) if len(parts.segments) > 1 else first
    return Ref("video", f"video:slideslive/{first}", f"SlidesLive: {title}", f"https://slideslive.com/{first}")


def _bilibili(parts: Url) -> Ref | None:
    if parts.segments[0] != "video" or len(parts.segments) < 2 or not _BILIBILI.fullmatch(parts.segments[1]):
        return None
    video = parts.segments[1]
    url = f"https://www.bilibili.com/video/{video}"
    return Ref("video", f"video:bilibili/{video}", f"Bilibili {video}", url, time=_read_time(parts))


_RULES = {"bilibili.com": _bilibili, "player.vimeo.com": _vimeo, "slideslive.com": _slideslive, "vimeo.com": _vimeo}
