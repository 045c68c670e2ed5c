"""Search: what is found, and what comes first."""

import pytest

from podgraph.graph import find_nodes
from tests.graph.nets import ident, net, view

GRAPH = net(
    ("CUDA graphs", ["cuda graphs"], "How they are recorded and replayed"),
    ("CUDA graph trees", ["cuda graphs"], "Memory of CUDA graphs"),
    ("Caching", ["cache"], "The caching allocator of CUDA"),
    ("Straße", [], "x"),
)
GRAPH.add_node("github:o/r#130935", kind="pull", label="o/r#130935", url="https://github.com/o/r/pull/130935")
GRAPH.nodes["topic:cache"]["aliases"] = ["hoard"]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("cuda graphs", ident("cuda-graphs")),
        ("cuda graph", ident("cuda-graphs")),
        ("graph trees", ident("cuda-graph-trees")),
        ("130935", "github:o/r#130935"),
        ("pull/130935", "github:o/r#130935"),
        ("replay", ident("cuda-graphs")),
        ('"caching allocator"', ident("caching")),
        ("hoard", "topic:cache"),
        ("strasse", ident("straße")),
        ("CACHING alloc", ident("caching")),
    ],
)
def test_what_comes_first(text, first):
    assert find_nodes(text, view(GRAPH))[0].id == first


@pytest.mark.parametrize("text", ["", "  ", "zzz", '"allocator caching"', "ecorded", '"'])
def test_what_is_not_found(text):
    assert find_nodes(text, view(GRAPH)) == []


def test_notes_are_shown_where_they_hold_it():
    found = find_nodes("replayed", view(GRAPH))[0]
    assert found.where == "notes"
    assert "replayed" in found.excerpt


def test_number_and_kind_can_be_narrowed():
    assert len(find_nodes("cuda", view(GRAPH), most=1)) == 1
    assert {one.attributes["kind"] for one in find_nodes("cuda", view(GRAPH), kinds=("topic",))} == {"topic"}
    assert len(find_nodes("c", view(GRAPH), most=0)) > 3
