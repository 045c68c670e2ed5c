"""The command ``podgraph``: arguments in, one call, exit status out.

The commands of questions are made from the methods of ``podgraph.Graph``; only the module of the given command is
imported, so a question costs milliseconds.
"""

from __future__ import annotations

import argparse
import gc
import inspect
import os
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin, get_type_hints

from podgraph import __version__

from .parser import CommandParser, HelpFormatter, add_graph_option, parse_number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from podgraph.graph import Answer

# Commands that are no questions: their modules, and a line of help.
COMMANDS = {
    "build": "read feeds and write their graph",
    "export": "write a saved graph in other formats",
    "init": "settings and a workflow for a show's repository",
    "correct": "add a correction to podgraph.toml, and show its changes",
    "mcp": "the questions for assistants, over the Model Context Protocol",
}
_EPILOG = """examples:
  podgraph build                          the live PyTorch Developer Podcast -> podgraph.html, podgraph.sqlite
  podgraph build sample                   the built-in snapshot, no network
  podgraph build feed.xml -o graph.html -o graph.gexf
  podgraph cites pytorch/pytorch#130935   which episodes cite this pull request
  podgraph show "Compiler collectives"
  podgraph list pulls

exit status: 0 found or done, 1 nothing found, 2 an error (one line on standard error)"""
_DIFF_HELP = """What a newer graph added, removed and changed.

examples:
  podgraph diff old.sqlite podgraph.sqlite
  podgraph diff old.sqlite podgraph.sqlite --exit-code"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 found or done, 1 nothing found, 2 an error."""
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    from .terminal import ready_streams  # noqa: PLC0415 - not before the arguments are there

    ready_streams()
    debug = "--debug" in words
    if arguments is None:  # a process of our own: it ends with the answer
        gc.disable()  # a question leaves nothing to collect, and looking for it takes a tenth of its time
        gc.set_threshold(500_000)  # nor do a build's imports, where it is enabled
        # The matrices of a build are small: a second thread of numpy's would only wait.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        if not (debug or sys.warnoptions):
            warnings.simplefilter("ignore")  # libraries' warnings are for programmers
    try:
        parsed = build_parser(words).parse_args(words)
        status: int = parsed.run(parsed)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except MemoryError as error:
        if debug:
            raise
        error.__traceback__ = error.__context__ = None  # frees the memory of the work, to report the error at all
        gc.collect()
        return _report(error)
    except Exception as error:
        if debug and not _is_reader_gone(error):
            raise
        return _report(error)
    return status


def build_parser(words: Sequence[str] = ()) -> CommandParser:
    """Return the parser of all commands; only the one named first in ``words`` has its options, all without words."""
    from .library import QUESTIONS, Graph  # noqa: PLC0415 - after the streams are ready

    top = CommandParser(
        prog="podgraph",
        description="The knowledge graph of a podcast and everything it cites.",
        epilog=_EPILOG,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"podgraph {__version__}")
    top.add_argument(
        "--print-completion", metavar="SHELL", action=_PrintCompletion, help="a script for bash, zsh, tcsh"
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=CommandParser)
    wanted = words[0] if words else ""
    methods: dict[str, Callable[..., Answer]] = {**QUESTIONS, "diff": Graph.diff}
    summaries = {
        "build": COMMANDS["build"],
        **{name: _split_help(name, method)[0] for name, method in methods.items()},
        **COMMANDS,
    }
    top.command_names = tuple(summaries)
    top.words = words
    for name, summary in summaries.items():
        if wanted in summaries and wanted != name:
            continue
        whole = _split_help(name, methods[name])[1] if name in methods else f"{summary[0].upper()}{summary[1:]}."
        description, _, examples = whole.partition("\n\nexamples:")
        command = commands.add_parser(
            name,
            help=summary,
            description=description,
            epilog=f"examples:{examples}" if examples else None,
            formatter_class=HelpFormatter,
            allow_abbrev=False,
        )
        if wanted and wanted != name:
            continue
        if name == "diff":
            _add_diff(command)
        elif name in methods:
            _add_question(command, name, methods[name])
        else:
            import_module(f".commands.{name}", __package__).add_arguments(command)
        command.add_argument("-q", "--quiet", action="store_true", help="only errors on standard error")
        command.add_argument("-v", "--verbose", action="store_true", help="every warning on standard error")
        command.add_argument("--debug", action="store_true", help="a traceback when something goes wrong")
    return top


def _split_help(name: str, method: Callable[..., Answer]) -> tuple[str, str]:
    """Return the line of a question for the list of commands, and its whole help."""
    text = _DIFF_HELP if name == "diff" else inspect.cleandoc(method.__doc__ or "")
    first = text.partition("\n")[0].rstrip(".")
    return first[0].lower() + first[1:], text


def _add_question(parser: argparse.ArgumentParser, name: str, method: Callable[..., Answer]) -> None:
    """Add the parameters of a method as arguments and options, and the options of every question."""
    hints = get_type_hints(method, include_extras=True)
    for parameter in list(inspect.signature(method).parameters.values())[1:]:
        kind, help_text = hints[parameter.name], ""
        if get_origin(kind) is Annotated:
            kind, help_text = get_args(kind)[:2]
        options: dict[str, Any] = {"help": help_text}
        if get_origin(kind) is Literal:
            options["choices"] = [choice for choice in get_args(kind) if choice]
        elif kind is int:
            options |= {"type": parse_number, "metavar": "N"}
        if parameter.kind is parameter.VAR_POSITIONAL:
            nargs = "*" if name in ("explain", "review") else "+"
            parser.add_argument(parameter.name, metavar=parameter.name.upper(), nargs=nargs, help=help_text)
        elif parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            if parameter.default is not parameter.empty:
                options |= {"nargs": "?", "default": parameter.default}
            parser.add_argument(parameter.name, metavar=parameter.name.upper(), **options)
        elif kind is bool:
            parser.add_argument(f"--{parameter.name}", action="store_true", help=help_text)
        else:
            default = f" (default: {parameter.default or 'all'})" if parameter.name == "n" else ""
            options["help"] = f"{help_text}{default}"
            options.setdefault("metavar", "NAME" if "choices" not in options else None)
            parser.add_argument(
                "-n" if parameter.name == "n" else f"--{parameter.name}", default=parameter.default, **options
            )
    if name == "review":
        parser.add_argument("--markdown", action="store_true", help="a comment for a pull request")
    _add_answer_options(parser)
    parser.set_defaults(run=lambda parsed: _answer(parsed, name, method))


def _add_answer_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o", "--output", metavar="FILE", action="append", default=[],
        help="write the answer to a file: .json, .csv, .md, .html; episodes as .m3u8 or .rss, too",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="JSON for programs, with all columns")
    add_graph_option(parser)


def _answer(parsed: argparse.Namespace, name: str, method: Callable[..., Answer]) -> int:
    """Ask the graph and print the answer, or write it to files; return the exit status."""
    from .config import load_config  # noqa: PLC0415 - after the arguments are checked
    from .library import open as open_graph  # noqa: PLC0415
    from .opening import find_graph  # noqa: PLC0415
    from .render import check_answer_file, print_answer, to_markdown, write_answer  # noqa: PLC0415

    for path in parsed.output:
        check_answer_file(path)
    values: dict[str, Any] = {}
    positional: list[str] | None = []
    for parameter in list(inspect.signature(method).parameters.values())[1:]:
        value = getattr(parsed, parameter.name)
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional = _read_standard_input(name, value, quiet=parsed.quiet)
        else:
            values[parameter.name] = value
    if positional is None:
        return 1
    if name in ("cites", "show"):
        values["repo"] = values["repo"] or str(load_config().values.get("repository", ""))
    graph = open_graph(find_graph(parsed.graph, quiet=parsed.quiet) or "sample")
    answer = method(graph, *positional, **values)
    if getattr(parsed, "markdown", False):
        print(f"<!-- podgraph review -->\n{to_markdown(answer)}")
        return 0
    if parsed.output and answer.rows:
        for path in parsed.output:
            write_answer(answer, path, graph, quiet=parsed.quiet)
        return 0
    return print_answer(answer, as_json=parsed.json, quiet=parsed.quiet)


def _read_standard_input(name: str, words: list[str], *, quiet: bool) -> list[str] | None:
    """Return words with ``-`` replaced by the lines of standard input, or by its text for a pasted text.

    ``None`` means that standard input was asked for and is empty.
    """
    from podgraph.extractors import QueryError, decode  # noqa: PLC0415 - most questions have words

    from .terminal import note  # noqa: PLC0415

    is_text = name in ("explain", "review")
    if words and "-" not in words:
        return words
    stdin = getattr(sys.stdin, "buffer", None)
    if not words and (stdin is None or sys.stdin.isatty()):
        remedy = "give paths, or `git diff | podgraph review`" if name == "review" else "paste a text, or give a file"
        raise QueryError("nothing was asked", remedy=remedy)
    text = decode(stdin.read() if stdin else b"")
    if not text.strip():
        note("standard input is empty: nothing was asked", quiet=quiet)
        return None
    lines = [text] if is_text else list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))
    return [line for word in words or ["-"] for line in (lines if word == "-" else [word])]


def _add_diff(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD", help="a saved graph")
    parser.add_argument("new", metavar="NEW", help="a saved graph")
    parser.add_argument(
        "--exit-code", action="store_true", help="status 1 when there are changes, as `git diff` has it"
    )
    parser.add_argument("--json", action="store_true", help="JSON for programs, with all columns")
    parser.set_defaults(run=_compare)


def _compare(parsed: argparse.Namespace) -> int:
    from .library import open as open_graph  # noqa: PLC0415
    from .render import print_answer  # noqa: PLC0415
    from .terminal import note  # noqa: PLC0415

    answer = open_graph(parsed.old).diff(open_graph(parsed.new))
    print_answer(answer, as_json=parsed.json, quiet=True)
    note(answer.heading, quiet=parsed.quiet)
    return 1 if answer.rows and parsed.exit_code else 0


class _PrintCompletion(argparse.Action):
    """The option ``--print-completion SHELL``: the completion script, made by shtab from the parser itself."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:  # noqa: ARG002
        """Print the script and end."""
        import shtab  # noqa: PLC0415 - only this option needs it

        whole = build_parser()
        shells = ", ".join(shtab.SUPPORTED_SHELLS)
        if values not in shtab.SUPPORTED_SHELLS:
            parser.error(f"argument --print-completion: unknown shell {values!r}; use one of {shells}")
        print(shtab.complete(whole, shell=values))
        parser.exit()


def _is_reader_gone(error: Exception) -> bool:
    """Return whether the reader of the output has closed it."""
    return isinstance(error, BrokenPipeError) or isinstance(error.__cause__, BrokenPipeError)


def _report(error: Exception) -> int:
    """Report an error in one line, and return its exit status."""
    from podgraph.extractors import PodgraphError  # noqa: PLC0415 - nothing went wrong until here

    from .terminal import note  # noqa: PLC0415

    if _is_reader_gone(error):
        _forget_output()
        return 0
    if isinstance(error, PodgraphError):
        note(str(error))
        return error.status
    if isinstance(error, MemoryError):
        note("there is not enough memory for this; narrow the sources")
    elif isinstance(error, ImportError):
        reason = str(error).strip().rpartition("\n")[2]  # numpy's messages are a page; the last line has the cause
        note(f"a library cannot be loaded ({reason}); install podgraph anew, or give it more memory")
    elif isinstance(error, FileNotFoundError) and error.filename is None:
        note("the working folder is gone; change to another one")
    elif isinstance(error, OSError) and error.filename is None:
        _forget_output()
        note(f"standard output cannot be written: {error.strerror or error}; check where it leads")
    elif isinstance(error, OSError):
        note(f"{error.filename}: {error.strerror}; check the path")
    else:
        problem = f"{type(error).__name__}: {error}"
        note(f"this should not happen: {problem}; run it again with --debug and report what it prints")
    return 2


def _forget_output() -> None:
    """Point standard output at nothing, to keep the interpreter's last flush quiet too."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
