"""The argument parser: help as wide as the terminal, errors of one line with value, place and remedy."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

# Commands of other programs and of files, and ours.
_MEANINGS = {"find": "search", "grep": "search", "open": "export x.html", "view": "export x.html", "help": "--help"}
# argparse's messages: an unknown option or word, a missing argument, an invalid choice, any other
_UNKNOWN = re.compile(r"unrecognized arguments: (\S+).*", re.DOTALL)
_MISSING = re.compile(r"the following arguments are required: (.*)")
_CHOICE = re.compile(r"argument (?:-\w/)?([\w/-]+): invalid choice: '?(.*?)'? \((?:choose from )?(.*)\)", re.DOTALL)
_ARGUMENT = re.compile(r"argument (?:-\w/)?([^:]+): (.*)", re.DOTALL)


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal; with a given width, argparse does not load ``shutil`` for every argument."""

    def __init__(self, prog: str) -> None:
        columns = 80
        with suppress(ValueError, OSError):
            columns = int(os.environ.get("COLUMNS", "0")) or os.get_terminal_size(1).columns or 80
        super().__init__(prog, width=columns - 2)


class CommandParser(argparse.ArgumentParser):
    """An argument parser whose errors are one line; ``words`` is the whole command line."""

    words: Sequence[str] = ()
    command_names: Sequence[str] = ()

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write a help or an error; unlike argparse's own method, report a failure to write."""
        if file is not None and file is sys.stdout:
            sys.stdout.write(message)
            sys.stdout.flush()
        else:
            super()._print_message(message, file)

    def error(self, message: str) -> NoReturn:
        """End with one line: the error with its value, the place, and the remedy."""
        from podgraph.extractors import without_keys  # noqa: PLC0415 - nothing went wrong until here

        from .terminal import printable_line  # noqa: PLC0415

        self.exit(2, f"{self.prog}: {without_keys(printable_line(self._rewrite(message)))}\n")

    def _rewrite(self, message: str) -> str:
        """Return argparse's message in our words, with a remedy."""
        from podgraph.extractors import nearest  # noqa: PLC0415

        see = f"see `{self.prog} --help`"
        if match := _UNKNOWN.fullmatch(message):
            name = match[1].partition("=")[0]
            command = self._find_command()
            options = [text for action in command._actions for text in action.option_strings]  # noqa: SLF001
            remedy = nearest(name, options) or f"see `{command.prog} --help`"
            problem = "unknown option" if name.startswith("-") else "unexpected argument"
            return f"{problem} {name!r}; {remedy}" + ", or quote words with spaces" * (not name.startswith("-"))
        if match := _MISSING.fullmatch(message):
            if match[1] == "COMMAND":
                return self._describe_missing_command()
            lines = (line.strip() for line in str(self.epilog).splitlines() if line.startswith("  podgraph"))
            example = next(lines, "").partition("   ")[0]
            missing = f"{match[1].replace(', ', ' and ')} {'are' if ',' in match[1] else 'is'} missing"
            return f"{missing}; {f'for example `{example}`' if example else see}"
        if match := _CHOICE.fullmatch(message):
            name, value, choices = match[1], match[2], re.findall(r"[\w-]+", match[3])
            if name == "COMMAND":
                return self._describe_unknown_command(value)
            remedy = nearest(value, choices) or f"use {', '.join(choices)}"
            return f"invalid {value!r} for {name}; {remedy}"
        if match := _ARGUMENT.fullmatch(message):
            name, (problem, _, remedy) = match[1], match[2].partition("; ")
            if problem == "expected one argument":
                return f"a value for {name} is missing; {see}"
            where = "" if ": " in problem else f" for {name}"  # a file's error names the file
            return f"{problem}{where}; {remedy or see}"
        return f"{message}; {see}"

    def _find_command(self) -> argparse.ArgumentParser:
        """Return the parser of the given command."""
        choices = self._subparsers._group_actions[0].choices if self._subparsers else None  # noqa: SLF001
        found = choices.get(self.words[0], self) if isinstance(choices, dict) and self.words else self
        return found if isinstance(found, argparse.ArgumentParser) else self

    def _describe_missing_command(self) -> str:
        word = next((word for word in self.words if word.startswith("-")), "")
        if not word:
            return "a command is missing; see `podgraph --help`"
        return f"options come after the command; for example `podgraph stats {word} …`"

    def _describe_unknown_command(self, name: str) -> str:
        """Return the message for an unknown command, with the command that is probably meant."""
        from podgraph.extractors import nearest  # noqa: PLC0415
        from podgraph.graph import LISTS  # noqa: PLC0415

        if self.words and self.words[0].startswith("-"):
            return self._describe_missing_command()
        if name in LISTS:
            return f"unknown command {name!r}; did you mean `podgraph list {name}`?"
        if "://" in name or re.search(r"\.(?:xml|rss|atom|opml)$", name):
            return f"{name!r} is a feed, not a command; use `podgraph build {name}`"
        if name in _MEANINGS:
            return f"unknown command {name!r}; use `podgraph {_MEANINGS[name]}`"
        return f"unknown command {name!r}; {nearest(name, self.command_names) or 'see `podgraph --help`'}"


def parse_number(text: str) -> int:
    """Parse a whole number of at most nine digits, for ``type`` of an option."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"invalid number {text!r}; use a whole number from 0")
    return int(text)


def add_graph_option(parser: argparse.ArgumentParser) -> None:
    """Add ``-g`` to a command on a saved graph."""
    parser.add_argument(
        "-g", "--graph", metavar="FILE", default="",
        help="the graph to ask; sample: the built-in snapshot; else $PODGRAPH_GRAPH, else podgraph.sqlite or "
        "podgraph.json here, else sample",
    )  # fmt: skip
