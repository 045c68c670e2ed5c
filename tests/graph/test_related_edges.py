"""Related episodes: what ties a pair, that each tie is explained, that order and size do no harm."""

from itertools import permutations

import networkx
import pytest

from podgraph.extractors import Corpus, Episode, Feed, builtin_vocabulary, extract, parse_vocabulary
from podgraph.graph import build_graph, check, enrich_graph, find_related, related_edges, relatives_of
from podgraph.graph.content_words import words_of
from tests.graph.nets import ident, net, shuffled, view

EPISODES = (
    ("alpha one", ["alpha"], "Gears and sprockets of the mill"),
    ("alpha two", ["alpha", "beta"], "Gears again"),
    ("beta one", ["beta"], "Water over the weir"),
    ("lonely", ["omega"], "Nothing like the others"),
    ("Series - first", ["one"], "x"),
    ("Series - second", ["two"], "y"),
    ("gamma", ["gamma"], "z"),
    ("delta", ["delta"], "w"),
)


def ties(graph):
    return {(source, target): data for source, target, data in find_related(graph)}


def test_a_shared_topic_ties_and_is_the_reason():
    found = ties(net(*EPISODES))
    assert found[ident("alpha-one"), ident("alpha-two")]["reasons"] == ["both about alpha"]
    assert (ident("alpha-one"), ident("beta-one")) not in found


def test_what_shares_nothing_is_not_related():
    assert not [pair for pair in ties(net(*EPISODES)) if ident("lonely") in pair]


def test_a_series_ties():
    found = ties(net(*EPISODES))
    assert found[ident("series---first"), ident("series---second")]["reasons"] == ["both of the series “Series”"]


def test_what_one_says_of_the_other_ties_both():
    found = ties(net(*EPISODES, edges=[("gamma", "delta", "listen_first")]))
    for pair in ((ident("gamma"), ident("delta")), (ident("delta"), ident("gamma"))):
        assert found[pair]["reasons"] == ["“gamma” says: listen to “delta” first"]


def test_words_alone_are_no_reason():
    graph = net(("a", [], "gears sprockets weir"), ("b", [], "gears sprockets weir"), ("c", [], "other"))
    assert ties(graph) == {}


def test_both_cite_the_same():
    graph = net(("a", [], "x"), ("b", [], "y"), ("c", [], "z"))
    graph.add_node("github:o/r#1", kind="pull", label="o/r#1")
    for name in "ab":
        graph.add_edge(ident(name), "github:o/r#1", "cites", weight=1, reasons=["test"])
    assert ties(graph)[ident("a"), ident("b")]["reasons"] == ["both cite o/r#1"]


def test_at_most_five_and_the_strongest_first():
    graph = net(
        *((f"alpha {place}", ["alpha"], "same words here") for place in range(9)),
        *((f"x{place}", ["b"], "") for place in range(15)),
    )
    found = [target for source, target, _ in find_related(graph) if source == ident("alpha-3")]
    assert len(found) == 5
    weights = [data["weight"] for source, _, data in find_related(graph) if source == ident("alpha-3")]
    assert weights == sorted(weights, reverse=True)


def test_the_order_of_the_graph_does_not_matter():
    graph = net(*EPISODES, edges=[("gamma", "delta", "see_also")])
    assert list(find_related(graph)) == list(find_related(shuffled(graph)))


def test_relatives_read_the_saved_edges_both_ways():
    graph = net(("a", [], ""), ("b", [], ""), edges=[("a", "b", "related")])
    assert [one.id for one in relatives_of(ident("a"), view(graph))] == [ident("b")]
    assert [one.id for one in relatives_of(ident("b"), view(graph))] == [ident("a")]
    assert relatives_of(ident("b"), view(graph))[0].reasons == ("for the test",)


FEED = Feed(
    "s", "podcast", "podcast:p", "The PyTorch hour",
    (
        Episode("episode:p/1", "episode", "podcast:p", "vmap", "All of vmap in PyTorch, for a module. https://github.com/pytorch/pytorch/blob/main/torch/nn/modules/module.py https://github.com/pytorch/xla/pull/1"),
        Episode("episode:p/2", "episode", "podcast:p", "Batching", "vmap and batching"),
        Episode("episode:p/3", "episode", "podcast:p", "Untitled", ""),
        Episode("episode:p/4", "episode", "podcast:p", "Strides", "Strides."),
    ),
)  # fmt: skip


def enriched(feed):
    graph = build_graph([feed], extract([feed]))
    enrich_graph(graph, builtin_vocabulary())
    return graph


def test_an_enriched_graph_keeps_the_law():
    assert list(check(enriched(FEED))) == []


def test_topics_come_from_what_is_cited_with_the_reason():
    edge = enriched(FEED).edges["episode:p/1", "topic:nn-module", "about"]
    assert "evidence" not in edge
    assert edge["reasons"] == ["cites pytorch/pytorch:torch/nn/modules/module.py, its code"]


def test_the_name_of_the_subject_is_no_second_sign_of_a_topic():
    assert not enriched(FEED).has_edge("episode:p/1", "topic:xla", "about")


def test_an_episode_without_a_topic_is_about_the_subject_of_its_podcast():
    edge = enriched(FEED).edges["episode:p/3", "topic:pytorch", "about"]
    assert "no topic" in edge["reasons"][0]


def test_topics_have_area_count_and_place():
    graph = enriched(FEED)
    assert graph.nodes["topic:vmap"]["count"] == 2
    assert graph.nodes["topic:vmap"]["area"] == "functorch"
    assert graph.has_edge("topic:vmap", "topic:functorch", "subtopic_of")
    assert graph.nodes["topic:strides"]["area"] == "Tensors and their layout"


def test_the_title_weighs_most():
    graph = enriched(FEED)
    assert (
        graph.edges["episode:p/2", "topic:batching", "about"]["weight"]
        > graph.edges["episode:p/2", "topic:vmap", "about"]["weight"]
    )


def test_the_order_of_items_does_not_matter():
    turned = Feed(
        **{name: getattr(FEED, name) for name in ("source", "kind", "id", "title")}, episodes=FEED.episodes[::-1]
    )
    one, other = enriched(FEED), enriched(turned)
    assert dict(one.nodes(data=True)) == dict(other.nodes(data=True))
    assert {edge[:3]: edge[3] for edge in one.edges(keys=True, data=True)} == {
        edge[:3]: edge[3] for edge in other.edges(keys=True, data=True)
    }


def test_posts_are_related_to_episodes():
    podcast = Feed(
        "s",
        "podcast",
        "podcast:p",
        "PyTorch",
        (Episode("episode:p/1", "episode", "podcast:p", "History of the dispatcher"), FEED.episodes[3]),
    )
    blog = Feed(
        "b",
        "blog",
        "",
        "Blog",
        (
            Episode("blog:b.org/dispatcher", "blog", "", "The PyTorch dispatcher", url="https://b.org/dispatcher"),
            Episode("blog:b.org/x", "blog", "", "Cooking"),
        ),
    )
    graph = build_graph([podcast, blog], extract([podcast, blog]))
    enrich_graph(graph, builtin_vocabulary())
    assert graph.edges["episode:p/1", "blog:b.org/dispatcher", "related"]["reasons"] == ["both about Dispatcher"]
    assert "related" not in {relation for _, _, relation in graph.out_edges("blog:b.org/x", keys=True)}


def test_a_vocabulary_of_ones_own_serves_the_whole_line():
    vocabulary = parse_vocabulary('[[topic]]\nlabel = "Sourdough"\naliases = ["levain"]\n', source="b.toml")
    feed = Feed(
        "s",
        "podcast",
        "podcast:p",
        "Bread",
        (
            Episode("episode:p/1", "episode", "podcast:p", "Levain"),
            Episode("episode:p/2", "episode", "podcast:p", "Old sourdough"),
            Episode("episode:p/3", "episode", "podcast:p", "Rye"),
        ),
    )
    graph = build_graph([feed], extract([feed], vocabulary=vocabulary))
    enrich_graph(graph, vocabulary)
    assert graph.edges["episode:p/1", "episode:p/2", "related"]["reasons"] == ["both about Sourdough"]


def test_nothing_in_nothing_out():
    assert list(find_related(networkx.MultiDiGraph())) == []
    assert Corpus({}).vocabularies == {}


def test_whatever_the_size_of_a_block(monkeypatch):
    names = [f"talk {number}" for number in range(60)]
    episodes = (
        (name, [f"of {count} {at % count}" for count in (3, 5, 7, 11)], f"gear{at % 13} weir{at % 4}")
        for at, name in enumerate(names)
    )
    says = [(f"talk-{at}", f"talk-{(7 * at + 3) % 60}", "see_also") for at in range(0, 60, 4)]
    graph = net(*episodes, edges=says)
    expected = list(find_related(graph))
    assert len(expected) > 150
    for size in (1, 2, 3, 7, 50):
        monkeypatch.setattr(related_edges, "_BLOCK", size)
        assert list(find_related(graph)) == expected


def test_a_handle_on_a_network_is_no_reason():
    graph = net(("a", [], "x"), ("b", [], "y"), ("c", [], "z"))
    graph.add_node("web:x.com/annlee", kind="web", label="Ann Lee", url="https://x.com/annlee")
    for name in "ab":
        graph.add_edge(ident(name), "web:x.com/annlee", "cites", weight=1, reasons=["test"])
    assert ties(graph) == {}


DERIVED = [
    # of how many walks, of how many the topic that two share is said to be, whether the show's own words made it,
    # its weight, whether it ties
    (10, 8, True, 1, True),
    (10, 9, True, 1, False),  # more than eight
    (60, 9, True, 1, True),
    (60, 10, True, 1, False),  # and more than 15 of 100
    (60, 60, False, 3, True),
    (60, 2, False, 1, False),  # named in passing, which the words of a show are not
]


@pytest.mark.parametrize(("walks", "count", "derived", "weight", "tied"), DERIVED)
def test_a_topic_of_the_show_s_own_words_that_many_share_is_no_reason_alone(walks, count, derived, weight, tied):
    graph = net(*((f"walk {place}", ["woods"] if place < 2 else [], "") for place in range(walks)))
    graph.nodes["topic:woods"].update(derived=derived, count=count)
    for place in range(2):
        graph.edges[ident(f"walk-{place}"), "topic:woods", "about"]["weight"] = weight
    assert set(ties(graph)) == (set(permutations((ident("walk-0"), ident("walk-1")))) if tied else set())


def test_what_most_episodes_share_is_no_reason_beside_another():
    graph = net(*((f"walk {place}", ["woods"], "") for place in range(10)), edges=[("walk-0", "walk-1", "see_also")])
    graph.nodes["topic:woods"].update(derived=True, count=10)
    both = ["“walk 0” names “walk 1” in its notes"]
    assert {pair: data["reasons"] for pair, data in ties(graph).items()} == dict.fromkeys(
        permutations((ident("walk-0"), ident("walk-1"))), both
    )


def test_words_are_compared_in_the_language_of_the_show():
    assert list(words_of("Die Märkte und der Markt", "de")) == ["markt", "markt"]
    assert list(words_of("味噌の話と藍染", "ja")) == ["味噌", "話", "藍染"]
