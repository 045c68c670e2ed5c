"""Links that a show repeats are marked, come last in answers, and relate nothing; others are not marked."""

import pytest

from podgraph.extractors import Episode, Feed, extract, parse_vocabulary
from podgraph.extractors.feeds.parse import parse_feed
from podgraph.graph import build_graph, collect_wording, count_graph, enrich_graph, find_citations
from tests.graph.nets import view

FOOTER = """
Our sponsor is the Oak Bank, which keeps your acorns safe: https://oak.example/pod?utm_source=acorn
Join our chat: https://discord.gg/acorn
Follow us
https://instagram.com/acornhour
"""
# Titles and subjects of twelve episodes.
BODIES = [
    "Squirrels and what they hid.", "A walk under the beeches.", "Owls at night.", "Why leaves turn red.", "A wren in a boot.",
    "Moss, and what lives in it.", "Foxes in the town.", "The oldest yew.", "Mushrooms of the autumn.", "Snow on the larches.",
    "Herons at the weir.", "Nightingales in May.",
]  # fmt: skip
# What else some episodes say, by their place: text -> target, and whether it is boilerplate there.
CASES = {
    "footer sponsor": ({}, "web:oak.example/pod", set(range(12))),
    "footer chat": ({}, "web:discord.gg/acorn", set(range(12))),
    "footer handle": ({}, "web:instagram.com/acornhour", set(range(12))),
    "a sponsor of five weeks among twelve": (
        dict.fromkeys(range(3, 8), "This month the show is made possible by Pine Tools, who make saws: https://pine.example/?utm_source=acorn"),
        "web:pine.example",
        {3, 4, 5, 6, 7},
    ),
    "a repository that a third is about": (
        {place: f"{what} https://github.com/wood/atlas" for place, what in enumerate(
            ["The atlas of trees began here:", "We count oaks with", "A bug in the map of yews:", "How to add a tree to"])},
        "github:wood/atlas",
        set(),
    ),
    "a source of a few": (
        {2: "The book of owls https://owls.example/book", 9: "Owls again, in https://owls.example/book"},
        "web:owls.example/book",
        set(),
    ),
    "the sponsor as a guest, who is marked by the address": (
        {5: "Today the keeper of the Oak Bank tells how acorns are counted, see https://oak.example/pod"},
        "web:oak.example/pod",
        set(range(12)),
    ),
    "the handle of one guest": ({4: "Our guest: https://instagram.com/wrenwatcher"}, "web:instagram.com/wrenwatcher", set()),
}  # fmt: skip


def show(more=(), *, footer=FOOTER, prefix="p"):
    more = dict(more)
    items = tuple(
        Episode(f"episode:{prefix}/{place}", "episode", f"podcast:{prefix}", body.split()[0].strip(","),
                f"{body}\n\n{more.get(place, '')}\n{footer}", number=place)
        for place, body in enumerate(BODIES)
    )  # fmt: skip
    return Feed("s", "podcast", f"podcast:{prefix}", "The acorn hour", items)


def built(*feeds, **more):
    return build_graph(feeds, extract(feeds), **more)


def boilerplate(graph, target):
    edges = graph.in_edges(target, keys=True, data=True)
    return {int(source.rpartition("/")[2]) for source, _, _, data in edges if data.get("boilerplate")}


@pytest.mark.parametrize("name", CASES)
def test_what_is_boilerplate(name):
    more, target, expected = CASES[name]
    graph = built(show(more))
    assert graph.has_node(target)
    assert boilerplate(graph, target) == expected


def test_it_ties_nothing_has_no_rank_and_is_counted_apart():
    feed = show(CASES["a repository that a third is about"][0])
    extractions = extract([feed])
    graph = build_graph([feed], extractions)
    edge = graph.edges["episode:p/3", "web:discord.gg/acorn", "cites"]
    assert edge["reasons"] == ["boilerplate: cited by 12 of 12 episodes"]
    vocabulary = parse_vocabulary('[[topic]]\nlabel = "Hedgehogs"\n', source="test")
    enrich_graph(graph, vocabulary, wording=collect_wording(extractions))
    assert "rank" not in graph.nodes["web:discord.gg/acorn"]
    related = [str(data) for *_, key, data in graph.edges(keys=True, data=True) if key == "related"]
    assert related
    assert not any("acorn" in data or "discord" in data for data in related)
    rows = [*count_graph(view(graph))]
    assert [row.id for row in rows if row.group == "most cited"] == ["github:wood/atlas"]
    marked = [(row.id, row["count"], row.reasons) for row in rows if row.group == "boilerplate"]
    assert ("web:discord.gg/acorn", 12, ["cited by 12 of 12 episodes"]) in marked


def test_cites_answers_with_it_last_and_marked():
    other = show({3: "All about Acorn, the chat: https://discord.gg/acorn"}, footer="", prefix="q")
    answer = find_citations(view(built(show(), other)), ["https://discord.gg/acorn"])
    assert len(answer) == 13
    assert (answer[0].id, answer[0].boilerplate) == ("episode:q/3", None)
    assert all(row.boilerplate for row in answer[1:])


def test_hosts_are_at_home():
    xml = "".join(
        f"<item><title>{body}</title><guid>{n}</guid><description>{body} Ann Lee (@annlee) tells. "
        f"https://github.com/annlee</description></item>"
        for n, body in enumerate(BODIES)
    )
    text = f"<rss version='2.0'><channel><title>Acorns</title>{xml}</channel></rss>"
    graph = built(parse_feed(text.encode(), source="s", as_kind="episodes"))
    marked = [data for _, _, data in graph.in_edges("person:annlee", data=True)]
    assert len(marked) == 12
    assert all(data["boilerplate"] for data in marked)
