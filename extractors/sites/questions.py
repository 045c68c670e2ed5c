"""Questions and answers of the Stack Exchange network."""

from __future__ import annotations

import re

from ..ref import Ref
from ..url import split_url
from .shared.labels import slug_to_words

# https://stackexchange.com/sites: those with a host of their own; the others are <site>.stackexchange.com.
_OWN_HOST = re.compile(
    r"((?:[a-z]{2}\.)?(?:meta\.)?stackoverflow|(?:meta\.)?(?:askubuntu|serverfault|superuser)|stackapps)\.com|"
    r"((?:meta\.)?mathoverflow)\.net"
)
# A site of the network, with its meta site.
_NETWORK_HOST = re.compile(r"((?:[a-z0-9-]+\.)?[a-z0-9-]+)\.stackexchange\.com")
_NO_SITE = frozenset(("api", "area51", "blog", "chat", "data"))
# The number of a question or an answer.
_NUMBER = re.compile(r"0*([1-9]\d{0,11})", re.ASCII)
_NAMES = {
    "askubuntu": "Ask Ubuntu",
    "mathoverflow": "MathOverflow",
    "serverfault": "Server Fault",
    "stackapps": "Stack Apps",
    "stackoverflow": "Stack Overflow",
    "superuser": "Super User",
}


def knows(host: str) -> bool:
    """Return whether the rule covers a host."""
    return bool(_site(host))


def parse(url: str) -> Ref | None:
    """Return the question or answer at ``url``, or ``None``; an answer below its question is the question.

    ``/a/<number>`` is an answer's own short link. It does not contain the question, so the answer is an
    artifact of its own.

    >>> parse("https://stackoverflow.com/questions/66927362/a-title/66931234#66931234").id
    'question:stackoverflow/66927362'
    >>> parse("https://unix.stackexchange.com/a/123/45").id
    'question:unix/a/123'
    """
    parts = split_url(url)
    if parts is None or len(parts.segments) < 2:
        return None
    site = _site(parts.host)
    first, written, *rest = parts.segments
    number = _NUMBER.fullmatch(written)
    if not site or number is None or first not in ("a", "q", "questions"):
        return None
    name = _NAMES.get(site, site)
    if first == "a":
        answer = f"a/{number[1]}"
        return Ref(
            "question", f"question:{site}/{answer}", f"{name} answer {number[1]}", f"https://{parts.host}/{answer}"
        )
    title = slug_to_words(rest[0]) if rest and first == "questions" else ""
    label = f"{name}: {title}" if title else f"{name} question {number[1]}"
    return Ref("question", f"question:{site}/{number[1]}", label, f"https://{parts.host}/questions/{number[1]}")


def _site(host: str) -> str:
    """Return the name of a site of the network: the part before its domain, with ``meta`` after the site's name."""
    own = _OWN_HOST.fullmatch(host)
    if own:
        return own[1] or own[2]
    network = _NETWORK_HOST.fullmatch(host)
    if network is None:
        return ""
    first, dot, second = network[1].partition(".")
    if not dot:
        return "" if first in _NO_SITE else first
    return f"{second}.meta" if first == "meta" else f"{first}.meta" if second == "meta" else ""
