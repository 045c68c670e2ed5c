"""The errors of podgraph, with one base class.

Errors are for files, network and arguments. A parser of foreign text returns ``None`` instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .keys import without_keys

if TYPE_CHECKING:
    from collections.abc import Iterable


class PodgraphError(Exception):
    """An error that the user can mend: the problem, the place and the remedy, in one line.

    >>> str(PodgraphError("is empty", source="feed.xml", remedy="give another file"))
    'feed.xml: is empty; give another file'

    ``status`` is the exit status of the command. The text hides keys in addresses.
    """

    status = 2

    def __init__(self, problem: str, *, source: str = "", remedy: str = "") -> None:
        self.problem, self.source, self.remedy = map(without_keys, (problem, source, remedy))
        super().__init__(f"{self.source}: {self.problem}; {self.remedy}".removeprefix(": ").removesuffix("; "))


class SourceError(PodgraphError):
    """A source (URL, file, folder, list) cannot be reached or read."""


class GraphError(SourceError):
    """A file is not a saved graph, or a damaged one."""


class FeedError(PodgraphError):
    """The bytes of a source are not a feed, or hold nothing usable."""


class QueryError(PodgraphError):
    """A query is invalid, or its name is ambiguous."""


class NotFoundError(QueryError):
    """A query is valid, but the graph has nothing of this name."""

    status = 1


class OutputError(PodgraphError):
    """A result cannot be written where, or in the form, it was asked for."""


def nearest(name: str, names: Iterable[str], likeness: float = 0.67) -> str:
    """Return a remedy such as "did you mean 'episodes'?" with the likeliest of some names; "" if none is like it.

    Args:
        name: the unknown name
        names: the known names
        likeness: the minimum similarity, from 0 to 1, as ``difflib`` measures it

    >>> nearest("episods", ["episodes", "topics"]), nearest("zzz", ["episodes"])
    ("did you mean 'episodes'?", '')
    """
    from difflib import get_close_matches  # noqa: PLC0415 - nothing went wrong until here

    spellings = {known_name.casefold(): known_name for known_name in names}
    close = get_close_matches(name.casefold(), spellings, 1, likeness)
    return f"did you mean {spellings[close[0]]!r}?" if close else ""


def without_frames(error: PodgraphError) -> PodgraphError:
    """Return an ``error`` after removing its traceback and causes: their frames would keep all input in memory."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)
