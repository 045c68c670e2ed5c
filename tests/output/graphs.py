"""Graphs for the tests of the formats: one of the contract's shape, one of everything that goes wrong."""

import datetime
import importlib.util
import json
import os
import pickle
import shutil
import subprocess
from pathlib import Path

import networkx
import pytest
from hypothesis import strategies as st

from podgraph.output.formats import FORMATS, Rows, write_graph
from podgraph.output.formats.rows import format_cell
from tests.tables import read_rows

FOREIGN = Path(__file__).parent / "foreign"


def contract_graph():
    """Return a small graph with every relation and nearly every attribute of the contract."""
    data = json.loads(Path(__file__).with_name("contract.json").read_text("utf-8"))
    return networkx.node_link_graph(data, edges="edges")


class Odd:
    """An object that no format knows."""

    def __str__(self):
        return "an odd object"


HOSTILE_TEXTS = {
    **dict(read_rows(__file__, "HOSTILE_TEXTS")),
    "controls": "".join(map(chr, range(32))),
    "long": "x" * 70_000,
}
HOSTILE_VALUES = {
    **HOSTILE_TEXTS,
    "none": None,
    "truth": True,
    "huge": 10**400,
    "absurd": 1 << 100_000,
    "least": -(2**63),
    "nan": float("nan"),
    "infinite": float("-inf"),
    "tiny": 4e-05,
    "list": ["a", "b;c", 'd"e'],
    "mixed list": [1, None, "x", [2.5, {"deep": float("nan")}]],
    "dict": {"b": 1, "a": None, 3: "three"},
    "set": {"b", "a"},
    "tuple": (1, 2),
    "bytes": b"\xff\x00abc",
    "date": datetime.date(2024, 8, 4),
    "moment": datetime.datetime(2024, 8, 4, 1, 2, tzinfo=datetime.UTC),
    "odd": Odd(),
}
COLLIDING = (
    "id ID Id node name label Label kind url source target key relation type start end pid viz weight x y date "
    "summary parent SUID selected evidence reasons aliases tags image shapefile _ __ a.b a:b a`b é"
).split()


def hostile_graph():
    """Return a graph of hostile ids, relations, names and values; every text appears in every place."""
    graph = networkx.MultiDiGraph(about=HOSTILE_TEXTS["markup"], schema=5)
    texts = list(HOSTILE_TEXTS.values())
    for place, (name, text) in enumerate(HOSTILE_TEXTS.items()):
        graph.add_node(text, kind=text, label=text, url=text, title=text, date=text)
        graph.add_node(f"episode:p/{text[:99]}", kind="episode", label=text, summary=text, audio_url=text, number=text)
        graph.add_edge(f"episode:p/{text[:99]}", text, "cites", evidence=[{"quote": text, text[:50]: text, "start": 1}])
        graph.add_edge(f"episode:p/{text[:99]}", texts[place - 1], text[:99], weight=text, reasons=[text, name])
    for place, value in enumerate(HOSTILE_VALUES.values()):
        node = ("n", place)
        graph.add_node(node, **dict.fromkeys(COLLIDING, value), value=value)
        graph.add_edge(node, texts[place % len(texts)], place)
        graph.edges[node, texts[place % len(texts)], place].update(dict.fromkeys(COLLIDING, value))
    graph.add_nodes_from([1, "1", 1.5, "a\ud800", "a\udfff", "topic:A", "topic:a", "e0", "n0"])
    graph.nodes[1].update({5: "five", "5": "also five", None: "none"})
    graph.add_edge(1, "1", "x")
    graph.add_edge(1, "1", "X")
    graph.add_edge(1, "1", 7)
    graph.add_edge(1, "1", "7")
    return graph


def write_into(graph, folder, suffix, **options):
    """Write a graph into a folder, and return the path."""
    write_graph(graph, folder / f"g{suffix}", force=True, **options)
    return folder / f"g{suffix}"


def tables(graph, *, lists=False):
    """Return what a reader of scalars has to find: nodes by id, edges by (source, target, relation)."""
    rows = Rows(graph)

    def read(values):
        return {
            name: format_cell(value) if isinstance(value, (datetime.date, *(() if lists else (list,)))) else value
            for name, value in values.items()
        }

    nodes = {node: read(values) for node, values in rows.flat_nodes()}
    return nodes, {edge[:3]: read(edge[3]) for edge in rows.flat_edges()}


def text_of(writer, graph):
    """Return the text that a writer yields for a graph."""
    return "".join(writer(Rows(graph)))


def frozen(graph):
    """Return all that a graph holds as bytes, to see whether it was changed."""
    return pickle.dumps((graph.graph, list(graph.nodes(data=True)), list(graph.edges(keys=True, data=True))))


def same(one, other):
    """Compare two graphs, attributes and all, and show the first difference."""
    assert one.graph == other.graph
    for mine, others in (
        (dict(one.nodes(data=True)), dict(other.nodes(data=True))),
        (dict(one.edges), dict(other.edges)),
    ):
        assert sorted(mine, key=repr) == sorted(others, key=repr)
        for key, value in mine.items():
            assert value == others[key], f"{key!r}: {value!r} is not {others[key]!r}"


def foreign(module):
    """Import a library that is not ours, if one is named. In CI it has to be there."""
    if not module:
        return None
    try:
        return importlib.import_module(module)
    except ImportError:
        return _missing(f"no {module}: pip install -e '.[test-formats]'")


def list_installed():
    """Return the formats whose libraries are there."""
    return [item for item in FORMATS if not item.needs or importlib.util.find_spec(item.needs)]


def program(name, *, package=""):
    """Return the path of a program that is not ours. In CI it has to be there."""
    return shutil.which(name) or _missing(f"no program {name}: install {package or name}")


def node_reader(form, path):
    """Read a file with the JavaScript library of its format."""
    node = program("node", package="https://nodejs.org")
    if not (FOREIGN / "node_modules").is_dir():
        _missing("no JavaScript readers: npm ci --prefix tests/output/foreign")
    process = subprocess.run([node, str(FOREIGN / "read.js"), form, str(path)], capture_output=True, check=False)
    assert process.returncode == 0, process.stderr.decode()[-2000:]
    return json.loads(process.stdout)


def _missing(what):
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


_any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(max_size=9) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.integers(), inner, max_size=3),
    max_leaves=6,
)
_name = st.text() | st.sampled_from(COLLIDING)


@st.composite
def wild_graphs(draw):
    """Draw a graph of anything."""
    attributes = st.dictionaries(_name, _any, max_size=4)
    graph = networkx.MultiDiGraph()
    graph.graph.update(draw(attributes))
    for node, values in draw(
        st.dictionaries(st.text() | st.integers() | st.tuples(st.text()), attributes, max_size=5)
    ).items():
        graph.add_node(node)
        graph.nodes[node].update(values)
    ends = st.sampled_from([*graph] or [""])
    for edge in draw(st.lists(st.tuples(ends, ends, st.text() | st.integers()), max_size=6 if graph else 0)):
        graph.add_edge(*edge)
        graph.edges[edge].update(draw(attributes))
    return graph
