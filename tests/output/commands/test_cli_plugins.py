"""Installed packages, good and broken, as the command meets them: used, or passed over with a line."""

import importlib
import json
import shutil
import sys
from pathlib import Path

import pytest

from podgraph.extractors import rule_plugins
from podgraph.extractors.sites.registry import load_sites
from podgraph.extractors.subjects.registry import known_subjects
from tests.output.running import run

FEED = """<rss version="2.0"><channel><title>Show</title><item><title>One</title><guid>1</guid>
<enclosure url="https://x.example/1.mp3" type="audio/mpeg"/>
<description>about TICKET-7 and https://x.example/page</description></item></channel></rss>"""
HEAD = "from podgraph.extractors import Mention, Ref, Subject\nfrom podgraph.graph import Kind\n"
FIND = '''
def find(episode, corpus):
    """Find the tickets of the help desk."""
    at = episode.notes.find("TICKET-7")
    yield Mention(Ref("ticket", "ticket:7", "TICKET-7"), "notes", at, at + 8, "TICKET-7", "reference", "")
'''
FOLDER = str(Path(__file__).parents[2] / "extractors" / "subjects" / "loom")
POINTS = "[podgraph.extractors]\ntickets = desk:find\n"


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Put a package and its metadata on the path, as an installer would; afterwards it is forgotten."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "feed.xml").write_text(FEED, "utf-8")

    def add(source, points=POINTS, module="desk"):
        home = tmp_path / f"site-{module}"
        metadata = home / f"help_{module}-2.5.dist-info"
        metadata.mkdir(parents=True)
        (home / f"{module}.py").write_text(f"{HEAD}FOLDER = {FOLDER!r}\n{source}", "utf-8")
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: help-{module}\nVersion: 2.5\n", "utf-8")
        (metadata / "entry_points.txt").write_text(points, "utf-8")
        monkeypatch.syspath_prepend(str(home))
        importlib.invalidate_caches()
        monkeypatch.delitem(sys.modules, module, raising=False)
        known_subjects.cache_clear()

    yield add
    monkeypatch.undo()
    rule_plugins()
    known_subjects.cache_clear()
    load_sites()


GOOD = """
def parse(url):
    "Pages of the help desk."
LOOM = Subject("Loom", ("loom",), "weavers/loom", folder=FOLDER)
KINDS = [Kind("ticket"), Kind("desk")]
"""
ALL = (
    f"{POINTS}[podgraph.sites]\npages = desk:parse\n[podgraph.subjects]\nloom = desk:LOOM\n[podgraph.kinds]\n"
    "kinds = desk:KINDS\n"
)


SOURCE = "desk:find (help-desk 2.5)"
# Python of the package, what is said of it when it is loaded
UNLOADABLE = [
    ("raise RuntimeError('too old')", "the extractor cannot be loaded (RuntimeError: too old)"),
    ("import sys; sys.exit(3)", "the extractor cannot be loaded (SystemExit: 3)"),
    ("import nothing_like_it", "the extractor cannot be loaded (ModuleNotFoundError: No module named"),
    ("", "the extractor cannot be loaded (AttributeError: module 'desk' has no attribute 'find')"),
    ("find = 3", "the extractor is not a function"),
]


@pytest.mark.parametrize(("source", "said"), UNLOADABLE)
def test_a_broken_package_is_named_and_passed_over(install, capsys, source, said):
    install(source)
    status, _, err = run(capsys, "build", "feed.xml", "-o", "g.json")
    assert status == 0
    assert next(line for line in err.splitlines() if "desk" in line).startswith(f"podgraph: {SOURCE}: {said}")
    assert err.count("; passed over\n") == 1
    assert "Traceback" not in err


REF = 'Ref("ticket", "ticket:7", "TICKET-7")'
# Python of the extractor, what is said of what it gives
RUBBISH = [
    ("return 'TICKET-7'", "which is not a valid Mention"),
    ("yield None", "which is not a valid Mention"),
    ("yield ('ticket:7', 3)", "which is not a valid Mention"),
    ("yield Mention('ticket:7', 'notes', 6, 14, 'TICKET-7', 'reference', 't')", "which is not a valid Mention"),
    (
        "yield Mention(Ref('ticket', '', 'x'), 'notes', 6, 14, 'TICKET-7', 'reference', 't')",
        "which is not a valid Mention",
    ),
    (
        "yield Mention(Ref('ticket', None, 'x'), 'notes', 6, 14, 'TICKET-7', 'reference', 't')",
        "which is not a valid Mention",
    ),
    (f"yield Mention({REF}, 'notes', '6', 14, 'TICKET-7', 'reference', 't')", "which is not a valid Mention"),
    (f"yield Mention({REF}, 'notes', 7, 14, 'TICKET-7', 'reference', 't')", "which is not a valid Mention"),
    ("raise ValueError('boom')", "failed (ValueError: boom)"),
    ("raise SystemExit", "failed (SystemExit)"),
    ("import sys; sys.exit('bye')", "failed (SystemExit: bye)"),
]


@pytest.mark.parametrize(("body", "said"), RUBBISH)
def test_what_a_package_yields_is_checked_at_the_door(install, capsys, body, said):
    install(f"def find(episode, corpus):\n    {body}\n")
    line = "podgraph: tickets (desk): the extractor "
    status, _, err = run(capsys, "build", "feed.xml", "-o", "g.json")
    assert status == 0
    assert line in err
    assert said in err
    assert "web:x.example/page" in Path("g.json").read_text("utf-8")
    assert "Traceback" not in err


@pytest.mark.parametrize(("body", "said"), [
    ("return 'web:x'", "gives str and no Ref"),
    ("return Ref('web', '', 'x')", "gives Ref and no Ref with kind, id and label"),
    ("raise SystemExit(3)", "failed (SystemExit: 3)"),
])  # fmt: skip
def test_a_site_rule_too(install, capsys, body, said):
    install(f"def parse(url):\n    {body}\n", "[podgraph.sites]\npages = desk:parse\n")
    status, _, err = run(capsys, "build", "feed.xml", "-o", "g.json")
    assert status == 0
    assert err.count("podgraph: pages (desk): the site rule ") == 1
    assert said in err


def test_nothing_found_is_no_fault(install, capsys):
    install("def find(episode, corpus):\n    return None\n")
    assert run(capsys, "build", "feed.xml", "-q", "-o", "g.json") == (0, "", "")


def test_a_ctrl_c_is_the_users(install, capsys):
    install("def find(episode, corpus):\n    raise KeyboardInterrupt\n")
    assert run(capsys, "build", "feed.xml", "-q", "-o", "g.json")[0] == 130


SUBJECT_FILES = [
    # files of a subject's folder beside topics.toml, its fields, what is said
    ({}, "names='names.tsv'", "the subject cannot be loaded (SourceError: "),
    ({"names.tsv": "a\tb\n"}, "names='names.tsv'", "the subject cannot be loaded (SourceError: "),
    ({"names.idx": "x"}, "names='names.idx'", "the subject cannot be loaded (SourceError: "),
    ({"topics.toml": "= 1"}, "", "the subject cannot be loaded (SourceError: "),
    ({"topics.toml": None}, "", "the subject cannot be loaded (FileNotFoundError: "),
]


def test_a_subject_that_lacks_a_file_is_a_line_and_the_build_goes_on(install, capsys, tmp_path):
    failures = []
    for number, (files, fields, said) in enumerate(SUBJECT_FILES):
        folder = tmp_path / f"subject{number}"
        folder.mkdir()
        for name, text in {"topics.toml": '[[topic]]\nid = "weft"\nlabel = "Weft"\n', **files}.items():
            if text is not None:
                (folder / name).write_text(text, "utf-8")
        module = f"loom{number}"
        source = f"LOOM = Subject('Loom', ('loom',), 'weavers/loom', folder={str(folder)!r}, {fields})\n"
        install(source, f"[podgraph.subjects]\n{module} = {module}:LOOM\n", module=module)
        status, _, err = run(capsys, "build", "feed.xml", "-o", "g.json", "--force")
        lines = [line for line in err.splitlines() if f"{module}:LOOM (help-{module} 2.5): {said}" in line]
        if status or len(lines) != 1 or not lines[0].endswith("; passed over"):
            failures.append(f"{files} {fields}: {status=} {err}")
    assert not failures, "\n".join(failures)


RULES = [
    # what the rule names as its hosts, the kind that its addresses get
    ('("github.com",)', {"https://github.com/o/r/issues/1": "ticket", "https://gist.github.com/o/1": "ticket"}),
    ('["WWW.GitHub.com", "x.example"]', {"https://github.com/o/r/issues/1": "ticket", "https://x.example/page": "ticket"}),
    ('("x.example",)', {"https://github.com/o/r/issues/1": "issue", "https://nox.example/page": "web"}),
    ("()", {"https://github.com/o/r/issues/1": "issue", "https://x.example/page": "ticket"}),
    ('"github.com"', {"https://github.com/o/r/issues/1": "issue"}),
    ('("https://github.com/",)', {"https://github.com/o/r/issues/1": "issue"}),
    ("(3,)", {"https://github.com/o/r/issues/1": "issue"}),
]  # fmt: skip


def test_a_site_rule_goes_first_for_the_hosts_it_names(install, capsys):
    failures = []
    for number, (hosts, wanted) in enumerate(RULES):
        module = f"rules{number}"
        shutil.rmtree(f"site-rules{number - 1}", ignore_errors=True)
        source = f'def parse(url):\n    return Ref("ticket", "ticket:" + url, "T")\nparse.hosts = {hosts}\n'
        install(source, f"[podgraph.sites]\n{module} = {module}:parse\n", module=module)
        links = "".join(f'<p>see <a href="{url}">it</a></p>' for url in wanted)
        Path("links.xml").write_text(FEED.replace("about TICKET-7", f"<![CDATA[{links}]]>"), "utf-8")
        run(capsys, "build", "links.xml", "-q", "-o", "g.json", "--force")
        nodes = json.loads(Path("g.json").read_text("utf-8"))["nodes"]
        found = {
            url: node["kind"]
            for node in nodes
            for url in wanted
            if node.get("url") == url or node["id"] == f"ticket:{url}"
        }
        if found != wanted:
            failures.append(f"{hosts}: {found}")
    assert not failures, "\n".join(failures)
