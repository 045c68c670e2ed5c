"""Differences of two graphs."""

from podgraph.graph import compare_graphs
from tests.graph.nets import ident, net, view

OLD = (("a", ["x"], "old notes"), ("b", [], ""))
NEW = (("a", ["x", "y"], "new notes"), ("c", [], ""))


def test_what_was_added_changed_and_removed():
    answer = compare_graphs(view(net(*OLD)), view(net(*NEW)))
    assert [(row.change, row.id or f"{row.source} {row.target}", row.attribute) for row in answer] == [
        ("added", ident("c"), None), ("added", "topic:y", None), ("removed", ident("b"), None),
        ("changed", ident("a"), "summary"), ("added", f"{ident('a')} topic:y", None),
        ("added", f"{ident('c')} podcast:p", None), ("removed", f"{ident('b')} podcast:p", None),
    ]  # fmt: skip
    assert (answer[3]["old"], answer[3]["new"]) == ("old notes", "new notes")
    assert answer.heading == "nodes: 2 added, 1 removed, 1 changed; edges: 2 added, 1 removed"


def test_a_node_before_all_others_gives_them_other_numbers_and_no_difference():
    newer = net(*OLD)
    newer.add_node("blog:first", kind="blog", label="first")
    newer.add_edge("blog:first", "topic:x", "about", weight=1)
    rows = compare_graphs(view(net(*OLD)), view(newer)).rows
    assert [(row.change, row.id, row.source) for row in rows] == [
        ("added", "blog:first", None),
        ("added", None, "blog:first"),
    ]


def test_places_and_ranks_are_no_news():
    moved = net(*OLD)
    for _, data in moved.nodes(data=True):
        data.update(x=1.0, y=2.0, rank=0.5, community="z")
    assert not compare_graphs(view(net(*OLD)), view(moved))
