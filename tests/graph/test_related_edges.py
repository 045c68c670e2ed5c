"""Related episodes: what ties a pair, that each tie is explained, that order and size do no harm."""

from collections import Counter

import networkx
import pytest

from podgraph.extractors import Episode, Feed, builtin_vocabulary, extract
from podgraph.graph import Wording, build_graph, check, collect_wording, enrich_graph, find_related, related_edges
from tests.graph.nets import ident, net, shuffled

CROWD = 20  # episodes that have nothing to do with it, so that what two share is rare


def graph_of(episodes, edges=(), attributes=(), crowd=CROWD):
    """Return a graph of some episodes and a crowd.

    ``episodes`` maps names to notes. ``edges`` are (episode, target, relation), for ``about`` with a weight, 3 in titles;
    ``attributes`` are (node, name, value).
    """
    graph = net(
        *((name, [], notes) for name, notes in episodes.items()), *((f"zebu {at}", [], "") for at in range(crowd))
    )
    for episode, target, relation, *weight in edges:
        kind, _, label = target.partition(":")
        if kind != "episode":
            graph.add_node(target, kind={"github": "pull"}.get(kind, kind), label=label)
        source = episode if ":" in episode else ident(episode)
        evidence = [{"field": "title" if 3 in weight else "notes"}]
        graph.add_edge(source, target, relation, weight=weight[0] if weight else 1, evidence=evidence)
    for node, name, value in attributes:
        graph.nodes[node][name] = value
    return graph


def wording(graph):
    """Return the words of title and notes. The spelling of one differs from its stem."""
    texts = {node: f"{data.get('title', '')} {data.get('summary', '')}" for node, data in graph.nodes(data=True)}
    counts = {node: Counter(text.lower().split()) for node, text in texts.items()}
    return Wording(counts, {word: word for of_text in counts.values() for word in of_text} | {"owl": "Owl"})


def ties(graph):
    return {(source, target): data for source, target, data in find_related(graph, wording(graph))}


def tie(graph, one="ox", other="bee"):
    """Return level and reasons of a pair, nothing if it is not related."""
    edge = ties(graph).get((ident(one), ident(other)))
    return edge and (edge["level"], *edge["reasons"])


def both(relation, *targets, weight=3):
    return [(name, target, relation, weight) for target in targets for name in ("ox", "bee")]


PAIR = {"ox": "", "bee": ""}
ALIKE = {"ox": "kiln needs glaze", "bee": "glaze kiln"}
OWL = {"ox": "some owl nest box", "bee": "nest box any owl"}
PART = [("topic:flour", "topic:food", "subtopic_of"), ("topic:honey", "topic:food", "subtopic_of")]
MILLS = [("ox", "topic:flour", "about", 3), ("bee", "topic:honey", "about", 3)]
TIES = [
    # episodes, edges, attributes, what ties the first two
    (PAIR, [], [], None),
    # One refers to the other.
    (PAIR, [("ox", "episode:p/bee", "listen_first")], [], ("strong", "“ox” says: listen to “bee” first")),
    (ALIKE, [("bee", "episode:p/ox", "see_also")], [], ("strong", "“bee” refers to “ox”")),
    (PAIR, [("ox", "episode:p/bee", "cites")], [], ("similar", "“ox” refers to “bee”")),  # an aside
    (ALIKE, [("ox", f"episode:p/{name}", "cites") for name in ("bee", *(f"zebu-{at}" for at in range(5)))], [],
     ("similar", "“ox” refers to “bee”")),
    # A topic of few episodes is strong in both titles, the rarest first.
    (PAIR, both("about", "topic:flour"), [], ("strong", "both about flour")),
    (PAIR, both("about", "topic:flour", weight=1.5), [], ("similar", "both about flour")),
    (PAIR, both("about", *(f"topic:{name}" for name in "stuv")), [], ("strong", "both about s, t and u")),
    (PAIR, [*both("about", "topic:a", "topic:z"), ("zebu-9", "topic:a", "about")], [], ("strong", "both about z and a")),
    # Topics that are parts of one whole, but not of an area alone.
    (PAIR, MILLS + PART, [], ("similar", "both about food or parts of it")),
    (PAIR, MILLS, [("topic:flour", "area", "Food"), ("topic:honey", "area", "Food")], None),
    # Artifacts are strong with similar words; the rarest first, and before a topic of more episodes.
    (PAIR, both("cites", "github:o/r#1"), [], ("similar", "both cite o/r#1")),
    (ALIKE, both("cites", "github:o/r#1"), [], ("strong", "both cite o/r#1")),
    (ALIKE, both("cites", *(f"web:{at}" for at in range(6))), [], ("similar", "both cite 0 and 1")),  # a common list
    (ALIKE, [*both("cites", "web:0"), *(("ox", f"web:{at}", "cites") for at in range(41))], [], ("similar", "both cite 0")),
    (ALIKE, [("ox", "symbol:vmap", "cites"), ("bee", "symbol:vmap", "mentions")], [], ("strong", "both name vmap")),
    (ALIKE, [*both("mentions", "symbol:a", "symbol:z"), ("zebu-9", "symbol:a", "mentions")], [], ("strong", "both name z and a")),
    (ALIKE, [*both("mentions", "symbol:z"), *both("about", "topic:a"), ("zebu-9", "topic:a", "about")], [],
     ("strong", "both name z", "both about a")),
    (PAIR, [*both("cites", "web:a"), *((f"zebu-{at}", "web:a", "cites") for at in (9, 19))], [], None),  # too many
    # No reason is a repository, a handle, a presenter, the name of the show, its code, a first name, a sponsor.
    (PAIR, both("cites", "repo:o/r"), [], None),
    (ALIKE, both("cites", "web:x.com/annlee"), [("web:x.com/annlee", "url", "https://x.com/annlee")], ("similar", "similar words: glaze, kiln")),
    (PAIR, both("about", "topic:@annlee"), [], None),
    (PAIR, both("about", "topic:Ann"), [("podcast:p", "author", "Ann Lee")], None),
    (PAIR, both("about", "topic:Mill Talk"), [("podcast:p", "title", "Mill Talk")], None),
    (PAIR, both("about", "topic:MT25"), [("podcast:p", "title", "Mill Talk")], None),
    (PAIR, [*both("about", "topic:Ana"), ("zebu-1", "person:Ána Hill", "mentions")], [], None),
    (PAIR, [*both("about", "topic:flour", weight=1), ("zebu-1", "topic:flour", "about")], [], None),
    # Words alone: the rarest first, in their spelling; not those of names.
    (OWL, [], [], ("similar", "similar words: box, nest, Owl")),
    (OWL, [], [("podcast:p", "title", "Owl and Box")], ("similar", "similar words: nest")),
    (OWL, [], [(ident("ox"), "type", "trailer")], None),
    (OWL, [("zebu-1", "person:Nest Hill", "mentions")], [], ("similar", "similar words: box, Owl")),
]  # fmt: skip


@pytest.mark.parametrize(("episodes", "edges", "attributes", "reasons"), TIES, ids=range(len(TIES)))
def test_level_and_reasons(episodes, edges, attributes, reasons):
    graph = graph_of(episodes, edges, attributes)
    assert tie(graph) == tie(graph, "bee", "ox") == reasons
    assert list(find_related(graph, wording(graph))) == list(find_related(shuffled(graph), wording(graph)))


# Of 100 episodes: a topic of fewer than a twentieth makes a pair strong; one of more than a third is no reason.
@pytest.mark.parametrize(("holders", "level"), [(4, "strong"), (5, "similar"), (33, "similar"), (34, None)])
def test_a_topic_of_many_ties_little(holders, level):
    others = [(f"zebu-{97 - 2 * at}", "topic:flour", "about") for at in range(holders - 2)]
    assert tie(graph_of(PAIR, both("about", "topic:flour") + others, crowd=98)) == (
        level and (level, "both about flour")
    )


def test_texts_of_one_year_count_more_where_the_show_moves_on():
    """Of two episodes that are equally alike, the one of the same year weighs more."""
    graph = net(*((f"e{at}", [], f"y{at // 4} own{at}" + " weir" * (at in (0, 1, 39))) for at in range(40)))
    for at in range(40):
        graph.nodes[ident(f"e{at}")]["date"] = f"20{10 + at // 4}-05-0{1 + at % 4}"
    assert ties(graph)[ident("e0"), ident("e1")]["weight"] > 2 * ties(graph)[ident("e39"), ident("e1")]["weight"]


def test_at_most_five_and_the_strongest_first():
    graph = graph_of({f"e{at}": f"mill {'weir ' * at}" for at in range(9)})
    weights = [data["weight"] for source, _, data in find_related(graph, wording(graph)) if source == ident("e3")]
    assert len(weights) == 5
    assert weights == sorted(weights, reverse=True)


def test_what_very_many_have_in_common_leads_to_those_that_have_it_most(monkeypatch):
    monkeypatch.setattr(related_edges, "_MAXIMUM_HOLDERS", 3)
    graph = graph_of({f"e{at}": "glaze " * (at + 1) for at in range(9)})
    assert {target for _, target in ties(graph)} == {ident("e6"), ident("e7"), ident("e8")}


MODULE = "https://github.com/pytorch/pytorch/blob/main/torch/nn/modules/module.py"
ITEMS = {
    "vmap": "All of vmap in PyTorch.",
    "Batching": "vmap and batching",
    "Untitled": "",
    "Dispatcher": "",
    "T": MODULE,
}
EPISODES = tuple(Episode(ident(name), "episode", "podcast:p", name, notes) for name, notes in ITEMS.items())
POST = Episode("blog:b.org/post", "blog", "", "The PyTorch dispatcher", url="https://b.org/post")


def enriched(episodes=EPISODES):
    feeds = [Feed("s", "podcast", "podcast:p", "The PyTorch hour", episodes), Feed("b", "blog", "", "Blog", (POST,))]
    extractions = extract(feeds)
    graph = build_graph(feeds, extractions)
    enrich_graph(graph, builtin_vocabulary(), wording=collect_wording(extractions))
    return graph


def test_an_enriched_graph_is_whole_and_the_same_in_any_order():
    graph, other = enriched(), enriched(EPISODES[::-1])
    assert list(check(graph)) == []
    assert networkx.utils.graphs_equal(graph, other)
    reasons = {target: data["reasons"] for _, target, data in graph.edges(data=True) if "reasons" in data}
    assert reasons["topic:nn-module"] == ["cites pytorch/pytorch:torch/nn/modules/module.py, its code"]
    assert "no topic" in graph.edges[ident("Untitled"), "topic:pytorch", "about"]["reasons"][0]
    assert graph.edges[ident("Dispatcher"), POST.id, "related"]["reasons"] == ["both about Dispatcher"]
    assert (graph.nodes["topic:vmap"]["count"], graph.nodes["topic:vmap"]["area"]) == (2, "functorch")
    assert graph.has_edge("topic:vmap", "topic:functorch", "subtopic_of")
