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


def find_addresses(text: str) -> Iterator[tuple[int, int]]:
    r"""Yield the (start, end) of each web address in a plain text, in order.

    >>> [*find_addresses("See www.x.org or\nx.org/a.")]
    [(4, 13), (17, 25)]
    """
    at, has_www = 0, "www." in text.lower()
    for line in text.split("\n"):
        end = at + len(line)
        if "/" in line or (has_www and "www." in line.lower()):  # other lines have none, and need no search
            yield from (match.span() for match in _ADDRESS.finditer(text, at, end))
        at = end + 1


def without_addresses(text: str, instead: str) -> str:
    """Return a text with the text ``instead`` in place of each web address.

    >>> without_addresses("See www.x.org now", "…")
    'See … now'
    """
    return _ADDRESS.sub(instead, text)
