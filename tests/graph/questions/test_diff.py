"""Differences of two graphs."""

from podgraph.graph import compare, compare_graphs
from tests.graph.nets import ident, net, view

OLD = (("a", ["x"], "old notes"), ("b", [], ""))
NEW = (("a", ["x", "y"], "new notes"), ("c", [], ""))


def test_what_was_added_changed_and_removed():
    found = compare(view(net(*OLD)), view(net(*NEW)))
    assert set(found.added) == {ident("c"), "topic:y"}
    assert set(found.removed) == {ident("b")}
    assert found.changed == {ident("a"): (("summary", "old notes", "new notes"),)}
    assert (ident("a"), "topic:y", "about") in found.added_edges
    assert found.removed_edges == ((ident("b"), "podcast:p", "part_of"),)
    rows = compare_graphs(view(net(*OLD)), view(net(*NEW))).rows
    assert [(row.change, row.id) for row in rows if row.id] == [
        ("added", ident("c")), ("added", "topic:y"), ("removed", ident("b")), ("changed", ident("a")),
    ]  # fmt: skip
    assert ("removed", ident("b"), "podcast:p") in [(row.change, row.source, row.target) for row in rows]


def test_the_same_is_no_difference():
    assert not compare(view(net(*OLD)), view(net(*OLD)))


def test_places_and_ranks_are_no_news():
    moved = net(*OLD)
    for _, data in moved.nodes(data=True):
        data.update(x=1.0, y=2.0, rank=0.5, community="z")
    assert not compare(view(net(*OLD)), view(moved))
