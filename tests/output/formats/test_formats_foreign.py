"""Every format read by programs that are not ours: the same nodes, edges and attributes."""

import asyncio
import html
import json
import re
import sqlite3
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import networkx
import pytest

from podgraph.output.formats.cypher import to_cypher
from tests.output.graphs import (
    contract_graph,
    foreign,
    hostile_graph,
    node_reader,
    program,
    tables,
    text_of,
    write_into,
)

GRAPHS = {"contract": contract_graph, "hostile": hostile_graph}


# Each reader returns the nodes (by id, with attributes, or their number) and the edges (source, target, relation; or
# their number) of a file.


def read_with_networkx(path):
    graph = networkx.node_link_graph(json.loads(path.read_bytes()), edges="edges")
    return len(graph), graph.number_of_edges()


def read_with_d3(path):
    graph = node_reader("d3", path)
    return len(graph["nodes"]), len(graph["edges"])


def read_graphml_with_igraph(path):
    graph = foreign("igraph").Graph.Read_GraphML(str(path))
    edges = {(graph.vs[edge.source]["name"], graph.vs[edge.target]["name"], edge["relation"]) for edge in graph.es}
    return {vertex["name"]: vertex.attributes() for vertex in graph.vs}, edges


def read_graphml_with_graphology(path):
    graph = node_reader("graphml", path)
    names = {node: attributes["name"] for node, attributes in graph["nodes"]}
    edges = {(names[source], names[target], edge["relation"]) for _, source, target, edge in graph["edges"]}
    return {attributes["name"]: attributes for _, attributes in graph["nodes"]}, edges


def read_graphml_with_networkx(path):
    graph = networkx.read_graphml(path, force_multigraph=True)
    names = dict(graph.nodes(data="name"))
    edges = {(names[source], names[target], relation) for source, target, relation in graph.edges(data="relation")}
    return {names[node]: attributes for node, attributes in graph.nodes(data=True)}, edges


def read_gexf_with_graphology(path):
    graph = node_reader("gexf", path)
    assert all(node["color"].startswith("rgb") and node["size"] >= 4 for _, node in graph["nodes"])
    return dict(graph["nodes"]), {(source, target, edge["label"]) for _, source, target, edge in graph["edges"]}


def read_gexf_with_networkx(path):
    if "1.3" not in networkx.readwrite.gexf.GEXF.versions:
        pytest.skip("no GEXF 1.3 in this networkx: pip install -U networkx")
    graph = networkx.read_gexf(path, version="1.3")
    nodes = {node: {**data, **data.get("viz", {}).get("position", {})} for node, data in graph.nodes(data=True)}
    return nodes, graph.number_of_edges()


def read_dot_with_graphviz(path):
    command = [program("dot", package="graphviz"), "-Kosage", "-Tdot_json", str(path)]
    graph = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return len(graph["objects"]), len(graph["edges"])


def read_dot_strictly(path):
    graph = node_reader("dot", path)
    assert {end for edge in graph["edges"] for end in edge} <= set(graph["nodes"])
    return len(set(graph["nodes"])), len(graph["edges"])


def read_csv_with_pandas(path):
    read = foreign("pandas").read_csv
    return tuple(len(read(path.with_name(f"g.{name}.csv"), low_memory=False)) for name in ("nodes", "edges"))


def read_csv_with_duckdb(path):
    # The hostile columns are texts and numbers in turn: only all together do they have a type.
    options = {"sample_size": -1, "max_line_size": 9_000_000}
    tables = (
        foreign("duckdb").connect().read_csv(str(path.with_name(f"g.{name}.csv")), **options)
        for name in ("nodes", "edges")
    )
    return tuple(len(table.project("id").fetchall()) for table in tables)


def read_parquet_with_polars(path):
    nodes, edges = (foreign("polars").read_parquet(path.with_name(f"g.{name}.parquet")) for name in ("nodes", "edges"))
    nodes = {node["id"]: node for node in nodes.drop("date", "datetime", strict=False).to_dicts()}
    return nodes, {*edges.select("source", "target", "relation").rows()}


def read_parquet_with_duckdb(path):
    files = (path.with_name(f"g.{name}.parquet") for name in ("nodes", "edges"))
    return tuple(foreign("duckdb").sql(f"SELECT count(*) FROM '{file}'").fetchall()[0][0] for file in files)


def read_sqlite(path):
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        return tuple(database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("nodes", "edges"))


READERS = {
    ".json": (read_with_networkx, read_with_d3),
    ".graphml": (read_graphml_with_igraph, read_graphml_with_graphology, read_graphml_with_networkx),
    ".gexf": (read_gexf_with_graphology, read_gexf_with_networkx),
    ".dot": (read_dot_with_graphviz, read_dot_strictly),
    ".csv": (read_csv_with_pandas, read_csv_with_duckdb),
    ".parquet": (read_parquet_with_polars, read_parquet_with_duckdb),
    ".sqlite": (read_sqlite,),
}
HAVE_LISTS = (read_gexf_with_graphology, read_parquet_with_polars)
TYPED = (".graphml", ".gexf", ".parquet")
CASES = [(suffix, read) for suffix, readers in READERS.items() for read in readers]
TOO_STRICT = {("hostile", read_dot_strictly), ("hostile", read_gexf_with_networkx)}  # of texts: their own limits


@pytest.mark.parametrize(("suffix", "read"), CASES, ids=lambda one: getattr(one, "__name__", one))
@pytest.mark.parametrize("name", GRAPHS)
def test_other_programs_find_the_same(tmp_path, name, suffix, read):
    if (name, read) in TOO_STRICT:
        return
    foreign("pyarrow" if suffix == ".parquet" else "")  # it writes the tables
    graph = GRAPHS[name]()
    read_nodes, read_edges = read(write_into(graph, tmp_path, suffix))
    nodes, edges = tables(graph, lists=read in HAVE_LISTS)
    assert read_nodes == len(nodes) or set(read_nodes) == set(nodes)
    assert read_edges == len(edges) or read_edges == set(edges)
    if name == "contract" and suffix in TYPED and isinstance(read_nodes, dict):
        for id_, attributes in nodes.items():  # a test below has the dates of Parquet
            names = [name for name in attributes if suffix != ".parquet" or not name.startswith("date")]
            assert {name: read_nodes[id_].get(name) for name in names} == {name: attributes[name] for name in names}


def test_graphviz_renders_the_dot(tmp_path):
    command = [program("dot", package="graphviz"), "-Tsvg", str(write_into(contract_graph(), tmp_path, ".dot"))]
    picture = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    assert picture.count('class="node"') == len(contract_graph())
    assert "https://p.example/strides?a=1&amp;b=2" in picture
    assert "javascript:" not in picture


def test_columns_of_csv_have_types(tmp_path):
    path = write_into(contract_graph(), tmp_path, ".csv").with_name("g.nodes.csv")
    table = foreign("pandas").read_csv(path, parse_dates=["date", "datetime"])
    assert [str(table[name].dtype).partition("[")[0] for name in ("date", "datetime")] == ["datetime64"] * 2
    assert table["duration"].sum() == 601 + 602 + 6003
    rows = foreign("duckdb").sql(f"SELECT date, datetime, number FROM '{path}' WHERE kind = 'episode'")
    assert [*map(str, rows.types)] == ["DATE", "TIMESTAMP WITH TIME ZONE", "BIGINT"]


def test_duckdb_finds_types_and_evidence_in_parquet(tmp_path):
    duckdb, _ = foreign("duckdb"), foreign("pyarrow")
    graph = contract_graph()
    write_into(graph, tmp_path, ".parquet")
    rows = duckdb.sql(f"SELECT date, duration, x, explicit, aliases FROM '{tmp_path}/g.nodes.parquet'")
    assert [*map(str, rows.types)] == ["DATE", "BIGINT", "DOUBLE", "BOOLEAN", "VARCHAR[]"]
    query = f"SELECT source, target, relation, weight, evidence, reasons FROM '{tmp_path}/g.edges.parquet'"
    rows = duckdb.sql(query).fetchall()
    assert rows == sorted(rows, key=lambda row: (row[1], row[0], row[2]))
    for *ends, weight, evidence, reasons in rows:
        edge = graph.edges[tuple(ends)]
        assert (weight, reasons) == (edge["weight"], edge.get("reasons"))
        pieces = [{name: value for name, value in item.items() if value is not None} for item in evidence or ()]
        assert pieces == edge.get("evidence", [])


# The episode, the artifact and its kind, the quote, the link of a citation.
CITED = {
    ("Strides", "o/r#7", "pull", "https://github.com/o/r/pull/7", "https://github.com/o/r/pull/7"),
    ("Strides", "vmap", "topic", "views", None),
}


def test_the_plain_name_is_one_table_of_citations(tmp_path):
    duckdb, pandas, polars, _ = foreign("duckdb"), foreign("pandas"), foreign("polars"), foreign("pyarrow")
    graph = contract_graph()
    path = write_into(graph, tmp_path, ".parquet")
    count = sum(len(evidence) for *_, evidence in graph.edges(data="evidence", default=()))
    columns = ["episode", "thing", "kind", "quote", "link"]
    frame = pandas.read_parquet(path)
    assert list(frame)[:6] == ["episode", "thing", "kind", "quote", "moment", "link"]
    readings = [
        [tuple(None if pandas.isna(value) else value for value in row) for row in frame[columns].itertuples(index=False)],
        polars.read_parquet(path).select(columns).rows(),
        duckdb.sql(f"SELECT {', '.join(columns)} FROM '{path}'").fetchall(),
    ]  # fmt: skip
    assert readings[0] == readings[1] == readings[2]
    assert (len(readings[0]), CITED - set(readings[0])) == (count, set())
    ids = set(polars.read_parquet(tmp_path / "g.nodes.parquet")["id"])
    assert set(frame["episode_id"]) | set(frame["thing_id"]) <= ids == set(graph)


def test_a_line_of_json_holds_an_episode(tmp_path):
    path = write_into(contract_graph(), tmp_path, ".jsonl")
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert list(foreign("pandas").read_json(path, lines=True)["id"]) == [line["id"] for line in lines]
    for line in lines:
        quotes = [quote for artifact in (*line["about"], *line["cites"]) for quote in artifact["quotes"]]
        for quote in quotes:
            assert line["text"][quote["start"] : quote["end"]] == quote["quote"]


def test_each_link_in_datasette_opens(tmp_path, sample):
    """What a visitor does first: the tables, their rows, and on from what these link to; then a search and a query."""
    app = foreign("datasette.app")
    database = write_into(sample, tmp_path, ".sqlite")

    async def visit():
        site = app.Datasette([str(database)])
        await site.invoke_startup()
        queue = [f"/g/{name}?_size=20" for name in ("nodes", "edges", "evidence", "episodes", "citations", "related")]
        for address in queue:  # it grows
            answer = await site.client.get(address)
            assert answer.status_code == 200, address
            links = [html.unescape(link) for link in re.findall(r'href="(/g/[^"]+)"', answer.text)]
            tables = re.compile(r"/g/(nodes|edges|evidence|episodes)/[^.?]")
            queue += [link for link in dict.fromkeys(links) if tables.match(link) and link not in queue][
                : 130 - len(queue)
            ]
        rows = (await site.client.get("/g/edges.json?_labels=on&_size=50")).json()["rows"]
        ends = [row[end] for row in rows for end in ("source", "target")]
        assert [end for end in ends if end["label"] in {None, "", end["value"]}] == []
        rows = (await site.client.get("/g/nodes.json?_search=functorch&_shape=objects")).json()["rows"]
        assert "topic:functorch" in {row["id"] for row in rows}
        return len(queue)

    # In a thread: where the tests of the browser ran before, this one has a loop of its own.
    with warnings.catch_warnings(action="ignore"), ThreadPoolExecutor(1) as thread:
        assert thread.submit(lambda: asyncio.run(visit())).result() >= 100


def test_falkordb_runs_the_script_twice(tmp_path):
    """Without the constraint, which is Neo4j's, and with its own name for a moment."""
    if sys.version_info < (3, 12):
        pytest.skip("no FalkorDBLite before Python 3.12: run with a later Python")
    client = foreign("redislite.falkordb_client")
    for name, make in GRAPHS.items():
        graph = make()
        database = client.FalkorDB(str(tmp_path / f"{name}.db")).select_graph("g")
        _, *script = statements(text_of(to_cypher, graph).replace("datetime(", "localdatetime(").replace("Z')", "')"))
        for _ in range(2):
            for statement in script:
                database.query(statement)
        assert database.query("MATCH (n) RETURN count(n)").result_set == [[len(graph)]]
        assert database.query("MATCH ()-[r]->() RETURN count(r)").result_set == [[graph.number_of_edges()]]
        nodes, _ = tables(graph, lists=True)
        for (node,) in database.query("MATCH (n) RETURN n").result_set:
            id_ = node.properties["id"]
            assert select_scalars(node.properties) == select_scalars(nodes[id_])
        if name == "contract":
            for condition in ("(e)-[r:ABOUT]->(:Topic {label: 'vmap'}) WHERE 'views' IN r.quotes",
                              "(e:Episode) WHERE e.date >= date('2024-01-01')"):  # fmt: skip
                assert database.query(f"MATCH {condition} RETURN e.title").result_set == [["Strides"]]


def select_scalars(properties):
    """Return the values that are neither lists nor dates."""
    names = properties.keys() - {"id", "date", "datetime"}
    return {name: properties[name] for name in names if not isinstance(properties[name], list)}


def statements(script):
    lines = [line for line in script.split("\n") if not line.startswith("//")]
    return [statement for statement in "\n".join(lines).split(";\n") if statement.strip()]


@pytest.mark.parametrize("name", [*GRAPHS, "sample"])
def test_obsidian_finds_each_note_of_the_vault_and_no_dead_link(tmp_path, sample, name):
    graph = sample if name == "sample" else GRAPHS[name]()
    vault = foreign("obsidiantools.api").Vault(write_into(graph, tmp_path, ".vault")).connect().gather()
    assert vault.nonexistent_notes == []
    ids = {vault.get_front_matter(note)["podgraph_id"] for note in vault.md_file_index}
    nodes, _ = tables(graph)
    assert ids == ids & nodes.keys() | {"podgraph:index"}
    assert ids >= {id_ for id_, values in nodes.items() if values.get("kind") in {"episode", "topic", "podcast"}}
    for node in ids if name == "sample" else ():
        if sample.nodes.get(node, {}).get("kind") in {"pull", "issue", "docs", "file"}:
            edges = sample.in_edges(node, keys=True)
            assert len({source for source, _, relation in edges if relation in {"cites", "mentions"}}) > 1, node


@pytest.mark.parametrize(("name", "count"), [("contract", 5), ("hostile", 25)])
def test_bibtexparser_reads_the_entries(tmp_path, name, count):
    parser = foreign("bibtexparser")
    text = write_into(GRAPHS[name](), tmp_path, ".bib").read_text("utf-8")
    library = parser.parse_string(text)
    assert library.failed_blocks == []
    assert len(library.entries) == len(library.entries_dict) == count == text.count("\n}\n")
    if name == "contract":
        fields = library.entries_dict["bracearxiv"].fields_dict
        assert fields["eprint"].value == "1905.12322"
        assert fields["author"].value == "{A \\textbraceleft{}Brace\\textbraceright{}}"


def test_the_plain_style_has_nothing_to_complain_of(tmp_path, sample):
    """What BibTeX warns of: a repeated key, no author to sort by, nothing to show of a ``@misc``."""
    foreign("pybtex")
    from pybtex import errors
    from pybtex.database import parse_file
    from pybtex.plugin import find_plugin

    for name, graph in {"contract": contract_graph(), "hostile": hostile_graph(), "snapshot": sample}.items():
        with errors.capture() as problems:
            entries = parse_file(write_into(graph, tmp_path, ".bib"), "bibtex").entries
            lines = list(find_plugin("pybtex.style.formatting", "plain")().format_entries(entries.values()))
        assert problems == []
        assert len(lines) == len(entries) > 0, name
        for entry in entries.values():
            assert entry.persons.get("author") or entry.fields["key"]
            assert entry.fields["title"] != "{}" or name == "hostile"
