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
# The queries have the names of two databases in place of {0} and {1}: `main` is the older graph, `other` the newer one.
# Tables of the nodes that are in both graphs, with their numbers in the one and in the other: a table for each
# direction, as a scan of the edges looks up two numbers for each edge.
_PAIRING = (
    "DROP TABLE IF EXISTS temp.numbers_in_{1}",
    "CREATE TEMP TABLE numbers_in_{1} ({0} INTEGER PRIMARY KEY, {1} INTEGER)",
    "INSERT INTO numbers_in_{1} SELECT {0}.nodes.n, {1}.nodes.n FROM {0}.nodes JOIN {1}.nodes USING (id)",
)
# The numbers of the nodes of one graph only, both numbers of nodes with other values, and the edges of one graph only.
_ONLY = "SELECT n FROM {0}.nodes WHERE n NOT IN (SELECT {0} FROM numbers_in_{1}) ORDER BY id"
_CHANGED = (
    "SELECT a.n, b.n FROM numbers_in_other s JOIN main.nodes a ON a.n = s.main JOIN other.nodes b ON b.n = s.other "  # noqa: S608 - constants
    f"WHERE ({', '.join(f'a.{c}' for c in _COLUMNS)}) IS NOT ({', '.join(f'b.{c}' for c in _COLUMNS)}) ORDER BY a.id"
)
_EDGES = """
SELECT (SELECT id FROM {0}.nodes WHERE n = e.source) AS source, (SELECT id FROM {0}.nodes WHERE n = e.target) AS target,
  e.relation
FROM {0}.edges e LEFT JOIN numbers_in_{1} s ON s.{0} = e.source LEFT JOIN numbers_in_{1} t ON t.{0} = e.target
WHERE NOT EXISTS (
  SELECT 1 FROM {1}.edges x WHERE x.source = s.{1} AND x.relation = e.relation AND x.target = t.{1}
) ORDER BY 1, 2, 3
"""
# Whether the newer graph has as many edges more as were added, so that no edge was removed.
_HAS_ONLY_ADDITIONS = "SELECT (SELECT count(*) FROM main.edges) = (SELECT count(*) FROM other.edges) - ?"


def compare_graphs(old: View, new: View) -> Answer:
    """Answer with the differences between two graphs: a row for each node and edge that was added, removed or changed.

    ``old`` and ``new`` are the older and the newer graph. A row has a ``change`` ("added", "removed" or "changed"); a
    changed node has a row for each changed attribute. Positions, ranks and other values that are computed for the whole
    graph are ignored.
    """
    rows: list[Row] = []
    edges: list[Row] = []
    with old.attach(new):
        # What is in the first of two databases but not in the second was added, or removed.
        directions = ("added", new, ("other", "main")), ("removed", old, ("main", "other"))
        for query in [query.format(*schemas) for _, _, schemas in directions for query in _PAIRING]:
            list(old.rows(query))  # runs it; it has no rows
        changes = _list_changes(old, new, list(old.rows(_CHANGED)))
        for change, view, schemas in directions:
            nodes = view.read(n for (n,) in old.rows(_ONLY.format(*schemas)))
            rows += [build_row(id_, node, change=change) for id_, node in nodes]
            if change == "removed" and old.value(_HAS_ONLY_ADDITIONS, (len(edges),)):
                break  # saves a scan of all edges
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
    """Return a row for each changed attribute of some nodes, with its ``old`` and ``new`` value.

    ``numbers`` are (number in the older graph, number in the newer graph) for each of the nodes.
    """
    pairs = zip(old.read(n for n, _ in numbers), new.read(n for _, n in numbers), strict=True)
    rows = []
    for (id_, old_node), (_, new_node) in pairs:
        for name in sorted((old_node.keys() | new_node.keys()) - _COMPUTED):
            values = {"old": old_node.get(name), "new": new_node.get(name)}
            if values["old"] != values["new"]:
                rows.append(build_row(id_, new_node, change="changed", attribute=name, **values))
    return rows
