"""Addresses in plain text: words inside one do not name anything."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# An address with a scheme, "www." or a common suffix and a path. Every part is bounded: a line of a megabyte costs no
# more than its length.
_ADDRESS = re.compile(
    r"(?<!\w)\w{1,12}://\S*|(?<!\w)www\.\S*|(?<![\w.-])[\w.-]{1,80}\.(?:com|org|io|net|dev|ai|edu|gov)/\S*",
    re.IGNORECASE,
)


def addresses_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of addresses: only lines with a slash or "www." are looked through."""
    at, www = 0, "www." in text.lower()
    for line in text.split("\n"):
        end = at + len(line)
        if "/" in line or (www and "www." in line.lower()):
            yield from (match.span() for match in _ADDRESS.finditer(text, at, end))
        at = end + 1


def without_addresses(text: str, instead: str) -> str:
    """Return a text with ``instead`` in the place of each address."""
    return _ADDRESS.sub(instead, text)
