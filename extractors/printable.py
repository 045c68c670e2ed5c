"""Put text from outside into a line for the user: no control characters, no secrets, no novels."""

from __future__ import annotations

from .keys import without_keys

_LONGEST = 200


def printable(text: str) -> str:
    r"""Return ``text`` with every character that does not print replaced.

    >>> printable("feed\x1b[2J.xml")
    'feed\ufffd[2J.xml'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else "\ufffd" for c in text)


def for_message(text: str) -> str:
    """Return ``text`` fit for one line of a message: printable, and its middle elided if it is long.

    >>> len(for_message("x" * 1_000_000))
    200
    """
    plain = printable(text)
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 50]}\u2026{plain[-49:]}"


def url_for_message(url: str) -> str:
    """Return a URL fit for a message, without its login and keys.

    >>> url_for_message("https://me:secret@a.example/feed?token=s3cret")
    'https://a.example/feed?token=…'
    """
    return for_message(without_keys(url))


def why_unreadable(error: Exception) -> str:
    """Return in words why JSON or TOML could not be read, where the parser's words are for programmers.

    >>> why_unreadable(RecursionError("maximum recursion depth exceeded"))
    'it is nested too deeply'
    """
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    long = str(error).startswith("Exceeds the limit")  # Python's words for a number that takes too long to read
    return "it has a number of thousands of digits" if long else str(error)
