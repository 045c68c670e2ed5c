"""Rich attributes into typed columns."""

import datetime
from functools import reduce

import networkx
import pytest
from hypothesis import given, settings

from podgraph.output.formats.shared.flatten import (
    EDGE_TAKEN,
    NODE_TAKEN,
    clean_text,
    flatten,
    parse_scalar,
    scalar_text,
)
from podgraph.output.formats.shared.plain import plain_attributes
from tests.output.graphs import HOSTILE_TEXTS, contract_graph, flattened, frozen, hostile_graph, same, wild_graphs


def graph_of(*values):
    """Return a graph whose nodes have these values as the attribute ``a``."""
    graph = networkx.MultiDiGraph()
    for place, value in enumerate(values):
        graph.add_node(f"n{place}", a=value)
    return graph


BIG = 2**53 + 1
DEEP = reduce(lambda inner, _: [inner], range(100_000), [])
COLUMNS = [
    # values of the nodes, the column's type, its cells
    (["x", None, "y"], "string", ["x", None, "y"]),
    ([""], "string", [""]),
    ([1, 2], "long", [1, 2]),
    ([BIG], "long", [BIG]),
    ([1, BIG], "long", [1, BIG]),
    ([2**63], "string", ["9223372036854775808"]),
    ([-(2**63) - 1], "string", ["-9223372036854775809"]),
    ([-(2**63)], "long", [-(2**63)]),
    pytest.param([2**9_999], "string", [str(2**9_999)], id="10,000 bits"),
    pytest.param([2**10_000], "string", [hex(2**10_000)], id="10,001 bits"),
    ([0.5, 1e-300], "double", [0.5, 1e-300]),
    ([0.5, 2], "double", [0.5, 2]),
    ([0.5, BIG], "string", ["0.5", str(BIG)]),
    ([True, False], "boolean", [True, False]),
    ([True, 1], "string", ["true", "1"]),
    (["x", 1], "string", ["x", "1"]),
    ([float("nan")], "string", ["NaN"]),
    ([float("inf"), 1.0], "string", ["Infinity", "1.0"]),
    ([["x", "y"], []], "json", ['["x","y"]', "[]"]),
    ([["x"], "x"], "json", ['["x"]', '"x"']),
    ([[1, None]], "json", ["[1,null]"]),
    ([{"b": 1, "a": None}], "json", ['{"b":1}']),
    ([datetime.date(2024, 8, 4)], "string", ["2024-08-04"]),
    pytest.param([{"b", "a"}], "json", ['["a","b"]'], id="a set"),
    ([b"\xffx"], "string", ["\ufffdx"]),
    (["a\0b\x1f"], "string", ["a␀b␟"]),
    (["\ud83d\ude00\ud800"], "string", ["😀\ufffd"]),
    ([["\ud800"]], "json", ['["\ufffd"]']),
    pytest.param([DEEP], "json", ['"(nested too deeply)"'], id="deep"),
    pytest.param([reduce(lambda inner, _: (inner,), range(100_000), ())], "string", ["(nested too deeply)"], id="odd"),
    ([None], None, []),
]


@pytest.mark.parametrize(("values", "form", "cells"), COLUMNS, ids=repr)
def test_a_column_has_one_type(values, form, cells):
    flat = flatten(graph_of(*values))
    assert [column.type for column in flat.node_columns] == ([form] if form else [])
    if form:
        found = [row[0] for _, row in flat.nodes()]
        assert found == cells
        assert list(map(type, found)) == list(map(type, cells))


@pytest.mark.parametrize(("values", "form", "cells"), COLUMNS, ids=repr)
def test_a_cell_can_be_told_from_its_text(values, form, cells):
    for cell in cells:
        if cell is not None and form != "json":
            assert parse_scalar(scalar_text(cell), form) == cell


@pytest.mark.parametrize(("text", "form", "value"), [
    ("x", "string", "x"), ("", "string", ""),
    ("true", "boolean", True), (" FALSE ", "boolean", False), ("1", "boolean", True), ("0", "boolean", False),
    ("yes", "boolean", None),
    ("7", "long", 7), ("-7", "long", -7), ("7.0", "long", None), ("", "long", None),
    ("7", "double", 7), ("7.5", "double", 7.5), (".5", "double", 0.5), ("inf", "double", float("inf")),
    ("[7]", "double", None),
    ('["x"]', "json", ["x"]), ("x", "json", None), ("[" * 100_000, "json", None),
])  # fmt: skip
def test_a_text_becomes_a_value_of_its_column(text, form, value):
    found = parse_scalar(text, form)
    assert (found, type(found)) == (value, type(value))


def test_what_is_nested_too_deeply_is_left_out_and_said():
    assert plain_attributes({"a": DEEP, "label": "x"}) == {"label": "x", "a": "(nested too deeply)"}


def test_lists_of_texts_stay_lists_where_there_are_such():
    flat = flatten(graph_of(["x", "y"], []), lists=True)
    assert flat.node_columns[0].type == "list"
    assert [row for _, row in flat.nodes()] == [(["x", "y"],), ([],)]


NAMES = [
    ({"kind": 1, "url": 2}, ["kind", "url"]),
    ({"id": 1}, ["id_"]),
    ({"ID": 1, "id": 2, "id_": 3}, ["id_", "ID_2", "id__2"]),
    ({"Tag": 1, "tag": 2}, ["Tag", "tag_2"]),
    ({"a b": 1, "a:b": 2, "a\nb": 3}, ["a_b", "a_b_2", "a_b_3"]),
    ({"": 1, "é": 2}, ["_", "__2"]),
    ({5: 1, "5": 2}, ["5", "5_2"]),
    ({"a.b-c_d": 1}, ["a.b-c_d"]),
]


@pytest.mark.parametrize(("attrs", "names"), NAMES, ids=repr)
def test_names_are_plain_and_differ_in_more_than_case(attrs, names):
    graph = networkx.MultiDiGraph()
    graph.add_node("n")
    graph.nodes["n"].update(attrs)
    found = [column.name for column in flatten(graph).node_columns]
    assert sorted(found) == sorted(names)


@pytest.mark.parametrize("name", ["kind", "label", "title", "url", "date", "x", "y", "weight", "evidence"])
def test_the_contracts_names_are_never_changed(name):
    assert name not in NODE_TAKEN
    assert name in {"kind", "label"} or name not in EDGE_TAKEN


def test_a_graph_of_the_contract_is_not_changed():
    same(flattened(contract_graph()), contract_graph())


def test_the_snapshot_is_not_changed(sample):
    same(flattened(sample), sample)


def test_ids_stay_apart_and_point_to_their_edges():
    graph = hostile_graph()
    flat = flatten(graph)
    assert len(set(flat.ids.values())) == len(graph)
    known = set(flat.ids.values())
    edges = [edge[:3] for edge in flat.edges()]
    assert len(set(edges)) == len(edges) == graph.number_of_edges()
    assert all(source in known and target in known for source, target, _ in edges)


def test_relations_between_two_nodes_stay_apart():
    graph = networkx.MultiDiGraph()
    for key in ("7", 7, "", "\0", "cites"):
        graph.add_edge("a", "b", key)
    assert flatten(graph).relations() == ["7", "7~2", "_", "cites", "␀"]


@settings(max_examples=50)
@given(wild_graphs())
def test_flattening_twice_is_flattening_once(graph):
    same(flattened(flattened(graph)), flattened(graph))


@settings(max_examples=50)
@given(wild_graphs())
def test_the_graph_itself_is_left_alone(graph):
    before = frozen(graph)
    flattened(graph)
    assert frozen(graph) == before


@pytest.mark.parametrize("text", HOSTILE_TEXTS.values(), ids=HOSTILE_TEXTS)
def test_cleaning_leaves_only_characters_of_xml(text):
    cleaned = clean_text(text)
    cleaned.encode()
    for char in cleaned:
        code = ord(char)
        assert char in "\t\n\r" or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000
    assert clean_text(cleaned) == cleaned
