"""``import podgraph`` as notebooks use it."""

import builtins
import json

import networkx
import pytest

import podgraph
from podgraph import SourceError
from podgraph.graph import saved_places
from podgraph.output import pipeline
from tests.tables import read_table


@pytest.fixture(scope="module")
def g():
    return podgraph.sample()


NAMES = vars(podgraph) | vars(builtins) | {"json": json, "networkx": networkx, "podgraph": podgraph}


@pytest.mark.parametrize(("cell", "value"), read_table(__file__, "cells.txt"))
def test_a_cell(g, cell, value):
    if any(word in cell for word in (".tail(", "to_csv", "to_df", "str.contains", "value_counts", "> 5")):
        pytest.importorskip("pandas", reason="no pandas: pip install pandas")
    assert eval(cell, NAMES | {"g": g}) == eval(value)


@pytest.mark.parametrize(("cell", "error", "message"), read_table(__file__, "wrong_cells.txt"))
def test_a_mistake_names_the_right_word(g, cell, error, message):
    with pytest.raises(eval(error, NAMES), match=message):
        eval(cell, NAMES | {"g": g})


def test_pandas_gets_dates(g):
    pytest.importorskip("pandas", reason="no pandas: pip install pandas")
    frame = g.list("episodes").to_pandas()
    assert str(frame["date"].dtype).startswith("datetime64")
    assert (len(frame), frame["title"].notna().all()) == (83, True)


def test_a_notebook_shows_tables(g):
    html = g.list("episodes", n=2)._repr_html_()
    assert html.count("<tr>") == 3
    assert "83" in g._repr_html_()
    assert g.page()._repr_html_().startswith("<iframe")


def test_files_open_again(g, tmp_path):
    for name in ("g.sqlite", "g.json"):
        (path,) = g.export(tmp_path / name)
        with podgraph.open(path) as again:
            assert again.cites("#130935").to_dict() == g.cites("#130935").to_dict()
            assert networkx.utils.graphs_equal(again.networkx(), g.networkx())
    assert json.loads((tmp_path / "g.json").read_text("utf-8"))["graph"]["schema"]


def test_a_part_is_exported(g, tmp_path):
    g.export(tmp_path / "part.json", focus="vmap", hops=1)
    part = podgraph.open(tmp_path / "part.json")
    assert 2 < len(part) < len(g)
    assert "topic:vmap" in part


def test_a_closed_graph_says_so(g, tmp_path):
    g.export(tmp_path / "g.sqlite")
    with podgraph.open(tmp_path / "g.sqlite") as opened:
        pass
    with pytest.raises(SourceError, match="closed"):
        opened.stats()
    assert "closed" in repr(opened)


def test_the_shipped_graph_has_the_places_of_a_build(g):
    assert saved_places(pipeline.snapshot_graph()) == saved_places(g.networkx())
