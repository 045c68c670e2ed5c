"""The command ``podgraph``: arguments in, one call, exit status out.

Only the module of the given command is imported, so a query costs milliseconds.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType

from .parser import COMMON, load_command, parser

_HELPED = frozenset(("-h", "--help", "--no-config"))  # with these, no file of defaults is looked for
_FLAGS = frozenset(name for names in COMMON for name in names)
_YOUNG = 500_000  # objects between two looks for garbage; a build's imports and data hold next to none
_GRAPH = ("-g", "--graph")  # with the file as the next word, or in the same one


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 found or done, 1 nothing found, 2 an error."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    from .terminal import ready_streams  # noqa: PLC0415 - not before the arguments are there

    ready_streams()
    debug = "--debug" in words
    lost = _Lost()
    own = arguments is None  # a process of our own: it ends with the answer
    if own:
        gc.disable()  # a small question leaves nothing to collect, and looking for it takes a tenth of its time
        gc.set_threshold(_YOUNG)  # nor do imports, where it is enabled
        # The matrices of a build are small: a second thread of numpy's would only wait, at the cost of a third of all.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if own and not debug:
        if not sys.warnoptions:
            warnings.simplefilter("ignore")  # libraries' warnings are for programmers
        sys.unraisablehook = lost
    try:
        words = _command_first(words)
        parsed = _parse(words)
        status = _run(parsed)
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
        if debug and not _reader_left(error):
            raise
        return _report(error)
    finally:
        if own:
            gc.freeze()  # nor is there anything to find at the end
    return 130 if lost.interrupted else status


def _run(parsed: argparse.Namespace) -> int:
    """Run the command, and return its status.

    If the graph has nothing with a name and ``--json`` was given, print a JSON document with the problem, then raise.
    """
    try:
        status: int = load_command(parsed.command).run(parsed)
    except Exception as error:
        from podgraph.extractors import NotFoundError  # noqa: PLC0415 - nothing went wrong until here

        if not isinstance(error, NotFoundError):
            raise
        if getattr(parsed, "json", False):
            from .terminal import print_json  # noqa: PLC0415

            print_json({"found": False, "problem": error.problem})
            sys.stdout.flush()
        if not (graph := getattr(parsed, "graph", None)):
            raise
        from .commands.shared.saved import with_its_graph  # noqa: PLC0415

        raise with_its_graph(error, graph) from error
    return status


def _parse(words: list[str]) -> argparse.Namespace:
    """Parse the arguments with argparse. Settings files are the defaults."""
    parsed = parser(words, defaults=not _HELPED.intersection(words)).parse_args(words)
    if hasattr(parsed, "config_used"):
        from .commands.shared.defaults import tell_of_defaults  # noqa: PLC0415 - few folders have such a file

        tell_of_defaults(parsed)
    return parsed


def _command_first(words: list[str]) -> list[str]:
    """Return the arguments with those before the command's name moved after it, and ``help`` as an option.

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
    """Return the number of words of an option allowed before a command; 0 for other words."""
    if word in _GRAPH:
        return 2
    letters = len(word) > 1 and word[0] == "-" and set(word[1:]) <= set("qv")
    return int(letters or word in _FLAGS or word.startswith((f"{_GRAPH[1]}=", _GRAPH[0])))


class _Lost:
    """Lets a Ctrl-C through from a moment of clearing away, where no exception can leave."""

    interrupted = False

    def __call__(self, lost: sys.UnraisableHookArgs, /) -> None:
        """Receive an exception from a place where the interpreter could not raise it."""
        if lost.exc_type is KeyboardInterrupt:
            self.interrupted = True
            sys.setprofile(self._again)

    def _again(self, frame: FrameType, _event: str, _argument: object) -> None:
        """Interrupt at the next call or return. In the hook it would be lost again, and later it may be too late."""
        if frame.f_code is not _Lost.__call__.__code__:
            sys.setprofile(None)
            raise KeyboardInterrupt


def _reader_left(error: Exception) -> bool:
    """Return whether the one who read the output has seen enough."""
    return isinstance(error, BrokenPipeError) or isinstance(error.__cause__, BrokenPipeError)


def _report(error: Exception) -> int:
    """Report an error in one line, and return its exit status."""
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
    elif isinstance(error, ImportError):
        why = str(error).strip().rpartition("\n")[2]  # numpy's messages are a page; the last line has the cause
        note(f"a library cannot be loaded ({why}); install podgraph anew, or give it more memory")
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
    """Point standard output at nothing, to keep the interpreter's last flush quiet too."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
