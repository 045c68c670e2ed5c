"""What is a reason and what is not: an area alone, parts of a subject, topics that the code speaks of together."""

import pytest

from podgraph.graph import find_related
from tests.graph.nets import ident, net

CROWD = 20  # episodes that have nothing to do with it, so that what two share is rare


def graph_of(topics, areas=(), about=3):
    """Make a graph: ``topics`` maps an episode's name to its topics; ``areas`` a topic to the label of its area."""
    graph = net(*((name, [], "") for name in (*topics, *(f"Filler {number}" for number in range(CROWD)))))
    for name, named in topics.items():
        for topic in named:
            node = f"topic:{topic}"
            graph.add_node(node, kind="topic", label=topic)
            graph.add_edge(ident(slug(name)), node, "about", weight=about, reasons=["for the test"])
    for topic, area in dict(areas).items():
        if f"topic:{topic}" in graph:
            graph.nodes[f"topic:{topic}"]["area"] = area
    return graph


def slug(name):
    return f"episode:p/{name.lower().replace(' ', '-')}"


def why(graph, one, other, together=None):
    found = [
        data
        for source, target, data in find_related(graph, together=together)
        if (source, target) == (slug(one), slug(other))
    ]
    return found[0]["reasons"] if found else None


MILLS = {"Ox": ["flour"], "Bee": ["honey"]}
AREA = {"flour": "Food", "honey": "Food"}
SIDES = {name: ["flour", f"{name} alone"] for name in ("Cat", "Dog", "Elk")}
HIVES = {name: ["honey", f"{name} alone"] for name in ("Fox", "Gnu", "Hen")}


def test_an_area_alone_is_no_reason():
    assert why(graph_of(MILLS, AREA), "Ox", "Bee") is None


def test_an_area_alone_comes_behind_three_others_and_far_below():
    graph = graph_of(MILLS | SIDES | HIVES, AREA)
    edges = {(source, target): data for source, target, data in find_related(graph)}
    of_ox = {target: data for (source, target), data in edges.items() if source == slug("Ox")}
    by_area = {target: data for target, data in of_ox.items() if data["reasons"] == ["both in the field of Food"]}
    assert len(of_ox) - len(by_area) == 3
    assert by_area
    assert (
        max(data["weight"] for data in by_area.values())
        < 0.14
        <= min(data["weight"] for target, data in of_ox.items() if target not in by_area)
    )


@pytest.mark.parametrize("short", [SIDES, HIVES], ids=["few of its own", "few of the other's"])
def test_where_either_has_fewer_than_three_others_an_area_stays_away(short):
    few = {name: topics for name, topics in (SIDES | HIVES).items() if name != next(iter(short))}
    graph = graph_of(MILLS | few, AREA)
    reasons = [
        data["reasons"] for source, target, data in find_related(graph) if {source, target} == {slug("Ox"), slug("Bee")}
    ]
    assert reasons == []


def test_parts_of_a_subject_that_is_talked_about_are_a_reason():
    graph = graph_of(MILLS | {"Gnu": ["Food"]}, AREA)
    assert why(graph, "Ox", "Bee") == ["both about Food or parts of it"]


def test_a_subject_that_many_are_about_is_none():
    many = {f"Eater {number}": [f"dish {number}"] for number in range(5)}
    areas = AREA | {f"dish {number}": "Food" for number in range(5)}
    found = list(find_related(graph_of(MILLS | {"Gnu": ["Food"]} | many, areas)))
    assert not [data for _, _, data in found if data["reasons"] == ["both about Food or parts of it"]]


TOGETHER = {("flour", "honey"): (0.5, "bakery/dough.py")}


def test_topics_that_the_code_speaks_of_together_are_a_reason_that_names_the_file():
    reasons = why(graph_of(MILLS), "Ox", "Bee", TOGETHER)
    assert reasons == ["flour and honey are spoken of together in bakery/dough.py"]
    assert why(graph_of(MILLS), "Ox", "Bee") is None


THIN = {
    "too seldom": {("flour", "honey"): (0.05, "bakery/dough.py")},
    "of other topics": {("flour", "salt"): (0.5, "bakery/dough.py")},
    "of none here": {("salt", "sugar"): (0.5, "bakery/dough.py")},
}


@pytest.mark.parametrize("together", THIN.values(), ids=THIN)
def test_what_is_seldom_spoken_of_together_is_none(together):
    assert why(graph_of(MILLS), "Ox", "Bee", together) is None


def test_what_both_say_goes_before_what_the_code_says():
    assert why(graph_of({"Ox": ["flour", "honey"], "Bee": ["honey"]}), "Ox", "Bee", TOGETHER) == ["both about honey"]


def test_to_be_heard_first_goes_before_to_be_cited():
    graph = graph_of({"Ox": [], "Bee": []})
    for relation in ("cites", "listen_first", "see_also"):
        graph.add_edge(slug("Ox"), slug("Bee"), relation, weight=1, reasons=["for the test"])
    assert why(graph, "Ox", "Bee")[0] == "“Ox” says: listen to “Bee” first"
