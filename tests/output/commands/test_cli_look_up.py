"""What was looked up, as the commands tell it: a feed that cites things of a made repository, and a clone of it."""

import json

import jsonschema
import pytest

import podgraph
from podgraph.output.cli import main
from tests.extractors.metadata.histories import git
from tests.extractors.metadata.test_checkout import a_history
from tests.output.formats.test_formats import SCHEMA
from tests.output.running import run

CITED = ("pull/1", "pull/2", "issues/50", "blob/main/a/x.py", "blob/main/gone.py", "issues/5", "pull/77")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with a feed and a clone, `feed.xml` and `r`; it is the working folder."""
    a_history().write(tmp_path / "r")
    links = "".join(f'<p>see <a href="https://github.com/o/r/{path}">{path}</a></p>' for path in CITED)
    (tmp_path / "feed.xml").write_text(
        '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>show</title>'
        f"<item><title>Ep one</title><guid>1</guid><itunes:duration>60</itunes:duration><description><![CDATA[{links}]]>"
        "</description></item></channel></rss>"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def built(here, capsys):
    """The same with a graph, `podgraph.json`."""
    assert main(["build", "feed.xml", "--checkout", "r", "-q", "-o", "podgraph.json", "-o", "g.sqlite"]) == 0
    capsys.readouterr()
    return here


def test_a_build_with_a_clone_is_sound(built):
    graph = json.loads((built / "podgraph.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(graph)
    nodes = {node["id"]: node for node in graph["nodes"]}
    assert nodes["github:o/r#1"]["label"] == nodes["github:o/r#1"]["title"] == "First"
    assert nodes["github:o/r#1"]["looked_up"] == {"source": "clone of o/r", "date": "2020-09-13T12:32:40+00:00"}
    assert nodes["github:o/r#5"]["kind"] == "pull"
    assert nodes["github:o/r#77"]["label"] != "First"
    assert {edge["key"] for edge in graph["edges"]} >= {"touches", "closes", "authored_by", "landed_as"}


def test_building_again_gives_the_same_bytes(built, capsys):
    before = (built / "podgraph.json").read_bytes()
    assert main(["build", "feed.xml", "--checkout", "o/r=r", "-o", "podgraph.json"]) == 0
    assert (built / "podgraph.json").read_bytes() == before
    assert (
        "looked into r (o/r): 3 of 5 numbers landed, 0 of 0 commits, 1 of 2 files and folders"
        in capsys.readouterr().err
    )


def test_cites_says_title_and_state(built, capsys):
    _, out, _ = run(capsys, "cites", "o/r#1", "--json")
    assert json.loads(out)["rows"][0]["title"] == "Ep one"
    _, out, _ = run(capsys, "cites", "github:o/r:b/y.py", "--json")
    assert json.loads(out)["rows"][0]["reasons"] == ["cites #1 (First), which changed this file"]


@pytest.mark.parametrize("paths", [["b/z.py"], ["b/z.py", "b/none.py"]])
def test_explain_leads_through_what_changed_a_file(built, capsys, paths):
    status, out, _ = run(capsys, "explain", *paths, "--json")
    episode = json.loads(out)["rows"][-1]
    assert (status, episode["reasons"]) == (0, ["cites #1 (First), which changed this file"])


def test_the_library_builds_the_same(built):
    graph = podgraph.build("feed.xml", checkout=["r"])
    assert graph.export("again.json")
    assert (built / "again.json").read_bytes() == (built / "podgraph.json").read_bytes()
    assert podgraph.build("feed.xml", checkout=built / "r")["github:o/r#1"].title == "First"
    with pytest.raises(podgraph.SourceError, match="nowhere: there is no such folder"):
        podgraph.build("feed.xml", checkout="o/r=nowhere")


def test_a_folder_that_is_no_clone_writes_nothing(here, capsys):
    status, out, err = run(capsys, "build", "feed.xml", "--checkout", "nowhere", "-o", "x.json")
    assert (status, out) == (2, "")
    assert err == "podgraph: nowhere: there is no such folder; name the folder of a clone\n"
    assert not (here / "x.json").exists()


def test_nothing_of_the_clone_but_titles_is_in_the_graph(built):
    git(built / "r", "gc", "-q")
    text = (built / "podgraph.json").read_text("utf-8")
    assert "example.org" not in text
    assert "content" not in text.replace("content:", "")


def test_links_say_what_moved(built, capsys):
    _, out, _ = run(capsys, "stats", "--links")
    rows = [line.split("\t")[:3] for line in out.splitlines()]
    assert rows[:3] == [["links", "moved", "1"], ["links", "gone", "1"], ["links", "unknown", "5"]]
    assert rows[3:] == [["moved", "o/r:a/x.py", "1"], ["gone", "o/r:gone.py", "1"]]
