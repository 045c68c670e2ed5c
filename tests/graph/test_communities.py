"""Communities and ranks: the same for the same graph, named by what they are about."""

from itertools import pairwise

import networkx
import pytest

from podgraph.graph import communities, community_detection, find_ties, rank_graph, ranks
from tests.graph.nets import ident, net, shuffled

EPISODES = tuple((f"{topic} {place}", [topic], "") for topic in ("mill", "rose") for place in range(6))


def communities_of(graph):
    ties = find_ties(graph)
    return dict(zip(ties.nodes, communities(graph, ties), strict=True))


def ranks_of(graph):
    ties = find_ties(graph)
    return dict(zip(ties.nodes, ranks(ties), strict=True))


def test_two_topics_make_two_communities_with_their_names():
    found = communities_of(net(*EPISODES))
    assert {found[ident("mill-0")], found[ident("rose-0")]} == {"mill", "rose"}
    assert found[ident("mill-0")] == found[ident("mill-5")] == found["topic:mill"] == "mill"
    assert "podcast:p" not in found


def related(*pairs):
    """Make a graph of two topics whose episodes are related as given, and not as the topics are."""
    graph = net(*EPISODES)
    for one, other, weight in pairs:
        graph.add_edge(ident(one), ident(other), "related", weight=weight, reasons=["for the test"])
    return graph


def ring(*names, weight=1.0):
    return [(one, other, weight) for place, one in enumerate(names) for other in names[place + 1 :]]


def test_what_is_related_goes_before_what_shares_a_topic():
    mixed = (
        ("mill-0", "mill-1", "rose-0", "rose-1"),
        ("mill-2", "mill-3", "mill-4", "mill-5"),
        ("rose-2", "rose-3", "rose-4", "rose-5"),
    )
    found = communities_of(related(*ring(*mixed[0]), *ring(*mixed[1]), *ring(*mixed[2])))
    assert [len({found[ident(name)] for name in group}) for group in mixed] == [1, 1, 1]
    assert len({found[ident(group[0])] for group in mixed}) == 3
    assert found["topic:mill"] == found[ident("mill-2")]  # a topic joins where most of it is


def placed(areas, *pairs, parts=()):
    """Return the communities of four episodes of each area, related as given; ``parts`` are (area, of which)."""
    names = {f"{area} {place}": area for area, count in areas.items() for place in range(count)}
    graph = net(*((name, [area], "") for name, area in names.items()))
    for area in areas:
        graph.nodes[f"topic:{area}"]["area"] = area
    for part, whole in parts:
        graph.add_edge(f"topic:{part}", f"topic:{whole}", "subtopic_of", weight=1, reasons=["for the test"])
    for one, other in pairs:
        graph.add_edge(ident(one), ident(other), "related", weight=1.0, reasons=["for the test"])
    found = communities_of(graph)
    return {name: found[ident(name.replace(" ", "-"))] for name in names}


AREAS = [
    # episodes of each area, parts, related pairs, and the names of the communities of some
    ("an area is one, whatever is related", {"mill": 4, "rose": 4}, (), [("mill-0", "rose-0"), ("mill-1", "rose-1")],
     {"mill 0": "mill", "mill 1": "mill", "rose 0": "rose"}),
    ("a part of another is in it", {"mill": 4, "wheel": 4}, [("wheel", "mill")], [("mill-0", "mill-1")],
     {"mill 0": "mill", "wheel 0": "mill"}),
    ("a circle of parts ends", {"mill": 4, "wheel": 4}, [("wheel", "mill"), ("mill", "wheel")], [("mill-0", "mill-1")],
     {"mill 0": "wheel", "wheel 0": "mill"}),
    ("two join what they are related to most on average", {"mill": 9, "rose": 4, "wren": 2}, (),
     [("wren-0", "mill-0"), ("wren-1", "mill-1"), ("wren-0", "rose-0")], {"wren 0": "rose · wren", "mill 0": "mill"}),
    ("a circle that a part leads to ends", {"mill": 4, "wheel": 4, "oar": 4},
     [("wheel", "mill"), ("mill", "oar"), ("oar", "mill")], (),
     {"wheel 0": "oar", "mill 0": "oar", "oar 0": "mill"}),
    ("of two on average, the one whose name comes first", {"ash": 4, "oak": 4, "wren": 2, "yew": 4}, [("yew", "ash")],
     [("wren-0", "yew-0"), ("wren-1", "yew-0"), ("wren-1", "yew-1"), ("wren-0", "oak-0")],
     {"wren 0": "ash", "oak 0": "oak"}),
    ("a quarter names", {"mill": 4, "rose": 6, "wren": 2}, (), [("wren-0", "rose-0")],
     {"wren 0": "rose · wren", "mill 0": "mill"}),
    ("less does not", {"mill": 4, "rose": 7, "wren": 2}, (), [("wren-0", "rose-0")],
     {"wren 0": "rose", "mill 0": "mill"}),
    ("small ones join each other first", {"mill": 5, "wren": 3, "lark": 1}, (),
     [("lark-0", "wren-0"), ("wren-0", "mill-0")], {"lark 0": "wren · lark", "mill 0": "mill"}),
    ("what is related to none is one of the others", {"mill": 4, "wren": 1}, (), [("mill-0", "mill-1")],
     {"wren 0": "Other episodes", "mill 0": "mill"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("areas", "parts", "pairs", "names"), [row[1:] for row in AREAS], ids=[row[0] for row in AREAS]
)
def test_areas_make_communities(areas, parts, pairs, names):
    found = placed(areas, *pairs, parts=parts)
    assert {name: found[name] for name in names} == names


VAST = [
    # topics of some episodes, areas of some, related pairs, the names of the communities of some
    ({"mill": 4, "rose": 4}, {}, [("mill-0", "rose-0")], {"mill 0": "mill", "rose 0": "rose"}),
    ({"mill": 4, "wren": 2}, {}, [("mill-0", "wren-0")], dict.fromkeys(("mill 0", "wren 0", "wren 1"), "mill")),
    ({"mill": 4, "oar": 4, "rose": 4}, {"mill": "Water", "oar": "Water"}, [("mill-0", "rose-0")],
     {"mill 0": "Water", "oar 0": "Water", "rose 0": "rose"}),
]  # fmt: skip


@pytest.mark.parametrize(("topics", "areas", "pairs", "names"), VAST)
def test_in_a_vast_graph_topics_make_communities(monkeypatch, topics, areas, pairs, names):
    graph = net(*((f"{topic} {place}", [topic], "") for topic, count in topics.items() for place in range(count)))
    for one, other in pairs:
        graph.add_edge(ident(one), ident(other), "related", weight=3.0, reasons=["for the test"])
    for topic, area in areas.items():
        graph.nodes[f"topic:{topic}"]["area"] = area
    count = sum(topics.values()) + len(pairs)
    monkeypatch.setattr(community_detection, "_VAST", count)
    assert rank_graph(graph) == []
    monkeypatch.setattr(community_detection, "_VAST", count - 1)
    assert rank_graph(graph) == [f"{count} ties: communities are made of topics and areas alone"]
    assert {name: graph.nodes[ident(name.replace(" ", "-"))]["community"] for name in names} == names


@pytest.mark.parametrize(("roses", "larks", "names"), [
    # how many of the others are about something else more, and the names of the communities
    (6, 0, {"mill": "Water", "rose": "rose"}),
    (5, 0, {"mill": "Water", "rose": "Water"}),  # less than half of all
    (4, 4, {"mill": "Water", "rose": "rose", "lark": "lark"}),
])  # fmt: skip
def test_what_is_about_other_topics_more_is_in_no_area(roses, larks, names):
    others = {"rose": roses, "lark": larks}
    graph = net(*EPISODES[:6], *((f"{one} {at}", [one], "") for one, count in others.items() for at in range(count)))
    graph.nodes["topic:mill"]["area"] = "Water"
    for one, count in others.items():
        for place in range(count):
            graph.add_edge(ident(f"{one}-{place}"), "topic:mill", "about", weight=1, reasons=["for the test"])
    found = communities_of(graph)
    assert {name: found[ident(f"{name}-0")] for name in names} == names


@pytest.mark.parametrize(("count", "one"), [(6, True), (5, False)])
def test_where_most_are_related_to_none_topics_say_it(count, one):
    """Of twelve; else the weakest relations go before topics."""
    some = ("mill-0", "rose-0", "mill-1", "rose-1", "mill-2", "rose-2")[:count]
    found = communities_of(related(*ring(*some[:3], weight=0.01), *ring(*some[3:], weight=0.01)))
    assert (found[ident("mill-0")] == found[ident("rose-0")]) == one
    assert one or (found[ident("mill-0")], found[ident("rose-0")]) == ("mill", "rose")


# topics of the groups -> names: a topic with a sixth of a group's items, half of whose items are in the group
SHARED = [
    ((["mill"] * 5, ["rose"] * 5), ["mill", "rose"]),
    ((["mill"] * 5, ["mill"] * 4), ["mill", "Area 1"]),  # a topic names one group
    (
        (["mill"] * 4, ["mill"] * 4 + ["rose"]),
        ["mill (mill 0)", "mill"],
    ),  # or two that have half of its items each, the larger first
    ((["mill"] * 6 + ["rose"], ["oak", "ash", "yew", "elm", "fir", "bay", "box"]), ["mill", "Area 1"]),
]


@pytest.mark.parametrize(("groups", "names"), SHARED)
def test_a_community_is_called_by_what_its_items_share(groups, names):
    listed = [topic for group in groups for topic in group]
    items = [f"{topic} {listed[:place].count(topic)}" for place, topic in enumerate(listed)]
    graph = net(*((item, [topic], "") for item, topic in zip(items, listed, strict=True)))
    ids = [
        [ident(item.replace(" ", "-")) for item in items[start : start + len(group)]]
        for start, group in zip((0, len(groups[0])), groups, strict=True)
    ]
    for group in ids:
        for one, other, weight in ring(*group):
            graph.add_edge(one, other, "related", weight=weight, reasons=["for the test"])
    found = communities_of(graph)
    assert [{found[item] for item in group} for group in ids] == [{name} for name in names]


def test_a_post_that_is_only_cited_is_no_item():
    graph = net(*EPISODES[:9])
    for number in range(3):
        graph.add_node(f"blog:{number}", kind="blog", label=f"{number}")
        graph.add_edge(ident("rose-0"), f"blog:{number}", "cites", weight=1)
    assert communities_of(graph)[ident("rose-0")] == "Other episodes"
    for number in range(3):
        graph.nodes[f"blog:{number}"]["title"] = "read"
    assert communities_of(graph)[ident("rose-0")] == "rose"


def test_what_hangs_together_apart_from_all_is_one():
    graph = related(*ring(*(f"mill-{place}" for place in range(6))), *ring(*(f"rose-{place}" for place in range(6))))
    islands = [["web:a", "web:b", "web:c", "web:d"], ["web:x", "web:y"]]
    for island in islands:
        graph.add_nodes_from(island, kind="web", label=island[0])
        for one, other in pairwise(island):
            graph.add_edge(one, other, "cites", weight=1, reasons=["for the test"])
    found = communities_of(graph)
    assert [{found[node] for node in island} for island in islands] == [{"web:a"}, {"web:x"}]


def test_weak_ties_do_not_join_what_strong_ones_hold():
    left, right = [f"mill-{place}" for place in range(6)], [f"rose-{place}" for place in range(6)]
    bridge = [(one, other, 0.1) for one, other in zip(left, right, strict=True)]
    found = communities_of(related(*ring(*left), *ring(*right), *bridge))
    assert {found[ident(name)] for name in left} == {"mill"}
    assert {found[ident(name)] for name in right} == {"rose"}


def test_the_order_of_the_graph_does_not_matter():
    graph = net(*EPISODES, edges=[("mill-0", "rose-0", "see_also")])
    assert communities_of(graph) == communities_of(shuffled(graph))
    assert ranks_of(graph) == ranks_of(shuffled(graph))


def test_a_node_of_one_tie_shares_the_community_of_its_neighbour():
    graph = net(*EPISODES)
    for id_ in ("github:o/r#1", "github:a/a#1", "github:a/a#2"):
        graph.add_node(id_, kind="issue", label=id_)
    graph.add_edge(ident("mill-0"), "github:o/r#1", "cites", weight=1)
    graph.add_edge("github:a/a#1", "github:a/a#2", "cites", weight=1)
    found = communities_of(graph)
    assert found["github:o/r#1"] == found[ident("mill-0")]
    assert found["github:a/a#1"] == found["github:a/a#2"] != found[ident("mill-0")]


def test_a_leaf_is_folded_into_its_neighbour():
    graph = networkx.MultiDiGraph()
    for one, other in ("ba", "bc", "bd", "cd", "dz", "mn"):  # two leaves on three in a ring, and a pair
        graph.add_edge(one, other, "cites", weight=1)
    ties = find_ties(graph)
    homes, edges = community_detection._without_leaves(ties)
    assert "".join(ties.nodes[home] for home in homes) == "bbcdmmd"
    left = zip(edges.first, edges.second, edges.weight, strict=True)
    assert {(ties.nodes[one] + ties.nodes[other]): weight for one, other, weight in left} == dict.fromkeys(
        ("bc", "bd", "cd", "bb", "dd", "mm"), 1.0
    )


def test_ranks_agree_with_networkx():
    graph = net(*EPISODES, edges=[("mill-0", "rose-0", "see_also")])
    plain = networkx.Graph()
    for source, target, key, data in graph.edges(keys=True, data=True):
        if key != "part_of":
            strength = {"about": 1.0, "see_also": 1.5}[key] * __import__("math").log2(1 + data["weight"])
            plain.add_edge(source, target, weight=strength)
    expected = networkx.pagerank(plain, weight="weight", tol=1e-10, max_iter=1000)
    assert ranks_of(graph) == pytest.approx(expected, abs=1e-5)


def test_an_episode_that_nothing_ties_is_one_of_the_others():
    graph = net(*EPISODES)
    graph.add_node("episode:p/lone", kind="episode", label="Lone", title="Lone")
    rank_graph(graph)
    assert graph.nodes["episode:p/lone"]["community"] == "Other episodes"


def test_an_empty_graph_has_neither():
    empty = networkx.MultiDiGraph()
    assert communities_of(empty) == {}
    assert ranks_of(empty) == {}
