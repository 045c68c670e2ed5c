"""Search: what is found, and what comes first."""

import importlib.resources
import re

import pytest

from podgraph.graph import find_nodes
from podgraph.graph.queries.search import ranking
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


# Nodes by their labels, which three of them have in common words; the topic “mill” is also called grinder.
MILLS = net(
    ("Mill wheel", ["mill"], "How the wheel turns"), ("Wheels of a mill", ["mill"], "Grinding"),
    ("Weir", [], "Water over a mill"), ("Millstones", [], ""), ("Sluice", [], ""), ("Waterwheels", [], ""),
    ("The long tail race", [], ""), ("Reel", [], ""), ("Lack", [], ""), ("Lick", [], ""), ("Lock", [], ""), ("Luck", [], ""),
)  # fmt: skip
MILLS.nodes["topic:mill"]["aliases"] = ["grinder"]
# What is asked, and what is found: node, score, field, as the tables of the ranking count it. A word that
# 1 of the 14 nodes holds counts four times, one of 2 or 3 nodes thrice, one of 4 to 7 twice.
SCORES = [
    ("mill wheel", "mill-wheel 1260 label, wheels-of-a-mill 136 label"),  # label and equal: 8·4·(2 + 3), and 1100 for it all
    ("wheel mill", "mill-wheel 160 label, wheels-of-a-mill 136 label"),
    ("tail race", "the-long-tail-race 356 label"),  # they stand together
    ("race tail", "the-long-tail-race 256 label"),
    ("wheel", "wheels-of-a-mill 272 label, mill-wheel 96 label, waterwheels 24 label"),  # stem and beginning; equal; inside
    ("water", "waterwheels 48 label, weir 24 notes"),
    ("grinder", "mill 84 aliases, mill-wheel 33 topic, wheels-of-a-mill 18 notes"),  # a quarter, and the weight of “about”
    ("heel", "mill-wheel 24 label, waterwheels 24 label, wheels-of-a-mill 24 label"),  # enough: no “reel”
    ("eir", ""),  # too short to stand inside
    ("leck", "lack 1228 label, lick 1228 label, lock 1228 label"),  # no fourth spelling
    ("mills reel", "reel 1228 label"),
    ("3", "weir 1128 number"),
    ("episode:p/weir", "weir 5000 reference"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "hits"), SCORES)
def test_how_it_is_ranked(text, hits):
    found = [f"{re.split('[:/]', one.id)[-1]} {one.score} {one.where}" for one in find_nodes(text, view(MILLS))]
    assert ", ".join(found) == hits


@pytest.mark.parametrize(("text", "hits"), [
    ("kiln", ["a 3 a kiln that is warm", "b 70 the old kiln"]),  # the first of each
    ("hot kiln", ["a 5 the kiln is hot"]),
    ("hot clay", []),  # both are said, but in no one quote
    ("warm", ["a 3 a kiln that is warm"]),
    ("kil", ["a 3 a kiln that is warm", "b 70 the old kiln"]),
    ("iln", []),
    ('"old kiln"', ["b 70 the old kiln"]),
    ('"kiln old"', []),
    ("kilm", []),
])  # fmt: skip
def test_what_is_said_is_found_in_one_quote(text, hits):
    graph = net(("a", [], ""), ("b", [], ""), ("c", [], ""))
    graph.graph["transcripts"] = 2
    quotes = [
        ("a", "3", "a kiln that is warm"),
        ("a", "5", "the kiln is hot"),
        ("a", "9", "clay"),
        ("b", "70", "the old kiln"),
    ]
    for name, time, quote in quotes:
        said = [{"field": "transcript", "time": int(time), "quote": quote}, {"field": "notes", "quote": "kilms"}]
        graph.add_edge(ident(name), f"topic:{quote}", "about", weight=1, evidence=said)
    found = find_nodes(text, view(graph))
    assert [f"{one.id[-1]} {int(one.time)} {one.excerpt}" for one in found if one.where == "said"] == hits
    assert not [one for one in find_nodes(text, view(graph), kinds=("topic",)) if one.where == "said"]


@pytest.mark.parametrize(
    ("text", "found"), [("学習", True), ("学", False), ("習率", True), ("eepl", True), ("eep", False)]
)
def test_a_part_of_a_word_is_found_from_a_length_on_two_in_scripts_without_spaces(text, found):
    graph = net(("機械学習率", [], ""), ("deeplearning", [], ""))
    assert bool(find_nodes(text, view(graph))) == found


def test_a_topic_brings_its_episodes():
    found = find_nodes("sweeping floors", view(net(("Dust", ["sweeping floors"], ""))))
    assert [(one.id, one.where) for one in found] == [("topic:sweeping floors", "label"), (ident("dust"), "topic")]


def test_notes_are_shown_where_they_hold_it():
    found = find_nodes("replayed", view(GRAPH))[0]
    assert (found.where, found.excerpt) == ("notes", "How they are recorded and replayed")
    graph = net(("a", [], "before " * 9 + "now replayed" + " behind" * 19))
    assert find_nodes("replay", view(graph))[0].excerpt == (
        "…" + "before " * 5 + "now replayed" + " behind" * 10 + " b…"
    )
    for start in ("replay", "Straße"):  # as it stands, and as only search reads it
        notes = start + " then" * 50 + " graph"
        word = "strasse" if start == "Straße" else "replay graph"
        found = find_nodes(word, view(net(("a", [], notes))))[0]
        assert found.excerpt == f"{notes[:80]}…"


def test_of_several_that_a_reference_means_the_first_comes_first():
    graph = net(("a", [], ""))
    for sha in ("abcdef11" + "0" * 32, "abcdef12" + "0" * 32):
        graph.add_node(f"github:o/r@{sha}", kind="commit", label=sha[:10])
    found = find_nodes("o/r@abcdef1", view(graph))
    assert [(one.attributes["label"], one.score) for one in found] == [("abcdef1100", 5000), ("abcdef1200", 4999)]


def test_the_page_reads_each_table():
    script = importlib.resources.files("podgraph.output.page").joinpath("assets/script/search.js").read_text("utf-8")
    tables = ranking("o/r")
    assert tables["repo"] == "o/r"
    for name in (*tables, *tables["grades"], *tables["extra"]):
        assert re.search(rf"\b{name}\b", script), name


def test_number_and_kind_can_be_narrowed():
    assert len(find_nodes("cuda", view(GRAPH), most=1)) == 1
    assert {one.attributes["kind"] for one in find_nodes("cuda", view(GRAPH), kinds=("topic",))} == {"topic"}
    assert len(find_nodes("c", view(GRAPH), most=0)) > 3
