"""A second build: which changes of its inputs and files make it build again, and which leave its files alone."""

import json
import re
from pathlib import Path

import pytest

import podgraph
from podgraph.output import unchanged
from podgraph.output.config import NAME
from tests.loopback import Loopback, reply
from tests.output.running import run

FEED = """<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Show</title>{more}
<item><title>One</title><guid>1</guid><enclosure url="https://x.example/1.mp3" type="audio/mpeg"/>
<description>about looms, and https://x.example/page{page}</description></item></channel></rss>"""
VOCABULARY = '[[topic]]\nid = "loom"\nlabel = "{label}"\naliases = ["looms"]\n'
SPOKEN = "WEBVTT\n\n00:00.000 --> 00:04.000\nabout looms and {word}\n"


def feed(**texts):
    return FEED.format(**{"more": "", "page": "", **texts})


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The working folder of a build, with a feed and what else it may read."""
    monkeypatch.chdir(tmp_path)
    Path("feed.xml").write_text(feed())
    Path("topics.toml").write_text(VOCABULARY.format(label="Loom"))
    Path("spoken").mkdir()
    Path("spoken/One.vtt").write_text(SPOKEN.format(word="wool"))
    return tmp_path


def write(name, text):
    return lambda: Path(name).write_text(text)


def edit(name, pattern, new):
    return lambda: Path(name).write_bytes(re.sub(pattern, new, Path(name).read_bytes(), count=1))


def both(words):
    return [words, words]


NOTHING = (lambda: None,)
JSON, PAGE = "feed.xml -o g.json", "feed.xml -o g.html"
BOTH = f"{JSON} -o g.html"
# what it is: the words of the first and the second build, what happens between, whether the second leaves all alone
SCENARIOS = {
    "nothing": (both(JSON), lambda: None, True),
    "nothing, page and graph": (both(BOTH), lambda: None, True),
    "nothing, the page alone": (both(PAGE), lambda: None, True),
    "nothing, other formats beside": (both(f"{JSON} -o g.sqlite -o g.csv -o g.json.gz"), lambda: None, True),
    "nothing, no file that holds a digest": (both("feed.xml -o g.sqlite"), lambda: None, False),
    "nothing, packed": (both("feed.xml -o g.json.gz"), lambda: None, False),
    "nothing, a folder": (both(f"{JSON} -o site/"), lambda: None, False),
    "nothing, the snapshot": (both("sample -o g.json"), lambda: None, True),
    "the same feed anew": (both(JSON), write("feed.xml", feed()), True),
    "another feed": (both(JSON), write("feed.xml", feed(page="2")), False),
    "one feed more": ([JSON, f"other.xml {JSON}"], write("other.xml", feed(page="2")), False),
    "the page deleted": (both(BOTH), lambda: Path("g.html").unlink(), False),
    "the page edited": (both(BOTH), edit("g.html", b"<title>Show", b"<title>Mine"), False),
    "the graph deleted": (both(BOTH), lambda: Path("g.json").unlink(), False),
    "the graph edited": (both(BOTH), edit("g.json", b'"label": "One"', b'"label": "Two"'), False),
    "the graph cut off": (both(JSON), edit("g.json", rb"(?s)\A(.{200}).*", rb"\1"), False),
    "the digest edited": (both(JSON), edit("g.json", rb'"build": "....', b'"build": "0000'), False),
    "a table edited": (both(f"{JSON} -o g.csv"), edit("g.nodes.csv", b"One", b"Two"), False),
    "one file more": ([JSON, BOTH], lambda: None, False),
    "one file fewer": ([BOTH, JSON], lambda: None, False),
    "built anyway": ([JSON, f"{JSON} --force"], lambda: None, False),
    "more processes": ([JSON, f"{JSON} --jobs 2"], lambda: None, True),
    "the same transcripts": (both(f"{JSON} --transcripts spoken"), lambda: None, True),
    "another transcript": (
        both(f"{JSON} --transcripts spoken"), write("spoken/One.vtt", SPOKEN.format(word="silk")), False,
    ),
    "one transcript more": (both(f"{JSON} --transcripts spoken"), write("spoken/Two.vtt", "WEBVTT\n"), False),
    "corrections": (both(JSON), write(NAME, 'boilerplate = ["x.example"]\n'), False),
    "transcripts are fetched": (both(f"{JSON} --transcripts feed"), lambda: None, False),
    "without network": (both(f"{JSON} --offline"), lambda: None, False),
    "a private feed": (
        both("private.xml -o g.json"), lambda: None, False,
    ),
    "a feed that is cut off": (both("cut.xml -o g.json"), lambda: None, False),
    "a feed that cannot be read": (both(f"nothing.xml {JSON}"), lambda: None, False),
}  # fmt: skip


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_second_build(name, place, capsys):
    (first, second), happens, alone = SCENARIOS[name]
    Path("private.xml").write_text(feed(more="<itunes:block>Yes</itunes:block>"))
    Path("cut.xml").write_text(feed().replace("</channel>", "<item><title>Tw")[:-10])
    run(capsys, "build", *first.split())
    happens()
    before = {file: file.stat().st_mtime_ns for file in place.rglob("*") if file.is_file()}
    status, out, err = run(capsys, "build", *second.split())
    after = {file: file.stat().st_mtime_ns for file in place.rglob("*") if file.is_file()}
    assert out == ""
    assert ("unchanged: " in err, before == after) == (alone, alone)
    if alone:
        assert status == 0
        assert re.fullmatch(r"podgraph: unchanged: .*; --force builds anyway\n", err)


def test_it_is_silent_when_that_is_asked_for(place, capsys):
    run(capsys, "build", *JSON.split())
    assert run(capsys, "build", *JSON.split(), "--quiet") == (0, "", "")


ANSWERS = {
    "not modified": (reply(304), True),
    "the same feed again": (reply(200, feed().encode(), ETag='"b"'), True),
    "another feed": (reply(200, feed(page="2").encode()), False),
    "an error, so that the copy stands in": (reply(503), False),
    "no feed, so that the copy stands in": (reply(200, b"<html><title>Sorry</title></html>"), False),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_second_build_of_an_address(name, place, capsys, monkeypatch):
    answer, alone = ANSWERS[name]
    for variable in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(variable, raising=False)
        monkeypatch.delenv(variable.upper(), raising=False)
    with Loopback() as server:
        server.on("/feed", reply(200, feed().encode(), ETag='"a"'), answer)
        run(capsys, "build", server.url("/feed"), "-o", "g.json")
        assert ("unchanged: " in run(capsys, "build", server.url("/feed"), "-o", "g.json")[2]) is alone


def test_another_version_builds_again(place, capsys, monkeypatch):
    run(capsys, "build", *JSON.split())
    monkeypatch.setattr(podgraph, "__version__", "999")
    assert "unchanged" not in run(capsys, "build", *JSON.split())[2]


def test_another_library_builds_again(place, capsys, monkeypatch):
    run(capsys, "build", *JSON.split())
    Path("site/looms-2.0.dist-info").mkdir(parents=True)
    monkeypatch.syspath_prepend("site")
    assert "unchanged" not in run(capsys, "build", *JSON.split())[2]


def test_a_plugin_builds_again(place, capsys, monkeypatch):
    run(capsys, "build", *JSON.split())
    monkeypatch.setattr(unchanged, "plugins_installed", lambda: True)
    assert "unchanged" not in run(capsys, "build", *JSON.split())[2]


def test_the_digest_is_no_part_of_the_graph(place, capsys):
    run(capsys, "build", *JSON.split())
    assert re.fullmatch("[0-9a-f]{64}", json.loads(Path("g.json").read_bytes())["build"])
    run(capsys, "export", "copy.json", "-g", "g.json")
    assert "build" not in json.loads(Path("copy.json").read_bytes())
