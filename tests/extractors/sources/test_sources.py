"""From what the user names to the bytes of feeds: one row is a set of files and answers, the names, and what is read."""

import gzip
import io
import json
import os
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from podgraph.extractors import Named, Origin, parse_feed
from podgraph.extractors.sample import sample_feed
from podgraph.extractors.sources import directories, documents, sources
from podgraph.extractors.sources.cache import Cache, Fetched
from podgraph.extractors.sources.connection import Limits, World
from podgraph.extractors.sources.sources import Source, read_sources
from tests.loopback import Loopback, refusing_port, reply

RSS = (
    b"<?xml version='1.0'?><rss version='2.0'><channel><title>one</title><item><title>1</title></item></channel></rss>"
)
ATOM = b"<feed xmlns='http://www.w3.org/2005/Atom'><title>two</title><entry><title>2</title></entry></feed>"
JSON = b'{"version": "https://jsonfeed.org/version/1.1", "title": "three", "items": [{"id": "3"}]}'
LOGIN = b"<!DOCTYPE html><html><title>Log in</title><form></form></html>"
CUT = RSS[:-30]
EMPTY = b"<rss version='2.0'><channel><title>none</title></channel></rss>"
LABELS = {RSS: "rss", ATOM: "atom", JSON: "json", CUT: "cut", EMPTY: "empty", sample_feed(): "sample"}
WORLD = replace(World(), monotonic=lambda: 0.0, now=lambda: datetime(2026, 12, 2, 12, tzinfo=UTC), sleep=abs)
NO_FEED = "is a web page that names no feed; give the feed's own address; if that wants a login, a file with the feed"
INSIDE = "is an address of this machine or its own network, where only you may lead"


def opml(*urls, more=""):
    outlines = "".join(f'<outline type="rss" xmlUrl="{url}"/>' for url in urls)
    return f'<?xml version="1.0"?><opml version="2.0"><body>{outlines}{more}</body></opml>'.encode()


def page(*links, base=""):
    links = "".join(f'<link rel="alternate" type="application/rss+xml" href="{link}">' for link in links)
    return f"<!DOCTYPE html><html><head>{base}{links}</head><body>hi</body></html>".encode()


def found(*shows):
    rows = [{"wrapperType": "track", "collectionName": name, "feedUrl": url} for name, url in shows]
    return json.dumps({"resultCount": len(rows), "results": rows}).encode()


@pytest.fixture
def server(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with Loopback() as running:
        for name, where in (("APPLE", directories.APPLE), ("YOUTUBE", directories.YOUTUBE)):
            monkeypatch.setattr(directories, name, running.url(f"/{name}/"))
            table = [(row[0], row[1].replace(where, running.url(f"/{name}/")), row[2]) for row in directories._TABLE]
            monkeypatch.setattr(directories, "_TABLE", table)
        yield running


@pytest.fixture
def read(server, tmp_path, monkeypatch):
    """A function: (what is there, names, options) -> labels of what is read, lines for the user, requests.

    ``{S}`` stands for the server's address. What is there: an address's answers or a file's bytes, by path.
    """
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr("podgraph.extractors.sample.SNAPSHOT_DATE", "2026-11-20")
    cache = Cache(tmp_path / "cache")
    base = server.url("")

    def run(there, *names, **options):
        for path, data in there.items():
            bodies = [one.replace(b"{S}", base.encode()) for one in (data if isinstance(data, list) else [data])]
            if path.startswith("/"):
                server.on(path, *(one if one.startswith(b"HTTP/") else reply(200, one) for one in bodies))
            else:
                (tmp_path / "work" / path).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / "work" / path).write_bytes(bodies[0])
        server.calls.clear()
        lines = []
        options = {"cache": cache, "notify": lines.append, "world": WORLD} | options
        run.found = read_sources([name.replace("{S}", base) for name in names], **options)
        lines += map(str, run.found.failures)
        assert all(line.isprintable() and len(line) < 500 for line in lines)
        return (
            [LABELS.get(one.data, one.data) for one in run.found.read],
            [line.replace(base, "") for line in lines],
            server.targets,
        )

    return run


# What is there, the names, what is read, the lines for the user.
CASES = {
    # Files
    "feeds": ({"a.xml": RSS, "b.xml": ATOM, "c.json": JSON}, "a.xml b.xml c.json ./a.xml", "rss atom json", []),
    "gzip": ({"a.xml": gzip.compress(RSS)}, "a.xml", "rss", []),
    "a file: URL": ({"a.xml": RSS}, "file:{W}/a.xml", "rss", []),
    "missing": ({}, "a/b.xml", "", ["a/b.xml: there is no such file; check the path, or give a feed's address"]),
    "empty": ({"a.xml": b" \n\t"}, "a.xml", "", ["a.xml: is empty; check that it is the right file"]),
    "cut gzip": ({"a.xml": gzip.compress(RSS)[:-9]}, "a.xml", "", ["a.xml: contains damaged or truncated compressed data; check that it is whole"]),
    "a page": ({"a.html": LOGIN}, "a.html", "", ["a.html: is a web page, not a feed; give the feed's own address"]),
    "prose": ({"a.txt": b"not a feed at all\n"}, "a.txt", "", ["not a feed at all: is neither an address nor a file below its list; mend or remove it"]),
    "NUL": ({}, "a\0b", "", ["a\ufffdb: cannot be read: embedded null byte; check the path and its permissions"]),
    "control": ({}, "a\x1b[2J.xml", "", ["a\ufffd[2J.xml: there is no such file; check the path, or give a feed's address"]),
    "ftp": ({}, "ftp://a.example/f", "", ["ftp://a.example/f: podgraph fetches http and https only; save the feed in a file and give that file"]),
    "the snapshot": ({}, "sample", "sample", []),
    "a folder": ({"d/b.xml": RSS, "d/a.RSS": ATOM, "d/c.json": JSON, "d/.h.xml": RSS, "d/n.txt": RSS, "d/g.json": b'{"nodes": []}', "d/e/f.xml": RSS, "d/l.opml": opml("{S}/f"), "/f": CUT}, "d", "atom rss json cut", []),
    "a folder without": ({"d/g.json": b"{}"}, "d", "", ["d: is a folder without feeds; feeds are files called *.xml, *.rss, *.atom, *.json, *.opml"]),
    # Addresses
    "an address": ({"/f": RSS}, "{S}/f", "rss", []),
    "feed://": ({"/f": RSS}, "feed:{S}/f {B}/f", "rss", []),
    "moved": ({"/f": reply(301, Location="/g"), "/g": RSS}, "{S}/f", "rss", ["/f has moved for good to /g; use that address"]),
    "a password": ({"/f": RSS, "/g": reply(404)}, "http://me:secret@{B}/f http://me:secret@{B}/g", "rss", ["/g: the server answers 404 Not Found; check the address"]),
    "several": ({"a.xml": ATOM, "/f": RSS, "/j": JSON}, "{S}/f a.xml {S}/gone sample no.xml {S}/j", "rss atom sample json", [
        "/gone: the server answers 404 Not Found; check the address", "no.xml: there is no such file; check the path, or give a feed's address"]),
    # Pages
    "a page with a link": ({"/p": page("/f", "/comments"), "/f": RSS}, "{S}/p", "rss", ["/p is a web page; reading the feed it names: /f"]),
    "a base": ({"/p": page("f", base='<base href="/a/">'), "/a/f": RSS}, "{S}/p", "rss", ["/p is a web page; reading the feed it names: /a/f"]),
    "links that are none": ({"/p": page("javascript:alert(1)", "file:///etc/passwd", "/p", "/f?a=1&amp;b=2", base="<!--" + page("/old").decode() + "-->"), "/f?a=1&b=2": RSS}, "{S}/p", "rss",
        ["/p is a web page; reading the feed it names: /f?a=1&b=2"]),
    "in capitals": ({"/p": b"<html><LINK HREF='/f' TYPE='application/RSS+xml; x=y' REL='home Alternate'/>", "/f": RSS}, "{S}/p", "rss", ["/p is a web page; reading the feed it names: /f"]),
    "a player": ({"/p": b'<!DOCTYPE html><a href="/about">x</a> <a href="/feed.xml">RSS</a>', "/feed.xml": RSS}, "{S}/p", "rss", ["/p is a web page; reading the feed it names: /feed.xml"]),
    "a login page": ({"/p": LOGIN}, "{S}/p", "", [f"/p: {NO_FEED}"]),
    "HTML without a head": ({"/p": reply(200, b"<div>Please <b>log in</b></div>", Content_Type="text/html")}, "{S}/p", "", [f"/p: {NO_FEED}"]),
    "other links": ({"/p": b"<html><link rel=stylesheet type='application/rss+xml' href=/a><script><link rel=alternate type='application/rss+xml' href=/b></script>"}, "{S}/p", "", [f"/p: {NO_FEED}"]),
    "a page after a page": ({"/p": page("/q"), "/q": page("/f")}, "{S}/p", "", ["/p is a web page; reading the feed it names: /q", f"/p: {NO_FEED}"]),
    "a page that leads inside": ({"/p": page("http://localhost:{P}/f"), "/f": RSS}, "{S}/p", "", ["/p is a web page; reading the feed it names: http://localhost:{P}/f", f"/p: localhost {INSIDE}; give that address as a source yourself if you trust it"]),
    # Lists
    "a text": ({"a.txt": b"# shows\r\n{S}/f\r\n\n  {S}/g \n{S}/f", "/f": RSS, "/g": ATOM}, "a.txt", "rss atom", []),
    "OPML": ({"a.opml": opml("{S}/g", "{S}/f", "{S}/g", more="<outline XMLURL='{S}/j?a&b=1'></outline>"), "/f": RSS, "/g": ATOM, "/j?a&b=1": JSON}, "a.opml {S}/f", "atom rss json", []),
    "files below a list": ({"l/d/a.xml": RSS, "b.xml": ATOM, "l/l.opml": opml("d/a.xml", "../b.xml", "no.xml", "{S}/f"), "/f": JSON}, "l/l.opml", "rss json", ["../b.xml: is neither an address nor a file below its list; mend or remove it", "no.xml: is neither an address nor a file below its list; mend or remove it"]),
    "a text of files": ({"l/a b.xml": RSS, "l/d/e.xml": ATOM, "l/mine": b"# mine\na b.xml\t# x\nd\nht-x\n"}, "l/mine", "rss atom", ["ht-x: is neither an address nor a file below its list; mend or remove it"]),
    "a list from the network": ({"a.xml": RSS, "/l": opml("/f", "http://localhost:{P}/g", "file:///etc/passwd", "a.xml"), "/f": ATOM, "/a.xml": JSON}, "{S}/l", "atom json", [
        f"http://localhost:{{P}}/g: localhost {INSIDE}; give that address as a source yourself if you trust it", "file:///etc/passwd: is neither an address nor a file below its list; mend or remove it"]),
    "a list in a list": ({"/l": opml("/m"), "/m": opml("/f")}, "{S}/l", "", ["/m: is a list of more than 50,000 feeds, or a list in a list; give the list or its parts as sources"]),
    "a list of nothing": ({"/l": opml()}, "{S}/l", "", ["/l: is a list that names no feed; give a feed's address"]),
    # Directories, a show's name
    "Apple Podcasts": ({"/APPLE/lookup?entity=podcast&id=1234567": found(("Mill", "{S}/f")), "/f": RSS}, "https://podcasts.apple.com/de/podcast/x/id1234567?i=1 id1234567 https://overcast.fm/itunes1234567/mill", "rss",
        ["https://podcasts.apple.com/de/podcast/x/id1234567?i=1 is Mill; reading its feed: /f", "id1234567 is Mill; reading its feed: /f", "https://overcast.fm/itunes1234567/mill is Mill; reading its feed: /f"]),
    "a name": ({"/APPLE/search?media=podcast&entity=podcast&limit=10&term=Mill": found(("Mill", "{S}/f")), "/f": RSS}, "Mill", "rss", ["Mill is not a file; asking Apple Podcasts", "Mill is Mill; reading its feed: /f"]),
    "several shows": ({"/APPLE/search?media=podcast&entity=podcast&limit=10&term=Kiln": found(("Kiln", "{S}/f"), ("Talk", "{S}/g?token=s3cretvalue"))}, "Kiln", "", ["Kiln is not a file; asking Apple Podcasts", "Kiln: /f", "Talk: /g?token=\u2026",
        "Kiln: Apple Podcasts has 2 such shows with a feed; give the feed's address of one"]),
    "no show": ({"/APPLE/lookup?entity=podcast&id=7654321": b'{"results": [{"collectionName": "Own"}]}'}, "id7654321", "", ["id7654321: Apple Podcasts has no such shows with a feed; check how it is written, or give a feed's address"]),
    "a broken answer": ({"/APPLE/lookup?entity=podcast&id=7654321": b'{"results": [7]}'}, "id7654321", "", ["id7654321: Apple Podcasts sent no readable answer; give the feed's address"]),
    "a show inside": ({"/APPLE/lookup?entity=podcast&id=7654321": found(("Trap", "http://10.0.0.1/f"))}, "id7654321", "", ["id7654321 is Trap; reading its feed: http://10.0.0.1/f",
        f"id7654321: 10.0.0.1 {INSIDE}; give that address as a source yourself if you trust it"]),
    "YouTube": ({"/YOUTUBE/feeds/videos.xml?channel_id=UC" + "a1" * 11: ATOM, "/YOUTUBE/feeds/videos.xml?playlist_id=PL0123456789": RSS}, "https://m.youtube.com/channel/UC" + "a1" * 11 + "/videos youtube.com/playlist?si=x&list=PL0123456789", "atom rss",
        ["https://m.youtube.com/channel/UC" + "a1" * 11 + "/videos has only the newest 15 videos in its feed", "youtube.com/playlist?si=x&list=PL0123456789 has only the newest 15 videos in its feed"]),
    "a handle": ({"/YOUTUBE/@mill": page("/f"), "/f": ATOM}, "https://www.youtube.com/@mill/featured", "atom", ["https://www.youtube.com/@mill/featured has only the newest 15 videos in its feed", "https://www.youtube.com/@mill/featured is a web page; reading the feed it names: /f"]),
    "Spotify": ({}, "https://open.spotify.com/show/abc", "", ["https://open.spotify.com/show/abc: Spotify and Amazon publish no feeds; give the show's name, or its feed's address"]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_sources(read, server, tmp_path, case):
    there, names, expected, lines = CASES[case]

    def fill(text):
        return (
            text.replace("{P}", str(server.port))
            .replace("{B}", f"127.0.0.1:{server.port}")
            .replace("{W}", str(tmp_path / "work"))
        )

    there = {
        path: data if isinstance(data, list) else data.replace(b"{P}", str(server.port).encode())
        for path, data in there.items()
    }
    labels, told, _ = read(there, *map(fill, names.split(" ")))
    assert (labels, told) == (expected.split(), [*map(fill, lines)])


def test_an_empty_name_and_standard_input(read, tmp_path):
    assert read({}, "")[1] == ["an empty name is not a source; name a feed's address or file, or 'sample'"]
    assert read({}, "-", stdin=io.BytesIO(RSS))[0] == ["rss"]
    with (tmp_path / "x").open("wb") as unreadable:
        line = "standard input: cannot be read: read; check the path and its permissions"
        assert read({}, "-", stdin=unreadable)[1] == [line]
    assert read({}, "-", stdin=io.BytesIO())[1] == ["standard input: is empty; check that it is the right file"]


def test_a_source_says_where_it_is_from(read, server):
    there = {"/f": reply(302, Location="/g"), "/g": reply(200, RSS, Content_Type="text/xml")}
    read(
        there
        | {"l.opml": opml(more="<outline text='A'><outline text='B'><outline xmlUrl='{S}/f'/></outline></outline>")},
        "l.opml",
    )
    asked = server.url("/f")
    assert read.found.read == (Source(asked, RSS, "url", server.url("/g"), "text/xml", asked, group="A/B"),)


def test_progress_counts_addresses(read):
    counts = []
    read({"/f": RSS}, "{S}/f", "{S}/gone", "sample", done=lambda finished, total: counts.append((finished, total)))
    assert counts == [(1, 2), (2, 2)]


@pytest.mark.parametrize("data", [bytes(1001), gzip.compress(bytes(1001)), gzip.compress(bytes(999)) * 2], ids=len)
def test_a_file_that_is_too_large(read, monkeypatch, data):
    monkeypatch.setattr(documents, "LIMITS", Limits(body=1000))
    assert read({"a.xml": data}, "a.xml")[1] == ["a.xml: is larger than 0.001 MB; give a smaller feed"]


def test_settings_of_strangers_name_files_in_their_folder_only(read, tmp_path):
    (tmp_path / "work" / "settings").mkdir()
    origin = Origin.of_settings(str(tmp_path / "work" / "settings"))
    read({"a.xml": RSS, "settings/b.xml": ATOM})
    found = read_sources([Named("a.xml", origin), Named("settings/b.xml", origin), Named("settings/../a.xml", origin)])
    assert [one.data for one in found.read] == [ATOM]
    assert "there is no such file" not in str(found.failures)


def test_entities_of_a_list_mean_nothing(read):
    bomb = b"<!DOCTYPE opml [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>"
    lines = read({"a.opml": bomb + opml("&e;", "https://&e;.example/")}, "a.opml", offline=True)[1]
    assert "root:" not in "".join(lines)


def test_a_list_is_limited(read, monkeypatch):
    monkeypatch.setattr(sources, "_MOST_FEEDS", 1)
    assert "is a list of more than 1 feeds" in read({"/l": opml("/a", "/b")}, "{S}/l")[1][0]


def test_a_cache_that_cannot_be_written_is_told_once(read, tmp_path):
    (tmp_path / "file").write_text("")
    labels, (line,), _ = read({"/f": RSS, "/g": ATOM}, "{S}/f", "{S}/g", cache=Cache(tmp_path / "file" / "x"))
    assert labels == ["rss", "atom"]
    assert re.fullmatch(rf"nothing can be stored in {tmp_path}/file/x: .*; going on without copies", line)


# Copies: the answers to one build after the other, what each reads, the last lines, whether the feed is the default.
COPIES = {
    "gone": ([RSS, reply(404)], "rss rss", "/f cannot be read (the server answers 404 Not Found); using the copy of 2026-12-02"),
    "a login page": ([RSS, LOGIN, LOGIN], "rss rss rss", "/f cannot be read (is a web page that names no feed); using the copy of 2026-12-02"),
    "not a feed": ([RSS, b"<error/>"], "rss rss", "/f cannot be read (is not a feed); using the copy of 2026-12-02"),
    "empty": ([RSS, EMPTY], "rss rss", "/f cannot be read (has no items); using the copy of 2026-12-02"),
    "cut off": ([CUT, RSS, CUT], "cut rss rss", "/f cannot be read (has no items); using the copy of 2026-12-02"),
    "fewer items": ([RSS.replace(b"</channel>", b"<item></item></channel>"), RSS[:-9]], "1 1", "/f cannot be read (is cut off: 1 of 2 items are left); using the copy of 2026-12-02"),
    "empty at first": ([EMPTY, RSS], "empty rss", ""),
    "a list": ([opml("/g"), reply(500)], "atom atom", "/f cannot be read (the server answers 500 Internal Server Error); using the copy of 2026-12-02"),
    "default: 404": ([reply(404)], "sample", "/f cannot be read (the server answers 404 Not Found); using the built-in snapshot of 2026-11-20"),
    "default: empty": ([EMPTY], "sample", "/f cannot be read (has no items); using the built-in snapshot of 2026-11-20"),
    "default: copy": ([RSS, b""], "rss rss", "/f cannot be read (is empty); using the copy of 2026-12-02"),
}  # fmt: skip


@pytest.mark.parametrize("case", COPIES)
def test_a_copy_replaces_what_cannot_be_read(read, server, case):
    answers, expected, line = COPIES[case]
    options = {"default_feed": server.url("/f")} if case.startswith("default") else {}
    found = []
    for answer in answers:
        server.routes.clear()
        labels, lines, _ = read({"/f": answer, "/g": ATOM}, "{S}/f", **options)
        found += ["1" if isinstance(label, bytes) else label for label in labels]
    assert (found, lines) == (expected.split(), [line] if line else [])
    assert [bool(one.stale) for one in read.found.read] == [bool(line) and case != "a list"]


def test_offline_everything_comes_from_copies(read, server):
    there = {"/f": RSS, "/p": page("/g"), "/g": ATOM}
    assert read(there, "{S}/f", "{S}/p")[0] == ["rss", "atom"]
    labels, lines, targets = read(there, "{S}/f", "{S}/p", "{S}/h", "Mill", offline=True)
    assert (labels, targets) == (["rss", "atom"], [])
    assert lines[:2] == [f"{path} is not asked (--offline); using the copy of 2026-12-02" for path in ("/f", "/p")]
    assert lines[2] == "/h: no copy of it is kept; run it once without --offline, or give the feed's file"
    assert read({}, offline=True, default_feed=server.url("/x"))[0] == ["sample"]


def test_a_copy_from_inside_is_not_for_content(read, server, tmp_path):
    url = server.url("/inside")
    Cache(tmp_path / "cache").store(url, Fetched(RSS, url, home=("127.0.0.1", server.port)))
    with refusing_port() as port:
        other = f"http://127.0.0.1:{port}/l"
        Cache(tmp_path / "cache").store(other, Fetched(opml(url), other))
        assert read({}, other, offline=True)[0] == []
    assert read({}, url, offline=True)[0] == ["rss"]


# Pages of a feed, and feeds that move


HEAD = '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">'


def rss(*numbers, next_page="", moved="", rel="next"):
    link = f'<atom:link rel="{rel}" href="{next_page}"/><atom:link rel="last" href="/4"/>' if next_page else ""
    link += f"<itunes:new-feed-url>{moved}</itunes:new-feed-url>" if moved else ""
    items = "".join(f"<item><title>Part {n}</title><guid>{n}</guid></item>" for n in numbers)
    return f"{HEAD}<channel><title>Kiln</title>{link}{items}<itunes:author>A</itunes:author></channel></rss>".encode()


def json_feed(number, next_url):
    items = [{"id": str(number), "title": f"Part {number}", "content_text": "x"}]
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": "Kiln", "items": items}
    return json.dumps(feed | ({"next_url": next_url} if next_url else {})).encode()


# The pages /1, /2, … of a server, the parts that are read, the number of requests, and a part of the lines.
PAGED = {
    "four pages": ([rss(1, 2, next_page="/2"), rss(3, next_page="/3"), rss(4, next_page="/4"), rss(5)], [1, 2, 3, 4, 5], 4, ""),
    "an archive": ([rss(1, next_page="/2", rel="prev-archive"), rss(2)], [1, 2], 2, ""),
    "JSON Feed": ([json_feed(1, "/2"), json_feed(2, "/3"), json_feed(3, "")], [1, 2, 3], 3, ""),
    "an episode on two pages": ([rss(1, 2, next_page="/2"), rss(2, 3)], [1, 2, 3], 2, ""),
    "a loop": ([rss(1, next_page="/2"), rss(2, next_page="/1")], [1, 2], 2, "pages 1 to 2 of 4; 2 episodes"),
    "a missing page": ([rss(1, next_page="/9")], [1], 2, "page 2 is not read: /9: the server answers 404"),
    "a login page": ([rss(1, next_page="/2"), LOGIN], [1], 2, "page 2 is not read: /2: is not a feed"),
    "another host inside": ([rss(1, next_page="http://10.0.0.1/2")], [1], 1, "only you may lead"),
    "too many": ([rss(n, next_page=f"/{n + 1}") for n in (1, 2, 3, 4)], [1, 2, 3], 3, "pages 1 to 3 of 4; 3 episodes"),
    "moved": ([rss(1, moved="{S}/2"), rss(2, moved="{S}/3"), rss(3)], [2], 2, "/1 names a new address (itunes:new-feed-url); reading /2"),
    "moved to itself": ([rss(1, moved="{S}/1")], [1], 1, ""),
    "moved to nowhere": ([rss(1, moved="{S}/9")], [1], 2, ""),
}  # fmt: skip


@pytest.mark.parametrize("case", PAGED)
def test_pages_are_one_feed(read, monkeypatch, case):
    pages, parts, requests, line = PAGED[case]
    monkeypatch.setattr(sources, "_MOST_PAGES", 2 if case == "too many" else 200)
    there = {f"/{number}": one for number, one in enumerate(pages, 1)}
    _, lines, targets = read(there, "{S}/1")
    (source,) = read.found.read
    assert len(targets) == requests
    if parts:
        feed = parse_feed(source.data, source="x", url=source.url, pages=source.pages)
        assert [int(one.title.removeprefix("Part ")) for one in feed.episodes] == parts
        lines += [warning for warning in feed.warnings if warning.startswith("page")]
    assert line in "\n".join(lines)
    assert line or not lines


def test_a_private_feed_stays_where_it_is(read):
    assert (
        b"Part 1"
        in read({"/1?token=s3cretvalue": rss(1, moved="{S}/2"), "/2": rss(2)}, "{S}/1?token=s3cretvalue")[0][0]
    )


def test_pages_come_from_copies(read, server):
    there = {"/1": rss(1, next_page="/2"), "/2": rss(2)}
    read(there, "{S}/1")
    assert read(there, "{S}/1", offline=True)[2] == []
    assert len(read.found.read[0].pages) == 1
    server.routes.clear()
    assert read({}, "{S}/1")[2] == ["/1"]
    assert len(read.found.read[0].pages) == 1


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything: run as another user"
)
def test_a_file_that_may_not_be_read(read, tmp_path):
    read({"a.xml": RSS})
    (tmp_path / "work" / "a.xml").chmod(0)
    assert read({}, "a.xml")[1] == ["a.xml: cannot be read: Permission denied; check the path and its permissions"]
