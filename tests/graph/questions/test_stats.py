"""The figures of a graph, and the state of its links."""

import pytest

from podgraph.graph import View, check_links, count_graph
from tests.graph.nets import ident, net


def figures(graph, group):
    return [
        (row.id or row.title, row.get("count")) for row in count_graph(View.from_networkx(graph)) if row.group == group
    ]


def test_areas_count_each_episode_once():
    graph = net(("mill", ["flour", "bran"], ""), ("oven", ["flour"], ""), ("rose", ["petal"], ""))
    for topic in ("flour", "bran"):
        graph.nodes[f"topic:{topic}"]["area"] = "Baking"
    assert figures(graph, "areas") == [("Baking", 2)]


def test_the_most_connected_and_cited_come_first_and_of_equals_by_id():
    graph = net(("mill", ["flour"], ""), ("oven", ["flour"], ""))
    for place, cited in enumerate(("web:a", "web:b", "web:c")):
        graph.add_node(cited, kind="web", label=cited)
        for episode in ("mill", "oven")[: place + 1]:
            graph.add_edge(ident(episode), cited, "cites", weight=1)
    assert figures(graph, "most cited")[:2] == [("web:b", 2), ("web:c", 2)]
    assert figures(graph, "most connected")[:3] == [(ident("mill"), 5), (ident("oven"), 4), ("podcast:p", 2)]
    assert figures(graph, "uncited") == []


def test_the_snapshot(sample):
    assert ("episode", 83) in figures(sample, "kinds")
    assert figures(sample, "years") == [("2021", 56), ("2022", 8), ("2024", 10), ("undated", 9)]
    assert figures(sample, "most cited")[0] == ("github:pytorch/pytorch:aten/src/ATen/native/README.md", 3)


@pytest.mark.parametrize("status", [None, "ok", "moved", "gone", "private", "unknown"])
def test_links_are_counted_by_what_became_of_them(status):
    graph = net(("mill", [], ""))
    graph.add_node("web:a", kind="web", label="a", **({"status": status} if status else {}))
    graph.add_node("web:b", kind="web", label="b", status="gone")  # which nobody names
    graph.add_edge(ident("mill"), "web:a", "cites", weight=1)
    rows = [*check_links(View.from_networkx(graph))]
    assert [(row.title, row["count"]) for row in rows if row.group == "links"] == [(status or "unknown", 1)]
    changed = [("web:a", [ident("mill")])] if status in {"moved", "gone", "private"} else []
    assert [(row.id, row.cited_by) for row in rows if row.group == status] == changed
