"""A graph from a stranger: what is not a graph, or a damaged one, is one line and status 2, and eats no memory."""

import copy
import itertools
import json
import os
import random
import sqlite3
from contextlib import closing

import pytest

from podgraph.extractors import SourceError
from podgraph.output import opening
from podgraph.output.cli import main
from podgraph.output.formats import write_graph
from podgraph.output.formats.node_link import to_json
from podgraph.output.library import open as open_graph
from tests.tables import read_rows

from .graphs import contract_graph

QUESTIONS = [words.split() for words in read_rows(__file__, "QUESTIONS")]
VALUES = (None, 0, -1, 1.5, True, "", "x", [], [1], {}, {"a": 1}, ["x"], 10**30, [None], [[]])


@pytest.fixture(scope="module")
def data():
    graph = contract_graph()
    graph.graph["generator"] = "podgraph 0"
    return json.loads(to_json(graph))


def mutated(data, chance):
    """Return data with some places of it gone, or of another type."""
    data = copy.deepcopy(data)
    for _ in range(chance.choice((1, 1, 3))):
        place = data
        for _ in range(chance.choice((1, 3, 3, 4, 5))):
            keys = [*place] if isinstance(place, dict) else [*range(len(place))]
            if not keys:
                break
            key = chance.choice(keys)
            if not isinstance(place[key], dict | list) or not place[key]:
                break
            place, above = place[key], place
        else:
            place = above
        if keys and key in (place if isinstance(place, dict) else range(len(place))):
            if chance.random() < 0.35:
                del place[key]
            else:
                place[key] = copy.deepcopy(chance.choice(VALUES))
    return data


@pytest.mark.parametrize("seed", range(12))
def test_a_mutated_graph_is_an_answer_or_one_line(data, seed, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    chance = random.Random(seed)
    for _ in range(10):
        text = json.dumps(mutated(data, chance))
        if chance.random() < 0.1:
            text = text[: chance.randrange(len(text))]
        (tmp_path / "g.json").write_text(text, "utf-8")
        for words in chance.sample(QUESTIONS, 3):
            status = main([*words, "-q", "-g", "g.json"])
            err = capsys.readouterr().err
            assert "should not happen" not in err, (words, text)
            assert status in (0, 1) or (err.startswith("podgraph: g.json: ") and err.count("\n") == 1), (words, err)


@pytest.mark.parametrize("words", ["export p.html", "stats"])
@pytest.mark.parametrize(("number", "name"), [(2, "kind"), (2, "title"), (3, "url"), (1, "id")])
def test_another_type_is_one_line_for_page_and_questions(data, number, name, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for value in (None, {}, ["x"], 1.5):
        changed = copy.deepcopy(data)
        changed["nodes"][number][name] = value
        (tmp_path / "g.json").write_text(json.dumps(changed), "utf-8")
        assert main([*words.split(), "-q", "-g", "g.json"]) == 2
        err = capsys.readouterr().err
        assert (err.startswith("podgraph: g.json: is no"), err.count("\n")) == (True, 1), err


def test_deep_nesting_and_long_numbers_are_one_line_in_plain_words(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    about = '{"graph": {"generator": "podgraph 0", "x": %s}, "nodes": [], "edges": []}'
    for value, told in (
        ("[" * 99_999 + "]" * 99_999, "nested too deeply"),
        ("9" * 5000, "a number of thousands of digits"),
    ):
        (tmp_path / "g.json").write_text(about % value, "utf-8")
        assert main(["stats", "-g", "g.json"]) == 2
        err = capsys.readouterr().err
        assert (told in err, err.count("\n"), "recursion" in err, "Exceeds" in err) == (True, 1, False, False), err
    write_graph(contract_graph(), "g.sqlite")
    with closing(sqlite3.connect("g.sqlite")) as database, database:
        database.execute("UPDATE about SET value = ? WHERE name = 'generator'", ("[" * 99_999,))
    assert main(["stats", "-g", "g.sqlite"]) == 2
    assert "nested too deeply" in capsys.readouterr().err


# An attribute, and the value that all nodes and edges with it get; none: it is taken away.
CHANGES = [
    *(("weight", -1), ("weight", 0), ("weight", 10**400), ("duration", 10**400), ("x", -(10**400)), ("duration", -5)),
    *((name, None) for name in ("label", "title", "kind", "url", "date", "weight", "area")),
    ("evidence", [{}]),
]


@pytest.mark.parametrize(("name", "value"), CHANGES, ids=lambda value: str(value)[:6])
def test_attributes_that_are_far_from_ours_or_lacking_are_an_answer_or_one_line(
    data, name, value, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    changed = copy.deepcopy(data)
    for item in (*changed["nodes"], *changed["edges"]):
        if name in item and value is None:
            del item[name]
        elif name in item:
            item[name] = value
    (tmp_path / "g.json").write_text(json.dumps(changed), "utf-8")
    is_far = isinstance(value, int) and abs(value) > 9
    for words in (*QUESTIONS, ["path", "strides", "vmap"], ["show", "strides"]):
        status, err = main([*words, "-q", "-g", "g.json"]), capsys.readouterr().err
        assert "should not happen" not in err, words
        assert status in (0, 1) or (is_far and err.startswith("podgraph: g.json: is not a graph")), (words, err)


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity"])
def test_what_json_has_no_number_for_is_in_no_answer(text, data, tmp_path, capsys):
    (tmp_path / "g.json").write_text(json.dumps(data).replace('"kind":', f'"mine": {text}, "kind":'), "utf-8")
    for words in (["show", "strides"], ["cites", "vmap"], ["search", "vmap"]):
        assert main([*words, "--json", "-q", "-g", str(tmp_path / "g.json")]) == 0
        told = capsys.readouterr().out
        json.loads(told, parse_constant=pytest.fail)


def test_a_newer_graph_has_a_line_of_its_own(tmp_path, capsys):
    graph = contract_graph()
    names, asked = (("g.json", "g.sqlite"), (["cites", "vmap"], ["export", str(tmp_path / "x.dot")]))
    for name, words in itertools.product(names, asked):
        write_graph(graph, tmp_path / name, force=True)
        if name == "g.sqlite":
            with closing(sqlite3.connect(tmp_path / name)) as database, database:
                database.execute("UPDATE about SET value = '6' WHERE name = 'schema'")
        else:
            text = (tmp_path / name).read_text("utf-8")
            (tmp_path / name).write_text(text.replace('"schema": 5', '"schema": 6', 1), "utf-8")
        assert main([*words, "-g", str(tmp_path / name)]) == 2
        assert "is of a newer podgraph (schema 6; this one reads 5); update podgraph" in capsys.readouterr().err
    graph.graph["schema"] = 1
    write_graph(graph, tmp_path / "h.sqlite")
    with closing(sqlite3.connect(tmp_path / "h.sqlite")) as database:
        database.execute("PRAGMA user_version = 99")
    assert main(["stats", "-g", str(tmp_path / "h.sqlite")]) == 2
    assert "is of another version of podgraph (tables of version 99, not 5)" in capsys.readouterr().err


def test_what_is_larger_than_a_graph_or_without_an_end_is_not_read(tmp_path, monkeypatch, capsys):
    if os.path.exists("/dev/zero"):  # noqa: PTH110
        (tmp_path / "zero.json").symlink_to("/dev/zero")
        assert main(["stats", "-g", str(tmp_path / "zero.json")]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    monkeypatch.setattr(opening, "_MAXIMUM_JSON", 2)
    (tmp_path / "g.json").write_bytes(b"{" + b" " * (3 << 20))
    with pytest.raises(SourceError, match="is larger than 2 MB, the most of JSON"):
        open_graph(tmp_path / "g.json")
