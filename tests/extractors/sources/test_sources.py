"""From what the user names to the bytes of feeds: one row is a set of files and answers, the names, and what is read."""

import gzip
import io
import json
import os
import re
import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from podgraph.extractors import Named, Origin, parse_feed
from podgraph.extractors.sample import sample_feed
from podgraph.extractors.sources import directories, documents, sources
from podgraph.extractors.sources.cache import Cache, Fetched
from podgraph.extractors.sources.connection import Limits, World
from podgraph.extractors.sources.sources import Source, read_sources
from tests.loopback import refusing_port, reply
from tests.tables import read_rows

RSS = (
    b"<?xml version='1.0'?><rss version='2.0'><channel><title>one</title><item><title>1</title></item></channel></rss>"
)
ATOM = b"<feed xmlns='http://www.w3.org/2005/Atom'><title>two</title><entry><title>2</title></entry></feed>"
JSON = b'{"version": "https://jsonfeed.org/version/1.1", "title": "three", "items": [{"id": "3"}]}'
LOGIN = b"<!DOCTYPE html><html><title>Log in</title><form></form></html>"
CUT = RSS[:-30]
EMPTY = b"<rss version='2.0'><channel><title>none</title></channel></rss>"
PLACES = {"{RSS}": RSS, "{ATOM}": ATOM, "{JSON}": JSON, "{LOGIN}": LOGIN, "{CUT}": CUT}
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


@pytest.fixture(autouse=True)
def _directories(server, monkeypatch):
    rows = "\n".join(directories._LINES).replace(directories.APPLE, server.url("/APPLE/"))
    rows = rows.replace("https://www.youtube.com/", server.url("/YOUTUBE/"))
    monkeypatch.setattr(directories, "APPLE", server.url("/APPLE/"))
    monkeypatch.setattr(directories, "_LINES", rows.splitlines())


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
    name: (
        {path: PLACES.get(text, text.encode()) for path, text in row.get("files", {}).items()},
        row["names"], row.get("read", ""), row.get("lines", []),
    )
    for name, row in tomllib.loads(Path(__file__).with_name("sources.toml").read_text("utf-8")).items()
} | {
    "gzip": ({"a.xml": gzip.compress(RSS)}, "a.xml", "rss", []),
    "cut gzip": ({"a.xml": gzip.compress(RSS)[:-9]}, "a.xml", "", ["a.xml: contains damaged or truncated compressed data; check that it is whole"]),
    "moved": ({"/f": reply(301, Location="/g"), "/g": RSS}, "{S}/f", "rss", ["/f has moved for good to /g; use that address"]),
    "a password": ({"/f": RSS, "/g": reply(404)}, "http://me:secret@{B}/f http://me:secret@{B}/g", "rss", ["/g: the server answers 404 Not Found; check the address"]),
    "HTML without a head": ({"/p": reply(200, b"<div>Please <b>log in</b></div>", Content_Type="text/html")}, "{S}/p", "", [f"/p: {NO_FEED}"]),
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
    monkeypatch.setattr(sources, "_MAXIMUM_FEEDS", 1)
    assert "is a list of more than 1 feeds" in read({"/l": opml("/a", "/b")}, "{S}/l")[1][0]


def test_a_cache_that_cannot_be_written_is_told_once(read, tmp_path):
    (tmp_path / "file").write_text("")
    labels, (line,), _ = read({"/f": RSS, "/g": ATOM}, "{S}/f", "{S}/g", cache=Cache(tmp_path / "file" / "x"))
    assert labels == ["rss", "atom"]
    assert re.fullmatch(rf"nothing can be stored in {tmp_path}/file/x: .*; going on without copies", line)


# Copies: the answers to one build after the other, what each reads, the last lines, whether the feed is the default.
COPIES = dict(read_rows(__file__, "COPIES"))  # fmt: skip


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


def rss(numbers, next_page="", moved="", rel="next"):
    link = f'<atom:link rel="{rel}" href="{next_page}"/><atom:link rel="last" href="/4"/>' if next_page else ""
    link += f"<itunes:new-feed-url>{moved}</itunes:new-feed-url>" if moved else ""
    items = "".join(f"<item><title>Part {n}</title><guid>{n}</guid></item>" for n in numbers)
    return f"{HEAD}<channel><title>Kiln</title>{link}{items}<itunes:author>A</itunes:author></channel></rss>".encode()


def json_feed(number, next_url):
    items = [{"id": str(number), "title": f"Part {number}", "content_text": "x"}]
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": "Kiln", "items": items}
    return json.dumps(feed | ({"next_url": next_url} if next_url else {})).encode()


PAGED = dict(read_rows(__file__, "PAGED"))


@pytest.mark.parametrize("case", PAGED)
def test_pages_are_one_feed(read, monkeypatch, case):
    pages, parts, requests, line = PAGED[case]
    monkeypatch.setattr(sources, "_MAXIMUM_PAGES", 2 if case == "too many" else 200)
    made = [LOGIN if one == "LOGIN" else rss(**one) if "numbers" in one else json_feed(**one) for one in pages]
    there = {f"/{number}": one for number, one in enumerate(made, 1)}
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
        in read({"/1?token=s3cretvalue": rss([1], moved="{S}/2"), "/2": rss([2])}, "{S}/1?token=s3cretvalue")[0][0]
    )


def test_pages_come_from_copies(read, server):
    there = {"/1": rss([1], next_page="/2"), "/2": rss([2])}
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
