"""`podgraph why`: of the snapshot, and of the graph of a show that nobody here knows."""

import json
import sys

import pytest

from podgraph.output.cli import main
from tests.output.running import run

FEED = """<rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Bread and Water</title>
<link>https://bread.example/</link><itunes:author>Ann Baker</itunes:author>
<item><title>Sourdough</title><itunes:episode>1</itunes:episode><guid>1</guid>
<link>https://bread.example/1</link><description><![CDATA[<p>Thanks for PR #99 and #1234.</p>
<p><a href="https://github.com/a/b/pull/7">the   recipe</a> by Ann Baker, README.md</p>]]></description></item>
<item><title>Rye</title><itunes:episode>2</itunes:episode><guid>2</guid></item>
</channel></rss>"""

OF_A_SUBJECT = "https://pytorch-dev-podcast.simplecast.com"  # whose bare numbers are of its repository


@pytest.fixture(scope="module")
def bread(tmp_path_factory):
    folder = tmp_path_factory.mktemp("why")
    (folder / "feed.xml").write_text(FEED, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["build", "feed.xml", "-q", "-o", "bread.json", "-o", "bread.sqlite", "-o", "bread.graphml"]) == 0
        assert main(["build", "feed.xml", "-q", "--repo", "o/r", "-o", "named.json"]) == 0
        (folder / "hub.xml").write_text(FEED.replace("https://bread.example/<", f"{OF_A_SUBJECT}<"), "utf-8")
        assert main(["build", "hub.xml", "-q", "-o", "hub.json"]) == 0
    return folder


NO_REPOSITORY = "names no repository, and none is known of this podcast: `--repo OWNER/NAME` says which"
BOTH = "found now, but this graph was built without it: with other rules or options, or from other notes"
ASKED = [
    # words, status, lines of (extractor, quote, relation, what)
    (["1", "PR #99"], 0, ["references\tPR #99\tdropped\t" + NO_REPOSITORY]),
    (["1", "PR #99", "--repo", "o/r"], 0, ["references\tPR #99\tdropped\t" + BOTH]),
    (["sour", "pr  #99"], 0, ["references\tPR #99\tdropped\t" + NO_REPOSITORY]),
    (["1", "the recipe"], 0, ["github\tthe recipe\tcites\t"]),
    (["1", "README.md"], 0, ["urls\tREADME.md\tdropped\treads as no address"]),
    (["1", "thanks"], 1, []),
]


def why(capsys, words):
    status, out, err = run(capsys, "why", *words)
    return status, out.splitlines(), err


@pytest.mark.parametrize("graph", ["bread.json", "bread.sqlite", "bread.graphml"])
@pytest.mark.parametrize(("words", "status", "lines"), ASKED)
def test_why_of_a_show_nobody_knows(bread, capsys, graph, words, status, lines):
    found = why(capsys, [*words, "-g", str(bread / graph)])
    assert found[0] == status
    assert len(found[1]) == len(lines)
    assert all(line.startswith(start) for line, start in zip(found[1], lines, strict=True))
    assert found[2] == (
        "" if status == 0 else "podgraph: no extractor saw anything in it; `podgraph show NODE` has the notes\n"
    )


def test_what_the_graph_says_counts(bread, capsys):
    graph = str(bread / "named.json")
    assert why(capsys, ["1", "#1234", "-g", graph])[1] == ["references\t#1234\tcites\to/r#1234\tgithub:o/r#1234"]


def test_words_that_do_not_stand_in_the_notes(bread, capsys):
    status, out, err = why(capsys, ["rye", "see a/b#12", "-g", str(bread / "bread.json")])
    assert (status, out) == (0, ["references\ta/b#12\tcites\ta/b#12\tgithub:a/b#12"])
    assert err.startswith("podgraph: the title and the notes of Rye do not hold these words: read as if")


BEHIND = [
    # post, words, what a line says of them: they are read behind the post's notes, in the feed of its blog
    ("rye", "a vmap of it", "about\tvmap\ttopic:vmap"),
    ("oats", "a vmap of it", "topics of PyTorch are not looked for"),
    ("oats", "see also: Rye bread", "see_also\tRye bread\tblog:mill.example/rye"),
]


@pytest.mark.parametrize(("post", "text", "told"), BEHIND)
def test_they_are_read_behind_the_notes_of_a_post_among_those_of_its_blog(tmp_path, capsys, post, text, told):
    item = "<item><title>{}</title><link>https://mill.example/{}</link><description>{}</description></item>"
    items = item.format("Rye bread", "rye", "PyTorch: how PyTorch does it, with torch.nn") + item.format(
        "Oats", "oats", "Oats."
    )
    (tmp_path / "feed.xml").write_text(f"<rss><channel><title>Mill</title>{items}</channel></rss>", "utf-8")
    assert main(["build", str(tmp_path / "feed.xml"), "--as", "posts", "-q", "-o", str(tmp_path / "g.json")]) == 0
    assert told in "\n".join(why(capsys, [post, text, "-g", str(tmp_path / "g.json")])[1])


def test_the_title_comes_first_then_places_in_order(tmp_path, capsys):
    item = "<item><title>On a/b#12</title><guid>1</guid><description>a/b#1, then a/b#12</description></item>"
    (tmp_path / "feed.xml").write_text(f"<rss><channel><title>Mill</title>{item}</channel></rss>", "utf-8")
    assert main(["build", str(tmp_path / "feed.xml"), "-q", "-o", str(tmp_path / "g.json")]) == 0
    _, out, _ = why(capsys, ["on a/b#12", "a/b#1", "--json", "-g", str(tmp_path / "g.json")])
    places = [(one["field"], one["quote"]) for one in json.loads("\n".join(out))["seen"] if one["relation"] != "about"]
    assert list(dict.fromkeys(places)) == [("title", "a/b#12"), ("notes", "a/b#1"), ("notes", "a/b#12")]


def test_a_number_is_of_the_repository_that_the_podcast_is_known_by(bread, capsys):
    _, out, _ = why(capsys, ["rye", "see #4321", "-g", str(bread / "hub.json")])
    assert [line.split("\t")[1:4] for line in out] == [["#4321", "cites", "pytorch/pytorch#4321"]]


def test_the_answer_for_programs(bread, capsys):
    _, out, err = why(capsys, ["1", "PR #99", "--json", "-g", str(bread / "bread.json")])
    answer = json.loads("\n".join(out))
    assert err == ""
    assert answer == {
        "query": "PR #99", "id": "episode:bread-and-water/sourdough", "title": "Sourdough", "found": True, "field": "notes",
        "seen": [{"extractor": "references", "field": "notes", "start": 11, "end": 17, "quote": "PR #99", "reason": NO_REPOSITORY}],
    }  # fmt: skip
    status, out, err = why(capsys, ["1", "no such words", "--json", "-g", str(bread / "bread.json")])
    assert (status, err) == (1, "")
    assert json.loads("\n".join(out)) | {"id": ""} == {
        "query": "no such words", "id": "", "title": "Sourdough", "found": False, "field": "", "seen": [],
    }  # fmt: skip


@pytest.mark.parametrize("terminal", [False, True])
def test_what_is_boilerplate_is_said_to_be(tmp_path, capsys, monkeypatch, terminal):
    item = "<item><title>{0}</title><guid>{0}</guid><description>Of {0}. Rate us: https://stars.example/r</description></item>"
    items = "".join(map(item.format, ("wheat", "rye", "spelt", "oats")))
    (tmp_path / "feed.xml").write_text(f"<rss><channel><title>Flour</title>{items}</channel></rss>", "utf-8")
    graph = str(tmp_path / "flour.json")
    assert main(["build", str(tmp_path / "feed.xml"), "-q", "-o", graph]) == 0
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    _, out, _ = why(capsys, ["rye", "https://stars.example/r", "-g", graph])
    assert "cites" in " ".join(out)
    assert "(boilerplate: " in " ".join(out)
    _, out, _ = why(capsys, ["rye", "https://stars.example/r", "--json", "-g", graph])
    (seen,) = json.loads("\n".join(out))["seen"]
    assert (seen["relation"], seen["boilerplate"], seen["reason"].startswith("boilerplate")) == ("cites", True, False)
    assert seen["reason"]


SNAPSHOT = [
    ("Compiler collectives", "https://github.com/pytorch/pytorch/pull/130935", "github:pytorch/pytorch#130935"),
    ("vmap", "vmap", "topic:vmap"),
]


@pytest.mark.parametrize(("episode", "text", "id_"), SNAPSHOT)
def test_why_of_the_snapshot(sample_file, capsys, episode, text, id_):
    status, out, err = why(capsys, [episode, text, "-g", str(sample_file)])
    assert (status, err) == (0, "")
    assert id_ in {line.split("\t")[-1] for line in out}
    assert not any("built without it" in line for line in out)


def test_what_was_found_in_the_snapshot_is_found_again(sample_file):
    """The notes of a saved graph are read as those of its feeds were."""
    from podgraph import open as open_graph

    graph = open_graph(sample_file)
    for row in graph.list("episodes")[:12]:
        notes = row.summary
        answer = graph.why(row.id, notes) if notes else None
        assert answer is None or not [one for one in answer.seen if "built without it" in one.reason]


@pytest.mark.parametrize(("words", "said"), [(["nothing-like-it", "x"], "no episode is called"), (["", "x"], "empty")])
def test_no_such_episode(bread, capsys, words, said):
    status, _, err = why(capsys, [*words, "-g", str(bread / "bread.json")])
    assert status in {1, 2}
    assert said in err


def test_a_terminal_gets_the_title_and_names_of_kinds(bread, capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    _, out, _ = why(capsys, ["1", "the recipe", "-g", str(bread / "bread.json")])
    assert "Sourdough, notes:" in out[0]
    assert any("(pull request)" in line for line in out)
