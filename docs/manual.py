"""The manual page, made from the parsers of the command: ``man podgraph`` says what ``--help`` says."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from podgraph import __version__
from podgraph.output.config import KEYS
from podgraph.output.parser import COMMANDS, parser

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_COMMON = ("how it talks", "help")  # what every command has, told once
_STATUS = (("0", "found, or done"), ("1", "nothing found"), ("2", "an error: one line on standard error"))
_VARIABLES = {
    "PODGRAPH_GRAPH": "the graph that is asked where -g names none",
    "PODGRAPH_CACHE_DIR": "the folder of fetched feeds",
    "PODGRAPH_MOST_MB": "how many megabytes all sources of a build may have together, unpacked (400)",
    "PAGER, LESS": "what `show` goes through on a terminal; LESS is FRX unless set",
    "NO_COLOR, FORCE_COLOR": "no styles at all; styles also in a pipe",
}
_FILES = {
    "podgraph.toml": "defaults, in the working folder; its paths stay inside that, and a line says that it is used",
    "~/.config/podgraph/podgraph.toml": "your own defaults; the command line and the file above go first",
}


def manual() -> str:
    """Return the page in the language of man(7); its text is ASCII, whatever the parsers say."""
    whole = parser()
    commands = next(action for action in whole._actions if isinstance(action, argparse._SubParsersAction))  # noqa: SLF001
    return "\n".join(
        line
        for line in (
            f'.TH PODGRAPH 1 "" "podgraph {__version__}" "User Commands"',
            ".SH NAME",
            r"podgraph \- the knowledge graph of a podcast and everything it cites",
            ".SH SYNOPSIS",
            r".B podgraph",
            r"\fICOMMAND\fR [\fIoptions\fR]",
            ".SH DESCRIPTION",
            *_text("Reads feeds, finds what their episodes and posts cite, and answers questions about that graph."),
            ".SH COMMANDS",
            *(line for name in COMMANDS for line in _command(name, commands.choices[name])),
            ".SH OPTIONS",
            *_text("These stand before or after the name of every command:"),
            *(line for action in _common(commands.choices["build"]) for line in _argument(action)),
            *_terms("EXIT STATUS", _STATUS),
            *_terms("ENVIRONMENT", _VARIABLES.items()),
            *_terms("FILES", _FILES.items()),
            *_text("Their keys are " + ", ".join(KEYS) + "."),
            "",
        )
    )  # fmt: skip


def _command(name: str, command: argparse.ArgumentParser) -> Iterator[str]:
    actions = [action for action in command._actions if action.help != argparse.SUPPRESS]  # noqa: SLF001
    own = [action for action in actions if action not in _common(command) and action.dest != "help"]
    names = " ".join(rf"\fI{_escaped(_metavar(action))}\fR" for action in own if not action.option_strings)
    yield rf".SS podgraph {_escaped(name)} {names}".rstrip()
    yield from _text(command.description or "")
    for action in own:
        yield from _argument(action)
    if command.epilog:
        yield from (".PP", ".nf", *(_line(line) for line in command.epilog.splitlines()), ".fi")


def _common(command: argparse.ArgumentParser) -> list[argparse.Action]:
    groups = [group for group in command._action_groups if group.title in _COMMON]  # noqa: SLF001 - argparse has no other way
    return [action for group in groups for action in group._group_actions]  # noqa: SLF001


def _argument(action: argparse.Action) -> Iterator[str]:
    value = "" if action.nargs == 0 else rf" \fI{_escaped(_metavar(action))}\fR"
    names = ", ".join(rf"\fB{_escaped(name)}\fR{value}" for name in action.option_strings) or value.strip()
    yield from (".TP", names)
    values = {**vars(action), "prog": "podgraph"}
    yield from _text(
        (action.help or "it").replace("%%", "%") if "%(" not in (action.help or "") else action.help % values
    )


def _metavar(action: argparse.Action) -> str:
    if action.choices and action.metavar is None:
        return "{" + ",".join(map(str, action.choices)) + "}"
    return str(action.metavar or action.dest.upper())


def _terms(title: str, rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield f".SH {title}"
    for name, said in rows:
        yield from (".TP", rf"\fB{_escaped(name)}\fR", *_text(said))


def _text(text: str) -> Iterator[str]:
    yield from (_line(line) for line in text.splitlines())


def _line(text: str) -> str:
    """Return a line of text; one that begins like a request of the language does not count as one."""
    escaped = _escaped(text.rstrip())
    return rf"\&{escaped}" if escaped.startswith((".", "'")) or not escaped else escaped


def _escaped(text: str) -> str:
    plain = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"[^\x00-\x7f]", lambda match: rf"\[u{ord(match[0]):04X}]", plain)
