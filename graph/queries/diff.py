"""The differences between two builds of a graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..attributes import PLACES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..attributes import NodeAttributes
    from .view import View

# Computed for the whole graph: one new episode changes all of them, so they do not count as differences.
_COMPUTED = frozenset((*PLACES, "rank", "community", "count", "id"))

Change = tuple[str, object, object]
EdgeKey = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """Two graphs side by side: nodes by id, edges by (source, target, relation).

    ``added`` and ``removed`` map ids to attributes; ``changed`` an id to (attribute, old, new), ``None`` where one
    has none.
    """

    added: dict[str, NodeAttributes]
    removed: dict[str, NodeAttributes]
    changed: dict[str, tuple[Change, ...]]
    added_edges: tuple[EdgeKey, ...]
    removed_edges: tuple[EdgeKey, ...]

    def to_dict(self) -> dict[str, object]:
        """Return the difference with all attributes of added and removed nodes, as JSON has it."""
        return {
            "added": [{**node, "id": id_} for id_, node in self.added.items()],
            "removed": [{**node, "id": id_} for id_, node in self.removed.items()],
            "changed": [
                {"id": id_, "attributes": {name: {"old": before, "new": after} for name, before, after in changes}}
                for id_, changes in self.changed.items()
            ],
            "added_edges": _dicts(self.added_edges),
            "removed_edges": _dicts(self.removed_edges),
        }

    def __bool__(self) -> bool:
        """Return whether there is any difference."""
        return bool(self.added or self.removed or self.changed or self.added_edges or self.removed_edges)


def compare(old: View, new: View) -> Difference:
    """Return the nodes and edges added, changed and removed in ``new``. Positions, ranks and the like are ignored."""
    before, after = dict(old.nodes()), dict(new.nodes())
    edges, newer = _edges(old, before), _edges(new, after)
    changes = {id_: _changes(before[id_], after[id_]) for id_ in sorted(before.keys() & after.keys())}
    return Difference(
        {id_: after[id_] for id_ in sorted(after.keys() - before.keys())},
        {id_: before[id_] for id_ in sorted(before.keys() - after.keys())},
        {id_: found for id_, found in changes.items() if found},
        tuple(sorted(newer - edges)),
        tuple(sorted(edges - newer)),
    )


def _changes(before: NodeAttributes, after: NodeAttributes) -> tuple[Change, ...]:
    names = sorted((before.keys() | after.keys()) - _COMPUTED)
    pairs = ((name, before.get(name), after.get(name)) for name in names)
    return tuple(change for change in pairs if change[1] != change[2])


def _dicts(edges: Iterable[EdgeKey]) -> list[dict[str, str]]:
    return [{"source": source, "target": target, "key": relation} for source, target, relation in edges]


def _edges(view: View, nodes: Iterable[str]) -> set[EdgeKey]:
    return {edge[:3] for id_ in nodes for edge in view.edges_from(id_)}
