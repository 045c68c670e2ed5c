"""Pages of episodes and shows at the hosts and directories of podcasts.

An episode of another podcast is a web page (``web:…``). Code with access to the feed decides whether it is one of the
feed's own episodes.
"""

from __future__ import annotations

from .table import Row, Table, query
from .tables.podcast_hosts import without_hash

_APPLE = "podcasts.apple.com embed.podcasts.apple.com itunes.apple.com"
# The number of a show is in the path, the number of an episode in the query.
_APPLE_SHOW = r"[^/]*/(?:(?<!itunes\.apple\.com/)|(?=(?:.*/)?podcast/))(?:[^?]*/)?id(?P<n>\d{4,12})(?:/[^?]*)?"
_SPOTIFY = "/(?:[^?]*/)?(?P<kind>episode|show|track|album|playlist|artist)/(?P<n>[A-Za-z0-9]{22})(?:/[^?]*)?"


def _page(hosts: str, pattern: str, name: str, label: str = "", page: str = "") -> Row:
    return Row(hosts, pattern, "web", name, label, page)


def _find_slug(written: str) -> str:
    """Return a slug of Simplecast without its hash where one is certain; only some pages open without it."""
    slug, is_certain = without_hash(written)
    return slug if is_certain else written


_TABLE = Table((
    _page(".simplecast.com", r"[^/]+\.simplecast\.com/episodes/(?P<slug>[^/]+)(?:/.*)?", "{host}/episodes/{slug:s}",
          "{slug:sd}", "https://{host}/episodes/{slug}"),
    *(
        _page(_APPLE, _APPLE_SHOW + tail, f"podcasts.apple.com/id{{n}}{i}", "",
              f"https://podcasts.apple.com/podcast/id{{n}}{i}")
        for tail, i in ((query("i", r"(?P<i>\d+)"), "?i={i}"), ("", ""))
    ),
    _page("open.spotify.com play.spotify.com", _SPOTIFY + query("t", r"(?P<time>\d+)"), "open.spotify.com/{kind}/{n}"),
    _page("open.spotify.com play.spotify.com", _SPOTIFY, "open.spotify.com/{kind}/{n}"),
    _page("overcast.fm", r"/(?P<n>\+[^/]*)(?:/(?P<time>[\d:]*))?(?:/.*)?", "overcast.fm/{n}"),
), {"s": _find_slug, "d": lambda slug: slug.replace("-", " ")})  # fmt: skip
knows = _TABLE.knows
parse = _TABLE.parse
