"""Installed packages as the command meets them: a good one is used everywhere, a broken one is one line."""

import base64
import importlib
import json
import re
import sys
import zlib
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from podgraph.extractors import set_reporter
from podgraph.extractors.sites.registry import load_sites
from podgraph.extractors.subjects.registry import known_subjects
from podgraph.output.opening import open_store
from podgraph.output.pipeline import find_plugin_kinds
from tests.output.running import run
from tests.tables import read_rows, read_table

FEED = """<rss version="2.0"><channel><title>Show</title><item><title>One</title><guid>1</guid>
<enclosure url="https://x.example/1.mp3" type="audio/mpeg"/>
<description>about TICKET-7 and https://x.example/page</description></item></channel></rss>"""
# a second episode that cites the same: the lists of a page have an entry for a thing that several cite
SECOND = """<item><title>Two</title><guid>2</guid><enclosure url="https://x.example/2.mp3" type="audio/mpeg"/>
<description>once more TICKET-7</description></item></channel>"""
HEAD = """from podgraph.extractors import Mention, Ref, Subject
from podgraph.graph import Kind
REF = Ref("ticket", "ticket:7", "TICKET-7")
FOLDER = "."
"""
TICKETS = """
import re
def find(episode, corpus):
    for match in re.finditer(r"TICKET-(\\d+)", episode.notes):
        ref = Ref("ticket", f"ticket:{match[1]}", match[0], f"https://tickets.example/{match[1]}")
        yield Mention(ref, "notes", match.start(), match.end(), match[0], "reference", "tickets")
KIND = Kind("ticket", "support ticket", words=("tickets",), family="code", shape="star")
"""
FILES = ("g.json", "g.html", "g.gexf", "g.dot", "g.sqlite", "g.cypher")
FINDER, KIND = "[podgraph.extractors]\ntickets = desk:find\n", "[podgraph.kinds]\ntickets = desk:KIND\n"


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Put a package and its metadata on the path, as an installer would; what it returns takes them away."""
    monkeypatch.chdir(tmp_path)
    Path("feed.xml").write_text(FEED, "utf-8")

    def add(source, points, module="desk"):
        home = tmp_path / f"site-{module}"
        metadata = home / f"help_{module}-2.5.dist-info"
        metadata.mkdir(parents=True)
        (home / f"{module}.py").write_text(HEAD + source, "utf-8")
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: help-{module}\nVersion: 2.5\n", "utf-8")
        (metadata / "entry_points.txt").write_text(points, "utf-8")
        monkeypatch.syspath_prepend(str(home))
        importlib.invalidate_caches()
        monkeypatch.delitem(sys.modules, module, raising=False)
        known_subjects.cache_clear()
        return lambda: (sys.path.remove(str(home)), sys.modules.pop(module))

    yield add
    monkeypatch.undo()
    set_reporter()
    known_subjects.cache_clear()
    load_sites()


def build(capsys):
    """Build the feed; return what is printed on standard error."""
    status, _, err = run(capsys, "build", "feed.xml", "--force", *(word for name in FILES for word in ("-o", name)))
    assert (status, "Traceback" in err) == (0, False), err
    return err


def text(name):
    return Path(name).read_text("utf-8")


def list_kinds():
    """Return the kinds that the graph declares, which is valid."""
    graph = json.loads(text("g.json"))
    schema = json.loads((files("podgraph.output") / "schemas/podgraph.schema.json").read_text("utf-8"))
    jsonschema.validate(graph, schema)
    return graph["graph"]["kinds"]


@pytest.mark.parametrize(("group", "source", "line"), read_table(__file__, "plugins.txt"))
def test_a_broken_package_is_one_line(install, capsys, group, source, line):
    install(source, f"[podgraph.{group}]\nx = desk:find\n")
    lines = [one for one in build(capsys).splitlines() if "desk" in one]
    assert (len(lines), line in lines[0]) == (1, True), lines
    assert "web:x.example/page" in text("g.json")


def test_a_kind_of_a_package_is_counted_listed_drawn_and_exported(install, capsys):
    install(TICKETS, FINDER + KIND)
    Path("feed.xml").write_text(FEED.replace("</channel>", SECOND), "utf-8")
    said = build(capsys)
    assert "1 support ticket, " in said or "1 support ticket;" in said
    assert "in no table" not in said
    assert "check:" not in said
    row = {"name": "ticket", "one": "support ticket", "words": ["tickets"], "family": "code", "shape": "star"}
    assert list_kinds() == [row]
    asked = {words: run(capsys, *words.split(), "-g", "g.json")[1] for words in (
        "list tickets", "list ticket", "list artifacts", "stats", "search TICKET-7 --kind tickets",
    )}  # fmt: skip
    assert asked["list tickets"] == asked["list ticket"]
    assert "ticket\tTICKET-7\thttps://tickets.example/7\tticket:7" in asked["list artifacts"]
    assert "kinds\tticket\t1\t" in asked["stats"]
    assert "TICKET-7" in asked["search TICKET-7 --kind tickets"]
    packed = re.search(r'id="graph-data">(.*?)</script>', text("g.html"))[1]
    legend = json.loads(zlib.decompress(base64.b64decode(packed)))["legend"]
    assert legend["kinds"]["ticket"] == {
        "family": "code", "shape": "star", "hollow": False, "one": "support ticket", "many": "Support tickets",
    }  # fmt: skip
    assert "<h2>Support tickets</h2>" in text("g.html")
    node = text("g.gexf").partition('<node id="ticket:7"')[2].partition("</node>")[0]
    assert '<viz:color r="94" g="147" b="108"/>' in node
    assert '<viz:shape value="diamond"/>' in node  # of the four that GEXF has, the nearest to a star
    assert '"ticket:7" [label="TICKET-7"' in text("g.dot")
    assert 'shape="star", color="#5e936c"' in text("g.dot")
    assert ":Ticket" in text("g.cypher")


def test_a_saved_graph_needs_no_package(install, capsys):
    uninstall = install(TICKETS, FINDER + KIND)
    build(capsys)
    questions = (["list", "tickets"], ["stats"], ["show", "ticket:7"])
    before = [run(capsys, *words, "-g", "g.json") for words in questions]
    uninstall()
    assert find_plugin_kinds() == []
    assert [run(capsys, *words, "-g", "g.json") for words in questions] == before
    for source in ("g.json", "g.sqlite"):
        assert open_store(source).about["kinds"] == open_store("g.json").about["kinds"]
        Path("again").mkdir(exist_ok=True)
        assert run(capsys, "export", "-g", source, "again/g.gexf", "again/g.dot", "again/g.html")[0] == 0
        for name in ("g.dot", "g.html", "g.gexf"):
            assert text(f"again/{name}") == text(name), source


def test_a_kind_that_nobody_declared_is_named_and_treated_alike(install, capsys):
    install(TICKETS, FINDER)
    said = build(capsys)
    assert said.count("in no table") == 1
    assert "podgraph: the kind 'ticket' is in no table; it is from the extractor tickets\n" in said
    assert ", 1 ticket" in said
    assert "check:" not in said
    assert list_kinds() == [{"name": "ticket"}]
    assert "TICKET-7" in run(capsys, "list", "tickets", "-g", "g.json")[1]
    assert 'shape="box", color="#5d6570"' in text("g.dot")


def test_few_of_many_wrong_edges_are_printed(install, capsys):
    install(TICKETS.replace('"reference"', '"guess"'), FINDER)
    Path("feed.xml").write_text(FEED.replace("TICKET-7", " ".join(f"TICKET-{n}" for n in range(8))), "utf-8")
    lines = [line for line in build(capsys).splitlines() if "check:" in line]
    assert len(lines) == 6
    assert lines[0] == "podgraph: check: episode:show/one -cites-> ticket:0: unknown method 'guess'"
    assert lines[-1] == "podgraph: check: 3 more like these; the extractors that found them are at fault"


@pytest.mark.parametrize(("error", "status"), [("return None", 0), ("raise KeyboardInterrupt", 130)])
def test_an_extractor_without_results_and_one_that_the_user_ends(install, capsys, error, status):
    install(f"def find(episode, corpus):\n    {error}\n", FINDER)
    assert run(capsys, "build", "feed.xml", "-q", "-o", "g.json")[0] == status


@pytest.mark.parametrize(("hosts", "kinds"), read_rows(__file__, "RULES"))
def test_a_site_rule_goes_first_for_the_hosts_it_names(install, capsys, hosts, kinds):
    source = f'def find(url):\n    return Ref("ticket", "ticket:" + url, "T")\nfind.hosts = {hosts}\n'
    install(source, "[podgraph.sites]\nx = desk:find\n")
    links = "".join(f'<p>see <a href="{url}">it</a></p>' for url in kinds)
    Path("feed.xml").write_text(FEED.replace("about TICKET-7", f"<![CDATA[{links}]]>"), "utf-8")
    assert run(capsys, "build", "feed.xml", "-q", "-o", "g.json")[0] == 0
    nodes = json.loads(text("g.json"))["nodes"]
    for url, kind in kinds.items():
        assert [node["kind"] for node in nodes if url in (node.get("url"), node["id"][7:])] == [kind]
