"""The knowledge graph of a podcast and everything it cites.

examples:
  podgraph build feed.xml                 podgraph.html, podgraph.sqlite; without a feed the PyTorch Developer Podcast
  podgraph build sample                   the built-in snapshot, no network
  podgraph cites pytorch/pytorch#130935   which episodes cite this pull request

exit status: 0 found or done, 1 nothing found, 2 an error (one line on standard error)
"""

# The command `podgraph`, whose help is above: arguments in, one call, exit status out. The commands of questions are
# made from the methods of `podgraph.Graph`; only the module of the given command is imported, so a question costs
# milliseconds.

from __future__ import annotations

import argparse
import atexit
import gc
import inspect
import os
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from podgraph import __version__
from podgraph.extractors import PodgraphError, QueryError

from .config import load_config
from .library import Graph
from .library import open as open_graph
from .opening import find_graph
from .parser import CommandParser, add_graph_option
from .questions import QUESTIONS, list_parameters
from .terminal import STATUS_LINE, note, prepare_streams, warn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from podgraph.graph import Answer

# Commands that are not questions; the docstrings of their modules are their help.
COMMANDS = ("build", "export", "merge", "init", "correct", "mcp")


def main(line: Sequence[str] | None = None) -> int:
    """Run the command in ``line``, its words (``None``: the process's arguments). Return its exit status.

    The status is 0 if something was found or done, 1 if nothing was found, 2 for an error, 130 for an interruption.
    """
    words = list(sys.argv[1:] if line is None else line) or ["--help"]
    prepare_streams()
    is_debugging = "--debug" in words
    if line is None:  # this process ends with the command
        gc.disable()  # a question leaves no garbage, and looking for some takes a tenth of its time
        atexit.register(gc.freeze)  # the interpreter's own last search finds nothing either: a build's takes 0.3 s
        # The matrices of a build are small: a second thread of numpy's would only wait.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        if not (is_debugging or sys.warnoptions):
            warnings.simplefilter("ignore")  # libraries' warnings are for programmers
    try:
        arguments = build_parser(words).parse_args(words)
        STATUS_LINE.is_quiet = arguments.quiet
        status: int = arguments.run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if isinstance(error, BrokenPipeError) or isinstance(error.__cause__, BrokenPipeError):
            _discard_output()  # the reader of the pipe has closed it
            return 0
        if is_debugging:
            raise
        error.__traceback__ = error.__context__ = None  # frees the memory of the work, to report a lack of it
        warn(_recover_from_error(error))
        return getattr(error, "status", 2)
    return status


def build_parser(words: Sequence[str] = ()) -> CommandParser:
    """Return the parser of all commands.

    ``words`` is the command line. For speed, only the command that it begins with gets its options; with no words, all
    commands get them.
    """
    description, _, epilog = (__doc__ or "").partition("\n\n")
    top = CommandParser(prog="podgraph", description=description, epilog=epilog.rstrip())
    top.words = words
    top.add_argument("--version", action="version", version=f"podgraph {__version__}")
    first = words[0] if words else ""
    if first.startswith("--print-completion"):
        import shtab  # noqa: PLC0415 - only this option needs it

        shtab.add_argument_to(top, "--print-completion")
        first = ""
    else:
        top.add_argument("--print-completion", metavar="SHELL", help="a script for bash, zsh, tcsh")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    methods: dict[str, Callable[..., Answer]] = {**QUESTIONS, "diff": Graph.diff}
    names = ("build", *methods, *COMMANDS[1:])  # in the order of the help; COMMANDS begins with "build"
    for name in [first] if first in names else names:
        module = None if name in methods else import_module(f".commands.{name}", __package__)
        description, _, examples = (inspect.getdoc(methods.get(name, module)) or "").partition("\n\nexamples:")
        summary = description.partition("\n")[0].rstrip(".")
        command = commands.add_parser(name, help=summary, description=description, epilog=f"examples:{examples}")
        if first not in ("", name):
            continue
        if module:
            command.set_defaults(run=module.run)
            module.add_arguments(command)
        else:
            _add_question_options(command, name, methods[name])
        command.add_argument("-q", "--quiet", action="store_true", help="only errors on standard error")
        command.add_argument("-v", "--verbose", action="store_true", help="every warning on standard error")
        command.add_argument("--debug", action="store_true", help="a traceback when something goes wrong")
    return top


def _add_question_options(parser: argparse.ArgumentParser, name: str, method: Callable[..., Answer]) -> None:
    """Add the parameters of a question's method to its parser, and the options of every question.

    A positional parameter becomes an argument, a keyword parameter an option. ``name`` is the name of the command.
    """
    if name == "diff":
        parser.add_argument("graph", metavar="OLD", help="a saved graph")
        parser.add_argument("--exit-code", action="store_true", help="status 1 when there are changes, as `git diff`")
    else:
        add_graph_option(parser)
    for parameter, kind, text in list_parameters(name, method):
        is_option = parameter.kind is parameter.KEYWORD_ONLY
        options: dict[str, Any] = {"help": text, "default": parameter.default}
        if parameter.kind is parameter.VAR_POSITIONAL:
            options = {"help": text, "nargs": "*" if name == "explain" else "+"}
        elif not is_option and parameter.default is not parameter.empty:
            options["nargs"] = "?"
        if kind is bool:
            options = {"help": text, "action": "store_true"}
        elif get_origin(kind) is Literal:
            options["choices"] = [choice for choice in get_args(kind) if choice]
        else:
            options["metavar"] = ("N" if kind is int else "NAME") if is_option else parameter.name.upper()
            options["type"] = int if kind is int else str
        if parameter.name == "n":
            options["help"] += " (default: %(default)s)"
        option = "-n" if parameter.name == "n" else f"--{parameter.name}"
        parser.add_argument(option if is_option else parameter.name, **options)
    if name == "explain":
        parser.add_argument("--markdown", action="store_true", help="a comment for a pull request")
    parser.add_argument(
        "-o", "--output", metavar="FILE", action="append", default=[],
        help="write the answer to a file: .json, .csv, .md, .html; episodes as .m3u8 or .rss, too",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="JSON for programs, with all columns")
    parser.set_defaults(run=lambda arguments: _run_question(arguments, name, method))


def _run_question(arguments: argparse.Namespace, name: str, method: Callable[..., Answer]) -> int:  # noqa: C901 - in order
    """Ask the graph, and print the answer or write it to files. Return the exit status.

    ``name`` is the name of the command, ``method`` its question; ``arguments`` has the values of the method's
    parameters.
    """
    from .render import print_answer, to_markdown  # noqa: PLC0415 - not for --help

    if arguments.output:
        from .commands.answer_files import check_answer_file, write_answer  # noqa: PLC0415 - few answers are written

        for path in arguments.output:
            check_answer_file(path)
    parameters = list(inspect.signature(method).parameters.values())[1:]  # without `self`
    values = {parameter.name: getattr(arguments, parameter.name) for parameter in parameters}
    positional: list[str] = []
    if parameters[0].kind is inspect.Parameter.VAR_POSITIONAL:
        positional = _read_standard_input(name, values.pop(parameters[0].name))
        if not positional:
            note("standard input is empty: nothing was asked")
            return 1
    if name in ("cites", "show"):
        values["repo"] = values["repo"] or str(load_config().values.get("repository", ""))
    graph = open_graph(find_graph(arguments.graph))
    answer = method(graph, *positional, **values)
    if name == "explain" and arguments.markdown:
        print(f"<!-- podgraph explain -->\n{to_markdown(answer)}")
        return 0
    for path in arguments.output if answer.rows else ():
        write_answer(answer, path, graph)
    if not (arguments.output and answer.rows):
        print_answer(answer, as_json=arguments.json)
    if name == "diff":
        if not answer.rows:
            note(answer.heading)
        return int(arguments.exit_code and bool(answer.rows))
    return 0 if answer.rows else 1


def _read_standard_input(name: str, words: list[str]) -> list[str]:
    """Return ``words`` with the lines of standard input in place of each ``-``; without words, only these lines.

    Equal lines come once. For ``explain``, the text stays in one piece. The result is [] if standard input is empty.
    Raises ``QueryError`` if there are no words and standard input is a terminal. ``name`` is the name of the command.
    """
    if words and "-" not in words:
        return words
    from podgraph.extractors import decode  # noqa: PLC0415 - it loads what a fetch needs

    stdin = getattr(sys.stdin, "buffer", None)
    if not words and (stdin is None or sys.stdin.isatty()):
        raise QueryError("nothing was asked", remedy=f"give a file, or pipe a text: `git diff | podgraph {name}`")
    text = decode(stdin.read() if stdin else b"")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if name == "explain":
        lines = [text] if lines else []
    return [line for word in words or ["-"] for line in (dict.fromkeys(lines) if word == "-" else [word])]


def _recover_from_error(error: Exception) -> str:
    """Return the line to print for an error that ended the command: the problem, its place, the remedy.

    To be able to print it, free memory if it was short, and if standard output failed, discard what it could not take.
    """
    match error:
        case PodgraphError():
            return str(error)
        case MemoryError():
            gc.collect()
            return "there is not enough memory for this; narrow the sources"
        case ImportError():
            reason = str(error).strip().rpartition("\n")[2]  # numpy's messages are a page; the last line has the cause
            return f"a library cannot be loaded ({reason}); install podgraph anew, or give it more memory"
        case FileNotFoundError(filename=None):  # from the look-up of the working folder
            return "the working folder is gone; change to another one"
        case OSError(filename=None):  # only standard output has no name
            _discard_output()
            return f"standard output cannot be written: {error.strerror or error}; check where it leads"
        case OSError():
            return f"{error.filename}: {error.strerror}; check the path"
    return (
        f"this should not happen: {type(error).__name__}: {error}; run it again with --debug and report what it prints"
    )


def _discard_output() -> None:
    """Send the rest of standard output to the null device, so that the interpreter's last flush does not fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
