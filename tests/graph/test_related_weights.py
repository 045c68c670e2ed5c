"""How much each tie weighs between two of some episodes, and what is too thin to be of use."""

import math

import pytest

from podgraph.extractors import Aside
from podgraph.graph import find_related, related_edges
from tests.graph.nets import ident, net

NAMES = ("ox", "bee", "cat", "dog", "elk")
PULL, OTHER = "github:o/r#1", "github:o/r#2"


def graph_of(total, edges=(), notes=(), names=NAMES):
    """Return a graph of ``total`` episodes.

    ``edges`` are (episode, target, relation), and attributes if they are not the usual ones: targets are called
    topic:…, symbol:… or github:…; what is about a topic has it as its subject, and if the name ends in ~ in passing.
    ``notes`` belong to the first two.
    """
    graph = net(*((name, [], text) for name, text in zip(names[:total], [*notes, *[""] * total], strict=False)))
    for episode, target, relation, *attributes in edges:
        kind = target.partition(":")[0].replace("github", "pull")
        if kind != "episode":
            graph.add_node(target, kind=kind, label=target.partition(":")[2].rstrip("~"))
        weight = 3 if relation == "about" and target[-1] != "~" else 1
        graph.add_edge(ident(episode), ident(target), relation, **(attributes[0] if attributes else weighing(weight)))
    return graph


def tie(graph, names=NAMES, **how):
    """Return weight and reasons of what ties the first two episodes; nothing where nothing does."""
    pair = tuple(ident(slug(name)) for name in names[:2])
    found = [data for source, target, data in find_related(graph, **how) if (source, target) == pair]
    return (found[0]["weight"], found[0]["reasons"]) if found else None


def weighing(weight, **more):
    return {"weight": weight, "reasons": ["for the test"], **more}


def said(minutes=1):
    """Return the attributes of an edge that only a transcript says, in so many minutes; 0 where none is known."""
    return {"weight": 1, "evidence": [{"method": "transcript", "moments": [*range(minutes)]}]}


def slug(name):
    return name.replace(" ", "-")


def both(relation, *targets, **attributes):
    return [(name, target, relation, *([attributes] if attributes else [])) for target in targets for name in NAMES[:2]]


def about(ox, bee):
    """Return edges to one topic, which weighs so much in the one and in the other."""
    return [("ox", "topic:t", "about", weighing(ox)), ("bee", "topic:t", "about", weighing(bee))]


def share(total, more):
    """Return the cosine of two that share a thing of which one has ``more`` things beside it that are its own."""
    shared, own = math.log((total + 1) / 2), math.log(total + 1)
    return shared / math.hypot(shared, *[own] * more)


OWN = [("ox", "symbol:own", "mentions")]
FOUR = ("s", "t", "u", "v")
FIVE_MINUTES = 1 + math.log(5)
TIES = [
    # of how many episodes, what ties the first two, its weight, the reason
    (3, both("mentions", "symbol:s"), 0.3, "both name s"),
    (3, both("cites", PULL), 0.3, "both cite o/r#1"),
    (3, both("cites", PULL) + both("mentions", "symbol:s"), 0.6, "both cite o/r#1"),
    # Who is named is not cited, nor is what one only names.
    (3, both("mentions", "person:ann"), 0.3, "both name ann"),
    (3, both("mentions", "person:ann") + both("mentions", "symbol:s"), 0.6, "both name ann and s"),
    (3, [("ox", "person:ann", "cites"), ("bee", "person:ann", "mentions")], 0.3, "both name ann"),
    (3, [("ox", "episode:p/bee", "listen_first")], 0.5, "“ox” says: listen to “bee” first"),
    (3, [("bee", "episode:p/ox", "see_also")], 0.5, "“bee” names “ox” in its notes"),
    (3, [("ox", "episode:p/bee", "listen_first"), ("bee", "episode:p/ox", "see_also")], 1.0, "“ox” says: listen to “bee” first"),
    # To cite an episode's page is to name it.
    (3, [("ox", "episode:p/bee", "cites")], 0.5, "“ox” names “bee” in its notes"),
    # A topic is worth half of its weight where nothing more is said, as each is taken to leave as much unsaid.
    (3, both("about", "topic:t"), 0.5, "both about t"),
    (3, [*both("about", "topic:t"), ("ox", "topic:own", "about")], 0.1768, "both about t"),
    # One that both name in passing is no reason, but several are, and one beside a symbol.
    (3, both("about", "topic:t~"), None, None),
    (3, both("about", "topic:t~", "topic:u~"), 0.5, "both about t and u"),
    (3, both("about", "topic:t~") + both("mentions", "symbol:s"), 0.8, "both about t"),
    # What only one has makes the tie thinner; below 0.14 it is none.
    (4, both("mentions", "symbol:s") + OWN, round(0.3 * share(4, 1), 4), "both name s"),
    (3, both("mentions", "symbol:s") + OWN, None, None),
    # So many are named in a reason, what is rarest first.
    (3, both("mentions", *(f"symbol:{name}" for name in FOUR)), 0.3, "both name s, t and u"),
    (3, both("cites", PULL, OTHER, "github:o/r#3"), 0.3, "both cite o/r#1 and o/r#2"),
    (3, both("about", *(f"topic:{name}" for name in FOUR)), 0.5, "both about s, t and u"),
    (3, [*both("mentions", "symbol:a", "symbol:z"), ("cat", "symbol:a", "mentions")], 0.3, "both name z and a"),
    # A page is a source; a repository is none, as so much is in it; nor is boilerplate, whatever comes after it.
    (3, both("cites", "web:oak.example"), 0.3, "both cite oak.example"),
    (3, both("cites", "repo:o/r"), None, None),
    (3, both("cites", "web:oak.example", **weighing(1, boilerplate=True)) + both("cites", PULL), 0.3, "both cite o/r#1"),
    # A topic weighs by the root of its weight, and as much as all leave unsaid on average; one is its subject from 2 on.
    (3, about(4, 1), round(2 / math.sqrt((4 + 2.5) * (1 + 2.5)), 4), "both about t"),
    (3, about(2, 1), round(math.sqrt(2 / (2 + 1.5) / (1 + 1.5)), 4), "both about t"),
    (3, about(1.9, 1.9), None, None),
    # What is only said weighs two thirds of 0.3 where two of three have a transcript, by the logarithm of its minutes.
    (3, both("about", "topic:t", **said()), 0.2, "both speak of t"),
    (3, both("about", *(f"topic:{name}" for name in FOUR), **said()), 0.2, "both speak of s, t and u"),
    (3, [*both("about", "topic:u", **said(0)), ("ox", "topic:t", "about", said(5)), ("bee", "topic:t", "about", said())],
     round(0.2 * (1 + FIVE_MINUTES) / math.hypot(1, FIVE_MINUTES) / math.sqrt(2), 4), "both speak of t and u"),
    # Of what is said, topics are a reason, and what is written goes on to be one.
    (3, both("mentions", "symbol:s", **said()), None, None),
    (3, both("about", "topic:t", **said()) + both("cites", PULL), 0.5, "both cite o/r#1"),
]  # fmt: skip


@pytest.mark.parametrize(("total", "edges", "weight", "reason"), TIES, ids=range(len(TIES)))
def test_what_a_tie_weighs(total, edges, weight, reason):
    found = tie(graph_of(total, edges))
    assert (found and (found[0], found[1][0])) == (weight and (weight, reason))


# Of three episodes: the rarity of what two of them hold, and of what one holds; in the title a word counts as two.
SHARED, OWN_TITLE = math.log(2), (1 + math.log(2)) * math.log(4)


def cosine(one, other):
    """Return the cosine of two that share a word of these weights, and have a title word each that is their own."""
    product = one * SHARED * other * SHARED
    return product / math.hypot(one * SHARED, OWN_TITLE) / math.hypot(other * SHARED, OWN_TITLE)


TWICE, FIVE_TIMES = 1 + math.log(2), 1 + math.log(5)
WORDS = [
    # titles, notes of the first two, how alike their words are
    (NAMES, ("gears", "gears"), cosine(1, 1)),
    (NAMES, ("gears gears", "gears"), cosine(TWICE, 1)),
    (NAMES, ("gears " * 5, "gears"), cosine(FIVE_TIMES, 1)),
    (("gears ox", "bee", "cat"), ("", "gears"), cosine(TWICE, 1)),
    (("gears ox", "gears bee", "cat"), ("", ""), cosine(TWICE, TWICE)),
    (NAMES, ("the gears of it", "gears https://gears.example/mill"), cosine(1, 1)),
    (NAMES, ("gears", "sprockets"), 0),
]


@pytest.mark.parametrize(("names", "notes", "alike"), WORDS, ids=range(len(WORDS)))
def test_words_weigh_eight_tenths_of_how_alike_they_are(names, notes, alike):
    symbol = [(slug(name), "symbol:s", "mentions") for name in names[:2]]
    weight, _ = tie(graph_of(3, symbol, notes, names), names)
    assert weight == pytest.approx(0.3 + 0.8 * alike, abs=0.00006)


SYMBOL = both("mentions", "symbol:s")


def test_words_that_a_feed_repeats_do_not_count():
    notes = ("gears lantern weir",) * 2
    asides = {ident(name): [Aside(6, 13, "repeated", 3, prose=True)] for name in NAMES[:2]}
    assert tie(graph_of(3, SYMBOL, notes), asides=asides) == tie(graph_of(3, SYMBOL, ("gears weir",) * 2))
    assert tie(graph_of(3, SYMBOL, notes)) > tie(graph_of(3, SYMBOL, notes), asides=asides)


@pytest.mark.parametrize(("code", "alike"), [("de", cosine(1, 1)), ("en", 0)])
def test_words_are_those_of_the_language_of_the_show(code, alike):
    graph = graph_of(3, SYMBOL, ("Märkte", "Markt"))
    graph.nodes["podcast:p"]["language"] = code
    assert tie(graph)[0] == pytest.approx(0.3 + 0.8 * alike, abs=0.00006)


@pytest.mark.parametrize(("transcripts", "weight"), [
    # of the first, the second, the third; words weigh 0.3 times the share of the texts that say what another says too
    (("", "", ""), 0.3),
    (("gears", "gears", ""), 0.5),
    (("gears", "gears", "wool"), 0.5),
    (("gears", "gears", "gears"), 0.6),
    (("gears", "wool", ""), 0.3),
])  # fmt: skip
def test_words_of_transcripts_weigh_less(transcripts, weight):
    texts = dict(zip(map(ident, NAMES), transcripts, strict=False))
    assert tie(graph_of(3, SYMBOL), said=texts) == (weight, ["both name s"])


def test_in_a_small_show_with_topics_of_its_own_words_thinner_ties_are_of_use():
    graph = graph_of(3, [*SYMBOL, *OWN, ("cat", "topic:t", "about")])
    assert tie(graph) is None
    graph.nodes["topic:t"]["derived"] = True
    assert tie(graph) == (round(0.3 * share(3, 1), 4), ["both name s"])


SYMBOLS = [("ox", "symbol:s", "mentions"), ("cat", "symbol:s", "mentions")]
OF_CAT = [("cat", "symbol:own", "mentions")]


@pytest.mark.parametrize(("edges", "likeliest"), [
    # beside a symbol that the first shares with the third, its topics and those of the second; who goes first
    (about(9, 2), "bee"),
    ([*about(4, 4), ("bee", "topic:own", "about", weighing(9)), *OF_CAT], "cat"),
    ([*about(2, 4), ("bee", "topic:own", "about", weighing(1)), ("bee", "topic:more", "about", weighing(4)), *OF_CAT],
     "bee"),
])  # fmt: skip
def test_the_likeliest_are_looked_at_first(edges, likeliest, monkeypatch):
    """They are those whose scalar product is greatest, over what both hold, each family by its weight."""
    monkeypatch.setattr(related_edges, "_RESCORED", 1)
    found = [target for source, target, _ in find_related(graph_of(5, [*SYMBOLS, *edges])) if source == ident("ox")]
    assert found == [ident(likeliest)]
