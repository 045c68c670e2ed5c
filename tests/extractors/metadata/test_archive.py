"""Archived copies, by a server of our own.

The answers are made from the public documentation, https://archive.org/help/wayback_api.php; none was recorded.
"""

from __future__ import annotations

import json

import pytest

from podgraph.extractors import Fact, Ref
from podgraph.extractors.metadata import archive as module
from podgraph.extractors.metadata import further
from podgraph.extractors.metadata.archive import Archive
from podgraph.extractors.metadata.asked import Found
from podgraph.extractors.sources.budget import Budget
from podgraph.extractors.sources.cache import Cache
from tests.extractors.metadata.test_titles import Clock
from tests.loopback import Loopback, reply

PAGE = Ref("web", "web:kiln.example/glaze", "glaze", "https://kiln.example/glaze?a=1&b=2")
OTHER = Ref("blog", "blog:kiln.example/clay", "clay", "https://kiln.example/clay")
COPY = "20130919044612"


def answer(**changes):
    closest = {"available": True, "url": "http://web.archive.org/x", "timestamp": COPY, "status": "200"} | changes
    return reply(200, json.dumps({"url": PAGE.url, "archived_snapshots": {"closest": closest}}).encode())


NO_COPY = reply(200, json.dumps({"url": PAGE.url, "archived_snapshots": {}}).encode())


@pytest.fixture
def server(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with Loopback() as running:
        monkeypatch.setattr(module, "SERVICE", running.url("/available?url="))
        yield running


@pytest.fixture
def ask(server, tmp_path):
    """Look up some refs; return the address of the copy of each by id, and keep the lines for the user."""
    clock = Clock()

    def look(*refs, day="2013-09-18", offline=False, later=0.0, **more):
        clock.ahead += later
        look.lines = []
        archive = Archive(
            cache=Cache(tmp_path / "cache"), world=clock.world, notify=look.lines.append,
            home=("127.0.0.1", server.port), **more,
        )  # fmt: skip
        found = archive.look_up(refs, {ref.id: day for ref in refs}, offline=offline)
        return {fact.id: dict(fact.attrs)["archived_url"] for fact in found.facts}

    look.clock = clock
    return look


def test_the_copy_nearest_to_the_day_of_the_episode(server, ask):
    server.on("*", answer())
    assert ask(PAGE) == {PAGE.id: f"https://web.archive.org/web/{COPY}/{PAGE.url}"}
    target = "/available?url=https%3A%2F%2Fkiln.example%2Fglaze%3Fa%3D1%26b%3D2&timestamp=20130918"
    assert (server.targets, ask.lines) == ([target], ["asked archive.org for copies of 1 links: 1 found"])
    ask(OTHER, day="")
    assert server.targets[1:] == ["/available?url=https%3A%2F%2Fkiln.example%2Fclay"]


# what the service answers -> there is no copy; whether it counts as an answer
WITHOUT = {
    "none": (NO_COPY, True),
    "of an error page": (answer(status="404"), True),
    "not available": (answer(available=False), True),
    "an address in place of a time": (answer(timestamp="http://x.example/"), True),
    "a time too long": (answer(timestamp=COPY + "0"), True),
    "nonsense": (reply(200, b"nonsense"), False),
    "a list": (reply(200, b"[]"), False),
    "a text": (reply(200, b'{"archived_snapshots": {"closest": "x"}}'), False),
    "deep": (reply(200, b"[" * 100_000), False),
    "500": (reply(500), False),
}


@pytest.mark.parametrize("name", WITHOUT)
def test_no_copy(name, server, ask):
    script, is_answer = WITHOUT[name]
    server.on("*", script)
    assert ask(PAGE) == {}
    server.calls.clear()
    ask(PAGE)
    assert bool(server.calls) is not is_answer


def test_a_copy_stays_and_a_link_without_one_is_asked_for_again_after_a_month(server, ask):
    server.on("*", answer())
    first = ask(PAGE)
    assert ask(PAGE, later=80 * 86400) == first
    assert (len(server.calls), ask.lines) == (1, [])
    ask(PAGE, day="2015-01-01")
    assert len(server.calls) == 2
    server.on("*", NO_COPY)
    ask(OTHER)
    ask(OTHER, later=29 * 86400)
    assert len(server.calls) == 3
    ask(OTHER, later=2 * 86400)
    assert len(server.calls) == 4


def test_without_network_there_is_what_was_kept(server, ask):
    server.on("*", answer())
    first = ask(PAGE)
    assert ask(PAGE, OTHER, offline=True, later=80 * 86400) == first
    assert len(server.calls) == 1


def test_one_question_after_the_other_and_none_after_three_refusals(server, ask):
    server.on("*", reply(404))
    pages = [Ref("web", f"web:x/{n}", "x", f"https://kiln.example/{n}") for n in range(9)]
    assert ask(*pages) == {}
    assert len(server.calls) == 3
    assert ask.lines[-1] == "asked archive.org for copies of 9 links: 0 found; 9 are left for the next time"
    server.on("*", answer())
    before = ask.clock.ahead
    assert len(ask(*pages)) == 9
    assert ask.clock.ahead - before >= 9


def test_a_run_has_an_end(server, ask, monkeypatch):
    monkeypatch.setattr(module, "_MOST", 2)
    server.on("*", answer())
    pages = [Ref("web", f"web:x/{n}", "x", f"https://kiln.example/{n}") for n in range(3)]
    assert len(ask(*pages)) == 2
    assert ask.lines == ["asked archive.org for copies of 2 links: 2 found; 1 are left for the next time"]
    assert len(ask(*pages)) == 3


def test_it_shares_the_time_of_the_other_look_ups(server, ask):
    server.on("*", answer())
    budget = Budget(ask.clock.world, seconds=10)
    assert ask(PAGE, later=11, budget=budget) == {}
    assert (len(server.calls), len(ask.lines)) == (0, 2)


def test_symbols_and_persons_have_no_link(server, ask):
    refs = [Ref("symbol", "symbol:a.b", "a.b", PAGE.url), Ref("person", "person:ann", "ann", OTHER.url)]
    assert ask(*refs, Ref("web", "web:x", "x", "ftp://x")) == {}
    assert not server.calls


def test_links_that_moved_or_are_gone_are_asked_for(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(Archive, "look_up", lambda _, refs, days, **_offline: asked.append((refs, days)) or Found())
    now = [Fact("web:now", (("status", "gone"),)), Fact("web:back", (("status", "ok"),)),
           Fact("github:o/r", (("status", "moved"),), Ref("repo", "github:n/r", "n/r", "https://github.com/n/r"))]  # fmt: skip
    monkeypatch.setattr("podgraph.extractors.metadata.titles.Titles.look_up", lambda *_, **_offline: Found(list(now)))
    names = ("web:now", "web:back", "web:moved", "web:ok", "web:new", "github:o/r")
    refs = [Ref(name.partition(":")[0], name, "x", f"https://x.example/{name}") for name in names]
    states = {"web:moved": "moved", "web:back": "gone", "web:ok": "ok"}
    further.look_further(
        refs, further.want(titles=True, archive=True), states=states, days={"web:now": "2020-01-02"},
        cache=Cache(tmp_path),
    )  # fmt: skip
    ((dead, days),) = asked
    assert ([ref.id for ref in dead], days) == (["web:now", "web:moved"], {"web:now": "2020-01-02"})
