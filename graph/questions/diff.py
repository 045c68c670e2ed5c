"""The differences between two builds of a graph."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..attributes import PLACES
from ..store_tables import NODE_COLUMNS
from .answer import Answer, Row, build_row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .view import View

# Computed for the whole graph: one new episode changes all of them, so they do not count as differences.
_COMPUTED = frozenset((*PLACES, "rank", "community", "count", "id"))
_COLUMNS = ", ".join(name for name in NODE_COLUMNS if name not in _COMPUTED)
_NODES = f"SELECT n, id, {_COLUMNS}, attributes FROM nodes ORDER BY n"  # noqa: S608 - constants
_EDGES = "SELECT source, relation, target FROM edges ORDER BY source, relation, target"


def compare_graphs(old: View, new: View) -> Answer:
    """Answer with what a newer graph added, removed and changed: a row for each node and each edge.

    Positions, ranks and the like are ignored.
    """
    before: dict[str, tuple[Any, ...]] = {}  # the nodes of one graph only, so far
    after: dict[str, tuple[Any, ...]] = {}
    renumbered: dict[int, int] = {}  # the newer graph's numbers of nodes -> the older one's, where they differ
    different: list[tuple[str, int, int]] = []  # id and both numbers
    for olds, news in _read_unequal(old.rows(_NODES), new.rows(_NODES)):
        before.update((row[1], row) for row in olds)
        after.update((row[1], row) for row in news)
        for id_ in before.keys() & after.keys():
            (n, _, *values), (m, _, *new_values) = before.pop(id_), after.pop(id_)
            if n != m:
                renumbered[m] = n
            if values != new_values:
                different.append((id_, n, m))
    rows = [build_row(id_, node, change="added") for id_, node in new.read(row[0] for _, row in sorted(after.items()))]
    rows += [build_row(*node, change="removed") for node in old.read(row[0] for _, row in sorted(before.items()))]
    changes = _list_changes(old, new, sorted(different))
    edges = _compare_edges(old, new, renumbered | {row[0]: -row[0] for row in after.values()})
    edge_counts = Counter(row["change"] for row in edges)
    heading = (
        f"nodes: {len(after)} added, {len(before)} removed, {len({row.id for row in changes})} changed; "
        f"edges: {edge_counts['added']} added, {edge_counts['removed']} removed"
    )
    rows += [*changes, *edges]
    columns = ("change", "kind", "relation", "title", "id", "attribute", "old", "new")
    return Answer("diff", "", columns, tuple(rows), len(rows), heading)


def _read_unequal(old: Iterator[Any], new: Iterator[Any]) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield the parts of two sequences of rows that are not equal."""
    while True:
        olds, news = (list(islice(rows, 1000)) for rows in (old, new))
        if olds != news:
            yield olds, news
        elif not olds:
            return


def _list_changes(old: View, new: View, different: list[tuple[str, int, int]]) -> list[Row]:
    """Return a row for each changed attribute of the nodes of which id and both numbers are given."""
    pairs = zip(old.read(n for _, n, _ in different), new.read(m for _, _, m in different), strict=True)
    rows = []
    for (id_, before), (_, after) in pairs:
        for name in sorted((before.keys() | after.keys()) - _COMPUTED):
            was, is_now = before.get(name), after.get(name)
            if was != is_now:
                rows.append(build_row(id_, after, change="changed", attribute=name, old=was, new=is_now))
    return rows


def _compare_edges(old: View, new: View, renumbered: dict[int, int]) -> list[Row]:
    """Return a row for each edge of one graph only, the added ones first.

    ``renumbered`` are the numbers that nodes of the newer graph have in the older one; negative for added nodes.
    """
    newer = new.rows(_EDGES)
    if renumbered:
        number = renumbered.get
        newer = ((number(source, source), relation, number(target, target)) for source, relation, target in newer)
    removed: set[tuple[int, str, int]] = set()
    added: set[tuple[int, str, int]] = set()
    for olds, news in _read_unequal(old.rows(_EDGES), newer):
        removed.update(olds)
        added.update(news)
        both = removed & added
        removed -= both
        added -= both
    ends = {end for edge in removed | added for end in (edge[0], edge[2])}
    names = old.names_of(end for end in ends if end > 0)
    names |= {-number: name for number, name in new.names_of(-end for end in ends if end < 0).items()}
    rows = []
    for change, edges in (("added", added), ("removed", removed)):
        for source, target, relation in sorted((names[s][0], names[t][0], relation) for s, relation, t in edges):
            title = f"{source} -> {target}"
            rows.append(Row(change=change, relation=relation, source=source, target=target, title=title))
    return rows
