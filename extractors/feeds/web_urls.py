"""The URLs of a feed's own elements: made absolute, and each one fit for a browser."""

from __future__ import annotations

import re

from ..url import join, split_scheme, without_user

# The begin of an http(s) URL, as far as its host's first character.
_ABSOLUTE = re.compile(r"https?://[^/?#\s]", re.IGNORECASE)
# Control characters and line ends of any kind.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_LONGEST = 8192


def resolve(base: str, url: str) -> str:
    """Return ``url`` without controls, resolved against ``base`` unless it is absolute or the resolution fails.

    >>> resolve("https://x.org/a/b", " ../c?d#e"), resolve("", "c")
    ('https://x.org/c?d#e', 'c')
    """
    url = _CONTROLS.sub("", url.strip())
    return url if not base or _ABSOLUTE.match(url) else join(base, url)


def web_url(url: str, *bases: str) -> str:
    """Return an absolute http(s) URL, resolved against the first fitting base, or nothing.

    >>> web_url("/ep/1", "", "https://x.org/feed"), web_url("www.x.org/ep"), web_url("javascript:alert(1)", "https://x.org")
    ('https://x.org/ep/1', 'https://www.x.org/ep', '')
    """
    url = resolve("", url)
    if not url or len(url) > _LONGEST:
        return ""
    if _ABSOLUTE.match(url):
        return url
    if url.lower().startswith("www."):
        return f"https://{url}"
    if split_scheme(url)[0]:
        return ""
    return next((joined for base in bases if _ABSOLUTE.match(joined := resolve(base, url))), "")


def public_url(url: str) -> str:
    """Return an absolute http(s) URL without a user name and password, or an empty text.

    >>> public_url("https://me:secret@x.org/feed")
    'https://x.org/feed'
    """
    return without_user(web_url(url))
