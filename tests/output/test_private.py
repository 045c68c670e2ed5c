"""Private feeds: no secret is written or printed, in any format, answer or error; public feeds stay as they are."""

import html
import json
import logging
import sqlite3
import stat
import tomllib
import traceback
from contextlib import closing
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

import jsonschema
import pytest

import podgraph
from podgraph.extractors import TYPED, SourceError, fetch_url
from podgraph.extractors.sources.connection import LIMITS
from podgraph.output.cli import main
from tests.loopback import refusing_port, reply
from tests.output.graphs import list_installed
from tests.output.running import run
from tests.tables import read_rows, read_table

SECRETS = dict(read_rows(__file__, "SECRETS"))
FEED, ITEM, ORDINARY = (
    Path(__file__).with_name(name).read_text("utf-8").rstrip()
    for name in ("private_feed.xml", "private_item.xml", "ordinary_feed.xml")
)


def spelled(secret):
    """Return the spellings of a secret that a format or a careless publisher may write."""
    return {
        secret, quote(secret), quote(secret, safe=""), html.escape(secret), html.escape(quote(secret)),
        json.dumps(secret)[1:-1], "".join(f"%{ord(char):02X}" for char in secret), quote(quote(secret, safe=""), safe=""),
        "".join(f"&#{ord(char)};" for char in secret),
    }  # fmt: skip


NEEDLES = {
    spelling.casefold(): name for name, secret in SECRETS.items() for spelling in spelled(secret) | {secret.lower()}
}


def secrets_in(text):
    text = text.casefold()
    return sorted({name for needle, name in NEEDLES.items() if needle in text})


def notes(address):
    """Return notes that repeat every secret in every spelling, beside two citations and a passage of words."""
    said = [spelling for secret in SECRETS.values() for spelling in sorted(spelled(secret))]
    return html.escape(
        "We fire the kiln: https://github.com/clay/kiln/pull/12, then https://arxiv.org/abs/1905.12322. "
        + " ".join(said)
        + "".join(f' <a href="https://cdn.example/x.mp3?t={one}&amp;x=1">sound</a> ({one})' for one in said)
        + f" Your feed: {address}, and https://pod.example/open?feed={quote(address, safe='')}. "
        "At last https://github.com/clay/kiln/issues/7"
    )


def feed(address, title="Kiln hours", block="no", about=""):
    """Return a feed that holds each of the secrets in every element, and says that it is at ``address``."""
    quoted = {name: quote(secret, safe="") for name, secret in SECRETS.items()}
    address = html.escape(address)
    items = "".join(
        ITEM.format(
            title=name, guid=guid, sound=sound, link=link, notes=notes(address), keyword=SECRETS["item one"],
            image=quoted["image"], transcript=quoted["transcript"], chapters=quoted["chapters"],
        )
        for name, guid, sound, link in (
            ("Glazes", "guid-1", f"https://cdn.example/one.mp3?token={quoted['item one']}", "https://kiln.example/glazes"),
            (f"Kilns {SECRETS['item one']}", f"https://cdn.example/two.mp3?token={quoted['item two']}",
             f"https://cdn.example/two.mp3?token={quoted['item two']}", f"https://kiln.example/e/{SECRETS['page']}"),
            ("Clay", f"x-{SECRETS['uuid']}", f"https://cdn.example/{SECRETS['uuid']}.mp3?a=1&amp;token={quoted['item one']}",
             f"https://kiln.example/?p=3&amp;auth={quoted['query']}"),
        )
    )  # fmt: skip
    return FEED.format(
        title=title, home=f"https://kiln.example/home?password={quoted['password']}", block=block, self=address,
        about=about, items=items, image=quoted["image"],
    ).encode()  # fmt: skip


QUERY = f"/rss?auth={quote(SECRETS['query'], safe='')}"
PATH = f"/private/{SECRETS['path']}/rss"
LOGIN = f"//me:{quote(SECRETS['password'], safe='')}@"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder, and a cache of its own."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("PODGRAPH_CACHE_DIR", str(tmp_path / "cache"))
    return here


def served(server):
    """Put all secrets behind four addresses, one for each way to be private; return these."""
    addresses = {
        "query": server.url(QUERY), "path": server.url(PATH), "login": server.url("/login").replace("//", LOGIN),
        "block": server.url("/block"),
    }  # fmt: skip
    for name, address in addresses.items():
        target = {"query": QUERY, "path": PATH}.get(name, f"/{name}")
        # The addresses of the others are strangers' to a feed: each holds all secrets in addresses of its own.
        own = server.url(f"{QUERY}&password={quote(SECRETS['password'], safe='')}&token={SECRETS['path']}")
        server.on(target, reply(200, feed(own, name, "YES" if name == "block" else "no", about=address)))
    return addresses


def contents(path):
    """Yield (name, text) of a file or of the files of a folder; of tables the values, too."""
    for part in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if part.is_file():
            yield part.name, part.name + part.read_bytes().decode("utf-8", "replace")
            if part.suffix == ".sqlite":
                with closing(sqlite3.connect(part)) as database:
                    yield part.name, "\n".join(database.iterdump())
            if part.suffix == ".parquet":
                from pyarrow import parquet

                yield part.name, str(parquet.read_table(part).to_pylist())


def targets():
    """Return the options that write every format, as a table the last of its suffixes."""
    paths = {one.name: f"all{one.suffixes[-1 if one.siblings else 0]}" for one in list_installed()}
    if "parquet" in paths:
        paths["parquet/"] = "by_show.parquet/"
    return [word for path in paths.values() for word in ("-o", path)]


def test_nothing_that_is_written_or_printed_holds_a_secret(capsys, server, folder):
    addresses = served(server)
    status, out, err = run(capsys, "build", "-v", "--publish-private", *targets(), *addresses.values())
    said = {"build": out + err}
    assert status == 0, err
    assert err.count("is private") == 1
    about = json.loads((folder / "all.json").read_text("utf-8"))
    assert [one["private"] for one in about["graph"]["sources"]] == [True] * 4
    assert {one["source"] for one in about["graph"]["sources"]} == {f"127.0.0.1:{server.port}"}
    schema = json.loads((files("podgraph.output") / "schemas/podgraph.schema.json").read_text("utf-8"))
    jsonschema.validate(about, schema)
    episodes = [node for node in about["nodes"] if node["kind"] == "episode"]
    assert len(episodes) == 12
    for node in episodes:
        assert node["audio_url"] == node["transcripts"][0] == node["chapters"] == "cdn.example"
        assert node["image"] == "img.example"
        assert node.get("guid", "guid-1") in ("guid-1", "cdn.example")
        assert node["url"] == ("cdn.example" if "kilns" in node["id"] and "url" not in node else "kiln.example")
    for edge in about["edges"]:
        notes = next((node["summary"] for node in episodes if node["id"] == edge["source"]), "")
        quotes = [one for one in edge.get("evidence", ()) if one["field"] == "notes"]
        assert all(notes[one["start"] : one["end"]] == one["quote"] for one in quotes)
    cited = {edge["target"] for edge in about["edges"] if edge["key"] == "cites"}
    assert cited == {"github:clay/kiln#12", "github:clay/kiln#7", "paper:arxiv/1905.12322"}

    # Questions, to both stores
    ids = [node["id"] for node in about["nodes"]]
    questions = [("show", id_) for id_ in ids if id_.startswith(("episode", "podcast"))]
    questions += [words.format(*ids).split() for words in read_rows(__file__, "QUESTIONS")]
    for words in questions:
        for more in ((), ("--json",), ("-v",), ("-g", "all.sqlite")):
            graph = () if "-g" in more else ("-g", "all.json")
            said[" ".join((*words, *more))] = "".join(map(str, run(capsys, *words, *graph, *more)))
    said["export"] = "".join(map(str, run(capsys, "export", "-g", "all.json", "again.gexf", "again.obsidian")))
    status, out, err = run(capsys, "export", "page.html", "-g", "all.json")
    assert status == 0
    said["page"] = out + err
    assert "cdn.example" not in (folder / "page.html").read_text("utf-8").replace("https://cdn.example/…", "")
    said |= {path.name: "".join(text for _, text in contents(path)) for path in folder.iterdir()}
    assert [(name, found) for name, text in said.items() for found in secrets_in(text)] == []

    # What the cache stores is for its owner alone
    cache = folder.parent / "cache"
    kept = [*cache.iterdir()]
    assert len(kept) >= 4
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}
    assert not secrets_in(" ".join(path.name for path in kept))


# What has no addresses of the feed's own, nor its notes.


def test_the_walk_finds_what_a_public_feed_writes(capsys, folder):
    """The same feed, said to be public: formats that write its addresses hold their secrets, so the walk can fail."""
    Path("feed.xml").write_bytes(feed("https://feeds.example" + QUERY, block="Yes"))
    Path("podgraph.toml").write_text("private = false\n", "utf-8")
    status, _, err = run(capsys, "build", *targets(), "feed.xml")
    assert status == 0
    assert "is private" not in err
    found = {path.name: set(secrets_in("".join(text for _, text in contents(path)))) for path in folder.iterdir()}
    assert {name for name, secrets in found.items() if "item one" not in secrets} == {"podgraph.toml"}


def lists(server, port):
    """Return what may go wrong: words of a command, behind which no secret may be printed."""
    page = f'<html><link rel="alternate" type="application/rss+xml" href="{PATH}">'.encode()
    names = ("401", "403", "404", "500", "page", "broken", "empty", "json", "loop", "moved", "cut", "reset", "ftp")
    keyed = {name: server.url(f"/{name}{QUERY}") for name in names}
    for name, script in {
        **{f"/{status}{QUERY}": reply(int(status)) for status in names[:4]},
        f"/page{QUERY}": reply(200, page, Content_Type="text/html"),
        PATH: reply(404),
        f"/broken{QUERY}": reply(200, feed(keyed["broken"])[:900]),
        f"/empty{QUERY}": reply(200, b"<rss><channel><title>x</title></channel></rss>"),
        f"/json{QUERY}": reply(200, b'{"a": '),
        f"/loop{QUERY}": reply(302, Location=f"/loop2{PATH}"),
        f"/loop2{PATH}": reply(302, Location=f"/loop{QUERY}"),
        f"/moved{QUERY}": reply(301, Location=f"/gone{QUERY}"),
        f"/gone{QUERY}": reply(410),
        f"/cut{QUERY}": reply(200, b"abc", Content_Length=99),
        f"/reset{QUERY}": lambda call: call.reset(),
        f"/ftp{QUERY}": reply(302, Location=f"ftp://a.example{QUERY}"),
    }.items():
        server.on(name, script)
    bare, typed = server.url(PATH).removeprefix("http://"), f"https://feeds.example{QUERY}"
    Path("list.txt").write_text(
        f"{typed}\nftp://me:{SECRETS['password']}@feeds.example{QUERY}\n{keyed['404']}\n", "utf-8"
    )
    Path("list.opml").write_text(
        f'<opml><outline xmlUrl="{keyed["404"]}"/><outline xmlUrl="ftp://a.example{QUERY}"/></opml>', "utf-8"
    )
    places = {
        "bare": bare, "typed": typed, "missing": keyed["404"], "broken": keyed["broken"], "query": QUERY, "path": PATH,
        "login": server.url(f"/401{PATH}").replace("//", LOGIN), "port": port,
        "password": SECRETS["password"], "secret": SECRETS["path"],
    }  # fmt: skip
    commands = [words.format(**places).split(" ") for words in read_rows(__file__, "COMMANDS")]
    return [*(("build", address) for address in keyed.values()), ("build", f"https://exa mple.org{QUERY}"), *commands]


def test_no_error_prints_a_secret(capsys, server, folder):
    wrong = {}
    server.on(QUERY, lambda call: call.hold())
    with pytest.raises(SourceError) as raised:  # a timeout
        fetch_url(server.url(QUERY), origin=TYPED, limits=replace(LIMITS, read=0.2, answer=0.3, attempts=1))
    assert secrets_in("".join(traceback.format_exception(raised.value))) == []
    with refusing_port() as port:
        for words in lists(server, port):
            for more in ((), ("-v",), ("--debug",)):
                try:
                    status, out, err = run(capsys, *words, *more)
                except Exception as error:  # noqa: BLE001 - --debug has the traceback printed
                    status, out, err = 2, "", "".join(traceback.format_exception(error))
                    err = "".join(line for line in err.splitlines(keepends=True) if not line.startswith("    "))
                if status not in (0, 1, 2) or not (out or err) or secrets_in(out + err):
                    wrong[" ".join((*words[:1], *more, words[-1]))] = (status, out, err)
    assert not wrong


def test_a_feed_that_wants_a_login_later_is_private_and_the_sample_is_not(capsys, server, folder):
    run(capsys, "build", "-q", "--offline", "-o", "s.json", "sample")
    assert '"private"' not in Path("s.json").read_text("utf-8").partition('"nodes"')[0]
    server.on("/g", reply(401))
    assert "give https://USER:PASSWORD@HOST/" in run(capsys, "build", server.url("/g"))[2]
    server.on("/f", reply(200, feed("")), reply(401))
    assert run(capsys, "build", "-o", "g.json", server.url("/f"))[0] == 0
    assert '"private": true' not in Path("g.json").read_text("utf-8")
    assert run(capsys, "build", "-o", "g.json", server.url("/f"))[0] == 0
    assert '"private": true' in Path("g.json").read_text("utf-8")


def test_transcripts_of_a_private_feed_are_not_fetched(capsys, server, folder):
    server.on("/f", reply(200, feed("", block="Yes")))
    _, _, err = run(capsys, "build", "-o", "g.json", "--transcripts", "feed", server.url("/f"))
    assert "transcripts and chapters of a private feed are not fetched" in err
    assert server.targets == ["/f"]


def test_the_library_tells_no_secret(server, folder, caplog):
    addresses = served(server)
    server.on(f"/bad{QUERY}", reply(404))
    with caplog.at_level(logging.DEBUG):
        graph = podgraph.build(*addresses.values(), server.url(f"/bad{QUERY}"))
    assert secrets_in(repr(graph) + graph._repr_html_() + caplog.text + str(graph.stats().to_dict())) == []
    assert "left out" in caplog.text


def test_a_broken_private_feed_and_a_private_blog(capsys, folder):
    whole = feed(f"https://me:{SECRETS['password']}@feeds.example{PATH}?auth={quote(SECRETS['query'])}").decode()
    Path("broken.xml").write_text(whole.replace("Glazes", "Glazes & <b>", 1), "utf-8")
    Path("blocked.xml").write_text(ORDINARY.format("Kiln", "YES", "no").replace("One<", "One & <b><"), "utf-8")
    post = {"id": f"https://blog.example/{SECRETS['page']}", "url": f"https://blog.example/?token={SECRETS['item two']}",
            "content_text": f"see {SECRETS['item two']}", "title": "A post"}  # fmt: skip
    blog = {"version": "https://jsonfeed.org/version/1.1", "feed_url": f"https://blog.example{PATH}", "items": [post]}
    Path("blog.json").write_text(json.dumps(blog), "utf-8")
    for name in ("broken.xml", "blocked.xml", "blog.json"):
        _, out, err = run(capsys, "build", "-v", "-o", "g.json", "-o", "g.html", "--force", name)
        assert err.count("is private") == 1, err
        assert secrets_in(out + err + Path("g.json").read_text("utf-8") + Path("g.html").read_text("utf-8")) == [], name


# What is private, and what is not

ADDRESSES = {address: is_private == "private" for is_private, address in read_table(__file__, "private_addresses.txt")}


def test_which_addresses_are_private(capsys, server, folder):
    for number, target in enumerate(ADDRESSES):
        server.on(target.partition("#")[0], reply(200, ORDINARY.format(f"Show {number}", "No", "no").encode()))
    assert run(capsys, "build", "-q", "-o", "g.json", *map(server.url, ADDRESSES))[0] == 0
    about = json.loads(Path("g.json").read_text("utf-8"))
    private = {int(one["title"].removeprefix("Show ")) for one in about["graph"]["sources"] if one.get("private")}
    assert {target: number in private for number, target in enumerate(ADDRESSES)} == ADDRESSES
    public = [node for node in about["nodes"] if node.get("audio_url", "").startswith("https://op3.dev/")]
    assert len(public) == list(ADDRESSES.values()).count(False)
    assert all("Signature=aB3dEf6hIj" in node["audio_url"] and node["guid"].startswith("1c6f") for node in public)


@pytest.mark.parametrize(
    ("block", "of_item", "settings", "private"),
    [
        ("Yes", "no", "", True), (" yes ", "no", "", True), ("YES", "no", "", True), ("No", "Yes", "", False), ("", "", "", False),
        ("true", "", "", False), ("Yes", "", "private = false", False), ("No", "", "private = true", True),
    ],
)  # fmt: skip
def test_which_feeds_are_private(capsys, folder, block, of_item, settings, private):
    Path("feed.xml").write_text(ORDINARY.format("Kiln hours", block, of_item), "utf-8")
    Path("podgraph.toml").write_text(settings, "utf-8")
    _, _, err = run(capsys, "build", "-o", "g.json", "feed.xml")
    assert ("is private" in err) == private
    assert ('"private": true' in Path("g.json").read_text("utf-8")) == private


# Publishing


def test_init_refuses_private_feeds(capsys, server, folder):
    Path("feed.xml").write_bytes(feed("", block="Yes"))
    server.on("/f", reply(200, feed("", block="Yes")))
    run(capsys, "build", "-q", "-o", "../g.json", server.url("/f"))
    for source in ("feed.xml", server.url("/f"), server.url(QUERY), server.url("/x").replace("//", LOGIN)):
        status, out, err = run(capsys, "init", source)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "is private" in err
        assert "--publish-private" in err
        assert secrets_in(err) == []
        assert [path.name for path in folder.iterdir()] == ["feed.xml"]
    assert run(capsys, "init", "-q", "--publish", "none", "feed.xml")[0] == 0
    assert run(capsys, "init", "-q", "--force", "https://feeds.example/rss")[0] == 0
    assert "podgraph build --quiet -o site/ " in Path(".github/workflows/podgraph.yml").read_text("utf-8")
    status, out, err = run(capsys, "build", "--quiet", "-o", "site/", "-o", "site/podgraph.json", "feed.xml")
    assert (status, out, Path("site").exists()) == (2, "", False)
    assert "is private" in err.splitlines()[-1]


def test_init_publishes_private_feeds_when_it_is_said(capsys, server, folder):
    status, _, err = run(capsys, "init", "--publish-private", server.url(QUERY))
    assert status == 0
    workflow, settings = (Path(name).read_text("utf-8") for name in (".github/workflows/podgraph.yml", "podgraph.toml"))
    assert secrets_in(workflow + settings + err) == []
    assert "sources" not in tomllib.loads(settings)
    assert "PODGRAPH_FEEDS: ${{ secrets.PODGRAPH_FEEDS }}" in workflow
    assert "podgraph build --quiet --publish-private " in workflow
    assert "a secret PODGRAPH_FEEDS" in err


def test_a_playlist_has_public_episodes_alone_and_says_why(capsys, server, folder):
    run(capsys, "build", "-q", "-o", "p.json", server.on("/f", reply(200, feed("", block="yes"))).url("/f"))
    for form in ("m3u8", "rss"):
        status, out, err = run(capsys, "list", "episodes", "-g", "p.json", "-o", f"x.{form}")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "its feed is private" in err
        assert not Path(f"x.{form}").exists()
    Path("private.xml").write_bytes(feed("", block="Yes"))
    Path("public.xml").write_text(ORDINARY.format("Public", "no", "no"), "utf-8")
    run(capsys, "build", "-q", "-o", "g.json", "private.xml", "public.xml")
    status, _, err = run(capsys, "list", "episodes", "-g", "g.json", "-o", "x.m3u8")
    assert status == 0
    assert "3 left out whose sound is not known" in err
    assert main(["export", "-q", "-g", "g.json", "page.html"]) == 0
