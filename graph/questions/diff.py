"""The differences between two builds of a graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..attributes import PLACES
from ..store_tables import NODE_COLUMNS
from .answer import Answer, Row, build_row

if TYPE_CHECKING:
    from .view import View

# Computed for the whole graph: one new episode changes all of them, so they do not count as differences.
_COMPUTED = frozenset((*PLACES, "rank", "community", "count", "id"))
_COLUMNS = [*(name for name in NODE_COLUMNS if name not in _COMPUTED), "attributes"]
# The numbers of the nodes of one graph only, and both numbers of those with other values.
_ONLY = "SELECT n FROM {0}.nodes WHERE id NOT IN (SELECT id FROM {1}.nodes) ORDER BY id"
_CHANGED = (
    f"SELECT a.n, b.n FROM main.nodes a JOIN other.nodes b USING (id) WHERE ({', '.join(f'a.{c}' for c in _COLUMNS)}) "  # noqa: S608 - constants
    f"IS NOT ({', '.join(f'b.{c}' for c in _COLUMNS)}) ORDER BY id"
)
# The numbers of a node in both graphs, and the edges of one graph only.
_SAME = (
    "DROP TABLE IF EXISTS temp.same",
    "CREATE TEMP TABLE same (main INTEGER PRIMARY KEY, other INTEGER)",
    "INSERT INTO same SELECT a.n, b.n FROM main.nodes a JOIN other.nodes b USING (id)",
    "CREATE UNIQUE INDEX temp.same_other ON same (other, main)",
)
_EDGES = """
SELECT (SELECT id FROM {0}.nodes WHERE n = e.source) AS source, (SELECT id FROM {0}.nodes WHERE n = e.target) AS target,
  e.relation
FROM {0}.edges e LEFT JOIN same s ON s.{0} = e.source LEFT JOIN same t ON t.{0} = e.target
WHERE NOT EXISTS (
  SELECT 1 FROM {1}.edges x WHERE x.source = s.{1} AND x.relation = e.relation AND x.target = t.{1}
) ORDER BY 1, 2, 3
"""
_COUNT = "SELECT (SELECT count(*) FROM main.edges) = (SELECT count(*) FROM other.edges) - ?"


def compare_graphs(old: View, new: View) -> Answer:
    """Answer with what a newer graph added, removed and changed: a row for each node and each edge.

    Positions, ranks and the like are ignored.
    """
    rows: list[Row] = []
    edges: list[Row] = []
    with old.attach(new):
        for query in _SAME:
            list(old.rows(query))
        changes = _list_changes(old, new, list(old.rows(_CHANGED)))
        for change, view, schemas in (("added", new, ("other", "main")), ("removed", old, ("main", "other"))):
            nodes = view.read(n for (n,) in old.rows(_ONLY.format(*schemas)))
            rows += [build_row(id_, node, change=change) for id_, node in nodes]
            if change == "removed" and old.value(_COUNT, (len(edges),)):
                break  # none was removed: the graphs differ by the number of added edges
            for source, target, relation in old.rows(_EDGES.format(*schemas)):
                title = f"{source} -> {target}"
                edges.append(Row(change=change, relation=relation, source=source, target=target, title=title))
    counts = Counter(row["change"] for row in rows)
    edge_counts = Counter(row["change"] for row in edges)
    heading = (
        f"nodes: {counts['added']} added, {counts['removed']} removed, {len({row.id for row in changes})} changed; "
        f"edges: {edge_counts['added']} added, {edge_counts['removed']} removed"
    )
    rows += [*changes, *edges]
    columns = ("change", "kind", "relation", "title", "id", "attribute", "old", "new")
    return Answer("diff", "", columns, tuple(rows), len(rows), heading)


def _list_changes(old: View, new: View, numbers: Sequence[tuple[int, int]]) -> list[Row]:
    """Return a row for each changed attribute of the nodes with some numbers in the older and in the newer graph."""
    pairs = zip(old.read(n for n, _ in numbers), new.read(n for _, n in numbers), strict=True)
    rows = []
    for (id_, before), (_, after) in pairs:
        for name in sorted((before.keys() | after.keys()) - _COMPUTED):
            was, is_now = before.get(name), after.get(name)
            if was != is_now:
                rows.append(build_row(id_, after, change="changed", attribute=name, old=was, new=is_now))
    return rows
