"""Put text from outside into a line for the user: no control characters, no secrets, no novels."""

from __future__ import annotations

from .keys import without_keys

_MAXIMUM_LENGTH = 200  # characters of a text in a message


def printable(text: str) -> str:
    r"""Return ``text`` with the replacement character in place of each character that does not print.

    >>> printable("feed\x1b[2J.xml")
    'feed\ufffd[2J.xml'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else "\ufffd" for c in text)


def for_message(text: str) -> str:
    """Return ``text`` in a form for one line of a message: printable, and at most 200 characters.

    A longer text has an ellipsis in its middle.

    >>> len(for_message("x" * 1_000_000))
    200
    """
    plain = printable(text)
    # The first 150 characters, the ellipsis, and the last 49.
    return plain if len(plain) <= _MAXIMUM_LENGTH else f"{plain[: _MAXIMUM_LENGTH - 50]}\u2026{plain[-49:]}"


def url_for_message(url: str) -> str:
    """Return a URL in a form for a message: printable, at most 200 characters, without its login and keys.

    >>> url_for_message("https://me:secret@a.example/feed?token=s3cret")
    'https://a.example/feed?token=…'
    """
    return for_message(without_keys(url))


def why_unreadable(error: Exception) -> str:
    """Return the reason why a parser could not read JSON or TOML, in words for users.

    >>> why_unreadable(RecursionError("maximum recursion depth exceeded"))
    'it is nested too deeply'
    """
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    is_long_number = str(error).startswith("Exceeds the limit")  # Python's words for it
    return "it has a number of thousands of digits" if is_long_number else str(error)
