"""Shows whose notes repeat a template: each cited artifact counts, and only what the show repeats is boilerplate."""

import json
import logging
from pathlib import Path

import pytest

import podgraph
from tests.output.running import run
from tests.tables import read_rows, read_toml

COUNT = 24
PULL = "https://github.com/simonw/datasette/pull/{}"
# A sponsor's counted link and a call, which every episode of each show has.
FOOTER = "<p>Today's sponsor counts: https://sponsor.example/?c={n}</p><p>Support us: https://till.example/us</p>"
REPEATED = [f"web:sponsor.example?c={n}" for n in range(1, COUNT + 1)] + ["web:till.example/us"]
TABLES = read_toml(__file__, "template_notes.toml")


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
    for name, row in TABLES["forms"].items():
        template, address = row["notes"], row["address"]
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


def test_what_is_boilerplate(built):
    wrong = []
    for name, row in TABLES["added"].items():
        addition, episodes, target = row["notes"], row["episodes"], row["target"]
        bodies = (f"Pattern {n:b}. {addition.format(n=n) if n in episodes else ''}" for n in range(1, BACKLOG + 1))
        edges = built(feed(*bodies)).networkx().edges(keys=True, data=True)
        found = {
            n for n in range(1, BACKLOG + 1) for source, goal, _, data in edges
            if goal == target.format(n=n) and source.endswith(f"/cloth-{n}") and data.get("boilerplate")
        }  # fmt: skip
        named = [goal for _, goal, *_ in edges if goal in {target.format(n=n) for n in episodes}]
        if found != {*row["boilerplate"]} or not named:
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
            built(show(*TABLES["forms"]["a labelled line"].values(), footer=footer))
        mostly[links] = [line for line in caplog.messages if "citations are boilerplate" in line]
    assert [line[:37] for line in mostly["mostly boilerplate"]] == ["48 of 72 citations are boilerplate; `"]
    assert mostly["half of it"] == []


MILL = read_rows(__file__, "MILL")


def test_hosts_and_addresses_in_the_settings(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    Path("loom.xml").write_text(feed("<p>" + " ".join(MILL) + "</p>"), "utf-8")
    wrong = []
    for row in TABLES["settings"]:
        text, line = row["settings"], row["line"]
        Path("podgraph.toml").write_text(text, "utf-8")
        status, _, told = run(capsys, "build", "loom.xml", "--offline", "-o", "loom.json")
        edges = json.loads(Path("loom.json").read_text("utf-8"))["edges"]
        marked = [one["evidence"][0]["url"] for one in edges if one.get("boilerplate")]
        if status or {*marked} != {MILL[place] for place in row["marked"]} or f"podgraph: {line}" not in told:
            wrong.append(f"{text}: {marked}, {told}")
    assert not wrong, "\n".join(wrong)


def test_no_quote_is_empty(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = []
    for row in TABLES["quotes"]:
        notes, quote = row["notes"], row["quote"]
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
