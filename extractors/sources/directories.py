"""The spellings of addresses that people paste, and the feeds of links to directories and players, or of a title.

Sources of the rules: "iTunes Search API" (Apple, performance-partners.apple.com) and the feeds that YouTube's channel
pages name.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote_plus

from ..errors import SourceError
from ..printable import for_message, url_for_message
from ..suffixes import public_suffix
from ..url import is_web, unescape

if TYPE_CHECKING:
    from collections.abc import Callable

APPLE = "https://itunes.apple.com/"
"""Apple's directory: an answer from there names feeds, and is not a feed."""
_LINES = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()


class Target(NamedTuple):
    """An address to fetch in place of a name from the user, and a ``line`` that informs the user of it, or ""."""

    url: str
    line: str = ""


def find_directory(name: str) -> Target | None:
    """Return the address to fetch for a link to a podcast directory or player, or for an address without a scheme.

    The rules are in ``directories.txt``: a pattern, a template for the address (empty: there is no feed) and a line
    for the user. Returns ``None`` for other names. Raises ``SourceError`` for a link without a feed, for example to
    Spotify.

    >>> find_directory("https://podcasts.apple.com/us/podcast/x/id1417270816?i=10")
    Target(url='https://itunes.apple.com/lookup?entity=podcast&id=1417270816', line='')
    >>> find_directory("https://a.example/feed.xml") is None
    True
    """
    bare_name = re.sub(r"\A(?:https?://)?(?:www\.)?", "", name)
    for pattern, template, line in (row.split("\t") for row in _LINES if not row.startswith("#")):
        if match := re.fullmatch(pattern, bare_name, re.IGNORECASE):
            if not template:
                problem, _, remedy = line.partition("|")
                raise SourceError(problem, source=url_for_message(name), remedy=remedy)
            return Target(template.format(match[1]), line)
    url = parse_bare_address(name)
    return Target(url) if url else None


def search_by_title(name: str) -> Target | None:
    """Return the address at Apple Podcasts that searches for a show by its title.

    Returns ``None`` for a text that is rather a path, an option or punctuation, and for more than 120 characters.

    >>> search_by_title("PyTorch Developer Podcast").url.partition("&term=")[2]
    'PyTorch+Developer+Podcast'
    >>> [search_by_title(name) for name in ("feed.xml", "a/b", "12", "--")]
    [None, None, None, None]
    """
    text = " ".join(name.split())
    # The end of a file's name is .xml or the like.
    is_path = re.search(r"[/\\\0\"<>{}]|\A[-.~]|\.[A-Za-z0-9]{1,5}\Z", text)
    has_letter = re.search(r"[^\W\d_]", text)
    if is_path or not name.isprintable() or not has_letter or len(text) > 120:
        return None
    url = f"{APPLE}search?media=podcast&entity=podcast&limit=10&term={quote_plus(text)}"
    return Target(url, "is not a file; asking Apple Podcasts")


def choose_show(data: bytes, name: str, notify: Callable[[str], None]) -> tuple[str, str]:
    """Return (title, address of the feed) of the only show in an answer of Apple's directory.

    Args:
        data: the answer, JSON of the iTunes Search API
        name: the text that the user searched for, to name it in the error
        notify: is called with a line for each show, if the answer has several

    Raises:
        SourceError: the answer has no show with a feed, or several, or cannot be read
    """
    try:
        rows = [row for row in json.loads(data)["results"] if is_web(row.get("feedUrl") or "")]
        shows = {row["feedUrl"]: for_message(str(row.get("collectionName") or "")) for row in rows}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        problem = "Apple Podcasts sent no readable answer"
        raise SourceError(problem, source=name, remedy="give the feed's address") from None
    if len(shows) == 1:
        ((url, title),) = shows.items()
        return title, url
    for url, title in shows.items():
        notify(f"{title}: {url_for_message(url)}")
    problem = f"Apple Podcasts has {len(shows) or 'no'} such shows with a feed"
    remedy = "give the feed's address of one" if shows else "check how it is written, or give a feed's address"
    raise SourceError(problem, source=name, remedy=remedy)


def parse_web_address(name: str) -> str | None:
    """Return the http(s) address that ``name`` spells, or ``None`` if it is not one.

    The schemes of podcast players (``feed:``, ``pcast:``, ``itpc:`` and the like) are removed, or replaced by http.

    >>> parse_web_address("feed:https://a.example/f"), parse_web_address("pcast://a.example/f")
    ('https://a.example/f', 'http://a.example/f')
    >>> parse_web_address("feeds/my.xml") is None
    True
    """
    rest = re.sub(r"\A(?:feeds?|rss|podcast|pcast|itpc|itms-podcast|podto):(?://)?", "", name, flags=re.IGNORECASE)
    if is_web(rest):
        return rest
    return f"http://{rest}" if rest != name else None


def parse_bare_address(name: str) -> str | None:
    """Return the http(s) address that ``name`` spells without a scheme; ``None`` for other texts.

    The name needs a path or a port, and a host with a public suffix such as ``.com``, so that files are not taken for
    addresses. This machine (``localhost``) and numeric addresses get http, other hosts https.

    >>> parse_bare_address("feeds.example.com/OB5FkIl8"), parse_bare_address("localhost:8000/feed")
    ('https://feeds.example.com/OB5FkIl8', 'http://localhost:8000/feed')
    >>> [parse_bare_address(name) for name in ("missing.xml", "feeds/a.rss", "sample", "notes.old/x")]
    [None, None, None, None]
    """
    if re.match(r"(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?::\d{1,5}|[/?])", name, re.IGNORECASE):
        return f"http://{name}"
    label = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
    host = re.match(rf"((?:{label}\.)+{label})(?::\d{{1,5}})?[/?]", name, re.IGNORECASE)
    return f"https://{name}" if host and public_suffix(host[1].lower()) else None


def parse_file_url(name: str) -> Path | None:
    """Return the path that a ``file:`` URL of this machine names (RFC 8089); ``None`` for other texts.

    >>> parse_file_url("file:///tmp/my%20feed.xml").as_posix()
    '/tmp/my feed.xml'
    """
    match = re.match(r"file:(?://(?:localhost)?(?=/)|(?!//))([^?#]+)", name, re.IGNORECASE)
    path = unescape(match[1]) if match else ""
    # The path of a drive, such as /C:/feeds, has a slash too many.
    return Path(path[1:] if re.match(r"/[A-Za-z]:/", path) else path) if path else None
