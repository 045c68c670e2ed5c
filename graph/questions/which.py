"""Selections of an answer's episodes: of a podcast, of some days, so many, or the last first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .days import span_of_days
from .resolve import podcast_called

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeVar

    from ..attributes import NodeAttributes
    from .days import Day
    from .view import Node, View

    _AnyNode = TypeVar("_AnyNode", bound=Node)
    _Item = TypeVar("_Item")


class First(tuple["_Item", ...]):  # noqa: SLOT001 - a tuple has no room for a slot
    """The first items of an answer; ``total`` is the number of all.

    ``whole`` holds all of them, unless only the first were read.
    """

    whole: tuple[_Item, ...]
    total: int

    def __new__(cls, items: Iterable[_Item], limit: int = 0, total: int = 0) -> First[_Item]:
        """Keep the first ``limit`` of ``items`` (0: all). ``total`` counts also those missing in ``items``."""
        whole = tuple(items)
        first = super().__new__(cls, whole[: limit or None])
        first.whole, first.total = whole, max(total, len(whole))
        return first

    def __getnewargs__(self) -> tuple[tuple[_Item, ...], int, int]:
        return self.whole, len(self), self.total


class Which(NamedTuple):
    """A selection of an answer's episodes: by podcast, by date, by number.

    ``podcast`` is a name for ``podcast_called``, ``since`` and ``until`` are for ``span_of_days``. ``reverse`` puts the
    last first, before ``limit`` (0: no limit) applies.
    """

    podcast: str = ""
    since: Day = ""
    until: Day = ""
    reverse: bool = False
    limit: int = 0

    def of(self, items: Iterable[_AnyNode], view: View) -> First[_AnyNode]:
        """Return the selected episodes of an answer, with their total before ``limit``; undated ones match no date.

        Raises ``QueryError`` for an invalid date, ``NotFoundError`` for an unknown podcast.
        """
        podcasts = self.podcasts(view)
        since, until = span_of_days(self.since, self.until)
        first, last = since.isoformat() if since else "", until.isoformat() if until else "9999"

        def is_wanted(node: NodeAttributes) -> bool:
            day = str(node.get("date", ""))[:10]
            dated = bool(day) or not (since or until)
            return dated and first <= day <= last and (podcasts is None or node.get("podcast", "") in podcasts)

        found = [one for one in items if is_wanted(one.attributes)]
        return First(found[::-1] if self.reverse else found, self.limit)

    def podcasts(self, view: View) -> frozenset[str] | None:
        """Return the ids of the selected podcasts, ``None`` for all."""
        return frozenset((podcast_called(self.podcast, view),)) if self.podcast else None


ALL = Which()
