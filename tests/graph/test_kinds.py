"""The tables of kinds and relations, rows that travel with a graph, and what the check says of kinds that it meets."""

import networkx
import pytest

from podgraph.graph import KINDS, RELATIONS, Kind, check, kinds_of, save_added_kinds
from tests.tables import read_rows

ROWS = [
    (Kind("ticket"), {"name": "ticket"}),
    (Kind("ticket", "support ticket", words=("tickets", "bugs")), {"name": "ticket", "one": "support ticket", "words": ["tickets", "bugs"]}),
    (Kind("ticket", family="code", shape="star", hollow=True), {"name": "ticket", "family": "code", "shape": "star", "hollow": True}),
    (Kind("ticket", artifact=False, text=True, id="t:.+"), {"name": "ticket", "artifact": False, "text": True, "id": "t:.+"}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "row"), ROWS)
def test_a_row_is_plain_data_and_comes_back(kind, row):
    assert (kind.to_dict(), Kind.from_dict(row)) == (row, kind)
    strange = {"one": 7, "hollow": "yes", "words": "tickets", "unheard": "of"}  # another type is the default
    assert kinds_of({"kinds": [strange | row]})["ticket"] == kind


NO_ROWS = read_rows(__file__, "NO_ROWS")


@pytest.mark.parametrize("rows", [*([row] for row in NO_ROWS), None, "ticket", {"name": "ticket"}, 7, []])
def test_what_is_no_row_is_left_out(rows):
    assert kinds_of({"kinds": rows}) is KINDS


def test_a_graph_cannot_change_what_is_built_in():
    kinds = kinds_of({"kinds": [{"name": "episode", "one": "joke"}, {"name": "ticket", "words": ["episodes"]}]})
    assert kinds["episode"] == KINDS["episode"]
    assert kinds.find("episodes") == ("episode",)
    assert kinds.find("ticket") == ("ticket",)


# word of `list` -> kinds
NAMED = {"pull": "pull", "pulls": "pull", "PRs": "pull", "repositories": "repo", "posts": "blog", "people": "person", "web": "web", "comparisons": "compare", "Pull": "pull"}  # fmt: skip


def test_a_word_of_list_means_kinds():
    assert {word: KINDS.find(word) for word in NAMED} == {word: (kind,) for word, kind in NAMED.items()}
    assert KINDS.find("ticket") == KINDS.find("") == ()
    words = ["artifacts", *(word for kind in KINDS.values() for word in kind.list_words)]
    assert len(words) == len(set(words))


def test_a_kind_that_is_in_no_table_has_a_row_all_the_same():
    assert KINDS["ticket"] == Kind("ticket")
    assert (KINDS["My Thing"].singular, KINDS[""].singular) == ("My Thing", "other")
    assert "ticket" not in KINDS


def test_the_ends_of_relations_are_kinds_or_groups():
    groups = {"text", "artifact"}.union(*(kind.groups for kind in KINDS.values()))
    for relation in RELATIONS.values():
        assert set() < relation.sources <= groups, relation.name
        assert set() < relation.targets <= groups, relation.name


def graph_with(kind, extractor="tickets"):
    graph = networkx.MultiDiGraph(schema=1, generator="podgraph", sources=[])
    graph.add_node("episode:p/a", kind="episode", label="A", summary="see T-1")
    graph.add_node("ticket:1", kind=kind, label="T-1")
    evidence = {"field": "notes", "start": 4, "end": 7, "quote": "T-1", "method": "reference", "extractor": extractor}
    graph.add_edge("episode:p/a", "ticket:1", "cites", weight=1, evidence=[evidence])
    return graph


NO_END = "episode:p/a -cites-> ticket:1: cites does not lead from episode to ticket"
# kind, rows of plug-ins, warnings, rows in the graph, problems of the graph
BROUGHT = [
    ("ticket", [], ["the kind 'ticket' is in no table; it is from the extractor tickets"], [{"name": "ticket"}], []),
    ("ticket", [Kind("ticket", hollow=True), Kind("unused")], [], [{"name": "ticket", "hollow": True}], []),
    ("ticket", [Kind("ticket", artifact=False)], [], [{"name": "ticket", "artifact": False}], [NO_END]),
    ("My Thing", [], ["the kind 'My Thing' is in no table; it is from the extractor tickets"], None,
     ["ticket:1: unknown kind 'My Thing'"]),
    ("web", [Kind("ticket")], [], None, []),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "brought", "warnings", "rows", "problems"), BROUGHT)
def test_kinds_that_a_graph_brings(kind, brought, warnings, rows, problems):
    graph = graph_with(kind)
    assert save_added_kinds(graph, brought) == warnings
    assert graph.graph.get("kinds") == rows
    assert list(check(graph)) == problems
