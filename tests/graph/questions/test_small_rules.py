"""Rules that hold at one place of a question, each on a graph of a few nodes."""

from podgraph.extractors import default_subject
from podgraph.graph import Orders, check_links, connect_nodes, inferred_days, search_nodes, subject_of
from tests.graph.nets import ident, net, view


def test_what_is_only_mentioned_has_a_state_too():
    graph = net(("mill", [], ""))
    graph.add_node("symbol:grind", kind="symbol", label="grind", status="gone")
    graph.add_edge(ident("mill"), "symbol:grind", "mentions", weight=1)
    assert [(row.group, row.title) for row in check_links(view(graph))] == [("links", "gone"), ("gone", "grind")]


def test_a_graph_with_symbols_alone_is_about_the_default_subject():
    graph = net(("mill", [], ""))
    assert subject_of(view(graph)) is None
    graph.add_node("symbol:grind", kind="symbol", label="grind")
    assert subject_of(view(graph)) == default_subject()


def test_an_inferred_day_is_a_day_where_the_others_have_a_time():
    shared = {"podcast": "podcast:p", "kind": "episode"}
    known = ("a", {**shared, "number": 1, "date": "2024-03-09T10:00:00Z"})
    assert inferred_days([known, ("b", {**shared, "number": 2})]) == {"b": "2024-03-09"}


def test_what_was_searched_instead_is_told():
    hits = search_nodes(view(net(("mill", ["flour"], "On flour."))), "flowr")
    assert hits[0].instead == "flour"


def test_everything_in_order_says_what_an_episode_comes_before():
    graph = net(("mill", [], ""), ("oven", [], ""), edges=[("oven", "mill", "listen_first")])
    assert next(step.reason for step in Orders(view(graph)).of_all()) == "listen to it before oven"


def test_of_two_edges_the_cheaper_one_is_the_way_and_the_next_way_is_the_next_cheapest():
    graph = net(("mill", [], ""), ("oven", [], ""), ("rose", [], ""))
    graph.add_edge(ident("mill"), ident("oven"), "related", weight=1, reasons=[])
    graph.add_edge(ident("mill"), ident("oven"), "listen_first", weight=1, reasons=[])
    rows = connect_nodes(view(graph), ident("mill"), ident("oven"), n=3).rows
    assert [row.relation for row in rows if row.way == 1] == ["listen_first"]
