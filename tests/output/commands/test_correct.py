"""``podgraph correct``: one line in the settings, checked against the graph."""

from __future__ import annotations

import tomllib

import pytest

import podgraph
from podgraph.output.cli import main
from podgraph.output.commands.correct import add_correction
from tests.tables import read_rows

FEED = """<rss version="2.0"><channel><title>Crumb</title>
<item><title>Sourdough, day one</title><guid>1</guid><enclosure url="https://crumb.example/1.mp3" type="audio/mpeg"/>
<description>With Ann Lee. Sourdough wants a levain. See https://example.org/table</description></item>
<item><title>Sourdough, day two</title><guid>2</guid><enclosure url="https://crumb.example/2.mp3" type="audio/mpeg"/>
<description>Sourdough again: how the levain grew. See https://example.org/table</description></item>
</channel></rss>"""


@pytest.fixture
def folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    (tmp_path / "feed.xml").write_text(FEED)
    assert main(["build", "feed.xml", "-o", "podgraph.json", "-q"]) == 0
    capsys.readouterr()
    return tmp_path


RIGHT = read_rows(__file__, "RIGHT")


@pytest.mark.parametrize(("words", "table", "shown"), RIGHT, ids=[words[0] for words, *_ in RIGHT])
def test_a_correction_is_shown_and_written(folder, capsys, words, table, shown):
    (folder / "podgraph.toml").write_text('title = "Crumb"  # ours\n')
    assert main(["correct", *words]) == 0
    said = capsys.readouterr()
    assert shown in said.out + said.err
    text = (folder / "podgraph.toml").read_text()
    assert text.startswith('title = "Crumb"  # ours\n')
    assert tomllib.loads(text)["corrections"] == table
    assert main(["correct", *words]) == 0
    assert "has this correction already" in capsys.readouterr().err
    assert (folder / "podgraph.toml").read_text() == text
    assert main(["build", "feed.xml", "-q"]) == 0


WRONG = read_rows(__file__, "WRONG")


@pytest.mark.parametrize(("words", "message"), WRONG, ids=lambda value: " ".join(value) if value is not None else "")
def test_a_correction_of_nothing_is_one_line_and_writes_nothing(folder, capsys, words, message):
    assert main(["correct", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
    assert not (folder / "podgraph.toml").exists()


def test_a_correction_sees_those_before_it(folder, capsys):
    for words in (["rename", "Sourdough", "Bread"], ["merge", "levain", "bread"], ["drop", "Bread"]):
        assert main(["correct", *words]) == 0, words
    assert main(["build", "feed.xml", "-q", "-o", "podgraph.json"]) == 0
    capsys.readouterr()
    assert main(["list", "topics", "-q"]) == 1, "both topics were one, and it is gone"


def test_a_correction_leaves_the_snapshot_as_it_is(folder, capsys):
    before = podgraph.sample().networkx().number_of_edges()
    assert main(["correct", "drop", "vmap", "-g", "sample", "-q"]) == 0
    assert podgraph.sample().networkx().number_of_edges() == before


def test_a_dry_run_writes_nothing(folder, capsys):
    assert main(["correct", "drop", "sourdough", "--dry-run"]) == 0
    assert "Sourdough" in capsys.readouterr().out
    assert not (folder / "podgraph.toml").exists()


@pytest.mark.parametrize(("text", "correction", "changed"), read_rows(__file__, "TEXTS"))
def test_only_the_entry_is_added(text, correction, changed):
    assert add_correction(text, *correction) == changed
