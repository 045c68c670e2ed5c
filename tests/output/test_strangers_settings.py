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
from tests.tables import read_toml

pytestmark = pytest.mark.allow_hosts(["127.0.0.1", "127.0.0.2"])

FEED = """<rss version="2.0"><channel><title>{title}</title><item><title>One</title><guid>1</guid>
<enclosure url="https://x.example/1.mp3" type="audio/mpeg"/><description>see https://a.example/b</description></item>
</channel></rss>"""
SECRET, OWN = FEED.format(title="Secret show"), FEED.format(title="Own show")
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><desc>Secret show</desc></svg>'
INSIDE = ("inside.example.com", "intranet")  # names that a resolver gives this machine for
PUBLIC = ("public.example.com",)  # one that plays a public address

TABLES = read_toml(__file__, "strangers_settings.toml")


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


def clone(world, folder, files=None, settings=None):
    """Make a folder of ``files`` and ``settings``."""
    root, server = world

    def filled(text):
        return text.replace("OUTSIDE", str(root)).replace("PORT", str(server.port)).replace("OWN", OWN)

    for name, text in {"own.xml": "OWN", **({} if settings is None else {NAME: settings}), **(files or {})}.items():
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
    for number, (name, row) in enumerate(TABLES["tries"].items()):
        folder = root / f"clone{number}"
        words, settings = row.pop("words", ["build", "-q"]), row.get("settings", "")
        clone(world, folder, **row)
        before = {path.name for path in root.iterdir()}
        status, out, err = run(capsys, *words)
        asked, led = "/feed" in server.targets, "/away" in settings or "/page" in settings
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
    for name, row in TABLES["works"].items():
        folder = root / "clone"
        words = row.pop("words", ["build"])
        filled = clone(world, folder, **row)
        status, _, err = run(capsys, *map(filled, words), "-q")
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
    clone(world, root / "clone", settings='sources = ["http://127.0.0.1:PORT/feed"]')
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
