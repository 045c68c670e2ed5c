"""``import podgraph``: a graph as an object, whose answers are the command's, and whose errors are the package's."""

import doctest
import json
import logging
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import networkx as nx
import pytest

import podgraph
from podgraph.output.cli import main
from tests.graph.nets import ident, net

from .running import run

ROOT = Path(__file__).parents[2]
FEEDS = ROOT / "tests/extractors/fixtures/feeds"
HEAVY = {"networkx", "feedparser", "requests", "pyvis", "rich", "lxml", "tldextract", "numpy", "pandas", "jinja2"}


@pytest.fixture(scope="module")
def saved(sample_file):
    """The snapshot in files of every kind that can be opened."""
    folder = sample_file.parent
    graph = podgraph.open(sample_file)
    for name in ("g.json.gz", "g.sqlite", "g.graphml", "g.gexf"):
        graph.export(folder / name)
    return folder


# A question of the library, and the words of the command that asks the same.
SAME = [
    (lambda g: g.cites("#130935"), "cites #130935"),
    (lambda g: g.cites(130935), "cites 130935"),
    (lambda g: g.cites("c10/core"), "cites c10/core"),
    (lambda g: g.cites("#1", repo="pytorch/vision"), "cites #1 --repo pytorch/vision"),
    (lambda g: g.cites("dispatcher"), "cites dispatcher"),
    (lambda g: g.cites("Autograd mechanics"), "cites |Autograd mechanics"),
    (lambda g: g.cites("nothing-such"), "cites nothing-such"),
    (lambda g: g.related("vmap"), "related vmap"),
    (lambda g: g.related("vmap", n=2), "related vmap -n 2"),
    (lambda g: g.related(34), "related 34"),
    (lambda g: g.order(), "order"),
    (lambda g: g.order("dispatcher"), "order dispatcher"),
    (lambda g: g.order("vmap", topic=True), "order vmap --topic"),
    (lambda g: g.order("vmap", episode=True), "order vmap --episode"),
    (lambda g: g.path("vmap", "functorch"), "path vmap functorch"),
    (lambda g: g.path("#130935", "vmap", n=3), "path #130935 vmap -n 3"),
    (lambda g: g.search("double backward"), "search double backward"),
    (lambda g: g.search("graph", n=3), "search graph -n 3"),
    (lambda g: g.search("functional", n=0, kind="topic"), "search functional -n 0 --kind topic"),
    (lambda g: g.list("episodes"), "list episodes"),
    (lambda g: g.list("episodes", year=2021, sort="title"), "list episodes --year 2021 --sort title"),
    (lambda g: g.list("artifacts", repo="pytorch/pytorch", topic="dispatcher"), "list artifacts --repo pytorch/pytorch --topic dispatcher"),
    (lambda g: g.list("files", status="moved"), "list files --status moved"),
    (lambda g: g.show("vmap"), "show vmap"),
    (lambda g: g.show("topic:dispatcher"), "show topic:dispatcher"),
    (lambda g: g.stats(), "stats"),
]  # fmt: skip


def words(line):
    """Split a command line; what follows a bar is one word."""
    first, _, last = line.partition("|")
    return [*first.split(), *([last] if last else [])]


@pytest.mark.parametrize(("ask", "line"), SAME, ids=[line for _, line in SAME])
def test_the_library_answers_as_the_command(sample_file, capsys, ask, line):
    main([*words(line), "--json", "-g", str(sample_file)])
    told = capsys.readouterr().out
    assert json.loads(json.dumps(ask(podgraph.open(sample_file)).to_dict())) == json.loads(told)


@pytest.mark.parametrize("name", ["torch.vmap", "c10/core/thread_pool.h", "TensorIterator"])
def test_where_answers_as_the_command(sample_file, capsys, name):
    main(["where", name, "--json", "-g", str(sample_file)])
    assert json.loads(json.dumps(podgraph.open(sample_file).where(name, 5).to_dict())) == json.loads(
        capsys.readouterr().out
    )


def test_where_takes_a_path_and_search_a_number():
    graph = podgraph.sample()
    assert graph.where(Path("c10/core/thread_pool.h")) == graph.where("c10/core/thread_pool.h")
    assert graph.search(130935) == graph.search("130935")


def test_diff_answers_as_the_command(sample_file, tmp_path, capsys):
    graph = podgraph.open(sample_file).networkx
    graph.remove_node("topic:vmap")
    graph.nodes["topic:dispatcher"]["label"] = "The dispatcher"
    other = tmp_path / "other.json"
    nx_data = nx.node_link_data(graph, edges="edges")
    other.write_text(json.dumps(nx_data), "utf-8")
    main(["diff", str(sample_file), str(other), "--json"])
    told = json.loads(capsys.readouterr().out)
    opened = podgraph.open(sample_file)
    assert json.loads(json.dumps(opened.diff(other).to_dict())) == told
    assert json.loads(json.dumps(opened.diff(podgraph.open(other)).to_dict())) == told
    assert [node["id"] for node in told["removed"]] == ["topic:vmap"]
    assert [node["id"] for node in told["changed"]] == ["topic:dispatcher"]


@pytest.mark.parametrize("name", ["g.json.gz", "g.sqlite", "g.graphml", "g.gexf"])
def test_every_file_answers_the_same(saved, sample_file, name):
    first = podgraph.open(sample_file)
    with podgraph.open(saved / name) as graph:
        assert len(graph) == len(first)
        for ask, line in SAME:
            if not line.startswith("show"):  # GraphML and GEXF have no lists
                assert ids(ask(graph).to_dict()) == ids(ask(first).to_dict()), line
        assert nx.utils.graphs_equal(
            nx.MultiDiGraph(graph.networkx().edges(keys=True)), nx.MultiDiGraph(first.networkx.edges(keys=True))
        )


def ids(answer):
    """Return the ids in an answer, and how often each stands there: what remains the same in every format."""
    return sorted(re.findall(r'"(?:id|source|target)": "[^"]*"', json.dumps(answer)))


LIGHT = [
    *('cites("#130935")', 'cites("torch.vmap")', 'related("vmap")', 'order("dispatcher")', 'path("vmap", "functorch")'),
    *('search("vmap")', 'list("pulls", year=2021)', 'show("vmap")', "stats()", 'where("torch.vmap")'),
]


@pytest.mark.parametrize("name", ["podgraph.json", "g.json.gz", "g.sqlite"])
def test_a_question_loads_no_heavy_library(saved, name):
    code = f"""
import sys, podgraph
g = podgraph.open(sys.argv[1])
answers = [{", ".join(f"g.{question}" for question in LIGHT)}]
print(len(g), repr(g), g._repr_html_()[:5], all(answer.to_dict() for answer in answers), file=sys.stderr)
print(*sys.modules)
"""
    run = [sys.executable, "-c", code, str(saved / name)]
    modules = subprocess.run(run, check=True, capture_output=True, text=True).stdout.split()
    assert HEAVY & set(modules) == set()


def test_the_door_itself_loads_next_to_nothing():
    code = "import sys; before = {*sys.modules}; import podgraph; print(*{*sys.modules} - before)"
    modules = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert {name for name in modules if name.startswith("podgraph")} == {"podgraph", "podgraph.lazy"}


def test_building_is_what_the_command_does(tmp_path, capsys):
    feed, out = str(FEEDS / "rss20_podcast.xml"), tmp_path / "g.json"
    assert main(["build", feed, "-o", str(out), "-q"]) == 0
    built = podgraph.build(FEEDS / "rss20_podcast.xml", offline=True)
    built.export(tmp_path / "again.json")
    *lines, digest = out.read_bytes().splitlines()  # the digest is for the next `podgraph build` alone
    assert digest.startswith(b'"build": "')
    assert (tmp_path / "again.json").read_bytes().splitlines() == [*lines[:-1], lines[-1].removesuffix(b",") + b"}"]
    assert repr(built) == f"<Graph {feed}: {built.stats().kinds['episode']} episodes, {len(built)} nodes>"
    assert podgraph.build(feed, as_kind="posts").stats().kinds.get("episode") is None


def test_what_a_build_warns_of_is_logged(tmp_path, caplog):
    with caplog.at_level(logging.WARNING, logger="podgraph"):
        built = podgraph.build(FEEDS / "rss20_podcast.xml", tmp_path / "missing.xml")
    assert len(built)
    assert [f"left out: {tmp_path / 'missing.xml'}: there is no such file" in line for line in caplog.messages] == [
        True
    ]


def test_the_snapshot_is_built_once():
    assert podgraph.sample() is podgraph.sample()


def test_the_snapshot_opens_by_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sample").write_text("none")
    assert podgraph.open("sample") is podgraph.sample()


ERRORS = [
    (lambda g: g.show("nothing-such"), podgraph.NotFoundError, "no node is called 'nothing-such'"),
    (lambda g: g.related("nothing-such"), podgraph.NotFoundError, "no episode"),
    (lambda g: g.path("vmap", "functorch", n=0), podgraph.QueryError, "give a whole number from 1"),
    (lambda g: g.list("episodes", since="2024-13"), podgraph.QueryError, "invalid date '2024-13' for since"),
    (lambda g: g.cites("vmap").to_dict("nonsense"), podgraph.QueryError, "cites has no field 'nonsense'; use all, or of id, title,"),
    (lambda g: g.stats().to_dict(["kinds", "x"]), podgraph.QueryError, "stats has no field 'x'"),
    (lambda g: g.related("vmap", n="5"), podgraph.QueryError, "invalid number of results '5'"),
    (lambda g: g.path("vmap", "nothing-such"), podgraph.NotFoundError, "nothing in the graph"),
    (lambda g: g.path("vmap", "functorch", n=-1), podgraph.QueryError, "whole number"),
    (lambda g: g.order("nothing-such"), podgraph.NotFoundError, "no topic or episode"),
    (lambda g: g.cites(""), podgraph.QueryError, "an empty reference"),
    (lambda g: g.search(""), podgraph.QueryError, "an empty text"),
    (lambda g: g.search("x", n=-1), podgraph.QueryError, "whole number from 0"),
    (lambda g: g.search("x", kind="nonsense"), podgraph.QueryError, "unknown kind 'nonsense'"),
    (lambda g: g.list("nonsense"), podgraph.QueryError, "unknown kind 'nonsense'"),
    (lambda g: g.list("episodes", topic="nonsense"), podgraph.NotFoundError, "no topic is called 'nonsense'"),
    (lambda g: g.list("episodes", sort="nonsense"), podgraph.QueryError, "unknown order 'nonsense'"),
    (lambda g: g.export("g.nonsense"), podgraph.OutputError, "no suffix that names a format"),
    (lambda g: g.export("g.json", dynamic=True), podgraph.OutputError, "json: has no option 'dynamic'; it has kinds, relations, "),
    (lambda g: g.export("g.gexf", nonsense=True), podgraph.OutputError, "gexf: has no option 'nonsense'; it has dynamic, kinds, "),
    (lambda g: g.page("/nowhere/at/all.html"), podgraph.OutputError, "its folder does not exist"),
    (lambda g: g.diff("missing.json"), podgraph.SourceError, "missing.json"),
    (lambda _: podgraph.open("missing.sqlite"), podgraph.SourceError, "missing.sqlite"),
    (lambda _: podgraph.open("feed.xml"), podgraph.SourceError, "is a feed, not a graph; build it first: `podgraph build feed.xml"),
    (lambda _: podgraph.build("missing.xml"), podgraph.SourceError, "missing.xml"),
    (lambda _: podgraph.build("sample", as_kind="nonsense"), podgraph.QueryError, "'episodes' or 'posts'"),
    (lambda _: podgraph.build("sample", vocabulary="missing.toml"), podgraph.SourceError, "missing.toml"),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "error", "says"), ERRORS)
def test_errors_are_the_package_s_own(ask, error, says):
    with pytest.raises(error, match=re.escape(says)) as raised:
        ask(podgraph.sample())
    assert isinstance(raised.value, podgraph.PodgraphError)


def test_a_sqlite_graph_can_be_closed_and_be_damaged(saved, tmp_path):
    with podgraph.open(saved / "g.sqlite") as graph:
        assert graph.show("vmap")
    with pytest.raises(podgraph.SourceError, match="closed database"):
        graph.show("vmap")
    assert "closed database" in repr(graph)
    data = (saved / "g.sqlite").read_bytes()
    damaged = tmp_path / "damaged.sqlite"
    damaged.write_bytes(data[:20_000] + b"\xff" * (len(data) - 20_000))
    with pytest.raises(podgraph.SourceError, match=r"damaged\.sqlite: cannot be read"), podgraph.open(damaged) as graph:
        graph.list("episodes")
    with podgraph.sample() as graph:
        pass
    assert graph.show("vmap"), "what is in memory stays"


def test_a_graph_of_the_first_edition_opens(tmp_path):
    old = tmp_path / "old.json"
    old.write_text(json.dumps(FIRST), "utf-8")
    graph = podgraph.open(old)
    assert [one.id for one in graph.cites("pytorch/pytorch#130935")] == ["episode:p/compiler-collectives"]
    assert graph.where("pytorch/pytorch#130935").to_dict()["found"]
    assert graph.order()[0].title == "Compiler collectives"
    assert len(graph.networkx()) == len(graph) == 3
    assert "<table>" in graph._repr_html_()
    assert "Compiler collectives" in graph.page().html


# What podgraph 0.1.0 wrote: schema 1, no ranks, no communities, no places.
FIRST = {
    "directed": True, "multigraph": True,
    "graph": {"schema": 1, "generator": "podgraph 0.1.0", "sources": [{"source": "feed.xml", "kind": "feed", "episodes": 1}]},
    "nodes": [
        {"id": "podcast:p", "kind": "podcast", "label": "P", "title": "P"},
        {"id": "episode:p/compiler-collectives", "kind": "episode", "label": "Compiler collectives", "title": "Compiler collectives", "date": "2024-08-04T14:00:00+00:00", "podcast": "podcast:p"},
        {"id": "github:pytorch/pytorch#130935", "kind": "pull", "label": "pytorch/pytorch#130935", "url": "https://github.com/pytorch/pytorch/pull/130935"},
    ],
    "edges": [
        {"source": "episode:p/compiler-collectives", "target": "podcast:p", "key": "part_of"},
        {"source": "episode:p/compiler-collectives", "target": "github:pytorch/pytorch#130935", "key": "cites", "weight": 1,
         "evidence": [{"field": "notes", "start": 56, "end": 102, "quote": "https://github.com/pytorch/pytorch/pull/130935", "method": "url", "extractor": "github", "confidence": 1.0}]},
    ],
}  # fmt: skip


def test_data_frames():
    pytest.importorskip("pandas", reason="no pandas: pip install pandas")
    graph = podgraph.sample()
    nodes, edges = graph.nodes_frame(), graph.edges_frame()
    assert (len(nodes), len(edges)) == (len(graph), graph.networkx().number_of_edges())
    assert list(nodes.columns[:3]) == ["id", "kind", "label"]
    assert list(edges.columns[:3]) == ["source", "target", "relation"]
    assert not {"source", "target", "key"} & set(nodes.columns) and "id" not in edges.columns
    assert str(nodes["number"].dtype) == "Int64"
    cited = edges[edges.relation == "cites"].merge(nodes, left_on="target", right_on="id")
    assert "github:pytorch/pytorch#130935" in set(cited.id)


@pytest.mark.parametrize("frame", ["nodes_frame", "edges_frame"])
def test_without_pandas_one_line_says_what_to_do(monkeypatch, frame):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(podgraph.PodgraphError, match=r"^a data frame needs pandas; pip install pandas\Z"):
        getattr(podgraph.sample(), frame)()


class Parsed(HTMLParser):
    """The tags of a document with their attributes."""

    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))


def test_a_cell_holds_the_whole_page_in_a_frame(tmp_path):
    graph = podgraph.sample()
    page = graph.page(title="Ours")
    ((tag, attributes),) = Parsed(page._repr_html_()).tags
    assert (tag, attributes["srcdoc"]) == ("iframe", page.html)
    assert graph.page(tmp_path / "x.html", title="Ours").read_text("utf-8") == page.html
    assert "Ours</title>" in page.html


HOSTILE = '<script>alert("1")</script>\'&'


def test_the_summary_is_small_and_escaped(tmp_path):
    graph = net(("Grinding flour", ["flour"], "the mill"), ("Kneading", ["flour"], ""))
    graph.nodes[ident("kneading")].update(label=HOSTILE, title=HOSTILE, rank=9.0)
    graph.nodes["topic:flour"].update(label=HOSTILE)
    graph.add_node("x:y", label="of no kind")
    graph.add_node("z:y", kind=HOSTILE, label="of a strange kind")
    saved = tmp_path / "hostile.json"
    saved.write_text(json.dumps(nx.node_link_data(graph, edges="edges")), "utf-8")
    opened = podgraph.open(saved)
    opened._name = HOSTILE  # a file may be called so, but not everywhere
    summary = opened._repr_html_()
    assert {tag for tag, _ in Parsed(summary).tags} <= {"div", "strong", "table", "tr", "td", "code", "ul", "li"}
    assert "2</td>" in summary and "episodes" in summary
    assert len(podgraph.sample()._repr_html_()) < 3000


def test_the_first_questions_of_a_summary_have_answers():
    pytest.importorskip("pandas")
    g = podgraph.sample()
    questions = g._first_questions()
    assert len(questions) == 6
    for question in questions:
        assert len(eval(question, {"g": g})) if question != "g.page()" else g.page().html


def test_an_empty_graph_says_so(tmp_path):
    empty = tmp_path / "empty.json"
    empty.write_text('{"nodes": [], "edges": []}', "utf-8")
    graph = podgraph.open(empty)
    assert (len(graph), repr(graph)) == (0, f"<Graph {empty}: 0 episodes, 0 nodes>")
    assert "<table></table>" in graph._repr_html_()
    assert graph.stats().kinds == {} and not graph.search("x")


def test_tab_shows_the_questions_and_nothing_inside():
    assert dir(podgraph.sample()) == sorted(
        "cites close diff edges_frame explain export links list networkx nodes_frame order page part path related review search show stats view warnings where why".split()
    )
    assert all(getattr(podgraph.Graph, name).__doc__ for name in dir(podgraph.sample()))


def test_a_relative_file_is_found_again_from_elsewhere(sample_file, tmp_path, monkeypatch):
    monkeypatch.chdir(sample_file.parent)
    graph = podgraph.open(sample_file.name)
    monkeypatch.chdir(tmp_path)
    assert len(graph.networkx()) == len(graph)


@pytest.mark.parametrize("suffix", ["json", "sqlite"])
def test_kinds_are_counted(saved, suffix):
    with podgraph.open(saved / f"{'podgraph' if suffix == 'json' else 'g'}.{suffix}") as graph:
        view = graph._view
        assert sum(view.counts().values()) == sum(1 for _ in view.nodes())
        assert view.counts()["episode"] == sum(1 for _ in view.nodes("episode")) == 83


@pytest.mark.checkout
@pytest.mark.parametrize("opened", ["sample()", 'open("podgraph.json")', 'open("g.sqlite")'])
def test_the_contract_s_lines_run(saved, monkeypatch, opened):
    pytest.importorskip("pandas", reason="no pandas: pip install pandas")
    contract = (ROOT / "docs/contract.md").read_text("utf-8")
    (lines,) = re.findall(r"```pycon\n(.*?)```", contract, re.DOTALL)
    monkeypatch.chdir(saved)
    asked = lines.replace("g = podgraph.sample()", f"g = podgraph.{opened}", 1)
    test = doctest.DocTestParser().get_doctest(asked, {}, "contract.md", None, 0)
    said = []
    result = doctest.DocTestRunner().run(test, out=said.append)
    assert (result.failed, "".join(said)) == (0, "")
    assert result.attempted > 5


def test_lines_of_no_episode_in_a_file_of_heard_ones_are_reported(tmp_path, capsys):
    file = tmp_path / "heard.txt"
    file.write_text("History and constraints of the dispatcher\nBackend extensiblity\nCRE206\n")
    assert run(capsys, "order", "dispatcher", "-g", "sample", "--heard", str(file))[2].splitlines()[0] == (
        f"podgraph: {file}: 2 lines of no episode, 'Backend extensiblity' first"
    )


@pytest.mark.parametrize("text", [
    "# heard\nHistory and constraints of the dispatcher\n",
    "# vector<T>\nepisode:pytorch-developer-podcast/history-and-constraints-of-the-dispatcher\n",
    '<opml><outline xmlUrl="https://a.example"><outline text="History and constraints of the dispatcher"/></outline></opml>',
])  # fmt: skip
def test_a_file_of_heard_episodes(tmp_path, text):
    (tmp_path / "heard").write_text(text, "utf-8")
    graph = podgraph.sample()
    before, after = graph.order("dispatcher"), graph.order("dispatcher", heard=tmp_path / "heard")
    assert len(before) == len(after) + 1
    assert "History and constraints of the dispatcher" not in [step.title for step in after]
