"""The arguments of commands: those of a question's row, and those of several commands."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import QueryError
from podgraph.graph import QUESTIONS

from .playlists import add_output_argument
from .saved import add_graph_argument

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from podgraph.graph import Parameter

# a whole number, not too long
_NUMBER = re.compile(r"-?\d{1,9}")
# `owner/name`
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[\w.-]+", re.ASCII)
_ALL = 1 << 30  # the value of `--limit 0`: no limit in practice


def add_question(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of the question ``name``, and the options of every answer: its format and the graph."""
    question = QUESTIONS[name]
    apart = parser.add_mutually_exclusive_group() if question.apart else parser
    for parameter in question.parameters:
        add_parameter(apart if parameter.name in question.apart else parser, parameter)
    add_output_argument(parser, name, question.playlist)
    add_json_arguments(parser)
    add_graph_argument(parser)


def add_parameter(parser: argparse._ActionsContainer, parameter: Parameter) -> None:
    """Add a parameter of a question to a command, under its name in the method."""
    options: dict[str, Any] = {"help": parameter.help + parameter.aside}
    if parameter.flags:
        options["dest"] = parameter.name
    if parameter.form == "switch":
        parser.add_argument(*parameter.flags, action="store_true", **options)
        return
    options |= {"type": _READERS[parameter.form], "default": parameter.default}
    options |= {name: value for name in ("metavar", "nargs", "choices") if (value := getattr(parameter, name))}
    parser.add_argument(*(parameter.flags or (parameter.name,)), **options)


def given(arguments: argparse.Namespace, name: str) -> dict[str, Any]:
    """Return a command's arguments for the method ``name`` of ``Graph``."""
    taken = ((one.name, getattr(arguments, one.name)) for one in QUESTIONS[name].parameters)
    return {key: value for key, value in taken if value is not None}


def number_from(least: int, most: int = _ALL) -> Callable[[str], int]:
    """Return a reader of whole numbers from ``least`` to ``most``, for ``type`` of an argument.

    >>> number_from(1)("12")
    12
    """

    def read(text: str) -> int:
        if not _NUMBER.fullmatch(text) or int(text) < least:
            raise argparse.ArgumentTypeError(f"invalid number {text!r}; use a whole number from {least}")
        if int(text) > most:
            raise argparse.ArgumentTypeError(f"invalid number {text!r}; use at most {most}")
        return int(text)

    return read


def add_json_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``--json`` and ``--fields`` to the command of a question."""
    parser.add_argument("--json", action="store_true", help="JSON for programs, with a short set of fields")
    said = "JSON with these fields, or all; implies --json"
    parser.add_argument("--fields", action="fields", default="", metavar="FIELD,…", help=said)


def add_boilerplate_argument(parser: argparse.ArgumentParser, what: str) -> None:
    """Add ``--with-boilerplate`` to a command, with the help text ``what``."""
    parser.add_argument("--with-boilerplate", action="store_true", help=what)


def repository(text: str) -> str:
    """Read ``OWNER/NAME``, or nothing, for ``type`` of an argument.

    >>> repository("pytorch/pytorch")
    'pytorch/pytorch'
    """
    if text and not _REPOSITORY.fullmatch(text):
        raise argparse.ArgumentTypeError(f"invalid repository {text!r}; use OWNER/NAME, as in python/cpython")
    return text


def _day(text: str) -> str:
    """Read a day, a month or a year, before a graph is opened or built."""
    from podgraph.graph import span_of_days  # noqa: PLC0415 - few questions name a day

    try:
        span_of_days(text, "")
    except QueryError as error:
        raise argparse.ArgumentTypeError(f"invalid date {text!r}; {error.remedy}") from error
    return text


def _year(text: str) -> int:
    if not (text.isdecimal() and len(text) == 4):
        raise argparse.ArgumentTypeError(f"invalid year {text!r}; use four digits, such as 2024")
    return int(text)


def _limit(text: str) -> int:
    return number_from(0)(text) or _ALL


_READERS = {
    "text": str, "texts": str, "number": number_from(1), "limit": _limit, "repository": repository, "year": _year,
    "day": _day, "file": Path,
}  # fmt: skip
