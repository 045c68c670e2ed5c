"""The kinds that installed packages bring: entry points of the group ``podgraph.kinds``."""

from __future__ import annotations

from collections.abc import Iterable

from podgraph.extractors import PodgraphError, load_plugins
from podgraph.graph import KINDS, Kind


def plugin_kinds() -> list[Kind]:
    """Load the rows that installed packages bring: an entry point leads to a ``Kind``, or to a list of them.

    Called by the command, never at import. Raises ``PodgraphError`` naming the one that cannot be loaded, that is none,
    or that takes the name of a kind that is there.
    """
    found: dict[str, Kind] = {}
    for _, brought, source in load_plugins("podgraph.kinds", "kind"):
        for kind in [brought] if isinstance(brought, Kind) or not isinstance(brought, Iterable) else brought:
            if not isinstance(kind, Kind):
                raise PodgraphError(f"{kind!r} is no Kind", source=source, remedy="update its package")
            if problem := kind.problem():
                raise PodgraphError(problem, source=source, remedy="update its package")
            if kind.name in KINDS or kind.name in found:
                raise PodgraphError(f"the kind {kind.name!r} is taken", source=source, remedy="update its package")
            found[kind.name] = kind
    return list(found.values())
