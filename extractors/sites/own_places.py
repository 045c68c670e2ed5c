"""Addresses by their looks: a show's or a person's own place, or a sponsor's: handles, chats, ways to pay."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

from ..url import split_url
from .tables import read_table

# A description ("a handle") -> hosts, and hosts with the first part of a path or its first character ("youtube.com/@").
_PLACES = {description: frozenset(chain(*rows)) for description, rows in read_table("own_places").items()}


@lru_cache(maxsize=1 << 12)  # the same addresses occur in every episode
def describe_own_place(url: str) -> str:
    """Return the description of an address that is a show's, a person's or a sponsor's own page; "" for others.

    Such pages (handles, chats, ways to pay) are boilerplate: an episode that links to one is not about it.

    >>> [describe_own_place(f"https://{url}") for url in ("patreon.com/a", "youtube.com/@a", "youtube.com/watch?v=1")]
    ['a way to pay', 'a handle', '']
    """
    parts = split_url(url) if url else None
    if parts is None:
        return ""
    first = parts.segments[0] if parts.segments else ""
    hosts = {parts.host, ".".join(parts.host.split(".")[-2:])}  # x.patreon.com is patreon.com's
    # The host; with the first part of the path; with the first character of the path ("youtube.com/@").
    spellings = hosts | {f"{host}/{start}" for host in hosts for start in (first, first[:1])}
    return next((description for description, places in _PLACES.items() if spellings & places), "")
