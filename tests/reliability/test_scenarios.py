"""What servers do to ``podgraph build``, and what the user sees of it: what is said, the exit status, what is written.

``scenarios.toml`` has a scenario a line; ``tests/extractors/sources/test_fetch.py`` has the table of single fetches.
"""

from __future__ import annotations

import gzip
import re
from functools import partial
from pathlib import Path

import pytest

from podgraph import extractors
from podgraph.extractors import read_sources
from podgraph.output.cli import main
from tests.loopback import Clock, chunked, head, read_answers, reply
from tests.tables import read_scenarios

ROUTINE = re.compile(r"podgraph: (?:read .*: \d+ \w+|found .*|wrote .*)")
CUT_OFF = "the feed's end is missing, and perhaps some of its items; fetch it again, it may be cut off"


def feed(name="show", items=""):
    """Return a small podcast."""
    return (
        '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>'
        f"<title>{name}</title><item><title>One of {name}</title><guid>{name}-1</guid><itunes:duration>60"
        "</itunes:duration><description>https://github.com/a/b/pull/1</description></item>"
        f"{items}</channel></rss>"
    ).encode()


FEED = feed()
SECOND = "<item><title>Two</title><guid>2</guid><itunes:duration>60</itunes:duration></item>"
SCENARIOS = read_scenarios(__file__, "scenarios.toml", FEED=FEED.decode())


def send_endless_trailer(call):
    call.send(head(Transfer_Encoding="chunked") + chunked(FEED, end=b"0\r\n"))
    call.forever(b"X-More: and more\r\n" * 100)


def lead_to_https(call):
    call.send(reply(302, Location=f"https://127.0.0.1:{call.connection.getsockname()[1]}/f"))


SCRIPTS = {
    "feed": reply(200, FEED, ETag='"1"'),
    "no phrase behind the status": b"HTTP/1.1 200\r\n\r\n" + FEED,
    "line feeds alone": b"HTTP/1.1 200 OK\nServer: old\n\n" + FEED,
    "a length beside chunks": head(Content_Length=10, Transfer_Encoding="chunked") + chunked(FEED),
    "gzip that nobody names": reply(200, gzip.compress(FEED)),
    "a chunk of 2^70 bytes": head(Transfer_Encoding="chunked") + b"ffffffffffffffffff\r\n" + FEED,
    "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\nContent-Length: 20\r\n\r\n" + FEED,
    "more than all sources may have": reply(200, gzip.compress(FEED + b" " * 1_000_000), Content_Encoding="gzip"),
    "HTTP/0.9": FEED,
    "a field of a megabyte": b"HTTP/1.1 200 OK\r\nX: " + b"a" * 1_000_000 + b"\r\n\r\n" + FEED,
    "a trailer without end": send_endless_trailer,
    "a redirect to HTTPS that is none": lead_to_https,
    "a date that cannot be read": reply(200, feed(items=SECOND.replace("</item>", "<pubDate>never</pubDate></item>"))),
}


def build(words, capsys):
    status = main(["build", *words, "-o", "g.json"])
    out, err = capsys.readouterr()
    assert out == ""
    return status, err.splitlines()


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name, server, tmp_path, monkeypatch, capsys):
    one = SCENARIOS[name]
    monkeypatch.chdir(tmp_path)
    for variable, value in one.environment.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setattr(extractors, "read_sources", partial(read_sources, world=Clock(one.tick).world()))
    addresses = {"start": server.url("/start"), **{f"f{n}": server.url(f"/f{n}") for n in range(1, 10)}}
    for number in range(1, 10):
        server.on(f"/f{number}", reply(200, feed(f"show {number}")))
    outlines = "".join(f'<outline type="rss" text="t" xmlUrl="{address}"/>' for address in addresses.values())
    Path("list.opml").write_text(f'<opml version="2.0"><body>{outlines}</body></opml>', "utf-8")
    if one.is_known:
        server.on("/start", SCRIPTS["feed"])
        assert main(["build", addresses["start"], "-q", "-o", "before.json"]) == 0
        capsys.readouterr()
    server.on("/start", *read_answers(one.answers, SCRIPTS))
    addresses["none"] = server.url("/none")
    status, lines = build([word.format_map(addresses) for word in one.words], capsys)
    assert all(line.startswith("podgraph: ") for line in lines)
    said = "\n".join(line.removeprefix("podgraph: ") for line in lines if not ROUTINE.fullmatch(line))
    for place, address in addresses.items():
        said = said.replace(address, f"{{{place}}}")
    said = re.sub(rf"127\.0\.0\.1:{server.port}", "{server}", said)
    said = re.sub(r"copy of [\d-]+( \([\d,]+ days? old\))?", "copy of {date}", said)
    is_built = any(line.startswith("podgraph: wrote g.json") for line in lines)
    assert (tmp_path / "g.json").exists() == is_built
    assert (said.splitlines(), status) == (one.says, one.status)
    assert is_built or status == 2


@pytest.mark.parametrize("missing", [60, len("</channel></rss>"), len("</rss>")])
def test_what_is_missing_of_a_feed_is_told_beside_other_warnings(missing, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    broken = "<item><title>A & B</title><pubDate>never</pubDate></item>" * 3 + SECOND
    Path("f.xml").write_bytes(feed(items=broken)[:-missing])
    status, lines = build(("f.xml", "-q"), capsys)
    assert status == 0
    assert [line.rpartition("f.xml: ")[2] for line in lines] == [CUT_OFF]
