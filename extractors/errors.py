"""The errors of podgraph: one root, and each knows what it is about.

Errors are for the rim (files, network, arguments). A parser of foreign text returns ``None`` instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .keys import without_keys

if TYPE_CHECKING:
    from collections.abc import Iterable


class PodgraphError(Exception):
    """Something the user can act on: what went wrong, where, and the remedy, in one line.

    >>> str(PodgraphError("is empty", source="feed.xml", remedy="give another file"))
    'feed.xml: is empty; give another file'

    ``status`` is the exit status of the command that it ends. Keys in addresses are hidden in all of it.
    """

    status = 2

    def __init__(self, problem: str, *, source: str = "", remedy: str = "") -> None:
        self.problem, self.source, self.remedy = map(without_keys, (problem, source, remedy))
        where = f"{self.source}: " if source else ""
        mend = f"; {self.remedy}" if remedy else ""
        super().__init__(f"{where}{self.problem}{mend}")


class SourceError(PodgraphError):
    """A source (URL, file, folder, list) cannot be reached or read."""


class FeedError(PodgraphError):
    """The bytes of a source are not a feed, or hold nothing usable."""


class QueryError(PodgraphError):
    """A question cannot be understood, or what it names is ambiguous."""


class NotFoundError(QueryError):
    """A question is understood, and what it names is not there."""

    status = 1


class OutputError(PodgraphError):
    """A result cannot be written where, or in the form, it was asked for."""


def nearest(name: str, names: Iterable[str]) -> str:
    """Return a remedy that asks for the likeliest of the known ``names``, "" where none is like the given one.

    >>> nearest("episods", ["episodes", "topics"]), nearest("zzz", ["episodes"])
    ("did you mean 'episodes'?", '')
    """
    from difflib import get_close_matches  # noqa: PLC0415 - nothing went wrong until here

    known = {one.casefold(): one for one in names}
    close = get_close_matches(name.casefold(), known, 1, 0.67)
    return f"did you mean {known[close[0]]!r}?" if close else ""


def without_frames(error: PodgraphError) -> PodgraphError:
    """Return an ``error`` that is to be kept, without the frames that it came through: they hold all that was read."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)
