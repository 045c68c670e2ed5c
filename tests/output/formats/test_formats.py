"""What all formats have in common: their names, their targets, their care with hostile graphs."""

import importlib.resources
import json
import re
import tempfile
from pathlib import Path

import jsonschema
import networkx
import pytest
from hypothesis import example, given, settings

from podgraph.extractors import OutputError
from podgraph.output.formats import (
    FORMATS,
    Format,
    check_target,
    format_named,
    format_of,
    list_target_files,
    write_graph,
)
from podgraph.output.formats.node_link import to_json
from tests.output.graphs import contract_graph, foreign, frozen, hostile_graph, wild_graphs
from tests.tables import read_rows

SCHEMA = importlib.resources.files("podgraph.output").joinpath("schemas", "podgraph.schema.json")
formats = pytest.mark.parametrize("item", FORMATS, ids=lambda item: item.name)

STEERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.mark.parametrize(("name", "paths", "programs"), read_rows(__file__, "SUFFIXES"))
def test_a_suffix_or_a_program_chooses_the_format(name, paths, programs):
    assert {format_of(path).name for path in paths.split()} == {name}
    assert {format_named(program).name for program in (name, *programs.split())} == {name}


@pytest.mark.parametrize("path", ["graph", "graph.xyz", "graph.json.gz", "json", ""])
def test_an_unknown_suffix_lists_the_known(path):
    with pytest.raises(OutputError, match=r"did you mean|another of `podgraph export -h`"):
        format_of(path)


def test_names_and_suffixes_are_unique():
    for words in ([item.name for item in FORMATS], [suffix for item in FORMATS for suffix in item.suffixes]):
        assert len(set(words)) == len(words)


@pytest.mark.parametrize(("path", "files"), read_rows(__file__, "PAIRS"))
def test_a_pair_is_written_as_a_pair(path, files):
    assert [str(target) for target in list_target_files(path, format_of(path))] == files.split()


# Files and folders to create, the paths of the command, the format, the problem.


@pytest.mark.parametrize(("files", "paths", "form", "problem"), read_rows(__file__, "REFUSED"))
def test_targets_are_checked_before_any_work(tmp_path, monkeypatch, files, paths, form, problem):
    monkeypatch.chdir(tmp_path)
    for name in files.split():
        Path(name).mkdir() if name.endswith("/") else Path(name).write_bytes(b"old")
    before, in_use = sorted(tmp_path.rglob("*")), set()
    with pytest.raises(OutputError, match=f"^[^\n]*{problem}[^\n]*$"):
        for path in paths.split():
            check_target(path, form, in_use=in_use)
    assert sorted(tmp_path.rglob("*")) == before


@formats
def test_a_file_of_ours_is_known_and_another_is_not(tmp_path, item):
    foreign(item.needs)
    path = tmp_path / f"g{item.suffixes[0]}"
    for graph in (contract_graph(), hostile_graph(), networkx.MultiDiGraph()):
        write_graph(graph, path, item)  # over the one before it
    for file in filter(Path.is_file, tmp_path.iterdir()):
        file.write_bytes(b"mine")
        with pytest.raises(OutputError, match="podgraph did not write it"):
            write_graph(contract_graph(), path, item)
        assert file.read_bytes() == b"mine"
    write_graph(contract_graph(), path, item, force=True)


def test_a_missing_library_is_named_with_its_extra(tmp_path):
    needy = Format("parquet", (".x",), "", "", "dot:to_dot", needs="no_such_library")
    with pytest.raises(OutputError, match=re.escape("needs no_such_library; pip install 'podgraph[parquet]'")):
        check_target(tmp_path / "g.x", needy)


@formats
@pytest.mark.parametrize("make", [contract_graph, hostile_graph, networkx.MultiDiGraph], ids=lambda make: make.__name__)
def test_the_same_graph_gives_the_same_bytes_and_stays_as_it_is(tmp_path, item, make):
    """Another order of insertion is the same graph, and a second file replaces the first."""
    foreign(item.needs)
    graph = make()
    before = frozen(graph)
    reverse = networkx.MultiDiGraph(**graph.graph)
    reverse.add_nodes_from(reversed(list(graph.nodes(data=True))))
    reverse.add_edges_from(reversed(list(graph.edges(keys=True, data=True))))
    contents = []
    for folder, version in (("a", graph), ("b", reverse), ("a", graph)):
        (tmp_path / folder).mkdir(exist_ok=True)
        assert all(path.exists() for path in write_graph(version, tmp_path / folder / f"g{item.suffixes[0]}"))
        files = sorted(filter(Path.is_file, (tmp_path / folder).rglob("*")))
        contents.append([(file.relative_to(tmp_path / folder), file.read_bytes()) for file in files])
    assert contents[0] == contents[1] == contents[2]
    assert frozen(graph) == before


OTHER_ID = networkx.MultiDiGraph()
OTHER_ID.add_node("_", id=[])  # of another type than an id


@formats
@settings(max_examples=20)
@given(graph=wild_graphs())
@example(graph=OTHER_ID)
def test_no_graph_makes_a_format_fail(item, graph):
    foreign(item.needs)
    with tempfile.TemporaryDirectory() as folder:
        write_graph(graph, Path(folder) / f"g{item.suffixes[0]}")


def find_violations(data):
    return [f"{error.json_path}: {error.message}" for error in jsonschema.Draft202012Validator(
        json.loads(SCHEMA.read_text("utf-8"))).iter_errors(data)]  # fmt: skip


def test_the_schema_takes_graphs_of_the_contract(sample):
    jsonschema.Draft202012Validator.check_schema(json.loads(SCHEMA.read_text("utf-8")))
    assert find_violations(json.loads(to_json(contract_graph()))) == find_violations(json.loads(to_json(sample))) == []


# A part of the graph (its first node, the first edge of a relation, the first evidence of `cites`), and its change.
BROKEN = read_rows(__file__, "BROKEN")


@pytest.mark.parametrize(("place", "name", "value"), BROKEN)
def test_the_schema_refuses_what_breaks_the_contract(place, name, value):
    data = json.loads(to_json(contract_graph()))
    edges = {edge["key"]: edge for edge in data["edges"]}
    parts = {"": data, "graph": data["graph"], "node": data["nodes"][0], "evidence": edges["cites"]["evidence"][0]}
    part = (parts | edges)[place]
    part.pop(name) if value == "gone" else part.update({name: value})
    assert find_violations(data)


@pytest.mark.parametrize("name", sorted({item.name for item in FORMATS if item.form == "text"} - {"html"} | {"vault"}))
def test_what_is_written_steers_no_terminal_and_turns_no_line(name, tmp_path):
    path = tmp_path / f"g{format_named(name).suffixes[0]}"
    graph = hostile_graph()
    words = {"title": "a\u202efdp.exe\u2066\x9b2J\x7f", "summary": "\u2067\x85\u202d", "label": "\u202d"}
    graph.add_node("episode:p/turned", kind="episode", **words)
    graph.add_edge("episode:p/turned", "topic:a", "about", reasons=["\u202b\x9d"], evidence=[{"quote": "\u202e\x90x"}])
    write_graph(graph, path)
    for file in (path, *path.rglob("*"), *tmp_path.iterdir()):
        assert not STEERS.search(file.name)
        assert file.is_dir() or not STEERS.search(file.read_bytes().decode()), file
