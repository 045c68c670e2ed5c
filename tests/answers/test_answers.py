"""Every shared question has the answer that a person judged right, from the library and from the command alike."""

import json

import pytest

import podgraph
from podgraph.graph import Orders, View, lay_out, resolve_reference, saved_places
from podgraph.output.cli import main
from podgraph.output.formats import write_graph
from podgraph.output.page.content import build_node_rows
from tests.answers.shared import SHOWS, graph, questions, table

FILES = {"snapshot": "snapshot.json", "kiln": "kiln.sqlite"}  # the answers are those of either format


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("answers")
    for show in SHOWS:
        write_graph(graph(show), folder / FILES[show])
    return folder


@pytest.fixture(scope="module")
def shows(folder):
    return {show: podgraph.open(folder / FILES[show]) for show in SHOWS}


@pytest.mark.parametrize(("show", "query", "id_"), questions("refs"))
def test_a_reference_means_one_thing(shows, show, query, id_):
    assert shows[show].cites(query).id == id_


@pytest.mark.parametrize("show", SHOWS)
def test_every_spelling_of_a_reference(shows, folder, capsys, show):
    """Library and command find what is cited, and only that; the browser tests ask the page for the same rows."""
    wrong = []
    for text, id_ in table(show, "spellings"):
        answer = shows[show].cites(text)
        status = main(["cites", text, "-q", "--json", "-g", str(folder / FILES[show])])
        output = json.loads(capsys.readouterr().out)
        answers = {answer.id if answer else "", output["id"] if output["rows"] else ""}
        if answers != {id_} or status != (0 if id_ else 1):
            wrong.append((text, id_, answers, status))
    assert wrong == []
    assert main(["cites", text, "-g", str(folder / FILES[show])]) == 1
    assert capsys.readouterr().err.startswith("podgraph: nothing cites")


def test_a_person_is_found_by_login(tmp_path, capsys):
    feed = tmp_path / "feed.xml"
    feed.write_text(
        "<rss version='2.0'><channel><title>PyTorch at work</title><item><title>Hooks in PyTorch</title>"
        "<description>With Brian Hirsh of the PyTorch team.</description>"
        "<enclosure url='https://example.org/a.mp3' type='audio/mpeg'/></item></channel></rss>",
        "utf-8",
    )
    assert main(["build", str(feed), "-q", "-o", str(tmp_path / "graph.json")]) == 0
    for login in ("bdhirsh", "@bdhirsh", "BDHirsh", "https://github.com/bdhirsh"):
        assert main(["cites", login, "-g", str(tmp_path / "graph.json")]) == 0, login
        assert "Hooks in PyTorch" in capsys.readouterr().out, login


# Kinds whose labels may mean something else first: what that is, by the beginning of its id.
SHARED_LABELS = {
    "docs": ("symbol:", "topic:", "docs:"),  # the page of a symbol is called as the symbol, or what it is about
    "topic": ("symbol:", "github:", "topic:"),  # `DataLoader` is the class, `c10` the folder
    "symbol": ("github:", "symbol:"),  # `torchgen` is the folder, with the package in it
}


@pytest.mark.parametrize("show", SHOWS)
def test_what_is_printed_can_be_asked(shows, show):
    """The label of every node leads to it in ``cites`` and ``show``, so that whoever copies it is not told no."""
    view = View.from_networkx(graph(show))
    for node in shows[show].nodes():
        id_, kind = node.id, node["kind"]
        instead = SHARED_LABELS.get(kind, ())
        if kind not in ("episode", "podcast"):  # no REF, but what `show` names
            ids = resolve_reference(node["label"], view).nodes
            assert id_ in ids or (instead and ids[0].startswith(instead)), node["label"]
            instead = (*instead, "episode:", "podcast:")  # these go first where they are called so
        answer = shows[show].show(node.get("title", node["label"]) if kind == "episode" else node["label"])
        assert answer.id == id_ or (instead and answer.id.startswith(instead)), node["label"]


@pytest.mark.parametrize(("show", "text", "first"), [row for row in questions("searches") if row[2]])
def test_what_a_search_finds_first(shows, show, text, first):
    assert shows[show].search(text)[0].id == first


@pytest.mark.parametrize(("show", "text", "first"), questions("explained"))
def test_what_explains_a_thing_first(shows, show, text, first):
    text = text if ":\\src" in text else text.replace("\\n", "\n")
    rows = [row for row in shows[show].explain(text) if row.relation in (None, "about")]
    assert (rows[0].id.rpartition("/")[2] if rows else "") in first.split("|")
    assert all(row.reasons for row in rows)


@pytest.mark.parametrize("show", SHOWS)
def test_the_page_s_listening_orders_are_the_library_s(show):
    orders = Orders(View.from_networkx(graph(show)))
    rows = build_node_rows(graph(show), orders, lay_out(graph(show), saved_places(graph(show))), str)
    for row in rows:
        if row["kind"] == "episode":
            before_it = [(rows[number]["key"], reason) for number, reason in row.get("before", ())]
            steps = orders.build_episode_order(row["key"])[:-1]
            assert before_it == [(step.id, step.reason) for step in steps], row["key"]
    assert any("before" in row for row in rows)


@pytest.mark.parametrize(("show", "query", "id_"), questions("typos"))
def test_a_slip_of_one_letter_is_forgiven(shows, show, query, id_):
    assert id_ in [one.id for one in shows[show].search(query, n=2)]
