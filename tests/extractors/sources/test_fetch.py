"""Fetching, against a scripted server on 127.0.0.1: one line of the table is one thing that servers do."""

from __future__ import annotations

import gzip
import socket
import ssl
import threading
import zlib
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from podgraph.extractors import SourceError
from podgraph.extractors.sources import origin
from podgraph.extractors.sources.cache import Cache
from podgraph.extractors.sources.connection import Limits
from podgraph.extractors.sources.fetch import fetch_url, run_side_by_side
from podgraph.extractors.sources.origin import CONTENT, TYPED
from tests.loopback import Call, Clock, Loopback, Script, chunked, head, refusing_port, reply
from tests.tables import read_rows

FEED = b"<rss version='2.0'><channel><title>t</title></channel></rss>"
ZIPPED = gzip.compress(FEED)
BOMB = gzip.compress(bytes(3_000_000))
PEM = Path(__file__).parents[1] / "fixtures/fetch/loopback.pem"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
# Generous where nothing should wait; a scenario that is about waiting makes its own wait short.
LIMITS = Limits(connect=5, read=5, answer=20, total=40, body=1_000_000)


# What a server does


def ok(body=FEED, **fields: str | int):
    return reply(200, body, **fields)


def to(location, status=302):
    return reply(status, Location=location)


def endless(first, piece):
    """Return a script that sends ``first``, and then ``piece`` for ever; without a piece, nothing more."""

    def script(call):
        call.send(first)
        call.forever(piece) if piece else call.hold()

    return script


def reset_midway(call):
    call.send(head(Content_Length=1000), b"<rss>")
    call.reset()


STALLED = endless(head(Content_Length=1000) + b"<rss>", b"")
CHUNKS = endless(head(Transfer_Encoding="chunked"), chunked(b"<item></item>", end=b"") * 100)


@dataclass(frozen=True)
class Case:
    """A scenario. ``error`` is part of the message (none: the feed arrives); ``calls`` counts requests."""

    name: str
    script: Script | list[Script]
    error: str = ""
    more: dict[str, Script] = field(default_factory=dict)
    calls: int = 1
    slept: tuple[float, ...] = ()
    limits: dict[str, float] = field(default_factory=dict)
    tick: float = 0
    has_moved: bool = False


HUGE: dict[str, Any] = {"body": 10**12, "rate": 10**12}
FOUND: dict[str, Script] = {"/f": ok()}
INSIDE = "is an address of this machine"
JUMPS = {f"/{n}": to(f"/{n + 1}") for n in range(20)}

CASES = [
    # Bodies
    Case("a plain feed", ok()),
    Case("gzip", ok(ZIPPED, Content_Encoding="gzip")),
    Case("gzip in two members", ok(gzip.compress(FEED[:9]) + gzip.compress(FEED[9:]), Content_Encoding="gzip")),
    Case("gzip with padding behind", ok(ZIPPED + bytes(50), Content_Encoding="gzip")),
    Case("gzip twice over", ok(gzip.compress(ZIPPED), Content_Encoding="gzip, gzip")),
    Case("a file that is gzip", ok(ZIPPED, Content_Type="application/gzip")),
    Case("deflate with its wrapping", ok(zlib.compress(FEED), Content_Encoding="deflate")),
    Case("deflate without it", ok(zlib.compress(FEED)[2:-4], Content_Encoding="deflate")),
    Case("chunks", head(Transfer_Encoding="chunked") + chunked(FEED[:7], FEED[7:])),
    Case("HTTP/1.0, the end of the connection is the end", head(version="1.0") + FEED),
    Case("status 203", reply(203, FEED)),
    Case("more than it announced", ok(FEED + b"<!-- more -->", Content_Length=len(FEED))),
    # Bodies that are none, or too much
    Case("an empty body", ok(b""), "is empty; check the address"),
    Case("cut off", head(Content_Length=5000) + FEED, "is cut off"),
    Case("cut off in a chunk", head(Transfer_Encoding="chunked") + b"fff\r\n<rss>", "is cut off or damaged"),
    Case("cut off before the last chunk", head(Transfer_Encoding="chunked") + chunked(FEED, end=b""), "cut off or damaged"),
    Case("a chunk size that is no number", head(Transfer_Encoding="chunked") + b"zz\r\n<rss>", "is cut off or damaged"),
    Case("gzip damaged", ok(ZIPPED[:20] + b"\0\0\0" + ZIPPED[23:], Content_Encoding="gzip"), "contains damaged or truncated"),
    Case("a gzip bomb", ok(BOMB, Content_Encoding="gzip"), "is larger than 1 MB"),
    Case("a gzip bomb as a file", ok(BOMB), "is larger than 1 MB"),
    Case("an endless body", endless(head(version="1.0"), b"<item/>" * 1000), "is larger than 1 MB"),
    Case("an endless body in chunks", CHUNKS, "is larger than 1 MB"),
    # Statuses
    Case("404", reply(404, b"<html>"), "the server answers 404 Not Found; check the address"),
    Case("401", reply(401), "answers 401 Unauthorized; it wants a login"),
    Case("403", reply(403), "answers 403 Forbidden; it may want a login"),
    Case("a status that does not exist", reply(777), "answers 777; "),
    Case("304 to a question without condition", head(304), "answers 304 Not Modified"),
    Case("part of it, unasked", reply(206, FEED), "answers 206 Partial Content"),
    # What may pass
    Case("503, then the feed", [reply(503), ok()], calls=2, slept=(0.5,)),
    Case("500, then the feed", [reply(500), ok()], calls=2, slept=(0.5,)),
    Case("500 for ever", reply(500), "answers 500 Internal Server Error; try", calls=3, slept=(0.5, 1.0)),
    Case("501 is not asked again", reply(501), "answers 501 Not Implemented; try again later"),
    Case("502 and 504, then the feed", [reply(502), reply(504), ok()], calls=3, slept=(0.5, 1.0)),
    Case("503 for ever", reply(503), "answers 503 Service Unavailable; try again later", calls=3, slept=(0.5, 1.0)),
    Case("429 with seconds", [reply(429, Retry_After="7"), ok()], calls=2, slept=(7,)),
    Case("429 with nonsense", [reply(429, Retry_After="soon"), ok()], calls=2, slept=(0.5,)),
    Case("429 for longer than we wait", reply(429, Retry_After="3600"), "429 Too Many Requests; try again later"),
    Case("503 for ever and ever", reply(503, Retry_After="9" * 40), "503 Service Unavailable; try again later"),
    Case("a reset, then the feed", [Call.reset, ok()], calls=2, slept=(0.5,)),
    Case("a reset in the body, then the feed", [reset_midway, ok()], calls=2, slept=(0.5,)),
    Case("resets for ever", Call.reset, "breaks the connection; try again later", calls=3, slept=(0.5, 1.0)),
    # Time
    Case("no first byte", Call.hold, "does not answer in time, or sends too slowly; try again later", limits={"read": 0.03}),
    Case("silence in the body", STALLED, "sends too slowly", limits={"total": 0.03}),
    Case("a head that never ends, drop by drop", endless(b"HTTP/1.1 200 OK\r\nX-Slow: ", b"z"), "does not answer in", tick=0.5),
    Case("a body drop by drop", CHUNKS, "sends too slowly", tick=0.5, limits={"body": 1e9}),
    Case("100 Continue for ever", endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), "does not answer in time", tick=0.5),
    # No HTTP
    Case("fields without end", endless(b"HTTP/1.1 200 OK\r\n", b"X-More: 1\r\n"), "does not answer in HTTP"),
    Case("another protocol", b"220 ftp ready\r\n", "does not answer in HTTP"),
    Case("a status that is no number", b"HTTP/1.1 fine\r\n\r\n", "does not answer in HTTP"),
    # Redirects
    Case("302", to("/f"), more=FOUND, calls=2),
    Case("307", to("f?a=1#top", 307), more={"/f?a=1": ok()}, calls=2),
    Case("301 is told", to("/f", 301), more=FOUND, calls=2, has_moved=True),
    Case("for now, then for good: nothing is told", to("/a"), more={"/a": to("/f", 301), **FOUND}, calls=3),
    Case("beyond ASCII", to("/\u00fc"), more={"/%C3%BC": ok()}, calls=2),
    Case("ten redirects", to("/10"), more={**JUMPS, "/19": ok()}, calls=11),
    Case("more than ten", to("/0"), "redirects in a circle or too often", more=JUMPS, calls=11),
    Case("in a circle of one", to("/start"), "redirects in a circle"),
    Case("in a circle of two", to("/a"), "redirects in a circle", more={"/a": to("/start")}, calls=2),
    Case("without a target", reply(302), "answers 302 Found"),
    Case("to a file", to("file:///etc/passwd"), "redirects to file:, where podgraph does not go"),
    Case("to no host", to("http://:80/f"), "is not a web address"),
    Case("to a broken address", to("http://[::1/f"), "is not a valid web address"),
    Case("to a port that is none", to("http://a.example:99999999/f"), "is not a valid web address"),
    Case("with a body that never ends", endless(head(302, version="1.0", Location="/f"), b"z" * 10_000), more=FOUND, calls=2),
    Case("with a bomb", reply(302, BOMB, Location="/f", Content_Encoding="gzip"), more=FOUND, calls=2),
    Case("to a 404", to("/gone"), "404 Not Found (redirected to {gone})", calls=2),
    # Redirects to where only the user may lead
    Case("to localhost by name", to("http://localhost:{port}/f"), INSIDE, more=FOUND),
    Case("to loopback in one number", to("http://2130706433:{port}/f"), INSIDE, more=FOUND),
    Case("to loopback in IPv6", to("http://[::1]:{port}/f"), INSIDE, more=FOUND),
    Case("to loopback in IPv4 in IPv6", to("http://[::ffff:127.0.0.1]:{port}/f"), INSIDE, more=FOUND),
    Case("to a private network", to("http://10.1.2.3/f"), INSIDE),
    Case("to a cloud's metadata", to("http://169.254.169.254/latest/meta-data/"), INSIDE),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_a_server_does(case, server):
    def filled(script):
        return script.replace(b"{port}", str(server.port).encode()) if isinstance(script, bytes) else script

    scripts = case.script if isinstance(case.script, list) else [case.script]
    server.on("/start", *map(filled, scripts))
    for target, script in case.more.items():
        server.on(target, filled(script))
    names = {target: server.url(f"/{target}") for target in ("f", "b", "gone")}
    clock = Clock(case.tick)
    limits = replace(LIMITS, **case.limits)
    if case.error:
        with pytest.raises(SourceError) as caught:
            fetch_url(server.url("/start"), origin=TYPED, limits=limits, world=clock.world())
        line = str(caught.value)
        assert case.error.format(**names) in line
        assert line.startswith(f"{server.url('/start')}: ")
        assert line.isprintable()
        assert caught.value.remedy
    else:
        fetched = fetch_url(server.url("/start"), origin=TYPED, limits=limits, world=clock.world())
        assert fetched.data == FEED
        assert not fetched.from_cache
        assert fetched.has_moved == case.has_moved
    assert len(server.calls) == case.calls
    assert tuple(clock.slept) == pytest.approx(case.slept)


def test_a_long_body_that_keeps_coming_gets_its_time(server):
    server.on("/f", ok(FEED * 15_000))
    rates = {"faster": 1000.0, "slower": 1e9}  # than what is asked for, when every look at the clock takes 1 s

    def fetch(rate):
        world = Clock(tick=1).world()
        return len(fetch_url(server.url("/f"), origin=TYPED, limits=replace(LIMITS, rate=rate), world=world).data)

    assert fetch(rates["faster"]) == len(FEED) * 15_000
    with pytest.raises(SourceError, match="sends too slowly"):
        fetch(rates["slower"])


# What is asked


def test_the_request_names_us_and_what_we_read(server):
    server.on("/f", ok())
    fetch_url(server.url("/f"), origin=TYPED)
    fields = server.calls[0].headers
    assert fields["user-agent"].startswith("podgraph/")
    assert fields["accept-encoding"] == "gzip, deflate"
    assert "application/rss+xml" in fields["accept"]
    assert "if-none-match" not in fields
    assert "authorization" not in fields


def test_user_and_password_are_sent_and_shown_nowhere(server):
    server.on("/f", ok()).on("/gone", reply(404))
    url = server.url("/f").replace("//", "//me:secret@")
    fetched = fetch_url(url, origin=TYPED)
    assert server.calls[0].headers["authorization"].startswith("Basic ")
    assert fetched.url == server.url("/f")
    with pytest.raises(SourceError) as caught:
        fetch_url(url.replace("/f", "/gone"), origin=TYPED)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    ["http://", "http:///f", "file:///etc/passwd", "http://[::1", "http://a.example:port/", "http://exa mple/", ""],
)
def test_what_is_no_web_address_is_told(url):
    with pytest.raises(SourceError, match=r"is not a (valid )?web address"):
        fetch_url(url, origin=TYPED, world=Clock().world())


# Copies


def test_a_304_costs_no_body(server, tmp_path):
    cache = Cache(tmp_path)
    dated = "Fri, 20 Nov 2026 10:00:00 GMT"
    server.on("/f", ok(ETag='W/"1"', Last_Modified=dated, Content_Type="text/xml"), head(304))
    first = fetch_url(server.url("/f"), cache=cache, origin=TYPED, world=Clock().world())
    clock = Clock()
    clock.seconds = 3600
    second = fetch_url(server.url("/f"), cache=cache, origin=TYPED, world=clock.world())
    assert server.calls[1].headers["if-none-match"] == 'W/"1"'
    assert server.calls[1].headers["if-modified-since"] == dated
    assert (second.data, second.content_type, second.etag) == (FEED, "text/xml", 'W/"1"')
    assert (first.from_cache, second.from_cache) == (False, True)
    kept = cache.read_copy(server.url("/f"))
    assert kept is not None
    assert kept.fetched_at == second.fetched_at == NOW + timedelta(hours=1)


def test_validators_go_only_to_the_address_that_gave_them(server, tmp_path):
    cache = Cache(tmp_path)
    server.on("/f", to("/one"), to("/two")).on("/one", ok(ETag='"1"')).on("/two", ok())
    for _ in range(2):
        fetch_url(server.url("/f"), cache=cache, origin=TYPED)
    assert server.targets == ["/f", "/one", "/f", "/two"]
    assert all("if-none-match" not in call.headers for call in server.calls)


# Who may lead where


def names(server, **hosts: str | list[tuple[str, int]]):
    """Return a resolver that knows ``hosts`` under ``.example``, all on the server's port."""

    def resolve(host, port: int, **_: Any) -> list[Any]:
        known = hosts.get(host.removesuffix(".example"), host)
        if known == host and host.endswith(".example"):
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        places = [(known, port if known == host else server.port)] if isinstance(known, str) else known
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", place) for place in places]

    return resolve


def test_an_address_from_a_feed_may_not_lead_inside(server):
    server.on("/f", ok())
    with pytest.raises(SourceError, match="only you may lead; give that address as a source yourself"):
        fetch_url(server.url("/f"))
    assert server.calls == []


def test_a_name_from_a_feed_may_not_lead_inside(server):
    server.on("/f", ok())
    world = Clock().world(names(server, rebound="127.0.0.1"))
    with pytest.raises(SourceError, match=r"rebound.example is an address of this machine"):
        fetch_url("http://rebound.example/f", world=world)
    assert fetch_url("http://rebound.example/f", origin=TYPED, world=world).data == FEED
    assert len(server.calls) == 1


def test_a_public_server_may_not_lead_inside_nor_back_there(server, monkeypatch):
    # 127.0.0.1 plays the public address, every other one is inside.
    monkeypatch.setattr(origin, "is_public", lambda address: address == "127.0.0.1")
    world = Clock().world(names(server, open="127.0.0.1", other="127.0.0.1", inside="127.0.0.2"))
    server.on("/f", to("http://inside.example/f")).on("/g", to("http://other.example/h")).on("/h", ok())
    with pytest.raises(SourceError, match=r"inside.example is an address of this machine"):
        fetch_url("http://open.example/f", origin=TYPED, world=world)
    fetched = fetch_url("http://open.example/g", origin=TYPED, world=world)
    assert (fetched.url, fetched.home) == ("http://other.example/h", None)


def test_a_name_with_a_public_and_an_inner_address_leads_to_the_public_one(server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(origin, "is_public", lambda address: address == "127.0.0.1")
    both = [("127.0.0.2", server.port), ("127.0.0.1", server.port)]
    server.on("/f", ok())
    assert fetch_url("http://both.example/f", world=Clock().world(names(server, both=both))).data == FEED


# TLS and proxies


@pytest.fixture
def secure():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(PEM)
    with Loopback(tls=context) as running:
        yield running


@pytest.mark.parametrize("variable", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_a_certificate_of_ones_own_can_be_named(secure, monkeypatch, variable: str):
    secure.on("/f", ok())
    with pytest.raises(SourceError, match=r"its certificate is not valid; .*REQUESTS_CA_BUNDLE"):
        fetch_url(secure.url("/f"), origin=TYPED)
    monkeypatch.setenv(variable, str(PEM))
    assert fetch_url(secure.url("/f"), origin=TYPED).data == FEED


def test_the_deadline_holds_under_tls(secure, monkeypatch):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(PEM))
    secure.on("/f", STALLED).on("/g", CHUNKS)
    with pytest.raises(SourceError, match="sends too slowly"):
        fetch_url(secure.url("/f"), origin=TYPED, limits=replace(LIMITS, total=0.03), world=Clock().world())
    with pytest.raises(SourceError, match="sends too slowly"):
        fetch_url(secure.url("/g"), origin=TYPED, limits=replace(LIMITS, **HUGE), world=Clock(tick=1).world())


def test_a_proxy_is_used_and_may_stand_inside(server, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", server.url("", host="127.0.0.1"))
    server.on("http://public.example/f", ok())
    world = Clock().world(names(server))  # only the proxy knows the name
    assert fetch_url("http://public.example/f", world=world).data == FEED


def test_no_proxy_for_this_machine(server, monkeypatch):
    server.on("/f", ok())
    with refusing_port() as port:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{port}")
        assert fetch_url(server.url("/f"), origin=TYPED).data == FEED


@pytest.mark.parametrize("host", read_rows(__file__, "test_a_proxy_is_no_way_inside"))
def test_a_proxy_is_no_way_inside(server, monkeypatch, host):
    monkeypatch.setenv("HTTP_PROXY", server.url("", host="127.0.0.1"))
    server.on("*", ok())
    world = Clock().world(names(server, inside="10.0.0.1"))
    with pytest.raises(SourceError, match="only you may lead"):
        fetch_url(f"http://{host}/f", world=world)
    assert server.calls == []


@pytest.mark.parametrize("host", ["10.0.0.1\\@public.example", "public.example\\@10.0.0.1", "public.example\\"])
@pytest.mark.parametrize("redirected", [True, False])
def test_parsers_differ_on_a_backslash_so_none_is_asked(server, monkeypatch, host, redirected: bool):
    monkeypatch.setenv("HTTP_PROXY", server.url("", host="127.0.0.1"))
    server.on("*", ok()).on("http://public.example/away", to(f"http://{host}/f"))
    with pytest.raises(SourceError, match="is not a web address"):
        address = "http://public.example/away" if redirected else f"http://{host}/f"
        fetch_url(address, origin=CONTENT if redirected else TYPED, world=Clock().world(names(server)))
    assert len(server.calls) == redirected


def test_a_proxy_that_is_not_there(server, monkeypatch):
    world = Clock().world(names(server))
    told = "the proxy cannot be used; check HTTPS_PROXY"
    with refusing_port() as port, pytest.raises(SourceError, match=told):
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{port}")
        fetch_url("https://public.example/f", world=world)


# Several at once


def test_tasks_run_side_by_side_and_two_of_a_party_at_once():
    both = threading.Barrier(2, timeout=5)  # passes only if two run at the same time
    counts = []

    def run(number):
        both.wait()
        if number == 3:
            raise SourceError("three")
        return number

    found = run_side_by_side(range(6), run, party=lambda _: "one", done=lambda *count: counts.append(count))
    assert [str(one) for one in found] == ["0", "1", "2", "three", "4", "5"]
    assert counts == [(n, 6) for n in range(1, 7)]
    with pytest.raises(ZeroDivisionError):
        run_side_by_side([1, 0, 2], lambda n: 1 // n, party=str)
