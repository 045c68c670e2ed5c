"""Listening orders: prerequisites, topics from introduction to depth, circles."""

import pytest

from podgraph.graph import Orders, first_sentence, list_nodes, order_episodes
from tests.graph.nets import ident, net, view
from tests.tables import read_rows

PART = ("topic:wheel", "topic:mill", "subtopic_of")


def graph(*edges):
    return net(
        ("deep mill", ["mill"], ""), ("intro to the mill", ["mill"], ""), ("weir", ["mill"], ""), ("wheel", ["wheel"], ""),
        edges=[*edges, PART],
    )  # fmt: skip


def names(order):
    return [step.id.rpartition("/")[2] for step in order]


def reasons(order):
    return [(step.id.rpartition("/")[2], step.reason) for step in order]


# which episodes need which others, and the order that ends with the weir
NEEDS = read_rows(__file__, "NEEDS")


@pytest.mark.parametrize(("edges", "episodes"), NEEDS)
def test_prerequisites_come_first(edges, episodes):
    order = Orders(view(graph(*((*edge, "listen_first") for edge in edges)))).build_episode_order(ident("weir"))
    assert names(order) == episodes
    assert all(step.reason for step in order)


def test_trailers_are_in_no_order_but_their_own():
    mill = graph()
    mill.nodes[ident("intro-to-the-mill")]["type"] = "trailer"
    orders = Orders(view(mill))
    assert "intro-to-the-mill" not in names((*orders.build_routes(), *orders.build_topic_order("topic:mill")))
    assert names(orders.build_episode_order(ident("weir"))) == ["deep-mill", "weir"]
    assert names(orders.build_episode_order(ident("intro-to-the-mill")))[-1] == "intro-to-the-mill"


@pytest.mark.parametrize(("about", "order"), read_rows(__file__, "test_a_name_of_a_topic_and_an_episode"))
def test_a_name_of_a_topic_and_an_episode(about, order):
    mill = net(*((name, ["mill"] if name in about else [], "") for name in "ab"), ("mill", [], ""))
    mill.add_node("topic:mill", kind="topic", label="mill")
    assert "".join(name[0] for name in names(order_episodes(view(mill), "mill"))) == order


# Four episodes, as (number, date) or (number, date, season), and their order; None: unknown.
SERIES = read_rows(__file__, "SERIES")


@pytest.mark.parametrize(("episodes", "order"), SERIES)
def test_the_undated_take_the_position_of_their_number(episodes, order):
    series = net(*((name, [], "") for name in "abcd"))
    for name, (number, date, *season) in zip("abcd", episodes, strict=True):
        node = series.nodes[ident(name)]
        del node["number"], node["date"]
        values = (("number", number), ("date", date), ("season", *(season or [None])))
        node.update({key: value for key, value in values if value is not None})
    assert "".join(names(Orders(view(series)).build_routes())) == order
    numbers = [row.id[-1] for row in list_nodes(view(series), "episodes") if row.number]
    assert numbers == [name for name in reversed(order) if series.nodes[ident(name)].get("number")]


# “wind” is a part of “mill”; each row: the episodes, oldest first, with topics (and weights), and what goes before the
# last of them, or before another.
INTRODUCTIONS = read_rows(__file__, "INTRODUCTIONS")


def introductions(episodes, edges=()):
    show = net(*((name, {name.removeprefix("the ")} | uses.keys(), "") for name, uses in episodes), edges=edges)
    show.add_node("topic:wind", kind="topic", label="wind")
    show.add_node("topic:mill", kind="topic", label="mill")
    show.add_edge("topic:wind", "topic:mill", "subtopic_of", weight=1, reasons=["for the test"])
    for name, uses in episodes:
        for topic, weight in uses.items():
            edge = show.edges[ident(name.replace(" ", "-")), f"topic:{topic}", "about"]
            edge["weight"] = weight or 3
            edge["evidence"] = edge["evidence"] if weight else []
    return show


@pytest.mark.parametrize("row", INTRODUCTIONS, ids=[row[0] for row in INTRODUCTIONS])
def test_an_introduction_goes_before(row):
    _, episodes, before, *place = row
    name = episodes[place[0] if place else -1][0]
    assert names(Orders(view(introductions(episodes))).build_episode_order(ident(name))) == [*before, name]


# the episodes that the last one refers to, and those before it with their reasons
ASKED = "the episode you asked for"
REFERENCES = read_rows(__file__, "REFERENCES")


@pytest.mark.parametrize(("episodes", "edges", "before", "reason"), REFERENCES)
def test_reasons_for_the_episodes_before_one(episodes, edges, before, reason):
    last = ("dam", ASKED if before else f"{ASKED}; no prerequisites are known")
    orders = Orders(view(introductions(episodes, edges)))
    assert reasons(orders.build_episode_order(ident("dam"))) == [*((name, reason) for name in before), last]
    assert edges[:1] == [("mill", "dam", "listen_first")] or names(
        orders.build_episode_order(ident(episodes[0][0]))
    ) == [episodes[0][0]]


# episodes, edges, topic ("": all), and the order with its reasons
ROUTES = [
    (graph(), "mill", [
        ("intro-to-the-mill", "introduces mill"), ("deep-mill", "is about mill"), ("wheel", "goes deeper: wheel"),
        ("weir", "talks about mill"),
    ]),
    (graph(("intro-to-the-mill", "weir", "listen_first")), "mill", [
        ("weir", "listen to it before intro to the mill: for the test"), ("intro-to-the-mill", "introduces mill"),
        ("deep-mill", "is about mill"), ("wheel", "goes deeper: wheel"),
    ]),
    # a part named in a title is special even behind the name of the whole
    (net(("mill - wheel", ["mill", "wheel"], ""), ("the mill", ["mill"], ""), edges=[PART]), "mill",
     [("the-mill", "is about mill"), ("mill---wheel", "goes deeper: wheel")]),
    (net(("mill", ["mill"], "mill"), ("a", ["mill"], ""), ("b", ["mill"], ""), edges=[("b", "mill", "see_also")]), "mill",
     [("mill", "is about mill"), ("b", "refers to “mill”"), ("a", "talks about mill")]),
    (introductions([("wind", {}), ("mill", {"wind": 1})]), "wind",
     [("mill", "introduces mill, which wind is a part of"), ("wind", "is about wind")]),
    (graph(("deep-mill", "wheel", "listen_first")), "", [
        ("wheel", "listen to it before deep mill: for the test"), ("deep-mill", "introduces mill"),
        ("intro-to-the-mill", "goes on about mill, after “deep mill”"), ("weir", "talks about mill"),
    ]),
    (net(("mill", [], ""), ("oven", [], ""), edges=[("oven", "mill", "listen_first")]), "",
     [("mill", "listen to it before oven"), ("oven", "by its date")]),
    (introductions([("x", {"a": 0.5, "b": 1})]), "", [("x", "introduces x")]),
    (introductions([("dam", {"a": 0.5, "b": 1})]), "", [("dam", "introduces dam")]),
]  # fmt: skip


@pytest.mark.parametrize(("show", "topic", "order"), ROUTES)
def test_every_step_has_its_reason(show, topic, order):
    orders = Orders(view(show))
    assert reasons(orders.build_topic_order(f"topic:{topic}") if topic else orders.build_routes()) == order


@pytest.mark.parametrize(("weight", "topic"), [(0.5, "b"), (1.5, "a")])
def test_the_weightiest_topic_is_the_reason_and_no_weight_counts_as_one(weight, topic):
    show = net(("x", ["a", "b"], ""))
    show.edges[ident("x"), "topic:a", "about"]["weight"] = weight
    del show.edges[ident("x"), "topic:b", "about"]["weight"]
    assert Orders(view(show)).build_routes()[0].reason == f"talks about {topic}"


def test_a_show_with_areas_has_a_route_for_each():
    mill = graph(("deep-mill", "wheel", "listen_first"))
    for name, area in (("wheel", "sails"), ("deep-mill", "mill"), ("intro-to-the-mill", "sails"), ("weir", "mill")):
        mill.nodes[ident(name)].update(community=area, duration=600)
    steps = [(step.id.rpartition("/")[2], step.area) for step in Orders(view(mill)).build_routes()]
    assert steps == [("deep-mill", "mill"), ("weir", "mill"), ("intro-to-the-mill", "sails"), ("wheel", "sails")]


def test_posts_go_after_episodes_of_the_same_group():
    show = net(("mill", ["mill"], ""), ("weir", ["mill"], ""))
    for name, title, like in (("old", "A mill of old", "mill"), ("new", "News", "weir")):
        show.add_node(f"blog:{name}", kind="post", label=title, title=title, date="2001-01-01")
        show.add_edge(f"blog:{name}", "topic:mill", "about", **show.edges[ident(like), "topic:mill", "about"])
    assert names(Orders(view(show)).build_topic_order("topic:mill")) == ["mill", "blog:old", "weir", "blog:new"]


@pytest.mark.parametrize(
    ("notes", "sentence"),
    [*read_rows(__file__, "test_the_first_sentence_of_notes"), ("long " * 50, "long " * 39 + "…")],
)
def test_the_first_sentence_of_notes(notes, sentence):
    assert first_sentence(notes) == sentence


def chain(count):
    episodes = [(f"e{place}", [], "") for place in range(count)]
    edges = [(f"e{place}", f"e{place + 1}", "listen_first") for place in range(count - 1)]
    return Orders(view(net(*episodes, edges=edges)))


def test_a_long_chain_needs_no_recursion():
    assert len(chain(3000).build_episode_order(ident("e0"))) == 3000


def test_many_orders_have_the_nearest_prerequisites():
    orders = [names(chain(9).build_episode_order(ident(name), 3)) for name in ("e0", "e7", "e8")]
    assert orders == [["e3", "e2", "e1", "e0"], ["e8", "e7"], ["e8"]]
