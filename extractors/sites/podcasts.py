"""Pages of episodes and shows at the hosts and directories of podcasts.

An episode of another podcast is a web page (``web:…``). Code with access to the feed decides whether it is one of the
feed's own episodes.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ..url import split_url
from .tables.podcast_hosts import without_hash
from .web import page

if TYPE_CHECKING:
    from ..ref import Ref
    from ..url import Url

# The number of a show at Apple.
_APPLE_ID = re.compile(r"id(\d{4,12})")
# The id of anything at Spotify.
_ID = re.compile(r"[A-Za-z0-9]{22}")
# A place in a recording: 1:02:03.
_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,2}):(\d{2})")
_SPOTIFY = frozenset(("episode", "show", "track", "album", "playlist", "artist"))


def knows(host: str) -> bool:
    """Return whether the rule covers a host."""
    return host in _HOSTS or host.endswith(".simplecast.com")


def parse(url: str) -> Ref | None:
    """Identify an episode or a show at Simplecast, Apple Podcasts, Spotify or Overcast.

    >>> parse("https://pytorch-dev-podcast.simplecast.com/episodes/xla-PZxcTtCL").id
    'web:pytorch-dev-podcast.simplecast.com/episodes/xla'
    >>> parse("https://podcasts.apple.com/us/podcast/some-show/id1566080008?i=1000520866061").id
    'web:podcasts.apple.com/id1566080008?i=1000520866061'
    """
    parts = split_url(url)
    if parts is None:
        return None
    host = parts.host
    if host.endswith(".simplecast.com"):
        return _simplecast(parts)
    rule = _HOSTS.get(host)
    return rule(parts) if rule else None


def _simplecast(parts: Url) -> Ref | None:
    """Return an episode at Simplecast. Its id leaves out the hash at the end of its name, where one is certain."""
    match parts.segments:
        case ["episodes", slug, *_]:
            bare, certain = without_hash(slug)
            name = bare if certain else slug
            url = f"https://{parts.host}/episodes/{slug}"  # with the hash, as only some pages open without
            return page(f"{parts.host}/episodes/{name}", label=name.replace("-", " "), url=url)
    return None


def _apple(parts: Url) -> Ref | None:
    """Return an episode or a show at Apple Podcasts. The show's id is in the path, the episode's in the query."""
    show = next((match[1] for part in parts.segments if (match := _APPLE_ID.fullmatch(part))), "")
    if not show or (parts.host.startswith("itunes") and "podcast" not in parts.segments):
        return None
    episode = parts.get("i")
    query = f"?i={episode}" if episode.isdigit() else ""
    return page(f"podcasts.apple.com/id{show}{query}", url=f"https://podcasts.apple.com/podcast/id{show}{query}")


def _spotify(parts: Url) -> Ref | None:
    for kind, name in pairwise(parts.segments):
        if kind in _SPOTIFY and _ID.fullmatch(name):
            start = parts.get("t")
            return page(f"open.spotify.com/{kind}/{name}", time=start if start.isdigit() else "")
    return None


def _overcast(parts: Url) -> Ref | None:
    """Return an episode at Overcast, with its time: ``/+<episode>/<clock>``."""
    match parts.segments:
        case [episode, *clock] if episode.startswith("+"):
            time = _CLOCK.fullmatch(clock[0]) if clock else None
            seconds = int(time[1] or 0) * 3600 + int(time[2]) * 60 + int(time[3]) if time else 0
            return page(f"overcast.fm/{episode}", time=str(seconds or ""))
    return None


_HOSTS = {
    **dict.fromkeys(("podcasts.apple.com", "itunes.apple.com", "embed.podcasts.apple.com"), _apple),
    **dict.fromkeys(("open.spotify.com", "play.spotify.com"), _spotify),
    "overcast.fm": _overcast,
}
