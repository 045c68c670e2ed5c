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

FOREIGN = Path(__file__).parent / "foreign"
NOTES = "Strides, “views” & co. See https://github.com/o/r/pull/7\nand <torch.vmap>; עברית 🚀\n\n=1+1\n'); DROP x --"


def evidence(quote, method="url", **more):
    """Say where ``quote`` stands in ``NOTES``."""
    start = NOTES.index(quote)
    return {
        "field": "notes", "start": start, "end": start + len(quote), "quote": quote,
        "method": method, "extractor": "test", "confidence": 1.0, **more,
    }  # fmt: skip


def contract_graph():
    """Return a small graph with every relation and nearly every attribute of the contract."""
    graph = networkx.MultiDiGraph(
        schema=5, generator="podgraph 0", sources=[{"source": "feed.xml", "kind": "feed", "episodes": 3}]
    )
    graph.add_node("podcast:p", kind="podcast", label="The “P” Podcast", url="https://p.example/")
    for number, (slug, date) in enumerate(
        [("strides", "2024-08-04T23:47:46-07:00"), ("vmap", "2021-05-04"), ("no-date", None)], 1
    ):
        node = f"episode:p/{slug}"
        graph.add_node(
            node, kind="episode", label=slug, title=slug.title(), number=number, duration=600 + number,
            podcast="podcast:p", guid=f"g-{number}", url=f"https://p.example/{slug}?a=1&b=2", explicit=number == 2,
            audio_url=f"https://p.example/{slug}.mp3", summary=NOTES, x=-1.5 * number, y=0.25,
        )  # fmt: skip
        if date:
            graph.nodes[node]["date"] = date
        graph.add_edge(node, "podcast:p", "part_of", weight=1, reasons=["an item of its feed"])
    graph.nodes["episode:p/no-date"].update(
        truncated_links=["https://x.org/a;b…"], uncertain=["title", "date"], season=2
    )
    things = {
        "github:o/r#7": {"kind": "pull", "label": "o/r#7", "repo": "o/r", "number": 7},
        "github:o/r:a/B.py": {"kind": "file", "label": "a/B.py", "repo": "o/r", "path": "a/B.py"},
        "github:o/r:a": {"kind": "folder", "label": "a", "repo": "o/r", "path": "a"},
        "github:o/r": {"kind": "repo", "label": "o/r", "repo": "o/r"},
        "docs:pytorch/generated/torch.vmap#torch.vmap": {"kind": "docs", "label": "torch.vmap"},
        "paper:arxiv/1905.12322": {"kind": "paper", "label": "arXiv 1905.12322", "author": "A {Brace}"},
        "blog:blog.ezyang.com/2019/05/pytorch-internals": {"kind": "blog", "label": "Internals", "date": "2019-05-16"},
    }
    for node, attrs in things.items():
        graph.add_node(node, url=f"https://x.example/{attrs['label'].replace(' ', '')}", **attrs)
        if attrs["kind"] != "folder":
            quote = "https://github.com/o/r/pull/7"
            graph.add_edge(
                "episode:p/strides", node, "cites", weight=1, evidence=[evidence(quote, url=quote, lines="L1-L2")]
            )
        if "repo" in attrs and attrs["kind"] != "repo":
            graph.add_edge(node, "github:o/r", "in_repo", weight=1, reasons=["its address names the repository"])
    graph.add_edge("github:o/r:a/B.py", "github:o/r:a", "in_folder", weight=1, reasons=["its path"])
    graph.add_node("symbol:torch.vmap", kind="symbol", label="torch.vmap", language="python", module="torch")
    graph.add_node("topic:vmap", kind="topic", label="vmap", area="Compiler", aliases=["batching", "vm “ap”"])
    graph.add_node("topic:functorch", kind="topic", label="functorch", area="Compiler", derived=True)
    graph.add_node("person:ezyang", kind="person", label="Edward Z. Yang", url="https://ezyang.com/")
    said = [evidence("torch.vmap", "symbol"), evidence("views", "alias")]
    for target, relation in [
        ("symbol:torch.vmap", "mentions"), ("person:ezyang", "mentions"), ("topic:vmap", "about"),
        ("episode:p/no-date", "listen_first"), ("episode:p/vmap", "see_also"),
    ]:  # fmt: skip
        graph.add_edge("episode:p/strides", target, relation, weight=2, evidence=said)
    why = {"weight": 1, "reasons": ["said of it"]}
    graph.add_edge("episode:p/vmap", "topic:functorch", "about", weight=1, evidence=said[:1])
    graph.add_edge("episode:p/strides", "episode:p/vmap", "related", weight=0.5, reasons=["both about vmap"])
    graph.add_edge("symbol:torch.vmap", "github:o/r:a/B.py", "defined_in", **why)
    graph.add_edge("symbol:torch.vmap", "docs:pytorch/generated/torch.vmap#torch.vmap", "documented_at", **why)
    graph.add_edge("topic:vmap", "topic:functorch", "subtopic_of", **why)
    graph.add_edge("topic:vmap", "symbol:torch.vmap", "covers", **why)
    return graph


class Odd:
    """An object that no format knows."""

    def __str__(self):
        return "an odd object"


HOSTILE_TEXTS = {
    "nul": "a\0b",
    "controls": "".join(map(chr, range(32))),
    "surrogate": "a\ud800b",
    "halves": "\ud83d\ude00",
    "no characters": "\ufffe\uffff\x7f\x85\u2028",
    "emoji": "👩‍👩‍👧 🚀",
    "rtl": "\u202egpj.exe עברית",
    "quotes": '\'"`“”\\"',
    "line ends": "a\nb\r\nc\rd\te",
    "formula": "=cmd|' /C calc'!A0",
    "formulas": "@SUM(1+1)*cmd|' /C calc'!A0",
    "sql": "'); DROP TABLE nodes; --",
    "cypher": "'}) DETACH DELETE n //",
    "cypher escape": "\\u0027}) DETACH DELETE n //",
    "html": "</script><img src=x onerror=alert(1)>",
    "markdown": "[x](javascript:alert(1)) `a` ![[b]] {{c}} <% d %> %%e%% #f ^g $h$ ==i==",
    "markup": "]]></data><node id='evil'/>&amp;&bogus;",
    "dot": 'a" [shape=none] ; b -> "c\\',
    "turtle": '" . <urn:evil> <urn:evil> "',
    "bibtex": "}}, evil = {x} } @misc{evil,",
    "yaml": "--- \n- !!python/object/apply:os.system ['x']",
    "path": "../../../etc/passwd",
    "long": "x" * 70_000,
    "empty": "",
    "spaces": "  a  b  ",
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


def written(graph, folder, suffix, **options):
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
    parts = [
        [dict(g.graph), dict(g.nodes(data=True)), {e[:3]: e[3] for e in g.edges(keys=True, data=True)}]
        for g in (one, other)
    ]
    for mine, theirs in zip(*parts, strict=True):
        assert list(map(repr, sorted(mine, key=repr))) == list(map(repr, sorted(theirs, key=repr)))
        for key, value in mine.items():
            assert value == theirs[key], f"{key!r}: {value!r} is not {theirs[key]!r}"


def foreign(module):
    """Import a library that is not ours, if one is named. In CI it has to be there."""
    if not module:
        return None
    try:
        return importlib.import_module(module)
    except ImportError:
        return _missing(f"no {module}: pip install -e '.[test-formats]'")


def installed():
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
    done = subprocess.run([node, str(FOREIGN / "read.js"), form, str(path)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return json.loads(done.stdout)


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
    graph = networkx.MultiDiGraph()
    graph.graph.update(draw(st.dictionaries(_name, _any, max_size=2)))
    nodes = draw(st.lists(st.text() | st.integers() | st.tuples(st.text()), unique=True, max_size=5))
    for node in nodes:
        graph.add_node(node)
        graph.nodes[node].update(draw(st.dictionaries(_name, _any, max_size=4)))
    if nodes:
        for source, target, key in draw(
            st.lists(
                st.tuples(st.sampled_from(nodes), st.sampled_from(nodes), st.text() | st.integers()),
                unique=True,
                max_size=6,
            )
        ):
            graph.add_edge(source, target, key)
            graph.edges[source, target, key].update(draw(st.dictionaries(_name, _any, max_size=4)))
    return graph
