"""The differences between two builds of a graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..attributes import PLACES
from .answer import Answer, Row, build_row

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


def _edges(view: View, nodes: Iterable[str]) -> set[EdgeKey]:
    return {edge[:3] for id_ in nodes for edge in view.edges_from(id_)}


def compare_graphs(old: View, new: View) -> Answer:
    """Answer with what a newer graph added, removed and changed: a row for each node and each edge."""
    found = compare(old, new)
    rows = [build_row(id_, node, change="added") for id_, node in found.added.items()]
    rows += [build_row(id_, node, change="removed") for id_, node in found.removed.items()]
    for id_, changes in found.changed.items():
        node = new.node(id_) or {}
        for name, before, after in changes:
            rows.append(build_row(id_, node, change="changed", attribute=name, old=before, new=after))
    for change, edges in (("added", found.added_edges), ("removed", found.removed_edges)):
        rows += [
            Row(change=change, relation=relation, source=source, target=target, title=f"{source} -> {target}")
            for source, target, relation in edges
        ]
    heading = (
        f"nodes: {len(found.added)} added, {len(found.removed)} removed, {len(found.changed)} changed; "
        f"edges: {len(found.added_edges)} added, {len(found.removed_edges)} removed"
    )
    columns = ("change", "kind", "relation", "title", "id", "attribute", "old", "new")
    return Answer("diff", "", columns, tuple(rows), len(rows), heading)
