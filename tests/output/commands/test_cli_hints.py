"""Hints of an answer that found nothing: there on a small graph, and never worth a look at the whole of a large one."""

import sqlite3

import pytest

from podgraph.output.cli import main
from podgraph.output.formats import write_graph
from tests.graph.nets import ident, net

HOME = "github:pytorch/pytorch"
SIZES = (2000, 6000)  # files of PyTorch that one episode each cites


def large(files):
    graph = net(*((f"Talk {number}", [], "") for number in range(files)))
    graph.add_node(
        HOME, kind="repo", label="pytorch/pytorch", repo="pytorch/pytorch", url="https://github.com/pytorch/pytorch"
    )
    proof = {
        "field": "notes",
        "start": 0,
        "end": 4,
        "quote": "file",
        "method": "url",
        "extractor": "x",
        "confidence": 1.0,
    }
    for number in range(files):
        path = f"torch/folder{number % 50}/file{number}.cpp"
        place = f"{HOME}:{path}"
        graph.add_node(
            place,
            kind="file",
            label=path,
            path=path,
            repo="pytorch/pytorch",
            url=f"https://github.com/pytorch/pytorch/blob/HEAD/{path}",
        )
        graph.add_edge(ident(f"talk-{number}"), place, "cites", weight=1, evidence=[proof])
        graph.add_edge(place, HOME, "in_repo", weight=1)
    return graph


@pytest.fixture(scope="module")
def graphs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    for size in SIZES:
        write_graph(large(size), folder / f"{size}.sqlite")
    return folder


class Counting(sqlite3.Cursor):
    """A cursor that counts the rows that are read."""

    rows = 0

    def __next__(self):
        row = super().__next__()
        Counting.rows += 1
        return row


class Connection(sqlite3.Connection):
    def execute(self, *query):
        return self.cursor(Counting).execute(*query)


@pytest.mark.parametrize(
    ("query", "found"), [("no/such/file.cpp", 1), ("new/of/a/name", 1), ("torch/folder3/file3.cpp", 0)]
)
def test_what_is_not_there_costs_no_more_in_a_larger_graph(graphs, monkeypatch, capsys, query, found):
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda *given, **options: connect(*given, **options | {"factory": Connection})
    )
    rows = []
    for size in SIZES:
        Counting.rows = 0
        assert main(["cites", query, "-g", str(graphs / f"{size}.sqlite")]) == found
        rows.append(Counting.rows)
    assert 0 < rows[1] <= rows[0] + 100, rows
    assert rows[1] < 20_000


def test_a_hint_on_a_small_graph(sample_file, capsys):
    assert main(["cites", "aten/src/TH/THTensor.cpp", "-g", str(sample_file)]) == 1
    assert "`podgraph where aten/src/TH/THTensor.cpp -g " in capsys.readouterr().err
