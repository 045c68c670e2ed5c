"""Which episode a file is of, and what is told of the others. A new case is a line of ``names.txt``."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from podgraph.extractors import Episode, Feed, SourceError, TranscriptSources, gather_transcripts
from podgraph.extractors.sources.cache import Cache
from podgraph.extractors.sources.connection import World
from tests.loopback import Loopback, reply
from tests.tables import read_table

SAID = "0:01 --> 0:02\nWe weave.\n"


def episode(slug, title, **known):
    return Episode(f"episode:looms/{slug}", "episode", "podcast:looms", title, **known)


WARP = episode("warp", "The Warp", number=1, guid="a1-b2", audio_url="https://x.org/s/ep-one.mp3?k=1", duration=100)
WEFT = episode("weft-and-more", "Weft, and more", number=2, season=3)
TWIN = episode("twin", "Knots", number=12)
OTHER = Episode("episode:knots/twin", "episode", "podcast:knots", "Knots", number=12)
DECIMAL = episode("3d", "3D printing", number=7)
FEEDS = [
    Feed("x", "podcast", "podcast:looms", "Looms", (WARP, WEFT, TWIN, DECIMAL)),
    Feed("y", "podcast", "podcast:knots", "Knots", (OTHER,)),
]


def gather(folder, lines, feeds=FEEDS, **asked):
    return gather_transcripts(feeds, TranscriptSources((Path(folder),)), notify=lines.append, **asked)


@pytest.mark.parametrize(("name", "expected"), read_table(__file__, "names.txt"))
def test_a_name(name, expected, tmp_path):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(SAID)
    lines = []
    found = gather(tmp_path, lines)
    assert [*found] == [expected] * expected.startswith("episode:")
    assert lines[0] == "transcripts: 1 read, of 5 episodes" if found else expected in lines[0]


def test_what_is_told_and_the_rest_is_read(tmp_path):
    (tmp_path / "warp.srt").write_text(SAID)
    (tmp_path / "the-warp.txt").write_text("Another.")
    (tmp_path / "warp.txt").write_text("The same without times.")
    (tmp_path / "weft-and-more.vtt").write_bytes(b"\x00\x01\x02\x03")
    (tmp_path / "notes.pdf").write_text("x")
    (tmp_path / ".hidden.srt").write_text(SAID)
    lines = []
    found = gather(tmp_path, lines)
    assert found["episode:looms/warp"].name == "warp.srt"
    assert lines == [
        "weft-and-more.vtt: is not text; give SRT, WebVTT, the JSON or TSV of a speech recogniser, or plain text",
        "the-warp.txt: “The Warp” has one already, warp.srt",
        "transcripts: 1 read, of 5 episodes",
    ]


def test_the_file_of_a_film(tmp_path):
    (tmp_path / "warp.srt").write_text("1\n01:59:00,000 --> 01:59:02,000\nThe end.\n")
    lines = []
    assert not gather(tmp_path, lines)
    assert lines[0] == "warp.srt: goes on to 1:59:00, and “The Warp” is over at 0:01:40"


def test_chapters_join_a_transcript(tmp_path):
    chapters = '{"startTime": 3, "title": "Threads"}, {"startTime": "00:20:00", "url": "https://x.example/"}'
    (tmp_path / "warp.chapters.json").write_text(f'{{"chapters": [{chapters}]}}')
    (tmp_path / "warp.srt").write_text(SAID)
    lines = []
    found = gather(tmp_path, lines)["episode:looms/warp"]
    assert (found.text, [(one.start, one.text or one.url) for one in found.chapters]) == (
        "We weave.", [(3, "Threads"), (1200, "https://x.example/")]
    )  # fmt: skip
    assert lines == ["transcripts: 1 read, of 5 episodes; chapters of 1"]


def test_a_folder_that_is_none():
    with pytest.raises(SourceError, match="nowhere: is not a folder; give a folder of transcripts"):
        gather("nowhere", [])


@pytest.fixture
def fetch(tmp_path, monkeypatch):
    """Fetch what an episode names from a server of ours, some seconds later."""
    with Loopback() as server:
        now = datetime(2026, 11, 20, 12, tzinfo=UTC)

        def ask(transcripts=(), chapters="", *, later=0, offline=False, at_home=True):
            world = World(lambda: 0.0, lambda: now + timedelta(seconds=later), lambda _: None, lambda: 0.5)
            one = episode("warp", "The Warp", transcripts=tuple(map(server.url, transcripts)), chapters=chapters)
            feeds = [Feed("x", "podcast", "podcast:looms", "Looms", (one,))]
            ask.lines.clear()
            return gather_transcripts(
                feeds, TranscriptSources(fetch=True, offline=offline), cache=Cache(tmp_path / "cache"), world=world,
                home=("127.0.0.1", server.port) if at_home else None, notify=ask.lines.append,
            ).get(one.id)  # fmt: skip

        ask.lines, ask.server = [], server
        yield ask


def test_the_best_form_is_fetched_and_the_next_where_that_fails(fetch):
    fetch.server.on("/t.vtt", reply(404))
    fetch.server.on("/t.srt", reply(200, SAID.encode()))
    fetch.server.on("/t.txt", reply(200, b"Worse."))
    assert fetch(["/t.txt", "/t.srt", "/t.vtt"]).text == "We weave."
    assert fetch.lines[0].startswith(fetch.server.url("/t.vtt"))
    assert fetch.lines[1:] == ["transcripts: 1 read, of 1 episodes"]


def test_what_was_fetched_this_month_is_not_asked_for_again(fetch):
    fetch.server.on("/t.srt", reply(200, SAID.encode()))
    first = fetch(["/t.srt"])
    fetch.server.on("/t.srt", reply(200, b"0:01 --> 0:02\nNews.\n"))
    assert fetch(["/t.srt"], later=86400) == first
    assert fetch(["/t.srt"], later=40 * 86400, offline=True) == first
    assert fetch(["/t.srt"], later=40 * 86400).text == "News."


def test_offline_nothing_is_asked(fetch):
    fetch.server.on("/t.srt", reply(200, SAID.encode()))
    assert fetch(["/t.srt"], offline=True) is None
    assert "is not in the cache" in fetch.lines[0]


def test_chapters_are_fetched(fetch):
    fetch.server.on("/c.json", reply(200, b'{"chapters": [{"startTime": 3, "title": "Threads"}]}'))
    fetch.server.on("/t.srt", reply(200, SAID.encode()))
    url = fetch.server.url("/c.json")
    assert [one.text for one in fetch(chapters=url).chapters] == ["Threads"]
    found = fetch(["/t.srt"], url)
    assert (found.text, len(found.chapters)) == ("We weave.", 1)


def test_a_feed_leads_to_no_address_inside(fetch):
    fetch.server.on("/t.srt", reply(200, SAID.encode()))
    assert fetch(["/t.srt"], at_home=False) is None
    assert "/t.srt" in fetch.lines[0]


def test_files_that_are_large_together_are_one_line(tmp_path, monkeypatch):
    monkeypatch.setenv("PODGRAPH_MOST_MB", "2")  # 1 MB for transcripts and look-ups
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    lines, body = [], SAID.encode() + b" " * 400_000
    with Loopback() as server:
        episodes = tuple(
            episode(f"e{number}", f"Episode {number}", transcripts=(server.url(f"/{number}.srt"),))
            for number in range(9)
        )
        for number in range(9):
            server.on(f"/{number}.srt", reply(200, body))
        feeds = [Feed("x", "podcast", "podcast:looms", "Looms", episodes)]
        asked = {"cache": Cache(tmp_path), "home": ("127.0.0.1", server.port), "notify": lines.append}
        for offline in (False, True):  # copies of the cache count as well
            found = gather_transcripts(feeds, TranscriptSources(fetch=True, offline=offline), **asked)
            assert 1 <= len(found) <= 2
            about = [
                line for line in lines if "transcripts, chapters and look-ups together are larger than 1 MB" in line
            ]
            assert len(about) == 1 or offline
            assert len(lines) <= 9
            lines.clear()
