"""The tables of kinds and relations, rows that travel with a graph, and what the check says of kinds that it meets."""

import networkx
import pytest

from podgraph.graph import KINDS, RELATIONS, Kind, bring_kinds, check, kinds_of

ROWS = {
    "only a name": (Kind("ticket"), {"name": "ticket"}),
    "words": (
        Kind("ticket", "support ticket", words=("tickets", "bugs")),
        {"name": "ticket", "one": "support ticket", "words": ["tickets", "bugs"]},
    ),
    "looks": (
        Kind("ticket", family="code", shape="star", hollow=True),
        {"name": "ticket", "family": "code", "shape": "star", "hollow": True},
    ),
    "no artifact": (
        Kind("ticket", artifact=False, text=True, id="t:.+"),
        {"name": "ticket", "artifact": False, "text": True, "id": "t:.+"},
    ),
}


@pytest.mark.parametrize("case", ROWS)
def test_a_row_is_plain_data_and_comes_back(case):
    kind, row = ROWS[case]
    assert kind.to_dict() == row
    assert Kind.of_dict(row) == kind
    assert kinds_of({"kinds": [row]})["ticket"] == kind


NO_ROWS = {
    "no name": {"one": "thing"},
    "a name of two words": {"name": "my thing"},
    "capitals": {"name": "Ticket"},
    "no family": {"name": "ticket", "family": "purple"},
    "no shape": {"name": "ticket", "shape": "blob"},
    "a name that is a number": {"name": 7},
    "no object": "ticket",
    "nothing": None,
}


@pytest.mark.parametrize("case", NO_ROWS)
def test_what_is_no_row_is_left_out(case):
    assert kinds_of({"kinds": [NO_ROWS[case]]}) is KINDS


@pytest.mark.parametrize("rows", [None, "ticket", {"name": "ticket"}, 7, []])
def test_rows_that_are_no_list_are_none(rows):
    assert kinds_of({"kinds": rows}) is KINDS


def test_a_field_of_another_type_is_the_default():
    row = {"name": "ticket", "one": 7, "hollow": "yes", "words": "tickets", "unheard": "of"}
    assert Kind.of_dict(row) == Kind("ticket")


def test_a_graph_cannot_change_what_is_built_in():
    kinds = kinds_of({"kinds": [{"name": "episode", "one": "joke"}, {"name": "ticket", "words": ["episodes"]}]})
    assert kinds["episode"] == KINDS["episode"]
    assert kinds.named("episodes") == ("episode",)
    assert kinds.named("ticket") == ("ticket",)


# word of `list` -> kinds
NAMED = {
    "pull": ("pull",),
    "pulls": ("pull",),
    "PRs": ("pull",),
    "repositories": ("repo",),
    "posts": ("blog",),
    "people": ("person",),
    "web": ("web",),
    "comparisons": ("compare",),
    "Pull": ("pull",),
    "ticket": (),
    "": (),
}


@pytest.mark.parametrize("word", NAMED)
def test_a_word_of_list_means_kinds(word):
    assert KINDS.named(word) == NAMED[word]


def test_no_two_kinds_share_a_word():
    words = [word for kind in KINDS.values() for word in kind.list_words]
    assert len(words) == len(set(words))
    assert not {"artifacts"} & set(words)


def test_a_kind_that_is_in_no_table_has_a_row_all_the_same():
    assert KINDS["ticket"] == Kind("ticket")
    assert (KINDS["My Thing"].singular, KINDS[""].singular) == ("My Thing", "other")
    assert "ticket" not in KINDS


def test_the_ends_of_relations_are_kinds_or_groups():
    groups = {"text", "artifact"}.union(*(kind.groups for kind in KINDS.values()))
    for relation in RELATIONS.values():
        assert relation.sources | relation.targets <= groups, relation.name
        assert relation.sources, relation.name
        assert relation.targets, relation.name


def graph_with(kind, extractor="tickets"):
    graph = networkx.MultiDiGraph(schema=1, generator="podgraph", sources=[])
    graph.add_node("episode:p/a", kind="episode", label="A", summary="see T-1")
    graph.add_node("ticket:1", kind=kind, label="T-1")
    evidence = {"field": "notes", "start": 4, "end": 7, "quote": "T-1", "method": "reference", "extractor": extractor}
    graph.add_edge("episode:p/a", "ticket:1", "cites", weight=1, evidence=[evidence])
    return graph


def test_a_kind_that_nobody_brought_is_named_with_its_extractor():
    graph = graph_with("ticket")
    assert list(check(graph)) == [
        "ticket:1: unknown kind 'ticket'",
        "episode:p/a -cites-> ticket:1: cites does not lead from episode to ticket",
    ]
    assert bring_kinds(graph) == ["the kind 'ticket' is in no table; it is from the extractor tickets"]
    assert graph.graph["kinds"] == [{"name": "ticket"}]
    assert list(check(graph)) == []


def test_a_kind_that_a_plug_in_brought_is_not_named():
    graph = graph_with("ticket")
    assert bring_kinds(graph, [Kind("ticket", hollow=True), Kind("unused")]) == []
    assert graph.graph["kinds"] == [{"name": "ticket", "hollow": True}]


def test_a_kind_that_cannot_be_cited_is_not():
    graph = graph_with("ticket")
    bring_kinds(graph, [Kind("ticket", artifact=False)])
    assert list(check(graph)) == ["episode:p/a -cites-> ticket:1: cites does not lead from episode to ticket"]


def test_a_name_that_is_no_word_gets_no_row():
    graph = graph_with("My Thing")
    assert bring_kinds(graph) == ["the kind 'My Thing' is in no table; it is from the extractor tickets"]
    assert "kinds" not in graph.graph
    assert "ticket:1: unknown kind 'My Thing'" in check(graph)


def test_a_graph_of_built_in_kinds_stays_as_it_is():
    graph = graph_with("web")
    assert bring_kinds(graph, [Kind("ticket")]) == []
    assert "kinds" not in graph.graph
