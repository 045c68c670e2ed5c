"""The kinds that installed packages bring: entry points of the group ``podgraph.kinds``."""

from __future__ import annotations

from podgraph.extractors import PodgraphError
from podgraph.graph import KINDS, Kind


def plugin_kinds() -> list[Kind]:
    """Load the rows that installed packages bring: an entry point leads to a ``Kind``, or to several of them.

    Called by the command, never at import. Raises ``PodgraphError`` naming the one that cannot be loaded, that is none,
    or that takes the name of a kind that is there.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415 - reads the metadata of all that is installed

    found: dict[str, Kind] = {}
    for point in sorted(entry_points(group="podgraph.kinds"), key=lambda point: point.name):
        try:
            brought = point.load()
            rows = [brought] if isinstance(brought, Kind) else list(brought)
        except Exception as error:  # a foreign package may fail in any way
            raise PodgraphError(
                f"the kind cannot be loaded ({error})", source=point.value, remedy="update or uninstall its package"
            ) from error
        for kind in rows:
            if not isinstance(kind, Kind):
                raise PodgraphError(f"{kind!r} is no Kind", source=point.value, remedy="update its package")
            if problem := kind.problem():
                raise PodgraphError(problem, source=point.value, remedy="update its package")
            if kind.name in KINDS or kind.name in found:
                raise PodgraphError(f"the kind {kind.name!r} is taken", source=point.value, remedy="update its package")
            found[kind.name] = kind
    return list(found.values())
