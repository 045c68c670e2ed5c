"""The options that name a span of days, the same for every command that takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .arguments import add_podcast_argument

if TYPE_CHECKING:
    import argparse
    from typing import TypedDict

    class Which(TypedDict):
        """The options of a method of ``Graph`` that keep some episodes."""

        podcast: str
        group: str
        since: str
        until: str
        reverse: bool


def add_which_arguments(parser: argparse.ArgumentParser, what: str) -> None:
    """Add ``--podcast``, ``--group``, ``--since``, ``--until`` and ``--reverse`` to a command that lists ``what``."""
    add_podcast_argument(parser, what)
    parser.add_argument(
        "--group",
        default="",
        metavar="NAME",
        help=f"only {what} of podcasts under this heading of a list of feeds (OPML)",
    )
    add_day_arguments(parser, what)
    parser.add_argument("--reverse", action="store_true", help="the last first")


def which(arguments: argparse.Namespace) -> Which:
    """Return what ``add_which_arguments`` was given, as a method of ``Graph`` takes it."""
    return {
        "podcast": arguments.podcast,
        "group": arguments.group,
        "since": arguments.since,
        "until": arguments.until,
        "reverse": arguments.reverse,
    }


def add_day_arguments(group: argparse._ActionsContainer, what: str) -> None:
    """Add ``--since`` and ``--until`` to a command; they keep ``what`` is of these days."""
    group.add_argument("--since", default="", metavar="DATE", help=f"only {what} from this day, month or year on")
    group.add_argument("--until", default="", metavar="DATE", help=f"only {what} up to this day, month or year")
