"""What was looked up, as the commands tell it: a feed that cites things of a made repository, and a clone of it."""

import json

import jsonschema
import networkx
import pytest

import podgraph
from podgraph.extractors import want
from podgraph.extractors.metadata import archive
from podgraph.extractors.metadata.asked import Found
from podgraph.extractors.metadata.titles import Titles
from podgraph.extractors.sources.cache import Fetched
from podgraph.output.cli import main
from podgraph.output.pipeline import look_up_in
from tests.extractors.metadata.histories import git
from tests.extractors.metadata.made_github import TOKEN, MadeGitHub, pull, talk
from tests.extractors.metadata.test_checkout import a_history
from tests.loopback import Loopback, reply
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
    jsonschema.Draft202012Validator(SCHEMA).validate(graph)
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
    assert "looked into r (o/r): 3 of 5 numbers landed, 1 of 2 files and folders" in capsys.readouterr().err


# words -> lines that a pipe gets
ANSWERS = {
    ("cites", "o/r#1"): ["\tEp one\tpull/1 <https://github.com/o/r/pull/1>\t"],
    ("cites", "https://github.com/o/r/blob/main/b/y.py"): ["\tEp one\tcites #1 (First), which changed this file\t"],
    ("cites", "https://github.com/o/r/blob/main/a/x.py"): [
        "\tEp one\tblob/main/a/x.py <https://github.com/o/r/blob/main/a/x.py>\t"
    ],
    ("search", "first"): ["pull\tFirst\t\tgithub:o/r#1", "episode\tEp one\tFirst\tepisode:show/ep-one"],
    ("search", "o/r#1", "-n", "1"): ["pull\tFirst\t\tgithub:o/r#1"],
    ("list", "files", "--status", "gone"): ["1\tfile\to/r:gone.py\thttps://github.com/o/r/blob/HEAD/gone.py\tgithub:o/r:gone.py"],
    ("list", "pulls", "--state", "open"): [],
    ("list", "pulls", "--state", "merged", "-n", "1"): ["1\tpull\tFirst\thttps://github.com/o/r/pull/1\tgithub:o/r#1"],
}  # fmt: skip


@pytest.mark.parametrize("file", ["podgraph.json", "g.sqlite"])
@pytest.mark.parametrize("words", ANSWERS, ids=" ".join)
def test_an_answer(words, file, built, capsys):
    status, out, _ = run(capsys, *words, "-g", file)
    assert out.splitlines() == ANSWERS[words]
    assert status == (0 if ANSWERS[words] else 1)


def test_cites_says_title_and_state(built, capsys):
    _, out, _ = run(capsys, "cites", "o/r#1", "--json")
    answer = json.loads(out)
    assert (answer["title"], answer["state"]) == ("First", "merged")
    _, out, _ = run(capsys, "cites", "github:o/r:b/y.py", "--json")
    assert json.loads(out)["episodes"][0]["reasons"] == ["cites #1 (First), which changed this file"]


# file -> what it says of pull request 1, which is called First and was merged
SAYS = {
    "x.html": ">First</a> <time>2020-09-13</time> (merged)",
    "x.md": "- [First](<https://github.com/o/r/pull/1>) (pull, merged)",
    "x.bib": "title = {{First}},\n  author = {Ann Example},\n  howpublished = {Pull request, o/r},\n  note = {Merged},",
    "x.csl.json": '"title": "First"',
}  # fmt: skip


def test_titles_and_states_stand_in_what_is_written_for_readers(built, capsys):
    assert main(["export", *SAYS, "-q"]) == 0
    for name, words in SAYS.items():
        assert words in (built / name).read_text("utf-8"), name
    assert {"title": "First", "status": "merged"}.items() <= next(
        item for item in json.loads((built / "x.csl.json").read_text("utf-8")) if item["title"] == "First"
    ).items()


def test_review_leads_through_what_changed_a_file(built, capsys):
    status, out, _ = run(capsys, "review", "b/z.py", "--json")
    (episode,) = json.loads(out)["episodes"]
    assert (status, episode["files"], episode["reasons"]) == (
        0,
        ["b/z.py"],
        ["cites #1 (First), which changed this file"],
    )


def test_where_leads_through_what_changed_a_file(built, capsys):
    status, out, _ = run(capsys, "where", "b/z.py", "--json")
    episode = json.loads(out)["episodes"][0]
    assert (status, episode["reasons"]) == (0, ["cites #1 (First), which changed this file"])


def test_the_library_builds_the_same(built):
    graph = podgraph.build("feed.xml", checkout=["r"])
    assert graph.export("again.json")
    assert (built / "again.json").read_bytes() == (built / "podgraph.json").read_bytes()
    assert podgraph.build("feed.xml", checkout=built / "r").cites("o/r#1").title == "First"
    with pytest.raises(podgraph.SourceError, match="nowhere: there is no such folder"):
        podgraph.build("feed.xml", checkout="o/r=nowhere")


def test_the_library_asks_github_and_pages(here, server, monkeypatch):
    server.on("*", MadeGitHub({"o/r#1": pull()}))
    assert podgraph.build("feed.xml", github=True).cites("o/r#1").title == "Title of 1"
    monkeypatch.delenv("GITHUB_TOKEN")
    assert podgraph.build("feed.xml", offline=True).cites("o/r#1").title == "Title of 1"
    asked = []
    monkeypatch.setattr(Titles, "look_up", lambda *_, offline: asked.append(offline) or Found())
    monkeypatch.setattr(archive.Archive, "look_up", lambda *_, offline: asked.append(offline) or Found())
    podgraph.build("feed.xml", titles=True)
    assert asked == [False]
    podgraph.build("feed.xml", archive=True)
    assert asked == [False, False]


def test_links_have_json(built, capsys):
    _, out, _ = run(capsys, "stats", "--links", "--json")
    answer = json.loads(out)
    assert answer["statuses"] == {"ok": 0, "moved": 1, "gone": 1, "unknown": 5}
    assert [(one["id"], one["status"]) for one in answer["changed"]] == [
        ("github:o/r:a/x.py", "moved"), ("github:o/r:gone.py", "gone"),
    ]  # fmt: skip
    _, out, _ = run(capsys, "stats", "--fields", "id", "--links")
    assert json.loads(out)["changed"] == [{"id": "github:o/r:a/x.py"}, {"id": "github:o/r:gone.py"}]
    assert run(capsys, "stats", "--links", "--fields", "colour")[0] == 2


def test_links_say_what_moved(built, capsys):
    _, out, _ = run(capsys, "stats", "--links")
    assert "moved\to/r:a/x.py\thttps://github.com/o/r/blob/HEAD/d/x.py\tEp one\t" in out.splitlines()


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


@pytest.fixture
def server(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "GH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    with Loopback() as running:
        monkeypatch.setenv("GITHUB_API_URL", running.url(""))
        yield running


def test_a_saved_graph_gets_what_a_build_would_have(here, server, capsys):
    things = {"o/r#1": pull(1, "newer/name"), "o/r#2": pull(2, "newer/name"), "o/r#77": talk("Issue", 77, "newer/name")}
    things |= {f"newer/name{key.removeprefix('o/r')}": thing for key, thing in things.items()}
    server.on("*", MadeGitHub(things))
    assert main(["build", "feed.xml", "--github", "-q", "-o", "built.json"]) == 0
    assert main(["build", "feed.xml", "-q", "-o", "saved.json"]) == 0
    assert main(["look-up", "saved.json"]) == 0
    assert "podgraph: wrote saved.json" in capsys.readouterr().err
    built, saved = (json.loads((here / f"{name}.json").read_text("utf-8")) for name in ("built", "saved"))
    computed = ("x", "y", "x_wide", "y_wide", "x_tall", "y_tall")
    bare = [[{k: v for k, v in node.items() if k not in computed} for node in g["nodes"]] for g in (built, saved)]
    assert bare[0] == bare[1]
    assert built["edges"] == saved["edges"]
    jsonschema.Draft202012Validator(SCHEMA).validate(saved)
    status, out, _ = run(capsys, "cites", "https://github.com/o/r/pull/1", "-g", "saved.json", "--json")
    assert (status, json.loads(out)["id"], json.loads(out)["title"]) == (0, "github:newer/name#1", "Title of 1")
    before = (here / "saved.json").read_bytes()
    assert main(["look-up", "saved.json"]) == 0
    assert (here / "saved.json").read_bytes() == before


def test_a_graph_of_which_nothing_becomes_known_stays(here, server, capsys):
    server.on("*", reply(500))
    assert main(["build", "feed.xml", "-q", "-o", "saved.json"]) == 0
    before = (here / "saved.json").read_bytes()
    status, _, err = run(capsys, "look-up", "saved.json")
    assert (status, (here / "saved.json").read_bytes()) == (1, before)
    assert err.endswith("podgraph: nothing became known\n")


@pytest.mark.parametrize(("words", "reason"), [
    (["--archive"], "no link is known to have moved or gone, and --titles finds out"),
    (["--offline"], "no new answer of an earlier look-up is kept; run it without --offline"),
])  # fmt: skip
def test_the_reason_why_nothing_became_known(here, capsys, words, reason):
    assert main(["build", "feed.xml", "-q", "-o", "saved.json"]) == 0
    status, _, err = run(capsys, "look-up", "saved.json", *words)
    assert (status, err.splitlines()[-1]) == (1, f"podgraph: nothing became known: {reason}")


def test_open_pulls(here, server, capsys):
    things = {"o/r#1": pull(), "o/r#2": talk(number=2), "o/r#5": talk(number=5, isDraft=True)}
    server.on("*", MadeGitHub(things))
    assert main(["build", "feed.xml", "--github", "-q", "-o", "podgraph.json"]) == 0
    _, out, _ = run(capsys, "list", "pulls", "--state", "open")
    assert [line.split("\t")[-1] for line in out.splitlines()] == ["github:o/r#2", "github:o/r#5"]


GONE = "https://github.com/o/r/blob/HEAD/gone.py"
ARCHIVED = f"https://web.archive.org/web/20180103000000/{GONE}"


@pytest.fixture
def archived(here, capsys, monkeypatch):
    """A graph with copies of its dead links, `podgraph.json`: the list of the requested addresses."""
    asked = []

    def fetch(url, **_):
        asked.append(url)
        closest = {"available": True, "url": "http://x", "timestamp": "20180103000000", "status": "200"}
        return Fetched(
            json.dumps({"archived_snapshots": {"closest": closest} if "gone.py" in url else {}}).encode(), url
        )

    monkeypatch.setattr(archive, "fetch_url", fetch)
    monkeypatch.setattr(archive, "_PAUSE", 0)
    feed = (here / "feed.xml").read_text("utf-8")
    dated = feed.replace("<guid>", "<pubDate>Tue, 02 Jan 2018 10:00:00 GMT</pubDate><guid>")
    (here / "feed.xml").write_text(dated, "utf-8")
    assert main(["build", "feed.xml", "--checkout", "r", "-q", "-o", "podgraph.json"]) == 0
    assert main(["look-up", "podgraph.json", "--archive"]) == 0
    assert "asked archive.org for copies of 2 links: 1 found" in capsys.readouterr().err
    return asked


def test_a_look_up_adds_archived_copies(archived, here, capsys):
    """The answers are made from the documentation of the service, as in test_archive.py."""
    assert len(archived) == 2
    assert all(url.endswith("&timestamp=20180102") for url in archived)
    assert main(["build", "feed.xml", "--checkout", "r", "--archive", "-q", "-o", "built.json"]) == 0
    assert len(archived) == 2, "answers are kept"
    nodes = [json.loads((here / name).read_text("utf-8"))["nodes"] for name in ("podgraph.json", "built.json")]
    assert [[n["archived_url"] for n in some if n.get("archived_url")] for some in nodes] == [[ARCHIVED]] * 2
    assert run(capsys, "build", "feed.xml", "--checkout", "r", "--offline", "-q", "-o", "again.json")[0] == 0
    assert ARCHIVED in (here / "again.json").read_text("utf-8")
    _, out, _ = run(capsys, "stats", "--links")
    assert f"gone\to/r:gone.py\t\tEp one\t{ARCHIVED}" in out.splitlines()
    _, out, _ = run(capsys, "stats", "--links", "--json")
    assert [one.get("archived_url") for one in json.loads(out)["changed"]] == [None, ARCHIVED]
    _, out, _ = run(capsys, "show", GONE, "--json")
    assert json.loads(out)["archived_url"] == ARCHIVED
    assert run(capsys, "stats", "--links", "-o", "links.md")[0] == 0
    table = (here / "links.md").read_text("utf-8")
    assert "| id | status | current_url | named_by | archived_url |" in table
    assert f"| github:o/r:gone.py | gone |  | episode:show/ep-one | <{ARCHIVED}> |" in table


def test_the_first_day_of_a_link_and_its_state_are_known(monkeypatch):
    graph = networkx.MultiDiGraph()
    for name, date in (("a", "2021-05-06T00:00:00+00:00"), ("b", "2020-01-02"), ("c", "")):
        graph.add_node(f"episode:x/{name}", kind="episode", label=name, title=name, **({"date": date} if date else {}))
        graph.add_edge(f"episode:x/{name}", "web:gone", "cites", evidence=[])
    graph.add_edge("episode:x/c", "web:moved", "cites", evidence=[])
    graph.add_node("web:gone", kind="web", label="x", url="https://x.example/1", status="gone")
    here = "https://x.example/2"  # the graph has the present address
    graph.add_node("web:moved", kind="web", label="x", url=here, current_url=here, status="moved")
    known = {}
    monkeypatch.setattr("podgraph.extractors.look_further", lambda _, __, **given: known.update(given) or Found())
    look_up_in(graph, want(archive=True))
    assert known["states"] == {"web:gone": "gone"}
    assert known["days"] == {"web:gone": "2020-01-02", "web:moved": ""}


# file -> what it has of the archived copy
COPIES = {
    "x.graphml": f">{ARCHIVED}<",
    "x.gexf": f'value="{ARCHIVED}"',
    "x.md": f"(file, gone, [archived copy](<{ARCHIVED}>))",
    "x.ttl": f"schema:archivedAt <{ARCHIVED}>",
    "x.jsonld": ARCHIVED,
    "x.cypher": ARCHIVED,
    "x.cyjs": ARCHIVED,
    "x.nodes.csv": ARCHIVED,
}


def test_archived_copies_are_in_exports(archived, here, capsys):
    assert main(["export", *COPIES, "site/", "x.sqlite", "-q"]) == 0
    for name, words in COPIES.items():
        assert words in (here / name).read_text("utf-8"), name
    link = f'<a href="{ARCHIVED}">archived copy</a>'
    assert sum(link in path.read_text("utf-8") for path in (here / "site").rglob("*.html")) >= 1
    _, out, _ = run(capsys, "show", GONE, "-g", "x.sqlite", "--json")
    assert json.loads(out)["archived_url"] == ARCHIVED


def test_references_name_archived_copies(archived, here, capsys):
    graph = json.loads((here / "podgraph.json").read_text("utf-8"))
    for node in graph["nodes"]:
        if node.get("archived_url"):
            node |= {"kind": "blog", "title": "A post"}
    (here / "podgraph.json").write_text(json.dumps(graph), "utf-8")
    assert main(["export", "x.bib", "x.csl.json", "-q"]) == 0
    assert "note = {Archived copy: https://web.archive.org/" in (here / "x.bib").read_text("utf-8")
    found = json.loads((here / "x.csl.json").read_text("utf-8"))
    assert ARCHIVED in [one.get("archive_location") for one in found]
