"""Graphs that the first edition wrote (of a made-up feed, by its own code) open, and answer every question."""

import gzip
import json
from pathlib import Path

import pytest

import podgraph
from podgraph.output.cli import main

FIRST = Path(__file__).parent / "first_edition"
QUESTIONS = [
    ("cites mill/wheel#12", lambda told: [one["title"] for one in told["episodes"]], ["The water wheel", "Grinding flour"]),
    ("where src/wheel.c", lambda told: "Grinding flour" in [one["title"] for one in told["episodes"]], True),
    ("review src/wheel.c", lambda told: "Grinding flour" in [one["title"] for one in told["episodes"]], True),
    ("search flour", lambda told: told["nodes"][0]["label"], "Grinding flour"),
    ("show 2", lambda told: told["out"]["listen_first"][0]["label"], "Grinding flour"),
    ("list episodes", lambda told: [one["number"] for one in told["nodes"]], [2, 1]),
    ("list papers", lambda told: [one["id"] for one in told["nodes"]], ["paper:arxiv/2401.00001"]),
    ("order", lambda told: [one["title"] for one in told["steps"]], ["Grinding flour", "The water wheel"]),
    ("related 1", lambda told: [one["title"] for one in told["related"]], ["The water wheel"]),
    ("path 1 2", lambda told: told["paths"][0][0]["relation"], "listen_first"),
    ("stats", lambda told: told["kinds"]["episode"], 2),
    ("why 2 |mill/wheel#12", lambda told: "github:mill/wheel#12" in [one.get("id") for one in told["seen"]], True),
]  # fmt: skip


@pytest.fixture(scope="module", params=["json", "graphml"])
def first(request, tmp_path_factory):
    """The graph in one of the files."""
    path = tmp_path_factory.mktemp("first") / f"graph.{request.param}"
    packed = FIRST / f"{path.name}.gz"
    path.write_bytes(gzip.decompress(packed.read_bytes()) if packed.exists() else (FIRST / path.name).read_bytes())
    return path


@pytest.mark.parametrize(("line", "pick", "expected"), QUESTIONS, ids=[row[0] for row in QUESTIONS])
def test_it_answers(first, capsys, line, pick, expected):
    words, _, last = line.partition("|")
    main([*words.split(), *([last] if last else []), "--json", "-g", str(first)])
    out, err = capsys.readouterr()
    assert pick(json.loads(out)) == expected
    assert "Traceback" not in err


@pytest.mark.parametrize("name", ["new.json", "new.sqlite", "new.graphml", "new.gexf", "new.html", "new.md"])
def test_it_is_written_in_today_s_formats(first, tmp_path, name):
    assert main(["export", str(tmp_path / name), "-g", str(first), "-q"]) == 0
    assert "Grinding flour" in (tmp_path / name).read_bytes().decode("utf-8", "replace") or name.endswith(".html")


def test_it_is_the_same_graph(first):
    with podgraph.open(FIRST / "graph.json") as other, podgraph.open(first) as graph:
        assert {id_ for id_, _ in graph.view.nodes()} == {id_ for id_, _ in other.view.nodes()}
        assert not other.diff(graph).added_edges
        assert "Grinding flour" in graph.page().html


def test_its_database_has_to_be_built_again(tmp_path, capsys):
    path = tmp_path / "graph.sqlite"
    path.write_bytes(gzip.decompress((FIRST / "graph.sqlite.gz").read_bytes()))
    assert main(["stats", "-g", str(path)]) == 2
    assert (
        capsys.readouterr().err == f"podgraph: {path}: is of an older podgraph (tables of version 1); build it again\n"
    )
