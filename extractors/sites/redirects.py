"""Redirect links with their target in the address: click counters, archives.

Only hosts known to redirect are resolved, without the network: a shortener without its target in the
address stays unchanged.
"""

from __future__ import annotations

import re
from functools import cache

from ..url import Url, split_url, unescape
from .table import Table, read_rows

_MAXIMUM_DEPTH = 8  # counters of podcast downloads are stacked
# A URL in version 3 of URL Defense: the text, and the replaced characters.
_DEFENSE = re.compile(r"[^?#]*/v3/__(.+)__;([\w-]*)", re.DOTALL)
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
# Placeholders in the text for the replaced characters.
_STARS = re.compile(r"\*(\*[A-Za-z0-9_-])?")
# An http(s) URL, also without its scheme, or with no more than a host and a path.
_WHOLE = re.compile(r"(?:https?:)?//|()[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::\d+)?(?=/)", re.IGNORECASE)


def unwrap(url: str) -> str:
    """Return the target of a redirecting URL that contains its target; any other ``url`` as it is.

    At most eight redirects inside each other are followed. An archived or AMP copy leads to its original. The network
    is not asked.

    >>> unwrap("https://www.google.com/url?q=https%3A%2F%2Fgithub.com%2Fo%2Fr&sa=D")
    'https://github.com/o/r'
    >>> unwrap("https://web.archive.org/web/20200101000000/http://blog.ezyang.com/2019/05/pytorch-internals/")
    'http://blog.ezyang.com/2019/05/pytorch-internals/'
    """
    for _ in range(_MAXIMUM_DEPTH):
        parts = split_url(url)
        target = _find_target(parts, url) if parts else ""
        target_parts = split_url(target) if target else None
        if target_parts is None or "." not in target_parts.host:
            break
        url = target
    return url


def _find_target(parts: Url, url: str) -> str:
    """Return the target of a redirecting URL as an http(s) URL, by the table of redirects; "" if it does not redirect.

    ``parts`` are the parts of ``url``. A target that is a path is on the same host.
    """
    table = _load_redirects()
    match = table.match(parts)
    if match is None:
        return ""
    row, groups = match
    # Parameters of Google Translate are not the page's.
    pairs = [f"{key}={value}" if value else key for key, value in parts.query if not key.startswith("_x_tr_")]
    tail = f"{'?' if pairs else ''}{'&'.join(pairs)}{'#' if parts.fragment else ''}{parts.fragment}"
    more = {"tail": groups["slash"] + tail, "query": url.partition("?")[2], "fragment": parts.fragment.lstrip("/")}
    target = table.fill(row.id, {**groups, **more, "url": url})
    if target.startswith("/") and not target.startswith("//"):
        return f"https://{parts.host}{target}"
    begin = _WHOLE.match(target)
    is_without_scheme = begin is not None and begin[1] is not None  # the empty group takes part only then
    return "" if begin is None else f"https://{target}" if is_without_scheme else target


@cache
def _load_redirects() -> Table:
    """Return the table of redirecting addresses, whose filters decode the targets."""
    filters = {"b": _decode_base64, "c": _cut_query, "m": _decode_defense_2, "o": _restore_host, "z": _decode_defense_3}
    return Table(read_rows("redirects")[0], filters)


def _cut_query(query: str) -> str:
    """Return a query from its first "http" on, with its percent-codes decoded; the whole query without an "http"."""
    return unescape(query[max(query.find("http"), 0) :])


def _restore_host(name: str) -> str:
    """Return the host of a page from its ``name`` in an address of Google Translate: there, a dot is a hyphen.

    A hyphen is two hyphens there.

    >>> _restore_host("my--site-org")
    'my-site.org'
    """
    # An underscore, which is in no such host, stands for a true hyphen in between.
    return name.replace("--", "_").replace("-", ".").replace("_", "-")


def _decode_base64(text: str) -> str:
    """Return the text that is encoded in URL-safe Base64, also without its padding; "" for other texts."""
    import base64  # noqa: PLC0415 - few links need it, and questions do not wait for it

    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
    except ValueError:
        return ""


def _decode_defense_2(text: str) -> str:
    """Return the URL in an address of Proofpoint's URL Defense, version 2, where - stands for % and _ for /."""
    return unescape(text.replace("-", "%").replace("_", "/"))


def _decode_defense_3(url: str) -> str:
    """Return the URL in an address of Proofpoint's URL Defense, version 3, as the vendor's published decoder does.

    A star in the text stands for one replaced character, ``**X`` for a run whose length the letter X encodes. The
    characters are at the end, in Base64. Returns "" for other texts.
    """
    match = _DEFENSE.match(url)
    if match is None:
        return ""
    characters = _decode_base64(match[2])
    at = 0  # the number of characters put back so far

    def restore_characters(star: re.Match[str]) -> str:
        """Return the next characters for a star in the text: one, or as many as the letter behind two stars encodes."""
        nonlocal at
        size = _ALPHABET.index(star[1][1]) + 2 if star[1] else 1  # runs have two characters or more
        at += size
        return characters[at - size : at]

    text = _STARS.sub(restore_characters, match[1])
    return text if at <= len(characters) else ""
