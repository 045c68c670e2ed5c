"""What each relation ties, and how many topics name a community."""

import networkx
import pytest

from podgraph.graph import communities, find_ties
from tests.graph.nets import ident, net

TIES = [
    # edges from a to b: relation and weight; how much they tie
    ([("related", 1)], 2.0),
    ([("listen_first", 1)], 2.0),
    ([("see_also", 1)], 1.5),
    ([("about", 1)], 1.0),
    ([("cites", 1)], 1.0),
    ([("mentions", 1)], 0.5),
    ([("subtopic_of", 1)], 0.2),
    ([("part_of", 1)], None),
    ([("in_repo", 1)], None),
    # Times log2(1 + weight), never nothing; parallel ones add up.
    ([("about", 3)], 2.0),
    ([("related", 0.5)], 2 * 0.5849625),
    ([("related", 0)], 0.1),
    ([("cites", 1), ("mentions", 1)], 1.5),
]


@pytest.mark.parametrize(("edges", "weight"), TIES)
def test_what_a_relation_ties(edges, weight):
    graph = networkx.MultiDiGraph()
    graph.add_nodes_from("abc", kind="episode")
    for relation, strength in edges:
        graph.add_edge("b", "a", relation, weight=strength)
        graph.add_edge("c", "c", relation, weight=strength)  # nothing is tied to itself
    found = find_ties(graph)
    assert found.nodes == (["a", "b"] if weight else [])
    assert list(found.weight) == pytest.approx([weight] if weight else [])


def test_boilerplate_ties_nothing():
    graph = networkx.MultiDiGraph()
    graph.add_nodes_from("ab", kind="episode")
    graph.add_edge("a", "b", "cites", weight=1, boilerplate=True)
    assert find_ties(graph).nodes == []


KIN = [
    # an edge from a to b: relation and weight; how much it draws two texts into one community
    ("related", 0.5, 1.5),
    ("listen_first", 1, 1.0),
    ("see_also", 2, 2.0),
    ("cites", 1, None),
]


@pytest.mark.parametrize(("relation", "strength", "weight"), KIN)
def test_what_draws_texts_into_one_community(relation, strength, weight):
    graph = networkx.MultiDiGraph()
    graph.add_nodes_from("ab", kind="episode")
    graph.add_edge("a", "b", relation, weight=strength)
    graph.add_edge("a", "web:c", relation, weight=strength)  # which is not text
    assert find_ties(graph).kin.weight.tolist() == ([weight] if weight else [])


NAMED = [
    # topics of the three episodes of one community, its name
    ((["rye"], ["rye"], ["rye"]), "rye"),
    ((["rye", "oat"], ["rye", "oat"], ["rye"]), "rye"),
    ((["rye", "oat"], ["oat", "rye"], ["rye", "oat"]), "oat"),  # of equals the first in the alphabet
    ((["rye", "oat", "fig"], ["rye", "oat", "fig"], ["rye", "oat"]), "oat"),
]


@pytest.mark.parametrize(("topics", "name"), NAMED)
def test_a_community_is_called_by_the_topic_that_most_share(topics, name):
    pairs = [(one, other, relation) for one, other in ("ab", "bc", "ac") for relation in ("related", "listen_first")]
    graph = net(*((label, held, "") for label, held in zip("abc", topics, strict=True)), edges=pairs)
    ties = find_ties(graph)
    found = dict(zip(ties.nodes, communities(graph, ties), strict=True))
    assert {found[ident(label)] for label in "abc"} == {name}
