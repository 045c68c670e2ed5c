"""What all formats have in common: their names, their targets, their care with hostile graphs."""

import importlib.resources
import json
import re
import tempfile
from pathlib import Path

import jsonschema
import networkx
import pytest
from hypothesis import given, settings

from podgraph.extractors import OutputError
from podgraph.output.formats import FORMATS, Format, check_target, format_named, format_of, targets, write_graph
from podgraph.output.formats.node_link import to_json
from tests.output.graphs import contract_graph, foreign, frozen, hostile_graph, wild_graphs

SCHEMA = json.loads(
    (importlib.resources.files("podgraph.output") / "schemas" / "podgraph.schema.json").read_text("utf-8")
)
NAMES = [item.name for item in FORMATS]
names = pytest.mark.parametrize("item", FORMATS, ids=lambda item: item.name)

STEERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

SUFFIXES = """
html: graph.html; svg: graph.svg; json: graph.json a.b/GRAPH.JSON; graphml: graph.graphml; gexf: graph.gexf
dot: graph.dot graph.gv; csv: graph.csv graph.nodes.csv graph.edges.csv; cypher: graph.cypher; sqlite: graph.sqlite graph.db
parquet: graph.parquet graph.nodes.parquet; jsonl: graph.jsonl; vault: notes.vault vault/; site: site/; bib: graph.bib
"""


@pytest.mark.parametrize("row", re.split("[;\n]", SUFFIXES.strip()))
def test_the_suffix_names_the_format(row):
    name, paths = row.strip().split(": ")
    assert [format_of(path).name for path in paths.split()] == [name] * len(paths.split())
    assert format_named(name).name == name


@pytest.mark.parametrize("path", ["graph", "graph.xyz", "graph.json.gz", "json", ""])
def test_an_unknown_suffix_lists_the_known(path):
    with pytest.raises(OutputError) as caught:
        format_of(path)
    assert re.search("did you mean|another of `podgraph export -h`", str(caught.value))


PROGRAMS = [("gephi", "gexf"), ("Neo4j", "cypher"), ("obsidian", "vault"), ("datasette", "sqlite")]


@pytest.mark.parametrize(("program", "name"), PROGRAMS)
def test_a_program_names_its_format(program, name):
    assert format_named(program).name == name


def test_names_and_suffixes_are_unique():
    assert len(set(NAMES)) == len(NAMES)
    suffixes = [suffix for item in FORMATS for suffix in item.suffixes]
    assert len(set(suffixes)) == len(suffixes)


PAIRS = [
    ("g.parquet", ["g.parquet", "g.nodes.parquet", "g.edges.parquet"]),
    ("g.nodes.csv", ["g.nodes.csv", "g.edges.csv"]),
    ("g.edges.csv", ["g.nodes.csv", "g.edges.csv"]),
    ("g.csv", ["g.nodes.csv", "g.edges.csv"]),
    ("a.b.csv", ["a.b.nodes.csv", "a.b.edges.csv"]),
]


@pytest.mark.parametrize(("path", "expected"), PAIRS)
def test_a_pair_is_written_as_a_pair(path, expected):
    assert [str(target) for target in targets(path, format_of(path))] == expected


# (what to make first, the paths asked for, the format, the problem)
REFUSED = {
    "unknown suffix": ([], ["g.json", "g.xyz"], None, "has no suffix that names a format"),
    "no folder": ([], ["g.json", "no/g.gexf"], None, "cannot be written: No such file or directory"),
    "folder is a file": (["f"], ["f/g.json"], None, "cannot be written: Not a directory"),
    "a folder in the way": (["d.json/"], ["d.json"], None, "a folder has this name"),
    "a file where a vault goes": (["f.vault"], ["f.vault"], None, "a file has this name"),
    "twice": ([], ["g.json", "./g.json"], None, "would be written twice"),
    "twice as a pair": ([], ["g.nodes.csv", "g.csv"], None, "would be written twice"),
    "a folder where a table goes": (["d.sqlite/"], ["d.sqlite"], None, "a folder has this name"),
    "unknown format": ([], ["g.json"], "xlsx", "unknown format"),
    "a user's file": (["g.json"], ["g.json"], None, "is there, and podgraph did not write it"),
    "a user's other file": (["g.edges.csv"], ["g.csv"], None, "is there, and podgraph did not write it"),
    "standard output twice": ([], ["-", "-"], "json", "would be written twice"),
    "a pair on standard output": ([], ["-"], "csv", "takes one file"),
    "a folder on standard output": ([], ["-"], "vault", "takes one file"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_targets_are_checked_before_any_work(tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    make, paths, form, problem = REFUSED[case]
    for name in make:
        Path(name).mkdir() if name.endswith("/") else Path(name).write_bytes(b"old")
    before, in_use = sorted(tmp_path.rglob("*")), set()
    with pytest.raises(OutputError) as caught:
        for path in paths:
            check_target(path, form, in_use=in_use)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)
    assert sorted(tmp_path.rglob("*")) == before


@names
def test_a_file_of_ours_is_known_and_another_is_not(tmp_path, item):
    foreign(item.needs)
    path = tmp_path / f"g{item.suffixes[0]}"
    for graph in (contract_graph(), hostile_graph(), networkx.MultiDiGraph()):
        write_graph(graph, path, item)  # over the one before it
    for file in tmp_path.iterdir():
        if file.is_file():
            file.write_bytes(b"mine")
            with pytest.raises(OutputError, match="podgraph did not write it"):
                write_graph(contract_graph(), path, item)
            assert file.read_bytes() == b"mine"
    write_graph(contract_graph(), path, item, force=True)


def test_a_missing_library_is_named_with_its_extra(tmp_path):
    needy = Format("parquet", (".x",), "", "", "dot:to_dot", needs="no_such_library")
    with pytest.raises(OutputError, match=re.escape("needs no_such_library; pip install 'podgraph[parquet]'")):
        check_target(tmp_path / "g.x", needy)


def _files(path):
    return {p.relative_to(path).as_posix(): p.read_bytes() for p in sorted(path.rglob("*")) if p.is_file()}


@names
@pytest.mark.parametrize("make", [contract_graph, hostile_graph, networkx.MultiDiGraph], ids=lambda f: f.__name__)
def test_the_same_graph_gives_the_same_bytes_and_stays_as_it_is(tmp_path, item, make):
    foreign(item.needs)
    graph, again = make(), make()
    before = frozen(graph)
    # Another order of insertion is the same graph.
    turned = networkx.MultiDiGraph(**again.graph)
    turned.add_nodes_from(reversed(list(again.nodes(data=True))))
    turned.add_edges_from(reversed(list(again.edges(keys=True, data=True))))
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    written = write_graph(graph, tmp_path / "a" / f"g{item.suffixes[0]}")
    write_graph(turned, tmp_path / "b" / f"g{item.suffixes[0]}")
    assert all(path.exists() for path in written)
    assert _files(tmp_path / "a") == _files(tmp_path / "b")
    assert frozen(graph) == before
    # A second time over the first.
    write_graph(graph, tmp_path / "a" / f"g{item.suffixes[0]}")
    assert _files(tmp_path / "a") == _files(tmp_path / "b")


@names
@settings(max_examples=20)
@given(graph=wild_graphs())
def test_no_graph_makes_a_format_fail(item, graph):
    foreign(item.needs)
    with tempfile.TemporaryDirectory() as folder:
        write_graph(graph, Path(folder) / f"g{item.suffixes[0]}")


@pytest.mark.parametrize("make", [contract_graph])
def test_the_schema_takes_graphs_of_the_contract(make):
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.check_schema(SCHEMA)
    assert [error.message for error in validator.iter_errors(json.loads(to_json(make())))] == []


def test_the_schema_takes_the_snapshot(sample):
    errors = jsonschema.Draft202012Validator(SCHEMA).iter_errors(json.loads(to_json(sample)))
    assert [f"{error.json_path}: {error.message}" for error in errors] == []


def _change(place, name, value):
    def change(data):
        item = data
        for step in place:
            item = item[step]
        item.pop(name) if value is KeyError else item.__setitem__(name, value)

    return change


def _edge(data, key):
    return next(edge for edge in data["edges"] if edge["key"] == key)


BROKEN = {
    "undirected": _change((), "directed", False),
    "another schema": _change(("graph",), "schema", 3),
    "no sources": _change(("graph",), "sources", KeyError),
    "null": _change(("nodes", 0), "season", None),
    "null inside": _change(("nodes", 0), "new", {"a": [None]}),
    "no name of a kind": _change(("nodes", 0), "kind", "Some Thing"),
    "id of another kind": _change(("nodes", 0), "kind", "topic"),
    "no label": _change(("nodes", 0), "label", KeyError),
    "script as link": _change(("nodes", 0), "url", "javascript:alert(1)"),
    "no date": _change(("nodes", 0), "date", "last summer"),
    "number as text": _change(("nodes", 0), "number", "7"),
    "unknown relation": _change(("edges", 0), "key", "likes"),
    "weight 0": _change(("edges", 0), "weight", 0),
    "no proof": lambda data: _edge(data, "cites").pop("evidence"),
    "no reason": lambda data: _edge(data, "related").pop("reasons"),
    "empty proof": lambda data: _edge(data, "cites").update(evidence=[]),
    "unknown method": lambda data: _edge(data, "cites")["evidence"][0].update(method="guess"),
    "too sure": lambda data: _edge(data, "cites")["evidence"][0].update(confidence=1.1),
    "unknown field": lambda data: _edge(data, "cites")["evidence"][0].update(mood="good"),
    "more at the top": _change((), "links", []),
}


@pytest.mark.parametrize("case", BROKEN)
def test_the_schema_refuses_what_breaks_the_contract(case):
    data = json.loads(to_json(contract_graph()))
    BROKEN[case](data)
    assert list(jsonschema.Draft202012Validator(SCHEMA).iter_errors(data))


@pytest.mark.parametrize("name", sorted({item.name for item in FORMATS if item.form == "text"} - {"html"} | {"vault"}))
def test_what_is_written_steers_no_terminal_and_turns_no_line(name, tmp_path):
    item = format_named(name)
    path = tmp_path / f"g{item.suffixes[0]}"
    graph = hostile_graph()
    graph.add_node(
        "episode:p/turned",
        kind="episode",
        title="a\u202efdp.exe\u2066\x9b2J\x7f",
        summary="\u2067\x85\u202d",
        label="\u202d",
    )
    graph.add_edge("episode:p/turned", "topic:a", "about", reasons=["\u202b\x9d"], evidence=[{"quote": "\u202e\x90x"}])
    write_graph(graph, path)
    for file in (path, *path.rglob("*"), *tmp_path.iterdir()):
        assert not STEERS.search(file.name)
        if file.is_file():
            assert not STEERS.search(file.read_bytes().decode()), file
