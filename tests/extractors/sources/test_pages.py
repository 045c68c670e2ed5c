"""Pages of a feed are read as one feed, and a feed at a new address is read from there."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from podgraph.extractors import parse_feed
from podgraph.extractors.sources.cache import Cache
from podgraph.extractors.sources.connection import World
from podgraph.extractors.sources.documents import read_entries
from podgraph.extractors.sources.sources import read_sources
from tests.loopback import Loopback, reply

SILENT = replace(World(), monotonic=lambda: 0.0, sleep=abs)
HEAD = '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">'


def rss(*numbers, channel=""):
    items = "".join(f"<item><title>Part {n}</title><guid>{n}</guid></item>" for n in numbers)
    return (
        f"{HEAD}<channel><title>Kiln</title>{channel}{items}<itunes:author>A</itunes:author></channel></rss>".encode()
    )


def to(page, rel="next"):
    return f'<atom:link rel="{rel}" href="/{page}"/><atom:link rel="last" href="/4"/>'


def json_feed(number, following):
    items = [{"id": str(number), "title": f"Part {number}", "content_text": "x"}]
    page = {"version": "https://jsonfeed.org/version/1.1", "title": "Kiln", "items": items}
    return json.dumps(page | ({"next_url": f"/{following}"} if following else {})).encode()


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "*")
    with Loopback() as running:
        yield running


def read(server, folder, path="/1", **named):
    """Return the parts of the feed, the requested paths, the notices, and the feed's warnings."""
    lines = []
    before = len(server.targets)
    name = path if "://" in path else server.url(path)
    (source,) = read_sources([name], cache=Cache(folder), notify=lines.append, world=SILENT, **named).read
    feed = parse_feed(source.data, source="x", url=source.url, pages=source.pages)
    parts = [int(episode.title.removeprefix("Part ")) for episode in feed.episodes]
    return parts, server.targets[before:], lines, [line for line in feed.warnings if line.startswith("page")]


# the pages of a server, the parts that are read, the requests, the notices and warnings
PAGED = {
    "four pages": ([rss(1, 2, channel=to(2)), rss(3, channel=to(3)), rss(4, channel=to(4)), rss(5)], [1, 2, 3, 4, 5], 4, ""),
    "an archive": ([rss(1, channel=to(2, "prev-archive")), rss(2)], [1, 2], 2, ""),
    "JSON Feed": ([json_feed(1, 2), json_feed(2, 3), json_feed(3, 0)], [1, 2, 3], 3, ""),
    "an episode on two pages": ([rss(1, 2, channel=to(2)), rss(2, 3)], [1, 2, 3], 2, ""),
    "a loop": ([rss(1, channel=to(2)), rss(2, channel=to(1))], [1, 2], 2, "pages 1 to 2 of 4; 2 episodes"),
    "a page that leads to itself": ([rss(1, channel=to(1))], [1], 1, "page 1 of 4; 1 episode"),
    "a missing page": ([rss(1, channel=to(9))], [1], 2, "page 2 is not read: {9}: the server answers 404"),
    "a login page": ([rss(1, channel=to(2)), b"<!DOCTYPE html><p>Log in"], [1], 2, "page 2 is not read: {2}: is not a feed"),
    "another host inside": ([rss(1, channel='<atom:link rel="next" href="http://10.0.0.1/2"/>')], [1], 1, "only you may lead"),
}  # fmt: skip


@pytest.mark.parametrize("case", PAGED)
def test_pages_are_one_feed(server, tmp_path, case):
    pages, parts, requests, line = PAGED[case]
    for number, page in enumerate(pages, 1):
        server.on(f"/{number}", reply(200, page))
    found, targets, lines, warnings = read(server, tmp_path)
    assert (found, len(targets)) == (parts, requests)
    expected = line.replace("{9}", server.url("/9")).replace("{2}", server.url("/2"))
    assert expected in "\n".join(lines + warnings)
    if not line:
        assert lines + warnings == []


def test_items_without_an_end_cost_no_time(server, tmp_path):
    server.on("/1", reply(200, HEAD.encode() + b"<channel><title>x</title>" + to(1).encode() + b"<item>" * 20_000))
    (source,) = read_sources([server.url("/1")], cache=Cache(tmp_path), world=SILENT).read
    assert source.pages == ()


def test_pages_are_limited(server, tmp_path, monkeypatch):
    monkeypatch.setattr("podgraph.extractors.sources.pages._MOST_PAGES", 3)
    server.on("*", lambda call: call.send(reply(200, rss(int(call.target[1:]), channel=to(int(call.target[1:]) + 1)))))
    parts, _, _, warnings = read(server, tmp_path)
    assert (parts, warnings) == ([1, 2, 3], ["pages 1 to 3 of 4; 3 episodes"])


def test_offline_pages_come_from_copies(server, tmp_path):
    server.on("/1", reply(200, rss(1, channel=to(2)))).on("/2", reply(200, rss(2)))
    assert read(server, tmp_path)[0] == [1, 2]
    assert read(server, tmp_path, offline=True)[:2] == ([1, 2], [])
    server.on("/1", reply(404))
    assert read(server, tmp_path)[:2] == ([1, 2], ["/1"])
    for copy in tmp_path.glob("*.feed"):
        if b"Part 2" in copy.read_bytes():
            copy.unlink()
    parts, _, _, warnings = read(server, tmp_path, offline=True)
    assert (parts, warnings) == ([1], ["page 1 of 4; 1 episode"])


def moved(address):
    return f"<itunes:new-feed-url>{address}</itunes:new-feed-url>"


# the address, the element of the old feed and of the new one, the parts that are read
MOVES = {
    "to another address": ("/1", "/2", "", [2]),
    "and on from there: once is enough": ("/1", "/2", "/3", [2]),
    "to itself": ("/1", "/1", "", [1]),
    "to nowhere": ("/1", "/9", "", [1]),
    "a key in the address": ("/1?token=s3cretvalue", "/2", "", [1]),
}


@pytest.mark.parametrize("case", MOVES)
def test_a_new_address_is_followed_once(server, tmp_path, case):
    path, old, new, expected = MOVES[case]
    server.on(path, reply(200, rss(1, channel=moved(server.url(old)))))
    server.on("/2", reply(200, rss(2, channel=moved(server.url(new)) if new else ""))).on("/3", reply(200, rss(3)))
    parts, _, lines, _ = read(server, tmp_path, path)
    line = f"{server.url('/1')} names a new address (itunes:new-feed-url); reading {server.url('/2')}"
    assert (parts, lines) == (expected, [line] if expected == [2] else [])


LISTS = {
    "newsboat": ('https://a.example/f "news" "~A"\n# mine\nquery:all:unread = "yes"\nhttps://b.example/ "~B" tech # x', [
        ("https://a.example/f", "news", 1), ("https://b.example/", "tech", 4)]),
    "feed: in a text": ("feed:https://a.example/f\nfeed://b.example/f", [
        ("https://a.example/f", "", 1), ("http://b.example/f", "", 2)]),
    "feed: in OPML": ("<opml><title/><outline xmlUrl='feed://a.example/f'/><outline xmlUrl=\"b.xml\"/></opml>", [
        ("http://a.example/f", "", 0), ("b.xml", "", 0)]),
}  # fmt: skip


@pytest.mark.parametrize("kind", LISTS)
def test_entries_of_a_list(kind):
    text, entries = LISTS[kind]
    assert read_entries(text.encode()) == entries


def test_a_charset_as_coding_is_ignored(server, tmp_path):
    server.on("/1", reply(200, rss(1), Content_Encoding="UTF-8"))
    assert read(server, tmp_path)[0] == [1]
