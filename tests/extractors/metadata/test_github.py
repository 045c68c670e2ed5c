"""What GitHub says, by a server of our own: titles, states, files, moves; how often it is asked, and what is kept."""

from __future__ import annotations

from datetime import datetime

import pytest

from podgraph.extractors import choose_look_ups, identify, look_up_metadata
from podgraph.extractors.sources.cache import Cache
from podgraph.extractors.sources.connection import World
from tests.extractors.metadata.made_github import TOKEN, MadeGitHub, pull, talk

DAY = "2026-11-20T11:00:00+00:00"
WORLD = World(now=lambda: datetime.fromisoformat(DAY))


@pytest.fixture(autouse=True)
def _environment(monkeypatch, server):
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    monkeypatch.setenv("GITHUB_API_URL", server.url(""))


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "cache")


def ref(path):
    return identify(f"https://github.com/{path}")[1]


def ask(made, server, cache, *paths, offline=False, told=None):
    """Return attributes by id (`_ref`: what it turned out to be), and edges as (source, relation, target)."""
    server.on("*", made)
    lines = [] if told is None else told
    found = look_up_metadata(
        [ref(path) for path in paths],
        choose_look_ups(online=True, offline=offline),
        cache=cache,
        notify=lines.append,
        world=WORLD,
    )
    facts = {
        fact.id: dict(fact.attrs) | ({"_ref": fact.ref.id} if fact.ref and fact.ref.id != fact.id else {})
        for fact in found.facts
    }
    assert {fact.looked_up for fact in found.facts if fact.looked_up[0]} <= {("127.0.0.1", DAY)}
    return facts, {(edge.source.id, edge.relation, edge.target.id) for edge in found.edges}


def test_everything_there_is_to_know(server, cache):
    made = MadeGitHub({
        "o/r#1": pull(), "o/r#2": talk("Issue", 2, state="CLOSED"), "o/r#3": talk(number=3, isDraft=True),
        "o/r/discussions/4": talk("Discussion", 4), "o/r": {"__typename": "Repository", "nameWithOwner": "O/R", "description": "It does"},
        "o/r@abcdef1": {"__typename": "Commit", "oid": "abcdef1" + "0" * 33, "messageHeadline": "Fix it", "committedDate": "2024-02-03T04:05:06Z", "author": {"name": "Ann E", "user": {"login": "ann"}}},
        "o/r:a/b.py": {"__typename": "Blob"}, "o/r:a": {"__typename": "Tree"},
    })  # fmt: skip
    paths = ["", *"pull/1 pull/2 pull/3 discussions/4 commit/abcdef1 blob/main/a/b.py blob/main/gone.py".split()]
    facts, edges = ask(made, server, cache, *(f"o/r/{path}" for path in paths))
    assert facts["github:o/r#1"] == {
        "title": "Title of 1", "state": "merged", "author": "Ann", "date": "2024-02-03T04:05:06+00:00", "files": 2, "status": "ok"
    }  # fmt: skip
    assert facts["github:o/r#2"]["state"] == "closed"
    assert facts["github:o/r#3"]["state"] == "draft"
    assert facts["github:o/r/discussions/4"]["title"] == "Title of 4"
    assert facts["github:o/r@abcdef1"]["_ref"] == "github:o/r@abcdef1" + "0" * 33
    assert facts["github:o/r"] == {"description": "It does", "status": "ok"}
    assert facts["github:o/r:a/b.py"] == {"status": "ok"}
    assert facts["github:o/r:gone.py"] == {"status": "gone"}
    assert edges >= {
        ("github:o/r#1", "touches", "github:o/r:src/f0.py"), ("github:o/r#1", "closes", "github:o/r#900"),
        ("github:o/r#1", "authored_by", "person:ann"), ("github:o/r#1", "landed_as", "github:o/r@" + "a" * 40),
    }  # fmt: skip
    assert len(made.asked) == 1


def test_without_network_there_is_what_was_looked_up(server, cache):
    made = MadeGitHub({"o/r#1": pull()})
    first = ask(made, server, cache, "o/r/pull/1")
    server.calls.clear()
    lines = []
    assert ask(made, server, cache, "o/r/pull/1", "o/r/pull/2", offline=True, told=lines) == first
    assert (server.calls, lines) == ([], [])


def test_a_hundred_take_two_requests(server, cache):
    made = MadeGitHub({f"o/r#{n}": pull(n) for n in range(1, 101)})
    facts, _ = ask(made, server, cache, *(f"o/r/pull/{n}" for n in range(1, 101)))
    assert (len(facts), len(server.calls)) == (100, 2)


def test_what_a_clone_has_answered_is_not_asked(server, cache, tmp_path):
    from tests.extractors.metadata.test_checkout import a_history

    a_history().write(tmp_path / "r")
    made = MadeGitHub({"o/r#1": pull()})
    server.on("*", made)
    refs = [ref("o/r/pull/1"), ref("o/r/blob/main/d/x.py")]
    found = look_up_metadata(refs, choose_look_ups([str(tmp_path / "r")], online=True), cache=cache)
    assert made.asked == [["o/r#1"]]
    assert [dict(fact.attrs).get("title") for fact in found.facts if fact.id == "github:o/r#1"] == [
        "First",
        "Title of 1",
    ]


# What a thing is said to be that it cannot be: nothing is believed of it
LIES = {
    "another number": pull(2), "no title": pull(1, title=None), "no repository": pull(1, repo="nonsense"),
    "a repository with a path": pull(1, repo="../../etc/passwd"), "a number of text": pull(1) | {"number": "1"},
    "a title of numbers": pull(1, title=["x"]), "a list": ["x"], "text": "x", "another kind": {"__typename": "Blob"},
    "an unknown kind": talk("Bot"), "nothing in it": {"__typename": "PullRequest"},
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_not_believed(lie, server, cache):
    facts, edges = ask(MadeGitHub({"o/r#1": LIES[lie]}), server, cache, "o/r/pull/1")
    assert not edges
    assert {name for fact in facts.values() for name in fact} <= {"status"}
