"""Titles from pages and services, by a server of our own."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from podgraph.extractors import Ref, SourceError
from podgraph.extractors.metadata import titles as module
from podgraph.extractors.metadata.titles import Titles
from podgraph.extractors.sources.cache import Cache
from tests.loopback import Clock, Loopback, reply

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


# a page -> what is said of it
PAGES = {
    "<title>A page</title>": {"title": "A page", "status": "ok"},
    "<TITLE lang=en>A\n  page &amp; more</TITLE>": {"title": "A page & more", "status": "ok"},
    "<title>Site</title><meta property='og:title' content='The post'>": {"title": "The post", "status": "ok"},
    "<meta content=\"The 'post'\" name=og:title><title>x</title>": {"title": "The 'post'", "status": "ok"},
    "<meta property=og:title content='YouTube'><title>A talk</title>": {"title": "A talk", "status": "ok"},
    "<title>torch.vmap — PyTorch 2.7 documentation</title>": {"title": "torch.vmap", "status": "ok"},
    "<title>Just a moment...</title>": {"status": "ok"},
    "<title>Sign in</title>": {"status": "ok"},
    "<title>404: nothing here</title>": {"status": "gone"},
    "<title>Page not found - Site</title>": {"status": "gone"},
    "<title>404 ways to say it</title>": {"title": "404 ways to say it", "status": "ok"},
    "<svg><title>icon</title></svg>": {"title": "icon", "status": "ok"},
    "<title>Real</title><svg><title>icon</title></svg>": {"title": "Real", "status": "ok"},
    "no markup": {"status": "ok"},
    "<title>A</title><meta property='article:published_time' content='2021-01-02T03:04:05Z'>": {
        "title": "A",
        "date": "2021-01-02T03:04:05+00:00",
        "status": "ok",
    },
    "<title>\x1b[2J\u202eA</title>": {"title": "[2JA", "status": "ok"},
    "<title>never closed": {"title": "never closed", "status": "ok"},
    "<" * 10_000: {"status": "ok"},
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page[:30])
def test_a_page(page, server, ask):
    server.on("/page", reply(200, page.encode(), Content_Type="text/html; charset=utf-8"))
    assert ask(web(server)) == {"web:x/page": PAGES[page]}


# what a server answers -> what is said of the page
ANSWERS = {
    "404": (reply(404), {"status": "gone"}),
    "410": (reply(410), {"status": "gone"}),
    "403": (reply(403), None),
    "500": (reply(500), None),
    "empty": (reply(200), None),
    "for a while elsewhere": (reply(302, Location="/other"), {"title": "Other", "status": "ok"}),
    "for good elsewhere": (reply(301, Location="/other"), {"title": "Other", "status": "moved", "current_url": "/other"}),
    "in another charset": (reply(200, "<title>Über</title>".encode("latin-1"), Content_Type="text/html; charset=ISO-8859-1"), {"title": "Über", "status": "ok"}),
    "inside": (reply(302, Location="http://127.0.0.2:1/"), None),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer(name, server, ask):
    script, said = ANSWERS[name]
    server.on("/page", script).on("/other", reply(200, b"<title>Other</title>"))
    found = ask(web(server)).get("web:x/page")
    if found and "current_url" in found:
        found["current_url"] = found["current_url"].removeprefix(server.url(""))
    assert found == said


CROSSREF = {"message": {"title": ["A &amp; B"], "author": [{"given": "Ann", "family": "E"}] * 4}}
# the id and the address of an artifact -> what is asked of our server, what it answers, what is said
SERVICES = {
    ("paper:doi/10.1/a(b)", "https://doi.org/10.1/a(b)"): ("/crossref/10.1/a%28b%29", CROSSREF, {"title": "A & B", "author": "Ann E, Ann E, Ann E and others", "status": "ok"}),
    ("paper:arxiv/1905.12322", "https://arxiv.org/abs/1905.12322"): ("/arxiv/1905.12322", "<meta name=og:title content=A><meta name=citation_author content='E, Ann'><meta name=citation_date content=2019/05/29>", {"title": "A", "author": "Ann E", "date": "2019-05-29T00:00:00+00:00", "status": "ok"}),
    ("video:youtube/abc", "https://www.youtube.com/watch?v=abc"): ("/youtube/https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3Dabc", {"title": "A talk", "author_name": "Ann"}, {"title": "A talk", "author": "Ann", "status": "ok"}),
}  # fmt: skip


@pytest.mark.parametrize(("id_", "url"), SERVICES)
def test_a_service(id_, url, server, ask):
    target, answer, said = SERVICES[id_, url]
    server.on(target, reply(200, (answer if isinstance(answer, str) else json.dumps(answer)).encode()))
    assert ask(Ref(id_.partition(":")[0], id_, "x", url)) == {id_: said}


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
