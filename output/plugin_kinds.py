"""The kinds of installed packages: entry points of the group ``podgraph.kinds``."""

from __future__ import annotations

from collections.abc import Iterable

from podgraph.extractors import load_plugins
from podgraph.graph import KINDS, Kind


def plugin_kinds() -> list[Kind]:
    """Load the kinds of installed packages: an entry point leads to a ``Kind``, or to a list of them.

    Called by the command, never at import. An entry point without a valid kind, or with the name of an existing kind,
    is reported and skipped.
    """
    taken: set[str] = set()
    loaded = load_plugins("podgraph.kinds", lambda brought: problem_of_kinds(brought, taken))
    return [kind for plugin in loaded for kind in kinds_in(plugin.brought)]


def kinds_in(brought: object) -> list[Kind]:
    """Return the kinds of an entry point's object."""
    several = [brought] if isinstance(brought, Kind) or not isinstance(brought, Iterable) else brought
    return [kind for kind in several if isinstance(kind, Kind)]


def problem_of_kinds(brought: object, taken: set[str]) -> str:
    """Return the error in an entry point's object. Without an error, return "" and add its names to ``taken``."""
    several = [brought] if isinstance(brought, Kind) or not isinstance(brought, Iterable) else [*brought]
    names: set[str] = set()
    for kind in several:
        if not isinstance(kind, Kind):
            return f"{kind!r} is not a Kind"
        if problem := kind.problem():
            return problem
        if kind.name in KINDS or kind.name in taken | names:
            return f"the kind {kind.name!r} is taken"
        names.add(kind.name)
    taken |= names
    return ""
