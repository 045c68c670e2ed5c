"""Where what lies in a repository: the rule on a made-up one, and that each subject's own lines hold."""

from pathlib import Path

import pytest

from podgraph.extractors import Layout, known_subjects
from podgraph.extractors.subjects.vocabulary import subject_vocabulary
from tests.tables import read_toml

LOOM = Layout(
    [
        "src/ cloth", "src/warp/ warp thread ~ loom", "src/warp/deep/ shuttle", "src/warp/*tension* tension", "*weft* weft",
        "checks/ = src/", "checks/old/ = src/warp/", "guide/ = src/", "Makefile build",
    ],
    shelves=["src"],
)  # fmt: skip

TABLES = read_toml(__file__, "layout.toml")


@pytest.mark.parametrize(("path", "places"), TABLES["belong"].items())
def test_belongings(path, places):
    assert [one.place for one in LOOM.list_places(path)] == places


@pytest.mark.parametrize(("path", "stands"), TABLES["stands"].items())
def test_what_a_path_stands_for(path, stands):
    assert LOOM.list_counterparts(path) == stands


@pytest.mark.parametrize("subject", known_subjects(), ids=lambda subject: subject.key)
def test_every_topic_of_a_layout_is_one(subject):
    text = Path(subject.file("layout.txt")).read_text("utf-8")
    lines = [line for line in text.splitlines() if line and line[0] != "#" and " = " not in line]
    places = [line.split()[0] for line in lines]
    named = {word for line in lines for word in line.split()[1:]} - {"~"}
    assert sorted(named - subject_vocabulary(subject).topics.keys()) == []
    assert sorted(place for place in set(places) if places.count(place) > 1) == []
