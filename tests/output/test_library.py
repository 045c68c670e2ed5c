"""``import podgraph`` as notebooks use it."""

import json

import networkx
import pytest

import podgraph
from podgraph import NotFoundError, PodgraphError, QueryError, SourceError
from podgraph.graph import saved_places
from podgraph.output import pipeline


@pytest.fixture(scope="module")
def g():
    return podgraph.sample()


# The cells of the contract, and what each gives.
CELLS = [
    ('len(g.cites("#130935")), g.cites("#130935").total', (1, 1)),
    ('g.cites("#130935")[0].title', "Compiler collectives"),
    ('g.cites("#130935")["title"]', ["Compiler collectives"]),
    ('g.cites("#130935")[0]["url"][:8]', "https://"),
    ('[row.date for row in g.cites("#130935")]', ["2024-08-04"]),
    ('len(g.list("episodes").head(3))', 3),
    ('len(g.list("episodes").tail(2)), g.list("episodes")[["title", "date"]].shape', (2, (83, 2))),
    ('json.loads(g.cites("#130935").to_json())["total"]', 1),
    ("len(podgraph.merge([g, g])) == len(g)", True),
    ('len(g.list("episodes")[:3]), g.list("episodes")[:3].total', (3, 83)),
    ('g.cites("#130935").to_dict()["question"]', "cites"),
    ('len(g.nodes(kind="pull")), len(g.nodes("pulls"))', (16, 16)),
    ('set(row.relation for row in g.edges(relation="cites"))', {"cites"}),
    ('g["functorch"].id, "vmap" in g, "zzzz" in g', ("topic:functorch", True, False)),
    ("len(g) == len(g.nodes()) == len(g.networkx())", True),
    ("g.sql('select count(*) as n from nodes where kind = ?', ['pull'])['n']", [16]),
    ('type(g.networkx(kinds=("episode", "pull"), relations=("cites",))).__name__', "MultiDiGraph"),
    ('networkx.is_bipartite(g.networkx(kinds=("episode", "pull"), relations=("cites",)).to_undirected())', True),
    ('type(g.pyvis("vmap", hops=1)).__name__, len(g.pyvis("vmap").nodes) > 5', ("Network", True)),
    ('g.related("vmap")[0].level in ("strong", "similar")', True),
    ('g.show(g.search("functorch")[0]).id', "topic:functorch"),
    ('g.list("episodes", n=1)[0].nothing is None', True),
    ("[row.id for row in g.explain('torch.vmap') if row.kind == 'symbol']", ["symbol:torch.vmap"]),
    ("g.diff(g).rows", ()),
    # The words of pandas and networkx.
    ("len(list(g.nodes)) == len(g.nodes) == len(g), g.nodes['vmap'].kind, 'vmap' in g.nodes", (True, "episode", True)),
    (
        "len(g.edges) == g.number_of_edges(), [type(part).__name__ for part in g.edges(data=True)[0]]",
        (True, ["str", "str", "Row"]),
    ),
    ("len(g.edges('functorch')) == g.degree('functorch') > 0", True),
    ("[g.node('vmap').id, g.get('vmap').id] == [g['vmap'].id] * 2", True),
    ("len(g.episodes), len(g.list()), g.list('persons')[0].kind", (83, 83, "person")),
    ("len(g.merge(g)) == len(g), type(g.to_networkx()).__name__", (True, "MultiDiGraph")),
    ('g.list("episodes").title == g.list("episodes")["title"]', True),
    ('repr(g.cites("#130935")).splitlines()[0]', "<Answer cites: 1 row>"),
    ("podgraph.load is podgraph.open, len(g.list('pull_requests'))", (True, 16)),
    ('bool(g.cites("zzzz")), bool(g.cites("#130935"))', (False, True)),
]


# Cells that need pandas.
PANDAS_CELLS = [
    (
        'len(g.list("topics")[g.list("topics")["count"] > 5]) == len(g.list("topics").filter(lambda row: row.count > 5)) > 0',
        True,
    ),
    ('g.cites("#130935").to_csv().splitlines()[0][:10]', "date,title"),
    ('len(g.list("episodes").sort_values("date")), len(g.list("episodes").to_df())', (83, 83)),
    ('g.list("topics")["title"].value_counts().shape', (181,)),
    ('[len(g.list("episodes")[g.list("episodes")["title"].str.contains("vmap")])]', [1]),
]


@pytest.mark.parametrize(("cell", "value"), PANDAS_CELLS)
def test_a_cell_of_pandas(g, cell, value):
    pytest.importorskip("pandas", reason="no pandas: pip install pandas")
    assert eval(cell, {"g": g}) == value


@pytest.mark.parametrize(("cell", "value"), CELLS)
def test_a_cell(g, cell, value):
    assert eval(cell, {"g": g, "json": json, "networkx": networkx, "podgraph": podgraph}) == value


WRONG = [
    ('g.cites("#130935").titel', AttributeError, "did you mean 'title'"),
    ('podgraph.opn("g.json")', AttributeError, "did you mean 'open'"),
    ("g.search('autograd', limit=3)", QueryError, "search has no option 'limit'; use n"),
    ("g.sarch", AttributeError, "did you mean 'search'"),
    ("g.add_node('a')", AttributeError, "a graph has no 'add_node'"),
    ('g["zzzz"]', NotFoundError, "no node is called 'zzzz'"),
    ('g.cites("#1", n=-1)', QueryError, "invalid number -1"),
    ('g.list("pullz")', QueryError, "did you mean 'pulls'"),
    ('g.edges("cite")', QueryError, "did you mean 'cites'"),
    ('g.sql("select zzz from nodes")', QueryError, "no such column"),
    ('g.sql("drop table nodes")', QueryError, "readonly"),
    ('g.list("episodes")["titel"]', KeyError, "did you mean 'title'"),
    ('g.export("g.gexf", colour="red")', PodgraphError, "has no option 'colour'"),
    ('podgraph.open("feed.xml")', SourceError, "is a feed, not a graph"),
    ('podgraph.build("a.xml", as_kind="talks")', QueryError, "use 'episodes' or 'posts'"),
]


@pytest.mark.parametrize(("cell", "error", "message"), WRONG)
def test_a_mistake_names_the_right_word(g, cell, error, message):
    with pytest.raises(error, match=message):
        eval(cell, {"g": g, "podgraph": podgraph})


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


def test_a_build_is_the_command_s(tmp_path):
    graph = podgraph.build("sample", offline=True)
    assert networkx.utils.graphs_equal(graph.networkx(), podgraph.sample().networkx())


def test_the_shipped_graph_is_the_one_of_a_build(g):
    assert saved_places(pipeline.snapshot_graph()) == saved_places(g.networkx())
