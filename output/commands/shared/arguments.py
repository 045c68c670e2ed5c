"""Arguments that several commands take: numbers with a least value, how many to tell, and repositories."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# a whole number, not too long
_NUMBER = re.compile(r"-?\d{1,9}")
# `owner/name`
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[\w.-]+", re.ASCII)
_ALL = 1 << 30  # what `--limit 0` gives: more than there ever is


def number_from(least: int, most: int = _ALL) -> Callable[[str], int]:
    """Return a reader of whole numbers from ``least`` to ``most``, for ``type`` of an argument.

    >>> number_from(1)("12")
    12
    """

    def read(text: str) -> int:
        if not _NUMBER.fullmatch(text) or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from {least}")
        if int(text) > most:
            raise argparse.ArgumentTypeError(f"{text} is more than {most}")
        return int(text)

    return read


def add_limit(parser: argparse.ArgumentParser, what: str, default: int = 0, *former: str) -> None:
    """Add ``-n/--limit``: how many of ``what`` are told, all for 0; its ``former`` names work, and no help has them."""

    def read(text: str) -> int:
        return number_from(0)(text) or _ALL

    said = f"at most so many {what}; 0: all (default: {default or 'all'})"
    parser.add_argument("-n", "--limit", type=read, default=default or _ALL, metavar="N", help=said)
    if former:
        parser.add_argument(*former, dest="limit", type=read, default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def add_json_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``--json`` and ``--fields`` to a command that answers a question."""
    parser.add_argument("--json", action="store_true", help="JSON for programs, with a short set of fields")
    said = "JSON with these fields, or all; implies --json"
    parser.add_argument("--fields", action="fields", default="", metavar="FIELD,…", help=said)


def add_podcast_argument(parser: argparse.ArgumentParser, what: str) -> None:
    """Add ``--podcast`` to a command: it keeps ``what`` is of one podcast among several."""
    parser.add_argument(
        "--podcast", default="", metavar="NAME", help=f"only {what} of this podcast: its title, a part of it, or its id"
    )


def add_boilerplate_argument(parser: argparse.ArgumentParser, what: str) -> None:
    """Add ``--with-boilerplate`` to a command, and ``what`` it then does."""
    parser.add_argument("--with-boilerplate", action="store_true", help=what)


def repository(text: str) -> str:
    """Read ``OWNER/NAME``, or nothing, for ``type`` of an argument.

    >>> repository("pytorch/pytorch")
    'pytorch/pytorch'
    """
    if text and not _REPOSITORY.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no OWNER/NAME")
    return text
