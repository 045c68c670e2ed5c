"""Plug-ins: the entry points of installed packages by group, loaded when a build needs them, never at import.

A plug-in with a failure or invalid values is reported and skipped. Ctrl-C never counts as a
failure.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.metadata import EntryPoint, EntryPoints

EXTRACTORS, SITES, SUBJECTS = "podgraph.extractors", "podgraph.sites", "podgraph.subjects"
"""The groups of entry points that this room loads."""

PLUGIN_GROUPS = {EXTRACTORS: "extractor", SITES: "site rule", SUBJECTS: "subject", "podgraph.kinds": "kind"}
"""The groups of entry points, and what one of each is called in a message."""

FAILURES = (Exception, SystemExit)
"""What code of a package may raise and must not end the work with."""


def _log(line: str) -> None:
    """Write a line of warning to the log ``podgraph``."""
    import logging  # noqa: PLC0415 - only a package that is broken needs it

    logging.getLogger("podgraph").warning("%s", line)


_reporters: list[Callable[[str], None]] = [_log]
_skipped_sources: set[str] = set()
_MAXIMUM_SECONDS = 10.0  # of a plug-in for an episode or an address
_MAXIMUM_RESULTS = 10_000  # of a plug-in that yields
_slow_functions: list[Callable[..., object]] = []


def set_reporter(*, warn: Callable[[str], None] = _log) -> None:
    """Set the function that gets warnings about plug-ins, and forget earlier warnings.

    A command calls this once at its start. ``warn`` is called with one line for each skipped plug-in; without a call of
    this function warnings go to the log ``podgraph``.
    """
    _reporters[:] = [warn]
    _skipped_sources.clear()
    _slow_functions.clear()


def plugins_installed() -> bool:
    """Return whether any plug-in is installed: an entry point of any group in ``PLUGIN_GROUPS``."""
    return any(map(_find_points, PLUGIN_GROUPS))


def load_plugins(group: str, problem_of: Callable[[object], str]) -> list[tuple[str, object]]:
    """Return (name, object) of each usable plug-in of a group, sorted by name; report and skip the others.

    Args:
        group: a group of entry points, such as ``podgraph.sites``
        problem_of: returns the problem of a loaded object, "" if it is usable; raising an exception is a problem, too
    """
    usable = []
    for point in _find_points(group):
        try:
            plugin = call_in_time(point.load)
            problem = problem_of(plugin)
        except FAILURES as error:
            problem = f"the {PLUGIN_GROUPS[group]} cannot be loaded ({_describe(error)})"
        if problem:
            package = f" ({point.dist.name} {point.dist.version})" if point.dist else ""
            _report_skipped(f"{point.value}{package}", problem)
        else:
            usable.append((point.name, plugin))
    return usable


def call_in_time(function: Callable[..., object], *arguments: object) -> object:
    """Return the result of a plug-in's function for its ``arguments``; of an iterator, a list of at most 10,000 items.

    Raises ``TimeoutError`` after 10 seconds, and for later calls of the same function at once: an endless function
    delays a build by 10 seconds in all. Only the main thread of a POSIX system has this limit.
    """
    import signal  # noqa: PLC0415 - only builds with plug-ins need both
    import threading  # noqa: PLC0415

    def stop(*_: object) -> None:
        """Raise ``TimeoutError``; called by the timer, too."""
        raise TimeoutError(f"it takes more than {_MAXIMUM_SECONDS:g} s")

    if any(slow is function for slow in _slow_functions):
        stop()
    has_limit = sys.platform != "win32" and threading.current_thread() is threading.main_thread()
    if has_limit:
        former_handler = signal.signal(signal.SIGALRM, stop)
        # Again each second, for a plug-in that catches the error.
        former_timer = signal.setitimer(signal.ITIMER_REAL, _MAXIMUM_SECONDS, 1)
    try:
        result = function(*arguments)
        return [*islice(result, _MAXIMUM_RESULTS)] if isinstance(result, Iterator) else result
    except TimeoutError:
        _slow_functions.append(function)
        raise
    finally:
        if has_limit:
            signal.setitimer(signal.ITIMER_REAL, *former_timer)
            signal.signal(signal.SIGALRM, former_handler or signal.SIG_DFL)


def report_fault(group: str, name: str, function: Callable[..., object], problem: str | BaseException, on: str) -> None:
    """Report that a function of a plug-in failed, or returned an invalid value; each plug-in is reported once only.

    Args:
        group: the group of the plug-in's entry point
        name: the name of the entry point
        function: the function
        problem: the exception, or what is wrong with the value, as in "gives int and no Ref"
        on: the episode or URL that the function was called for
    """
    reason = problem if isinstance(problem, str) else f"failed ({_describe(problem)})"
    _report_skipped(f"{name} ({getattr(function, '__module__', '')})", f"the {PLUGIN_GROUPS[group]} {reason} on {on}")


def _report_skipped(source: str, problem: str) -> None:
    """Report the ``problem`` of a plug-in that is skipped; of several from the same ``source``, only the first."""
    if source not in _skipped_sources:
        _skipped_sources.add(source)
        _reporters[0](f"{source}: {problem}; passed over")


def _find_points(group: str) -> list[EntryPoint]:
    """Return the entry points of installed packages in a group, sorted by name."""
    return sorted(_read_points(tuple(sys.path)).select(group=group), key=lambda point: point.name)


@lru_cache(maxsize=1)
def _read_points(_path: tuple[str, ...]) -> EntryPoints:
    """Return the entry points of all installed packages; they are read once for each ``_path``.

    ``_path`` are the folders in which Python looks for packages. It is only the key of the cache.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415 - only builds need it

    return cast("EntryPoints", entry_points())


def _describe(error: BaseException) -> str:
    """Return the class of an exception, and its message if it has one."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
