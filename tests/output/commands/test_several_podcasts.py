"""Questions to a graph of two shows and a blog: whose episode it is, its day, its length."""

from datetime import datetime

import pytest

from podgraph.extractors import Episode, Feed, builtin_vocabulary, extract
from podgraph.graph import build_graph, enrich_graph, wording_of
from podgraph.output.cli import main
from podgraph.output.formats import write_graph


def episode(show, slug, title, notes, date, **more):
    day = datetime.fromisoformat(date) if date else None
    return Episode(f"episode:{show}/{slug}", "episode", f"podcast:{show}", title, notes, date=day, **more)


OVENS = (
    episode("ovens", "vmap", "vmap at home", "vmap https://o.org/x", "2021-02-01", duration=601, number=1),
    episode("ovens", "graphs", "CUDA graphs", "CUDA graphs, vmap", "2022-03-01", duration=5, number=2),
)
MILLS = (
    episode("mills", "vmap", "vmap in depth", "vmap https://o.org/x https://m.org/y", "2021-05-01", duration=3599),
    episode("mills", "untold", "Untold", "", ""),
)
POST = (
    Episode(
        "blog:b.org/one",
        "blog",
        "",
        "A post",
        "vmap https://o.org/x",
        url="https://b.org/one",
        date=datetime.fromisoformat("2020-01-02"),
    ),
)
FEEDS = [
    Feed("o", "podcast", "podcast:ovens", "All Ovens", OVENS),
    Feed("m", "podcast", "podcast:mills", "Mills and Ovens", MILLS),
    Feed("b", "blog", "", "B", POST),
]


def saved(path, feeds):
    found = extract(feeds)
    graph = build_graph(feeds, found)
    enrich_graph(graph, builtin_vocabulary(), wording=wording_of(found))
    write_graph(graph, path)
    return str(path)


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    return saved(tmp_path_factory.mktemp("several") / "graph.json", FEEDS)


def test_cites_of_a_repository_says_who_cites_what_lies_in_it(tmp_path, capsys):
    notes = (
        "https://github.com/m/ill/issues/1",
        "https://github.com/m/ill/pull/2 https://github.com/m/ill/issues/1",
        "x",
    )
    shows = [episode("o", f"e{n}", f"E {n}", text, "2021-02-01") for n, text in enumerate(notes)]
    graph = saved(tmp_path / "g.json", [Feed("o", "podcast", "podcast:o", "Ovens", tuple(shows))])
    assert main(["cites", "m/ill", "-g", graph]) == 1
    told = f"what lies in it is cited by 2 episodes: `podgraph list episodes --repo m/ill -g {graph}`"
    assert capsys.readouterr() == ("", f"podgraph: nothing cites github:m/ill itself (m/ill); {told}\n")
    assert main(["cites", "99", "-g", graph]) == 1
    told = "nothing cites '99': no repository in the graph has it; give owner/repo, or --repo"
    assert capsys.readouterr().err == f"podgraph: {told}\n"
    assert main(["list", "episodes", "--repo", "m/ill", "-g", graph]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert main(["cites", "m/ill#2", "-g", graph]) == 0
    assert capsys.readouterr().err == ""


@pytest.fixture
def ask(several, capsys):
    def run(*words, graph=several):
        status = main([*words, "-q", "-g", graph])
        return status, [line.split("\t") for line in capsys.readouterr().out.splitlines()]

    return run


OVEN, MILL = "All Ovens", "Mills and Ovens"
# A question, and what stands in some columns of its rows.
ROWS = [
    (["list", "episodes"], (0, 2, 5, 6), [
        ("2022-03-01", "CUDA graphs", "1", OVEN), ("2021-05-01", "vmap in depth", "60", MILL),
        ("2021-02-01", "vmap at home", "10", OVEN), ("", "Untold", "", MILL)]),
    (["list", "episodes", "--podcast", "mills"], (2, 6), [("vmap in depth", MILL), ("Untold", MILL)]),
    (["list", "episodes", "--podcast", "MILLS AND"], (2,), [("vmap in depth",), ("Untold",)]),
    (["list", "episodes", "--podcast", "podcast:ovens", "--sort", "number"], (2,), [("vmap at home",), ("CUDA graphs",)]),
    (["list", "web", "--podcast", "all ovens"], (4,), [("web:o.org/x",)]),
    (["list", "podcasts"], (0, 4, 5, 6), [
        ("2", "podcast:mills", "2021-05-01", "2021-05-01"), ("2", "podcast:ovens", "2021-02-01", "2022-03-01")]),
    (["list", "podcasts", "--until", "2021-04"], (4,), [("podcast:ovens",)]),
    (["list", "posts"], (4, 5), [("blog:b.org/one", "2020-01-02")]),
    (["order"], (0, 1, 2, 5, 6), [
        ("1", "2021-02-01", "vmap at home", "10", OVEN), ("2", "2021-05-01", "vmap in depth", "60", MILL),
        ("3", "2022-03-01", "CUDA graphs", "1", OVEN), ("4", "", "Untold", "", MILL)]),
    (["order", "--podcast", "all ovens"], (0, 2), [("1", "vmap at home"), ("2", "CUDA graphs")]),
    (["related", "vmap at home", "--podcast", "mills"], (1, 4, 5, 6), [("vmap in depth", "2021-05-01", "60", MILL)]),
    (["search", "depth"], (1, 4), [("vmap in depth", MILL)]),
    (["search", "vmap", "--podcast", "mills", "--kind", "episode"], (3,), [("episode:mills/vmap",)]),
    (["cites", "https://o.org/x"], (1, 4), [("vmap in depth", MILL), ("vmap at home", OVEN), ("A post", "")]),
    (["cites", "https://o.org/x", "--podcast", "mills"], (1,), [("vmap in depth",)]),
    (["cites", "https://o.org/x", "--since", "2021-02", "--until", "2021-04"], (1,), [("vmap at home",)]),
    (["cites", "https://o.org/x", "--reverse", "-n", "2"], (1,), [("A post",), ("vmap at home",)]),
    (["related", "vmap at home", "--since", "2021-05", "--until", "2021-05"], (1,), [("vmap in depth",)]),
    (["where", "torch/_functorch/vmap.py", "--podcast", "mills"], (1,), [("vmap in depth",)]),
    (["where", "torch/_functorch/vmap.py", "--until", "2021", "--reverse", "-n", "1"], (1,), [("vmap at home",)]),
    (["review", "torch/_functorch/vmap.py", "--podcast", "ovens"], (0,), [("vmap at home",), ("CUDA graphs",)]),
    (["review", "torch/_functorch/vmap.py", "--until", "2021", "--reverse"], (0,), [("vmap at home",), ("vmap in depth",)]),
    (["review", "torch/_functorch/vmap.py", "--since", "2030"], (0,), []),
    (["order", "--until", "2021", "--reverse"], (2,), [("vmap in depth",), ("vmap at home",)]),
    (["order", "--since", "2021-02-02"], (2,), [("vmap in depth",), ("CUDA graphs",)]),
    (["search", "vmap", "--kind", "episode", "--until", "2021-04"], (3,), [("episode:ovens/vmap",)]),
    (["search", "vmap", "--kind", "episode", "--since", "2021-05-01", "--until", "2021"], (3,), [("episode:mills/vmap",)]),
]  # fmt: skip


@pytest.mark.parametrize(("words", "columns", "rows"), ROWS, ids=[" ".join(words) for words, _, _ in ROWS])
def test_episodes_say_whose_they_are(ask, words, columns, rows):
    status, found = ask(*words)
    assert status == 0
    assert [tuple(row[column] for column in columns) for row in found] == rows


UNKNOWN = [("bakers", 1), ("ovens", 0), ("Ovens", 0), ("oven", 2), ("", 0)]


@pytest.mark.parametrize(("name", "status"), UNKNOWN)
def test_a_podcast_has_a_title_and_parts_of_it(ask, name, status):
    for words in (["list", "episodes"], ["search", "vmap"], ["related", "vmap in depth"], ["order"]):
        assert ask(*words, "--podcast", name)[0] == status


@pytest.mark.parametrize(
    "words", [["cites", "https://o.org/x"], ["related", "vmap in depth"], ["order"], ["search", "vmap"]]
)
@pytest.mark.parametrize("days", [["--since", "2022", "--until", "2021"]])
def test_a_day_that_is_none_is_an_error(ask, words, days):
    assert ask(*words, *days) == (2, [])


@pytest.mark.parametrize(("words", "count"), [([], 10), (["-n", "3"], 3), (["-n", "0"], 13)])
def test_stats_ranks_as_many_as_asked_for(ask, words, count):
    _, rows = ask("stats", *words)
    assert len([row for row in rows if row[0] == "most connected"]) == count


# How many columns a row has in a graph of one podcast.
ALONE = [("list", "episodes", 6), ("order", "", 7), ("related", "vmap at home", 6), ("search", "vmap", 4), ("cites", "https://o.org/x", 4)]  # fmt: skip


@pytest.mark.parametrize(("command", "what", "columns"), ALONE)
def test_one_podcast_needs_no_column(ask, tmp_path, command, what, columns):
    one = saved(tmp_path / "one.json", FEEDS[:1])
    _, rows = ask(command, *([what] if what else []), graph=one)
    assert {len(row) for row in rows} == {columns}
