"""What servers do to ``podgraph build``, and what the user sees of it: one entry is one scenario.

``tests/extractors/sources/test_fetch.py`` has the table of single fetches; here are those that involve the whole build.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.loopback import Call, chunked, head, reply

if TYPE_CHECKING:
    from tests.loopback import Script


def feed(name: str = "show", items: str = "") -> bytes:
    """Return a small podcast."""
    return (
        '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>'
        f"<title>{name}</title><item><title>One of {name}</title><guid>{name}-1</guid><itunes:duration>60"
        "</itunes:duration><description>https://github.com/a/b/pull/1</description></item>"
        f"{items}</channel></rss>"
    ).encode()


FEED = feed()
LOGIN = b"<!doctype html><html><head><title>Log in</title></head><body><form action='/login'></form></body></html>"
PAGE = b"<!doctype html><html><head><link rel='alternate' type='application/rss+xml' href='/f'></head></html>"
LOST = b"<!doctype html><html><head><link rel='alternate' type='application/rss+xml' href='/gone'></head></html>"
BOMB = gzip.compress(bytes(3_000_000))
SECOND = "<item><title>Two</title><guid>2</guid><itunes:duration>60</itunes:duration></item>"
CUT = feed(items=SECOND)[:-60]
UNDATED = "<item><title>Two</title><guid>2</guid><itunes:duration>60</itunes:duration><pubDate>never</pubDate></item>"


def ok(body: bytes = FEED, **fields: str | int) -> bytes:
    return reply(200, body, **fields)


def to(location: str, status: int = 302) -> bytes:
    return reply(status, Location=location)


def opml(*targets: str) -> bytes:
    outlines = "".join(f'<outline type="rss" text="t" xmlUrl="{target}"/>' for target in targets)
    return f'<opml version="2.0"><body>{outlines}</body></opml>'.encode()


def endless_trailer(call: Call) -> None:
    call.send(head(Transfer_Encoding="chunked") + chunked(FEED, end=b"0\r\n"))
    call.forever(b"X-More: and more\r\n" * 100)


def downgraded(call: Call) -> None:
    call.send(to(f"https://127.0.0.1:{call.connection.getsockname()[1]}/f"))


@dataclass(frozen=True)
class Scenario:
    """What ``/start`` and other addresses answer, what is asked, what is said beside the routine, the status.

    ``{start}``, ``{f}`` … stand for the addresses, ``{server}`` for the server; ``first`` is what was answered when the feed was read
    the time before; ``default`` makes ``/start`` the feed that is read when none is named; ``limits`` and
    ``tick`` (seconds a look at the clock takes) make waits short; ``environment`` are variables.
    """

    name: str
    script: Script | list[Script]
    says: tuple[str, ...] | str = ()
    status: int = 0
    more: dict[str, Script] = field(default_factory=dict)
    words: tuple[str, ...] = ("{start}",)
    first: bytes = b""
    default: bool = False
    limits: dict[str, float] = field(default_factory=dict)
    tick: float = 0
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def lines(self) -> list[str]:
        """Return what is said as lines."""
        return [self.says] if isinstance(self.says, str) else list(self.says)


FOUND: dict[str, Script] = {"/f": ok()}
OTHERS: dict[str, Script] = {f"/{n}": ok(feed(f"show {n}")) for n in range(1, 10)}
TEN = ("{start}", *(f"{{{n}}}" for n in range(1, 10)))
GONE = "the server answers 410 Gone"

SCENARIOS = [
    # A feed arrives
    Scenario("a plain feed", ok()),
    Scenario("a feed called text/html", ok(Content_Type="text/html")),
    Scenario("a web page that names its feed", ok(PAGE, Content_Type="text/html"), more=FOUND, says="{start} is a web page; reading the feed it names: {f}"),
    Scenario("no phrase behind the status", b"HTTP/1.1 200\r\n\r\n" + FEED),
    Scenario("line feeds alone", b"HTTP/1.1 200 OK\nServer: old\n\n" + FEED),
    Scenario("a length beside chunks", head(Content_Length=10, Transfer_Encoding="chunked") + chunked(FEED)),
    Scenario("a length of nonsense", head(Content_Length="many") + FEED),
    Scenario("gzip that nobody names", ok(gzip.compress(FEED))),
    Scenario("a charset that is not its own", ok(Content_Type="text/xml; charset=utf-16")),
    Scenario("unchanged (304)", [head(304)], first=ok(ETag='"1"')),
    # It does not
    Scenario("503 with Retry-After in the year 9999", reply(503, Retry_After="Fri, 31 Dec 9999 23:59:59 GMT"), says="{start}: the server answers 503 Service Unavailable; try again later", status=2),
    Scenario("a chunk of 2^70 bytes", head(Transfer_Encoding="chunked") + b"ffffffffffffffffff\r\n" + FEED, says="{start}: is cut off or damaged on its way; try again", status=2),
    Scenario("two lengths", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\nContent-Length: 20\r\n\r\n" + FEED, says="{start}: does not answer in HTTP; check the address", status=2),
    Scenario("a length too short", head(Content_Length=len(FEED) - 50) + FEED, says="{start}: has no items (the feed's end is missing, and perhaps some of its items); check that it is the right feed", status=2),
    Scenario("more than all sources may have", ok(gzip.compress(FEED + b" " * 1_000_000), Content_Encoding="gzip"), environment={"PODGRAPH_MOST_MB": "1"}, says="{start}: is not read: all sources together are larger than 1 MB; build fewer at a time, or set a larger PODGRAPH_MOST_MB", status=2),
    Scenario("a budget that is no number", ok(), environment={"PODGRAPH_MOST_MB": "1 GB"}, says="PODGRAPH_MOST_MB: 1 GB is not a number of megabytes; give a whole number", status=2),
    Scenario("more time than all sources may have", ok(), tick=1000, says="{start}: is not read: all sources together take more than 30 minutes; build fewer at a time", status=2),
    Scenario("HTTP/0.9", FEED, says="{start}: does not answer in HTTP; check the address", status=2),
    Scenario("a field of a megabyte", b"HTTP/1.1 200 OK\r\nX: " + b"a" * 1_000_000 + b"\r\n\r\n" + FEED, says="{start}: does not answer in HTTP; check the address", status=2),
    Scenario("a trailer without end", endless_trailer, tick=0.05, says="{start}: does not answer in time, or sends too slowly; try again later", status=2),
    Scenario("a redirect to HTTPS that is none", downgraded, says="{start}: no secure connection is possible (redirected to https://{server}/f); check the address", status=2),
    Scenario("a redirect with a backslash in its host", to("http://169.254.169.254\\@public.example/f"), says="{start}: is not a web address (redirected to http://169.254.169.254\\@public.example/f); give an address that begins with https://", status=2),
    Scenario("a redirect to 127.0.0.1 by 6to4", to("http://[2002:7f00:1::]/f"), says="{start}: 2002:7f00:1:: is an address of this machine or its own network, where only you may lead (redirected to http://[2002:7f00:1::]/f); give that address as a source yourself if you trust it", status=2),
    Scenario("a redirect to a network of examples", to("http://[3fff::1]/f"), says="{start}: 3fff::1 is an address of this machine or its own network, where only you may lead (redirected to http://[3fff::1]/f); give that address as a source yourself if you trust it", status=2),
    Scenario("a login page", ok(LOGIN, Content_Type="text/html"), says="{start}: is a web page that names no feed; give the feed's own address; if that wants a login, a file with the feed", status=2),
    Scenario("a web page whose feed is gone", ok(LOST, Content_Type="text/html"), says=("{start} is a web page; reading the feed it names: {server}/gone", "{start}: the server answers 404 Not Found; check the address"), status=2),
    Scenario("a web page that leads inside", ok(b"<html><head><link rel=alternate type='application/rss+xml' href='http://10.0.0.1/f'></head></html>"), says=("{start} is a web page; reading the feed it names: http://10.0.0.1/f", "{start}: 10.0.0.1 is an address of this machine or its own network, where only you may lead; give that address as a source yourself if you trust it"), status=2),
    Scenario("a list of nothing", ok(opml()), says="{start}: is a list that names no feed; give a feed's address", status=2),
    Scenario("a list of itself", ok(opml("/start")), says="{start}: is a list of more than 50,000 feeds, or a list in a list; give the list or its parts as sources", status=2),
    Scenario("a list that leads inside", ok(opml("http://127.0.0.1:1/f", "file:///etc/passwd")), says=("left out: file:///etc/passwd: is neither an address nor a file below its list; mend or remove it", "http://127.0.0.1:1/f: 127.0.0.1 is an address of this machine or its own network, where only you may lead; give that address as a source yourself if you trust it"), status=2),
    # A copy stands in
    Scenario("410 where there was a feed", [reply(410)], first=ok(), says="{start} cannot be read (the server answers 410 Gone); using the copy of {date}"),
    Scenario("a login page where there was a feed", [ok(LOGIN, Content_Type="text/html")], first=ok(), says="{start} cannot be read (is a web page that names no feed); using the copy of {date}"),
    Scenario("a broken body where there was a feed", [ok(b"<error/>", Content_Type="text/xml")], first=ok(), says="{start} cannot be read (is not a feed); using the copy of {date}"),
    Scenario("--offline with a copy", [reply(410)], first=ok(), words=("{start}", "--offline"), says="{start} is not asked (--offline); using the copy of {date}"),
    Scenario("--offline without", ok(), words=("{start}", "--offline"), says="{start}: no copy of it is kept; run it once without --offline, or give the feed's file", status=2),
    Scenario("the default feed, unreachable", Call.reset, words=(), default=True, says="{start} cannot be read (breaks the connection); using the built-in snapshot of {date}"),
    Scenario("the default feed, a login page", ok(LOGIN, Content_Type="text/html"), words=(), default=True, says="{start} cannot be read (is a web page that names no feed); using the built-in snapshot of {date}"),
    Scenario("a feed without items", ok(b"<rss><channel><title>t</title></channel></rss>"), says="{start}: has no items; check that it is the right feed", status=2),
    Scenario("a feed without items where there were some", [ok(b"<rss><channel><title>t</title></channel></rss>")], first=ok(), says="{start} cannot be read (has no items); using the copy of {date}"),
    Scenario("a feed cut off where there was a whole one", [ok(CUT)], first=ok(feed(items=SECOND)), says="{start} cannot be read (is cut off: 1 of 2 items are left); using the copy of {date}"),
    # Several sources
    Scenario("one of ten fails", reply(410), words=TEN, more=OTHERS, says=("left out: {start}: the server answers 410 Gone; it is gone for good: look for the feed's new address", "10 sources: 9 read, 1 left out"), status=2),
    Scenario("one of ten fails and has a copy", [reply(410)], words=TEN, more=OTHERS, first=ok(), says=("{start} cannot be read (the server answers 410 Gone); using the copy of {date}", "10 sources: 9 read, 1 from an earlier copy"), status=2),
    Scenario("one of a list of ten fails", reply(410), words=("list.opml",), more=OTHERS, says=("left out: {start}: the server answers 410 Gone; it is gone for good: look for the feed's new address", "10 sources: 9 read, 1 left out"), status=2),
    Scenario("all fail", reply(410), words=("{start}", "{1}"), more={"/1": reply(404)}, says=("left out: {1}: the server answers 404 Not Found; check the address", "{start}: the server answers 410 Gone; it is gone for good: look for the feed's new address"), status=2),
    # Warnings
    Scenario("a date that cannot be read", ok(feed(items=UNDATED)), says='{start}: item 2 ("Two"): its date "never" cannot be read; it has none'),
]  # fmt: skip
