"""Plug-ins: the entry points of installed packages by group, loaded when a build needs them, never at import.

A plug-in that cannot be loaded, fails or yields invalid values is reported and skipped; where
warnings are errors (``rule_plugins``), it ends the build. Ctrl-C never counts as a failure. A plug-in that works on one
episode for long is reported, so the user knows the cause of the delay.
"""

from __future__ import annotations

import sys
from _thread import allocate_lock
from contextlib import contextmanager
from functools import lru_cache
from time import monotonic, sleep
from typing import TYPE_CHECKING, NamedTuple

from .errors import PodgraphError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from importlib.metadata import EntryPoint, EntryPoints

EXTRACTORS, SITES, SUBJECTS = "podgraph.extractors", "podgraph.sites", "podgraph.subjects"
"""The groups of entry points that this room loads."""

PLUGIN_GROUPS = {EXTRACTORS: "extractor", SITES: "site rule", SUBJECTS: "subject", "podgraph.kinds": "kind"}
"""The groups of entry points, and what one of each is called in a message."""

_REMEDY = "update or uninstall its package"
FAILURES = (Exception, SystemExit)
"""What code of a package may raise and must not end the work with."""
PATIENCE = 30.0
"""Seconds that code of a package may be at work on one thing before it is named."""


class Plugin(NamedTuple):
    """An entry point: its object, or the ``problem`` in loading it.

    ``at`` is its module and name, ``distribution`` its package, ``version`` the package's version.
    """

    group: str
    name: str
    at: str
    distribution: str
    version: str
    brought: object = None
    problem: str = ""

    @property
    def source(self) -> str:
        """The name for messages: module and package."""
        return f"{self.at} ({self.distribution} {self.version})" if self.distribution else self.at


def _log(line: str) -> None:
    import logging  # noqa: PLC0415 - only a package that is broken needs it

    logging.getLogger("podgraph").warning("%s", line)


class _Rules:
    def __init__(self) -> None:
        self.wanted = True
        self.strict = False
        self.warn: Callable[[str], None] = _log
        self.told: set[str] = set()


_rules = _Rules()


def rule_plugins(*, wanted: bool = True, strict: bool = False, warn: Callable[[str], None] = _log) -> None:
    """Set whether plug-ins are ``wanted``, whether a broken one is an error, and the receiver of warnings.

    The command calls this once, at its start. Without a call, warnings go to the log ``podgraph``.
    """
    _rules.wanted, _rules.strict, _rules.warn = wanted, strict, warn
    _rules.told.clear()


def plugins_wanted() -> bool:
    """Return whether plug-ins are loaded at all."""
    return _rules.wanted


def plugins_installed() -> bool:
    """Return whether any plug-in is installed, wanted or not."""
    return any(_installed(group) for group in PLUGIN_GROUPS)


def _installed(group: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of a group, sorted by name."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - only needed with plug-ins

    return tuple(sorted(_all_installed(entry_points, tuple(sys.path)).select(group=group), key=lambda one: one.name))


@lru_cache(maxsize=1)
def _all_installed(find: Callable[[], EntryPoints], _path: tuple[str, ...]) -> EntryPoints:
    """Read the metadata of all that is installed once, as long as it is looked for in the same places."""
    return find()


def find_plugins(group: str, problem_of: Callable[[object], str]) -> Iterator[Plugin]:
    """Load the entry points of ``group``, sorted by name, and yield each with its object or its problem.

    ``problem_of`` returns the error in an object, "" without one; an exception of it is a problem too.
    """
    for point in _installed(group):
        plugin = Plugin(group, point.name, point.value, *_distribution(point))
        try:
            with at_work(plugin.source, "is being loaded"):
                brought = point.load()
            problem = problem_of(brought)
        except FAILURES as error:
            yield plugin._replace(problem=f"the {PLUGIN_GROUPS[group]} cannot be loaded ({_said(error)})")
        else:
            yield plugin._replace(problem=problem) if problem else plugin._replace(brought=brought)


def load_plugins(group: str, problem_of: Callable[[object], str]) -> tuple[Plugin, ...]:
    """Return the usable entry points of ``group`` and report the others; an empty result when plug-ins are off."""
    usable = []
    for plugin in find_plugins(group, problem_of) if _rules.wanted else ():
        if plugin.problem:
            complain(plugin.source, plugin.problem)
        else:
            usable.append(plugin)
    return tuple(usable)


def problem_of_function(what: str) -> Callable[[object], str]:
    """Return a test that reports an entry point without a function; ``what`` names the function in the message."""
    return lambda brought: "" if callable(brought) else f"the {what} is not a function"


def load_functions(group: str) -> tuple[tuple[str, Callable[..., object]], ...]:
    """Return the names and functions of a group of functions, sorted by name."""
    loaded = load_plugins(group, problem_of_function(PLUGIN_GROUPS[group]))
    return tuple((plugin.name, plugin.brought) for plugin in loaded if callable(plugin.brought))


def complain(source: str, problem: str, error: BaseException | None = None) -> None:
    """Report a skipped plug-in, once each; raise ``PodgraphError`` where warnings are errors."""
    if _rules.strict:
        raise PodgraphError(problem, source=source, remedy=_REMEDY) from error
    if source not in _rules.told:
        _rules.told.add(source)
        _rules.warn(f"{source}: {problem}; passed over")


def complain_of(what: str, name: str, function: Callable[..., object], problem: str | BaseException, on: str) -> None:
    """Report that a plug-in's ``function`` failed or returned an invalid value ``on`` an episode or a URL."""
    told = problem if isinstance(problem, str) else f"failed ({_said(problem)})"
    error = None if isinstance(problem, str) else problem
    complain(function_source(name, function), f"the {what} {told} on {on}", error)


def function_source(name: str, function: Callable[..., object]) -> str:
    """Return the name of a plug-in's function for messages."""
    return f"{name} ({getattr(function, '__module__', '')})"


@contextmanager
def at_work(source: str, what: str) -> Iterator[None]:
    """Run a plug-in's code in the block; after ``PATIENCE`` seconds one line reports it and its task ``what``.

    >>> with at_work("tickets (desk)", "is at work on episode:a/b"):
    ...     pass
    """
    before = _watch.begin((source, what))
    try:
        yield
    finally:
        _watch.end(before)


class _Watch:
    """Looks, in a thread of its own while there is work, whether the same is at work for too long."""

    def __init__(self) -> None:
        self._work: tuple[tuple[str, str], float] | None = None
        self._running = False
        self._lock = allocate_lock()

    def begin(self, name: tuple[str, str]) -> tuple[tuple[str, str], float] | None:
        """Set the present task, and return the previous one."""
        with self._lock:
            before, self._work = self._work, (name, monotonic())
            start, self._running = not self._running, True
        if start:
            from threading import Thread  # noqa: PLC0415 - only where packages are installed

            Thread(target=self._watch_work, daemon=True).start()
        return before

    def end(self, before: tuple[tuple[str, str], float] | None) -> None:
        """Restore the task ``before``."""
        with self._lock:
            self._work = before

    def _watch_work(self) -> None:
        """Report a task that takes more than ``PATIENCE`` seconds; end the thread when there is no task."""
        reported = None
        while True:
            with self._lock:
                work = self._work
                self._running = work is not None
            if work is None:
                return
            left = work[1] + PATIENCE - monotonic()
            if left <= 0 and work is not reported:
                reported = work
                tell_of_wait(*work[0])
            sleep(left if left > 0 else PATIENCE)


_watch = _Watch()


def tell_of_wait(source: str, what: str) -> None:
    """Report plug-ins that work for long, once each."""
    if (waits := f"{source} waits") not in _rules.told:
        _rules.told.add(waits)
        _rules.warn(f"{source}: {what} for {PATIENCE:,.6g} s now; Ctrl-C ends it")


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _distribution(point: EntryPoint) -> tuple[str, str]:
    dist = getattr(point, "dist", None)
    return (dist.name, dist.version) if dist else ("", "")
