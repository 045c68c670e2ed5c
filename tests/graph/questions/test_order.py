"""Listening orders: prerequisites, topics from introduction to depth, circles."""

import pytest

from podgraph.extractors import NotFoundError
from podgraph.graph import Orders, View, list_nodes, order_episodes, resolve_episode, resolve_reference, resolve_topic
from tests.graph.nets import ident, net, view


def graph(*edges):
    return net(
        ("deep mill", ["mill"], ""), ("intro to the mill", ["mill"], ""), ("weir", ["mill"], ""), ("wheel", ["wheel"], ""),
        edges=[*edges, ("topic:wheel", "topic:mill", "subtopic_of")],
    )  # fmt: skip


def names(order):
    return [step.id.rpartition("/")[2] for step in order]


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
    order = Orders(view(graph(*((*edge, "listen_first") for edge in edges)))).of_episode(ident("weir"))
    assert names(order) == expected
    assert all(step.reason for step in order)


def test_trailers_are_in_no_order_but_their_own():
    made = graph()
    made.nodes[ident("intro-to-the-mill")]["type"] = "trailer"
    shown = view(made)
    assert ident("intro-to-the-mill") not in {
        step.id for step in (*Orders(shown).of_all(), *order_episodes(shown, "mill"))
    }
    assert names(Orders(shown).of_episode(ident("weir"))) == ["deep-mill", "weir"]
    assert names(Orders(shown).of_episode(ident("intro-to-the-mill")))[-1] == "intro-to-the-mill"


@pytest.mark.parametrize(("about", "query", "expected"), [
    ("ab", "mill", "ab"),  # a topic of several goes before the episode called so
    ("a", "mill", "m"),
    ("", "mill", "m"),
])  # fmt: skip
def test_a_name_of_a_topic_and_an_episode(about, query, expected):
    made = net(*((name, ["mill"] if name in about else [], "") for name in "ab"), ("mill", [], ""))
    made.add_node("topic:mill", kind="topic", label="mill")
    assert "".join(row.id.rpartition("/")[2][0] for row in order_episodes(view(made), query)) == expected


@pytest.mark.parametrize(("weight", "topic"), [(0.5, "b"), (1.5, "a")])
def test_of_what_an_episode_talks_about_the_weightiest_is_told_none_counts_as_one(weight, topic):
    made = net(("x", ["a", "b"], ""))
    made.edges[ident("x"), "topic:a", "about"]["weight"] = weight
    del made.edges[ident("x"), "topic:b", "about"]["weight"]
    assert Orders(view(made)).of_all()[0].reason == f"talks about {topic}"


def test_what_is_about_a_topic_without_evidence_is_not_introduced():
    made = graph()
    del made.edges[ident("weir"), "topic:mill", "about"]["evidence"]
    assert names(Orders(view(made)).of_episode(ident("weir"))) == ["weir"]


# What is known of four episodes, as (number, date) or (number, date, season), and how they stand; None: not known.
SERIES = [
    ([(1, "2021-01-01T23:00Z"), (2, None), (3, "2021-03-01"), (4, None)], ["a", "b", "c", "d"]),
    ([(1, None), (2, None), (3, "2021-03-01"), (4, "2021-01-01")], ["d", "a", "b", "c"]),
    ([(None, "2021-05-01"), (2, None), (3, None), (1, "2021-06-01")], ["a", "d", "b", "c"]),
    ([(None, None), (2, None), (None, "2021-01-01"), (1, None)], ["c", "a", "d", "b"]),
    # of one day the number decides, then the time
    ([(2, "2021-01-01T01:00Z"), (1, "2021-01-01T05:00Z"), (None, "2021-01-02T05:00Z"), (None, "2021-01-02T01:00Z")],
     ["b", "a", "d", "c"]),
    # each season counts from one
    ([(1, "2021-01-01"), (2, None), (1, "2022-01-01", 2), (2, None, 2)], ["a", "b", "c", "d"]),
]  # fmt: skip


@pytest.mark.parametrize(("known", "expected"), SERIES)
def test_the_undated_stand_where_their_number_puts_them(known, expected):
    made = net(*((name, [], "") for name in "abcd"))
    for name, (number, date, *season) in zip("abcd", known, strict=True):
        node = made.nodes[ident(name)]
        del node["number"], node["date"]
        told = (("number", number), ("date", date), ("season", *(season or [None])))
        node.update({key: value for key, value in told if value is not None})
    assert names(Orders(view(made)).of_all()) == expected
    rows = list_nodes(view(made), "episodes").rows
    dated = [row.id.rpartition("/")[2] for row in rows if row.number]
    numbered = [name for name in expected if made.nodes[ident(name)].get("number")]
    assert dated == ([*reversed(numbered)])


def test_a_circle_is_cut():
    edges = [
        ("weir", "wheel", "listen_first"),
        ("wheel", "deep-mill", "listen_first"),
        ("deep-mill", "weir", "listen_first"),
    ]
    order = Orders(view(graph(*edges))).of_episode(ident("weir"))
    assert sorted(names(order)) == ["deep-mill", "intro-to-the-mill", "weir", "wheel"]


def test_a_topic_goes_from_introduction_to_depth():
    order = Orders(view(graph())).of_topic("topic:mill")
    assert names(order) == ["intro-to-the-mill", "deep-mill", "wheel", "weir"]
    assert [step.reason for step in order] == [
        "introduces mill",
        "is about mill",
        "goes deeper: wheel",
        "talks about mill",
    ]


# “wind” is a part of “mill”; each row: what there is, oldest first, with topics (times named) and what goes before the
# last of them.
INTRODUCED = [
    ("what it uses", [("mill", {}), ("dam", {"mill": 1})], ["mill"]),
    ("not what it names in a list of links", [("mill", {}), ("dam", {"mill": 0.5})], []),
    ("the whole of what it is named after", [("mill", {}), ("wind", {})], ["mill"]),
    ("the whole of what it names often", [("mill", {}), ("dam", {"wind": 2})], ["mill"]),
    ("not the whole of what it names once", [("mill", {}), ("dam", {"wind": 1})], []),
    ("another of the same name", [("the mill", {}), ("mill", {})], ["the-mill"]),
    ("the oldest first", [("sun", {}), ("mill", {}), ("dam", {"mill": 2, "sun": 1})], ["sun", "mill"]),
    ("three at most", [("sun", {}), ("sea", {}), ("ash", {}), ("oak", {}), ("dam", dict.fromkeys(("sun", "sea", "ash", "oak"), 1))],
     ["sea", "ash", "oak"]),
    # before the first of them
    ("a younger one introduces a whole", [("wind", {}), ("mill", {})], ["mill"], 0),
    ("or what is named often", [("dam", {"mill": 2}), ("mill", {})], ["mill"], 0),
    ("not what is named once", [("dam", {"mill": 1.5}), ("mill", {})], [], 0),
    ("nor a part of what it is named after", [("mill", {"wind": 3}), ("wind", {})], [], 0),
]  # fmt: skip


def introduced(episodes, edges=()):
    made = net(*((name, {name.removeprefix("the ")} | uses.keys(), "") for name, uses in episodes), edges=edges)
    made.add_node("topic:wind", kind="topic", label="wind")
    made.add_node("topic:mill", kind="topic", label="mill")
    made.add_edge("topic:wind", "topic:mill", "subtopic_of", weight=1, reasons=["for the test"])
    for name, uses in episodes:
        for topic, weight in uses.items():
            made.edges[ident(name.replace(" ", "-")), f"topic:{topic}", "about"]["weight"] = weight
    return made


@pytest.mark.parametrize("row", INTRODUCED, ids=[row[0] for row in INTRODUCED])
def test_what_introduces_it_goes_before(row):
    _, episodes, before, *place = row
    asked = episodes[place[0] if place else -1][0]
    assert names(Orders(view(introduced(episodes))).of_episode(ident(asked))) == [*before, asked]


def test_the_author_s_word_goes_before_an_introduction():
    episodes, edges = [("mill", {}), ("dam", {"mill": 2})], [("mill", "dam", "listen_first")]
    order = Orders(view(introduced(episodes, edges))).of_episode("episode:p/dam")
    assert names(order) == ["dam"]


REFERRED = [
    # episodes, oldest first; references of the last; those before it
    (["mill", "sun", "dam"], ["mill"], ["mill"]),
    (["a", "b", "c", "d", "dam"], ["a", "b", "c", "d"], ["b", "c", "d"]),
]


@pytest.mark.parametrize(("episodes", "referred", "before"), REFERRED)
def test_earlier_episodes_that_one_refers_to_go_before_it(episodes, referred, before):
    edges = [(episodes[-1], name, "see_also") for name in referred]
    made = introduced([(name, {}) for name in episodes], edges)
    steps = Orders(view(made)).of_episode(ident(episodes[-1]))
    assert [step.attributes["title"] for step in steps[:-1]] == before
    assert {step.reason for step in steps[:-1]} == {"“dam” refers to it"}
    assert names(Orders(view(made)).of_episode(ident(episodes[0]))) == [episodes[0]]  # which others refer to


def test_an_introduction_says_why():
    steps = Orders(view(introduced([("mill", {}), ("dam", {"mill": 1})]))).of_episode("episode:p/dam")
    assert [step.reason for step in steps] == ["introduces mill, which it builds on", "the episode you asked for"]
    (alone,) = Orders(view(introduced([("dam", {})]))).of_episode("episode:p/dam")
    assert alone.reason == "the episode you asked for; no prerequisites are known"


def test_a_part_named_in_a_title_is_special_even_behind_the_name_of_the_whole():
    made = net(
        ("mill - sails", ["mill", "sails"], ""),
        ("the mill", ["mill"], ""),
        edges=[("topic:sails", "topic:mill", "subtopic_of")],
    )
    order = Orders(view(made)).of_topic("topic:mill")
    assert names(order) == ["the-mill", "mill---sails"]
    assert order[1].reason == "goes deeper: sails"


def test_every_step_of_the_whole_has_its_reason():
    order = Orders(view(graph(("deep-mill", "wheel", "listen_first")))).of_all()
    assert [(step.id.rpartition("/")[2], step.reason) for step in order] == [
        ("wheel", "listen to it before deep mill: for the test"),
        ("deep-mill", "introduces mill"),
        ("intro-to-the-mill", "goes on about mill, after “deep mill”"),
        ("weir", "talks about mill"),
    ]


def test_prerequisites_go_before_the_introduction():
    order = Orders(view(graph(("intro-to-the-mill", "weir", "listen_first")))).of_topic("topic:mill")
    assert names(order)[:2] == ["weir", "intro-to-the-mill"]
    assert order[0].reason == "listen to it before intro to the mill: for the test"


def test_a_show_with_areas_has_a_route_for_each():
    made = graph(("deep-mill", "wheel", "listen_first"))
    for name, area in (("wheel", "sails"), ("deep-mill", "mill"), ("intro-to-the-mill", "sails"), ("weir", "mill")):
        made.nodes[ident(name)].update(community=area, duration=600)
    order = Orders(view(made)).of_all()
    assert [(step.id.rpartition("/")[2], step.area) for step in order] == [
        ("deep-mill", "mill"), ("weir", "mill"), ("intro-to-the-mill", "sails"), ("wheel", "sails"),
    ]  # fmt: skip


def test_an_episode_that_refers_to_one_named_after_the_topic_comes_before_the_others():
    made = net(("mill", ["mill"], "mill"), ("a", ["mill"], ""), ("b", ["mill"], ""), edges=[("b", "mill", "see_also")])
    order = Orders(view(made)).of_topic("topic:mill")
    assert [(step.id.rpartition("/")[2], step.reason) for step in order] == [
        ("mill", "is about mill"), ("b", "refers to “mill”"), ("a", "talks about mill"),
    ]  # fmt: skip


def test_the_first_of_a_whole_goes_before_what_is_named_after_the_part():
    made = introduced([("wind", {}), ("mill", {"wind": 1})])
    order = Orders(view(made)).of_topic("topic:wind")
    assert [(step.attributes["title"], step.reason) for step in order] == [
        ("mill", "introduces mill, which wind is a part of"), ("wind", "is about wind"),
    ]  # fmt: skip


def test_posts_go_after_episodes_of_the_same_group():
    made = net(("mill", ["mill"], ""), ("weir", ["mill"], ""))
    for name, title in (("old", "A mill of old"), ("new", "News")):
        made.add_node(f"blog:{name}", kind="post", label=title, title=title, date="2001-01-01")
        made.add_edge(
            f"blog:{name}",
            "topic:mill",
            "about",
            **made.edges[ident("mill" if name == "old" else "weir"), "topic:mill", "about"],
        )
    assert [step.id.rpartition("/")[2] for step in Orders(view(made)).of_topic("topic:mill")] == [
        "mill", "blog:old", "weir", "blog:new",
    ]  # fmt: skip


SENTENCES = {
    "Of mills. And more.": "Of mills.",
    "On v1.2 of it\nFurther reading.": "On v1.2 of it",
    "水車。次に。": "水車。",
    "": "",
    "long " * 50: "long " * 39 + "…",
}


@pytest.mark.parametrize("notes", SENTENCES)
def test_a_step_has_the_first_sentence_of_the_notes(notes):
    made = net(("mill", ["mill"], notes))
    (step,) = Orders(view(made)).of_topic("topic:mill")
    assert step.sentence == SENTENCES[notes]


def test_a_long_chain_needs_no_recursion():
    count = 3000
    episodes = [(f"e{place}", [], "") for place in range(count)]
    edges = [(f"e{place}", f"e{place + 1}", "listen_first") for place in range(count - 1)]
    assert len(Orders(view(net(*episodes, edges=edges))).of_episode(ident("e0"))) == count


def test_many_orders_have_the_nearest_prerequisites():
    episodes = [(f"e{place}", [], "") for place in range(9)]
    edges = [(f"e{place}", f"e{place + 1}", "listen_first") for place in range(8)]
    orders = Orders(view(net(*episodes, edges=edges)))
    assert [[step.id for step in orders.of_episode(ident(name), 3)] for name in ("e0", "e7", "e8")] == [
        [*map(ident, ("e3", "e2", "e1", "e0"))], [*map(ident, ("e8", "e7"))], [ident("e8")],
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "topic"), [
    ("autograd", "topic:autograd"),  # not the symbol torch.autograd
    ("Inductor", "topic:inductor"), ("topic:vmap", "topic:vmap"), ("CUDA  Graphs", "topic:cuda-graphs"),
    ("quantum", ""), ("symbol:torch.vmap", ""),
])  # fmt: skip
def test_topics_are_found_by_name(sample, name, topic):
    assert resolve_topic(name, View.from_networkx(sample)) == topic


def test_one_letter_of_a_name_means_no_episode(sample):
    assert resolve_episode("C++ frontend", View.from_networkx(sample)).endswith("/c-frontend")
    with pytest.raises(NotFoundError):
        resolve_episode("c!", View.from_networkx(sample))


@pytest.mark.parametrize(("text", "id_"), [
    ("pasta", "pasta"), ("c10/core/none.h", "github:pytorch/pytorch:c10/core/none.h"), ("#99", "github:pytorch/pytorch#99"), ("PR 1", "github:pytorch/pytorch#1"),
])  # fmt: skip
def test_a_bare_word_that_nothing_is_called_is_no_path(sample, text, id_):
    target = resolve_reference(text, View.from_networkx(sample))
    assert (target.id, target.nodes) == (id_, ())
