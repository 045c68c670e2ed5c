"""What servers do to ``podgraph build``, and what the user sees of it: one entry is one scenario.

``README.md`` beside this file is made of this table; ``python -m tests.reliability.scenarios`` writes it anew.
"""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.loopback import Call, chunked, head, reply

if TYPE_CHECKING:
    from tests.loopback import Script

README = Path(__file__).parent / "README.md"


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


def stalled(call: Call) -> None:
    call.send(head(Content_Length=5000), FEED[:99])
    call.hold()


def slow_first_byte(call: Call) -> None:
    call.stopped.wait(0.1)
    call.send(ok())


def dripping_head(call: Call) -> None:
    call.send(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    call.forever(b"z")


def dripping_body(call: Call) -> None:
    call.send(head(Transfer_Encoding="chunked"))
    call.forever(chunked(b"<", end=b""))


def endless(call: Call) -> None:
    call.send(head(version="1.0"))
    call.forever(b"<item/>" * 1000)


def reset_after_head(call: Call) -> None:
    call.send(head(Content_Length=5000))
    call.reset()


def interim(call: Call) -> None:
    call.forever(b"HTTP/1.1 100 Continue\r\n\r\n")


def endless_head(call: Call) -> None:
    call.send(b"HTTP/1.1 200 OK\r\n")
    call.forever(b"X-More: and more\r\n" * 1000)


def endless_trailer(call: Call) -> None:
    call.send(head(Transfer_Encoding="chunked") + chunked(FEED, end=b"0\r\n"))
    call.forever(b"X-More: and more\r\n" * 100)


def downgraded(call: Call) -> None:
    call.send(to(f"https://127.0.0.1:{call.connection.getsockname()[1]}/f"))


def hang_up(call: Call) -> None:
    del call


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
    Scenario("a slow first byte", slow_first_byte),
    Scenario("HTTP/1.0 without a length", head(version="1.0") + FEED),
    Scenario("chunks with a trailer", head(Transfer_Encoding="chunked") + chunked(FEED, end=b"0\r\nX-Sum: 1\r\n\r\n")),
    Scenario("gzip", ok(gzip.compress(FEED), Content_Encoding="gzip")),
    Scenario("deflate without its wrapping", ok(zlib.compress(FEED)[2:-4], Content_Encoding="deflate")),
    Scenario("a wrong content type", ok(Content_Type="image/png")),
    Scenario("a feed called text/html", ok(Content_Type="text/html")),
    Scenario("a web page that names its feed", ok(PAGE, Content_Type="text/html"), more=FOUND,
        says="{start} is a web page; reading the feed it names: {f}",
    ),
    Scenario("503 once", [reply(503), ok()]),
    Scenario("500 once", [reply(500), ok()]),
    Scenario("a date by its week", ok(feed(items=UNDATED.replace("never", "2021-W31-1")))),
    Scenario("429 with Retry-After: 7", [reply(429, Retry_After="7"), ok()]),
    Scenario("503 with Retry-After as a date", [reply(503, Retry_After="Fri, 20 Nov 2026 12:00:05 GMT"), ok()]),
    Scenario("a reset, then the feed", [Call.reset, ok()]),
    Scenario("closed without a word, then the feed", [hang_up, ok()]),
    Scenario("no phrase behind the status", b"HTTP/1.1 200\r\n\r\n" + FEED),
    Scenario("line feeds alone", b"HTTP/1.1 200 OK\nServer: old\n\n" + FEED),
    Scenario("chunks of a byte", head(Transfer_Encoding="chunked") + chunked(*(FEED[at : at + 1] for at in range(len(FEED))))),
    Scenario("a length beside chunks", head(Content_Length=10, Transfer_Encoding="chunked") + chunked(FEED)),
    Scenario("a length of nonsense", head(Content_Length="many") + FEED),
    Scenario("gzip that nobody names", ok(gzip.compress(FEED))),
    Scenario("gzip in gzip", ok(gzip.compress(gzip.compress(FEED)), Content_Encoding="gzip, gzip")),
    Scenario("a charset that is not its own", ok(Content_Type="text/xml; charset=utf-16")),
    Scenario("a reset behind the head, then the feed", [reset_after_head, ok()]),
    Scenario("203", reply(203, FEED)),
    Scenario("a redirect beyond ASCII", to("/fé"), more={"/f%C3%A9": ok()}),
    Scenario("302", to("/f"), more=FOUND),
    Scenario("301", to("/f", 301), more=FOUND,
        says="{start} has moved for good to {f}; use that address",
    ),
    Scenario("unchanged (304)", [head(304)], first=ok(ETag='"1"')),
    # It does not
    Scenario("404", reply(404, LOGIN),
        says="{start}: the server answers 404 Not Found; check the address", status=2,
    ),
    Scenario("410", reply(410),
        says="{start}: the server answers 410 Gone; it is gone for good: look for the feed's new address", status=2,
    ),
    Scenario("401", reply(401),
        says="{start}: the server answers 401 Unauthorized; it wants a login: give https://USER:PASSWORD@HOST/…, or save the feed in a file and give that file", status=2,
    ),
    Scenario("403", reply(403),
        says="{start}: the server answers 403 Forbidden; it may want a login: save the feed in a file and give that file", status=2,
    ),
    Scenario("407", reply(407),
        says="{start}: the server answers 407 Proxy Authentication Required; check HTTPS_PROXY and HTTP_PROXY", status=2,
    ),
    Scenario("418", reply(418),
        says="{start}: the server answers 418 I'm a Teapot; check the address", status=2,
    ),
    Scenario("451", reply(451),
        says="{start}: the server answers 451 Unavailable For Legal Reasons; it may not be shown where you are", status=2,
    ),
    Scenario("511", reply(511, LOGIN),
        says="{start}: the server answers 511 Network Authentication Required; your network wants a login first", status=2,
    ),
    Scenario("999", reply(999),
        says="{start}: the server answers 999; try again later", status=2,
    ),
    Scenario("206", reply(206, FEED),
        says="{start}: the server answers 206 Partial Content; check the address", status=2,
    ),
    Scenario("304, unasked", head(304),
        says="{start}: the server answers 304 Not Modified; check the address", status=2,
    ),
    Scenario("302 to nowhere", reply(302),
        says="{start}: the server answers 302 Found; check the address", status=2,
    ),
    Scenario("500", reply(500),
        says="{start}: the server answers 500 Internal Server Error; try again later", status=2,
    ),
    Scenario("503 for ever", reply(503),
        says="{start}: the server answers 503 Service Unavailable; try again later", status=2,
    ),
    Scenario("429 with Retry-After: 3600", reply(429, Retry_After="3600"),
        says="{start}: the server answers 429 Too Many Requests; try again in 3,600 s", status=2,
    ),
    Scenario("503 with Retry-After of forty nines", reply(503, Retry_After="9" * 40),
        says="{start}: the server answers 503 Service Unavailable; try again later", status=2,
    ),
    Scenario("503 with Retry-After in the year 9999", reply(503, Retry_After="Fri, 31 Dec 9999 23:59:59 GMT"),
        says="{start}: the server answers 503 Service Unavailable; try again later", status=2,
    ),
    Scenario("204", head(204),
        says="{start}: the server answers 204 No Content; check the address", status=2,
    ),
    Scenario("an empty body", ok(b""),
        says="{start}: is empty; check the address", status=2,
    ),
    Scenario("a truncated body", head(Content_Length=5000) + FEED,
        says="{start}: is cut off or damaged on its way; try again", status=2,
    ),
    Scenario("chunks cut off", head(Transfer_Encoding="chunked") + b"fff\r\n<rss>",
        says="{start}: is cut off or damaged on its way; try again", status=2,
    ),
    Scenario("a chunk size that is none", head(Transfer_Encoding="chunked") + b"zz\r\n<rss>",
        says="{start}: is cut off or damaged on its way; try again", status=2,
    ),
    Scenario("a chunk of 2^70 bytes", head(Transfer_Encoding="chunked") + b"ffffffffffffffffff\r\n" + FEED,
        says="{start}: is cut off or damaged on its way; try again", status=2,
    ),
    Scenario("two lengths", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\nContent-Length: 20\r\n\r\n" + FEED,
        says="{start}: does not answer in HTTP; check the address", status=2,
    ),
    Scenario("a length too short", head(Content_Length=len(FEED) - 50) + FEED,
        says="{start}: has no items (the feed ends in the middle of an item, which is passed over); check that it is the right feed", status=2,
    ),
    Scenario("gzip cut off", ok(gzip.compress(FEED)[:-12], Content_Encoding="gzip"),
        says="{start}: is cut off in the middle of its compressed data; if it is a feed, tell its owner", status=2,
    ),
    Scenario("gzip that is none", ok(Content_Encoding="gzip"),
        says="{start}: holds damaged compressed data; if it is a feed, tell its owner", status=2,
    ),
    Scenario("brotli, unasked", ok(b"\x8b", Content_Encoding="br"),
        says="{start}: is compressed with 'br', which podgraph does not read; if it is a feed, tell its owner", status=2,
    ),
    Scenario("a gzip bomb", ok(BOMB, Content_Encoding="gzip"), limits={"body": 1e6},
        says="{start}: is larger than 1 MB; if it is a feed, tell its owner", status=2,
    ),
    Scenario("a deflate bomb", ok(zlib.compress(bytes(3_000_000)), Content_Encoding="deflate"), limits={"body": 1e6},
        says="{start}: is larger than 1 MB; if it is a feed, tell its owner", status=2,
    ),
    Scenario("a file that is a bomb", ok(BOMB), limits={"body": 1e6},
        says="{start}: is larger than 1 MB; if it is a feed, tell its owner", status=2,
    ),
    Scenario("more than all sources may have", ok(gzip.compress(FEED + b" " * 1_000_000), Content_Encoding="gzip"), environment={"PODGRAPH_MOST_MB": "1"},
        says="{start}: is not read: all sources together are larger than 1 MB; build fewer at a time, or say more in PODGRAPH_MOST_MB", status=2,
    ),
    Scenario("a budget that is no number", ok(), environment={"PODGRAPH_MOST_MB": "1 GB"},
        says="PODGRAPH_MOST_MB: 1 GB is not a number of megabytes; give a whole number", status=2,
    ),
    Scenario("more time than all sources may have", ok(), tick=1000,
        says="{start}: is not read: all sources together take more than 30 minutes; build fewer at a time", status=2,
    ),
    Scenario("a length beyond the limit", head(Content_Length=10**12),
        says="{start}: is larger than 100 MB; if it is a feed, tell its owner", status=2,
    ),
    Scenario("an infinite body", endless, limits={"wire": 2e5, "body": 1e6},
        says="{start}: is larger than 0.2 MB; if it is a feed, tell its owner", status=2,
    ),
    Scenario("no first byte", Call.hold, limits={"read": 0.03},
        says="{start}: does not answer in time; try again later", status=2,
    ),
    Scenario("silence in the body", stalled, limits={"read": 0.03},
        says="{start}: sends too slowly, or stopped sending; try again later", status=2,
    ),
    Scenario("a slow drip in the head", dripping_head, tick=0.5,
        says="{start}: does not answer in time; try again later", status=2,
    ),
    Scenario("a slow drip in the body", dripping_body, tick=0.5,
        says="{start}: sends too slowly, or stopped sending; try again later", status=2,
    ),
    Scenario("resets for ever", Call.reset,
        says="{start}: breaks the connection; try again later", status=2,
    ),
    Scenario("another protocol", b"220 ftp ready\r\n",
        says="{start}: does not answer in HTTP; check the address", status=2,
    ),
    Scenario("HTTP/0.9", FEED,
        says="{start}: does not answer in HTTP; check the address", status=2,
    ),
    Scenario("a field of a megabyte", b"HTTP/1.1 200 OK\r\nX: " + b"a" * 1_000_000 + b"\r\n\r\n" + FEED,
        says="{start}: does not answer in HTTP; check the address", status=2,
    ),
    Scenario("a head without end", endless_head,
        says="{start}: does not answer in HTTP; check the address", status=2,
    ),
    Scenario("interim answers without end", interim, tick=0.05,
        says="{start}: does not answer in time; try again later", status=2,
    ),
    Scenario("a trailer without end", endless_trailer, tick=0.05,
        says="{start}: sends too slowly, or stopped sending; try again later", status=2,
    ),
    Scenario("packed nine times", ok(Content_Encoding=", ".join(["gzip"] * 9)),
        says="{start}: is compressed 9 times over; if it is a feed, tell its owner", status=2,
    ),
    Scenario("a login by cookie", reply(302, Location="/start", Set_Cookie="s=1"),
        says="{start}: redirects in a circle, by way of {start}; tell its owner", status=2,
    ),
    Scenario("a redirect to HTTPS that is none", downgraded,
        says="{start}: no secure connection is possible (redirected to https://{server}/f); check the address", status=2,
    ),
    Scenario("a redirect to javascript:", to("javascript:alert(1)"),
        says="{start}: redirects to javascript:, where podgraph does not go; check the address", status=2,
    ),
    Scenario("a redirect to an old spelling of 127.0.0.1", to("http://0x7f.1/f"),
        says="{start}: 0x7f.1 is an address of this machine or its own network, where only you may lead (redirected to http://0x7f.1/f); give that address as a source yourself if you trust it", status=2,
    ),
    Scenario("a redirect with a backslash in its host", to("http://169.254.169.254\\@public.example/f"),
        says="{start}: has a backslash in its host (redirected to http://169.254.169.254\\@public.example/f); check how it is written", status=2,
    ),
    Scenario("a redirect to 127.0.0.1 by 6to4", to("http://[2002:7f00:1::]/f"),
        says="{start}: 2002:7f00:1:: is an address of this machine or its own network, where only you may lead (redirected to http://[2002:7f00:1::]/f); give that address as a source yourself if you trust it", status=2,
    ),
    Scenario("a redirect to a network of examples", to("http://[3fff::1]/f"),
        says="{start}: 3fff::1 is an address of this machine or its own network, where only you may lead (redirected to http://[3fff::1]/f); give that address as a source yourself if you trust it", status=2,
    ),
    Scenario("a redirect to ::ffff:127.0.0.1", to("http://[::ffff:127.0.0.1]/f"),
        says="{start}: ::ffff:127.0.0.1 is an address of this machine or its own network, where only you may lead (redirected to http://[::ffff:127.0.0.1]/f); give that address as a source yourself if you trust it", status=2,
    ),
    Scenario("a redirect to port 99999", to("http://a.example:99999/"),
        says="{start}: is not a valid web address (redirected to http://a.example:99999/); check how it is written", status=2,
    ),
    Scenario("a redirect loop", to("/a"), more={"/a": to("/start")},
        says="{start}: redirects in a circle, by way of {start} (redirected to {a}); tell its owner", status=2,
    ),
    Scenario("twenty redirects", to("/0"), more={f"/{n}": to(f"/{n + 1}") for n in range(20)},
        says="{start}: redirects more than 10 times (redirected to {9}); tell its owner", status=2,
    ),
    Scenario("a redirect to file:", to("file:///etc/passwd"),
        says="{start}: redirects to file:, where podgraph does not go; check the address", status=2,
    ),
    Scenario("a redirect to a private address", to("http://169.254.169.254/latest"),
        says="{start}: 169.254.169.254 is an address of this machine or its own network, where only you may lead (redirected to http://169.254.169.254/latest); give that address as a source yourself if you trust it", status=2,
    ),
    Scenario("a redirect to another port here", to("http://127.0.0.1:1/f"),
        says="{start}: 127.0.0.1 is an address of this machine or its own network, where only you may lead (redirected to http://127.0.0.1:1/f); give that address as a source yourself if you trust it", status=2,
    ),
    Scenario("a redirect to nowhere", to("http://[::1/f"),
        says="{start}: is not a valid web address; check how it is written", status=2,
    ),
    Scenario("a login page", ok(LOGIN, Content_Type="text/html"),
        says="{start}: is a web page that names no feed; give the feed's own address; if that wants a login, a file with the feed", status=2,
    ),
    Scenario("a web page whose feed is gone", ok(LOST, Content_Type="text/html"),
        says=("{start} is a web page; reading the feed it names: {server}/gone", "{start}: the server answers 404 Not Found; check the address"), status=2,
    ),
    Scenario("a web page that leads inside", ok(b"<html><head><link rel=alternate type='application/rss+xml' href='http://10.0.0.1/f'></head></html>"),
        says=("{start} is a web page; reading the feed it names: http://10.0.0.1/f", "{start}: 10.0.0.1 is an address of this machine or its own network, where only you may lead; give that address as a source yourself if you trust it"), status=2,
    ),
    Scenario("JSON that is no feed", ok(b'{"error": "denied"}', Content_Type="application/json"),
        says="{start}: is JSON, but no JSON Feed; give the feed's own URL", status=2,
    ),
    Scenario("XML that is no feed", ok(b"<error>denied</error>", Content_Type="text/xml"),
        says="{start}: is XML, but no feed (its root is <error>); give the feed's own URL", status=2,
    ),
    Scenario("binary data", ok(bytes(range(256)) * 9),
        says="{start}: is binary data, not a feed; give the feed's own URL", status=2,
    ),
    Scenario("a list of nothing", ok(opml()),
        says="{start}: is a list that names no feed; give a feed's address", status=2,
    ),
    Scenario("a list of itself", ok(opml("/start")),
        says="{start}: names no feed but itself; give a feed's address", status=2,
    ),
    Scenario("a list that leads inside", ok(opml("http://127.0.0.1:1/f", "file:///etc/passwd")),
        says=("{start}: passed over 1 of its entries, no http(s) addresses", "http://127.0.0.1:1/f: 127.0.0.1 is an address of this machine or its own network, where only you may lead; give that address as a source yourself if you trust it"), status=2,
    ),
    # A copy stands in
    Scenario("410 where there was a feed", [reply(410)], first=ok(),
        says="{start} cannot be read (the server answers 410 Gone); using the copy of a moment ago",
    ),
    Scenario("a login page where there was a feed", [ok(LOGIN, Content_Type="text/html")], first=ok(),
        says="{start} cannot be read (is a web page that names no feed); using the copy of a moment ago",
    ),
    Scenario("a broken body where there was a feed", [ok(b"<error/>", Content_Type="text/xml")], first=ok(),
        says="{start} cannot be read (is XML, but no feed (its root is <error>)); using the copy of a moment ago",
    ),
    Scenario("--offline with a copy", [reply(410)], first=ok(), words=("{start}", "--offline"),
        says="{start} is not asked (--offline); using the copy of a moment ago",
    ),
    Scenario("--offline without", ok(), words=("{start}", "--offline"),
        says="{start}: no copy of it is kept; run it once without --offline, or give the feed's file", status=2,
    ),
    Scenario("the default feed, unreachable", Call.reset, words=(), default=True,
        says="{server} cannot be reached (breaks the connection); using the built-in snapshot of {date}",
    ),
    Scenario("the default feed, a login page", ok(LOGIN, Content_Type="text/html"), words=(), default=True,
        says="{server} cannot be read (is a web page that names no feed); using the built-in snapshot of {date}",
    ),
    Scenario(
        "a feed without items",
        ok(b"<rss><channel><title>t</title></channel></rss>"),
        says="{start}: has no items; check that it is the right feed",
        status=2,
    ),
    Scenario(
        "a feed without items where there were some",
        [ok(b"<rss><channel><title>t</title></channel></rss>")],
        first=ok(),
        says="{start} cannot be read (has no items); using the copy of a moment ago",
    ),
    Scenario("a feed cut off, with --strict", ok(CUT), words=("{start}", "--strict"),
        says="{start}: the feed ends in the middle of an item, which is passed over; fetch it again, it may be cut off (and 1 more); --strict makes warnings errors; nothing was written", status=2,
    ),
    Scenario("a feed cut off where there was a whole one", [ok(CUT)], first=ok(feed(items=SECOND)),
        says="{start} cannot be read (the feed ends in the middle of an item, which is passed over, 1 of 2 are left); using the copy of a moment ago",
    ),
    # Several sources
    Scenario("one of ten fails", reply(410), words=TEN, more=OTHERS,
        says=("left out: {start}: the server answers 410 Gone; it is gone for good: look for the feed's new address", "10 sources: 9 read, 1 left out"), status=2,
    ),
    Scenario("one of ten fails and has a copy", [reply(410)], words=TEN, more=OTHERS, first=ok(),
        says=("{start} cannot be read (the server answers 410 Gone); using the copy of a moment ago", "10 sources: 9 read, 1 from an earlier copy"), status=2,
    ),
    Scenario("one of a list of ten fails", reply(410), words=("list.opml",), more=OTHERS,
        says=("left out: {start}: the server answers 410 Gone; it is gone for good: look for the feed's new address", "10 sources: 9 read, 1 left out"), status=2,
    ),
    Scenario("all fail", reply(410), words=("{start}", "{1}"), more={"/1": reply(404)},
        says=("left out: {1}: the server answers 404 Not Found; check the address", "{start}: the server answers 410 Gone; it is gone for good: look for the feed's new address"), status=2,
    ),
    # --strict
    Scenario("--strict and nothing to warn of", ok(), words=("{start}", "--strict")),
    Scenario("a date that cannot be read", ok(feed(items=UNDATED)),
        says='{start}: item 2 ("Two"): its date "never" cannot be read; it has none',
    ),
    Scenario("the same with --strict", ok(feed(items=UNDATED)), words=("{start}", "--strict"),
        says='{start}: item 2 ("Two"): its date "never" cannot be read; it has none; --strict makes warnings errors; nothing was written', status=2,
    ),
    Scenario("one of ten fails with --strict", reply(410), words=(*TEN, "--strict"), more=OTHERS,
        says="{start}: the server answers 410 Gone; it is gone for good: look for the feed's new address; --strict makes warnings errors; nothing was written", status=2,
    ),
    Scenario("a copy with --strict", [reply(410)], first=ok(), words=("{start}", "--strict"),
        says=("{start} cannot be read (the server answers 410 Gone); using the copy of a moment ago", "{start}: the server answers 410 Gone; --strict makes warnings errors; nothing was written"), status=2,
    ),
]  # fmt: skip


def table() -> str:
    """Return the scenarios as a Markdown table."""
    rows = [
        f"| {scenario.name} | {'<br>'.join(_cell(line) for line in scenario.lines) or '(the routine)'} | {scenario.status} |"
        for scenario in SCENARIOS
    ]
    return "\n".join(["| scenario | what standard error says | status |", "| --- | --- | --- |", *rows])


def _cell(line: str) -> str:
    return "`" + line.replace("|", "\\|") + "`"


def readme() -> str:
    """Return the text of ``README.md``."""
    return f"""# What `podgraph build` makes of what servers do

Each row is run against a scripted server on 127.0.0.1 (`scenarios.py`, `test_scenarios.py`). Beside the lines
here, standard error has the routine: what was read, what was found, where it was written; every line begins
with `podgraph: `. Status 0: built. Status 2: an error, or one of several sources failed or is an earlier copy
and the others were built. `{{start}}`, `{{f}}` … are addresses of the server.

{table()}
"""


if __name__ == "__main__":
    README.write_text(readme(), "utf-8")
