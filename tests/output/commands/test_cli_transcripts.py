"""A build with transcripts, and what it makes of questions and exports. All that is said here is made up."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from podgraph.output.cli import main
from podgraph.output.formats import FORMATS, write_graph
from podgraph.output.opening import open_store
from tests.output.graphs import list_installed

if TYPE_CHECKING:
    from pathlib import Path

FEED = """<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
<title>Talk of PyTorch</title><link>https://talk.example</link><description>All about PyTorch.</description>
<item><title>Mapping</title><link>https://talk.example/mapping</link><guid>g1</guid>
<description>On torch.vmap.</description><enclosure url="https://talk.example/mapping.mp3" type="audio/mpeg"/></item>
<item><title>Compiling</title><link>https://talk.example/compiling</link><guid>g2</guid>
<description>Nothing to read.</description></item>
</channel></rss>"""
# words that nothing else says: none of those in CANARIES may leave the transcript
CANARIES = ("zarquon", "quibblethorn")
SPOKEN = """1
00:00:05,000 --> 00:00:20,000
Good morning to all of you out there, dear zarquon.

2
00:01:15,000 --> 00:01:30,000
Here the old looms of our village meet torch dot compile, and the weavers cheer for it all the day long.

3
00:02:40,000 --> 00:02:50,000
Torch dot compile it is. And now the quibblethorn says good bye.
"""


# the topic of a name before the name itself
SPOKEN_TOO = """1
00:00:07,000 --> 00:00:20,000
Today we open functorch for once, and look at what lies in it.

2
00:01:30,000 --> 00:01:45,000
Among the tools in there is torch dot vmap, and I like torch dot vmap best of all.
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a feed, a transcript, and the graphs that are built of them."""
    path = tmp_path_factory.mktemp("said")
    (path / "feed.xml").write_text(FEED)
    (path / "said").mkdir()
    (path / "said" / "mapping.srt").write_text(SPOKEN)
    (path / "said" / "compiling.srt").write_text(SPOKEN_TOO)
    said = ["--transcripts", str(path / "said")]
    assert (
        main(["build", str(path / "feed.xml"), *said, "-q", "-o", str(path / "g.json"), "-o", str(path / "g.sqlite")])
        == 0
    )
    return path


@pytest.fixture(params=["g.json", "g.sqlite"])
def graph(request, folder):
    return ["-g", str(folder / request.param)]


MOMENTS = "at 1:15 <https://talk.example/mapping.mp3#t=75>, 2:40"
QUOTE = "of our village meet torch dot compile, and the weavers cheer for"


def test_cites_says_the_minutes_and_links_there(graph, capsys):
    assert main(["cites", "torch.compile", *graph]) == 0
    assert capsys.readouterr().out.splitlines() == [f"\tMapping\t{QUOTE} ({MOMENTS})\thttps://talk.example/mapping"]


def test_cites_as_json_has_the_moments(graph, capsys):
    assert main(["cites", "torch.compile", "--json", *graph]) == 0
    (one,) = json.loads(capsys.readouterr().out)["rows"]
    (said,) = one["evidence"]
    assert (said["quote"], said["method"], said["time"], said["moments"]) == (QUOTE, "transcript", 75, [75, 160])


def test_explain_says_the_minute(graph, capsys):
    assert main(["explain", "torch.compile", *graph]) == 0
    assert "at 1:15 <https://talk.example/mapping.mp3#t=75>" in capsys.readouterr().out


def test_explain_gives_the_minute_of_the_name_as_cites_does(graph, capsys):
    assert main(["cites", "torch.vmap", "--json", *graph]) == 0
    cited = {one["title"]: one["evidence"][0].get("time") for one in json.loads(capsys.readouterr().out)["rows"]}
    assert main(["explain", "torch.vmap", "--json", *graph]) == 0
    told = {
        one["title"]: one.get("time")
        for one in json.loads(capsys.readouterr().out)["rows"]
        if one.get("kind") == "episode"
    }
    assert cited == told == {"Mapping": None, "Compiling": 90}


def test_show_says_the_minutes(graph, capsys):
    assert main(["show", "torch.compile", *graph]) == 0
    assert f"{QUOTE} ({MOMENTS})" in capsys.readouterr().out


@pytest.mark.parametrize(("text", "found"), [("weavers cheer", True), ('"weavers cheer"', True), ("weav", True), ("quibblethorn", False), ("cheer weavers zebra", False)])  # fmt: skip
def test_search_finds_what_is_said_beside_a_name(text, found, graph, capsys):
    assert main(["search", text, "--json", *graph]) in (0, 1)
    hits = [one for one in json.loads(capsys.readouterr().out)["rows"] if one["where"] == "said"]
    assert [(one["title"], one["excerpt"], one["time"]) for one in hits] == ([("Mapping", QUOTE, 75)] if found else [])


def test_search_prints_the_moment(graph, capsys):
    assert main(["search", "weavers", *graph]) == 0
    assert f"{QUOTE}; at 1:15 <https://talk.example/mapping.mp3#t=75>" in capsys.readouterr().out


def words_of(path: Path) -> str:
    """Return all that is in a file, or in the files of a folder, as text."""
    files = [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())
    return " ".join(one.read_bytes().decode("utf-8", "replace") for one in files)


@pytest.mark.parametrize("item", FORMATS, ids=lambda item: item.name)
def test_a_transcript_is_in_no_export_beyond_its_quotes(item, folder, tmp_path):
    graph = open_store(folder / "g.json").to_networkx()
    target = tmp_path / f"graph{item.suffixes[0]}"
    if item not in list_installed():
        pytest.skip(f"no {item.needs} (pip install {item.needs})")
    write_graph(graph, target)
    written = words_of(tmp_path)
    # queries; packed; of the files alone that an episode explains
    assert "Mapping" in written or item.name in {"datasette", "parquet", "episodes"}
    assert not [word for word in (*CANARIES, "old looms", "the day long", "Good morning") if word in written]


def test_a_folder_that_is_none_is_one_line(folder, capsys):
    assert main(["build", str(folder / "feed.xml"), "--transcripts", str(folder / "nowhere"), "-q"]) == 2
    assert capsys.readouterr().err.endswith("nowhere: is not a folder; give a folder of transcripts\n")


def test_a_bad_transcript_is_a_line_and_the_build_goes_on(folder, tmp_path, capsys):
    (tmp_path / "compiling.vtt").write_bytes(b"\x00\x01\x02")
    (tmp_path / "mapping.srt").write_text(SPOKEN)
    out = tmp_path / "g.json"
    assert main(["build", str(folder / "feed.xml"), "--transcripts", str(tmp_path), "-o", str(out)]) == 0
    told = capsys.readouterr().err
    assert "podgraph: compiling.vtt: is not text; give SRT" in told
    assert "podgraph: transcripts: 1 read, of 2 episodes" in told
    assert json.loads(out.read_text())["graph"]["transcripts"] == 1


def test_without_transcripts_nothing_of_them_is_in_the_graph(folder, tmp_path):
    out = tmp_path / "g.json"
    assert main(["build", str(folder / "feed.xml"), "-q", "-o", str(out)]) == 0
    written = out.read_text()
    assert not [word for word in ("transcript", "moments") if word in written]
