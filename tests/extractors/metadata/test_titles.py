"""Titles from pages and services, by a server of our own."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from podgraph.extractors import Ref, SourceError
from podgraph.extractors.metadata import titles as module
from podgraph.extractors.metadata.titles import Titles
from podgraph.extractors.sources.cache import Cache
from tests.loopback import Clock, Loopback, reply
from tests.tables import read_rows, read_toml

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _services(server, monkeypatch):
    for name in module.SERVICES:
        service = name.split(":")[1].strip("/").replace("doi", "crossref")
        monkeypatch.setitem(module.SERVICES, name, server.url(f"/{service}/"))


@pytest.fixture
def ask(server, tmp_path):
    """Look up some refs; return what is said of each by id, and keep the lines that were told."""
    clock = Clock()

    def look(*refs, offline=False, later=0.0):
        clock.seconds += later
        lines.clear()
        look.lines = lines
        world = clock.world()
        titles = Titles(
            cache=Cache(tmp_path / "cache"), world=world, notify=lines.append, home=("127.0.0.1", server.port)
        )
        return {fact.id: dict(fact.attrs) for fact in titles.look_up(refs, offline=offline).facts}

    lines = []
    look.clock = clock
    return look


def web(server, path="/page", kind="web"):
    return Ref(kind, f"{kind}:x{path}", "x", server.url(path))


TABLES = read_toml(__file__, "titles.toml")


@pytest.mark.parametrize(
    "row", [*TABLES["pages"], {"page": "<" * 10_000, "status": "ok"}], ids=lambda row: row["page"][:30]
)
def test_a_page(row, server, ask):
    page = row.pop("page")
    server.on("/page", reply(200, page.encode(), Content_Type="text/html; charset=utf-8"))
    assert ask(web(server)) == {"web:x/page": row}


@pytest.mark.parametrize(("answer", "said"), read_rows(__file__, "ANSWERS"))
def test_an_answer(answer, said, server, ask):
    server.on("/page", reply(**answer)).on("/other", reply(200, b"<title>Other</title>"))
    found = ask(web(server)).get("web:x/page")
    if found and "current_url" in found:
        found["current_url"] = found["current_url"].removeprefix(server.url(""))
    assert found == said


@pytest.mark.parametrize("row", TABLES["services"], ids=lambda row: row["id"])
def test_a_service(row, server, ask):
    server.on(row["target"], reply(200, row["answer"].encode()))
    assert ask(Ref(row["id"].partition(":")[0], row["id"], "x", row["url"])) == {row["id"]: row["said"]}


def test_a_page_is_asked_once_a_month(server, ask):
    server.on("/page", reply(200, b"<title>A</title>"))
    first = ask(web(server))
    assert ask.lines == ["asked 1 addresses for titles: 1 answered"]
    assert ask(web(server), later=29 * 86400) == first
    assert (len(server.calls), ask.lines) == (1, [])
    ask(web(server), later=2 * 86400)
    assert len(server.calls) == 2


def test_without_network_there_is_what_was_asked(server, ask):
    server.on("/page", reply(200, b"<title>A</title>"))
    first = ask(web(server))
    assert ask(web(server), web(server, "/other"), offline=True, later=90 * 86400) == first
    assert len(server.calls) == 1


def test_nothing_inside_is_asked(tmp_path):
    with Loopback() as server:
        clock = Clock()
        titles = Titles(cache=Cache(tmp_path), world=clock.world(), notify=lambda _: None)
        assert not titles.look_up([web(server)], offline=False).facts
        assert not server.calls


def test_one_host_is_asked_one_after_the_other(server, ask):
    server.on("*", reply(200, b"<title>A</title>"))
    assert len(ask(*(web(server, f"/{n}") for n in range(5)))) == 5
    assert ask.clock.seconds >= 2.0


def test_slow_hosts_share_their_time(server, tmp_path):
    clock, lines, asked = Clock(), [], []

    def slow(url, **known):
        known["budget"].take(0)
        asked.append(url)
        clock.seconds += 20
        raise SourceError("does not answer")

    titles = Titles(cache=Cache(tmp_path), world=clock.world(), notify=lines.append)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "fetch_url", slow)
        titles.look_up([Ref("web", f"web:x/{n}", "x", f"https://h{n}.example/") for n in range(200)], offline=False)
    assert len(asked) < 60
    assert sum("take more than 10 minutes" in line for line in lines) == 1
