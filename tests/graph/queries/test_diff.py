"""Differences of two graphs."""

from podgraph.graph import compare
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
    told = found.to_dict()
    assert [one["id"] for one in told["added"]] == [ident("c"), "topic:y"]
    assert [one["id"] for one in told["removed"]] == [ident("b")]
    assert told["changed"] == [{"id": ident("a"), "attributes": {"summary": {"old": "old notes", "new": "new notes"}}}]
    assert told["removed_edges"] == [{"source": ident("b"), "target": "podcast:p", "key": "part_of"}]


def test_the_same_is_no_difference():
    assert not compare(view(net(*OLD)), view(net(*OLD)))


def test_places_and_ranks_are_no_news():
    moved = net(*OLD)
    for _, data in moved.nodes(data=True):
        data.update(x=1.0, y=2.0, rank=0.5, community="z")
    assert not compare(view(net(*OLD)), view(moved))
