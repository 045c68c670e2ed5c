"""The URLs of a feed's own elements: made absolute, and none that a browser would not open."""

from __future__ import annotations

import re
from urllib.parse import urljoin

_ABSOLUTE = re.compile(r"https?://[^/?#\s]", re.IGNORECASE)
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_USER = re.compile(r"^([a-z]+://)[^/?#]*@", re.IGNORECASE)
_LONGEST = 8192


def join(base: str, url: str) -> str:
    """Return ``url`` resolved against ``base`` (RFC 3986, section 5), or as it is when that fails.

    >>> join("https://x.org/a/b", "../c?d#e")
    'https://x.org/c?d#e'
    """
    url = _CONTROLS.sub("", url.strip())
    if not base or _ABSOLUTE.match(url):
        return url
    try:
        return urljoin(base, url)
    except ValueError:
        return url


def web_url(url: str, *bases: str) -> str:
    """Return an absolute http(s) URL, resolved against the first base that makes it one, or nothing.

    >>> web_url("/ep/1", "", "https://x.org/feed"), web_url("www.x.org/ep"), web_url("javascript:alert(1)", "https://x.org")
    ('https://x.org/ep/1', 'https://www.x.org/ep', '')
    """
    url = join("", url)
    if not url or len(url) > _LONGEST:
        return ""
    if _ABSOLUTE.match(url):
        return url
    if url.lower().startswith("www."):
        return f"https://{url}"
    if _SCHEME.match(url):
        return ""
    return next((joined for base in bases if _ABSOLUTE.match(joined := join(base, url))), "")


def public_url(url: str) -> str:
    """Return an absolute http(s) URL without the user name and password that may stand in it, or nothing.

    >>> public_url("https://me:secret@x.org/feed")
    'https://x.org/feed'
    """
    return _USER.sub(r"\1", web_url(url))
