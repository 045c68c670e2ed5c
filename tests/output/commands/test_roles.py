"""The role and affiliation of a person, in `show`, `cites`, `list`, the page and exports."""

import json
import re

import pytest

from podgraph.output.cli import main

FEED = """<rss version="2.0"><channel><title>Clay</title><link>https://clay.example</link>
<item><title>Glazes</title><guid>1</guid><link>https://clay.example/glazes</link><description>
Host: Nora Field. We talk with Ann Example of Kiln Works about https://github.com/o/r/pull/7</description></item>
<item><title>News</title><guid>2</guid><link>https://clay.example/news</link><description>
Links\nAn interview with Ann Example</description></item></channel></rss>"""


@pytest.fixture
def graph(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "feed.xml").write_text(FEED, "utf-8")
    assert main(["build", "feed.xml", "-o", "g.json", "-o", "g.html", "-o", "g.csv", "-q", "--offline"]) == 0
    return tmp_path


def test_show_has_the_roles(graph, capsys):
    assert main(["show", "https://clay.example/glazes", "-g", "g.json"]) == 0
    shown = capsys.readouterr().out
    assert "\tAnn Example (guest, Kiln Works)\t" in shown
    assert "\tNora Field (host)\t" in shown
    assert main(["show", "https://clay.example/news", "-g", "g.json"]) == 0
    assert "\tAnn Example\t" in capsys.readouterr().out


def test_cites_has_the_role_in_each_episode(graph, capsys):
    assert main(["cites", "Ann Example", "-g", "g.json", "--json"]) == 0
    episodes = json.loads(capsys.readouterr().out)["episodes"]
    assert {one["title"]: (one["role"], one.get("affiliation")) for one in episodes} == {
        "Glazes": ("guest", "Kiln Works"),
        "News": ("mentioned", None),
    }
    assert main(["cites", "o/r#7", "-g", "g.json", "--json"]) == 0
    assert "role" not in json.loads(capsys.readouterr().out)["episodes"][0]


def test_list_has_the_strongest_role(graph, capsys):
    assert main(["list", "people", "-g", "g.json"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert {row[2]: (row[0], row[-1]) for row in rows} == {"Ann Example": ("2", "guest"), "Nora Field": ("1", "host")}
    for kind, roles in (("people", ["guest", "host"]), ("pulls", [None])):
        assert main(["list", kind, "-g", "g.json", "--json"]) == 0
        assert [one.get("role") for one in json.loads(capsys.readouterr().out)["nodes"]] == roles


def test_exports_have_the_role(graph):
    (row,) = [line for line in (graph / "g.edges.csv").read_text("utf-8").splitlines() if "Kiln Works" in line]
    assert re.search(r"\bguest\b", row)
