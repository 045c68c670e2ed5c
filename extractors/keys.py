"""Keys in addresses: the secret parts that give access to a private feed, and addresses without them.

The function finds addresses inside any text, so it serves for addresses, messages and errors.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HIDDEN = "\N{HORIZONTAL ELLIPSIS}"
"""Stands in place of a key: readers of links know it as a part that was left out."""

# A user name and password before a host, also with a slash in them or without a scheme before them, but not the
# example in the message for status 401.
_LOGIN = re.compile(
    r"(?:(?<=//)(?-i:(?!USER:PASSWORD@))(?:[^/?#\\\s]*|[^/?#\\\s:]*:(?!\d{1,5}[/?#])[^\s?#]*)|(?<!\S)(?!mailto:)[\w.+%-]+:[^\s/@]+)@",
    re.IGNORECASE,
)
# A parameter of a query that is called like a credential, and a value of six characters or more. Of the weak names
# (key, sig, pass) the value has a digit or a capital; an address inside an address is percent-encoded.
_PARAMETER = re.compile(
    r"((?:[?&;#]|%(?:25)*(?:3f|26))(?:[\w.-]*(?:token|secret|passw(?:or)?d|passphrase|signature|credentials?)"
    r"|(?:[\w.-]*[_.-])?(?:auth|jwt|pwd|(?:api|access|auth|feed|private|user)[_.-]?key"
    r"|(?:key|sig|pass)(?=(?:=|%(?:25)*3d)(?-i:[^&#\s]*[0-9A-Z]))))(?:=|%(?:25)*3d))"
    r"([^&#\s\"'<>]{5,}[^&#\s\"'<>:;,.)])",
    re.IGNORECASE,
)
# Host and path of an address; without a scheme, a host must have a dot, and a local path does not count.
_ADDRESS = re.compile(
    r"(?:(?<=//)[\w.\[\]:-]+|(?<![\w./\\@:-])[\w-]+(?:\.[\w-]+)+(?::\d+)?)((?:/|%(?:25)*2f)[^\s\"'<>?#]*[^\s\"'<>?#:;,.)])",
    re.IGNORECASE,
)
# A part of a host or path that marks feeds for subscribers: `private`, `my-feed`, `subscribers.`
_MEMBERS = re.compile(
    r"(?:^|[/.])(?:private|premium|members?|subscribers?|patrons?|supporters?|supportingcast|exclusive|secret|paid|access)"
    r"(?:[_-]?(?:feeds?|rss|podcasts?|content))?(?=[/.:]|$)",
    re.IGNORECASE,
)
# A segment of a path or a name or value of a query; slashes may be percent-encoded.
_PART = re.compile(r"(?:(?!%(?:25)*2f)[^/?&=#;])+", re.IGNORECASE)


def without_keys(text: str) -> str:
    """Return a text with an ellipsis in place of the keys in its addresses, and without logins.

    >>> without_keys("https://me:secret@a.example/rss?auth=s3cret-key: the server answers 404")
    'https://a.example/rss?auth=…: the server answers 404'
    >>> without_keys("a.example/private/9f8e7d6c5b4a39281706.rss")
    'a.example/private/….rss'
    """
    if "/" not in text and "?" not in text and "@" not in text:
        return text
    return _ADDRESS.sub(_hide_segments, _PARAMETER.sub(rf"\1{HIDDEN}", _LOGIN.sub("", text)))


def keys_of(url: str) -> Iterator[str]:
    """Yield the keys (secret parts) of the address ``url``, as they are written.

    These are its password, the values of parameters that are called like credentials, and the random segments of a path
    for subscribers.

    >>> list(keys_of("https://me:secret@a.example/rss?auth=s3cret-key")), list(keys_of("https://a.example/rss?id=12345678"))
    (['secret', 's3cret-key'], [])
    """
    for login in _LOGIN.finditer(url):
        user, _, password = login[0].removesuffix("@").partition(":")
        yield password or user
        yield from find_random_parts(user)
    yield from (parameter[2] for parameter in _PARAMETER.finditer(url))
    for address in _ADDRESS.finditer(_LOGIN.sub("", url)):
        if _MEMBERS.search(address[0]):
            yield from find_random_parts(address[1])


def find_random_parts(text: str) -> Iterator[str]:
    """Yield the parts of an address that nobody can guess: UUIDs, digests, tokens.

    ``text`` is the path of the address, perhaps with its query.

    >>> list(find_random_parts("a/9f8e7d6c5b4a39281706.rss?episode-12-of-2024&20240101120000"))
    ['9f8e7d6c5b4a39281706']
    """
    stems = (re.sub(r"\.[A-Za-z][A-Za-z0-9]{1,4}\Z", "", part[0]) for part in _PART.finditer(text))  # without .xml
    return (stem for stem in stems if _is_random(stem))


def _is_random(stem: str) -> bool:
    """Return whether a part of an address (``stem``, without its suffix) looks random.

    Letters and digits often take turns in it, or it is a code of 24 or more letters and digits.
    """
    plain = re.sub(r"%[0-9A-Fa-f]{2}", "-", stem)  # the digits of a percent-code do not count
    # Digits, capitals and small letters hardly take turns in words.
    turns = len(re.findall(r"[a-z](?=[A-Z0-9])|[A-Z](?=[0-9])|[0-9](?=[A-Za-z])", plain))
    if turns >= 4 and 6 * turns >= len(plain) >= 12:  # a turn in six characters or fewer
        return True
    return len(plain) >= 24 and plain.isascii() and plain.isalnum() and not plain.isdigit()


def _hide_segments(address: re.Match[str]) -> str:
    """Return an address with an ellipsis for each random part of its path, if it looks like a feed for subscribers.

    ``address`` is a match of ``_ADDRESS``, whose group is the path.
    """
    if not _MEMBERS.search(address[0]):
        return address[0]
    path = _PART.sub(lambda part: _hide_random(part[0]), address[1])
    return address[0].removesuffix(address[1]) + path


def _hide_random(part: str) -> str:
    """Return a part of a path with an ellipsis in place of a random text at its begin; a suffix (``.rss``) stays."""
    stem = next(find_random_parts(part), "")
    return HIDDEN + part.removeprefix(stem) if stem else part
