"""Sites with an id in a variable address: documents, encyclopedias, posts, models, books.

They have no kind of their own and are web pages, each with one canonical address.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ..url import split_url
from .web import page, readable

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..ref import Ref
    from ..url import Url

# The id of a file or folder.
_DRIVE_ID = re.compile(r"[A-Za-z0-9_-]{15,}")
# A document of Google's by its kind and number, behind e/ when it is published.
_DOC = re.compile(
    r"/(document|presentation|spreadsheets|forms|drawings)/+(?:[^/]+/+)*?d/+(e/+)?([A-Za-z0-9_-]{15,})/", re.ASCII
)
# The number of an article at Amazon: its own, or an ISBN.
_ASIN = re.compile(r"(?:B[A-Z0-9]{9}|\d{9}[\dX])", re.IGNORECASE)
# The name of a user of X.
_USER = re.compile(r"@?\w{1,20}", re.ASCII)
# Wikipedia in a language.
_WIKIPEDIA = re.compile(r"(?:([a-z][a-z0-9-]*)\.)?(?:m\.)?wikipedia\.org")
# Amazon in a country.
_AMAZON = re.compile(r"(?:smile\.|m\.)?(amazon(?:\.[a-z]{2,3}){1,2})")
# The number of a post at LinkedIn.
_ACTIVITY = re.compile(r"(?:.*-|urn:li:)(activity|share|ugcPost)[-:](\d{10,})(?:-.*)?")
_BEFORE_ASIN = frozenset(("dp", "product", "ASIN", "d", "o", "-"))
_X_PAGES_TEXT = """
about compose download explore hashtag home i intent jobs login logout messages notifications privacy search
settings share signup tos
"""
_X_PAGES = frozenset(_X_PAGES_TEXT.split())
_HF_PAGES_TEXT = """
api blog chat collections datasets docs enterprise inference join learn login models new organizations papers
posts pricing privacy search settings spaces storage support tasks terms-of-service
"""
_HF_PAGES = frozenset(_HF_PAGES_TEXT.split())
_HF_INSIDE = frozenset(("blob", "resolve", "raw", "blame", "tree", "discussions", "commit", "commits", "viewer"))


def knows(host: str) -> bool:
    """Return whether the rule covers a host."""
    return (
        host in _RULES
        or host.endswith(("wikipedia.org", "reddit.com", ".linkedin.com"))
        or "amazon." in host
        or host.startswith("nitter.")
    )


def parse(url: str) -> Ref | None:
    """Identify a page of one of these sites: documents, articles, posts, models, books.

    >>> parse("https://docs.google.com/document/u/0/d/1XDPNK3iNNShg07jRXDOrMk2V/edit#heading=h.1").id
    'web:docs.google.com/document/d/1XDPNK3iNNShg07jRXDOrMk2V'
    >>> parse("https://en.m.wikipedia.org/wiki/iEEE_754#History").id
    'web:en.wikipedia.org/wiki/IEEE_754'
    """
    parts = split_url(url)
    if parts is None:
        return None
    if rule := _RULES.get(parts.host):
        return rule(parts)
    host = parts.host
    if host.endswith("wikipedia.org"):
        return _wikipedia(parts)
    if host.endswith("reddit.com"):
        return _reddit(parts)
    if host.endswith(".linkedin.com"):
        return _linkedin(parts)
    if "amazon." in host:
        return _amazon(parts)
    if host.startswith("nitter."):
        return _x(parts)
    return None


def _google_doc(parts: Url) -> Ref | None:
    """Return a document of Google's; ``/pub`` is the address of a published one, ``/viewform`` that of a form."""
    found = _DOC.search(f"{parts.path}/")
    if found is None:
        return _drive(parts) if parts.get("id") else None
    kind, published, name = found.groups()
    path = f"docs.google.com/{kind}/d/{published or ''}{name}"
    tail = ("/viewform" if kind == "forms" else "/pub") if published else ""
    return page(path, url=f"https://{path}{tail}")


def _drive(parts: Url) -> Ref | None:
    segments = parts.segments
    for before, canonical in (("folders", "drive/folders"), ("d", "file/d")):
        if before in segments[:-1] and _DRIVE_ID.fullmatch(name := segments[segments.index(before) + 1]):
            return page(f"drive.google.com/{canonical}/{name}")
    name = parts.get("id")
    return page(f"drive.google.com/file/d/{name}") if _DRIVE_ID.fullmatch(name) else None


def _colab(parts: Url) -> Ref | None:
    match parts.segments:
        case ["drive", name, *_] if _DRIVE_ID.fullmatch(name):
            return page(f"colab.research.google.com/drive/{name}")
    return None


def _wikipedia(parts: Url) -> Ref | None:
    """Return an article of Wikipedia; without a language, the host is the English one."""
    match = _WIKIPEDIA.fullmatch(parts.host)
    if match is None:
        return None
    language = match[1] if match[1] and match[1] != "m" else "en"
    raw = ""
    first = "".join(parts.segments[:1])
    if first == "wiki" or first.startswith(f"{language}-"):
        raw = "/".join(parts.segments[1:])
    elif first in {"w", "index.php"}:
        raw = parts.get("title").replace("+", "_").replace("?", "%3F")
    # A space is an underscore, and the first letter is a capital (MediaWiki's manual, "Page title").
    raw = "/".join(filter(None, raw.replace("%20", "_").strip("_").split("/")))
    title = readable(raw)
    if not title:
        return None
    if len(capital := title[0].upper()) == 1:  # the capital of "ß" is two letters
        title = capital + title[1:]
    host = f"{language}.wikipedia.org/wiki"
    return page(f"{host}/{title}", label=title.replace("_", " "), url=f"https://{host}/{raw}")


def _x(parts: Url) -> Ref | None:
    """Return a post, an account, a hashtag or a search at X.

    A post counts without its author, because the number is enough to find it.
    """
    segments = parts.segments
    if not segments and parts.fragment.startswith("!/") and parts.fragment.isascii():  # the site's addresses until 2012
        segments = tuple(part for part in parts.fragment[1:].split("/") if part)
    match segments:
        case [_, "status" | "statuses", number, *_] | ["i", "web", "status", number, *_] if number.isdigit():
            return page(f"x.com/i/status/{number}")
        case [user] | [user, "with_replies" | "media" | "likes"] if _USER.fullmatch(user):
            if user.lower() not in _X_PAGES:
                return page(f"x.com/{user.removeprefix('@').lower()}")
        case ["hashtag", tag]:
            return page(f"x.com/hashtag/{readable(tag).lower()}", url=f"https://x.com/hashtag/{tag}")
    query = f"?q={parts.get('q')}" if parts.get("q") else ""
    return page("/".join(["x.com", *parts.segments]) + query)


def _hacker_news(parts: Url) -> Ref | None:
    number = parts.get("id")
    return page(f"news.ycombinator.com/item?id={number}") if parts.path == "/item" and number.isdigit() else None


def _hugging_face(parts: Url) -> Ref | None:
    """Return a model, data set or space, or a file, folder, discussion or commit in one."""
    segments = parts.segments
    start = 1 if segments[:1] in {("datasets",), ("spaces",)} else 0
    owner = "".join(segments[start : start + 1])
    if not owner or (not start and owner in _HF_PAGES):
        return None
    end = next((at for at, part in enumerate(segments) if at > start and part in _HF_INSIDE), len(segments))
    base = "/".join(segments[: min(end, start + 2)])
    rest = segments[end:]
    tail = ""
    match rest:
        case ["blob" | "resolve" | "raw" | "blame", rev, *path] if path:
            tail = f"/blob/{rev}/{'/'.join(path)}"
        case ["tree", rev, *path] if path:
            tail = f"/tree/{rev}/{'/'.join(path)}"
        case ["discussions" | "commit", what, *_]:
            tail = f"/{rest[0]}/{what}"
    name = readable(base + tail)
    return page(f"huggingface.co/{base.lower()}{tail}", label=name, url=f"https://huggingface.co/{base}{tail}")


def _amazon(parts: Url) -> Ref | None:
    """Return an article at Amazon, by its number (ASIN) in the path."""
    match = _AMAZON.fullmatch(parts.host)
    if match is None:
        return None
    segments = parts.segments
    for before, name in pairwise(segments):
        if before in _BEFORE_ASIN and _ASIN.fullmatch(name):
            path = f"{match[1]}/dp/{name.upper()}"
            return page(path, url=f"https://www.{path}")
    return None


def _reddit(parts: Url) -> Ref | None:
    """Return a post, a community or a user at Reddit; comments on a post count as the post."""
    if parts.host != "reddit.com" and not parts.host.endswith(".reddit.com"):
        return None
    segments = parts.segments
    if "comments" in segments[:-1]:
        return page(f"reddit.com/comments/{segments[segments.index('comments') + 1].lower()}")
    match segments:
        case [("r" | "u" | "user") as kind, name]:
            return page(f"reddit.com/{'r' if kind == 'r' else 'user'}/{name.lower()}")
    return None


def _redd_it(parts: Url) -> Ref | None:
    match parts.segments:
        case [name] if name.isalnum():
            return page(f"reddit.com/comments/{name.lower()}")
    return None


def _linkedin(parts: Url) -> Ref | None:
    """Return a profile or a post at LinkedIn."""
    match parts.segments:
        case [("in" | "company" | "school" | "showcase" | "pulse") as kind, name, *_]:
            path = f"linkedin.com/{kind}/{readable(name).lower()}"
            return page(path, url=f"https://www.linkedin.com/{kind}/{name}")
        case ["posts", name, *_] | ["feed", "update", name, *_] if match := _ACTIVITY.fullmatch(name):
            return page(f"linkedin.com/feed/update/urn:li:{match[1]}:{match[2]}")
    return None


_RULES: dict[str, Callable[[Url], Ref | None]] = {
    "docs.google.com": _google_doc,
    "drive.google.com": _drive,
    "colab.research.google.com": _colab,
    "news.ycombinator.com": _hacker_news,
    "huggingface.co": _hugging_face,
    "hf.co": _hugging_face,
    "redd.it": _redd_it,
    "linkedin.com": _linkedin,
    **dict.fromkeys(("x.com", "twitter.com", "mobile.twitter.com", "mobile.x.com", "m.twitter.com"), _x),
    **dict.fromkeys(("vxtwitter.com", "fxtwitter.com", "fixupx.com", "fixvx.com", "xcancel.com"), _x),
}
