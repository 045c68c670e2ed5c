"""Redirect links with their target in the address: click counters, archives.

Only hosts known to redirect are resolved, without the network: a shortener that does not contain
its target stays unchanged.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..url import Url, split_url, unescape
from .tables import read_table

if TYPE_CHECKING:
    from collections.abc import Callable

    Query = tuple[tuple[str, str], ...]

_DEPTH = 8  # counters of podcast downloads are stacked

_TABLE = read_table("redirects")
_PARAMETERS: dict[str, dict[str, tuple[str, ...]]] = {}  # host -> path, or *: parameters with the target
for _name, _path, *_names in _TABLE["parameters"]:
    _PARAMETERS.setdefault(_name, {})["" if _path == "-" else _path] = tuple(_names)
_PREFIXES = {name: int(number) for name, number in _TABLE["prefixes"]}
# The time of an archived copy, as archives write it.
_STAMP = re.compile(r"/(?:web/)?(?:\d{1,14}(?:[a-z]{2}_)?|\d{0,14}\*|[\d.]{8,10}-\d{6}|o/\w+)/", re.IGNORECASE)
# A whole URL at the begin of a path.
_NESTED = re.compile(r"/+(https?):/+(?=[^/])", re.IGNORECASE)
# A host with a dot in it, and a port.
_HOST = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::\d+)?")
# A URL in version 3 of URL Defense: the text, and the replaced characters.
_DEFENSE = re.compile(r"[^?#]*/v3/__(.+)__;([\w-]*)", re.DOTALL)
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
# Placeholders in the text for the replaced characters.
_STARS = re.compile(r"\*(\*[A-Za-z0-9_-])?")


def unwrap(url: str) -> str:
    """Return the URL that a redirecting URL names as its target, else ``url`` itself.

    Follows at most eight redirects inside each other. An archived or AMP copy leads to its original.

    >>> unwrap("https://www.google.com/url?q=https%3A%2F%2Fgithub.com%2Fo%2Fr&sa=D")
    'https://github.com/o/r'
    >>> unwrap("https://web.archive.org/web/20200101000000/http://blog.ezyang.com/2019/05/pytorch-internals/")
    'http://blog.ezyang.com/2019/05/pytorch-internals/'
    """
    for _ in range(_DEPTH):
        parts = split_url(url)
        target = _find_target(parts, url) if parts else ""
        led = split_url(target) if target else None
        if led is None or "." not in led.host:
            break
        url = target
    return url


def _find_target(parts: Url, url: str) -> str:
    """Return the target in a redirecting address ``url``, or nothing, by the rule for its host."""
    host = parts.host
    if rule := _RULES.get(host):
        return rule(parts, url)
    if names := _PARAMETERS.get(host):
        return _read_parameter(parts, names)
    if skipped := _PREFIXES.get(host):
        return _behind_prefix(parts, skipped)
    if host.startswith("google.") and host.count(".") <= 2:
        return _google(parts, url)
    if host.endswith(("cdn.ampproject.org", ".safelinks.protection.outlook.com", ".translate.goog")):
        return _read_by_suffix(parts)
    if parts.path.startswith(("/CL0/", "/L0/")) and len(parts.segments) > 1:
        return _whole(unescape(parts.segments[1]))
    return ""


def _google(parts: Url, url: str) -> str:
    if parts.segments[:1] == ("amp",):
        return _amp(parts, parts.segments[1:])
    return _read_parameter(parts, _PARAMETERS["google.com"])


def _read_by_suffix(parts: Url) -> str:
    """Return the target of a service with a host for each target: Outlook, AMP caches, Google Translate."""
    if parts.host.endswith(".outlook.com"):
        return _read_parameter(parts, {"*": ("url",)})
    if parts.host.endswith(".ampproject.org"):
        return _amp(parts, parts.segments[1:])
    # A translated page: a hyphen replaces a dot, two hyphens replace a hyphen.
    host = parts.host.removesuffix(".translate.goog").replace("--", "_").replace("-", ".").replace("_", "-")
    kept = tuple(pair for pair in parts.query if not pair[0].startswith("_x_tr_"))
    return _tail(f"https://{host}{parts.path}", kept, parts.fragment)


def _read_parameter(parts: Url, names: dict[str, tuple[str, ...]]) -> str:
    """Return the target in the query of an address.

    ``names`` are the parameters by path; those of ``*`` hold for all other paths. A target without a host is one of
    this host.
    """
    keys = names.get(parts.path.strip("/")) or names.get("*", ())
    for key in keys:
        target = unescape(parts.get(key))
        if target.startswith("/") and not target.startswith("//"):
            return f"https://{parts.host}{target}"
        if target := _whole(target):
            return target
    return ""


def _whole(text: str) -> str:
    """Return ``text`` if it is an http(s) URL, with the scheme if only that is missing, else nothing."""
    if text[:8].lower().startswith(("http://", "https://", "//")):
        return text
    host = _HOST.match(text)
    return f"https://{text}" if host and text[host.end() : host.end() + 1] in ("", "/") and "/" in text else ""


def _tail(address: str, query: Query, fragment: str) -> str:
    """Return ``address`` with the query and the fragment after it."""
    text = "&".join(f"{key}={value}" if value else key for key, value in query)
    return f"{address}{'?' if text else ''}{text}{'#' if fragment else ''}{fragment}"


def _behind_prefix(parts: Url, skipped: int) -> str:
    rest = parts.segments[skipped:]
    whole = len(rest) > 1 and _HOST.fullmatch(rest[0])
    return _tail("https://" + "/".join(rest), parts.query, parts.fragment) if whole else ""


def _amp(parts: Url, segments: tuple[str, ...]) -> str:
    """Return the page behind an AMP cache: its host and path, after ``s`` for https."""
    scheme = "https" if segments[:1] == ("s",) else "http"
    rest = segments[1:] if scheme == "https" else segments
    return (
        _tail(f"{scheme}://{'/'.join(rest)}", parts.query, parts.fragment) if rest and _HOST.fullmatch(rest[0]) else ""
    )


def _archive(parts: Url, url: str) -> str:
    """Return the page that an address of the Wayback Machine archives, behind the time of the copy."""
    stamp = _STAMP.match(parts.path)
    path = parts.path[stamp.end() - 1 :] if stamp else parts.path.removeprefix("/web")
    if stamp and _HOST.match(path.lstrip("/")):  # the scheme was left out
        path = f"/http://{path.lstrip('/')}"
    return _nested_in(path, parts)


def _nested(parts: Url, url: str) -> str:
    return _nested_in(parts.path, parts)


def _nested_in(path: str, parts: Url) -> str:
    match = _NESTED.match(path)
    return _tail(f"{match[1]}://{path[match.end() :]}", parts.query, parts.fragment) if match else ""


def _viewed(parts: Url, url: str) -> str:
    scheme = {"url": "http", "urls": "https"}.get("".join(parts.segments[:1]))
    return f"{scheme}://{'/'.join(parts.segments[1:])}" if scheme else ""


def _workspace(parts: Url, url: str) -> str:
    return _whole(parts.fragment.lstrip("/"))


def _bing(parts: Url, url: str) -> str:
    return _whole(_base64(parts.get("u").removeprefix("a1"))) if parts.path == "/ck/a" else ""


def _disqus(parts: Url, url: str) -> str:
    return _whole(unescape(parts.get("url")).rpartition(":")[0])  # a checksum follows the target


def _behind_question_mark(parts: Url, url: str) -> str:
    query = url.partition("?")[2]
    return _whole(unescape(query[max(query.find("http"), 0) :]))


def _proofpoint(parts: Url, url: str) -> str:
    """Undo Proofpoint's URL Defense, versions 2 and 3, as the vendor's published decoder does."""
    if parts.segments[:1] == ("v2",):
        return _whole(unescape(parts.get("u").replace("-", "%").replace("_", "/")))
    match = _DEFENSE.match(url)
    if match is None:
        return _read_parameter(parts, _PARAMETERS["urldefense.proofpoint.com"])
    return _whole(_restore(match[1], _base64(match[2])))


def _base64(text: str) -> str:
    import base64  # noqa: PLC0415 - few links need it, and questions do not wait for it

    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
    except ValueError:
        return ""


def _restore(text: str, kept: str) -> str:
    """Put back the characters that version 3 replaced: ``*`` for one, ``**X`` for a run whose length X encodes."""
    at = 0

    def put_back(match: re.Match[str]) -> str:
        nonlocal at
        size = _ALPHABET.index(match[1][1]) + 2 if match[1] else 1
        at += size
        return kept[at - size : at]

    whole = _STARS.sub(put_back, text)
    return whole if at <= len(kept) else ""


_RULES: dict[str, Callable[[Url, str], str]] = {
    "google.com": _google,
    "bing.com": _bing,
    "disq.us": _disqus,
    "urldefense.com": _proofpoint,
    "urldefense.proofpoint.com": _proofpoint,
    "gitpod.io": _workspace,
    "nbviewer.org": _viewed,
    "nbviewer.jupyter.org": _viewed,
    **dict.fromkeys(("href.li", "anonym.to", "htmlpreview.github.io"), _behind_question_mark),
    **dict.fromkeys(("r.jina.ai", "12ft.io"), _nested),
    **dict.fromkeys(("web.archive.org", "archive.org"), _archive),
    **dict.fromkeys((f"archive.{tld}" for tld in ("is", "ph", "today", "li", "vn", "fo", "md")), _archive),
}
