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
SECOND = "<item><title>Two</title><guid>2</guid><itunes:duration>60</itunes:duration></item>"
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
    the time before; ``limits`` and
    ``tick`` (seconds a look at the clock takes) make waits short; ``environment`` are variables.
    """

    name: str
    script: Script | list[Script]
    says: tuple[str, ...] | str = ()
    status: int = 0
    more: dict[str, Script] = field(default_factory=dict)
    words: tuple[str, ...] = ("{start}",)
    first: bytes = b""
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
SCENARIOS = [
    # A feed arrives
    Scenario("a plain feed", ok()),
    Scenario("a feed called text/html", ok(Content_Type="text/html")),
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
    # A copy stands in
    Scenario("a feed without items", ok(b"<rss><channel><title>t</title></channel></rss>"), says="{start}: has no items; check that it is the right feed", status=2),
    # Several sources
    Scenario("one of ten fails", reply(410), words=TEN, more=OTHERS, says=("left out: {start}: the server answers 410 Gone; it is gone for good: look for the feed's new address", "10 sources: 9 read, 1 left out"), status=2),
    Scenario("one of ten fails and has a copy", [reply(410)], words=TEN, more=OTHERS, first=ok(), says=("{start} cannot be read (the server answers 410 Gone); using the copy of {date}", "10 sources: 9 read, 1 from an earlier copy"), status=2),
    Scenario("one of a list of ten fails", reply(410), words=("list.opml",), more=OTHERS, says=("left out: {start}: the server answers 410 Gone; it is gone for good: look for the feed's new address", "10 sources: 9 read, 1 left out"), status=2),
    Scenario("all fail", reply(410), words=("{start}", "{1}"), more={"/1": reply(404)}, says=("left out: {1}: the server answers 404 Not Found; check the address", "{start}: the server answers 410 Gone; it is gone for good: look for the feed's new address"), status=2),
    # Warnings
    Scenario("a date that cannot be read", ok(feed(items=UNDATED)), says='{start}: item 2 ("Two"): its date "never" cannot be read; it has none'),
]  # fmt: skip
