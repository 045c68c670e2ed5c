"""The commands and their argument parser, with help, errors and abbreviations."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

from podgraph import __version__

from .config import has_config

# Options allowed before the name of a command as well as after it.
COMMON = {
    ("-q", "--quiet"): "only errors on standard error",
    ("-v", "--verbose"): "every warning on standard error",
    ("--no-progress",): "no progress bar",
    ("--no-config",): "no defaults from podgraph.toml, the one here or your own",
    ("--debug",): "a traceback when something goes wrong",
}
# name -> one line of help; see `load_command` for its module.
COMMANDS = {
    "build": "read feeds and write their graph",
    "cites": "which episodes cite a pull request, issue, file, page, …",
    "show": "one node: what it is, what it cites, who cites it",
    "where": "the code, its docs, and the episodes that talk about it",
    "explain": "the episodes that explain a pasted text: a traceback, a log line, a flag",
    "review": "the episodes that explain a whole diff, as one list",
    "why": "what each extractor saw in a passage, and what dropped it",
    "related": "related episodes, each with its reasons",
    "order": "a listening order: prerequisites first",
    "path": "how two nodes are connected, relation by relation",
    "search": "nodes by label, id, URL and notes",
    "list": "the nodes of a kind: episodes, pulls, docs, topics, …",
    "stats": "counts by kind and relation, most cited, uncited",
    "diff": "what a new build added, changed, removed",
    "export": "write a saved graph in other formats",
    "look-up": "titles, states and files of what a saved graph cites",
    "page": "the interactive page of a saved graph, or of a part of it",
    "init": "settings and a workflow for a show's repository",
    "correct": "add a correction to podgraph.toml, and show its changes",
    "topics": "a vocabulary of topics suggested from a feed's own words",
    "plugins": "what installed packages bring, and what of it is broken",
    "mcp": "the questions for assistants, over the Model Context Protocol",
    "completion": "the shell completion script for bash, zsh or tcsh",
}
_EPILOG = """examples:
  podgraph build                          the live PyTorch Developer Podcast -> podgraph.html, podgraph.json
  podgraph build sample                   the built-in snapshot, no network
  podgraph build feed.xml -o graph.html -o graph.gexf
  podgraph cites pytorch/pytorch#130935   which episodes cite this pull request
  podgraph show "Compiler collectives"
  podgraph list pulls

before or after the name of a command: -q, -v, --no-progress, --debug and, where it asks a graph, -g FILE

exit status: 0 found or done, 1 nothing found, 2 an error (one line on standard error)"""
_HELP = "the help of a command, or of all"
_REMOVED = {"index": "run `python -m tools.index WHEEL` in a checkout of podgraph"}  # command -> what to do instead
# Commands of other programs, and ours.
_MEANT = dict.fromkeys(("find", "grep"), "search") | dict.fromkeys(("open", "gui", "view", "serve", "graph"), "page")
# argparse's messages: an unknown option or word, a missing argument, an invalid choice, any other
_UNKNOWN = re.compile(r"unrecognized arguments: (\S+).*", re.DOTALL)
_MISSING = re.compile(r"the following arguments are required: (.*)")
_CHOICE = re.compile(r"argument (?:-\w/)?([\w/-]+): invalid choice: '?(.*?)'? \((?:choose from )?(.*)\)", re.DOTALL)
_ARGUMENT = re.compile(r"argument (?:-\w/)?([^:]+): (.*)", re.DOTALL)
_MODULES = {"list": "listing", "look-up": "look_up", "init": "setting_up.init", "correct": "setting_up.correct"} | {
    name: f"from_code.{name}" for name in ("where", "review", "explain")
}


def load_command(command: str) -> ModuleType:
    """Return the module of a command: it has the command's name where a module can have it."""
    return import_module(f".commands.{_MODULES.get(command, command)}", __package__)


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal; with a given width, argparse does not load ``shutil`` for every argument."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


class _Fields(argparse.Action):
    """The action ``fields``: reads the names of fields for ``--fields``, and implies ``--json``."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,  # noqa: ARG002 - argparse's signature
    ) -> None:
        """Take them; ``QueryError`` for one missing in the answer."""
        from podgraph.graph import Telling  # noqa: PLC0415 - few questions name fields

        if "links" not in namespace:  # a command with two answers reports its missing arguments itself
            Telling(parser.prog.rpartition(" ")[2], str(values))
        namespace.fields, namespace.json = values, True


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line.

    ``wanted`` is the given command, ``words`` the whole command line.
    """

    wanted = ""
    words: Sequence[str] = ()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.register("action", "fields", _Fields)

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

        self.exit(2, f"{self.prog}: {without_keys(printable_line(self._mended(message)))}\n")

    def _mended(self, message: str) -> str:
        """Return argparse's message in our words, with a remedy."""
        from podgraph.extractors import nearest  # noqa: PLC0415

        see = f"see `{self.prog} --help`"
        if found := _UNKNOWN.fullmatch(message):
            name = found[1].partition("=")[0]
            command = self._chosen()
            options = [text for action in command._actions for text in action.option_strings]  # noqa: SLF001
            see = nearest(name, options) or f"see `{command.prog} --help`"
            what = "unknown option" if name.startswith("-") else "unexpected argument"
            return f"{what} {name!r}; {see}" + ", or quote words with spaces" * (not name.startswith("-"))
        if found := _MISSING.fullmatch(message):
            if found[1] == "COMMAND":
                word = next((word for word in self.words if word.startswith("-")), "")
                if word in ("-g", "--graph"):
                    return f"a FILE for {word}, and a command, are missing; {see}"
                close = nearest(word, [text for action in self._actions for text in action.option_strings])
                return f"unknown option {word!r}; {close or see}" if word else f"a command is missing; {see}"
            lines = (line.strip() for line in str(self.epilog).splitlines() if line.startswith("  podgraph"))
            example = next(lines, "").partition("   ")[0]
            missing = f"{found[1].replace(', ', ' and ')} {'are' if ',' in found[1] else 'is'} missing"
            return f"{missing}; {f'for example `{example}`' if example else see}"
        if found := _CHOICE.fullmatch(message):
            name, value, known = found[1], found[2], re.findall(r"[\w-]+", found[3])
            if name == "COMMAND":
                return self._unknown_command(value)
            remedy = nearest(value, known) or f"use {', '.join(known)}"
            return f"invalid {value!r} for {name}; {remedy}"
        if found := _ARGUMENT.fullmatch(message):
            name, (problem, _, remedy) = found[1], found[2].partition("; ")
            if problem.startswith("not allowed with argument "):
                return f"{name} and {problem.rpartition(' ')[2]} exclude each other; give one of them"
            if problem == "expected one argument":
                return f"a value for {name} is missing; {see}"
            where = "" if ": " in problem else f" for {name}"  # a file's error names the file
            return f"{problem}{where}; {remedy or see}"
        return f"{message}; {see}"

    def _chosen(self) -> argparse.ArgumentParser:
        """Return the parser of the given command."""
        choices = self._subparsers._group_actions[0].choices if self._subparsers else None  # noqa: SLF001
        found = choices.get(self.wanted, self) if isinstance(choices, dict) else self
        return found if isinstance(found, argparse.ArgumentParser) else self

    def _unknown_command(self, name: str) -> str:
        """Return the message for an unknown command, with the command that is probably meant."""
        from podgraph.extractors import nearest  # noqa: PLC0415
        from podgraph.graph import LISTS  # noqa: PLC0415

        if name in _REMOVED:
            return f"the command {name!r} was removed; {_REMOVED[name]}"
        meant = f"list {name}" if name in LISTS else _MEANT.get(name, "")
        asked = f"did you mean `podgraph {meant}`?" if meant else nearest(name, COMMANDS)
        return f"unknown command {name!r}; {asked or 'see `podgraph --help`'}"


def parser(words: Sequence[str] = (), *, defaults: bool = False) -> argparse.ArgumentParser:
    """Make the argument parser; of the commands only the one among ``words`` is loaded (all, if there are no words).

    With ``defaults``, the settings files are the defaults of its options.
    """
    about = "The knowledge graph of a podcast and everything it cites."
    top = _Parser(prog="podgraph", description=about, epilog=_EPILOG, formatter_class=_Help)
    top.add_argument("-V", "--version", action="version", version=f"podgraph {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    top.set_defaults(whole_parser=parser)
    wanted = next((word for word in words if not word.startswith("-")), "")
    top.wanted, top.words = wanted, words
    for name, summary in COMMANDS.items():
        if wanted in COMMANDS and name != wanted:
            continue
        whole = f"{summary[0].upper()}{summary[1:]}."
        command = commands.add_parser(name, help=summary, description=whole, formatter_class=_Help)
        if name == wanted or not words:
            module = load_command(name)
            command.epilog = module.EXAMPLES
            if hasattr(module, "add_arguments"):
                module.add_arguments(command)
            else:
                from .commands.shared.arguments import add_question  # noqa: PLC0415 - loaded with the command

                add_question(command, name)
            group = command.add_argument_group("how it talks")
            for names, said in COMMON.items():
                group.add_argument(*names, action="store_true", help=said)
            if defaults and name == wanted and has_config():
                from .commands.shared.defaults import set_defaults  # noqa: PLC0415 - few have such a file

                set_defaults(command, name)
    if wanted not in COMMANDS:  # for the list and the completion; `_command_first` answers it
        of_help = commands.add_parser("help", help=_HELP)
        of_help.add_argument("name", metavar="COMMAND", nargs="?", choices=list(COMMANDS))
    return top


def _columns() -> int:
    """Return the width of the terminal, as ``shutil.get_terminal_size`` finds it."""
    with suppress(ValueError, OSError):
        return int(os.environ.get("COLUMNS", "0")) or os.get_terminal_size(1).columns or 80
    return 80
