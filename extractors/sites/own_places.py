"""Addresses by their looks: a show's or a person's own place, or a sponsor's: handles, chats, ways to pay."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

from ..url import split_url
from .tables import read_table

# Description of an address -> hosts, and beginnings of paths ("host/path").
_SHAPES = {shape: frozenset(chain(*rows)) for shape, rows in read_table("own_places").items()}


@lru_cache(maxsize=1 << 12)  # the same addresses occur in every episode
def own_place(url: str) -> str:
    """Return the description of the address of a show's or a person's own page; "" for others.

    >>> [own_place(f"https://{url}") for url in ("www.patreon.com/a", "youtube.com/@a", "youtube.com/watch?v=1")]
    ['a way to pay', 'a handle', '']
    """
    parts = split_url(url) if url else None
    if parts is None:
        return ""
    first = parts.segments[0] if parts.segments else ""
    names = {parts.host, ".".join(parts.host.split(".")[-2:])}
    spots = names | {f"{name}/{start}" for name in names for start in (first, first[:1])}
    return next((shape for shape, hosts in _SHAPES.items() if spots & hosts), "")
