"""Areas and ranks: the same for the same graph, with names of topics that cover half of the members, and steady."""

from collections import Counter
from math import log2

import networkx
import pytest

from podgraph.graph import OTHERS, find_areas, find_ties, rank_graph, rank_nodes
from podgraph.output.pipeline import snapshot_graph
from tests.graph.nets import ident, net, shuffled
from tests.tables import read_rows


def show(*topics, ties=()):
    """Return a graph of episodes: ``topics`` has the topics of each. Episodes with a common topic are related."""
    episodes = {f"e{number}": words.split() for number, words in enumerate(topics)}
    graph = net(*((name, own, "") for name, own in episodes.items()))
    pairs = [(one, other) for one in episodes for other in episodes if one < other]
    for one, other in pairs:
        if (one, other) in ties or set(episodes[one]) & set(episodes[other]):
            graph.add_edge(ident(one), ident(other), "related", weight=1.0)
    return graph


def areas_of(graph, previous=None):
    found = find_areas(graph, find_ties(graph), previous or {})
    return [found[node] for node, kind in graph.nodes(data="kind") if kind == "episode"]


AREAS = {
    "one topic each": (show(*["rye"] * 4, *["oat"] * 4), ["rye"] * 4 + ["oat"] * 4),
    "a topic of most episodes is none": (show(*["rye"] * 5, *["oat"] * 4), [OTHERS] * 5 + ["oat"] * 4),
    "a topic of one episode is none": (show(*["rye"] * 4, *["oat"] * 4, "fig"), ["rye"] * 4 + ["oat"] * 4 + [OTHERS]),
    "a topic named like the show is none": (show(*["rye"] * 4, *["p"] * 4), ["rye"] * 4 + [OTHERS] * 4),
    "too few members": (show(*["rye"] * 3, *["oat"] * 4), [OTHERS] * 3 + [OTHERS] * 4),
    "an episode about none joins its relatives":
        (show(*["rye"] * 4, *["oat"] * 4, "fig", ties=[("e0", "e8")]), ["rye"] * 4 + ["oat"] * 4 + ["rye"]),
    "an area at most doubles":
        (show(*["rye"] * 2, "fig", *["oat"] * 4, "ale", "tea", ties=[("e0", "e2"), ("e1", "e7"), ("e0", "e8")]),
         ["rye"] * 3 + ["oat"] * 4 + ["rye", OTHERS]),
    "of two topics the nearer":
        (show(*["rye"] * 4, *["fig"] * 4, *["oat"] * 5, "oat rye"), ["rye"] * 4 + ["fig"] * 4 + ["oat"] * 6),
}  # fmt: skip


@pytest.mark.parametrize(("graph", "areas"), AREAS.values(), ids=AREAS)
def test_areas_are_made_of_topics(graph, areas):
    assert areas_of(graph) == areas
    other = shuffled(graph)
    assert find_areas(graph, find_ties(graph)) == find_areas(other, find_ties(other))


WHOLES = dict(read_rows(__file__, "WHOLES"))


@pytest.mark.parametrize(("parts", "names"), WHOLES.items())
def test_an_area_of_a_vocabulary_is_one_with_its_parts(parts, names):
    graph = show(*["mill"] * 4, *["wheel"] * 4, *["rye"] * 9)
    for topic in ("mill", "wheel"):
        graph.nodes[f"topic:{topic}"]["area"] = topic
    for part, whole in parts:
        graph.add_edge(f"topic:{part}", f"topic:{whole}", "subtopic_of", weight=1)
    assert areas_of(graph)[:8:4] == names


def test_names_cover_half_of_the_members_and_stay():
    graph = snapshot_graph()
    areas = dict(graph.nodes(data="community", default=""))
    members = Counter(areas[node] for node, kind in graph.nodes(data="kind") if kind == "episode")
    assert members[OTHERS] <= 0.05 * members.total()
    assert 6 <= len(members) <= 20
    topics = {data["label"]: node for node, data in graph.nodes(data=True) if data["kind"] == "topic"}
    edges = graph.edges(keys=True)
    parts = networkx.DiGraph((one, other) for one, other, key in edges if key in ("about", "subtopic_of"))
    for name in members.keys() - {OTHERS}:
        labels = [name] if name in topics else name.split(", ")
        assert len(labels) <= 3
        about = set().union(*(networkx.ancestors(parts, topics[label]) for label in labels))
        assert 2 * sum(areas[node] == name for node in about if node.startswith("episode:")) >= members[name]
    assert find_areas(graph, find_ties(graph), areas) == {node: name for node, name in areas.items() if name}
    graph.remove_node("episode:pytorch-developer-podcast/vmap")
    kept = find_areas(graph, find_ties(graph), areas).items() & areas.items()
    assert sum(node.startswith("episode:") for node, _ in kept) >= 0.95 * (members.total() - 1)


def test_topics_of_an_earlier_build_stay_though_others_have_more_episodes():
    before = show(*["rye oat"] * 4, *["fig"] * 8)
    first = find_areas(before, find_ties(before))
    grown = show(*["rye oat"] * 4, *["fig"] * 8, *["rye"] * 2)
    assert areas_of(before)[0] == areas_of(grown, first)[0] == areas_of(grown, first)[-1] == "oat"
    assert areas_of(grown)[0] == "rye"
    assert areas_of(grown, dict.fromkeys(first, "barley")) == areas_of(grown)


def test_other_nodes_join_the_area_of_their_strongest_ties():
    graph = show(*["rye"] * 4, *["oat"] * 4)
    graph.add_edge(ident("e0"), "web:a", "cites", weight=1)
    graph.add_edge(ident("e4"), "web:a", "cites", weight=2)
    graph.add_edge("web:a", "web:b", "mentions", weight=1)
    graph.add_edge("web:x", "web:y", "cites", weight=1)
    networkx.set_node_attributes(graph, {node: "blog" for node in graph if node.startswith("episode:")}, "kind")
    graph.add_node("blog:unread", kind="blog", label="cited")  # without episodes, the posts that were read count
    areas = find_areas(graph, find_ties(graph))
    assert [areas[node] for node in ("web:a", "web:b", "topic:rye", ident("e0"))] == ["oat", "oat", "rye", "rye"]
    assert not {"web:x", "podcast:p", "blog:unread"} & areas.keys()


# Edges from b to a (relation, weight), and the strength of the tie: times log2(1 + weight), never nothing, added up.
TIES = read_rows(__file__, "TIES")


@pytest.mark.parametrize(("edges", "strength"), TIES)
def test_the_strength_of_relations(edges, strength):
    graph = networkx.MultiDiGraph()
    for relation, weight in edges:
        graph.add_edge("b", "a", relation, weight=weight)
        graph.add_edge("c", "c", relation, weight=weight)  # nothing is tied to itself
        graph.add_edge("b", "c", relation, weight=weight, boilerplate=True)
    assert sum(strength for *_, strength in find_ties(graph)) == pytest.approx(strength)
    assert {frozenset(ends) for *ends, _ in find_ties(graph)} <= {frozenset("ab")}


def test_ranks_agree_with_networkx():
    graph = show(*["rye"] * 4, *["oat"] * 4, ties=[("e0", "e4")])
    plain = networkx.Graph()
    for source, target, key, data in graph.edges(keys=True, data=True):
        if key != "part_of":
            plain.add_edge(source, target, weight={"about": 1.0, "related": 2.0}[key] * log2(1 + data["weight"]))
    expected = networkx.pagerank(plain, weight="weight", tol=1e-10, max_iter=1000)
    assert rank_nodes(find_ties(graph)) == pytest.approx(expected, abs=1e-5)


def test_a_graph_without_ties_has_neither():
    empty = networkx.MultiDiGraph()
    assert rank_nodes(find_ties(empty)) == find_areas(empty, []) == {}
    graph = net(("Lone", [], ""))
    rank_graph(graph)
    assert graph.nodes[ident("lone")]["community"] == OTHERS
