"""Fetching, against a scripted server on 127.0.0.1: one line of the table is one thing that servers do."""

from __future__ import annotations

import gzip
import socket
import ssl
import threading
import zlib
from dataclasses import replace
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
from tests.loopback import Call, Clock, Loopback, Script, chunked, head, read_answers, refusing_port, reply
from tests.tables import read_rows, read_scenarios

FEED = b"<rss version='2.0'><channel><title>t</title></channel></rss>"
ZIPPED = gzip.compress(FEED)
BOMB = gzip.compress(bytes(3_000_000))
PEM = Path(__file__).parents[1] / "fixtures/fetch/loopback.pem"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
# Generous where nothing should wait; a scenario that is about waiting makes its own wait short.
LIMITS = Limits(connect=60, read=60, answer=20, total=40, body=1_000_000)


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


HUGE: dict[str, Any] = {"body": 10**12, "rate": 10**12}
SCRIPTS: dict[str, Script] = {
    "feed": ok(),
    "reset": Call.reset,
    "gzip": ok(ZIPPED, Content_Encoding="gzip"),
    "gzip in two members": ok(gzip.compress(FEED[:9]) + gzip.compress(FEED[9:]), Content_Encoding="gzip"),
    "gzip with padding behind": ok(ZIPPED + bytes(50), Content_Encoding="gzip"),
    "gzip twice over": ok(gzip.compress(ZIPPED), Content_Encoding="gzip, gzip"),
    "a file that is gzip": ok(ZIPPED, Content_Type="application/gzip"),
    "deflate with its wrapping": ok(zlib.compress(FEED), Content_Encoding="deflate"),
    "deflate without it": ok(zlib.compress(FEED)[2:-4], Content_Encoding="deflate"),
    "chunks": head(Transfer_Encoding="chunked") + chunked(FEED[:7], FEED[7:]),
    "HTTP/1.0, the end of the connection is the end": head(version="1.0") + FEED,
    "cut off in a chunk": head(Transfer_Encoding="chunked") + b"fff\r\n<rss>",
    "cut off before the last chunk": head(Transfer_Encoding="chunked") + chunked(FEED, end=b""),
    "a chunk size that is no number": head(Transfer_Encoding="chunked") + b"zz\r\n<rss>",
    "gzip damaged": ok(ZIPPED[:20] + b"\0\0\0" + ZIPPED[23:], Content_Encoding="gzip"),
    "a gzip bomb": ok(BOMB, Content_Encoding="gzip"),
    "a gzip bomb as a file": ok(BOMB),
    "an endless body": endless(head(version="1.0"), b"<item/>" * 1000),
    "an endless body in chunks": CHUNKS,
    "a reset in the body": reset_midway,
    "no first byte": Call.hold,
    "silence in the body": STALLED,
    "a head that never ends, drop by drop": endless(b"HTTP/1.1 200 OK\r\nX-Slow: ", b"z"),
    "100 Continue for ever": endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "fields without end": endless(b"HTTP/1.1 200 OK\r\n", b"X-More: 1\r\n"),
    "another protocol": b"220 ftp ready\r\n",
    "a status that is no number": b"HTTP/1.1 fine\r\n\r\n",
    "with a body that never ends": endless(head(302, version="1.0", Location="/f"), b"z" * 10_000),
    "with a bomb": reply(302, BOMB, Location="/f", Content_Encoding="gzip"),
}
SCENARIOS = read_scenarios(__file__, "fetch.toml", FEED=FEED.decode())
# What is at other addresses of the server: a feed, and at /0 a row of redirects that ends there.
ELSEWHERE: dict[str, Script] = {
    "/f": ok(),
    "/f?a=1": ok(),
    "/19": ok(),
    **{f"/{n}": to(f"/{n + 1}") for n in range(19)},
}


@pytest.mark.parametrize("case", SCENARIOS.values(), ids=SCENARIOS)
def test_what_a_server_does(case, server):
    def fill(script):
        return script.replace(b"{port}", str(server.port).encode()) if isinstance(script, bytes) else script

    for target, script in ELSEWHERE.items():
        server.on(target, script)
    for target, answers in {"/start": case.answers, **case.more}.items():
        server.on(target, *map(fill, read_answers(answers, SCRIPTS)))
    clock = Clock(case.tick)
    limits = replace(LIMITS, **case.limits)
    if case.error:
        with pytest.raises(SourceError) as caught:
            fetch_url(server.url("/start"), origin=TYPED, limits=limits, world=clock.world())
        line = str(caught.value)
        assert case.error.format(gone=server.url("/gone")) in line
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
    both = threading.Barrier(2, timeout=60)  # passes only if two run at the same time
    counts = []

    def run(number):
        both.wait()
        if number == 3:
            raise SourceError("three")
        return number

    found = run_side_by_side(range(6), run, get_host=lambda _: "one", done=lambda *count: counts.append(count))
    assert [str(one) for one in found] == ["0", "1", "2", "three", "4", "5"]
    assert counts == [(n, 6) for n in range(1, 7)]
    with pytest.raises(ZeroDivisionError):
        run_side_by_side([1, 0, 2], lambda n: 1 // n, get_host=str)
