"""Listening orders: prerequisites, topics from introduction to depth, circles."""

import pytest

from podgraph.extractors import NotFoundError
from podgraph.graph import (
    Adjacency,
    list_nodes,
    order_all,
    order_episode,
    order_topic,
    resolve_episode,
    resolve_reference,
    resolve_topic,
)
from tests.graph.nets import ident, net, view


def graph(*edges):
    return net(
        ("deep mill", ["mill"], ""), ("intro to the mill", ["mill"], ""), ("weir", ["mill"], ""), ("wheel", ["wheel"], ""),
        edges=[*edges, ("topic:wheel", "topic:mill", "subtopic_of")],
    )  # fmt: skip


def names(order):
    return [step.id.rpartition("/")[2] for step in order.steps]


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ([], ["intro-to-the-mill", "weir"]),
        ([("weir", "wheel")], ["intro-to-the-mill", "wheel", "weir"]),
        ([("weir", "wheel"), ("wheel", "deep-mill")], ["intro-to-the-mill", "deep-mill", "wheel", "weir"]),
        ([("weir", "wheel"), ("weir", "deep-mill")], ["intro-to-the-mill", "deep-mill", "wheel", "weir"]),
        ([("wheel", "weir")], ["intro-to-the-mill", "weir"]),
    ],
)
def test_prerequisites_come_first(edges, expected):
    order = order_episode(ident("weir"), view(graph(*((*edge, "listen_first") for edge in edges))))
    assert names(order) == expected
    assert order.circles == ()
    assert all(step.reason for step in order.steps)


# What is known of four episodes, as (number, date), and how they stand; None: not known.
SERIES = [
    ([(1, "2021-01-01T23:00Z"), (2, None), (3, "2021-03-01"), (4, None)], ["a", "b", "c", "d"]),
    ([(1, None), (2, None), (3, "2021-03-01"), (4, "2021-01-01")], ["d", "a", "b", "c"]),
    ([(None, "2021-05-01"), (2, None), (3, None), (1, "2021-06-01")], ["a", "d", "b", "c"]),
    ([(None, None), (2, None), (None, "2021-01-01"), (1, None)], ["c", "a", "d", "b"]),
]


@pytest.mark.parametrize(("known", "expected"), SERIES)
def test_the_undated_stand_where_their_number_puts_them(known, expected):
    made = net(*((name, [], "") for name in "abcd"))
    for name, (number, date) in zip("abcd", known, strict=True):
        node = made.nodes[ident(name)]
        del node["number"], node["date"]
        node.update({key: value for key, value in (("number", number), ("date", date)) if value is not None})
    assert names(order_all(view(made))) == expected
    rows = list_nodes("episodes", view(made)).rows
    dated = [row.id.rpartition("/")[2] for row in rows if row.attributes.get("number")]
    numbered = [name for name in expected if made.nodes[ident(name)].get("number")]
    assert dated == ([*reversed(numbered)])


def test_a_circle_is_reported_and_cut():
    edges = [
        ("weir", "wheel", "listen_first"),
        ("wheel", "deep-mill", "listen_first"),
        ("deep-mill", "weir", "listen_first"),
    ]
    order = order_episode(ident("weir"), view(graph(*edges)))
    assert sorted(names(order)) == ["deep-mill", "intro-to-the-mill", "weir", "wheel"]
    assert order.circles == ((ident("deep-mill"), ident("weir"), ident("wheel")),)


def test_a_topic_goes_from_introduction_to_depth():
    order = order_topic("topic:mill", view(graph()))
    assert names(order) == ["intro-to-the-mill", "deep-mill", "wheel", "weir"]
    assert [step.reason for step in order.steps] == [
        "introduces mill",
        "is about mill",
        "goes deeper: wheel",
        "talks about mill",
    ]


def test_what_introduces_a_topic_goes_before_what_uses_it_and_does_not_need_it_itself():
    order = order_episode(ident("weir"), view(graph(("intro-to-the-mill", "weir", "listen_first"))))
    assert [(step.id, step.reason) for step in order.steps] == [
        (ident("intro-to-the-mill"), "introduces mill, which “weir” builds on"),
        (ident("weir"), "the episode you asked for"),
    ]
    assert order.circles == ()


def test_a_part_named_in_a_title_is_special_even_behind_the_name_of_the_whole():
    made = net(
        ("mill - sails", ["mill", "sails"], ""),
        ("the mill", ["mill"], ""),
        edges=[("topic:sails", "topic:mill", "subtopic_of")],
    )
    assert names(order_topic("topic:mill", view(made))) == ["the-mill", "mill---sails"]


def test_every_step_of_the_whole_has_its_reason():
    order = order_all(view(graph(("deep-mill", "wheel", "listen_first"))))
    assert [(step.id.rpartition("/")[2], step.reason) for step in order.steps] == [
        ("wheel", "to be heard before deep mill: for the test"),
        ("deep-mill", "introduces mill"),
        ("intro-to-the-mill", "goes on about mill, after “deep mill”"),
        ("weir", "talks about mill"),
    ]


def test_prerequisites_go_before_the_introduction():
    order = order_topic("topic:mill", view(graph(("intro-to-the-mill", "weir", "listen_first"))))
    assert names(order)[:2] == ["weir", "intro-to-the-mill"]
    assert order.steps[0].reason == "to be heard before intro to the mill: for the test"


def test_everything_in_order_of_date():
    order = order_all(view(graph(("deep-mill", "wheel", "listen_first"))))
    assert names(order) == ["wheel", "deep-mill", "intro-to-the-mill", "weir"]


def test_a_long_chain_needs_no_recursion():
    count = 3000
    episodes = [(f"e{place}", [], "") for place in range(count)]
    edges = [(f"e{place}", f"e{place + 1}", "listen_first") for place in range(count - 1)]
    assert len(order_episode(ident("e0"), view(net(*episodes, edges=edges))).steps) == count


@pytest.mark.parametrize(("name", "topic"), [
    ("autograd", "topic:autograd"),  # not the symbol torch.autograd
    ("Inductor", "topic:inductor"), ("topic:vmap", "topic:vmap"), ("CUDA  Graphs", "topic:cuda-graphs"),
    ("quantum", ""), ("symbol:torch.vmap", ""),
])  # fmt: skip
def test_topics_are_found_by_name(sample, name, topic):
    assert resolve_topic(name, Adjacency.of_graph(sample)) == topic


def test_titles_on_a_subtopic_come_before_mere_mentions(sample):
    steps = [step.id.rpartition("/")[2] for step in order_topic("topic:autograd", Adjacency.of_graph(sample)).steps]
    assert steps.index("why-is-autograd-so-complicated") == 0
    assert steps.index("double-backwards") < steps.index("functionalization")


def test_one_letter_of_a_name_means_no_episode(sample):
    assert resolve_episode("C++ frontend", Adjacency.of_graph(sample)).endswith("/c-frontend")
    with pytest.raises(NotFoundError):
        resolve_episode("c!", Adjacency.of_graph(sample))


@pytest.mark.parametrize(("text", "id_"), [
    ("pasta", "pasta"), ("c10/core/none.h", "github:pytorch/pytorch:c10/core/none.h"), ("#99", "github:pytorch/pytorch#99"), ("PR 1", "github:pytorch/pytorch#1"),
])  # fmt: skip
def test_a_bare_word_that_nothing_is_called_is_no_path(sample, text, id_):
    target = resolve_reference(text, Adjacency.of_graph(sample))
    assert (target.id, target.nodes) == (id_, ())
