"""Every other http(s) URL: a page is its host, its path and its identity in the query."""

from __future__ import annotations

import re

from ..ref import Ref
from ..url import Url, query_text, split_url, unescape

_SUFFIXES = ("html", "htm", "shtml", "xhtml", "php", "asp", "aspx", "jsp", "cgi")
_INDEX = frozenset(f"{stem}.{suffix}" for stem in ("index", "default") for suffix in _SUFFIXES)
# Documents whose names people write in capitals or not.
_DOCUMENT = re.compile(r"changelog|contributing|faq|licen[cs]e|readme|security", re.IGNORECASE)
# Routes of an application to its home.
_HOME = ("#/", "#!", "#!/", "#/home", "#!/home")
# The number of a session in a path.
_SESSION = re.compile(r";(?:jsessionid|phpsessid)=[^/]*", re.IGNORECASE)
# Blog engines append the name of the linking site: `?ref=blog.example.org`.
_REFERRER = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}")


def parse(url: str) -> Ref | None:
    """Return the web page at any http(s) URL, identified by its host, path and query; ``None`` for other URLs.

    The scheme, ``www.``, a trailing slash, the name of an index page and a fragment are not part of the identity,
    except the route of an application in a fragment (``#/…``, ``#!…``).

    >>> parse("http://www.Example.org/a/index.html?utm_source=x&id=1#top").id
    'web:example.org/a?id=1'
    """
    parts = split_url(url)
    if parts is None:
        return None
    segments = list(parts.segments)
    if ";" in parts.path:
        segments = _SESSION.sub("", "/".join(segments)).split("/")
    if segments and segments[-1].lower() in _INDEX:
        del segments[-1]
    if segments and _DOCUMENT.fullmatch(segments[-1]):
        segments[-1] = segments[-1].lower()
    query = query_text(identity_query(parts))
    # A fragment such as #/page or #!page is the page of an application.
    route = "#" + parts.text(fragment=True).partition("#")[2] if parts.fragment.startswith(("/", "!")) else ""
    name = "/".join([parts.host, *filter(None, segments)]) + query + ("" if route in _HOME else route)
    www = "www." if parts.www else ""  # some hosts answer only with it
    return Ref("web", f"web:{name}", readable(name), f"{parts.scheme}://{www}{parts.host}{parts.path}{query}{route}")


def make_page(name: str, *, label: str = "", url: str = "", time: str = "") -> Ref:
    """Return the reference of a web page.

    Args:
        name: its address without the scheme, which becomes its id
        label: "": the readable address
        url: its address to open; "": ``https://`` and the name
        time: the place in a recording, in seconds as digits; "": the whole
    """
    return Ref("web", f"web:{name}", label.strip() or readable(name), url or f"https://{name}", time=time)


def identity_query(parts: Url) -> tuple[tuple[str, str], ...]:
    """Return the (name, value) of the query parameters that are part of a page's identity.

    Left out are the name of the linking site (``ref=blog.example.org``) and the request for an AMP page (``amp=1``).
    """
    return tuple(
        (name, value)
        for name, value in parts.query
        if not (name == "ref" and _REFERRER.fullmatch(value)) and not (name == "amp" and value in {"", "1", "true"})
    )


def readable(text: str) -> str:
    """Return a text of an address with its percent-codes decoded.

    It stays as it is if decoding shows control characters or spaces at its ends.

    >>> readable("a%20b"), readable("a%0Ab")
    ('a b', 'a%0Ab')
    """
    if "%" not in text:
        return text
    plain = unescape(text)
    return plain if plain.isprintable() and plain == plain.strip() else text
