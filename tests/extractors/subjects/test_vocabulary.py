"""Vocabularies: the built-in one holds together, a file of one's own replaces or extends it, faults are named."""

import pytest

from podgraph.extractors import SourceError, builtin_vocabulary, parse_vocabulary
from tests.tables import read_rows, read_toml

BREAD = """
[[area]]
label = "Leavening"
members = ["sourdough"]

[[topic]]
label = "Sourdough"
aliases = ["levain"]

[[topic]]
id = "flour"
label = "Flour"
weak = ["rye"]
"""


def test_every_topic_of_the_builtin_vocabulary_has_a_label_and_an_area():
    vocabulary = builtin_vocabulary()
    assert all(topic.label for topic in vocabulary.topics.values())
    outside = [id_ for id_, area in vocabulary.areas.items() if not vocabulary.topics[area].area]
    assert set(outside) <= {"pytorch", "core", "frontend"}


AREAS = dict(read_rows(__file__, "AREAS"))


@pytest.mark.parametrize(("topic", "area"), AREAS.items())
def test_areas(topic, area):
    assert builtin_vocabulary().areas[topic] == area


def test_a_file_replaces_the_builtin_vocabulary():
    vocabulary = parse_vocabulary(BREAD, source="bread.toml")
    assert set(vocabulary.topics) == {"leavening", "sourdough", "flour"}
    assert vocabulary.areas["sourdough"] == "leavening"
    assert vocabulary.topics["flour"].weak == ("rye",)
    assert vocabulary.subject.concerns("anything at all")


def test_a_file_extends_the_builtin_vocabulary():
    text = 'extends = true\n[[topic]]\nid = "vmap"\naliases = ["my map"]\n[[topic]]\nlabel = "Widgets"\n'
    vocabulary = parse_vocabulary(text, source="more.toml")
    assert "my map" in vocabulary.topics["vmap"].aliases
    assert "torch.vmap" in vocabulary.topics["vmap"].aliases
    assert "widgets" in vocabulary.topics
    assert "widgets" not in builtin_vocabulary().topics


def test_a_circle_of_topics_ends():
    text = '[[topic]]\nid = "a"\nlabel = "A"\npart_of = ["b"]\n[[topic]]\nid = "b"\nlabel = "B"\npart_of = ["a"]\n'
    vocabulary = parse_vocabulary(text, source="circle.toml")
    assert vocabulary.list_wholes("a") == ["b"]
    assert vocabulary.areas == {"a": "a", "b": "b"}


FAULTS = [tuple(row.values()) for row in read_toml(__file__, "vocabulary_faults.toml")["fault"]]
FAULTS += [
    (f"topic = {'9' * 5000}", "it has a number of thousands of digits"),
    ("topic = " + "[" * 30_000, "it is nested too deeply"),
]


@pytest.mark.parametrize(("text", "word"), FAULTS, ids=lambda value: value[:20])
def test_faults_are_named(text, word):
    with pytest.raises(SourceError, match=r"bad\.toml") as caught:
        parse_vocabulary(text, source="bad.toml")
    assert word in str(caught.value)
