"""What is a reason and what is not: an area alone, parts of a subject, topics that the code speaks of together."""

from array import array

import pytest

from podgraph.graph import find_related, related_edges
from tests.graph.nets import ident, net

CROWD = 20  # episodes that have nothing to do with it, so that what two share is rare


def graph_of(topics, areas=(), notes="", crowd=CROWD):
    """Make a graph: ``topics`` maps an episode's name to its topics; ``areas`` a topic to the label of its area.

    A topic weighs 3, or what is given; ``notes`` are those of all but the crowd.
    """
    graph = net(*((name, [], notes) for name in topics), *((f"Zebu {number}", [], "") for number in range(crowd)))
    for name, named in topics.items():
        for topic in named:
            node = f"topic:{topic}"
            weight = named[topic] if isinstance(named, dict) else 3
            graph.add_node(node, kind="topic", label=topic)
            graph.add_edge(ident(slug(name)), node, "about", weight=weight, reasons=["for the test"])
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


TREES = "alder ash beech birch cedar elder elm fir hazel holly larch lime maple oak pine rowan willow yew"


@pytest.mark.parametrize(("notes", "weight"), [
    ("", 0.07),  # a fifth of the 0.35 of an area
    (TREES, 0.126),  # nine tenths of what the thinnest of the others weighs, at most
])  # fmt: skip
def test_an_area_alone_comes_behind_three_others_and_far_below(notes, weight):
    graph = graph_of(MILLS | SIDES | HIVES, AREA, notes)
    of_ox = [data for source, _, data in find_related(graph) if source == slug("Ox")]
    assert len(of_ox) == 5
    assert [data["weight"] for data in of_ox if data["reasons"] == ["both in the field of Food"]] == [weight] * 2
    assert min(data["weight"] for data in of_ox if data["reasons"] == ["both about flour"]) > 0.14


def test_partners_are_counted_once_whoever_found_whom():
    assert related_edges._partners(array("i", [0, 1, 1, 0, 0, 3, 2, 3]), 5) == [2, 1, 1, 2, 0]


@pytest.mark.parametrize("short", [SIDES, HIVES], ids=["few of its own", "few of the other's"])
def test_where_either_has_fewer_than_three_others_an_area_stays_away(short):
    few = {name: topics for name, topics in (SIDES | HIVES).items() if name != next(iter(short))}
    graph = graph_of(MILLS | few, AREA)
    reasons = [
        data["reasons"] for source, target, data in find_related(graph) if {source, target} == {slug("Ox"), slug("Bee")}
    ]
    assert reasons == []


WIDE = {"Gnu": ["Food"], "Hen": ["rye"]}  # the subject itself, and a third in the field of it
PARTS = [
    # how many have nothing to do with it; others; more areas; the reason of the first two
    (20, {"Gnu": ["Food"]}, {}, True),
    (20, {"Gnu": ["Salt"]}, {}, False),
    (16, WIDE, {"rye": "Food"}, True),  # three of twenty
    (15, WIDE, {"rye": "Food"}, False),  # a subject that more are in the field of is none
]


@pytest.mark.parametrize(("crowd", "others", "areas", "found"), PARTS)
def test_parts_of_a_subject_that_is_talked_about_are_a_reason(crowd, others, areas, found):
    graph = graph_of(MILLS | others, AREA | areas, crowd=crowd)
    assert why(graph, "Ox", "Bee") == (["both about Food or parts of it"] if found else None)


@pytest.mark.parametrize(("relation", "area", "found"), [
    ("subtopic_of", "Table", True),
    ("see_also", "Table", False),
    ("subtopic_of", None, False),  # what lies in no area itself is the subject as such
])  # fmt: skip
def test_topics_of_which_others_are_parts_are_subjects_too(relation, area, found):
    graph = graph_of(MILLS | {"Gnu": ["Food"]}, {"Food": area} if area else {})
    for part in ("flour", "honey"):
        graph.add_edge(f"topic:{part}", "topic:Food", relation, weight=1, reasons=["for the test"])
    assert why(graph, "Ox", "Bee") == (["both about Food or parts of it"] if found else None)


TOGETHER = {("flour", "honey"): (0.5, "bakery/dough.py")}


def test_topics_that_the_code_speaks_of_together_are_a_reason_that_names_the_file():
    reasons = why(graph_of(MILLS), "Ox", "Bee", TOGETHER)
    assert reasons == ["flour and honey are spoken of together in bakery/dough.py"]
    assert why(graph_of(MILLS), "Ox", "Bee") is None


RYE = {("honey", "rye"): (0.5, "bakery/dough.py")}
SALT = {("flour", "salt"): (0.5, "bakery/dough.py")}
NEAR = [
    # topics of the first, more that is spoken of together; four tenths of the cosine with one that is about honey:
    # one stands for half of the other
    ({"flour": 4}, {}, 0.32),  # (2, 1) and (0.5, 1)
    ({"flour": 4}, SALT, 0.32),  # no text is about salt
    ({"flour": 9, "rye": 1}, RYE, 0.3266),  # (3, 1.5, 1) and (0.5, 1, 0.5): it stands for honey as much as flour does
]


@pytest.mark.parametrize(("topics", "more", "weight"), NEAR)
def test_topics_that_are_spoken_of_together_weigh_four_tenths(topics, more, weight):
    graph = graph_of({"Ox": topics, "Bee": {"honey": 1}})
    found = {edge[:2]: edge[2]["weight"] for edge in find_related(graph, together=TOGETHER | more)}
    assert found[slug("Ox"), slug("Bee")] == weight


def test_an_area_weighs_as_its_greatest_topic():
    topics = {"Ox": {"flour": 9, "rye": 1, "saw": 1}, "Bee": {"honey": 1, "nail": 1}, "Gnu": ["Food"]}
    graph = graph_of(topics, AREA | {"rye": "Food", "saw": "Tools", "nail": "Tools"})
    found = {edge[:2]: edge[2]["weight"] for edge in find_related(graph)}
    assert found[slug("Ox"), slug("Bee")] == 0.313  # 0.35 times the cosine of (3, 1) and (1, 1)


@pytest.mark.parametrize(("target", "relation", "attributes"), [
    ("web:a", "cites", {"reasons": ["for the test"]}),
    ("topic:oats", "about", {"evidence": [{"method": "transcript"}]}),
])  # fmt: skip
def test_how_much_a_text_is_about_a_topic_depends_on_what_else_is_written_alone(target, relation, attributes):
    graph = graph_of({"Ox": {"flour": 1}, "Bee": {"honey": 1}})
    graph.add_node(target, kind=target.partition(":")[0], label=target)
    graph.add_edge(slug("Ox"), target, relation, weight=36, **attributes)
    assert why(graph, "Ox", "Bee", TOGETHER) is not None


@pytest.mark.parametrize(("ox", "bee", "found"), [(1, 1, True), (16, 1, True), (1, 16, True), (36, 1, False),
                                                   (1, 36, False), (9, 9, False)])  # fmt: skip
def test_topics_beside_much_greater_ones_are_not_spoken_of_together(ox, bee, found):
    """They stand for each other by half, times the root of how much each text is about its own beside its first."""
    graph = graph_of({"Ox": {"flour": 1, "oats": ox}, "Bee": {"honey": 1, "wax": bee}}, notes="gears sprockets weir")
    assert (why(graph, "Ox", "Bee", TOGETHER) is not None) == found


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
