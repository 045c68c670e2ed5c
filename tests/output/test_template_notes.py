"""Shows whose notes repeat a template: each cited artifact counts, and only what the show repeats is boilerplate."""

import json
import logging
from pathlib import Path

import pytest

import podgraph
from tests.output.running import run

COUNT = 24
PULL = "https://github.com/simonw/datasette/pull/{}"
# A sponsor's counted link and a call, which every episode of each show has.
FOOTER = "<p>Today's sponsor counts: https://sponsor.example/?c={n}</p><p>Support us: https://till.example/us</p>"
REPEATED = [f"web:sponsor.example?c={n}" for n in range(1, COUNT + 1)] + ["web:till.example/us"]
# A template -> the address of what it names; {n} is the number of the episode.
FORMS = {
    "a labelled line": ("<p>Pull request: {url}</p>", PULL),
    "a bare address on its own line": ("<p>{url}</p>", PULL),
    "an item of a list": ("<ul><li><a href='{url}'>Pull request</a></li></ul>", PULL),
    "a block of links": ("<p>Links:</p><ul><li>{url}</li><li>Home: https://loom.example/</li></ul>", PULL),
    "a line of papers": ("<p>Paper: {url}</p>", "https://arxiv.org/abs/2101.{:05}"),
    "an anchor called here": ("<p>The change of today is <a href='{url}'>here</a>.</p>", PULL),
    "an anchor called more": ("<p><a href='{url}'>more</a></p>", PULL),
    "an anchor called link": ("<p>[<a href='{url}'>link</a>]</p>", PULL),
    "an anchor without words": ("<p>The change of today:<a href='{url}'></a></p>", PULL),
    "a call with an artifact": ("<p>Subscribe to the thread and rate us: {url}</p>", PULL),
    "a section of calls with an artifact": ("<h3>Support us</h3><p>Review {url}</p>", PULL),
    "a table": ("<table><tr><td>Video</td><td><a href='{url}'>Watch</a></td></tr></table>", "https://youtu.be/weft{:07}"),
    "a page of documentation": ("<p>Docs: {url}</p>", "https://docs.python.org/3/library/weft{}.html"),
    "a reference in words": ("<p>Closes simonw/datasette#{n}.</p>", PULL),
    "a ticket of an unknown site": ("<p>Ticket: {url}</p>", "https://tracker.example/ticket/{}"),
    "a page of an unknown site": ("<p>Recipe: {url}</p>", "https://bread.example/recipes/loaf-{}/"),
    "two pages behind one path": (
        "<p>News: https://news.example/read?page={n} and https://news.example/read?page={n}b</p>",
        "https://news.example/read?page={}",
    ),
}  # fmt: skip


def feed(*bodies):
    items = "".join(
        f"<item><title>Cloth {n}</title><guid>{n}</guid><pubDate>{1 + n % 28:02} {('Jan', 'Feb', 'Mar')[n // 28]} 2024 06:00:00 +0000"
        f"</pubDate><enclosure url='https://media.example/{n}.mp3' type='audio/mpeg'/>"
        f"<description><![CDATA[{body}]]></description></item>"
        for n, body in enumerate(bodies, 1)
    )  # fmt: skip
    return f"<rss version='2.0'><channel><title>The loom</title>{items}</channel></rss>"


def show(template, address, every=1, footer=FOOTER):
    return feed(*(
        f"<p>Pattern {n:b} of the weavers.</p>"
        + (template.format(url=address.format(n), n=n) if n % every == 0 else "")
        + footer.format(n=n)
        for n in range(1, COUNT + 1)
    ))  # fmt: skip


def cited(graph):
    """Return the targets of citations: target -> whether each of its edges is boilerplate."""
    found = {}
    for _, target, relation, data in graph.networkx().edges(keys=True, data=True):
        if relation == "cites":
            found.setdefault(target, set()).add(data.get("boilerplate", False))
    return found


@pytest.fixture
def built(tmp_path):
    """Build the graph of a feed's text."""

    def build(text):
        (tmp_path / "loom.xml").write_text(text, "utf-8")
        return podgraph.build(tmp_path / "loom.xml", offline=True)

    return build


def test_every_artifact_of_a_template_is_listed(built):
    wrong = []
    for name, (template, address) in FORMS.items():
        for every in (1, 2):  # each episode has the line, or half of them
            graph = built(show(template, address, every))
            marked = cited(graph)
            for n in range(every, COUNT + 1, every):
                answer = graph.cites(address.format(n))
                if [(one.title, bool(one.boilerplate)) for one in answer] != [(f"Cloth {n}", False)]:
                    wrong.append(f"{name}, in 1 of {every}: {address.format(n)} {[one.boilerplate for one in answer]}")
            wrong += [f"{name}, in 1 of {every}: {one} is not marked" for one in REPEATED if marked.get(one) != {True}]
    assert not wrong, "\n".join(wrong)


BACKLOG = 30  # episodes
# What an episode of a show of 30 adds -> the numbers of the episodes that do, the target, those that are boilerplate.
ADDED = {
    "a number ahead of words in a path": (
        "<p>https://vote.example/feedback/{n}/upvote</p>", range(1, 31), "web:vote.example/feedback/{n}/upvote", range(1, 31),
    ),
    "the same number in a third of the episodes": (
        "<p>https://vote.example/feedback/{n}/upvote</p>", range(1, 13), "web:vote.example/feedback/{n}/upvote", [],
    ),
    "one pull request in most": ("<p>https://github.com/o/r/pull/7</p>", range(1, 14), "github:o/r#7", range(1, 14)),
    "one pull request in twelve": ("<p>https://github.com/o/r/pull/7</p>", range(1, 13), "github:o/r#7", []),
    "a page of eight weeks": ("<p>Pans: https://pans.example/</p>", range(4, 12), "web:pans.example", range(4, 12)),
    "a page of seven weeks": ("<p>Pans: https://pans.example/</p>", range(4, 11), "web:pans.example", []),
    "a page of every second week": ("<p>https://pans.example/</p>", range(1, 24, 2), "web:pans.example", []),
    "a guest named below the hosts": (
        "<p>Hosts: Bo Example</p><p>Guests: <a href='https://github.com/annexample'>Ann Example</a></p>",
        [3], "person:annexample", [],
    ),
    "a heading that begins like one": (
        "<h3>Support vectors</h3><p>Explained at https://vectors.example/</p>", [3], "web:vectors.example", [],
    ),
    "an address with a word of calls": (
        "<p>Read https://press.example/newsletter/weft</p>", range(1, 6), "web:press.example/newsletter/weft", [],
    ),
}  # fmt: skip


def test_what_is_boilerplate(built):
    wrong = []
    for name, (addition, episodes, target, expected) in ADDED.items():
        bodies = (f"Pattern {n:b}. {addition.format(n=n) if n in episodes else ''}" for n in range(1, BACKLOG + 1))
        edges = built(feed(*bodies)).networkx().edges(keys=True, data=True)
        found = {
            n for n in range(1, BACKLOG + 1) for source, goal, _, data in edges
            if goal == target.format(n=n) and source.endswith(f"/cloth-{n}") and data.get("boilerplate")
        }  # fmt: skip
        named = [goal for _, goal, *_ in edges if goal in {target.format(n=n) for n in episodes}]
        if found != {*expected} or not named:
            wrong.append(f"{name}: {sorted(found)} of {sorted({*named})}")
    assert not wrong, "\n".join(wrong)


def test_four_episodes_have_no_habits(built):
    graph = built(feed(*(f"Pattern {n}. https://till.example/us" for n in "abcd")))
    assert cited(graph) == {"web:till.example/us": {False}}


def test_a_graph_that_is_mostly_boilerplate_gives_a_warning(built, caplog):
    mostly = {}
    for links, footer in (("mostly boilerplate", FOOTER), ("half of it", FOOTER[: FOOTER.index("<p>Support")])):
        caplog.clear()
        with caplog.at_level(logging.WARNING, "podgraph"):
            built(show(*FORMS["a labelled line"], footer=footer))
        mostly[links] = [line for line in caplog.messages if "citations are boilerplate" in line]
    assert [line[:37] for line in mostly["mostly boilerplate"]] == ["48 of 72 citations are boilerplate; `"]
    assert mostly["half of it"] == []


MILL = (
    "https://mill.example/oats",
    "https://www.mill.example/rye?c=1",
    "https://shop.mill.example/",
    "https://mill.example/oatmeal",
)
# Settings -> the targets that they mark, and the line for the first name.
SETTINGS = [
    ('boilerplate = ["mill.example"]', {0, 1, 3}, "boilerplate = 'mill.example' matches 3 links"),
    ('boilerplate = ["https://mill.example/oats/"]', {0}, "boilerplate = 'https://mill.example/oats/' matches 1 link"),
    ('boilerplate = ["mill.example/rye"]', {1}, "boilerplate = 'mill.example/rye' matches 1 link"),
    ('boilerplate = ["gone.example"]', set(), "the correction boilerplate = 'gone.example' applies to nothing"),
    ('[corrections]\nboilerplate = ["mill.example"]', {0, 1, 3}, "boilerplate = 'mill.example' matches 3 links"),
    ('boilerplate = ["mill.example"]\n[corrections]\nnot_boilerplate = ["mill.example/rye"]', {0, 3}, "boilerplate = "),
]  # fmt: skip


def test_hosts_and_addresses_in_the_settings(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    Path("loom.xml").write_text(feed("<p>" + " ".join(MILL) + "</p>"), "utf-8")
    wrong = []
    for text, expected, line in SETTINGS:
        Path("podgraph.toml").write_text(text, "utf-8")
        status, _, told = run(capsys, "build", "loom.xml", "--offline", "-o", "loom.json")
        edges = json.loads(Path("loom.json").read_text("utf-8"))["edges"]
        marked = [one["evidence"][0]["url"] for one in edges if one.get("boilerplate")]
        if status or {*marked} != {MILL[place] for place in expected} or f"podgraph: {line}" not in told:
            wrong.append(f"{text}: {marked}, {told}")
    assert not wrong, "\n".join(wrong)


# Notes -> the quote of the link to /pull/5
NOTES = {
    '<p>Hello <a href="https://github.com/o/r/pull/5"></a> world.</p>': "https://github.com/o/r/pull/5",
    'Hello<a href="https://github.com/o/r/pull/5"> </a>world': "https://github.com/o/r/pull/5",
    '<a href="https://github.com/o/r/pull/5"></a>': "https://github.com/o/r/pull/5",
    '<p>One</p><p><a href="https://github.com/o/r/pull/5"><img src="a.png"/></a></p><p>Two</p>': "https://github.com/o/r/pull/5",
    '<p>One <a href="https://github.com/o/r/pull/5"><img src="a.png" alt=" "/></a></p>': "https://github.com/o/r/pull/5",
    '<p>One <a href="https://github.com/o/r/pull/5"><img src="a.png" alt="A loom"/></a></p>': "A loom",
    '<p><a href="https://github.com/o/r/pull/5"><p></a></p><a href="https://github.com/o/r/pull/6">x</a>': "https://github.com/o/r/pull/5",
}  # fmt: skip


def test_no_quote_is_empty(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = []
    for notes, quote in NOTES.items():
        Path("feed.xml").write_text(
            "<rss version='2.0'><channel><title>S</title><item><title>One</title><guid>1</guid><enclosure "
            f"url='https://x.example/1.mp3' type='audio/mpeg'/><description><![CDATA[{notes}]]></description></item></channel></rss>",
            "utf-8",
        )
        assert run(capsys, "build", "feed.xml", "--offline", "-q", "-o", "one.json")[0] == 0
        graph = json.loads(Path("one.json").read_text("utf-8"))
        text = next(node["summary"] for node in graph["nodes"] if node["kind"] == "episode")
        found = [one for edge in graph["edges"] for one in edge.get("evidence", ()) if edge["target"] == "github:o/r#5"]
        if [one["quote"] for one in found] != [quote] or text[found[0]["start"] : found[0]["end"]] != quote:
            wrong.append(f"{notes}: {found} in {text!r}")
    assert not wrong, "\n".join(wrong)
