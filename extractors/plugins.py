"""What installed packages bring: the entry points of a group, loaded once a build needs them, never at import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import PodgraphError

if TYPE_CHECKING:
    from collections.abc import Callable

EXTRACTORS, SITES, SUBJECTS = "podgraph.extractors", "podgraph.sites", "podgraph.subjects"
"""The groups of entry points that this room loads."""

_REMEDY = "update or uninstall its package"


def load_plugins(group: str, what: str) -> tuple[tuple[str, object, str], ...]:
    """Load the entry points of ``group``, sorted by name: (name, what it leads to, where that is).

    ``what`` is what one of them is called in a message. Raises ``PodgraphError`` naming the one that cannot be loaded.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415 - reads the metadata of all that is installed

    loaded = []
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        try:
            loaded.append((point.name, point.load(), point.value))
        except Exception as error:
            raise PodgraphError(f"the {what} cannot be loaded ({error})", source=point.value, remedy=_REMEDY) from error
    return tuple(loaded)


def load_functions(group: str, what: str) -> tuple[tuple[str, Callable[..., object]], ...]:
    """Load entry points that are functions, sorted by name; raises ``PodgraphError`` also for one that is none."""
    functions: list[tuple[str, Callable[..., object]]] = []
    for name, function, source in load_plugins(group, what):
        if not callable(function):
            raise PodgraphError(f"the {what} is no function", source=source, remedy="update its package")
        functions.append((name, function))
    return tuple(functions)


def failed(what: str, name: str, function: Callable[..., object], on: str, error: Exception) -> PodgraphError:
    """Return the error that names a package's ``function``, which failed on something: an episode, a URL."""
    return PodgraphError(
        f"the {what} failed on {on} ({type(error).__name__}: {error})",
        source=f"{name} ({function.__module__})",
        remedy=_REMEDY,
    )
