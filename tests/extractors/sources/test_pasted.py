"""The kinds of links and names that people paste: each is a feed, or one line with the next step.

The answers of Apple's directory are made from its public documentation ("iTunes Search API"), the feed from what
YouTube publishes at /feeds/videos.xml. Both come from a server on loopback; nothing here was fetched.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from podgraph.extractors.sources import directories
from podgraph.extractors.sources.cache import Cache
from podgraph.extractors.sources.connection import World
from podgraph.extractors.sources.sources import read_sources
from tests.loopback import Loopback, reply

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RSS = b"<?xml version='1.0'?><rss version='2.0'><channel><title>one</title></channel></rss>"
# A channel's feed: videos have neither enclosures nor an itunes element.
VIDEOS = b"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/"
 xmlns="http://www.w3.org/2005/Atom"><title>Mill talks</title><entry><id>yt:video:abcdefghijk</id>
<yt:videoId>abcdefghijk</yt:videoId><title>On stones</title>
<link rel="alternate" href="https://www.youtube.com/watch?v=abcdefghijk"/><published>2024-03-09T10:00:00+00:00</published>
<media:group><media:title>On stones</media:title><media:description>See https://example.org/stones</media:description>
</media:group></entry></feed>"""
CHANNEL = "UC" + "a1" * 11
SILENT = replace(World(), monotonic=lambda: 0.0, sleep=abs)
BY_NAME = "give the show's name, or its feed's address"


def answer(*shows: tuple[str, str]) -> bytes:
    rows = [{"wrapperType": "track", "kind": "podcast", "collectionName": name, "feedUrl": url} for name, url in shows]
    return reply(200, json.dumps({"resultCount": len(rows), "results": rows}).encode(), Content_Type="text/javascript")


def page(markup: str) -> bytes:
    return reply(200, f"<!DOCTYPE html><html><body>{markup}</body></html>".encode(), Content_Type="text/html")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    with Loopback() as running:
        # The table's own addresses lead to the server.
        places = {directories.LOOKUP: "/lookup?{}", directories.SEARCH: "/search?{}"}
        places[directories.HANDLE] = "/{}"
        rows = []
        for row in directories._TABLE:
            query = row.template.partition("videos.xml")[2]
            path = f"/videos{query}" if query else places.get(row.template, "")
            rows.append(row._replace(template=running.url(path) if path else ""))
        monkeypatch.setattr(directories, "LOOKUP", running.url("/lookup?{}"))
        monkeypatch.setattr(directories, "SEARCH", running.url("/search?{}"))
        monkeypatch.setattr(directories, "_TABLE", tuple(rows))
        feed = running.url("/feed.xml")
        running.on("/feed.xml", reply(200, RSS)).on("/lookup?1234567", answer(("Mill", feed)))
        running.on("/lookup?7654321", answer()).on("/search?Mill", answer(("Mill", feed)))
        running.on("/search?Kiln", answer(("Kiln", feed), ("Kiln Talks", running.url("/other.xml?token=s3cretvalue"))))
        running.on("/search?Nobody", answer()).on("/search?Broken", reply(200, b"{"))
        running.on("/search?Own", reply(200, b'{"results": [{"collectionName": "Own"}, 7]}'))
        for query in (f"channel_id={CHANNEL}", "playlist_id=PL0123456789", "user=mill"):
            running.on(f"/videos?{query}", reply(200, VIDEOS))
        named = f'<link rel="alternate" type="application/rss+xml" href="/videos?channel_id={CHANNEL}">'
        running.on("/@mill", reply(200, f"<!DOCTYPE html><head>{named}</head>".encode(), Content_Type="text/html"))
        running.on("/player", page('<a href="/about">About</a> <a href="/feed.xml">RSS</a>'))
        running.on("/feed/feed.xml", reply(200, RSS))
        running.on("/player2", page('<a href="https://podcasts.apple.com/us/podcast/mill/id1234567">Listen</a>'))
        running.on("/plain", page("<p>An episode</p>"))
        yield running


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    lines: list[str] = []
    cache = Cache(tmp_path / "cache")

    def run(name: str, **named: Any) -> tuple[list[bytes], list[str], list[str]]:
        lines.clear()
        found = read_sources([name], cache=cache, notify=lines.append, world=SILENT, **named)
        return [source.data for source in found.read], [str(error) for error in found.failures], list(lines)

    return run


FEEDS = {
    "Apple Podcasts": ("https://podcasts.apple.com/us/podcast/mill/id1234567", RSS, "is Mill; reading its feed"),
    "an episode there": ("https://podcasts.apple.com/de/podcast/x/id1234567?i=1000", RSS, "is Mill"),
    "iTunes": ("http://itunes.apple.com/podcast/id1234567?mt=2", RSS, "is Mill"),
    "without https": ("podcasts.apple.com/us/podcast/mill/id1234567", RSS, "is Mill"),
    "an id": ("id1234567", RSS, "is Mill"),
    "Overcast": ("https://overcast.fm/itunes1234567/mill", RSS, "is Mill"),
    "Pocket Casts": ("https://pca.st/itunes/1234567", RSS, "is Mill"),
    "a name": ("Mill", RSS, "no file has this name; asking Apple Podcasts"),
    "a channel": (f"https://www.youtube.com/channel/{CHANNEL}", VIDEOS, "only the newest 15 videos"),
    "a tab of it": (f"https://m.youtube.com/channel/{CHANNEL}/videos", VIDEOS, "only the newest 15 videos"),
    "a playlist": ("https://youtube.com/playlist?list=PL0123456789&si=x", VIDEOS, "only the newest 15 videos"),
    "a user": ("youtube.com/user/mill", VIDEOS, "only the newest 15 videos"),
    "a handle": ("https://www.youtube.com/@mill/featured", VIDEOS, "reading the feed it names"),
    "a player's page": ("{server}/player", RSS, "reading the feed it names"),
    "a page with a link to Apple": ("{server}/player2", RSS, "is Mill"),
    "feed://": ("feed://{host}/feed.xml", RSS, ""),
    "itpc://": ("itpc://{host}/feed.xml", RSS, ""),
    "a bare address": ("{host}/feed.xml", RSS, ""),
}


@pytest.mark.parametrize("kind", FEEDS)
def test_a_link_or_name_leads_to_the_feed(read: Any, server: Loopback, kind: str) -> None:
    name, data, line = FEEDS[kind]
    read_, errors, lines = read(name.format(server=server.url("").rstrip("/"), host=f"127.0.0.1:{server.port}"))
    assert (read_, errors) == ([data], [])
    assert line in "\n".join(lines)


NEXT_STEPS = {
    "several shows": ("Kiln", "Kiln: Apple Podcasts has 2 such shows; give the feed's address of one"),
    "an unknown name": ("Nobody", "Nobody: no such file, and Apple Podcasts has no such show; check how it is"),
    "an unknown id": ("id7654321", "id7654321: no such file, and Apple Podcasts has no such show"),
    "a show of Apple's own": ("Own", "Own: Apple Podcasts knows it, but names no feed"),
    "a broken answer": ("Broken", "Broken: Apple Podcasts sent no readable answer; give the feed's address"),
    "Spotify": ("https://open.spotify.com/show/abc", f"abc: Spotify publishes no feeds; {BY_NAME}"),
    "Spotify's URI": ("spotify:show:abc", f"spotify:show:abc: Spotify publishes no feeds; {BY_NAME}"),
    "Amazon": ("https://music.amazon.co.uk/podcasts/x", f"Amazon publishes no feeds; {BY_NAME}"),
    "a video": ("https://youtu.be/abcdefghijk", "is one video, not a show; give the address of the channel"),
    "an e-mail address": ("ann@mill.example", f"ann@mill.example: is an e-mail address; {BY_NAME}"),
    "no such file": ("mill.xml", "mill.xml: there is no such file; check the path, or give a feed's address"),
    "a page without a feed": ("{server}/plain", "is a web page that names no feed; give the feed's own address"),
}


@pytest.mark.parametrize("kind", NEXT_STEPS)
def test_what_leads_to_no_feed_is_one_line_with_the_next_step(read: Any, server: Loopback, kind: str) -> None:
    name, message = NEXT_STEPS[kind]
    data, errors, lines = read(name.format(server=server.url("").rstrip("/")))
    assert data == []
    assert len(errors) == 1
    assert message in errors[0]
    assert "s3cretvalue" not in "\n".join((*errors, *lines))


def test_several_shows_are_listed_with_their_feeds(read: Any, server: Loopback) -> None:
    _, _, lines = read("Kiln")
    assert lines[1:] == [
        f"Kiln: {server.url('/feed.xml')}",
        f"Kiln Talks: {server.url('/other.xml')}?token=\N{HORIZONTAL ELLIPSIS}",
    ]
    assert server.targets == ["/search?Kiln"]


def test_a_saved_page_of_a_player_names_the_feed(read: Any, tmp_path: Path) -> None:
    (tmp_path / "saved.html").write_text('<!DOCTYPE html><a href="https://feeds.mill.example/f">RSS</a>')
    _, errors, _ = read("saved.html")
    assert errors == ["saved.html: is a web page, not a feed; its feed is at https://feeds.mill.example/f: give that"]


@pytest.mark.parametrize(
    ("name", "asked"),
    [("Millxml", []), ("mil-xml", []), ("Mill", ["/search?Mill", "/feed.xml"]), ("Mill x ml", ["/search?Mill+x+ml"])],
)
def test_a_name_near_a_file_beside_it_is_not_sent_out(
    read: Any, server: Loopback, tmp_path: Path, name: str, asked: list[str]
) -> None:
    (tmp_path / "mill.xml").write_bytes(RSS)
    server.on("/search?Mill+x+ml", answer())
    errors = read(name)[1]
    assert server.targets == asked
    assert asked or errors == [f"{name}: there is no such file; did you mean 'mill.xml'?"]


def test_offline_asks_nobody_and_takes_the_copy(read: Any, server: Loopback) -> None:
    _, errors, lines = read("Mill", offline=True)
    where = server.url("/search?Mill")
    assert errors == [
        f"Mill: no copy of it is kept, and {where} is not asked; run it once without --offline, or give the feed's file"
    ]
    assert (server.targets, lines) == ([], [])
    assert read("Mill")[0] == [RSS]
    assert read("Mill", offline=True)[0] == [RSS]


def test_a_directorys_answer_reaches_no_other_place_of_this_machine(read: Any, server: Loopback) -> None:
    with Loopback() as inner:
        server.on("/search?Trap", answer(("Trap", inner.on("/feed.xml", reply(200, RSS)).url("/feed.xml"))))
        data, errors, _ = read("Trap")
        assert (data, inner.targets) == ([], [])
    assert len(errors) == 1
