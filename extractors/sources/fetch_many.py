"""Fetch several addresses side by side, politely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import SourceError, without_frames
from ..url import host_of
from .connection import LIMITS, WORLD, Limits, World
from .fetch import fetch_url
from .origin import CONTENT, Origin
from .side_by_side import side_by_side

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .budget import Budget
    from .cache import Cache, Fetched


@dataclass(frozen=True, slots=True)
class Ask:
    """One address to fetch: see ``fetch_url`` for the fields."""

    url: str
    origin: Origin = CONTENT
    limits: Limits = LIMITS


def fetch_many(
    asks: Sequence[Ask],
    *,
    cache: Cache | None = None,
    world: World = WORLD,
    keep: Callable[[bytes], bool] = bool,
    budget: Budget | None = None,
    done: Callable[[int, int], None] | None = None,
) -> list[Fetched | SourceError]:
    """Return the answer of each address, in order: its bytes, or the error that stopped it.

    Eight are fetched at once, two of one host. ``done`` gets the numbers of finished and of all addresses; the other
    arguments are those of ``fetch_url``.
    """

    def fetch(ask: Ask) -> Fetched | SourceError:
        """Return the answer of one address, or its error: one failure does not stop the others."""
        try:
            return fetch_url(
                ask.url, cache=cache, origin=ask.origin, limits=ask.limits, world=world, keep=keep, budget=budget
            )
        except SourceError as error:
            without_frames(error)
            return error

    return side_by_side(asks, fetch, party=lambda ask: host_of(ask.url), done=done)
