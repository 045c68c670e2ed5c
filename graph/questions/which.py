"""Selections of an answer's episodes: of a podcast, of some days, so many, or the last first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .days import span_of_days
from .resolve import podcast_called

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .answer import Row
    from .view import View


class Which(NamedTuple):
    """A selection of an answer's episodes: by podcast, by date, by number.

    ``podcast`` is a name for ``podcast_called``, ``since`` and ``until`` are for ``span_of_days``. ``reverse`` puts the
    last first, before ``limit`` (0: no limit) applies.
    """

    podcast: str = ""
    since: str = ""
    until: str = ""
    reverse: bool = False
    limit: int = 0

    def of(self, rows: Iterable[Row], view: View) -> tuple[list[Row], int]:
        """Return the selected episodes of an answer, and their number before ``limit``; undated ones match no date.

        Raises ``QueryError`` for an invalid date, ``NotFoundError`` for an unknown podcast.
        """
        podcast = self.podcast_id(view)
        first, last = span_of_days(self.since, self.until)
        found = [row for row in rows if first <= row.get("date", "") <= last and podcast in ("", row.get("podcast"))]
        return (found[::-1] if self.reverse else found)[: self.limit or None], len(found)

    def podcast_id(self, view: View) -> str:
        """Return the id of the selected podcast, "" for all."""
        return podcast_called(self.podcast, view) if self.podcast else ""


ALL = Which()
