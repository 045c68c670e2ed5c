"""The table of corrections in a file of defaults: what it may say, what is told of what it may not, that a build obeys."""

import json

import pytest

from podgraph.extractors import PodgraphError
from podgraph.graph import Corrections
from podgraph.output.cli import main
from podgraph.output.commands.corrections import read_corrections

FEED = """<rss version="2.0"><channel><title>The bog</title>
<item><title>Moss</title><guid>1</guid><description>Of moss and peat.</description><enclosure url="https://x.example/1.mp3"/></item>
<item><title>Peat</title><guid>2</guid><description>Of peat and moss.</description><enclosure url="https://x.example/2.mp3"/></item>
</channel></rss>"""


def test_all_keys_of_two_files_add_up():
    table = {
        "boilerplate": ["a"], "not_boilerplate": ["b"], "same": [["c", "d", "e"]], "no_person": ["f"], "rename": {"g": "h"},
        "merge": {"i": "j"}, "drop": ["k"], "relate": [["l", "m"]], "unrelate": [["n", "o"]], "before": [["p", "q"]],
    }  # fmt: skip
    assert set(table) == set(Corrections._fields)
    found = read_corrections([("x.toml", table), ("y.toml", {"drop": ["z"]})])
    assert found[:5] == (("a",), ("b",), (("c", "d", "e"),), ("f",), (("g", "h"),))
    assert found[5:] == ((("i", "j"),), ("k", "z"), (("l", "m"),), (("n", "o"),), (("p", "q"),))


@pytest.mark.parametrize(
    "table",
    [{"furnitur": []}, {"boilerplate": "x"}, {"boilerplate": [1]}, {"same": [["x"]]}, {"same": ["x", "y"]}, {"relate": [["a", "b", "c"]]},
     {"rename": ["a"]}, {"rename": {"a": 1}}, {"drop": [""]}],
)  # fmt: skip
def test_what_is_wrong_is_told_in_a_line(table):
    with pytest.raises(PodgraphError, match=r"x\.toml"):
        read_corrections([("x.toml", table)])


def test_a_build_obeys_and_tells_what_no_longer_applies(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "feed.xml").write_text(FEED, "utf-8")
    (tmp_path / "podgraph.toml").write_text('[corrections]\ndrop = ["Moss", "Gone"]\n', "utf-8")
    assert main(["build", "feed.xml", "-o", "g.json", "--offline"]) == 0
    nodes = json.loads((tmp_path / "g.json").read_text("utf-8"))["nodes"]
    assert {node["label"].lower() for node in nodes if node["kind"] == "topic"} == {"peat"}
    assert "the correction drop = 'Gone' applies to nothing" in capsys.readouterr().err
