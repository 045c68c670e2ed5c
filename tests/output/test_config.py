"""Files of defaults: what they may say, whose is stronger, and what one that a stranger left may not do."""

import os
from pathlib import Path

import pytest

from podgraph.output.config import KEYS, NAME, load_config, user_file
from tests.output.running import run
from tests.tables import read_table

FEED = """<rss version="2.0"><channel><title>Show</title><item><title>One</title><guid>1</guid>
<enclosure url="https://x.example/1.mp3" type="audio/mpeg"/><description>see PR #99</description></item></channel></rss>"""
TOLD = "podgraph: the graph is from podgraph.toml here\n"
LINE = "podgraph: settings are from podgraph.toml here\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with a feed, beside the user's folder of defaults."""
    here = tmp_path / "here"
    (here / "within").mkdir(parents=True)
    monkeypatch.chdir(here)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (here / "feed.xml").write_text(FEED, "utf-8")
    (here / "within" / "topics.toml").write_text("", "utf-8")
    Path(user_file()).parent.mkdir(parents=True)
    return here


def own(text):
    Path(user_file()).write_text(text, "utf-8")


def test_what_a_file_may_say(folder, tmp_path):
    Path(NAME).write_text(
        'sources = ["feed.xml", "https://a.example/feed", "sample", "-"]\nformats = ["json", "gexf"]\nas = "episodes"\nprivate = false\nfetch_transcripts = true\n'
        'repository = "o/r"\nvocabulary = "within/topics.toml"\nindex = "x.idx"\ntitle = "T"\ndescription = "D"\naccent = "#abc"\nlogo = "l.svg"\nsite_url = "https://s"\ngraph = "g.json"\n'
        'boilerplate = ["b.example"]\n[corrections]\ndrop = []\n',
        "utf-8-sig",
    )
    config = load_config()
    assert set(config.values) | {"boilerplate", "corrections"} == set(KEYS)
    assert [one.text for one in config.values["sources"]] == ["feed.xml", "https://a.example/feed", "sample", "-"]
    assert config.values["vocabulary"] == "within/topics.toml"
    assert config.corrections == [(NAME, {"boilerplate": ["b.example"]}), (NAME, {"drop": []})]


def test_the_file_here_goes_first_and_paths_of_yours_are_beside_it(folder):
    own('title = "mine"\nrepository = "me/mine"\nvocabulary = "topics.toml"\nindex = "/else/x"\n[corrections]\na = 1\n')
    Path(NAME).write_text('title = "here"\n[corrections]\nb = 2\n', "utf-8")
    config = load_config()
    beside = str(Path(user_file()).parent / "topics.toml")
    assert config.values == {"title": "here", "repository": "me/mine", "vocabulary": beside, "index": "/else/x"}
    assert config.corrections == [(str(user_file()), {"a": 1}), (NAME, {"b": 2})]


WRONG = [
    # what stands in the file, what is said of it
    *read_table(__file__, "wrong_settings.txt"),
    ("title = '\udcff'", "is not TOML: "),
    ("title = " + "[" * 30_000 + "]" * 30_000, "is not TOML: it is nested too deeply"),
    (f"title = '{'x' * (1 << 16)}'", "is larger than 64 KB"),
    (f"{'a.' * 5000}b = 1", "is not TOML: a key has more than 100 parts (at line 1)"),
    (
        'title = """a.\n\'"""\n[' + "a." * 15000 + "b]\n" + "c = 1\n" * 5000,
        "is not TOML: a key has more than 100 parts (at line 3)",
    ),
    (
        "x = {y = '" + '."' * 200 + "', " + '"a" . ' * 5000 + "b = 1}",
        "is not TOML: a key has more than 100 parts (at line 1)",
    ),
]


@pytest.mark.parametrize(("text", "said"), WRONG, ids=lambda value: value[:12])
@pytest.mark.parametrize("whose", ["here", "own"])
def test_what_is_wrong_is_one_clear_line(folder, capsys, text, said, whose):
    path = NAME if whose == "here" else str(user_file())
    Path(path).write_bytes(text.encode("utf-8", "surrogateescape"))
    status, out, err = run(capsys, "build", "-q")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"podgraph: {path}: {said}")
    assert run(capsys, "build", "--help")[0] == 0


def test_a_build_without_arguments(folder, capsys):
    Path(NAME).write_text('sources = ["feed.xml"]\nformats = ["json", "gexf"]\nrepository = "o/r"\n', "utf-8")
    status, _, err = run(capsys, "build")
    assert status == 0
    assert err.startswith(LINE)
    assert {path.name for path in folder.glob("podgraph.*")} == {f"podgraph.{end}" for end in ("gexf", "json", "toml")}
    assert '"github:o/r#99"' in Path("podgraph.json").read_text("utf-8")
    # What is named on the command line goes first.
    assert run(capsys, "build", "feed.xml", "-q", "-o", "x.json") == (0, "", "")
    assert not (folder / "x.gexf").exists()
    # What the settings say nothing for is silent of them.
    Path(NAME).write_text('[corrections]\ndrop = ["One"]\n', "utf-8")
    assert LINE in run(capsys, "build", "feed.xml", "-o", "x.json")[2]
    for words in (["--version"], ["--help"], ["list", "episodes", "-g", "x.json"]):
        assert LINE not in run(capsys, *words)[2]


def test_questions(folder, capsys, monkeypatch):
    Path(NAME).write_text('graph = "within/g.json"\nrepository = "o/r"\n', "utf-8")
    assert run(capsys, "build", "feed.xml", "-q", "-o", "within/g.json") == (0, "", "")
    status, out, err = run(capsys, "cites", "99")
    assert (status, err) == (0, TOLD)
    assert out.startswith("\tOne\t")
    assert run(capsys, "list", "pulls")[2] == TOLD
    assert run(capsys, "list", "pulls", "-q")[2] == ""
    # The graph that the user's own file names is not from here, whatever else the file here says.
    own(f'graph = "{Path("within/g.json").absolute()}"')
    Path(NAME).write_text('title = "here"', "utf-8")
    assert run(capsys, "list", "pulls")[2] == ""
    # The command line, and the environment, go first.
    assert run(capsys, "list", "pulls", "-g", "none.json")[0] == 2
    monkeypatch.setenv("PODGRAPH_GRAPH", "none.json")
    assert run(capsys, "list", "pulls")[0] == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are none")
def test_a_pipe_is_no_file(folder, capsys):
    os.mkfifo(NAME)
    assert run(capsys, "build", "feed.xml", "-q", "-o", "g.json")[0] == 0
