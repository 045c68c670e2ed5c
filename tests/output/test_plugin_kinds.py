"""A package brings an extractor, and a kind with it: counted, listed, drawn and exported, also where it is not installed."""

import base64
import importlib
import importlib.resources
import json
import re
import sys
import zlib
from pathlib import Path

import jsonschema
import pytest

from podgraph.extractors import rule_plugins
from podgraph.output.cli import main
from podgraph.output.opening import open_store
from podgraph.output.pipeline import find_plugin_kinds

EXTRACTOR = """
import re
from podgraph.extractors import Mention, Ref

def find_tickets(episode, corpus):
    for match in re.finditer(r"TICKET-(\\d+)", episode.notes):
        ref = Ref("ticket", f"ticket:{match[1]}", match[0], f"https://tickets.example/{match[1]}")
        yield Mention(ref, "notes", match.start(), match.end(), match[0], "reference", "tickets")
"""
ROW = """
from podgraph.graph import Kind

TICKET = Kind("ticket", "support ticket", words=("tickets",), family="code", shape="star")
"""
FEED = """<rss version="2.0"><channel><title>Show</title><item><title>One</title><guid>1</guid>
<enclosure url="https://x.example/1.mp3" type="audio/mpeg"/>
<description>about TICKET-7 and https://x.example/page</description></item></channel></rss>"""
# a second episode that cites the same: the lists of a page have an entry for a thing that several cite
SECOND = """<item><title>Two</title><guid>2</guid><enclosure url="https://x.example/2.mp3" type="audio/mpeg"/>
<description>once more TICKET-7</description></item></channel>"""
FILES = ("g.json", "g.html", "g.gexf", "g.dot", "g.graphml", "g.sqlite", "g.cypher")
BOTH = "[podgraph.extractors]\ntickets = tickets:find_tickets\n[podgraph.kinds]\ntickets = tickets:TICKET\n"
ONLY_THE_EXTRACTOR = "[podgraph.extractors]\ntickets = tickets:find_tickets\n"


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Put a package's module and metadata on the path, as an installer would; what it returns takes them away."""

    def add(points, source=EXTRACTOR + ROW):
        home = tmp_path / "site"
        metadata = home / "tickets-1.0.dist-info"
        metadata.mkdir(parents=True)
        (home / "tickets.py").write_text(source, "utf-8")
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: tickets\nVersion: 1.0\n", "utf-8")
        (metadata / "entry_points.txt").write_text(points, "utf-8")
        monkeypatch.syspath_prepend(str(home))
        importlib.invalidate_caches()
        monkeypatch.delitem(sys.modules, "tickets", raising=False)
        return lambda: sys.path.remove(str(home))

    return add


@pytest.fixture
def built(tmp_path, monkeypatch, capsys):
    """Build the feed in an empty folder; returns what was said."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "feed.xml").write_text(FEED, "utf-8")

    def build():
        assert main(["build", "feed.xml", *(word for name in FILES for word in ("-o", name))]) == 0
        return capsys.readouterr().err

    return build


def text(name):
    return Path(name).read_text("utf-8")


def build_page_data(name):
    packed = re.search(r'id="graph-data">(.*?)</script>', text(name))[1]
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def find_problems(name):
    schema = json.loads(
        (importlib.resources.files("podgraph.output") / "schemas/podgraph.schema.json").read_text("utf-8")
    )
    return [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(json.loads(text(name)))]


def asked(capsys, *words):
    assert main([*words, "-g", "g.json"]) == 0
    return capsys.readouterr().out


def test_a_kind_of_a_package_is_counted_listed_drawn_and_exported(install, built, capsys):
    install(BOTH)
    Path("feed.xml").write_text(FEED.replace("</channel>", SECOND), "utf-8")
    said = built()
    assert "1 support ticket, " in said or "1 support ticket;" in said
    assert "in no table" not in said
    assert "check:" not in said
    row = {"name": "ticket", "one": "support ticket", "words": ["tickets"]}
    row |= {"family": "code", "shape": "star"}
    assert json.loads(text("g.json"))["graph"]["kinds"] == [row]
    assert find_problems("g.json") == []
    assert asked(capsys, "list", "tickets") == asked(capsys, "list", "ticket")
    assert "ticket\tTICKET-7\thttps://tickets.example/7\tticket:7" in asked(capsys, "list", "artifacts")
    assert "kinds\tticket\t1\t" in asked(capsys, "stats")
    assert "TICKET-7" in asked(capsys, "search", "TICKET-7", "--kind", "tickets")
    assert build_page_data("g.html")["legend"]["kinds"]["ticket"] == {
        "family": "code", "shape": "star", "hollow": False, "one": "support ticket", "many": "Support tickets",
    }  # fmt: skip
    assert "<h2>Support tickets</h2>" in text("g.html")
    node = text("g.gexf").partition('<node id="ticket:7"')[2].partition("</node>")[0]
    assert '<viz:color r="94" g="147" b="108"/>' in node
    assert '<viz:shape value="diamond"/>' in node  # of the four that GEXF has, the nearest to a star
    assert '"ticket:7" [label="TICKET-7"' in text("g.dot")
    assert 'shape="star", color="#5e936c"' in text("g.dot")
    assert ":Ticket" in text("g.cypher")


def test_a_saved_graph_needs_no_package(install, built, capsys, tmp_path):
    uninstall = install(BOTH)
    built()
    before = [asked(capsys, *words) for words in (["list", "tickets"], ["stats"], ["show", "ticket:7"])]
    uninstall()
    sys.modules.pop("tickets")
    assert find_plugin_kinds() == []
    assert [asked(capsys, *words) for words in (["list", "tickets"], ["stats"], ["show", "ticket:7"])] == before
    for source in ("g.json", "g.sqlite"):
        assert open_store(source).about["kinds"] == open_store("g.json").about["kinds"]
        (tmp_path / "again").mkdir(exist_ok=True)
        assert main(["export", "-q", "-g", source, "again/g.gexf", "again/g.dot", "again/g.html"]) == 0
        for name in ("g.dot", "g.html", "g.gexf"):
            assert text(f"again/{name}") == text(name), source
    assert main(["list", "tickets", "-g", "g.sqlite"]) == 0


def test_a_kind_that_nobody_declared_is_named_and_treated_alike(install, built, capsys):
    install(ONLY_THE_EXTRACTOR)
    said = built()
    assert said.count("in no table") == 1
    assert "podgraph: the kind 'ticket' is in no table; it is from the extractor tickets\n" in said
    assert ", 1 ticket" in said
    assert "check:" not in said
    assert json.loads(text("g.json"))["graph"]["kinds"] == [{"name": "ticket"}]
    assert find_problems("g.json") == []
    assert "TICKET-7" in asked(capsys, "list", "tickets")
    assert "ticket" in build_page_data("g.html")["legend"]["kinds"]
    assert 'shape="box", color="#5d6570"' in text("g.dot")


def test_of_what_the_check_finds_few_are_told_and_the_others_counted(install, built):
    install(ONLY_THE_EXTRACTOR, EXTRACTOR.replace('"reference"', '"guess"'))
    Path("feed.xml").write_text(FEED.replace("TICKET-7", " ".join(f"TICKET-{n}" for n in range(8))), "utf-8")
    lines = [line for line in built().splitlines() if "check:" in line]
    assert len(lines) == 6
    assert lines[0] == "podgraph: check: episode:show/one -cites-> ticket:0: unknown method 'guess'"
    assert lines[-1] == "podgraph: check: 3 more like these; the extractors that found them are at fault"


BAD = [
    ("raise ValueError('no')", "the kind cannot be loaded (ValueError: no)"),
    ("TICKET = 'ticket'", "'ticket' is not a Kind"),
    ("from podgraph.graph import Kind\nTICKET = Kind('web')", "the kind 'web' is taken"),
    ("from podgraph.graph import Kind\nTICKET = Kind('My Thing')", "it has to be one lower-case word"),
]


@pytest.mark.parametrize(("source", "problem"), BAD)
def test_a_bad_kind_is_named(install, source, problem):
    install("[podgraph.kinds]\ntickets = tickets:TICKET\n", source)
    lines = []
    rule_plugins(warn=lines.append)
    assert find_plugin_kinds() == []
    rule_plugins()
    (line,) = lines
    assert "tickets:TICKET" in line
    assert problem in line
