"""Questions asked of a SQLite file by its indexes have the answers of the whole; what is none of ours is one line."""

import random
import sqlite3
from collections import Counter
from contextlib import closing
from functools import partial

import networkx
import pytest

import podgraph
from podgraph.extractors import PodgraphError, SourceError
from podgraph.graph import (
    Adjacency,
    Which,
    cites,
    find_nodes,
    find_paths,
    link_health,
    list_nodes,
    names_words,
    order,
    path,
    related,
    resolve_episode,
    resolve_node,
    resolve_reference,
    search,
    stats,
)
from podgraph.graph.queries import search as search_module
from podgraph.output.cli import main
from podgraph.output.formats import read_graph, write_graph
from podgraph.output.formats.shared import sqlite_tables, sqlite_view
from podgraph.output.formats.shared.sqlite_tables import token, word_of
from podgraph.output.formats.shared.sqlite_view import SqliteView
from podgraph.output.pipeline import snapshot_graph

from ...browser.synthetic_graph import synthetic_graph
from ..graphs import contract_graph

ODD = {
    "topic:å": {"label": "Ånström ﬁlter", "aliases": ["ｆｕｌｌ width", "学習率", "STRASSE", "e\u0301tude"]},
    "symbol:a.b::c.vmap": {"kind": "symbol", "label": "c.vmap"},
    "symbol:x::vmap": {"kind": "symbol", "label": "x::vmap"},
    "github:o/r:src/deep/Device.h": {"kind": "file", "path": "src/deep/Device.h", "label": "Device.h"},
    "github:o/r#7": {"kind": "pull", "number": 7, "label": "o/r#7"},
    "episode:p/1": {
        "kind": "episode",
        "title": "Straße & C++",
        "number": 7,
        "podcast": "podcast:p",
        "summary": "学習率 x_y",
    },
    "episode:p/two": {
        "kind": "episode",
        "title": "Étude, part two",
        "url": "https://p.example/two",
        "podcast": "podcast:p",
    },
    "blog:b.example/x": {"kind": "blog", "label": "Straße", "url": "https://b.example/x"},
    "ticket:42": {"kind": "ticket", "label": "TICKET-42", "url": "https://tickets.example/42/"},
}


def odd_graph():
    graph = networkx.MultiDiGraph(schema=1, generator="podgraph 0", transcripts=3)
    for id_ in sorted(ODD):
        graph.add_node(id_, **{"kind": "topic", **ODD[id_]})
    graph.add_edge("episode:p/1", "topic:å", "about", weight=1.5)
    proof = {"quote": "there", "field": "notes", "mood": "good"}
    graph.add_edge("episode:p/two", "blog:b.example/x", "cites", weight=1, boilerplate=True, evidence=[proof])
    said = {"quote": "a filtre for zebras", "field": "transcript", "method": "transcript", "time": 61}
    graph.add_edge("episode:p/two", "topic:å", "about", weight=1.0, evidence=[said])
    for number in range(3, 9):  # a chain of four, each cited by one alone, and two more
        graph.add_node(f"episode:p/{number}", kind="episode", title=f"Chain {number}", podcast="podcast:p")
    for number in (3, 4, 5, 7):
        graph.add_edge(f"episode:p/{number}", f"episode:p/{number + 1}", "see_also")
    for number in (3, 4, 5):
        graph.add_edge(f"episode:p/{number}", "ticket:42", "cites", boilerplate=number < 5, reasons=["till", "shop"])
    return graph


GRAPHS = {
    "snapshot": snapshot_graph,
    "made": lambda: synthetic_graph(120, 300),
    "odd": odd_graph,
    "small": contract_graph,
}


@pytest.fixture(scope="module", params=GRAPHS)
def views(request, tmp_path_factory):
    """Give the whole of a graph in memory, and its SQLite file."""
    path = tmp_path_factory.mktemp("sqlite") / "g.sqlite"
    write_graph(GRAPHS[request.param](), path)
    graph = read_graph(path)
    with SqliteView(path) as view:
        yield Adjacency.of_graph(networkx.relabel_nodes(_sorted(graph), {})), view


def _sorted(graph):
    other = networkx.MultiDiGraph(**graph.graph)
    other.add_nodes_from(sorted(graph.nodes(data=True)))
    other.add_edges_from(graph.edges(keys=True, data=True))
    return other


def asked_of(view):
    """Return what people might ask: names, parts and slips of them, what is not there."""
    rng = random.Random(1)
    nodes = [*view.nodes()]
    asked = [
        "vmap",
        "nothing at all",
        "7",
        "#7",
        "0",
        "é",
        "学習",
        "part",
        "x",
        "Device.h",
        "deep/Device.h",
        "c.vmap",
        "a",
        "art, part",
        "raße & C++",
        '"part two"',
        "zebra",
        "filtre",
        f"part {chr(0x10D00)}",
        'a"b-c.cpp',
    ]
    for id_, node in rng.sample(nodes, min(12, len(nodes))):
        label = str(node.get("title") or node.get("label") or id_)
        words = label.split() or ["x"]
        asked += [id_, label, label.lower(), words[-1], words[0][:4], words[0][1:5], label[: len(label) // 2]]
        asked += [str(node.get("url", "")), f"{words[0][:2]}q{words[0][3:]}", f"{words[-1]} {words[0]}", f'"{label}"']
    return [*dict.fromkeys(filter(str.strip, asked))]


def answer(ask, *arguments):
    try:
        return ask(*arguments)
    except PodgraphError as error:
        return str(error)


@pytest.mark.parametrize("ask", [cites, resolve_reference, resolve_episode, resolve_node])
def test_references_mean_the_same(views, ask):
    whole, view = views
    for text in asked_of(whole):
        assert answer(ask, text, view) == answer(ask, text, whole), text


@pytest.mark.parametrize("name", ["g.sqlite", "g.json"])
def test_what_a_package_brought_is_found_by_its_address(tmp_path, name):
    write_graph(odd_graph(), tmp_path / name)
    with podgraph.open(tmp_path / name) as graph:
        assert graph.cites("https://tickets.example/42").raw.target.nodes == ("ticket:42",)


def test_search_finds_the_same(views, monkeypatch):
    monkeypatch.setattr(search_module, "BUDGET", 10_000)
    whole, view = views
    for text in asked_of(whole):
        assert find_nodes(text, view, 0) == find_nodes(text, whole, 0), text


def told(ask):
    """Return an answer as values that can be compared."""
    answer_ = answer(ask)
    return answer_.to_dict() if hasattr(answer_, "to_dict") else answer_


@pytest.mark.parametrize("with_boilerplate", [False, True])
def test_figures_and_lists_are_the_same(views, with_boilerplate):
    whole, view = views
    for most in (0, 3):
        figures = [stats(one, with_boilerplate=with_boilerplate, most=most) for one in views]
        assert figures[0] == figures[1]
    assert link_health(view) == link_health(whole)
    first = next((id_ for id_, _ in whole.nodes("topic")), "")
    wishes = [{}, {"sort": "title"}, {"sort": "number"}, {"which": Which(limit=2)}, {"which": Which(since="2024")}]
    wishes += [{"year": 2021}, {"repo": "lab1/project1"}, {"repo": "pytorch/pytorch"}, {"status": "unknown"}]
    wishes += [{"topic": first}, {"state": "open"}, {"which": Which(podcast="podcast:p")}]
    for kind in ("episodes", "pulls", "topics", "posts", "podcasts", "artifacts"):
        for wish in wishes:
            asked = [partial(list_nodes, kind, one, with_boilerplate=with_boilerplate, **wish) for one in (view, whole)]
            assert told(asked[0]) == told(asked[1]), (kind, wish)


def test_ways_and_orders_are_the_same(views):
    whole, view = views
    rng = random.Random(2)
    nodes = sorted(id_ for id_, _ in whole.nodes())
    for _ in range(8):
        first, last = rng.choice(nodes), rng.choice(nodes)
        for k in (1, 3):
            assert find_paths(view, first, last, k) == find_paths(whole, first, last, k), (first, last)
    assert order("", view) == order("", whole)
    for topic in [id_ for id_, _ in whole.nodes("topic")][:10]:
        assert told(partial(order, topic, view, topic=True)) == told(partial(order, topic, whole, topic=True))


@pytest.fixture(scope="module")
def sizes(tmp_path_factory):
    """Give two files of a made graph, the second four times as large as the first."""
    folder = tmp_path_factory.mktemp("sizes")
    for times in (1, 4):
        write_graph(synthetic_graph(200 * times, 600 * times, 60 * times), folder / f"{times}.sqlite")
    return folder


@pytest.mark.parametrize(
    ("ask", "most"),
    [
        (lambda view: path("2", "7", view), 3.5),
        (lambda view: related("7", view), 1.3),
        (lambda view: order("dispatcher 0", view), 1.3),
        (lambda view: cites("src/nothing.py", view), 1.3),
        (lambda view: resolve_node("storage 3", view), 1.3),
        (lambda view: search("dispatcher tensor", view), 4),
        (lambda view: list_nodes("pulls", view), 4.2),
        (stats, 4.4),
    ],
    ids=["path", "related", "order", "not there", "by a name", "two frequent words", "list", "stats"],
)
def test_what_a_question_reads_does_not_grow_with_the_file(sizes, monkeypatch, ask, most):
    """Count the steps of SQLite's machine, and the bytes of JSON that are parsed."""
    spent = {}
    for times in (1, 4):
        steps = Counter()

        def count(database, _, steps=steps):
            database.set_progress_handler(lambda: steps.update(all=1), 100)

        monkeypatch.setattr(sqlite_view, "limit_query", count)
        with SqliteView(sizes / f"{times}.sqlite") as view:
            answer(ask, view)
        spent[times] = steps["all"]
    assert spent[4] <= most * spent[1] + 20, spent


def test_a_search_for_a_frequent_word_says_that_it_reads_the_first(sizes, monkeypatch, capsys):
    whole = Adjacency.of_graph(_sorted(read_graph(sizes / "1.sqlite")))
    best = [one.id for one in search("dispatcher", whole)[:5]]
    monkeypatch.setattr(search_module, "BUDGET", 30)
    with SqliteView(sizes / "1.sqlite") as view:
        found = search("dispatcher", view)
    assert found.is_cut
    assert [one.id for one in found[:5]] == best
    assert main(["search", "dispatcher", "-n", "2", "-g", str(sizes / "1.sqlite")]) == 0
    assert "podgraph: 2 of the first " in capsys.readouterr().err


@pytest.mark.parametrize(("part", "slug"), [("tude, pa", ""), ("nothing so", "two"), ("ude", "nothing-so")])
def test_a_part_of_a_title_is_found(tmp_path, part, slug):
    write_graph(odd_graph(), tmp_path / "g.sqlite")
    with SqliteView(tmp_path / "g.sqlite") as view:
        assert [id_ for id_, _ in view.titled(part, slug)] == ["episode:p/two"]


@pytest.mark.parametrize("version", [1, 3])
def test_an_older_file_has_to_be_built_again(tmp_path, version):
    path = tmp_path / "old.sqlite"
    write_graph(contract_graph(), path)
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version={version}")
    for open_ in (SqliteView, read_graph):
        with pytest.raises(
            SourceError, match=rf"is of an older podgraph \(tables of version {version}\); build it again"
        ):
            open_(path)


WITH_LETTERS = [("devcie", 2), ("devic", 1), ("deviceh", 1), ("fillter", 1), ("a", 0), ("aaaa", 1), ("strasse", 2)]


@pytest.mark.parametrize(("word", "slips"), WITH_LETTERS)
def test_words_like_another_have_its_length_and_letters_but_for_the_slips(tmp_path, word, slips):
    write_graph(odd_graph(), tmp_path / "g.sqlite")
    every = names_words(Adjacency.of_graph(odd_graph()).nodes())
    near = {
        other: count
        for other, count in every.items()
        if abs(len(other) - len(word)) <= slips and len(set(word) - set(other)) <= slips
    }
    with SqliteView(tmp_path / "g.sqlite") as view:
        assert view.words_like(word, slips) == near


@pytest.mark.parametrize("most", [1, 2, 200])
@pytest.mark.parametrize("text", ["evic", "evice", "raße", "map", "rase", "c", "iss", "tu"])
def test_what_stands_inside_words_is_found(tmp_path, text, most, monkeypatch):
    monkeypatch.setattr(sqlite_view, "_AT_ONCE", most)
    write_graph(odd_graph(), tmp_path / "g.sqlite")
    with SqliteView(tmp_path / "g.sqlite") as view:
        assert find_nodes(text, view, 0) == find_nodes(text, Adjacency.of_graph(odd_graph()), 0)


DEVICE, VMAPS = "github:o/r:src/deep/Device.h", ["symbol:a.b::c.vmap", "symbol:x::vmap"]
HELD = [
    ("aliases", ["full"], "", ["topic:å"]),
    ("label", ["filter", "vmap"], "", [*VMAPS, "topic:å"]),
    ("id", [], "devi", [DEVICE]),
    ("id", ["zz", "device"], "", [DEVICE]),
    ("notes", ["device"], "", []),
]


@pytest.mark.parametrize(("field", "words", "start", "ids"), HELD)
def test_nodes_that_hold_words_are_found_and_nothing_else_is_read(tmp_path, field, words, start, ids):
    write_graph(odd_graph(), tmp_path / "g.sqlite")
    with SqliteView(tmp_path / "g.sqlite") as view:
        assert sorted(map(view.id_of, view.holding(field, words, start))) == ids
        whole = Adjacency.of_graph(odd_graph()).words()
        assert sorted(whole.holding(field, words, start)) == ids


LATE = chr(0x10D00)  # a letter since Unicode 11


@pytest.mark.parametrize(("word", "kept"), [("vmap", True), ("dé", True), (f"d{LATE}x", False), ("zzxq61", False)])
def test_a_word_with_a_letter_that_sqlite_may_not_know_is_kept_as_bytes(word, kept):
    assert (token(word) == word) == kept
    assert word_of(token(word)) == word


@pytest.mark.parametrize("made", [odd_graph, contract_graph])
def test_nodes_and_edges_are_those_of_the_whole(tmp_path, made):
    path = tmp_path / "what? #1, 5%41.sqlite"
    write_graph(made(), path)
    whole = Adjacency.of_graph(_sorted(read_graph(path)))
    with SqliteView(path) as view:
        assert dict(view.nodes()) == dict(whole.nodes())
        assert dict(view.nodes("topic", "file")) == dict(whole.nodes("topic", "file"))
        assert list(view.nodes("\udcff")) == []
        assert view.counts() == whole.counts()
        assert view.transcripts == whole.transcripts == made().graph.get("transcripts", 0)
        for id_ in [*dict(whole.nodes()), "nothing"]:
            assert view.node(id_) == whole.node(id_)
            assert view.edges_from(id_) == list(whole.edges_from(id_))
            assert view.edges_to(id_) == list(whole.edges_to(id_))
            for relation in ("about", "cites", "none"):
                assert view.is_target(id_, relation) == whole.is_target(id_, relation)
            for size in (1, 6, len(id_)):
                assert list(view.under(id_[:size])) == list(whole.under(id_[:size]))


STRANGE = {
    "a view": "DROP TABLE about; ALTER TABLE nodes RENAME TO was; CREATE VIEW nodes AS SELECT * FROM was",
    "an endless view": "ALTER TABLE nodes RENAME TO was; CREATE VIEW nodes AS WITH RECURSIVE x(n) AS "
    "(SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT n, 'a' AS id, 'topic' AS kind, '{}' AS attributes FROM x",
    "a view of words": "DROP TABLE terms; CREATE VIEW terms AS SELECT 1 AS term, 2 AS names",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON nodes BEGIN DELETE FROM edges; END",
    "another program's": "PRAGMA application_id=7",
    "a newer podgraph's": "PRAGMA user_version=99",
    "a table that is none": "DROP TABLE about; CREATE TABLE about (name)",
    "settings that are no JSON": "DELETE FROM about; INSERT INTO about VALUES ('kinds', '[[')",
}


NEWER = "DELETE FROM about; INSERT INTO about VALUES ('schema', '3')"


@pytest.mark.parametrize(
    ("change", "doors"),
    [*((change, (SqliteView, read_graph)) for change in STRANGE.values()), (NEWER, (SqliteView,))],
    ids=[*STRANGE, "a newer one"],
)
def test_what_a_stranger_made_is_refused_and_closed(tmp_path, change, doors, monkeypatch):
    path = tmp_path / "strange #?%41.sqlite"
    write_graph(contract_graph(), path)
    with closing(sqlite3.connect(path)) as database:
        database.executescript(change)
    opened = []
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **named: opened.append(connect(*args, **named)) or opened[-1])
    for open_ in doors:
        with pytest.raises(
            SourceError, match=r"sqlite: (has a view|has a trigger|is not a graph|cannot be read|is of a newer)"
        ):
            open_(path)
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            opened.pop().execute("SELECT 1")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE nodes SET attributes = '[1]'",
        "UPDATE nodes SET attributes = 'x{'",
        "UPDATE nodes SET attributes = 5",
        "UPDATE nodes SET label = x'ff00', title = 7",
        "UPDATE edges SET reasons = '{', attributes = 'no'",
        "DELETE FROM about; INSERT INTO about VALUES ('kinds', '[[')",
        "DROP TABLE nodes",
        "UPDATE nodes SET label = zeroblob(70000000)",
        "UPDATE terms SET names = 'many'",
        "ALTER TABLE evidence RENAME COLUMN quote TO q",
    ],
)
def test_damage_is_one_line(tmp_path, change, capsys):
    path = tmp_path / "g.sqlite"
    write_graph(contract_graph(), path)
    with closing(sqlite3.connect(path)) as database:
        database.executescript(change)
    for words in (
        ["show", "vmap"],
        ["search", "vmap"],
        ["search", "vmpaa"],
        ["list", "episodes"],
        ["cites", "vmap"],
        ["stats"],
    ):
        status = main([*words, "-g", str(path)])
        told = capsys.readouterr().err
        assert status in (0, 1, 2)
        assert "should not happen" not in told


@pytest.mark.parametrize("old", [b"CREATE TABLE nodes", b"CREATE TABLE evidence"])
def test_a_damaged_schema_is_one_line(old, tmp_path, capsys):
    write_graph(contract_graph(), tmp_path / "g.sqlite")
    data = (tmp_path / "g.sqlite").read_bytes()
    assert old in data
    (tmp_path / "g.sqlite").write_bytes(data.replace(old, old[:-3] + b"\xd8\xa6 "))
    assert main(["stats", "-g", str(tmp_path / "g.sqlite")]) == 2
    err = capsys.readouterr().err
    assert "cannot be read (" in err
    assert err.count("\n") == 1


def test_what_is_no_graph_is_not_opened(tmp_path):
    (tmp_path / "g.sqlite").write_text("no graph at all\n", "utf-8")
    with pytest.raises(SourceError, match=r"sqlite: is not a graph of podgraph; give a file that podgraph wrote"):
        sqlite_tables.open_database(tmp_path / "g.sqlite")
    with pytest.raises(SourceError, match="does not exist"):
        sqlite_tables.open_database(tmp_path / "nothing.sqlite")


def test_a_stranger_s_file_has_no_functions_run_and_is_never_written(tmp_path):
    write_graph(contract_graph(), tmp_path / "g.sqlite")
    with closing(sqlite_tables.open_database(tmp_path / "g.sqlite")) as database:
        assert [database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("trusted_schema", "query_only")] == [0, 1]


DAMAGED = [
    ("UPDATE nodes SET attributes = '{\"label\": 5}'", lambda view: view.node("topic:vmap")),
    ("UPDATE nodes SET attributes = '[1]'", lambda view: [*view.nodes("topic")]),
    ("UPDATE nodes SET attributes = 'x{'", lambda view: [*view.titled("vmap", "")]),
    ("UPDATE edges SET reasons = '{'", lambda view: view.edges_to("podcast:p")),
    ("UPDATE edges SET attributes = '{\"evidence\": 5}'", lambda view: view.edges_from("topic:vmap")),
    ("UPDATE evidence SET attributes = 'no'", lambda view: view.edges_from("episode:p/strides")),
    ("UPDATE terms SET names = '1x'", lambda view: view.words_like("vmpa", 1)),
    ("DROP TABLE nodes", lambda view: view.size()),
]


@pytest.mark.parametrize(("change", "ask"), DAMAGED, ids=[change for change, _ in DAMAGED])
def test_what_is_damaged_or_closed_is_told_when_it_is_asked_for(tmp_path, change, ask):
    write_graph(contract_graph(), tmp_path / "g.sqlite")
    with SqliteView(tmp_path / "g.sqlite") as view:
        ask(view)
    with pytest.raises(SourceError, match=r"sqlite: cannot be read \(.*closed"):
        ask(view)
    with closing(sqlite3.connect(tmp_path / "g.sqlite")) as database:
        database.executescript(change)
    with SqliteView(tmp_path / "g.sqlite") as view, pytest.raises(SourceError, match=r"sqlite: cannot be read \("):
        ask(view)


def test_each_question_has_time_of_its_own(tmp_path, monkeypatch):
    path = tmp_path / "g.sqlite"
    write_graph(contract_graph(), path)
    monkeypatch.setattr(sqlite_tables, "_STEPS", 5000 - 100 * path.stat().st_size)
    monkeypatch.setattr(sqlite_tables, "_ONE_STEP", 1)
    with SqliteView(path) as view:
        assert {len([*view.under("topic:")]) for _ in range(1000)} == {2}


def test_a_query_without_end_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite_tables, "_STEPS", 1)
    path = tmp_path / "g.sqlite"
    write_graph(contract_graph(), path)
    counting = "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x {}) SELECT count(*) FROM x"
    with closing(sqlite_tables.open_database(path)) as database:
        for _ in range(2):
            with pytest.raises(sqlite3.OperationalError, match="interrupted"):
                database.execute(counting.format("")).fetchone()
            sqlite_tables.limit_query(database, 0)
        sqlite_tables.limit_query(database, 1 << 20)  # a large file may take more
        assert database.execute(counting.format("LIMIT 300000")).fetchone() == (300_000,)


def test_reading_a_database_in_wal_mode_leaves_no_files(tmp_path):
    path = tmp_path / "x.sqlite"
    write_graph(contract_graph(), path)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA journal_mode=WAL").fetchone() == ("wal",)
    assert [file.name for file in tmp_path.iterdir()] == ["x.sqlite"]
    with closing(sqlite_tables.open_database(path)) as database:
        assert database.execute("SELECT count(*) FROM nodes").fetchone()[0]
        assert [file.name for file in tmp_path.iterdir()] == ["x.sqlite"]
