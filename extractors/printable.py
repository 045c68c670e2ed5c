"""Put text from outside into a line for the user: no control characters, no secrets, no novels."""

from __future__ import annotations

_LONGEST = 200


def printable(text: str) -> str:
    r"""Return ``text`` with every character that does not print replaced.

    >>> printable("feed\x1b[2J.xml")
    'feed\ufffd[2J.xml'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else "\ufffd" for c in text)


def shown(text: str) -> str:
    """Return ``text`` fit for one line of a message: printable, and its middle elided if it is long.

    >>> len(shown("x" * 1_000_000))
    200
    """
    plain = printable(text)
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 50]}\u2026{plain[-49:]}"


def without_user(url: str) -> str:
    """Return a URL without the user name and password that it may carry (RFC 3986, 3.2.1).

    >>> without_user("https://me:secret@a.example/feed?to=b@c")
    'https://a.example/feed?to=b@c'
    """
    scheme, slashes, rest = url.partition("://")
    if not slashes:
        return url
    end = min((at for mark in "/?#\\" if (at := rest.find(mark)) >= 0), default=len(rest))
    return f"{scheme}://{rest[:end].rpartition('@')[2]}{rest[end:]}"


def shown_url(url: str) -> str:
    """Return a URL fit for a message, its password left out.

    >>> shown_url("https://me:secret@a.example/feed")
    'https://a.example/feed'
    """
    return shown(without_user(url))
