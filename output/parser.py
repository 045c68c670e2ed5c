"""The command's argument parser: help in the width of the terminal, errors with value, place and remedy."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from podgraph.extractors import QueryError, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence


class CommandParser(argparse.ArgumentParser):
    """An argument parser that raises ``QueryError`` for invalid arguments. ``words`` is the whole command line."""

    words: Sequence[str] = ()

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments as argparse does, but raise ``QueryError`` for an unknown one."""
        values, unknown = super().parse_known_args(args, namespace)
        if unknown:
            name = unknown[0].partition("=")[0]
            problem = f"unknown option {name!r}" if name.startswith("-") else f"unexpected argument {name!r}"
            options = [option for action in self._actions for option in action.option_strings]
            raise QueryError(problem, remedy=nearest(name, options) or f"see `{self.prog} --help`")
        return values, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise ``QueryError`` if ``value`` is not a choice of an argument (``action``), such as an unknown command.

        The remedy is the likeliest command that the user meant. The method replaces one of argparse.
        """
        choices = [*map(str, action.choices or ())]
        if not choices or value in choices:
            return
        from podgraph.graph import LISTS  # noqa: PLC0415 - nothing went wrong until here

        problem, remedy = f"unknown command {value!r}", nearest(value, choices)
        if action.dest != "command":
            problem = f"invalid {value!r} for {(*action.option_strings, action.metavar)[0]}"
            remedy = remedy or f"use {', '.join(choices)}"
        elif self.words and self.words[0].startswith("-"):
            problem, remedy = "options come after the command", f"for example `podgraph stats {self.words[0]} …`"
        elif value in LISTS:
            remedy = f"did you mean `podgraph list {value}`?"
        elif "://" in value or value.endswith((".xml", ".rss", ".atom", ".opml")):
            problem, remedy = f"{value!r} is a feed, not a command", f"use `podgraph build {value}`"
        else:
            others = {"find": "search", "grep": "search", "open": "export x.html", "sample": "build sample"}
            others |= {"help": "--help", "version": "--version"}
            remedy = f"use `podgraph {others[value]}`" if value in others else remedy or "see `podgraph --help`"
        raise QueryError(problem, remedy=remedy)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print a help text; unlike the method of argparse that it replaces, raise an error if it cannot be written."""
        print(message, end="", file=file or sys.stderr, flush=True)

    def error(self, message: str) -> NoReturn:
        """Raise ``QueryError`` with the ``message`` of argparse and a remedy."""
        see = f"see `{self.prog} --help`"
        if missing := re.match(r"the following arguments are required: (.*)", message):
            example = re.search(r"^  (podgraph .*?)(?:   .*)?$", self.epilog or "", re.MULTILINE)
            problem = f"unknown option {self.words[0]!r}" if self.words else f"missing {missing[1]}"  # before a command
            raise QueryError(problem, remedy=see if self.words or not example else f"for example `{example[1]}`")
        match = re.match(r"argument (?:-\w/)?([^:]+): (.*)", message, re.DOTALL)
        name, problem = match.groups() if match else ("", message)
        if problem.startswith("invalid int value: "):
            number = problem.removeprefix("invalid int value: ")
            raise QueryError(f"invalid number {number} for {name}", remedy="use a whole number from 0")
        raise QueryError(f"{problem} for {name}" if name else problem, remedy=see)


def add_graph_option(parser: argparse.ArgumentParser) -> None:
    """Add the option ``-g`` (the graph to ask) to the parser of a command."""
    parser.add_argument(
        "-g", "--graph", metavar="FILE", default="",
        help="the graph to ask; sample: the built-in snapshot; else $PODGRAPH_GRAPH, else podgraph.sqlite or "
        "podgraph.json here, else sample",
    )  # fmt: skip
