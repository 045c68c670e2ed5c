"""Episodes that come before others: as the notes say, and as a correction says."""

import json
from pathlib import Path

import pytest

from podgraph.output.cli import main

ITEM = "<item><title>{}</title><guid>{}</guid><pubDate>0{} Mar 2023 10:00:00 +0000</pubDate><description>{}</description></item>"
# What the notes of "Owl pellets" say, and whether "Owl nests" comes before it.
NOTES = {
    "Listen to “Owl nests” first.": True,
    'Listen to "Owl nests" first.': True,
    "Listen to Owl nests first.": True,
    "Hört zuerst „Owl nests“.": True,
    "Écoutez d'abord « Owl nests ».": True,
    "Prerequisites: Owl nests": True,
    "Prerequisites: River moss, Owl nests": True,
    "Prerequisite: “Owl nests”.": True,
    "This builds on Owl nests.": True,
    "Voraussetzung: Owl nests": True,
    "Owl nests are in hollow trees.": False,
    "We listen to owl nests at night.": False,
    "Our study of owl nests builds on years of work.": False,
    "See also: Owl nests": False,
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def built(notes, *titles):
    """Return the pairs (later, earlier) of titles of a show whose last episode has these notes."""
    rows = [(title, "Of the woods.") for title in ("Owl nests", "River moss", *titles)] + [("Owl pellets", notes)]
    items = "".join(ITEM.format(title, number, number, text) for number, (title, text) in enumerate(rows, 1))
    Path("feed.xml").write_text(f"<rss version='2.0'><channel><title>Made</title>{items}</channel></rss>", "utf-8")
    assert main(["build", "feed.xml", "--as", "episodes", "-q", "--force", "-o", "g.json"]) == 0
    graph = json.loads(Path("g.json").read_text("utf-8"))
    titles = {node["id"]: node["label"] for node in graph["nodes"]}
    return {
        (titles[edge["source"]], titles[edge["target"]]) for edge in graph["edges"] if edge["key"] == "listen_first"
    }


def test_notes_that_want_another_episode_first(folder):
    wrong = [text for text, wanted in NOTES.items() if (("Owl pellets", "Owl nests") in built(text)) != wanted]
    assert not wrong


def test_several_prerequisites(folder):
    found = built("Prerequisites: Owl nests and River moss.")
    assert found == {("Owl pellets", "Owl nests"), ("Owl pellets", "River moss")}


def test_a_rebroadcast_does_not_go_on_from_its_original(folder):
    assert built("Of owls.", "Rebroadcast: River moss", "River moss (rerun)") == set()
    assert ("River moss and ferns", "River moss") in built("Of owls.", "River moss and ferns")


def test_a_correction_puts_one_episode_before_another(folder, capsys):
    Path("podgraph.toml").write_text('[corrections]\nbefore = [["Owl pellets", "Owl nests"], ["River moss", "Gone"]]\n')
    assert built("Prerequisites: Owl nests") == {("Owl nests", "Owl pellets")}
    assert main(["build", "feed.xml", "--as", "episodes", "--fresh", "--force", "-o", "g.json"]) == 0
    assert "before = 'Gone' applies to nothing" in capsys.readouterr().err
    assert main(["order", "Owl nests", "-g", "g.json", "--json"]) == 0
    steps = json.loads(capsys.readouterr().out)["steps"]
    assert [step["title"] for step in steps] == ["Owl pellets", "Owl nests"]
    assert "a correction" in steps[0]["reason"]


def test_a_correction_outweighs_a_longer_way(folder):
    Path("podgraph.toml").write_text(
        '[corrections]\nbefore = [["Owl pellets", "River moss"], ["River moss", "Owl nests"]]\n'
    )
    assert built("Prerequisites: Owl nests") == {("Owl nests", "River moss"), ("River moss", "Owl pellets")}


def test_of_two_corrections_that_contradict_each_other_the_first_counts(folder, capsys):
    pairs = '[["Owl nests", "River moss"], ["River moss", "Owl nests"]]'
    Path("podgraph.toml").write_text(f"[corrections]\nbefore = {pairs}\n")
    assert built("Of owls.") == {("River moss", "Owl nests")}
    assert main(["build", "feed.xml", "--as", "episodes", "--fresh", "--force", "-o", "g.json"]) == 0
    assert "contradicts an earlier one" in capsys.readouterr().err
