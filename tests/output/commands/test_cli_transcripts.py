"""A build with transcripts, and what it makes of questions and exports. All that is said here is made up."""

import json
import shutil
from pathlib import Path

import pytest

from podgraph.output.cli import main
from podgraph.output.formats import FORMATS, write_graph
from podgraph.output.opening import open_store
from tests.output.graphs import list_installed

TALK = Path(__file__).with_name("talk")
CANARIES = ("zarquon", "quibblethorn")  # words that nothing else says: none of these may leave the transcript


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a feed, a transcript, and the graphs that are built of them."""
    path = tmp_path_factory.mktemp("said") / "talk"
    shutil.copytree(TALK, path)
    words = ["build", str(path / "feed.xml"), "--transcripts", str(path / "said")]
    assert main([*words, "-q", "-o", str(path / "g.json"), "-o", str(path / "g.sqlite")]) == 0
    return path


@pytest.fixture(params=["g.json", "g.sqlite"])
def graph(request, folder):
    return ["-g", str(folder / request.param)]


MOMENTS = "at 1:15 <https://talk.example/mapping.mp3#t=75>, 2:40"
QUOTE = "looms of our village meet torch dot compile, and the weavers cheer"


ANSWERS = {
    "cites torch.compile": f"\tMapping\t{QUOTE} ({MOMENTS})\thttps://talk.example/mapping\n",
    "explain torch.compile": "at 1:15 <https://talk.example/mapping.mp3#t=75>",
    "show torch.compile": f"{QUOTE} ({MOMENTS})",
    "search weavers": f"{QUOTE}; at 1:15 <https://talk.example/mapping.mp3#t=75>",
}


@pytest.mark.parametrize("words", ANSWERS)
def test_an_answer_has_the_minutes_and_their_address(words, graph, capsys):
    assert main([*words.split(), *graph]) == 0
    assert ANSWERS[words] in capsys.readouterr().out


def test_cites_as_json_has_the_moments(graph, capsys):
    assert main(["cites", "torch.compile", "--json", *graph]) == 0
    (one,) = json.loads(capsys.readouterr().out)["rows"]
    (said,) = one["evidence"]
    assert (said["quote"], said["method"], said["time"], said["moments"]) == (QUOTE, "transcript", 75, [75, 160])


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


@pytest.mark.parametrize(("text", "found"), [("weavers cheer", True), ('"weavers cheer"', True), ("weav", True), ("quibblethorn", False), ("cheer weavers zebra", False)])  # fmt: skip
def test_search_finds_what_is_said_beside_a_name(text, found, graph, capsys):
    assert main(["search", text, "--json", *graph]) in (0, 1)
    hits = [one for one in json.loads(capsys.readouterr().out)["rows"] if one["where"] == "said"]
    assert [(one["title"], one["excerpt"], one["time"]) for one in hits] == ([("Mapping", QUOTE, 75)] if found else [])


def words_of(path):
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
    shutil.copy(TALK / "said/mapping.srt", tmp_path)
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
