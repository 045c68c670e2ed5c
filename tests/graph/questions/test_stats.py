"""The figures of a graph, its bridges and its islands."""

import pytest

from podgraph.graph import View, link_health, stats
from tests.graph.nets import ident, net, shuffled


def figures(graph):
    return stats(View.from_networkx(graph))


def test_areas_count_each_episode_once():
    graph = net(("mill", ["flour", "bran"], ""), ("oven", ["flour"], ""), ("rose", ["petal"], ""))
    for topic in ("flour", "bran"):
        graph.nodes[f"topic:{topic}"]["area"] = "Baking"
    assert figures(graph).areas == {"Baking": 2}


def test_islands_are_what_only_the_podcast_ties_to_the_rest():
    graph = net(("mill", ["flour"], ""), ("oven", ["flour"], ""), ("rose", ["petal"], ""), ("still", [], ""))
    assert figures(graph).islands == [[ident("rose")], [ident("still")]]
    graph.add_edge(ident("rose"), ident("mill"), "see_also", weight=1)
    assert figures(graph).islands == [[ident("still")]]


def test_bridges_are_related_to_two_communities_or_more():
    graph = net(*((name, [], "") for name in ("mill", "oven", "rose", "still")))
    for name, community in (("mill", "baking"), ("oven", "heat"), ("rose", "garden"), ("still", "heat")):
        graph.nodes[ident(name)]["community"] = community
    for source, target in (("mill", "oven"), ("rose", "mill"), ("oven", "still")):
        graph.add_edge(ident(source), ident(target), "related", weight=0.5)
    assert figures(graph).bridges == [(ident("mill"), ["garden", "heat"])]
    graph.add_edge(ident("mill"), ident("rose"), "related", weight=0.5)
    graph.add_edge(ident("oven"), ident("rose"), "related", weight=0.5)
    for same in (graph, shuffled(graph)):
        assert [id_ for id_, _ in figures(same).bridges] == [ident("mill"), ident("oven"), ident("rose")]


def test_the_most_connected_and_cited_come_first_and_of_equals_by_id():
    graph = net(("mill", ["flour"], ""), ("oven", ["flour"], ""))
    for place, cited in enumerate(("web:a", "web:b", "web:c")):
        graph.add_node(cited, kind="web", label=cited)
        for episode in ("mill", "oven")[: place + 1]:
            graph.add_edge(ident(episode), cited, "cites", weight=1)
    found = figures(graph)
    assert found.most_cited == [("web:b", 2), ("web:c", 2)]
    assert found.most_connected[:3] == [(ident("mill"), 5), (ident("oven"), 4), ("podcast:p", 2)]
    assert found.uncited_episodes == []


def test_the_snapshot(sample):
    found = figures(sample)
    assert (found.kinds["episode"], found.years["2021"], found.years["undated"]) == (83, 56, 9)
    assert list(found.years) == ["2021", "2022", "2024", "undated"]
    assert found.most_cited[0] == ("github:pytorch/pytorch:aten/src/ATen/native/README.md", 3)
    assert found.islands == []
    assert sum(found.communities.values()) == 83 + 16


@pytest.mark.parametrize("status", [None, "ok", "moved", "gone", "private", "unknown"])
def test_links_are_counted_by_what_became_of_them(status):
    graph = net(("mill", [], ""))
    graph.add_node("web:a", kind="web", label="a", **({"status": status} if status else {}))
    graph.add_node("web:b", kind="web", label="b", status="gone")  # which nobody names
    graph.add_edge(ident("mill"), "web:a", "cites", weight=1)
    health = link_health(View.from_networkx(graph))
    always = dict.fromkeys(("ok", "moved", "gone", "unknown"), 0)
    assert health.statuses == always | {status or "unknown": 1}
    changed = [("web:a", status, "", "", (ident("mill"),))] if status in {"moved", "gone", "private"} else []
    assert health.changed == changed
