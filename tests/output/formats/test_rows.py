"""Rich attributes as typed columns; hostile ids and texts."""

import re

import networkx
import pytest

from podgraph.output.formats import Rows
from podgraph.output.formats.rows import format_cell
from podgraph.output.formats.shared.texts import clean_text
from podgraph.output.opening import open_store
from tests.output.graphs import HOSTILE_TEXTS, contract_graph, hostile_graph, same, write_into
from tests.tables import read_rows

COLUMNS = [*read_rows(__file__, "COLUMNS"), ([float("nan"), 1.0], "string", ["nan", "1.0"])]


def graph_of(*attributes):
    graph = networkx.MultiDiGraph()
    for place, values in enumerate(attributes):
        graph.add_node(f"n{place}")
        graph.nodes[f"n{place}"].update(values)
    return graph


@pytest.mark.parametrize(("values", "form", "cells"), COLUMNS, ids=repr)
@pytest.mark.parametrize("name", ["a", "number", "aliases"])
def test_a_column_has_one_type(values, form, cells, name):
    if name == "aliases" and form != "list":  # other values are not lists, whatever the type
        return
    rows = Rows(graph_of(*({name: value} for value in values)))
    assert [column.type for column in rows.node_columns] == ([form] if form else [])
    results = [row[name] for _, row in rows.flat_nodes() if row]
    assert (results, [*map(type, results)]) == (cells, [*map(type, cells)])


DATES = read_rows(__file__, "DATES")


@pytest.mark.parametrize(("values", "form", "days", "moments"), DATES)
def test_dates_are_days_and_moments_where_all_are_valid(values, form, days, moments):
    rows = Rows(graph_of(*({"date": value} for value in values)))
    assert rows.node_columns[0].type == form
    nodes = [values for _, values in rows.flat_nodes()]
    assert [format_cell(row["date"]) for row in nodes] == days
    assert [format_cell(row["datetime"]) for row in nodes if "datetime" in row] == moments


@pytest.mark.parametrize(("attributes", "names"), read_rows(__file__, "NAMES"), ids=repr)
def test_names_are_plain_and_differ_in_more_than_case(attributes, names):
    assert sorted(column.name for column in Rows(graph_of(attributes)).node_columns) == sorted(names)


def test_ids_stay_apart_and_edges_follow():
    graph = hostile_graph()
    graph.add_edges_from([("a\u202eb", "ab", "cites"), ("a\x9bb", "a\u202eb", "cites"), ("\u202e", "a\x9bb", "\u202e")])
    rows = Rows(graph)
    ids = [id_ for id_, _ in rows.flat_nodes()]
    assert len(set(ids)) == len(graph)
    assert {"ab", "ab~2", "ab~3", "_"} <= set(ids)
    edges = [edge[:3] for edge in rows.flat_edges()]
    assert len(edges) == graph.number_of_edges()
    assert all({source, target} <= set(ids) for source, target, _ in edges)


@pytest.mark.parametrize("text", HOSTILE_TEXTS.values(), ids=HOSTILE_TEXTS)
def test_cleaning_leaves_only_characters_of_xml(text):
    result = clean_text(text)
    assert re.fullmatch("[\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*", result)
    assert clean_text(result) == result


@pytest.mark.parametrize("suffix", [".json", ".sqlite"])
def test_a_graph_comes_back_whole(tmp_path, suffix, sample):
    for graph in (sample, contract_graph()):
        with open_store(write_into(graph, tmp_path, suffix)) as store:
            same(store.to_networkx(), graph)
