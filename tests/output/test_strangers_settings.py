"""What a stranger's ``podgraph.toml`` reaches: nothing outside of its folder, and no address inside the network.

Each try is a folder as a clone would be, and the command is run in it without arguments.
"""

import os
import socket
from pathlib import Path

import pytest

from podgraph.output.config import NAME, user_file
from tests.loopback import Loopback, reply
from tests.output.running import run

pytestmark = pytest.mark.allow_hosts(["127.0.0.1", "127.0.0.2"])

FEED = """<rss version="2.0"><channel><title>{title}</title><item><title>One</title><guid>1</guid>
<enclosure url="https://x.example/1.mp3" type="audio/mpeg"/><description>see https://a.example/b</description></item>
</channel></rss>"""
SECRET, OWN = FEED.format(title="Secret show"), FEED.format(title="Own show")
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><desc>Secret show</desc></svg>'
INSIDE = ("inside.example.com", "intranet")  # names that a resolver gives this machine for
PUBLIC = ("public.example.com",)  # one that plays a public address

# The files of the folder (``->``: a link), the settings, and the command if it is not `build`. OUTSIDE is the folder
# above as an absolute path, PORT that of a server on this machine.
TRIES = {
    "loopback": ({}, 'sources = ["http://127.0.0.1:PORT/feed"]'),
    "loopback without scheme": ({}, 'sources = ["localhost:PORT/feed"]'),
    "loopback by a handler": ({}, 'sources = ["feed:http://127.0.0.1:PORT/feed"]'),
    "unspecified address": ({}, 'sources = ["http://0.0.0.0:PORT/feed"]'),
    "name that resolves to loopback": ({}, 'sources = ["http://inside.example.com:PORT/feed"]'),
    "name of the own network": ({}, 'sources = ["http://intranet:PORT/feed"]'),
    "redirect to loopback": ({}, 'sources = ["http://public.example.com:PORT/away"]'),
    "page that names a feed on loopback": ({}, 'sources = ["http://public.example.com:PORT/page"]'),
    "list of loopback addresses": ({"list.txt": "http://127.0.0.1:PORT/feed\n"}, 'sources = ["list.txt"]'),
    "OPML of loopback addresses": (
        {"list.opml": '<opml><body><outline xmlUrl="http://127.0.0.1:PORT/feed"/></body></opml>'},
        'sources = ["list.opml"]',
    ),
    "list in a list": ({"list.txt": "own.xml\nmore.opml\n", "more.opml": "http://127.0.0.1:PORT/feed\n"}, 'sources = ["list.txt"]'),
    "list of an absolute path": ({"list.txt": "OUTSIDE/secret.xml\n"}, 'sources = ["list.txt"]'),
    "list of a path above": ({"list.txt": "own.xml\n../secret.xml\n"}, 'sources = ["list.txt"]'),
    "list of a file: URL": ({"list.txt": "own.xml\nfile://OUTSIDE/secret.xml\n"}, 'sources = ["list.txt"]'),
    "list of a link": ({"list.txt": "link.xml\n", "link.xml": "-> ../secret.xml"}, 'sources = ["list.txt"]'),
    "folder of links": ({"feeds/a.xml": OWN, "feeds/b.xml": "-> ../../secret.xml"}, 'sources = ["feeds"]'),
    "link to a folder": ({"feeds": "-> .."}, 'sources = ["feeds"]'),
    "the folder above": ({}, 'sources = [".."]'),
    "absolute path": ({}, 'sources = ["OUTSIDE/secret.xml"]'),
    "path above": ({}, 'sources = ["sub/../../secret.xml"]'),
    "file: URL": ({}, 'sources = ["file://OUTSIDE/secret.xml"]'),
    "file: URL without slashes": ({}, 'sources = ["file:OUTSIDE/secret.xml"]'),
    "link": ({"link.xml": "-> ../secret.xml"}, 'sources = ["link.xml"]'),
    "home": ({}, 'sources = ["~/secret.xml"]'),
    "environment": ({}, 'sources = ["$HOME/secret.xml", "${HOME}/secret.xml"]'),
    "NUL": ({}, 'sources = ["../secret.xml\\u0000"]'),
    "vocabulary": ({}, 'sources = ["own.xml"]\nvocabulary = "../secret.toml"'),
    "index": ({"x.idx": "-> ../secret.idx"}, 'sources = ["own.xml"]\nindex = "x.idx"'),
    "logo": ({}, 'sources = ["own.xml"]\nlogo = "../logo.svg"'),
    "graph": ({}, 'graph = "../secret.json"', "list", "episodes"),
    "graph, link": ({"g.json": "-> ../secret.json"}, 'graph = "g.json"', "list", "episodes"),
    "the file itself": ({NAME: "-> ../secret.toml"}, None),
    "a result behind a dangling link": ({"podgraph.json": "-> ../written.json"}, 'sources = ["own.xml"]\nformats = ["json"]'),
    "a vault behind a link": ({"vault": "-> ../elsewhere"}, 'sources = ["own.xml"]\nformats = ["obsidian"]'),
}  # fmt: skip
WORKS = {
    "a path beside the settings": ({}, 'sources = ["own.xml"]'),
    "a path in a folder below": ({"sub/feed.xml": OWN}, 'sources = ["sub/feed.xml"]'),
    "an absolute path inside": ({}, 'sources = ["OUTSIDE/clone/own.xml"]'),
    "a link inside": ({"link.xml": "-> own.xml"}, 'sources = ["link.xml"]'),
    "a list inside": ({"list.txt": "own.xml\n"}, 'sources = ["list.txt"]'),
    "a folder": ({"feeds/a.xml": OWN}, 'sources = ["feeds"]'),
    "a public address": ({}, 'sources = ["http://public.example.com:PORT/own"]'),
    "a public address in a list": ({"list.txt": "http://public.example.com:PORT/own\n"}, 'sources = ["list.txt"]'),
    "a typed address": ({}, 'sources = ["../secret.xml"]', "build", "http://127.0.0.1:PORT/own"),
    "a typed path": ({}, 'sources = ["../secret.xml"]', "build", "../own.xml"),
    "a typed result": ({"out.json": "-> ../out.json"}, "", "build", "own.xml", "-o", "out.json", "-o", "podgraph.html"),
}


@pytest.fixture
def world(tmp_path, monkeypatch):
    """Give a server on this machine, and make folders beside secrets; names resolve to the server's address."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("PODGRAPH_GRAPH", raising=False)
    resolve = socket.getaddrinfo

    def getaddrinfo(host, port, *rest, **named):
        known = {**dict.fromkeys(INSIDE, "127.0.0.1"), **dict.fromkeys(PUBLIC, "127.0.0.2")}
        return resolve(known.get(host, host), port, *rest, **named)

    from podgraph.extractors.sources import connection, origin

    # 127.0.0.2 plays a public address. Both are of this machine, so a connection would succeed.
    public = origin.is_public
    monkeypatch.setattr(origin, "is_public", lambda address: address == "127.0.0.2" or public(address))
    object.__setattr__(connection.WORLD, "resolve", getaddrinfo)
    with Loopback(host="0.0.0.0") as server:
        server.on("/feed", reply(200, SECRET.encode())).on("/own", reply(200, OWN.encode()))
        server.on("/away", reply(302, Location=f"http://127.0.0.1:{server.port}/feed"))
        page = f'<!doctype html><link rel="alternate" type="application/rss+xml" href="{server.url("/feed")}">'
        server.on("/page", reply(200, page.encode(), Content_Type="text/html"))
        (tmp_path / "secret.xml").write_text(SECRET, "utf-8")
        (tmp_path / "own.xml").write_text(OWN, "utf-8")
        (tmp_path / "secret.toml").write_text('[[topic]]\nid = "secret"\nlabel = "Secret show"\n', "utf-8")
        (tmp_path / "secret.json").write_text("{}", "utf-8")
        (tmp_path / "logo.svg").write_text(LOGO, "utf-8")
        try:
            yield tmp_path, server
        finally:
            object.__setattr__(connection.WORLD, "resolve", resolve)


def clone(files, settings, world, folder):
    """Make a folder of ``files`` and ``settings``."""
    root, server = world

    def filled(text):
        return text.replace("OUTSIDE", str(root)).replace("PORT", str(server.port))

    for name, text in {"own.xml": OWN, **({} if settings is None else {NAME: settings}), **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text.startswith("-> "):
            path.symlink_to(filled(text[3:]))
        else:
            path.write_text(filled(text), "utf-8")
    os.chdir(folder)
    return filled


def everything(folder):
    return "".join(
        path.read_text("utf-8", "replace") for path in folder.glob("podgraph.*") if path.is_file() and path.name != NAME
    )


def test_a_stranger_reaches_nothing(world, capsys, monkeypatch):
    """Each try ends with status 2 and a line; no request is made, and nothing outside is read or written."""
    root, server = world
    monkeypatch.chdir(root)
    failures = []
    for number, (name, (files, settings, *words)) in enumerate(TRIES.items()):
        folder = root / f"clone{number}"
        clone(files, settings, world, folder)
        before = {path.name for path in root.iterdir()}
        status, out, err = run(capsys, *(words or ["build", "-q"]))
        asked, led = "/feed" in server.targets, "/away" in settings or "/page" in settings if settings else False
        after = {path.name for path in root.iterdir()}
        read = "Secret show" in out + err + everything(folder)
        odd = not err or "should not happen" in err or bool(server.calls) != led
        if (status, asked, read, after, odd) != (2, False, False, before, False):
            failures.append(f"{name}: {status=} {server.targets} {read=} {after - before} {err!r}")
        server.calls.clear()
    assert not failures, "\n".join(failures)


def test_what_is_meant_works(world, capsys, monkeypatch):
    """Paths inside, public addresses, and everything that the user types."""
    root, _ = world
    monkeypatch.chdir(root)
    failures = []
    for name, (files, settings, *words) in WORKS.items():
        folder = root / "clone"
        filled = clone(files, settings, world, folder)
        status, _, err = run(capsys, *(map(filled, words) if words else ["build"]), "-q")
        written = folder / "podgraph.html"
        if status or err or "Own show" not in written.read_text("utf-8"):
            failures.append(f"{name}: {status=} {err!r}")
        os.chdir(root)
        folder.rename(root / f"done-{name}")
    assert not failures, "\n".join(failures)


def test_a_copy_of_an_address_inside_is_for_those_who_may_ask_it(world, capsys, monkeypatch):
    root, server = world
    monkeypatch.chdir(root)
    assert run(capsys, "build", server.url("/feed"), "-q", "-o", "typed.json") == (0, "", "")
    clone({}, 'sources = ["http://127.0.0.1:PORT/feed"]', world, root / "clone")
    for words in (["build", "-q"], ["build", "-q", "--offline"]):
        status, _, err = run(capsys, *words)
        assert (status, err.count("\n"), Path("podgraph.sqlite").exists()) == (2, 1, False)
    assert run(capsys, "build", "--offline", server.url("/feed"), "-q", "-o", "again.json")[0] == 0


def test_the_users_own_settings_reach_everything(world, capsys, monkeypatch):
    root, server = world
    Path(user_file()).parent.mkdir(parents=True)
    Path(user_file()).write_text(f'sources = ["{server.url("/own")}", "../../secret.xml"]', "utf-8")
    monkeypatch.chdir(root)
    assert run(capsys, "build", "-q") == (0, "", "")
    assert "Own show" in everything(root)
    assert "Secret show" in everything(root)
