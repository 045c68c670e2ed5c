"""The spellings of feed addresses that people paste, and their meanings."""

from __future__ import annotations

import re
from pathlib import Path

from ..suffixes import public_suffix
from ..url import unescape

# http:// or https://
_WEB = re.compile(r"https?://", re.IGNORECASE)
# Prefixes of podcast directories and browsers that make an application open the address.
_HANDLERS = re.compile(r"(?:feed|feeds|rss|podcast|pcast|itpc|itms-podcast|podto):(?://)?", re.IGNORECASE)
# Any scheme that an authority follows; one letter is a drive of Windows.
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
# Labels and a last one that can be a public suffix, and a port.
_HOST = re.compile(
    r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,24}|xn--[a-z0-9-]+)(?::\d{1,5})?", re.IGNORECASE
)
# This machine, or a numeric address, and a port.
_HERE = re.compile(r"(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?::\d{1,5})?", re.IGNORECASE)
# The path of a file: URL that names no other machine.
_FILE = re.compile(r"file:(?://(?:localhost)?(?=/)|(?!//))([^?#]+)", re.IGNORECASE)
# A path that begins with a drive: file:///C:/feeds/a.xml
_DRIVE = re.compile(r"/[A-Za-z]:/")
# The characters after a host.
_HOST_END = re.compile(r"[/?#]")
# Public suffixes that are far more often the suffix of a file: a missing file is not a host.
_FILE_ENDS = frozenset({"app", "bz", "feed", "md", "mov", "pl", "ps", "py", "rs", "sh", "zip"})


def parse_web_address(name: str) -> str | None:
    """Return the http(s) address that ``name`` spells with a scheme of its own, or ``None``.

    ``feed:``, ``pcast:``, ``itpc:`` and their like come before an address or replace its scheme.

    >>> parse_web_address("feed:https://a.example/f"), parse_web_address("pcast://a.example/f")
    ('https://a.example/f', 'http://a.example/f')
    >>> parse_web_address("feeds/my.xml") is None
    True
    """
    rest = name
    if handler := _HANDLERS.match(name):
        rest = name[handler.end() :]
        return rest if _WEB.match(rest) else f"http://{rest}"
    return rest if _WEB.match(rest) else None


def parse_bare_address(name: str) -> str | None:
    """Return the address that ``name`` spells without a scheme; ``None`` for others, such as file names.

    >>> parse_bare_address("feeds.example.com/OB5FkIl8"), parse_bare_address("localhost:8000/feed")
    ('https://feeds.example.com/OB5FkIl8', 'http://localhost:8000/feed')
    >>> [parse_bare_address(name) for name in ("missing.xml", "feeds/a.rss", "sample", "notes.old/x")]
    [None, None, None, None]
    """
    host = _HOST_END.split(name, maxsplit=1)[0]
    if _HERE.fullmatch(host) and (":" in host or host != name):
        return f"http://{name}"
    found = _HOST.fullmatch(host)
    if found is None or (found[1].lower() in _FILE_ENDS and host == name):
        return None
    return f"https://{name}" if public_suffix(host.partition(":")[0].lower()) else None


def parse_file_url(name: str) -> Path | None:
    """Return the path that a ``file:`` URL of this machine names (RFC 8089), or ``None``.

    >>> parse_file_url("file:///tmp/my%20feed.xml").as_posix()
    '/tmp/my feed.xml'
    """
    found = _FILE.match(name)
    if found is None:
        return None
    path = unescape(found[1])
    return Path(path[1:] if _DRIVE.match(path) else path)


def has_scheme(name: str) -> bool:
    """Return whether ``name`` begins like a URL of any kind.

    >>> has_scheme("ftp://a.example/f"), has_scheme("C:/feeds/f.xml")
    (True, False)
    """
    return bool(_SCHEME.match(name))
