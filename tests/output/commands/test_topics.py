"""``podgraph topics --suggest``: the file is a vocabulary that a build takes, with the topics of the feed's own words."""

import json

import pytest
from podgraph.output.commands.topics import vocabulary_lines

from podgraph.extractors import Topic, parse_vocabulary
from podgraph.output.cli import main

ITEMS = [("Moss", "Of moss and peat."), ("Peat", "Peat, and moss again."), ("Owls", "Owls in the peat.")]
FEED = "".join(
    f"<item><title>{title}</title><guid>{title}</guid><description>{notes}</description>"
    f"<enclosure url='https://x.example/{title}.mp3'/></item>"
    for title, notes in ITEMS
)


def test_a_build_takes_what_is_suggested(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "feed.xml").write_text(
        f"<rss version='2.0'><channel><title>The bog</title>{FEED}</channel></rss>", "utf-8"
    )
    assert main(["topics", "--suggest", "feed.xml", "-o", "topics.toml"]) == 0
    assert "suggested 3 topics" in capsys.readouterr().err
    assert main(["build", "feed.xml", "--vocabulary", "topics.toml", "-o", "g.json", "--offline"]) == 0
    nodes = json.loads((tmp_path / "g.json").read_text("utf-8"))["nodes"]
    assert {node["id"] for node in nodes if node["kind"] == "topic"} == {"topic:moss", "topic:peat", "topic:owls"}


def test_without_a_file_it_is_printed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "feed.xml").write_text(
        f"<rss version='2.0'><channel><title>The bog</title>{FEED}</channel></rss>", "utf-8"
    )
    assert main(["topics", "--suggest", "feed.xml", "-q"]) == 0
    assert {"moss", "peat", "owls"} == set(parse_vocabulary(capsys.readouterr().out, source="out").topics)


def test_a_feed_that_is_none_is_told_in_a_line(tmp_path, capsys):
    path = tmp_path / "x.xml"
    path.write_text("nothing", "utf-8")
    assert main(["topics", "--suggest", str(path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("label", ['say "hello"', "a\\b", "del\x7f", "味噌", "Ünder"])
def test_every_label_is_kept(label):
    text = "".join(vocabulary_lines("A\nshow", [Topic("p/x", label, ("y", label.upper()), derived=True)]))
    topic = parse_vocabulary(text, source="test").topics["x"]
    assert (topic.label, topic.aliases) == (label, ("y",))
