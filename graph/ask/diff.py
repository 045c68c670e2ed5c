"""What a new build of a graph added, changed and removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .view import Edge, View

# Computed for the whole graph: one new episode moves them all, and that is no news.
_COMPUTED = frozenset(("x", "y", "rank", "community", "count", "id"))

Change = tuple[str, Any, Any]
EdgeKey = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """Two graphs side by side: nodes by id, edges by (source, target, relation).

    ``added`` and ``removed`` map ids to attributes; ``changed`` an id to (attribute, old, new), ``None`` where one
    has none.
    """

    added: dict[str, Mapping[str, Any]]
    removed: dict[str, Mapping[str, Any]]
    changed: dict[str, tuple[Change, ...]]
    added_edges: tuple[EdgeKey, ...]
    removed_edges: tuple[EdgeKey, ...]

    def __bool__(self) -> bool:
        """Tell whether there is any difference."""
        return bool(self.added or self.removed or self.changed or self.added_edges or self.removed_edges)


def compare(old: View, new: View) -> Difference:
    """Return what ``new`` added to ``old``, changed and removed; places, ranks and the like are passed over."""
    before, after = dict(old.nodes()), dict(new.nodes())
    changed = {}
    for id_ in sorted(before.keys() & after.keys()):
        names = sorted((before[id_].keys() | after[id_].keys()) - _COMPUTED)
        pairs = ((name, before[id_].get(name), after[id_].get(name)) for name in names)
        changes = tuple(change for change in pairs if change[1] != change[2])
        if changes:
            changed[id_] = changes
    edges, newer = _edges(old, before), _edges(new, after)
    return Difference(
        {id_: after[id_] for id_ in sorted(after.keys() - before.keys())},
        {id_: before[id_] for id_ in sorted(before.keys() - after.keys())},
        changed,
        tuple(sorted(newer - edges)),
        tuple(sorted(edges - newer)),
    )


def _edges(view: View, nodes: Mapping[str, Any]) -> set[EdgeKey]:
    return {_key(edge) for id_ in nodes for edge in view.edges_from(id_)}


def _key(edge: Edge) -> EdgeKey:
    return edge.source, edge.target, edge.relation
