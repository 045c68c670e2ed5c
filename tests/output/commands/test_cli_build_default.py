"""A build without a source never replaces the graph of another show."""

import json

import pytest

from ..running import run

FEED = (
    '<rss version="2.0"><channel><title>Crumb</title><item><title>Levain</title><guid>1</guid>'
    '<enclosure url="https://crumb.example/1.mp3" type="audio/mpeg"/></item></channel></rss>'
)


@pytest.fixture
def folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    (tmp_path / "feed.xml").write_text(FEED)
    assert run(capsys, "build", "feed.xml", "-q")[0] == 0
    return tmp_path


def title(folder):
    return json.loads((folder / "podgraph.json").read_text("utf-8"))["graph"]["sources"][0]["title"]


def test_without_a_source_the_graph_of_another_show_stays(folder, capsys):
    before = (folder / "podgraph.json").read_bytes()
    status, out, err = run(capsys, "build", "--offline")
    assert (status, out) == (2, "")
    assert err == (
        "podgraph: podgraph.json: has the graph of Crumb; name the source: podgraph build FEED, or `sources` in "
        "podgraph.toml (--force: replace it)\n"
    )
    assert (folder / "podgraph.json").read_bytes() == before


@pytest.mark.parametrize("words", [["--force"], ["-o", "podgraph.json"], ["sample"]])
def test_a_graph_is_replaced_when_that_is_asked_for(folder, capsys, words):
    assert run(capsys, "build", "--offline", "-q", *words)[0] == 0
    assert title(folder) == "PyTorch Developer Podcast"


def test_the_default_show_replaces_itself(folder, capsys):
    for words in (["sample"], []):
        assert run(capsys, "build", "--offline", "-q", *words)[0] == 0
    assert title(folder) == "PyTorch Developer Podcast"
