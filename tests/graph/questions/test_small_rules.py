"""Rules that hold at one place of a question, each on a graph of a few nodes."""

from podgraph.extractors import default_subject
from podgraph.graph import check_links, connect_nodes, infer_days, search_nodes, subject_of
from tests.graph.nets import ident, net, view


def test_a_symbol_that_is_only_mentioned_has_a_state_and_makes_the_default_subject_known():
    graph = net(("mill", [], ""))
    assert subject_of(view(graph)) is None
    graph.add_node("symbol:grind", kind="symbol", label="grind", status="gone")
    graph.add_edge(ident("mill"), "symbol:grind", "mentions", weight=1)
    assert subject_of(view(graph)) == default_subject()
    assert [(row.group, row.title) for row in check_links(view(graph))] == [("links", "gone"), ("gone", "grind")]


def test_an_inferred_day_is_a_day_where_the_others_have_a_time():
    episode = {"podcast": "podcast:p", "kind": "episode", "number": 1, "date": "2024-03-09T10:00:00Z"}
    assert infer_days([("a", episode), ("b", {"podcast": "podcast:p", "number": 2})]) == {"b": "2024-03-09"}


def test_the_word_that_was_searched_instead_is_in_the_answer():
    assert search_nodes(view(net(("mill", ["flour"], "On flour."))), "flowr")[0].instead == "flour"


def test_the_cheaper_of_two_edges_is_the_way():
    graph = net(("mill", [], ""), ("oven", [], ""))
    for relation in ("related", "listen_first"):
        graph.add_edge(ident("mill"), ident("oven"), relation, weight=1, reasons=[])
    rows = connect_nodes(view(graph), ident("mill"), ident("oven"), n=3).rows
    assert [row.relation for row in rows if row.way == 1] == ["listen_first"]
