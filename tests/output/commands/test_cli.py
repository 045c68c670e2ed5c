"""The command, as a person or a script uses it."""

import io
import json
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from podgraph.graph import thinned
from podgraph.output.cli import main
from podgraph.output.parser import COMMANDS, parser
from tests.output.running import run
from tests.output.shows import write_shows

PAGE = "https://pytorch-dev-podcast.simplecast.com/episodes/compiler-collectives"


@pytest.fixture(scope="session")
def saved(sample_file, tmp_path_factory):
    """A folder with podgraph.json of the snapshot."""
    folder = tmp_path_factory.mktemp("saved")
    shutil.copy(sample_file, folder)
    assert main(["export", str(folder / "podgraph.sqlite"), "-g", str(sample_file), "-q"]) == 0
    return folder


@pytest.fixture
def podgraph(saved, monkeypatch, capsys):
    """Run the command in the folder of the saved graph: (status, standard output, standard error)."""
    monkeypatch.chdir(saved)
    return partial(run, capsys)


CITED = [
    "pytorch/pytorch#130935",
    "https://github.com/pytorch/pytorch/pull/130935/files#r1",
    "http://www.github.com/PyTorch/PyTorch/pull/130935/commits/0123456789abcdef",
    "https://github.com/pytorch/pytorch/pull/130935?diff=split&w=1",
    "https://github.com/pytorch/pytorch/pull/130935#issuecomment-1",
    "https://github.com/pytorch/pytorch/pull/130935#discussion_r1",
    "github.com/pytorch/pytorch/issues/130935",
    "#130935",
    "130935",
    "PR 130935",
    "PR #130935",
    "GH-130935",
    "<https://github.com/pytorch/pytorch/pull/130935>",
    "github:pytorch/pytorch#130935",
]


@pytest.mark.parametrize("reference", CITED)
def test_cites_knows_every_spelling(podgraph, reference):
    status, out, err = podgraph("cites", reference)
    assert (status, err) == (0, "")
    assert out == f"2024-08-04\tCompiler collectives\thttps://github.com/pytorch/pytorch/pull/130935\t{PAGE}\n"


NAMED = [
    ("c10/core/thread_pool.h", "Multithreading"),
    ("https://github.com/pytorch/pytorch/blob/main/c10/core/thread_pool.h#L10", "Multithreading"),
    ("torch/csrc/jit/serialization", "Serialization"),
    ("pytorch/xla", "Backend extensibility"),
    ("https://docs.pytorch.org/docs/2.1/notes/gradcheck.html#x", "gradcheck"),
    ("arXiv:1905.12322", "Half precision"),
    ("https://arxiv.org/pdf/1905.12322v3.pdf", "Half precision"),
    ("https://dev-discuss.pytorch.org/t/110", "torch.nn"),
    ("https://youtu.be/-Z-17h3jG0A?t=10", "Tensor subclasses and Liskov substitution principle"),
    ("zdevito/ATen#27", "Reference counting"),
]


@pytest.mark.parametrize(("reference", "title"), NAMED)
def test_cites_knows_what_people_paste(podgraph, reference, title):
    status, out, _ = podgraph("cites", reference, "--json")
    assert status == 0
    assert title in [episode["title"] for episode in json.loads(out)["episodes"]]


def test_cites_answers_in_json(podgraph):
    _, out, _ = podgraph("cites", "130935", "--json")
    answer = json.loads(out)
    assert answer["query"] == "130935"
    assert answer["id"] == "github:pytorch/pytorch#130935"
    assert answer["found"] is True
    (episode,) = answer["episodes"]
    assert episode["title"] == "Compiler collectives"
    assert episode["date"] == "2024-08-04"
    assert episode["url"] == PAGE
    assert episode["evidence"][0]["quote"] == "https://github.com/pytorch/pytorch/pull/130935"


def test_cites_reads_references_from_standard_input(podgraph, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("130935\n\n  PR 1\ntorch.vmap\n"))
    status, out, err = podgraph("cites", "-")
    assert status == 0
    assert err == "podgraph: nothing cites github:pytorch/pytorch#1 (PR 1); `podgraph search` finds by words\n"
    rows = [line.split("\t") for line in out.splitlines()]
    assert rows[0][:3] == ["github:pytorch/pytorch#130935", "2024-08-04", "Compiler collectives"]
    assert {row[0] for row in rows[1:]} == {"symbol:torch.vmap"}
    monkeypatch.setattr("sys.stdin", io.StringIO("130935\n"))
    assert [answer["found"] for answer in json.loads(podgraph("cites", "-", "--json")[1])] == [True]


@pytest.mark.parametrize("suffix", ["json", "sqlite"])
@pytest.mark.parametrize(
    "words",
    [
        "cites",
        "show",
        "where",
        "search",
        "review",
        "related",
        "order",
        "path vmap",
        "why vmap",
        "list episodes --topic",
    ],
)
def test_an_argument_in_another_encoding_is_asked_for(podgraph, suffix, words):
    """As a terminal in Latin-1 types it, and as a file is called that no UTF-8 names."""
    status, _, err = podgraph(*words.split(), "torch/caf\udce9.py", "-g", f"podgraph.{suffix}")
    assert (status in (0, 1, 2), "should not happen" in err, err.count("\n") <= 1) == (True, False, True), err


# What comes in by standard input, and what is then asked.
INPUTS = [
    (b"vmap\nPR 130935", ["vmap", "PR 130935"]),
    (b"\xef\xbb\xbfvmap\r\n\r\nPR 130935\r\n", ["vmap", "PR 130935"]),
    ("vmap\r\nPR 130935\r\n".encode("utf-16"), ["vmap", "PR 130935"]),
    (b"\xfe\xff\0v\0m\0a\0p\0\n", ["vmap"]),
    (b"vm\xffap", ["vm\ufffdap"]),
    (b"", []),
    (b"\xef\xbb\xbf \r\n", []),
]


@pytest.mark.parametrize("command", ["cites", "where"])
@pytest.mark.parametrize(("given", "asked"), INPUTS)
def test_standard_input_is_read_whatever_wrote_it(podgraph, monkeypatch, command, given, asked):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given), "ascii"))
    status, out, err = podgraph(command, "-", "--json", "-v")
    assert [answer["query"] for answer in json.loads(out)] == asked
    if not asked:
        assert (status, err) == (1, "podgraph: standard input is empty: nothing was asked\n")


@pytest.mark.parametrize("command", ["cites", "where"])
def test_an_empty_standard_input_is_an_empty_question(podgraph, monkeypatch, command):
    for empty in (io.StringIO("\n"), None):
        monkeypatch.setattr("sys.stdin", empty)
        assert podgraph(command, "-") == (1, "", "podgraph: standard input is empty: nothing was asked\n")
        assert podgraph(command, "-", "-q") == (1, "", "")


PHRASES = [
    ("CUDA semantics", ["docs:pytorch/notes/cuda"]),  # the title of a page goes before another name of a topic
    ("numerical accuracy of half", None),
    ("caching allocator", ["topic:cuda-caching-allocator"]),
]


@pytest.mark.parametrize(("phrase", "nodes"), PHRASES)
def test_a_phrase_is_a_name_and_no_path(podgraph, phrase, nodes):
    status, out, err = podgraph("cites", phrase, "--json")
    answer = json.loads(out)
    if nodes:
        assert status == 0
        assert err == f"podgraph: took {phrase!r} for {', '.join(nodes)}\n"
        assert answer["id"] == nodes[0]
    else:
        assert (status, answer["id"]) == (1, phrase)
        _, _, err = podgraph("cites", phrase)
        assert "no topic, symbol, label or title of a page; " in err


def test_cites_says_in_json_what_is_not_certain(podgraph):
    _, out, _ = podgraph("cites", "130935", "--json")
    assert json.loads(out)["episodes"][0]["uncertain"] == ["duration", "url"]


@pytest.mark.parametrize(("path", "leads"), [("/etc/nothing.py", False), ("c10/core/nothing.h", True)])
def test_cites_names_where_only_when_it_has_an_answer(podgraph, path, leads):
    status, _, err = podgraph("cites", path)
    assert (status, f"`podgraph where {path}" in err) == (1, leads)
    assert podgraph("where", path)[0] == (0 if leads else 1)


def test_cites_says_when_nothing_does(podgraph):
    assert podgraph("cites", "pytorch/pytorch#1")[::2] == (
        1,
        "podgraph: nothing cites github:pytorch/pytorch#1 (pytorch/pytorch#1); `podgraph search` finds by words\n",
    )
    status, out, _ = podgraph("cites", "pytorch/pytorch#1", "--json")
    assert (status, json.loads(out)["found"]) == (1, False)


def test_show_an_episode_and_a_pull_request(podgraph):
    status, out, _ = podgraph("show", "Compiler coll")
    assert status == 0
    assert "cites\tpytorch/pytorch#130935\thttps://github.com/pytorch/pytorch/pull/130935" in out
    status, out, _ = podgraph("show", "#130935", "--json")
    assert json.loads(out)["into"]["cites"][0]["label"] == "Compiler collectives"


def test_show_tells_reasons_apart_and_the_related_once(podgraph):
    rows = [line.split("\t") for line in podgraph("show", "vmap")[1].splitlines()]
    (batching,) = [row for row in rows if row[0].startswith("related") and row[1] == "Batching"]
    assert batching[0] == "related to"
    assert batching[2].split("; ") == ["“Batching” refers to “vmap”", "both about vmap", "both name torch.vmap"]
    assert "related from" not in [row[0] for row in rows]
    assert ["number", "34"] in rows


PIPED = ["cites", "show", "where", "related", "order", "path", "search", "list", "stats", "diff"]


@pytest.mark.parametrize("command", PIPED)
def test_help_names_the_columns_of_a_pipe(podgraph, command):
    status, out, _ = podgraph(command, "--help")
    assert status == 0
    assert re.search(r"^Piped\b.*: ", out, re.MULTILINE)


def test_json_says_everywhere_what_is_not_certain(podgraph):
    gpus = "episode:pytorch-developer-podcast/all-about-nvidia-gpus"
    steps = json.loads(podgraph("order", "--json")[1])["steps"]
    (step,) = [step for step in steps if step["id"] == gpus]
    assert step["date"] == "2021-09-20"
    assert "date" in step["uncertain"]
    (row,) = [row for row in json.loads(podgraph("list", "episodes", "--json")[1])["nodes"] if row["id"] == gpus]
    assert "date" in row["uncertain"]


@pytest.mark.parametrize(
    "name",
    [
        "vmap",
        "34",
        "#34",
        "https://pytorch-dev-podcast.simplecast.com/episodes/vmap",
        "VMAP",
        "episode:pytorch-developer-podcast/vmap",
    ],
)
def test_an_episode_has_many_names(podgraph, name):
    status, out, _ = podgraph("show", name, "--json")
    assert (status, json.loads(out)["id"]) == (0, "episode:pytorch-developer-podcast/vmap")


def test_an_ambiguous_name_lists_the_candidates(podgraph):
    status, out, err = podgraph("show", "dispatch")
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert "Dispatcher questions with Sherlock" in err
    assert "Multiple dispatch in __torch_function__" in err


def test_list_narrows_and_sorts(podgraph):
    _, out, _ = podgraph("list", "episodes", "--year", "2024")
    rows = [line.split("\t") for line in out.splitlines()]
    assert rows[0][:3] == ["2024-08-04", "83", "Compiler collectives"]
    assert len(rows) == 10
    _, out, _ = podgraph("list", "pulls", "--repo", "pytorch/rfcs", "--json")
    assert {row["number"] for row in json.loads(out)["nodes"]} == {16, 18, 19}
    status, _, err = podgraph("list", "pulls", "--year", "1999")
    assert (status, err) == (1, "podgraph: no pulls found; try it without --year\n")


# A question and the option that limits it; how many rows a pipe then gets.
LIMITED = [
    (["list", "episodes", "-n", "3"], 3),
    (["list", "episodes", "--limit", "0"], 83),
    (["search", "vmap", "--limit", "2"], 2),
    (["related", "vmap", "--limit", "2"], 2),
    (["order", "-n", "4"], 4),
    (["cites", "pytorch/xla", "-n", "1"], 1),
]


@pytest.mark.parametrize(("words", "count"), LIMITED, ids=[" ".join(words) for words, _ in LIMITED])
def test_what_lists_or_ranks_has_a_limit(podgraph, words, count):
    status, out, _ = podgraph(*words)
    assert (status, out.count("\n")) == (0, count)


def test_list_takes_a_span_of_days_and_turns_round(podgraph):
    def days(*words):
        return [line.split("\t")[0] for line in podgraph("list", "episodes", *words)[1].splitlines()]

    every = days()
    assert days("--reverse") == every[::-1]
    assert days("--reverse", "-n", "2") == every[:-3:-1]
    spring = days("--since", "2022-04", "--until", "2022-06-15")
    assert spring == [day for day in every if "2022-04-01" <= day <= "2022-06-15"]
    assert spring
    assert days("--since", "2022", "--until", "2022") == days("--year", "2022")
    named = [podgraph("list", "pulls", *words)[1] for words in (["--since", "2024"], ["--until", "2023"], [])]
    assert "130935" in named[0]
    assert "130935" not in named[1]
    assert max(len(named[0]), len(named[1])) < len(named[2])


def test_list_knows_every_topic_by_its_label(podgraph):
    topics = json.loads(podgraph("list", "topics", "--json")[1])["nodes"]
    assert len(topics) > 100
    talked = {topic["label"] for topic in topics if topic["count"]}
    for name in ("vmap", "Dispatcher", "Tensor", "torch.compile"):
        assert name in talked
        assert podgraph("list", "episodes", "--topic", name)[0] == 0
    of_autograd = podgraph("list", "episodes", "--topic", "Autograd")[1]
    assert of_autograd
    for name in ("autograd", "topic:autograd"):
        assert podgraph("list", "episodes", "--topic", name)[1] == of_autograd
    assert podgraph("list", "episodes", "--topic", "aot-autograd")[0] == 0
    denied = [
        topic["label"]
        for topic in topics
        if "no topic is called" in podgraph("list", "pulls", "--topic", topic["label"])[2]
    ]
    assert denied == []


def test_the_undated_stand_between_their_numbers(podgraph):
    _, out, _ = podgraph("list", "episodes")
    rows = [line.split("\t") for line in out.splitlines()]
    assert [row[1] for row in rows if not row[0]] == ["73", "72", "71", "70", "69", "68", "67", "66", "65"]
    numbers = [row[1] for row in rows]
    assert numbers[numbers.index("74") :][:11] == [str(number) for number in range(74, 63, -1)]
    _, out, _ = podgraph("order")
    by_title = {row[2]: int(row[1]) for row in rows}
    routes: dict[str, list[int]] = {}
    for line in out.splitlines():
        _, _, title, *_, area = line.split("\t")
        routes.setdefault(area, []).append(by_title[title])
    undated = [number for route in routes.values() for number in route if 65 <= number <= 73]
    assert len(undated) == 9
    for route in routes.values():
        recent = [number for number in route if 64 <= number <= 74 and number != 69]  # 69 is a prerequisite of 68
        assert recent == sorted(recent)


def test_every_step_of_the_order_of_everything_has_a_reason(podgraph):
    steps = json.loads(podgraph("order", "--json")[1])["steps"]
    assert len(steps) == 83
    assert all(step["reason"] for step in steps)


BLOG = "<rss version='2.0'><channel><title>B</title><item><title>One</title><link>https://b.org/1</link></item></channel></rss>"


def test_build_counts_as_people_do_and_says_what_is_a_blog(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "feed.xml").write_text(BLOG, "utf-8")
    assert main(["build", "feed.xml", "-o", "g.json"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == [
        "podgraph: read B: 1 post",
        "podgraph: feed.xml has no audio: taken for a blog; --as episodes makes its items episodes",
    ]
    assert "1 blog post; 0 edges" in lines[2]
    assert main(["build", "feed.xml", "-o", "g.json", "--as", "episodes"]) == 0
    err = capsys.readouterr().err
    assert "read B: 1 episode\n" in err
    assert "taken for a blog" not in err


def test_list_knows_what_nobody_could_check(podgraph):
    _, out, _ = podgraph("list", "files", "--status", "unknown", "--json")
    assert {row.get("status", "unknown") for row in json.loads(out)["nodes"]} == {"unknown"}


def test_a_topic_or_node_that_is_not_there_is_status_1(podgraph):
    for words in (["list", "episodes", "--topic", "zzz"], ["order", "--topic", "zzz"], ["path", "vmap", "zzz"]):
        status, out, err = podgraph(*words)
        assert (status, out, err.count("\n")) == (1, "", 1)


def test_stats_counts(podgraph):
    _, out, _ = podgraph("stats", "--json")
    figures = json.loads(out)
    assert figures["kinds"]["episode"] == 83
    assert figures["truncated_links"] == 5
    assert figures["years"]["undated"] == 9
    assert ["github:pytorch/xla#2871", 2] in figures["most_cited"]
    assert (figures["first"], figures["last"]) == ("2021-05-04", "2024-08-04")
    assert figures["first_post"] < figures["first"] < figures["last"] < figures["last_post"]


# A section of `stats` in a pipe, a name in it, and its figure.
FIGURES = [
    ("kind", "episodes", "83"),
    ("kind", "people", "2"),
    ("year", "undated", "9"),
    ("total", "cut links", "5"),
    ("first", "episodes", "2021-05-04"),
    ("most cited", "pytorch/xla#2871", "2"),
    ("uncited", "Learning rate schedulers", "0"),
]


def test_stats_in_a_pipe_is_section_name_figure(podgraph):
    _, out, _ = podgraph("stats")
    rows = [tuple(line.split("\t")) for line in out.splitlines()]
    assert {len(row) for row in rows} == {3}
    sections = [row[0] for row in rows]
    assert {"relation", "area", "most connected", "bridge"} <= set(sections)
    assert [row for row in FIGURES if row not in rows] == []
    links = [line.split("\t") for line in podgraph("stats", "--links")[1].splitlines()]
    assert {row[0] for row in links} == {"total", "moved", "gone"}


BAD = [
    (["cites", ""], "an empty reference names nothing"),
    (["show", " "], "an empty name means no node"),
    (["search", ""], "an empty text is everywhere"),
    (["search", ' "" '], "an empty text is everywhere"),
    (["search", "-n", "-3", "vmap"], "invalid number '-3' for --limit; use a whole number from 0"),
    (["related", "-n", "-1", "vmap"], "invalid number '-1' for --limit"),
    (["path", "-n", "0", "vmap", "XLA"], "invalid number '0' for --limit; use a whole number from 1"),
    (["path", "-n", "0", "vmap", "XLA"], "invalid number '0' for --limit; use a whole number from 1"),
    (["list", "episodes", "--since", "soon"], "invalid date 'soon' for --since; use 2024, 2024-03 or 2024-03-09"),
    (["list", "episodes", "--since", "2022", "--until", "2021"], "until 2021 is before since 2022"),
    (["where", "-n", "few", "vmap"], "invalid number 'few' for --limit"),
    (["cites", "12", "--repo", "pytorch"], "invalid repository 'pytorch' for --repo; use OWNER/NAME"),
    (["list", "files", "--status", "lost"], "invalid 'lost' for --status; use ok, moved"),
    (["list", "sandwiches"], "unknown kind 'sandwiches'"),
    (["cites", "1", "-g", "missing.json"], "missing.json: there is no such file"),
    (["frobnicate"], "unknown command 'frobnicate'; see `podgraph --help`"),
    (["build", "sample", "-o", "graph.xyz"], "graph.xyz"),
    (["build", "sample", "-o", "nowhere/graph.json"], "nowhere/graph.json"),
    (["build", "sample", "-o", "."], "."),
    (["build", "missing.xml", "-o", "x.json"], "missing.xml"),
    (["build", "empty.xml", "-o", "x.json"], "empty.xml"),
    (["build", "page.html", "-o", "x.json"], "page.html"),
    (["build", "text.txt", "-o", "x.json"], "text.txt"),
]


@pytest.mark.parametrize(
    ("words", "message"), BAD, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_bad_input_is_one_line_and_status_2(tmp_path, monkeypatch, capsys, words, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.xml").write_bytes(b"")
    (tmp_path / "page.html").write_text("<!doctype html><title>a page</title><p>no feed here")
    (tmp_path / "text.txt").write_text("just some words")
    before = sorted(tmp_path.iterdir())
    status, out, err = run(capsys, *words)
    lines = [line for line in err.splitlines() if "built-in snapshot" not in line]
    assert (status, out) == (2, "")
    assert len(lines) == 1
    assert message in lines[0]
    assert sorted(tmp_path.iterdir()) == before


def test_without_a_saved_graph_the_snapshot_is_asked_and_said(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["cites", "130935"]) == 0
    out, err = capsys.readouterr()
    assert "Compiler collectives" in out
    assert err.startswith("podgraph: no podgraph.json here: asking the built-in snapshot of ")


@pytest.mark.parametrize(
    ("words", "variable"),
    [
        (["cites", "130935", "-g", "sample"], ""),
        (["-g", "sample", "cites", "130935"], "none.json"),
        (["cites", "130935"], "sample"),
        (["export", "-g", "sample", "-", "--format", "dot"], ""),
    ],
)
def test_the_snapshot_is_asked_by_its_name_whatever_is_here(tmp_path, monkeypatch, capsys, words, variable):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "podgraph.json").write_text("none")
    if variable:
        monkeypatch.setenv("PODGRAPH_GRAPH", variable)
    assert main([*words, "-q"]) == 0
    assert "Compiler collectives" in capsys.readouterr().out


def test_the_graph_may_come_from_the_environment(saved, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PODGRAPH_GRAPH", str(saved / "podgraph.json"))
    assert main(["cites", "130935"]) == 0
    assert capsys.readouterr().err == ""


def test_the_same_input_gives_the_same_bytes(tmp_path):
    """Of more than the snapshot, whose map ships with the package: this one is laid out, in each process anew."""
    write_shows(tmp_path)
    shows = [str(tmp_path / f"{show:02}.xml") for show in range(10)]
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        targets = [word for suffix in ("json", "html") for word in ("-o", str(tmp_path / name / f"podgraph.{suffix}"))]
        run = [sys.executable, "-m", "podgraph", "build", "sample", *shows, *targets]
        subprocess.run(run, check=True, capture_output=True)
    for name in ("podgraph.json", "podgraph.html"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_building_again_changes_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["build", "sample", "-q"]) == 0
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert main(["build", "sample", "-q"]) == 0
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == first
    assert sorted(first) == ["podgraph.html", "podgraph.json"]


@pytest.mark.parametrize("suffix", [".json", ".sqlite3"])
@pytest.mark.parametrize("words", [["cites", "130935"], ["where", "torch.vmap"], ["search", "vmap"]], ids=" ".join)
def test_a_question_loads_no_heavy_library(saved, words, suffix):
    graph = saved / f"podgraph{suffix}"
    if not graph.exists():
        assert main(["export", "-q", "-g", str(saved / "podgraph.json"), str(graph)]) == 0
    code = (
        "import sys; from podgraph.output.cli import main; status = main(sys.argv[1:]);"
        "print(status, file=sys.stderr); print(*sys.modules, file=sys.stderr)"
    )
    run = [sys.executable, "-c", code, *words, "-g", str(graph)]
    *_, status, modules = subprocess.run(run, check=True, capture_output=True, text=True).stderr.splitlines()
    heavy = {
        "networkx",
        "feedparser",
        "requests",
        "pyvis",
        "rich",
        "lxml",
        "tldextract",
        "numpy",
        "idna",
        "platformdirs",
    }
    assert status == "0"
    assert heavy & set(modules.split()) == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command, capsys):
    with pytest.raises(SystemExit) as leave:
        main([command, "--help"])
    assert leave.value.code == 0
    assert COMMANDS[command][1:] in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "tcsh", "powershell"])
def test_completion_names_the_commands(shell, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(command in script for command in COMMANDS)


# After which words a person asks for completion in bash, and what must be among the answers.
COMPLETED = [
    (["list", "epi"], {"episodes"}),
    (["search", "x", "--kind", "to"], {"topics"}),
    (["build", "s"], {"sample", "some.xml"}),
    (["cites", "x", "-g", "so"], {"some.xml"}),
]


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash: install it")
@pytest.mark.parametrize(("words", "expected"), COMPLETED, ids=[" ".join(words) for words, _ in COMPLETED])
def test_bash_completes_kinds_sources_and_files(tmp_path, capsys, words, expected):
    assert main(["completion", "bash"]) == 0
    (tmp_path / "completion.sh").write_text(capsys.readouterr().out, "utf-8")
    (tmp_path / "some.xml").touch()
    ask = (
        'source completion.sh; COMP_WORDS=(podgraph "$@"); COMP_CWORD=$#; _shtab_podgraph; '
        "printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    done = subprocess.run(
        ["bash", "-c", ask, "bash", *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert expected <= set(done.stdout.split()), done.stderr


def test_zsh_completes_kinds_and_sources(capsys):
    assert main(["completion", "zsh"]) == 0
    script = capsys.readouterr().out
    assert re.search(r"\([^)]*\bepisodes\b[^)]*\btopics\b", script)
    assert "(sample)" in script


# What a person types to get help, and how the answer begins.
HELP = [
    ([], "usage: podgraph [-h] [-V] COMMAND"),
    (["help"], "usage: podgraph [-h] [-V] COMMAND"),
    (["help", "help"], "usage: podgraph [-h] [-V] COMMAND"),
    (["-h"], "usage: podgraph [-h] [-V] COMMAND"),
    (["help", "list"], "usage: podgraph list "),
    (["-q", "help", "list"], "usage: podgraph list "),
    (["list", "-h"], "usage: podgraph list "),
    (["-V"], "podgraph "),
    (["--version"], "podgraph "),
]


@pytest.mark.parametrize(("words", "beginning"), HELP, ids=[" ".join(words) for words, _ in HELP])
def test_help_and_version_answer_to_what_people_type(podgraph, words, beginning):
    status, out, err = podgraph(*words)
    assert (status, err) == (0, "")
    assert out.startswith(beginning)


def test_help_loads_no_command(tmp_path):
    code = (
        "import sys; from podgraph.output.cli import main\ntry: main([])\nfinally: print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert not [
        name for name in done.stderr.split() if name.startswith(("podgraph.output.commands.", "podgraph.graph"))
    ]


# Options before the name of the command, and the same behind it.
BEFORE = [
    (["-q"], ["-q"]),
    (["-qv", "--no-progress"], ["--no-progress", "-v", "-q"]),
    (["-g", "other.json"], ["-g", "other.json"]),
    (["-gother.json", "--quiet"], ["-q", "--graph", "other.json"]),
    (["--graph=other.json", "--verbose"], ["-v", "-g", "other.json"]),
    (["-g", "missing.json"], ["-g", "missing.json"]),
]


@pytest.mark.parametrize(("before", "behind"), BEFORE, ids=[" ".join(before) for before, _ in BEFORE])
def test_what_every_command_takes_may_stand_before_it(podgraph, before, behind, saved):
    shutil.copy(saved / "podgraph.json", saved / "other.json")
    asked = ["cites", "pytorch/pytorch#1"]
    answer = podgraph(*before, *asked)
    assert answer == podgraph(*asked, *behind)
    assert ("missing.json" in before) == ("missing.json: there is no such file" in answer[2])
    assert podgraph(*before)[0] == 2


def test_a_command_nearly_right_is_named(podgraph):
    told = (2, "", "podgraph: unknown command 'cite'; did you mean 'cites'?\n")
    assert podgraph("cite", "130935") == podgraph("-q", "cite") == podgraph("help", "cite") == told


def test_foreign_text_cannot_speak_to_the_terminal(tmp_path, monkeypatch, capsys):
    (tmp_path / "feed.xml").write_text(
        "<rss version='2.0' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><title>T</title><item>"
        "<title>&#x9b;31mred &#x202e;turned</title><itunes:episode>1</itunes:episode>"
        "<description>see https://github.com/a/b/pull/1</description></item></channel></rss>",
        "utf-8",
    )
    monkeypatch.chdir(tmp_path)
    main(["build", "feed.xml", "-o", "g.json"])
    main(["cites", "a/b#1", "-g", "g.json"])
    main(["show", "1", "-g", "g.json"])
    shown = "".join(capsys.readouterr())
    assert "turned" in shown
    assert not set(shown) & {"\x1b", "\x9b", "\u202e"}


def test_bare_numbers_in_a_graph_of_other_projects(tmp_path, monkeypatch, capsys):
    (tmp_path / "feed.xml").write_text(
        "<rss version='2.0' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><title>T</title>"
        "<item><title>One</title><itunes:episode>1</itunes:episode><description>numpy/numpy#42, a/b#7</description></item>"
        "<item><title>Two</title><itunes:episode>2</itunes:episode><description>c/d#7</description></item></channel></rss>",
        "utf-8",
    )
    monkeypatch.chdir(tmp_path)
    main(["build", "feed.xml", "-q", "-o", "podgraph.json"])
    assert main(["cites", "#42"]) == 0
    assert capsys.readouterr().out == "\tOne\tnumpy/numpy#42\t\n"
    assert main(["cites", "7"]) == 2
    assert "may mean any of: github:a/b#7, github:c/d#7" in capsys.readouterr().err
    assert main(["cites", "8"]) == 1


def test_a_title_that_is_not_there_is_status_1(podgraph):
    status, out, err = podgraph("related", "no such title")
    assert (status, out) == (1, "")
    assert err == "podgraph: no episode is called 'no such title'; `podgraph list episodes` shows all\n"


@pytest.mark.parametrize(
    "words", [("related", "nothing"), ("list", "episodes", "--topic", "nothing"), ("cites", "no such words")]
)
def test_what_is_proposed_asks_the_same_graph(words, podgraph):
    told = podgraph(*words, "-g", "podgraph.sqlite")[2]
    proposed = re.findall("`(podgraph .+?)`", told)
    assert proposed
    assert all(command.endswith(" -g podgraph.sqlite") for command in proposed), told


def test_the_parser_of_all_commands_can_be_made():
    assert parser().prog == "podgraph"


@pytest.mark.parametrize(("target", "mapped"), [("g.json", True), ("g.gexf", True), ("g.sqlite", False)])
def test_places_are_found_where_a_target_bears_a_map(target, mapped, tmp_path, monkeypatch):
    found = []
    monkeypatch.setattr("podgraph.output.pipeline.add_places", lambda graph, _: found.append(True) or len(graph))
    feed = Path(__file__).parents[2] / "extractors/fixtures/feeds/rss20_podcast.xml"
    assert main(["build", "-q", str(feed), "-o", str(tmp_path / target)]) == 0
    assert bool(found) is mapped


@pytest.mark.parametrize(("most", "lines"), [(3, 1), (1000, 0)])
def test_a_graph_too_large_for_one_map_is_one_line(most, lines, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("podgraph.graph.layout.places.thinned", lambda graph, bare: thinned(graph, most, bare=bare))
    feed = Path(__file__).parents[2] / "extractors/fixtures/feeds/rss20_podcast.xml"
    assert main(["build", str(feed), "-o", str(tmp_path / "g.json")]) == 0
    assert capsys.readouterr().err.count(f"the map has the weightiest {most} of ") == lines
