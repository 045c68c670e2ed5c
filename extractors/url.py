"""Parses and normalises URLs, so that the site rules see one spelling of each.

The rules are those of RFC 3986 section 6.2 (case, percent-encoding, dot segments, default ports) and the
WHATWG URL standard (hosts; a backslash is a slash). Parameters that only track the reader are removed.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin

# Scheme, authority, path, query and fragment (RFC 3986, appendix B), for URLs that have an authority.
_URL = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?//([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
# Labels of at most 63 characters with dots between, at most 253 in all (RFC 1035, 2.3.4); some names contain _.
_LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST = re.compile(rf"(?=.{{1,253}}\Z)(?:{_LABEL}\.)*{_LABEL}\Z")
# The characters that a URL may have: not controls, white space, quotes and angle brackets.
_ALLOWED = "".join({*map(chr, range(33, 127))} - {"<", ">", '"', "`"})
_DEFAULT_PORT = {"http": "80", "https": "443"}
_UNRESERVED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
# In a path the sub-delimiters mean nothing of their own: %28 and ( are one spelling (RFC 3986, 2.2 and 3.3).
_SEGMENT_SAFE = _UNRESERVED | frozenset("!$&'()*+,;=:@")
_PATH_SAFE = _SEGMENT_SAFE | {"/"}
_QUERY_SAFE = _UNRESERVED | frozenset("!$'()*,:@/?;&=+")
_FRAGMENT_SAFE = _SEGMENT_SAFE | {"/", "?"}

_TRACKING_FILE = Path(__file__).with_name("tracking_parameters.txt")
_TRACKING = re.compile(
    "|".join(line for line in _TRACKING_FILE.read_text("utf-8").splitlines() if not line.startswith("#")), re.IGNORECASE
)


class Url(NamedTuple):
    """The parts of an absolute http(s) URL, normalised.

    ``host`` is lower-case ASCII (IDNA) without ``www.`` and without a default port; ``path`` is
    percent-normalised and begins with ``/``; ``segments`` are its non-empty parts; ``query`` has the
    (name, value) pairs without trackers, as written; ``fragment`` is the part after ``#``, as written;
    ``www``: the host had ``www.`` before it.
    """

    scheme: str
    host: str
    path: str
    segments: tuple[str, ...]
    query: tuple[tuple[str, str], ...]
    fragment: str
    www: bool = False

    def get(self, name: str) -> str:
        """Return the value of the first query parameter called ``name``, "" without one."""
        return next((value for key, value in self.query if key == name), "")

    def text(self, *, fragment: bool = False) -> str:
        """Return the URL as one normalised text; with its fragment if ``fragment`` is true."""
        tail = f"#{_normalise(self.fragment, _FRAGMENT_SAFE)}" if fragment and self.fragment else ""
        return f"{self.scheme}://{self.host}{self.path}{query_text(self.query)}{tail}"


def query_text(pairs: tuple[tuple[str, str], ...]) -> str:
    """Return (name, value) pairs as the query of a URL, "" without any.

    The pairs are sorted, so that their order makes no difference.

    >>> query_text((("b", "2"), ("a", ""))), query_text(())
    ('?a&b=2', '')
    """
    text = "&".join(f"{name}={value}" if value else name for name, value in sorted(pairs))
    return f"?{text}" if text else ""


def unescape(text: str) -> str:
    """Return ``text`` with its percent-codes decoded as UTF-8; as it is if they are not UTF-8.

    >>> unescape("a%20b%2Fc%")
    'a b/c%'
    """
    with suppress(UnicodeDecodeError):
        return unquote(text, errors="strict")
    return text


@lru_cache(maxsize=4096)
def split_url(text: str) -> Url | None:
    """Return the normalised parts of an absolute http(s) URL, ``None`` for other texts.

    >>> split_url("HTTPS://www.GitHub.com:443/a/./b/?utm_source=x&q=1#L3").text()
    'https://github.com/a/b/?q=1'
    >>> split_url("mailto:someone@example.org") is None
    True
    """
    match = _URL.fullmatch(text.strip().replace("\\", "/"))
    if match is None:
        return None
    scheme = (match[1] or "https").lower()
    host, www = _normalise_host(match[2], scheme) if scheme in _DEFAULT_PORT else ("", False)
    if not host:
        return None
    path = _normalise(match[3], _PATH_SAFE) or "/"
    if "/." in path:  # dot segments (RFC 3986, 5.2.4)
        path = join("https://x", f"/.{path}").removeprefix("https://x")
    segments = tuple([part for part in path.split("/") if part])
    pairs = (pair.partition("=") for pair in _normalise(match[4] or "", _QUERY_SAFE).split("&"))
    query = tuple([(name, value) for name, _, value in pairs if name and not _TRACKING.match(name)])
    return Url(scheme, host, path, segments, query, match[5] or "", www)


def host_of(url: str) -> str:
    """Return the host of an http(s) URL in lower-case ASCII, with its port; "" for other texts.

    Unicode names become A-labels (UTS 46); ``www.`` and the scheme's default port are removed.

    >>> host_of("https://me@Feeds.example:8000/f"), host_of("//Www.Bücher.example:443"), host_of("feed.xml")
    ('feeds.example:8000', 'xn--bcher-kva.example', '')
    """
    parts = split_url(url)
    return parts.host if parts else ""


def split_scheme(url: str) -> tuple[str, str]:
    """Return the scheme of a URL in lower case and the part after its colon; without a scheme ``("", url)``.

    >>> split_scheme("HTTP://x.org"), split_scheme("/a:b")
    (('http', '//x.org'), ('', '/a:b'))
    """
    match = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", url)  # RFC 3986, 3.1
    return (match[1].lower(), url[match.end() :]) if match else ("", url)


def is_web(url: str) -> bool:
    """Return whether a URL begins with ``http://`` or ``https://``.

    >>> is_web("HTTP://x.org"), is_web("https:x.org"), is_web("mailto:a@x.org")
    (True, False, False)
    """
    scheme, rest = split_scheme(url)
    return scheme in _DEFAULT_PORT and rest.startswith("//")


def join(base: str, url: str) -> str:
    """Return ``url`` resolved against the URL ``base`` (RFC 3986, section 5); as it is if that fails.

    >>> join("https://x.org/a/b", "../c?d#e"), join("https://x.org/", "https://[")
    ('https://x.org/c?d#e', 'https://[')
    """
    with suppress(ValueError):  # such as a bracket that never closes
        return urljoin(base, url)
    return url


def without_user(url: str) -> str:
    """Return a URL without the user name and password that it may carry (RFC 3986, 3.2.1).

    >>> without_user("https://me:secret@a.example/feed?to=b@c")
    'https://a.example/feed?to=b@c'
    """
    user = re.match(r"((?>.*?://))[^/?#\\]*@", url, re.DOTALL)  # a backslash ends an authority, too
    return f"{user[1]}{url[user.end() :]}" if user else url


def address_key(url: str) -> str:
    """Return a text that is equal for different spellings of one address: scheme and host in lower case, no fragment.

    >>> address_key("HTTPS://A.example/Feed#top")
    'https://a.example/Feed'
    """
    match = _URL.match(url)
    end = match.end(2) if match else 0
    return url[:end].lower() + url[end:].partition("#")[0]


@lru_cache(maxsize=4096)  # the links of a show lead to few hosts
def _normalise_host(authority: str, scheme: str) -> tuple[str, bool]:
    """Return a normalised host as ``host_of`` does ("" for an invalid one), and whether it had ``www.`` before it.

    Args:
        authority: the part of a URL between ``//`` and the path: user, host and port
        scheme: ``http`` or ``https``, whose default port is removed
    """
    host_and_port = authority.rpartition("@")[2]
    if host_and_port.startswith("["):
        # IPv6, by its characters alone.
        address = re.fullmatch(r"(\[[0-9A-Fa-f:.]{2,45}\])(?::(.*))?", host_and_port)
        if not address:
            return "", False
        host, port = address[1].lower(), address[2]
    else:
        name, _, port = host_and_port.partition(":")
        host = unescape(name).lower().rstrip(".")
        if not host.isascii():
            host = _to_ascii(host)
        if not _HOST.match(host):
            return "", False
    if port and not re.fullmatch("[0-9]{1,5}", port):
        return "", False
    has_www = host.startswith("www.") and host.count(".") > 1  # www.org is a host of its own
    host = host.removeprefix("www.") if has_www else host
    return (f"{host}:{port}" if port and port != _DEFAULT_PORT[scheme] else host), has_www


def _to_ascii(host: str) -> str:
    """Return a host in ASCII (Punycode), "" for an invalid one."""
    import idna  # noqa: PLC0415 - its tables take longer to load than everything else a query needs

    with suppress(idna.IDNAError, UnicodeError):
        return idna.encode(host, uts46=True).decode()
    with suppress(UnicodeError):  # registries sold names such as ✪df.ws before IDNA 2008 forbade symbols
        return host.encode("idna").decode()
    return ""


def _normalise(text: str, safe: frozenset[str]) -> str:
    """Return a part of a URL with one spelling of its percent-codes.

    The codes of ``safe`` characters are decoded, others are in upper case, and forbidden characters are escaped.
    """
    if "%" in text:
        safe = safe - frozenset("/?&=+;#")  # they would separate parts, then
        text = re.sub("%([0-9A-Fa-f]{2})", lambda m: c if (c := chr(int(m[1], 16))) in safe else m[0].upper(), text)
    return quote(text, _ALLOWED, errors="surrogatepass")


def with_scheme(url: str) -> str:
    """Return a URL as found, with the scheme that its writer left out or mistyped.

    >>> [with_scheme(url) for url in ("github.com/pytorch", "//x.org", "HTTP://x.org", "http//x.org")]
    ['https://github.com/pytorch', 'https://x.org', 'HTTP://x.org', 'http://x.org']
    """
    if scheme := re.match(r"(https?)(?::/*|//+)", url, re.IGNORECASE):  # with misspellings of ://
        return f"{scheme[1]}://{url[scheme.end() :]}"
    return "https://" + url.lstrip("/")


def without_scheme(url: str) -> str:
    """Return a URL as found, without its scheme, ``www.`` and a slash at its end.

    >>> without_scheme("https://www.x.org/a/"), without_scheme("x.org")
    ('x.org/a', 'x.org')
    """
    return with_scheme(url).partition("://")[2].removeprefix("www.").rstrip("/")
