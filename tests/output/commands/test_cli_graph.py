"""The commands related, order, path, search and diff, as a person calls them."""

import json
import subprocess
import sys

import pytest

from podgraph.extractors import Episode, Feed, builtin_vocabulary, extract
from podgraph.graph import build_graph, enrich_graph
from podgraph.output.cli import main
from podgraph.output.formats import write_graph

EPISODES = (
    Episode("episode:p/vmap", "episode", "podcast:p", "vmap", "vmap and functorch", url="https://p.org/vmap", number=1),
    Episode(
        "episode:p/batching", "episode", "podcast:p", "Batching", "Listen to this first: https://p.org/vmap", number=2
    ),
    Episode("episode:p/graphs", "episode", "podcast:p", "CUDA graphs", "CUDA graphs and vmap", number=3),
    Episode("episode:p/trees", "episode", "podcast:p", "CUDA graph trees", "CUDA graphs as trees", number=4),
    Episode("episode:p/probot", "episode", "podcast:p", "pytorch-probot", "", number=5),
)


@pytest.fixture
def saved(tmp_path, monkeypatch):
    feed = Feed("s", "podcast", "podcast:p", "PyTorch", EPISODES)
    graph = build_graph([feed], extract([feed]))
    enrich_graph(graph, builtin_vocabulary())
    path = tmp_path / "graph.json"
    write_graph(graph, path)
    monkeypatch.setenv("PODGRAPH_GRAPH", str(path))
    return path


def rows(capsys):
    return [line.split("\t") for line in capsys.readouterr().out.splitlines()]


def test_related(saved, capsys):
    assert main(["related", "CUDA graph trees"]) == 0
    first = rows(capsys)[0]
    assert first[1] == "CUDA graphs"
    assert "both about CUDA graphs" in first[2]


def test_related_as_json(saved, capsys):
    assert main(["related", "batching", "-n", "1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["id"], answer["found"]) == ("episode:p/batching", True)
    assert [one["id"] for one in answer["related"]] == ["episode:p/vmap"]
    assert "“Batching” says: listen to “vmap” first" in answer["related"][0]["reasons"]


def test_nothing_related(saved, capsys):
    assert main(["related", "probot"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "nothing is related" in captured.err


def test_an_ambiguous_episode_lists_the_candidates(saved, capsys):
    assert main(["related", "CUDA"]) == 2
    assert "CUDA graph trees" in capsys.readouterr().err


def test_order_of_an_episode(saved, capsys):
    assert main(["order", "Batching", "--episode"]) == 0
    assert [row[2:4] for row in rows(capsys)] == [
        ["vmap", "listen to it before Batching"],
        ["Batching", "the episode you asked for"],
    ]


def test_order_of_a_topic(saved, capsys):
    assert main(["order", "--topic", "vmap", "--json"]) == 0
    steps = json.loads(capsys.readouterr().out)["steps"]
    assert [step["title"] for step in steps] == ["vmap", "CUDA graphs"]
    assert all(step["reason"] for step in steps)


def test_order_of_everything(saved, capsys):
    assert main(["order"]) == 0
    assert len(rows(capsys)) == len(EPISODES)


@pytest.mark.parametrize(("words", "status"), [(["order", "--topic", "nowhere"], 1), (["order", "nowhere"], 1)])
def test_order_of_nothing(saved, capsys, words, status):
    assert main(words) == status
    assert "nowhere" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["-n", "--limit"])
def test_path_says_why(saved, capsys, option):
    assert main(["path", "vmap", "CUDA graph trees", option, "2", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert len(answer["paths"]) == 2
    for way in answer["paths"]:
        assert (way[0]["source"], way[-1]["target"]) == ("episode:p/vmap", "episode:p/trees")
        assert all("evidence" in step or "reasons" in step for step in way)


def test_path_between_anything(saved, capsys):
    assert main(["path", "topic:vmap", "probot"]) == 0
    assert all(len(row) == 4 for row in rows(capsys))
    assert main(["path", "vmap", "vmap"]) == 1
    assert main(["path", "vmap", "nowhere"]) == 1


def test_search(saved, capsys):
    assert main(["search", "graph", "tree"]) == 0
    assert rows(capsys)[0][:2] == ["episode", "CUDA graph trees"]
    assert main(["search", "nowhere"]) == 1
    assert main(["search", "graph", "--kind", "nonsense"]) == 2
    capsys.readouterr()
    assert main(["search", "graph", "--kind", "topics", "--json"]) == 0
    assert {one["kind"] for one in json.loads(capsys.readouterr().out)["nodes"]} == {"topic"}


def test_search_knows_an_episode_by_its_number(saved, capsys):
    for text in ("4", "#4"):
        assert main(["search", text]) == 0
        assert rows(capsys)[0][:2] == ["episode", "CUDA graph trees"]
    assert main(["search", "44"]) == 1


NOT_THERE = [
    (("related", "nosuch"), {"found": False, "problem": "no episode is called 'nosuch'"}),
    (("show", "nosuch"), {"found": False, "problem": "no node is called 'nosuch'"}),
    (("order", "nosuch"), {"found": False, "problem": "no topic or episode is called 'nosuch'"}),
    (("path", "nosuch", "vmap"), {"found": False, "problem": "nothing in the graph is called 'nosuch'"}),
    (("why", "nosuch", "x"), {"found": False, "problem": "no episode is called 'nosuch'"}),
    (("list", "episodes", "--topic", "nosuch"), {"found": False, "problem": "no topic is called 'nosuch'"}),
    (("search", "nosuch"), {"query": "nosuch", "found": False, "total": 0, "nodes": []}),
]


@pytest.mark.parametrize(("words", "answer"), NOT_THERE, ids=str)
def test_what_is_not_there_is_json_too(words, answer, saved, capsys):
    assert main([*words, "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == answer


def test_diff_shows_where_long_texts_begin_to_differ(saved, tmp_path, capsys):
    both = [
        Episode("episode:p/a", "episode", "podcast:p", "A", "words of a text " * 20 + end) for end in ("old", "new")
    ]
    for name, episode in zip(("old.json", "new.json"), both, strict=True):
        feed = Feed("s", "podcast", "podcast:p", "PyTorch", (episode,))
        write_graph(build_graph([feed], extract([feed])), tmp_path / name)
    assert main(["diff", str(tmp_path / "old.json"), str(tmp_path / "new.json")]) == 0
    (change,) = [row[4] for row in rows(capsys) if row[4].startswith("summary")]
    assert change == "summary: …ext words of a text old -> …ext words of a text new"


def test_diff(saved, tmp_path, capsys):
    data = json.loads(saved.read_text("utf-8"))
    newer = tmp_path / "new.json"
    data["nodes"].append({"id": "topic:new", "kind": "topic", "label": "new"})
    newer.write_text(json.dumps(data), "utf-8")
    assert main(["diff", str(saved), str(newer)]) == 0
    assert rows(capsys) == [["+", "topic", "new", "topic:new", ""]]
    for form in ([], ["--json"]):
        assert main(["diff", str(saved), str(newer), "--exit-code", *form]) == 1
        assert main(["diff", str(saved), str(saved), "--exit-code", *form]) == 0
        assert main(["diff", str(saved), str(saved), *form]) == 0
    assert main(["diff", str(saved), str(tmp_path / "none.json")]) == 2


@pytest.mark.parametrize("words", [["search", "vmap"], ["related", "vmap"], ["order", "vmap"]])
def test_questions_do_not_wait_for_networkx(saved, words):
    code = f"import sys; from podgraph.output.cli import main; main({words!r}); sys.exit('networkx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0


GARDEN = """{"version": "https://jsonfeed.org/version/1.1", "title": "Bread", "items": [
{"id": "1", "title": "Levain", "content_text": "x", "attachments": [{"url": "https://b.org/1.mp3", "mime_type": "audio/mpeg"}]},
{"id": "2", "title": "Old sourdough", "content_text": "y", "attachments": [{"url": "https://b.org/2.mp3", "mime_type": "audio/mpeg"}]}]}"""


def test_a_vocabulary_of_ones_own(tmp_path, capsys):
    (tmp_path / "feed.json").write_text(GARDEN, "utf-8")
    (tmp_path / "bread.toml").write_text('[[topic]]\nlabel = "Sourdough"\naliases = ["levain"]\n', "utf-8")
    graph = tmp_path / "g.json"
    words = ["build", str(tmp_path / "feed.json"), "-o", str(graph), "--offline"]
    assert main([*words, "--vocabulary", str(tmp_path / "bread.toml")]) == 0
    assert main(["related", "Levain", "-g", str(graph)]) == 0
    assert "both about Sourdough" in capsys.readouterr().out
    assert main([*words, "--vocabulary", str(tmp_path / "nowhere.toml")]) == 2
    assert "nowhere.toml" in capsys.readouterr().err


def test_failures_are_told_in_the_order_of_the_sources(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd.xml").write_text("<odd/>")  # fetched or opened, and no feed: found out later than the others
    (tmp_path / "list").write_text("odd.xml\nlost.xml\n")
    (tmp_path / "feed.xml").write_text("<rss><channel><item><title>A</title></item></channel></rss>")
    assert main(["build", "no1.xml", "list", "no2.xml", "feed.xml", "-q", "-o", "g.json"]) == 2
    lines = capsys.readouterr().err.splitlines()
    told = [line.removeprefix("podgraph: left out: ").partition(":")[0] for line in lines[:-1]]
    assert told == ["no1.xml", "list", "odd.xml", "no2.xml"]
