"""Charsets that strangers name: Python has codecs of these names that are no charsets, or that end the process's work."""

import json
import socket
from pathlib import Path

import pytest

from podgraph.extractors.sources import connection, origin
from tests.loopback import Loopback, reply
from tests.output.running import run
from tests.tables import read_table

NO_CHARSETS = (
    "undefined", "idna", "punycode", "rot13", "rot_13", "base64", "base64_codec", "bz2", "hex", "quopri", "uu", "zlib",
    "zip", "unicode_escape", "raw_unicode_escape", "mbcs", "oem", "utf-7", "utf_16_le_sig", "string_escape", "utf8mb4",
    "none", "..", "x" * 40, "charset", "utf-32", "hz", "iso-2022-kr",
)  # fmt: skip


@pytest.fixture
def pages(tmp_path, monkeypatch):
    """Give a server that plays the Internet; nothing waits between two questions."""
    resolve, sleep = connection.WORLD.resolve, connection.WORLD.sleep
    monkeypatch.setattr(origin, "is_public", lambda _: True)
    monkeypatch.chdir(tmp_path)

    def to_us(host, port, *rest, **named):
        return socket.getaddrinfo("127.0.0.1", port, *rest, **named)

    object.__setattr__(connection.WORLD, "resolve", to_us)
    object.__setattr__(connection.WORLD, "sleep", lambda _: None)
    with Loopback() as server:
        yield server
    object.__setattr__(connection.WORLD, "resolve", resolve)
    object.__setattr__(connection.WORLD, "sleep", sleep)


def built(server, capsys, count):
    """Build a show whose episode cites so many pages; return the titles by the page's number."""
    links = "".join(f'<p><a href="{server.url(f"/p{n}", "pages.example.com")}">a page</a></p>' for n in range(count))
    feed = (
        '<rss version="2.0"><channel><title>Show</title><item><title>One</title><guid>1</guid><enclosure '
        f'url="https://x.example/1.mp3" type="audio/mpeg"/><description><![CDATA[{links}]]></description></item></channel></rss>'
    )
    Path("feed.xml").write_text(feed, "utf-8")
    status, _, err = run(capsys, "build", "feed.xml", "--look-up", "-o", "g.json")
    assert status == 0, err
    nodes = json.loads(Path("g.json").read_text("utf-8"))["nodes"]
    return {node["url"].rpartition("/p")[2]: node.get("title") for node in nodes if "/p" in node.get("url", "")}


def test_a_page_of_any_charset_ends_nothing(pages, capsys):
    wanted = {}
    for number, name in enumerate(NO_CHARSETS):
        wanted[str(number)] = "A page"
        pages.on(f"/p{number}", reply(200, b"<title>A page</title>", Content_Type=f"text/html; charset={name}"))
    for number, (label, text, codec) in enumerate(read_table(__file__, "charsets.txt"), len(wanted)):
        wanted[str(number)] = text
        body = f"<title>{text}</title>".encode(codec)
        pages.on(f"/p{number}", reply(200, body, Content_Type=f'text/html; charset="{label}"'))
    wanted[str(len(wanted))] = None
    pages.on(f"/p{len(wanted) - 1}", reply(200, b"<![odd[<title>x</title>", Content_Type="text/html"))
    assert built(pages, capsys, len(wanted)) == wanted


@pytest.mark.parametrize("name", NO_CHARSETS)
def test_a_feed_and_a_list_of_any_charset_are_read(pages, capsys, name):
    feed = f"""<?xml version="1.0" encoding="{name}"?><rss version="2.0"><channel><title>Show</title><item><title>G\xe4rten
    </title><guid>1</guid><enclosure url="https://x.example/1.mp3" type="audio/mpeg"/></item></channel></rss>"""
    pages.on("/feed", reply(200, feed.encode("cp1252"), Content_Type=f"text/xml; charset={name}"))
    outline = f'<outline text="G\xe4rten" xmlUrl="{pages.url("/feed")}"/>'
    data = f'<?xml version="1.0" encoding="{name}"?><opml><body>{outline}</body></opml>'.encode("cp1252")
    Path("list.opml").write_bytes(data)
    assert run(capsys, "build", "list.opml", "-q", "-o", "g.json") == (0, "", "")
    assert run(capsys, "list", "episodes", "-g", "g.json", "--json")[1].count("G\xe4rten") >= 1
