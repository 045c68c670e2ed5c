"""Where what lies in a repository: the rule on a made-up one, and that each subject's own lines hold."""

from pathlib import Path

import pytest

from podgraph.extractors import Layout, known_subjects
from podgraph.extractors.subjects.vocabulary import subject_vocabulary

LOOM = Layout(
    [
        "src/ cloth", "src/warp/ warp thread ~ loom", "src/warp/deep/ shuttle", "src/warp/*tension* tension", "*weft* weft",
        "checks/ = src/", "checks/old/ = src/warp/", "guide/ = src/", "Makefile build",
    ],
    shelves=["src"],
)  # fmt: skip

# a path, and the places it belongs to, the nearest first
BELONG = {
    "src/warp/deep/x.c": ["src/warp/deep/", "src/warp/", "src/"],
    "src/warp/new.c": ["src/warp/", "src/"],
    "src/warp": ["src/warp/", "src/"],
    "src/warp/tension_gauge.c": ["src/warp/*tension*", "src/warp/", "src/"],
    "src/warp/weft.c": ["src/warp/", "*weft*", "src/"],  # the folder says more than the name does,
    "src/weft.c": ["*weft*", "src/"],  # but not where it is a shelf
    "checks/warp/test_tension.c": ["src/warp/*tension*", "src/warp/", "src/"],
    "checks/test_warp.c": ["src/warp/", "src/"],  # called like the folder that it tests
    "guide/warp.deep.md": ["src/warp/deep/", "src/warp/", "src/"],
    "Makefile": ["Makefile"],
    "elsewhere/Makefile": ["Makefile"],
    "elsewhere/x.c": [],
}


@pytest.mark.parametrize(("path", "places"), BELONG.items())
def test_belongings(path, places):
    assert [one.place for one in LOOM.belongings(path)] == places


STANDS = {
    "checks/warp/test_beam.c": ["src/warp/beam"],
    "checks/beam_test.py": ["src/beam"],
    "checks/old/test-beam.py": ["src/warp/beam", "src/old/beam"],
    "guide/warp.deep.md": ["src/warp/deep"],
    "src/warp/beam.c": [],
}


@pytest.mark.parametrize(("path", "stands"), STANDS.items())
def test_what_a_path_stands_for(path, stands):
    assert LOOM.stands_for(path) == stands


@pytest.mark.parametrize("subject", known_subjects(), ids=lambda subject: subject.key)
def test_every_topic_of_a_layout_is_one(subject):
    text = Path(subject.file("layout.txt")).read_text("utf-8")
    lines = [line for line in text.splitlines() if line and line[0] != "#" and " = " not in line]
    places = [line.split()[0] for line in lines]
    named = {word for line in lines for word in line.split()[1:]} - {"~"}
    assert sorted(named - subject_vocabulary(subject).topics.keys()) == []
    assert sorted(place for place in set(places) if places.count(place) > 1) == []
