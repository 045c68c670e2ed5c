"""A URL taken apart and normalised, so that the site rules see one spelling of it.

The rules are those of RFC 3986 section 6.2 (case, percent-encoding, dot segments, default ports) and the
WHATWG URL standard (hosts; a backslash is a slash). What only tracks the reader is dropped from the query.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_URL = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?//([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
_HOST = re.compile(
    r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\Z"
)
_IPV6 = re.compile(r"\[[0-9A-Fa-f:.]{2,45}\]\Z")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_SCHEME = re.compile(r"(https?)(?::/*|//+)", re.IGNORECASE)
_DISALLOWED = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029<>\"`]")
_DEFAULT_PORT = {"http": "80", "https": "443"}
_UNRESERVED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
# In a path the sub-delimiters mean nothing of their own: %28 and ( are one spelling (RFC 3986, 2.2 and 3.3).
_PATH_SAFE = _UNRESERVED | frozenset("!$&'()*+,;=:@")

# Parameters that say where a reader came from, never what is shown.
_TRACKING = frozenset(
    "_ga _gl _hsenc _hsmi __hssc __hstc __hsfp __twitter_impression cmpid dclid epik fb_action_ids fb_action_types "
    "fb_ref fb_source fbclid gad_source gbraid gclid gclsrc hsctatracking igsh igshid li_fat_id mc_cid mc_eid "
    "mkt_tok msclkid ncid ocid oly_anon_id oly_enc_id ref_src ref_url s_cid s_kwcid scid share_id sr_share "
    "srsltid trk trkcampaign ttclid twclid vero_conv vero_id wbraid wickedid wt_mc wt.mc_id yclid ysclid zanpid".split()
)
_TRACKING_PREFIX = ("utm_", "pk_", "mtm_", "piwik_", "matomo_", "stm_", "hsa_", "at_campaign", "at_medium")


class Url(NamedTuple):
    """The parts of an absolute http(s) URL, normalised.

    ``host`` is lower-case ASCII (IDNA) without ``www.`` and without a default port; ``path`` is
    percent-normalised and begins with ``/``; ``segments`` are its non-empty parts; ``query`` holds the
    (name, value) pairs that are no trackers, as written; ``fragment`` is the part behind ``#``, as written.
    """

    scheme: str
    host: str
    path: str
    segments: tuple[str, ...]
    query: tuple[tuple[str, str], ...]
    fragment: str

    def get(self, name: str) -> str:
        """Return the value of the first query parameter called ``name``, or the empty string."""
        return next((value for key, value in self.query if key == name), "")

    def text(self, *, fragment: bool = False) -> str:
        """Return the URL as one normalised string, with its fragment if asked for."""
        tail = f"#{_normalise(self.fragment, _PATH_SAFE | {'/', '?'})}" if fragment and self.fragment else ""
        return f"{self.scheme}://{self.host}{self.path}{query_text(self.query)}{tail}"


def query_text(pairs: tuple[tuple[str, str], ...]) -> str:
    """Return ``?a=1&b`` for the pairs, sorted so that their order makes no difference, or nothing."""
    if not pairs:
        return ""
    return "?" + "&".join(f"{name}={value}" if value else name for name, value in sorted(pairs))


def unescape(text: str) -> str:
    """Return ``text`` with its percent-escapes decoded as UTF-8 where they are valid.

    >>> unescape("a%20b%2Fc%")
    'a b/c%'
    """
    if "%" not in text:
        return text
    raw = bytearray()
    last = 0
    for match in _ESCAPE.finditer(text):
        raw += text[last : match.start()].encode("utf-8", "surrogatepass")
        raw.append(int(match[1], 16))
        last = match.end()
    raw += text[last:].encode("utf-8", "surrogatepass")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return text


@lru_cache(maxsize=4096)
def split_url(text: str) -> Url | None:
    """Take an absolute http(s) URL apart, or return ``None`` when ``text`` is none.

    >>> split_url("HTTPS://www.GitHub.com:443/a/./b/?utm_source=x&q=1#L3").text()
    'https://github.com/a/b/?q=1'
    >>> split_url("mailto:someone@example.org") is None
    True
    """
    match = _URL.fullmatch(text.strip().replace("\\", "/"))
    if match is None:
        return None
    scheme = (match[1] or "https").lower()
    if scheme not in _DEFAULT_PORT:
        return None
    host = normalise_host(match[2], scheme)
    if host is None:
        return None
    path = _without_dots(_normalise(match[3], _PATH_SAFE | {"/"})) or "/"
    query = tuple(
        (name, value)
        for name, _, value in (
            pair.partition("=")
            for pair in _normalise(match[4] or "", _UNRESERVED | frozenset("!$'()*,:@/?;&=+")).split("&")
        )
        if name and not _tracks(name)
    )
    segments = tuple(part for part in path.split("/") if part)
    return Url(scheme, host, path, segments, query, match[5] or "")


def normalise_host(authority: str, scheme: str = "https") -> str | None:
    """Return the host of an authority (``user@host:port``) in lower-case ASCII, or ``None`` if it is none.

    Unicode names become A-labels (UTS 46); ``www.`` and the scheme's default port are dropped.

    >>> normalise_host("Www.Bücher.example:443")
    'xn--bcher-kva.example'
    >>> normalise_host("not a host") is None
    True
    """
    host = authority.rpartition("@")[2]
    port = ""
    if host.startswith("["):
        end = host.find("]")
        bracketed, rest = host[: end + 1], host[end + 1 :]
        if end < 0 or not _IPV6.match(bracketed) or (rest and not rest.startswith(":")):
            return None
        host, port = bracketed.lower(), rest[1:]
    else:
        host, _, port = host.partition(":")
        host = unescape(host).lower().rstrip(".")
        if not host.isascii():
            host = _to_ascii(host)
        if not _HOST.match(host):
            return None
    if port and not (port.isascii() and port.isdigit() and len(port) <= 5):
        return None
    host = host.removeprefix("www.") if host.count(".") > 1 else host
    return f"{host}:{port}" if port and port != _DEFAULT_PORT[scheme] else host


def _to_ascii(host: str) -> str:
    import idna  # noqa: PLC0415 - its tables take longer to load than everything else a query needs

    try:
        return idna.encode(host, uts46=True).decode()
    except (idna.IDNAError, UnicodeError):
        pass
    if not all(char.isprintable() and not char.isspace() for char in host):
        return ""
    # Registries sold names such as ✪df.ws before IDNA 2008 forbade symbols, and browsers still open them.
    labels = unicodedata.normalize("NFKC", host).lower().split(".")
    try:
        return ".".join(part if part.isascii() else f"xn--{part.encode('punycode').decode()}" for part in labels)
    except UnicodeError:
        return ""


def _tracks(name: str) -> bool:
    lower = name.lower()
    return lower in _TRACKING or lower.startswith(_TRACKING_PREFIX)


def _normalise(text: str, safe: frozenset[str]) -> str:
    """Decode the escapes of safe characters, write the rest in upper case, escape what may not stand bare."""
    if "%" in text:
        text = _ESCAPE.sub(
            lambda m: c if (c := chr(int(m[1], 16))) in safe and c not in "/?&=+;#" else m[0].upper(), text
        )
    if text.isascii() and not _DISALLOWED.search(text):
        return text
    return "".join(
        c if c.isascii() and not _DISALLOWED.match(c) else "".join(f"%{b:02X}" for b in c.encode("utf-8", "replace"))
        for c in text
    )


def _without_dots(path: str) -> str:
    if "/." not in path:
        return path
    kept: list[str] = []
    parts = path.split("/")
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if part == "..":
            if len(kept) > 1:
                kept.pop()
            if last:
                kept.append("")
        elif part == ".":
            if last:
                kept.append("")
        else:
            kept.append(part)
    return "/".join(kept)


def with_scheme(url: str) -> str:
    """Return a URL as found with the scheme that its writer left out or mistyped.

    >>> [with_scheme(url) for url in ("github.com/pytorch", "//x.org", "HTTP://x.org", "http//x.org")]
    ['https://github.com/pytorch', 'https://x.org', 'HTTP://x.org', 'http://x.org']
    """
    if scheme := _SCHEME.match(url):
        return f"{scheme[1]}://{url[scheme.end() :]}"
    return "https://" + url.lstrip("/")
