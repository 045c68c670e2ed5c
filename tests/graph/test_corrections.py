"""What a person corrects: each key changes what it names, says so as the reason, and tells when nothing is left of it."""

import pytest

from podgraph.extractors import Episode, Feed, extract, parse_vocabulary
from podgraph.graph import Corrections, build_graph, check, enrich_graph
from tests.tables import read_rows

WORDS = parse_vocabulary(
    '[[topic]]\nlabel = "Moss"\n[[topic]]\nlabel = "Lichen"\n[[topic]]\nlabel = "Ferns"\n', source="test"
)
NOTES = dict(read_rows(__file__, "NOTES"))
FEED = Feed(
    "s", "podcast", "podcast:p", "The bog",
    tuple(Episode(f"episode:p/{name.lower()}", "episode", "podcast:p", name, notes) for name, notes in NOTES.items()),
)  # fmt: skip


def built():
    graph = build_graph([FEED], extract([FEED], vocabulary=WORDS))
    for name, id_, label in (("walk", "person:annlee", "Ann Lee"), ("talk", "person:ablee", "Ann B. Lee")):
        graph.add_node(id_, kind="person", label=label)
        graph.add_edge(f"episode:p/{name}", id_, "mentions", weight=1, reasons=["test"])
    return graph


def corrected(**keys):
    graph = built()
    missed = enrich_graph(graph, WORDS, Corrections(**keys))
    assert not list(check(graph))
    return graph, missed


def edges(graph, relation):
    rows = graph.edges(keys=True, data=True)
    return {(source.rpartition("/")[2], target): data for source, target, key, data in rows if key == relation}


@pytest.mark.parametrize("name", ["https://peat.example/map", "web:peat.example/map", "peat.example"])
def test_boilerplate(name):
    graph, missed = corrected(boilerplate=(name,))
    marked = [data for (_, target), data in edges(graph, "cites").items() if target == "web:peat.example/map"]
    assert [(data["boilerplate"], data["reasons"]) for data in marked] == [(True, ["boilerplate: a correction"])] * 2
    assert missed[0] == f"boilerplate = {name!r} matches 2 links"
    enrich_graph(graph, WORDS, Corrections(not_boilerplate=(name,)))
    assert {(data.get("boilerplate"), *data["reasons"]) for data in marked} == {(None, "a correction: not boilerplate")}


def test_persons_and_topics():
    pairs = {
        "same": (("person:annlee", "Ann B. Lee"),),
        "rename": (("Moss", "Sphagnum"),),
        "merge": (("Lichen", "Moss"),),
    }
    graph, missed = corrected(**pairs, drop=("Ferns",))
    assert "person:ablee" not in graph
    assert graph.nodes["person:annlee"]["aliases"] == ["Ann B. Lee"]
    assert "a correction: Ann B. Lee is Ann Lee" in edges(graph, "mentions")["talk", "person:annlee"]["reasons"]
    assert {node for node, kind in graph.nodes(data="kind") if kind == "topic"} == {"topic:moss"}
    assert (graph.nodes["topic:moss"]["label"], graph.nodes["topic:moss"]["count"]) == ("Sphagnum", 3)
    assert {"Moss", "Lichen"} <= set(graph.nodes["topic:moss"]["aliases"])
    assert edges(graph, "about")["rain", "topic:moss"]["reasons"] == ["a correction: Lichen is Moss"]
    assert not missed
    assert "person:ablee" not in corrected(no_person=("person:ablee",))[0]


# corrections of one graph after the other, as a person writes them -> the labels of the topics at the end
LATER = dict(read_rows(__file__, "LATER"))


@pytest.mark.parametrize("name", LATER)
def test_a_correction_may_use_the_name_of_another_one(name):
    keys, labels = LATER[name]
    graph, missed = corrected(**keys)
    assert {data["label"] for _, data in graph.nodes(data=True) if data["kind"] == "topic"} == labels
    assert not missed


def test_persons_and_links_have_other_names():
    graph, missed = corrected(
        rename=(("Ann B. Lee", "Ann Lie"), ("https://peat.example/map", "The map"), ("Ann Lie", "Ann Lea")),
        same=(("person:annlee", "Ann Lea"),),
    )
    assert not missed
    assert set(graph.nodes["person:annlee"]["aliases"]) == {"Ann Lea", "Ann Lie", "Ann B. Lee"}
    assert (graph.nodes["web:peat.example/map"]["label"], "Ann Lea" in graph) == ("The map", False)
    assert graph.nodes["web:peat.example/map"]["names"]
    assert corrected(rename=(("Walk", "March"),))[1] == [
        "the correction rename = 'Walk and March' applies to nothing in this graph any more"
    ]


def test_pairs_of_episodes_and_an_episode_with_the_name_of_a_topic():
    graph = built()
    graph.nodes["episode:p/snow"]["title"] = "Ferns"
    pairs = {"relate": (("Ferns", "Rain"),), "unrelate": (("Walk", "Talk"),), "before": (("Rain", "Ferns"),)}
    assert not enrich_graph(graph, WORDS, Corrections(**pairs, drop=("Ferns",)))
    related = edges(graph, "related")
    assert related["rain", "episode:p/snow"]["reasons"] == ["a correction: related"]
    assert ("snow", "episode:p/rain") in related
    assert ("walk", "episode:p/talk") not in related
    assert ("snow", "episode:p/rain") in edges(graph, "listen_first")
    assert "topic:ferns" not in graph


MISSED = dict(read_rows(__file__, "MISSED"))


@pytest.mark.parametrize("key", MISSED)
def test_what_no_longer_applies_is_told(key):
    _, missed = corrected(**{key: MISSED[key]})
    assert len(missed) == 1
    assert missed[0].startswith(f"the correction {key} = ")
    assert set(MISSED) == set(Corrections._fields)
