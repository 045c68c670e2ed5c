"""Shows built each by itself, merged into one graph, and read as tables by show."""

import gc
import re
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import networkx
import pytest

import podgraph
from podgraph.output.large.merging import merge_stores
from podgraph.output.large.shows import build_shows
from podgraph.output.opening import open_store
from tests.output.running import run

COUNT, EACH = 20, 3  # shows, items of each
# Ann has one profile in all shows, Bob a name alone; every show has a page of another, and three share a paper.
ITEM = (
    "<item><title>{n}: On weft {show} with Bob Weaver</title><guid>{show}-{n}</guid><link>https://show{show}.example/{n}</link>"
    "<enclosure url='https://show{show}.example/{n}.mp3' type='audio/mpeg'/><pubDate>0{n} Nov 2021 06:00:00 +0000</pubDate><description><![CDATA[<p>Our guest is Bob Weaver. After "
    "<a href='https://show{other}.example/1'>that show</a>: https://docs.example/shed{n} and "
    "https://docs.example/of{show}, <a href='https://github.com/weavers/loom/pull/{n}'>a change</a>, the commits "
    "https://github.com/weavers/loom/commit/{short} and torch.vmap; "
    "<a href='https://github.com/annex'>Ann Example</a> and https://arxiv.org/abs/1905.1{paper:04}.</p>]]></description></item>"
)
SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the feeds of the shows and a list of them."""
    folder = tmp_path_factory.mktemp("shows")
    for show in range(COUNT):
        write_show(folder, show, range(1, EACH + 1))
    (folder / "list.txt").write_text("\n".join(f"{show}.xml" for show in range(COUNT)), "utf-8")
    return folder


def write_show(folder, show, numbers, title=""):
    items = "".join(
        ITEM.format(n=n, show=show, other=(show + 7) % COUNT, short=SHA[: 10 + 30 * (show % 2)], paper=show // 3)
        for n in numbers
    )
    text = f'<rss version="2.0"><channel><title>{title or f"Show {show}"}</title>{items}</channel></rss>'
    (folder / f"{show}.xml").write_text(text, "utf-8")


@pytest.fixture(scope="module")
def shows(folder):
    """The folder of the graphs, one a show."""
    results = list(build_shows([str(folder / "list.txt")], folder / "shows", jobs=2))
    assert [Path(show.file).name for show in results] == [f"show-{number}.sqlite" for number in range(COUNT)]
    return folder / "shows"


def count_graphs():
    return sum(isinstance(each, networkx.MultiDiGraph) for each in gc.get_objects())


def test_a_process_keeps_the_graph_of_one_show_at_most(folder, tmp_path):
    gc.collect()
    gc.disable()
    others = count_graphs()  # of the tests before this one
    try:
        list(build_shows([str(folder / f"{show}.xml") for show in range(4)], tmp_path, jobs=1))
        assert count_graphs() <= others + 1
    finally:
        gc.enable()


def describe(store):
    """Return the ids, and the evidence of the edges that are not computed over all episodes."""
    edges = {tuple(edge[:3]): edge.attributes.get("evidence") for edge in store.all_edges() if edge[2] != "related"}
    return {id_ for id_, _ in store.all_nodes()}, edges


def merge(files):
    return merge_stores(map(open_store, sorted(files)))


def test_merged_shows_are_a_joint_build_but_for_persons_of_one_name(folder, shows):
    ids, edges = describe(podgraph.build(folder / "list.txt", offline=True).store)
    merged_ids, merged_edges = describe(merge(shows.glob("*.sqlite")))
    assert Counter(id_.partition(":")[0] for id_ in ids - merged_ids) == {"person": COUNT - 1}
    assert merged_ids <= ids
    of_persons = {edge for edge in edges.keys() ^ merged_edges.keys() if "person" in edge[1]}
    assert edges.keys() ^ merged_edges.keys() == of_persons
    assert len(of_persons) == 2 * (COUNT - 1) * EACH
    assert [edge for edge in edges.keys() & merged_edges.keys() if edges[edge] != merged_edges[edge]] == []


def test_a_merged_graph_is_an_ordinary_graph(shows, tmp_path, capsys):
    graph = podgraph.merge([podgraph.open(file) for file in sorted(shows.glob("*.sqlite"))])
    across = [row for row in graph.related("episode:show-1/1-on-weft-1-with-bob-weaver") if "show-1/" not in row["id"]]
    assert across
    assert across[0]["reasons"] == ["both cite arXiv:1905.10000"]
    assert graph["Bob Weaver"]["kind"] == "person"
    assert f"github:weavers/loom@{SHA}" in graph
    assert all({"rank", "x"} <= row.keys() for row in graph.nodes("episode"))
    files = [str(shows / f"show-{number}.sqlite") for number in range(3)]
    targets = [str(tmp_path / name) for name in ("all.sqlite", "all.html")]
    assert run(capsys, "merge", *files, "-o", targets[0], "-o", targets[1])[0] == 0
    assert run(capsys, "diff", targets[0], targets[0], "--exit-code")[0] == 0
    assert list(tmp_path.glob(".*")) == []


def test_a_graph_too_large_for_a_map_keeps_the_ranks_of_its_parts(shows, monkeypatch):
    monkeypatch.setattr("podgraph.output.large.merging.graphs.MOST_PLACED", 1)
    ranks = [node["rank"] for _, node in merge(shows.glob("*.sqlite")).all_nodes() if "rank" in node]
    assert ranks
    assert 0 < min(ranks) <= max(ranks) < 1


@pytest.mark.skipif(sys.platform != "linux", reason="limits and processes of Linux")
def test_a_kill_two_merges_at_once_and_a_full_disk_lose_nothing(folder, shows, tmp_path):
    def start(words, limit="unlimited"):
        command = f"ulimit -f {limit}; exec {sys.executable} -m podgraph {words}"
        return subprocess.Popen(["bash", "-c", command], cwd=tmp_path, stderr=subprocess.PIPE, text=True)

    build, merge_all = f"build {folder}/list.txt -o shows/ --offline --jobs 2", "merge shows/*.sqlite -o all.sqlite"
    with start(build) as process:
        while not list(tmp_path.glob("shows/*.sqlite")):
            time.sleep(0.01)
        process.kill()
    with start(build) as process:
        counts = {word: int(count) for count, word in re.findall(r"(\d+) (built|unchanged)", process.communicate()[1])}
    assert (sum(counts.values()), "unchanged" in counts) == (COUNT, True)
    assert describe(merge(tmp_path.glob("shows/*.sqlite"))) == describe(merge(shows.glob("*.sqlite")))
    with start(merge_all) as one, start(merge_all) as other:
        assert [process.communicate()[1] for process in (one, other)] == ["podgraph: wrote all.sqlite\n"] * 2
    before = (tmp_path / "all.sqlite").read_bytes()
    with start(merge_all, limit=200) as process:  # kilobytes
        err = process.communicate()[1]
    assert (process.returncode, err.count("\n"), "cannot be written: " in err) == (2, 1, True)
    assert (tmp_path / "all.sqlite").read_bytes() == before


def test_an_unchanged_show_is_left_and_a_damaged_one_is_a_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for show in range(3):
        write_show(tmp_path, show, [1], title="One name" if show else "")
    (tmp_path / "list.txt").write_text("0.xml\n1.xml\n2.xml\nnone.xml\n/etc/passwd\n", "utf-8")

    def build(*words):
        status, out, err = run(capsys, "build", "list.txt", "-o", "shows/", "--offline", "--jobs", "1", *words)
        assert (status, out) == (2, "")
        return err

    assert "5 shows: 3 built, 2 left out" in build()
    assert {*Path("shows").iterdir()} == {Path(f"shows/{name}.sqlite") for name in ("one-name-2", "one-name", "show-0")}
    write_show(tmp_path, 1, [1, 2], title="One name")
    Path("shows/show-0.sqlite").write_bytes(b"damaged")
    lines = build().splitlines()
    names = [line.removeprefix("podgraph: wrote shows/") for line in lines if "wrote" in line]
    assert names == ["show-0-2.sqlite", "one-name.sqlite"]
    assert "left out: none.xml: there is no such file; check the path, or give a feed's address" in lines[2]
    assert "/etc/passwd: is outside the folder" in lines[3]
    assert lines[-1].endswith("5 shows: 2 built, 1 unchanged, 2 left out")
    assert "3 built" in build("--force")
    status, _, err = run(capsys, "merge", "shows/show-0.sqlite", "shows/one-name.sqlite", "-o", "all.sqlite")
    assert (status, err.count("\n"), Path("all.sqlite").exists()) == (2, 1, False)


def test_the_workers_of_a_cluster_build_the_same(folder, shows, tmp_path):
    dask = pytest.importorskip("distributed")
    options = {"processes": False, "protocol": "tcp://", "host": "127.0.0.1", "dashboard_address": None}
    with dask.LocalCluster(n_workers=1, threads_per_worker=1, **options) as cluster:
        sources = [str(folder / f"{number}.xml") for number in range(2)]
        results = list(build_shows([*sources, "none.xml"], tmp_path, scheduler=cluster.scheduler_address))
    assert [bool(show.error) for show in results] == [False, False, True]
    for show in results[:2]:
        assert Path(show.file).read_bytes()[100:] == (shows / Path(show.file).name).read_bytes()[100:]


def test_private_feeds_stay_out_of_public_graphs(shows, tmp_path, capsys):
    files = [tmp_path / "a.sqlite", shows / "show-0.sqlite"]
    files[0].write_bytes((shows / "show-1.sqlite").read_bytes())
    with closing(sqlite3.connect(files[0])) as database, database:
        change = "json_set(value, '$[0].private', json('true'))"
        database.execute(f"UPDATE about SET value = {change} WHERE name = 'sources'")
    words = ["merge", *map(str, files), "-o", str(tmp_path / "all.sqlite")]
    status, _, err = run(capsys, *words)
    assert (status, "Show 1: is private, and would be merged into a public graph" in err) == (2, True)
    assert run(capsys, *words, "--publish-private")[0] == 0


def test_tables_by_show_are_read_by_duckdb(shows, tmp_path, capsys):
    duckdb = pytest.importorskip("duckdb", reason="no duckdb: pip install duckdb")
    target = tmp_path / "all.parquet"
    for _ in range(2):
        assert run(capsys, "export", f"{target}/", "-g", str(shows / "show-3.sqlite"))[0] == 0
    with open_store(shows / "show-3.sqlite") as store:
        for table in ("nodes", "edges", "evidence"):
            query = f"SELECT count(*), count(DISTINCT slug) FROM read_parquet('{target}/{table}/*/*.parquet')"
            count = store.value(f"SELECT count(*) FROM {table}")
            assert duckdb.sql(query).fetchall() == [(count, 1 + (table != "evidence"))]
    (target / "mine.txt").write_text("mine")
    assert "mine.txt: has other files" in run(capsys, "export", f"{target}/", "-g", str(shows / "show-3.sqlite"))[2]
