"""From what the user names to the bytes of feeds."""

from __future__ import annotations

import gzip
import io
import os
import socket
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from podgraph.extractors import SourceError
from podgraph.extractors.sample import sample_feed
from podgraph.extractors.sources.cache import Cache, Fetched
from podgraph.extractors.sources.connection import Limits, World
from podgraph.extractors.sources.source import Source, Sources, fall_back
from podgraph.extractors.sources.sources import read_sources
from tests.loopback import Loopback, head, refusing_port, reply

if TYPE_CHECKING:
    from collections.abc import Iterator

RSS = b"<?xml version='1.0'?><rss version='2.0'><channel><title>one</title></channel></rss>"
ATOM = b"<feed xmlns='http://www.w3.org/2005/Atom'><title>two</title></feed>"
JSON = b'{"version": "https://jsonfeed.org/version/1.1", "title": "three", "items": []}'
LOGIN = b"<!DOCTYPE html><html><title>Log in</title><form></form></html>"
NOW = datetime(2026, 12, 2, 12, tzinfo=UTC)
SILENT = replace(World(), monotonic=lambda: 0.0, now=lambda: NOW, sleep=abs)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture(autouse=True)
def _snapshot_of_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("podgraph.extractors.sample.SNAPSHOT_DATE", "2026-11-20")


@pytest.fixture
def server() -> Any:
    with Loopback() as running:
        yield running


class Reader:
    """``read_sources`` with a cache of its own, a clock that stands, and an ear for what the user is told."""

    def __init__(self, folder: Path) -> None:
        self.cache = Cache(folder)
        self.told: list[str] = []
        self.world = SILENT

    def __call__(self, *sources: str, **named: Any) -> Sources:
        self.told.clear()
        named = {"cache": self.cache, "notify": self.told.append, "world": self.world} | named
        return read_sources(sources, **named)

    def keep(self, url: str, data: bytes, **ago: float) -> None:
        self.cache.store(url, Fetched(data, url, fetched_at=NOW - timedelta(**ago)))


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    return Reader(tmp_path / "cache")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "work"
    path.mkdir()
    monkeypatch.chdir(path)
    return path


def bodies(sources: Sources) -> list[bytes]:
    return [source.data for source in sources.read]


def problems(sources: Sources) -> list[str]:
    return [str(failure) for failure in sources.failures]


def page(*links: str) -> bytes:
    return f"<!DOCTYPE html><html><head>{''.join(links)}</head><body>hi</body></html>".encode()


def link(href: str, kind: str = "application/rss+xml") -> str:
    return f'<link rel="alternate" type="{kind}" href="{href}">'


def opml(*urls: str, more: str = "") -> bytes:
    outlines = "".join(f'<outline type="rss" xmlUrl="{url}"/>' for url in urls)
    return f'<?xml version="1.0"?><opml version="2.0"><body>{outlines}{more}</body></opml>'.encode()


# Names


# Files


@pytest.mark.parametrize(
    "data", [RSS, ATOM, JSON, b"\xef\xbb\xbf" + RSS, RSS.decode().encode("utf-16"), b"<odd>not a feed at all</odd>"]
)
def test_a_file_is_read_as_it_is(read: Reader, folder: Path, data: bytes) -> None:
    (folder / "feed.xml").write_bytes(data)
    assert read("feed.xml") == Sources((Source("feed.xml", data, "file"),), ())
    assert read.told == []


BAD_FILES = {
    "missing.xml": (None, "missing.xml: there is no such file; check the path, or give a feed's address"),
    "empty.xml": (b"", "empty.xml: is empty; check that it is the right file"),
    "blank.xml": (b" \n\t ", "blank.xml: is empty"),
    "cut.xml": (gzip.compress(RSS)[:-9], "cut.xml: contains damaged or truncated compressed data"),
    "page.html": (page(link("https://a.example/f")), "is a web page, not a feed; its feed is at https://a.example/f"),
    "login.html": (LOGIN, "is a web page, not a feed; give the feed's own address"),
    "list.opml": (opml(), "is a list that names no feed"),
    "files.opml": (opml("file:///etc/passwd", "/etc/passwd", "none.xml"), "is a list that names no feed"),
    "files.txt": (
        b"a.xml\n/nowhere/b.xml\nftp://a.example/f",
        'files.txt: line 1: "a.xml" is neither an http(s) address nor a file (and 2 more); mend it',
    ),
    "comments.txt": (b"# shows\n# of mine\n", "comments.txt: is a list that names no feed"),
    "prose.txt": (
        b"\nnot a feed at all\n",
        'prose.txt: line 2: "not a feed at all" is neither an http(s) address nor a file; mend it',
    ),
    "a/b/c": (None, "a/b/c: there is no such file"),
    "a\0b": (None, "cannot be read"),
    "x" * 5000: (None, "cannot be read"),
    "ftp://a.example/f": (None, "ftp://a.example/f: podgraph fetches http and https only"),
    "file://elsewhere/f": (None, "podgraph fetches http and https only"),
    "": (None, "an empty name is not a source"),
    "esc\x1b[2J.xml": (None, "esc\ufffd[2J.xml: there is no such file"),
}


@pytest.mark.parametrize("name", BAD_FILES, ids=lambda name: name[:20].replace("\0", "NUL"))
def test_what_cannot_be_read_is_one_clear_line(read: Reader, folder: Path, name: str) -> None:
    data, message = BAD_FILES[name]
    if data is not None:
        (folder / name).write_bytes(data)
    found = read(name)
    (problem,) = problems(found)
    assert message in problem
    assert problem.isprintable()
    assert len(problem) < 500
    assert found.read == ()
    assert found.failures[0].remedy


@pytest.mark.parametrize("data", [bytes(1001), gzip.compress(bytes(1001)), gzip.compress(bytes(999)) * 2], ids=len)
def test_a_file_that_is_too_large(read: Reader, folder: Path, monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("podgraph.extractors.sources.files.LIMITS", Limits(body=1000))
    (folder / "bomb.xml").write_bytes(data)
    assert problems(read("bomb.xml")) == ["bomb.xml: is larger than 0.001 MB; give a smaller feed"]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything: run as another user"
)
def test_a_file_that_may_not_be_read(read: Reader, folder: Path) -> None:
    (folder / "feed.xml").write_bytes(RSS)
    (folder / "feed.xml").chmod(0)
    assert problems(read("feed.xml")) == ["feed.xml: may not be read; check its permissions"]


# Folders


def test_a_folder_gives_its_feeds_by_name(read: Reader, folder: Path) -> None:
    files = {"b.xml": RSS, "a.RSS": ATOM, "c.json": JSON, "d.atom": ATOM}
    rest = {".hidden.xml": RSS, "notes.txt": RSS, "podgraph.json": b'{"directed": true, "nodes": []}'}
    for name, data in (files | rest).items():
        (folder / name).write_bytes(data)
    (folder / "deeper.xml").mkdir()
    (folder / "deeper.xml" / "e.xml").write_bytes(RSS)
    found = read(str(folder))
    assert [(Path(source.source).name, source.data) for source in found.read] == sorted(files.items())
    assert found.failures == ()
    assert read.told == [f"{folder / 'podgraph.json'}: is not a JSON Feed; skipped"]


@pytest.mark.parametrize("name", [None, "notes.txt", ".hidden.xml", "podgraph.json"])
def test_a_folder_without_feeds(read: Reader, folder: Path, name: str | None) -> None:
    if name:
        (folder / name).write_bytes(b'{"directed": true}')
    (problem,) = problems(read(str(folder)))
    assert problem.startswith(f"{folder}: is a folder without feeds; ")


# Standard input, the snapshot


def test_standard_input(read: Reader) -> None:
    assert read("-", stdin=io.BytesIO(RSS)) == Sources((Source("-", RSS, "stdin"),), ())
    assert problems(read("-", stdin=io.BytesIO())) == [
        "standard input: is empty; pipe a feed into podgraph, or leave out the '-'"
    ]


def test_the_snapshot(read: Reader) -> None:
    assert read("sample") == Sources((Source("sample", sample_feed(), "sample"),), ())
    assert bodies(read("sample", offline=True)) == [sample_feed()]
    assert read.told == []


# Addresses


def test_an_address(read: Reader, server: Loopback) -> None:
    server.on("/f", reply(302, Location="/g")).on("/g", reply(200, RSS, ETag='"1"', Content_Type="text/xml"))
    (source,) = read(server.url("/f")).read
    assert source == Source(server.url("/f"), RSS, "url", server.url("/g"), "text/xml", '"1"', server.url("/f"), NOW)
    assert read.told == []


def test_a_password_stays_out_of_everything(read: Reader, server: Loopback) -> None:
    server.on("/f", reply(200, RSS))
    found = read(server.url("/f").replace("//", "//me:secret@"), server.url("/g").replace("//", "//me:secret@"))
    assert bodies(found) == [RSS]
    assert "secret" not in repr([(source.source, source.url) for source in found.read])
    assert "secret" not in "".join(problems(found))


def test_a_permanent_move_is_told(read: Reader, server: Loopback) -> None:
    server.on("/f", reply(301, Location="/g")).on("/g", reply(200, RSS))
    read(server.url("/f"))
    assert read.told == [f"{server.url('/f')} has moved for good to {server.url('/g')}; use that address"]


def test_several_keep_their_order_and_one_that_fails_stops_none(read: Reader, server: Loopback, folder: Path) -> None:
    (folder / "a.xml").write_bytes(ATOM)
    server.on("/f", reply(200, RSS)).on("/j", reply(200, JSON))
    heard: list[tuple[int, int]] = []
    found = read(
        server.url("/f"),
        "a.xml",
        server.url("/gone"),
        "sample",
        "nowhere.xml",
        server.url("/j"),
        done=lambda finished, known: heard.append((finished, known)),
    )
    assert bodies(found) == [RSS, ATOM, sample_feed(), JSON]
    assert [problem.split(": ")[0] for problem in problems(found)] == [server.url("/gone"), "nowhere.xml"]
    assert heard == [(1, 3), (2, 3), (3, 3)]


def test_a_guessed_address_that_is_none(read: Reader) -> None:
    def unknown(*_: Any, **__: Any) -> list[Any]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    read.world = replace(SILENT, resolve=unknown)
    assert problems(read("feeds.nowhere.org/abc")) == [
        "feeds.nowhere.org/abc: the name feeds.nowhere.org cannot be resolved; there is no file of that name either"
    ]


def test_a_cache_that_cannot_be_written_is_told_once(tmp_path: Path, server: Loopback) -> None:
    (tmp_path / "file").write_text("")
    read = Reader(tmp_path / "file" / "cache")
    server.on("*", reply(200, RSS))
    assert bodies(read(server.url("/a"), server.url("/b"))) == [RSS, RSS]
    (line,) = read.told
    assert line.startswith(f"nothing can be stored in {tmp_path / 'file' / 'cache'}: ")
    assert line.endswith("; going on without copies")


# Web pages


@pytest.mark.parametrize(
    ("target", "markup"),
    [
        ("/feed", page(link("/feed"))),
        ("/feed", page("<title><link rel=alternate></title>", link("feed"))),
        ("/feed", page(link("/feed", "application/atom+xml; charset=utf-8"))),
        ("/feed", page(link("/feed", "application/feed+json"))),
        ("/feed", page(link("/feed", "application/json"))),
        ("/feed", page(link("/api", "application/json"), link("/feed"))),
        ("/feed", page(link("/feed"), link("/comments"))),
        ("/feed", page("<!--", link("/old"), "-->", link("/feed"))),
        ("/feed", page(link("javascript:alert(1)"), link("file:///etc/passwd"), link("/feed"))),
        ("/a/feed", page('<base href="/a/">', link("feed"))),
        ("/feed?a=1&b=2", page(link("/feed?a=1&amp;b=2"))),
        ("/feed", page("<LINK HREF='/feed' TYPE=application/rss+xml REL='home Alternate'/>")),
        ("/feed", b"<html><link rel=alternate type=application/rss+xml href=/feed"),
        ("/feed", page(link("/start"), link("/feed"))),
    ],
)
def test_a_web_page_leads_to_its_feed(read: Reader, server: Loopback, target: str, markup: bytes) -> None:
    server.on("/start", reply(200, markup, Content_Type="text/html")).on(target, reply(200, RSS))
    found = read(server.url("/start"))
    (source,) = found.read
    assert (source.source, source.url, source.data) == (server.url("/start"), server.url(target), RSS)
    assert server.targets == ["/start", target]
    (line,) = read.told
    assert line.startswith(f"{server.url('/start')} is a web page; reading the feed it names")
    assert line.endswith(f": {server.url(target)}")


@pytest.mark.parametrize(
    "markup",
    [
        LOGIN,
        page(),
        page('<link rel="stylesheet" type="text/css" href="/feed">'),
        page('<a rel="alternate" type="application/rss+xml" href="/about">'),
        page(f"<script>{link('/feed')}</script>"),
        page(link("/start")),
        page(link("ftp://a.example/feed")),
        b"<div>Please <b>log in</b></div>",
    ],
)
def test_a_web_page_that_names_no_feed(read: Reader, server: Loopback, markup: bytes) -> None:
    server.on("/start", reply(200, markup, Content_Type="text/html"))
    (problem,) = problems(read(server.url("/start")))
    assert "is a web page that names no feed; give the feed's own address" in problem


def test_a_web_page_leads_one_step_and_no_further(read: Reader, server: Loopback) -> None:
    server.on("/start", reply(200, page(link("/next")))).on("/next", reply(200, page(link("/feed"))))
    (problem,) = problems(read(server.url("/start")))
    assert "is a web page that names no feed" in problem
    assert server.targets == ["/start", "/next"]


def test_a_web_page_may_not_lead_elsewhere_inside(read: Reader, server: Loopback) -> None:
    server.on("/start", reply(200, page(link(f"http://localhost:{server.port}/feed")))).on("/feed", reply(200, RSS))
    (problem,) = problems(read(server.url("/start")))
    assert "localhost is an address of this machine" in problem
    assert server.targets == ["/start"]


def test_a_web_page_is_known_offline_by_its_feed(read: Reader, server: Loopback) -> None:
    server.on("/start", reply(200, page(link("/feed")))).on("/feed", reply(200, RSS, ETag='"1"'))
    read(server.url("/start"))
    assert bodies(read(server.url("/start"), offline=True)) == [RSS]
    read(server.url("/start"))
    assert "if-none-match" not in server.calls[2].headers
    assert server.calls[3].headers["if-none-match"] == '"1"'


# Lists


@pytest.mark.parametrize(("line", "read_as"), [
    ("", ["/a", "/b"]), ("# shows that I follow", ["/a", "/b"]), ("ftp://a.example/f", ["/a", "/b"]),
    ("see https://a.example/", ["/a", "/b"]),
    ("<rss>", None),
])  # fmt: skip
def test_a_text_of_addresses_is_a_list(
    line: str, read_as: list[str] | None, read: Reader, server: Loopback, folder: Path
) -> None:
    server.on("/a", reply(200, RSS)).on("/b", reply(200, ATOM))
    (folder / "shows.txt").write_text(f"{server.url('/a')}\r\n{line}\n\n  {server.url('/b')}\n")
    found = [source.source for source in read("shows.txt").read]
    assert found == (["shows.txt"] if read_as is None else [server.url(path) for path in read_as])


def test_a_list_gives_its_feeds_in_order(read: Reader, server: Loopback, folder: Path) -> None:
    server.on("/a", reply(200, RSS)).on("/b", reply(200, ATOM)).on("/c", reply(200, JSON))
    nested = f"<outline text='x'><outline text='y' XMLURL='{server.url('/c')}'></outline></outline>"
    (folder / "list.opml").write_bytes(opml(server.url("/b"), server.url("/a"), server.url("/b"), more=nested))
    found = read("list.opml", server.url("/c"))
    assert [source.source for source in found.read] == [server.url("/b"), server.url("/a"), server.url("/c")]
    assert bodies(found) == [ATOM, RSS, JSON]
    assert sorted(server.targets) == ["/a", "/b", "/c"]
    assert [source.group for source in found.read] == ["", "", "x"]


def test_an_opml_list_names_files_below_its_folder(read: Reader, folder: Path) -> None:
    (folder / "lists" / "feeds").mkdir(parents=True)
    (folder / "lists" / "feeds" / "a.xml").write_bytes(RSS)
    (folder / "outside.xml").write_bytes(ATOM)
    (folder / "lists" / "list.opml").write_bytes(opml("feeds/a.xml", "../outside.xml", "none.xml"))
    found = read("lists/list.opml")
    assert bodies(found) == [RSS]
    assert found.failures == ()
    assert read.told == ["lists/list.opml: passed over 2 of its entries, no addresses or files below it"]


def test_a_group_is_kept_through_pages_and_lists(read: Reader, server: Loopback) -> None:
    inner = f"<outline text='Food'><outline type='include' url='{server.url('/inner')}'/></outline>"
    bread = f"<outline text='Bread'><outline xmlUrl='{server.url('/page')}'/></outline>"
    server.on("/outer.opml", reply(200, opml(more=inner))).on("/inner", reply(200, opml(more=bread)))
    server.on("/page", reply(200, page(link("/a")))).on("/a", reply(200, RSS))
    assert [source.group for source in read(server.url("/outer.opml")).read] == ["Food/Bread"]


def test_a_list_in_a_list_and_a_circle(read: Reader, server: Loopback) -> None:
    inner = f"<outline type='include' url='{server.url('/inner')}'/>"
    outer = f"<outline type='link' url='{server.url('/outer.opml')}'/>"
    server.on("/outer.opml", reply(200, opml("/a", more=inner))).on("/inner", reply(200, opml("/b", more=outer)))
    server.on("/a", reply(200, RSS)).on("/b", reply(200, ATOM))
    assert bodies(read(server.url("/outer.opml"))) == [RSS, ATOM]
    assert sorted(server.targets) == ["/a", "/b", "/inner", "/outer.opml"]


def test_lists_that_are_too_long_together(read: Reader, server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("podgraph.extractors.sources.sources._MOST_FEEDS", 4)
    server.on("/l", reply(200, opml("/a", more="<outline type='include' url='/m'/>"))).on("/a", reply(200, RSS))
    server.on("/m", reply(200, opml("/b", "/c")))
    found = read(server.url("/l"))
    assert bodies(found) == [RSS]
    assert problems(found) == [
        f"{server.url('/m')}: lists 2 feeds, and a build reads 4 at most; give a part of the list"
    ]


def test_a_list_from_outside_may_not_lead_elsewhere_inside(read: Reader, server: Loopback) -> None:
    inside = f"http://localhost:{server.port}/b"
    server.on("/l", reply(200, opml("/a", inside, "file:///etc/passwd"))).on("*", reply(200, RSS))
    found = read(server.url("/l"))
    assert bodies(found) == [RSS]
    assert "localhost is an address of this machine" in problems(found)[0]
    assert server.targets == ["/l", "/a"]
    assert read.told == [f"{server.url('/l')}: passed over 1 of its entries, no addresses or files below it"]


def test_entities_and_files_in_a_list_mean_nothing(read: Reader, folder: Path) -> None:
    bomb = b"<!DOCTYPE opml [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>"
    (folder / "list.opml").write_bytes(bomb + opml("&e;", "https://&e;.example/"))
    (problem,) = problems(read("list.opml", offline=True))
    assert problem.startswith("https://&e;.example/: no copy of it is kept")


def test_a_text_of_ones_own_may_name_files_beside_it(read: Reader, folder: Path, server: Loopback) -> None:
    server.on("/f", reply(200, ATOM))
    (folder / "lists" / "more").mkdir(parents=True)
    for name in ("a b.xml", "c.xml", "d.xml", "more/e.xml"):
        (folder / "lists" / name).write_bytes(RSS + name.encode())
    (folder / "lists" / "inner.opml").write_bytes(opml("c.xml", server.url("/f"), "mine"))
    names = ["a b.xml", (folder / "lists" / "d.xml").as_uri(), "more", "inner.opml", "htps://x", "c.xml", "lost.xml"]
    (folder / "lists" / "mine").write_text("# mine\n" + "".join(f"{name}\t# {name}\n" for name in names))
    found = read("lists/mine")
    files = [data.removeprefix(RSS) for data in bodies(found)]
    assert sorted(files) == sorted([ATOM, b"a b.xml", b"c.xml", b"d.xml", b"more/e.xml"])
    line = 'lists/mine: line 6: "htps://x" is neither an http(s) address nor a file (and 1 more); mend it (a path begins where'
    assert problems(found) == [f"{line} the list lies), or leave it out"]


def test_a_list_from_the_network_names_no_files(read: Reader, folder: Path, server: Loopback) -> None:
    (folder / "a.xml").write_bytes(RSS)
    lines = f"# shows\na.xml\n{(folder / 'a.xml').as_uri()}\nhtps://x\n{server.url('/f')}\n".encode()
    server.on("/l", reply(200, lines)).on("/f", reply(200, ATOM))
    assert bodies(read(server.url("/l"))) == [ATOM]
    assert read.told == [f"{server.url('/l')}: passed over 3 of its entries, no addresses or files below it"]
    server.on("/m", reply(200, b"a.xml\n"))
    assert bodies(read(server.url("/m"))) == [b"a.xml\n"]


# Copies and the snapshot


@pytest.fixture
def dead() -> Iterator[str]:
    with refusing_port() as port:
        yield f"http://127.0.0.1:{port}/f"


def test_the_copy_serves_when_the_live_feed_cannot_be_reached(read: Reader, dead: str) -> None:
    read.keep(dead, RSS, days=2)
    (source,) = read(default_feed=dead).read
    assert (source.data, source.kind, source.stale) == (RSS, "url", "refuses the connection")
    host = dead.split("/")[2]
    assert read.told == [
        f"{host} cannot be reached (refuses the connection); using the copy of 2026-11-30 (2 days old)"
    ]


def test_the_snapshot_serves_when_there_is_no_copy(read: Reader, dead: str) -> None:
    found = read(default_feed=dead)
    assert found.read == (Source(dead, sample_feed(), "sample", stale="refuses the connection"),)
    host = dead.split("/")[2]
    line = "using the built-in snapshot of 2026-11-20 (12 days old)"
    assert read.told == [f"{host} cannot be reached (refuses the connection); {line}"]


@pytest.mark.parametrize("answer", [reply(404), reply(503), reply(200, LOGIN), reply(200, b""), head(500)])
def test_the_snapshot_serves_whatever_is_wrong_with_the_live_feed(
    read: Reader, server: Loopback, answer: bytes
) -> None:
    server.on("/f", answer)
    found = read(default_feed=server.url("/f"))
    assert [source.kind for source in found.read] == ["sample"]
    assert found.failures == ()
    assert len(read.told) == 1


def test_the_copy_of_any_address_serves(read: Reader, server: Loopback) -> None:
    read.keep(server.url("/f"), RSS, minutes=5)
    (source,) = read(server.url("/f")).read
    assert (source.data, source.stale) == (RSS, "the server answers 404 Not Found")
    assert read.told == [
        f"{server.url('/f')} cannot be read (the server answers 404 Not Found); using the copy of 2026-12-02"
    ]


def test_a_login_page_does_not_push_the_copy_out(read: Reader, server: Loopback) -> None:
    server.on("/f", reply(200, RSS), reply(200, LOGIN, Content_Type="text/html"))
    assert [bodies(read(server.url("/f"))) for _ in range(3)] == [[RSS]] * 3
    assert read.told == [
        f"{server.url('/f')} cannot be read (is a web page that names no feed); using the copy of 2026-12-02"
    ]


def test_offline_goes_straight_to_the_copies(read: Reader, server: Loopback) -> None:
    read.keep(server.url("/f"), RSS, hours=3)
    found = read(server.url("/f"), server.url("/g"), offline=True)
    assert bodies(found) == [RSS]
    assert found.read[0].stale == ""
    assert read.told == [f"{server.url('/f')} is not asked (--offline); using the copy of 2026-12-02"]
    assert problems(found) == [
        f"{server.url('/g')}: no copy of it is kept; run it once without --offline, or give the feed's file"
    ]
    assert server.calls == []


def test_offline_without_a_copy_the_default_is_the_snapshot(read: Reader, server: Loopback) -> None:
    found = read(default_feed=server.url("/f"), offline=True)
    assert found.read == (Source(server.url("/f"), sample_feed(), "sample"),)
    assert read.told == [
        f"127.0.0.1:{server.port} is not asked (--offline); using the built-in snapshot of 2026-11-20 (12 days old)"
    ]
    assert server.calls == []


@pytest.mark.parametrize(("year", "age"), [(1970, "of 2026-11-30"), (2100, "of 2026-11-30 (27,030 days old)")])
def test_a_clock_that_is_wrong_does_no_harm(read: Reader, dead: str, year: int, age: str) -> None:
    read.keep(dead, RSS, days=2)
    read.world = replace(SILENT, now=lambda: datetime(year, 12, 2, 12, tzinfo=UTC))
    assert bodies(read(dead)) == [RSS]
    assert read.told[0].endswith(f"using the copy {age}")
    assert [source.kind for source in read(default_feed=dead.replace("/f", "/g")).read] == ["sample"]


def test_a_feed_that_cannot_be_parsed_gives_way_to_the_copy_before(read: Reader, server: Loopback) -> None:
    server.on("/f", reply(200, RSS), reply(200, b"<rss>broken"))
    read(server.url("/f"))
    (broken,) = read(server.url("/f")).read
    assert broken.data == b"<rss>broken"
    told: list[str] = []
    named: dict[str, Any] = {"cache": read.cache, "notify": told.append, "world": SILENT}
    copy = fall_back(broken, SourceError("is not well-formed"), **named)
    assert copy is not None
    assert (copy.data, copy.stale) == (RSS, "is not well-formed")
    assert told == [f"{server.url('/f')} cannot be read (is not well-formed); using the copy of 2026-12-02"]
    assert bodies(read(server.url("/f"), offline=True)) == [RSS]
    assert fall_back(copy, SourceError("nor is this"), **named) is None
