"""Search: what is found, and what comes first."""

import importlib.resources
import re
from pathlib import Path

import pytest

from podgraph.graph import Selection, find_nodes, search_nodes
from podgraph.graph.questions.search import REFERENCE_SCORE, WHOLE_EXTRA, describe_ranking
from tests.graph.nets import ident, net, view
from tests.tables import read_rows


def find(text, graph, *kinds):
    return find_nodes(text, view(graph), kinds)[0]


GRAPH = net(
    ("CUDA graphs", ["cuda graphs"], "How they are recorded and replayed"),
    ("CUDA graph trees", ["cuda graphs"], "Memory of CUDA graphs"),
    ("Caching", ["cache"], "The caching allocator of CUDA"),
    ("Straße", [], "x"),
)
GRAPH.add_node("github:o/r#130935", kind="pull", label="o/r#130935", url="https://github.com/o/r/pull/130935")
GRAPH.nodes["topic:cache"]["aliases"] = ["hoard"]


@pytest.mark.parametrize(("text", "first"), read_rows(__file__, "test_what_comes_first"))
def test_what_comes_first(text, first):
    assert find(text, GRAPH)[0].id == first


@pytest.mark.parametrize("text", ["", "  ", "zzz", '"allocator caching"', "ecorded", '"'])
def test_what_is_not_found(text):
    assert find(text, GRAPH) == []


# Nodes by their labels, which three of them have in common words; the topic “mill” is also called grinder.
MILLS = net(
    ("Mill wheel", ["mill"], "How the wheel turns"), ("Wheels of a mill", ["mill"], "Grinding"),
    ("Weir", [], "Water over a mill"), ("Millstones", [], ""), ("Sluice", [], ""), ("Waterwheels", [], ""),
    ("The long tail race", [], ""), ("Reel", [], ""), ("Lack", [], ""), ("Lick", [], ""), ("Lock", [], ""), ("Luck", [], ""),
)  # fmt: skip
MILLS.nodes["topic:mill"]["aliases"] = ["grinder"]
# A question, and its answer: node, score, field. The word of 1 of the 14 nodes counts 8 times, of 2 nodes 6 times, of 3
# nodes 5 times, of 4 nodes 4 times.
SCORES = Path(__file__).with_name("search_scores.tsv").read_text("utf-8").splitlines()


@pytest.mark.parametrize("line", [line for line in SCORES if not line.startswith("#")])
def test_how_it_is_ranked(line):
    text, _, hits = line.partition("\t")
    rows = (f"{re.split('[:/]', one.id)[-1]} {one.score} {one.where}" for one in find(text, MILLS))
    assert ", ".join(rows) == hits


@pytest.mark.parametrize(
    ("text", "duration", "time"), read_rows(__file__, "test_a_passage_of_notes_has_the_time_that_they_give_for_it")
)
def test_a_passage_of_notes_has_the_time_that_they_give_for_it(text, duration, time):
    graph = net(("Day one", [], "Today: bread.\n00:00 Hello\n12:34 How the levain rises\n25:10 Ovens of stone"))
    graph.nodes[ident("day-one")]["duration"] = duration
    (hit,) = find(text, graph)
    assert (hit.where, hit.time) == ("notes", time)


@pytest.mark.parametrize(("text", "hits"), read_rows(__file__, "test_all_words_are_in_one_quote_of_a_transcript"))
def test_all_words_are_in_one_quote_of_a_transcript(text, hits, monkeypatch):
    graph = net(("a", [], ""), ("b", [], ""), ("c", [], ""))
    graph.graph["transcripts"] = 2
    quotes = [
        ("a", 3, "a kiln that is warm"), ("a", 5, "the kiln is hot"), ("a", 9, "clay"), ("b", 70, "the old kiln"),
    ]  # fmt: skip
    for name, time, quote in quotes:
        evidence = [{"field": "transcript", "time": time, "quote": quote}, {"field": "notes", "quote": "kilms"}]
        graph.add_edge(ident(name), f"topic:{quote}", "about", weight=1, evidence=evidence)
    assert [f"{one.id[-1]} {int(one.time)} {one.excerpt}" for one in find(text, graph) if one.where == "said"] == hits
    assert not [one for one in find(text, graph, "topic") if one.where == "said"]
    assert not find_nodes(text, view(graph), ("episode",))[1]
    monkeypatch.setattr("podgraph.graph.questions.search.MAXIMUM_NODES", 0)
    assert find_nodes(text, view(graph), ("episode",))[1] or not hits  # only quotes have these words


@pytest.mark.parametrize(
    ("text", "is_there"), [("学習", True), ("学", False), ("習率", True), ("eepl", True), ("eep", False)]
)
def test_a_part_of_a_word_is_found_from_a_length_on_two_in_scripts_without_spaces(text, is_there):
    assert bool(find(text, net(("機械学習率", [], ""), ("deeplearning", [], "")))) == is_there


def test_a_topic_brings_its_episodes():
    hits = find("sweeping floors", net(("Dust", ["sweeping floors"], "")))
    assert [(one.id, one.where) for one in hits] == [("topic:sweeping floors", "label"), (ident("dust"), "topic")]


@pytest.mark.parametrize(
    ("text", "notes", "excerpt"), read_rows(__file__, "test_an_excerpt_of_the_notes_has_the_words")
)
def test_an_excerpt_of_the_notes_has_the_words(text, notes, excerpt):
    hit = find(text, net(("a", [], notes)))[0]
    assert (hit.where, hit.excerpt) == ("notes", excerpt)


def test_the_first_of_several_that_a_reference_means_comes_first():
    graph = net(("a", [], ""))
    for sha in ("abcdef11" + "0" * 32, "abcdef12" + "0" * 32):
        graph.add_node(f"github:o/r@{sha}", kind="commit", label=sha[:10])
    hits = [(one.attributes["label"], one.score) for one in find("o/r@abcdef1", graph)]
    assert hits == [("abcdef1100", REFERENCE_SCORE), ("abcdef1200", REFERENCE_SCORE - 1)]


def test_the_page_reads_each_table():
    script = importlib.resources.files("podgraph.output.page").joinpath("assets/script/search.js").read_text("utf-8")
    tables = describe_ranking("o/r")
    assert tables["repo"] == "o/r"
    for name in (*tables, *tables["grades"], *tables["extra"]):
        assert re.search(rf"\b{name}\b", script), name


def test_an_episode_named_as_the_whole_question_gains_in_a_sentence_too():
    first, second, *_ = find("what is CUDA graphs", GRAPH, "episode")
    assert first.id == ident("cuda-graphs")
    assert first.score - second.score > WHOLE_EXTRA


def test_number_and_kind_can_be_narrowed():
    assert len(search_nodes(view(GRAPH), "cuda", selection=Selection(limit=1))) == 1
    assert {one.attributes["kind"] for one in find("cuda", GRAPH, "topic")} == {"topic"}
    assert len(find("c", GRAPH)) > 3
