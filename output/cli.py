"""The command ``podgraph``: arguments in, one call, exit status out.

Only the module of the command that was asked for is loaded, so that a question costs milliseconds.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from podgraph import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType, ModuleType

# name -> one line of help; the module in commands/ is called like it ("list" is listing: list is a built-in).
COMMANDS = {
    "build": "read feeds and write their graph",
    "cites": "which episodes cite a pull request, issue, file, page, …",
    "show": "one node: what it is, what it cites, who cites it",
    "where": "the code, its docs, and the episodes that talk about it",
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
    "topics": "a vocabulary of topics suggested from a feed's own words",
    "index": "an index of the names of another version of PyTorch",
    "plugins": "what installed packages bring, and what of it is broken",
    "mcp": "the questions for assistants, over the Model Context Protocol",
    "completion": "the shell completion script for bash, zsh or tcsh",
}
_MODULES = {"list": "listing", "look-up": "look_up", "init": "setting_up.init"}
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
# What may stand before the name of a command as well as behind it.
_COMMON = {
    ("-q", "--quiet"): "only errors on standard error",
    ("-v", "--verbose"): "every warning on standard error",
    ("--no-progress",): "no progress bar",
    ("--no-config",): "no defaults from podgraph.toml, the one here or your own",
    ("--debug",): "a traceback when something goes wrong",
}
_HELPED = frozenset(("-h", "--help", "--no-config"))  # with these, no file of defaults is looked for
_FLAGS = frozenset(name for names in _COMMON for name in names)
_GRAPH = ("-g", "--graph")  # with the file as the next word, or in the same one


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal; told its width, argparse does not load ``shutil`` for every argument."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line; ``wanted`` is the command that was asked for."""

    wanted = ""

    def error(self, message: str) -> NoReturn:
        from difflib import get_close_matches  # noqa: PLC0415 - nothing went wrong until here

        from .terminal import printable_line  # noqa: PLC0415

        known = not self.wanted or self.wanted in COMMANDS or self.wanted == "help"
        if not known and (close := get_close_matches(self.wanted, COMMANDS, 1)):
            self.exit(
                2, f"{self.prog}: there is no command {printable_line(self.wanted)!r}; did you mean `{close[0]}`?\n"
            )
        self.exit(2, f"{self.prog}: {printable_line(message)}; see `{self.prog} --help`\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 found or done, 1 nothing found, 2 an error."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    from .terminal import ready_streams  # noqa: PLC0415 - not before the arguments are there

    ready_streams()
    debug = "--debug" in words
    lost = _Lost()
    if arguments is None and not debug:
        if not sys.warnoptions:
            warnings.simplefilter("ignore")  # what libraries tell programmers is no line for a user
        sys.unraisablehook = lost
    try:
        words = _command_first(words)
        parsed = parser(words, defaults=not _HELPED.intersection(words)).parse_args(words)
        if hasattr(parsed, "config_used"):
            from .commands.shared.defaults import tell_of_defaults  # noqa: PLC0415 - few folders have such a file

            tell_of_defaults(parsed)
        status: int = _module(parsed.command).run(parsed)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except MemoryError as error:
        if debug:
            raise
        error.__traceback__ = error.__context__ = None  # what the work held goes, else there is no room to tell of it
        gc.collect()
        return _report(error)
    except Exception as error:
        if debug and not _reader_left(error):
            raise
        return _report(error)
    return 130 if lost.interrupted else status


def parser(words: Sequence[str] = (), *, defaults: bool = False) -> argparse.ArgumentParser:
    """Make the argument parser; of the commands only the one among ``words`` is loaded (all, if there are no words).

    With ``defaults``, those of its options are what the files of defaults say.
    """
    top = _Parser(
        prog="podgraph",
        description="The knowledge graph of a podcast and everything it cites.",
        epilog=_EPILOG,
        formatter_class=_Help,
    )
    top.add_argument("-V", "--version", action="version", version=f"podgraph {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    top.set_defaults(whole_parser=parser)
    wanted = next((word for word in words if not word.startswith("-")), "")
    top.wanted = wanted
    for name, summary in COMMANDS.items():
        if wanted in COMMANDS and name != wanted:
            continue
        command = commands.add_parser(
            name, help=summary, description=summary[0].upper() + summary[1:] + ".", formatter_class=_Help
        )
        if name == wanted or not words:
            _module(name).add_arguments(command)
            _add_common(command)
            if defaults and name == wanted and _has_config():
                from .commands.shared.defaults import set_defaults  # noqa: PLC0415 - few have such a file

                set_defaults(command, name)
    if wanted not in COMMANDS:  # for the list and the completion; `_command_first` answers it
        commands.add_parser("help", help=_HELP).add_argument(
            "name", metavar="COMMAND", nargs="?", choices=list(COMMANDS)
        )
    return top


def _command_first(words: list[str]) -> list[str]:
    """Return the words with what stands before the name of the command behind it, and with ``help`` as an option.

    >>> _command_first(["-q", "-g", "a.json", "cites", "12"]), _command_first(["help", "cites"]), _command_first([])
    (['cites', '-q', '-g', 'a.json', '12'], ['cites', '--help'], ['--help'])
    """
    start = 0
    while start < len(words) and (width := _width(words[start])):
        start += width
    options, rest = words[:start], words[start:]
    if rest and rest[0] == "help":
        return [*(word for word in rest[1:2] if word not in ("help", "-h", "--help")), "--help"]
    if not words:
        return ["--help"]
    return rest if rest and rest[0].startswith("-") else [*rest[:1], *options, *rest[1:]]


def _width(word: str) -> int:
    """Return how many words ``word`` takes, if it is an option that may stand before a command; else 0."""
    if word in _GRAPH:
        return 2
    letters = len(word) > 1 and word[0] == "-" and set(word[1:]) <= set("qv")
    return int(letters or word in _FLAGS or word.startswith((f"{_GRAPH[1]}=", _GRAPH[0])))


class _Lost:
    """Lets a Ctrl-C through that came while something was cleared away, where no exception can leave."""

    interrupted = False

    def __call__(self, lost: sys.UnraisableHookArgs, /) -> None:
        """Take what the interpreter could not raise."""
        if lost.exc_type is KeyboardInterrupt:
            self.interrupted = True
            sys.setprofile(self._again)

    def _again(self, frame: FrameType, _event: str, _argument: object) -> None:
        """Interrupt at the next call or return; in the hook it would be lost again, and later it may be too late."""
        if frame.f_code is not _Lost.__call__.__code__:
            sys.setprofile(None)
            raise KeyboardInterrupt


def _reader_left(error: Exception) -> bool:
    """Tell whether the one who read the output has seen enough."""
    return isinstance(error, BrokenPipeError) or isinstance(error.__cause__, BrokenPipeError)


def _report(error: Exception) -> int:
    """Tell what went wrong in one line, and return the status for it."""
    from podgraph.extractors import PodgraphError  # noqa: PLC0415 - nothing went wrong until here

    from .terminal import note  # noqa: PLC0415

    if _reader_left(error):
        _forget_output()
        return 0
    if isinstance(error, PodgraphError):
        note(str(error))
        return error.status
    if isinstance(error, MemoryError):
        note("there is not enough memory for this; narrow the sources")
    elif isinstance(error, FileNotFoundError) and error.filename is None:
        note("the working folder is gone; change to another one")
    elif isinstance(error, OSError) and error.filename is None:
        _forget_output()
        note(f"standard output cannot be written: {error.strerror or error}; check where it leads")
    elif isinstance(error, OSError):
        note(f"{error.filename}: {error.strerror}; check the path")
    else:
        what = f"{type(error).__name__}: {error}"
        note(f"this should not happen: {what}; run it again with --debug and report what it prints")
    return 2


def _forget_output() -> None:
    """Point standard output at nothing, so that the interpreter's last flush is quiet too."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _add_common(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("how it talks")
    for names, said in _COMMON.items():
        group.add_argument(*names, action="store_true", help=said)


def _columns() -> int:
    """Return the width of the terminal, as ``shutil.get_terminal_size`` finds it."""
    with suppress(ValueError, OSError):
        return int(os.environ.get("COLUMNS", "0")) or os.get_terminal_size(1).columns or 80
    return 80


def _has_config() -> bool:
    """Tell whether there is a file of defaults, without loading what reads one."""
    from .config import NAME, user_file  # noqa: PLC0415 - not before a command is known

    return os.path.isfile(NAME) or os.path.isfile(user_file())  # noqa: PTH113 - pathlib costs as much as the answer


def _module(command: str) -> ModuleType:
    return import_module(f".commands.{_MODULES.get(command, command)}", __package__)


if __name__ == "__main__":
    sys.exit(main())
