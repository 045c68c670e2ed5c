"""The step between the indexes and the graph: clones, GitHub and the pages themselves are asked, as the user wants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..reading.cache import Cache, default_cache
from .asked import Found, OfRepo, by_repository
from .checkout import Checkout, find_checkout, look_into

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ..ref import Ref


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be looked up: in which local clones."""

    checkouts: tuple[Checkout, ...] = ()

    def __bool__(self) -> bool:
        """Tell whether anything is."""
        return bool(self.checkouts)


def want(checkouts: Sequence[str] = ()) -> Wanted:
    """Return what the options of a command mean; raise ``SourceError`` for a folder that is no clone."""
    return Wanted(tuple(find_checkout(given) for given in checkouts))


def look_further(
    refs: Iterable[Ref],
    wanted: Wanted,
    *,
    cache: Cache | None = None,
    notify: Callable[[str], None] = lambda _: None,
) -> Found:
    """Return what clones know of the things of a graph (``refs``, each id once).

    ``notify`` is told, in one line, what a person should know; nothing that is missing or fails ends the work.
    """
    cache = cache or default_cache()
    things = list(refs)
    people = {ref.label.casefold(): ref for ref in things if ref.kind == "person"}
    repositories = by_repository(things)
    found = Found()
    for checkout in wanted.checkouts:
        asked = repositories.get(checkout.repo, OfRepo(checkout.repo))
        found += look_into(checkout, asked, cache=cache, people=people, notify=notify)
    return found
