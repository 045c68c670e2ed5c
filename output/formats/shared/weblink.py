"""Texts fit for a link."""

from __future__ import annotations

import re

# An http(s) address without white space, quotes, angle brackets and unprintable characters.
_WEB = re.compile(r"https?://[^\s\x00-\x20<>\"\x7f-\x9f\ud800-\udfff]+", re.IGNORECASE)


def to_web_link(value: object) -> str:
    """Return ``value`` if it is an http(s) URL fit for a link, else the empty string.

    >>> to_web_link("https://x.org/a"), to_web_link("javascript:alert(1)"), to_web_link(None)
    ('https://x.org/a', '', '')
    """
    return value if isinstance(value, str) and _WEB.fullmatch(value) else ""
