"""What a person sees on a terminal of 40, 80 and 250 columns."""

import io
import json
import re
import sys

import pytest

from podgraph.output.cli import main
from podgraph.output.formats import write_graph
from tests.answers.shared import graph

STYLE = re.compile("\x1b\\[[0-9;]*m|\x1b]8;[^;\x1b]*;[^\x1b]*\x1b\\\\")
PAGE = "https://pytorch-dev-podcast.simplecast.com/episodes/compiler-collectives"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(scope="module")
def saved(sample_file):
    return sample_file


@pytest.fixture
def see(saved, monkeypatch):
    """Run a command on a terminal of some width: (standard output without colours, standard error)."""

    def run(width, *words):
        monkeypatch.setenv("PODGRAPH_GRAPH", str(saved))
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setenv("TERM", "xterm")
        out, err = Terminal(), Terminal()
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        main([*words])
        return STYLE.sub("", out.getvalue()), err.getvalue()

    return run


# What the environment says, whether bold is printed on a terminal and in a pipe, whether addresses are links there.
STYLED = [
    ({}, True, False, True),
    ({"NO_COLOR": "1"}, False, False, True),
    ({"FORCE_COLOR": "1"}, True, True, True),
    ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False, True),
    ({"TERM": "dumb"}, False, False, False),
    ({"TERM": "dumb", "FORCE_COLOR": "1"}, True, True, False),
]


@pytest.mark.parametrize("width", [40, 80, 250])
@pytest.mark.parametrize(("environment", "bold", "bold_in_pipe", "links"), STYLED)
def test_colour_and_links_are_for_terminals(saved, monkeypatch, width, environment, bold, bold_in_pipe, links):
    for name, value in {"COLUMNS": str(width), "TERM": "xterm", "PODGRAPH_GRAPH": str(saved), **environment}.items():
        monkeypatch.setenv(name, value)
    for stream, has_bold, has_links in ((Terminal(), bold, links), (io.StringIO(), bold_in_pipe, False)):
        monkeypatch.setattr(sys, "stdout", stream)
        for words in (["show", "vmap"], ["list", "pulls"]):
            main([*words])
        text = stream.getvalue()
        assert text.startswith("\x1b[1mvmap\x1b[0m") == has_bold
        for address in (
            "https://pytorch-dev-podcast.simplecast.com/episodes/vmap",
            "https://github.com/pytorch/pytorch/pull/130935",
        ):
            link = rf"\x1b]8;[^;]*;{address}\x1b\\{address}\x1b]8;;\x1b\\"
            assert bool(re.search(link, text)) == has_links
            assert address in STYLE.sub("", text)
        assert has_links or "\x1b]" not in text


WHOLE = [
    (("cites", "130935"), PAGE),
    (("cites", "130935"), "https://github.com/pytorch/pytorch/pull/130935"),
    (("related", "vmap"), "https://pytorch-dev-podcast.simplecast.com/episodes/batching"),
    (("order", "vmap"), "https://pytorch-dev-podcast.simplecast.com/episodes/vmap"),
    (("where", "TensorIterator"), "https://pytorch-dev-podcast.simplecast.com/episodes/tensoriterator"),
    (("where", "TensorIterator"), "https://docs.pytorch.org/docs/stable/notes/tensor_iterator.html"),
    (("where", "TensorIterator"), "aten/src/ATen/TensorIterator.h:734"),
    (("list", "pulls"), "https://github.com/pytorch/pytorch/pull/130935"),
    (("show", "130935"), "https://github.com/pytorch/pytorch/pull/130935"),
    (("show", "vmap"), "https://pytorch-dev-podcast.simplecast.com/episodes/vmap"),
    (("search", "VmapTransforms"), "https://pytorch-dev-podcast.simplecast.com/episodes/vmap"),
    (("stats", "--links"), "https://github.com/pytorch/pytorch/blob/main/torchgen/gen.py"),
]


@pytest.mark.parametrize("width", [40, 80, 250])
@pytest.mark.parametrize(
    ("words", "shown"), WHOLE, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_an_address_stays_whole(see, width, words, shown):
    out, _ = see(width, *words)
    assert re.search(rf"(?<!\S){re.escape(shown)}(?!\S)", out)


def test_where_shortens_what_nobody_reads(see):
    out, _ = see(80, "where", "torch/_dynamo/variables/base.py:320")
    assert not re.search("[0-9a-f]{40}", out)
    assert re.search("pytorch/pytorch at [0-9a-f]{8}", out)
    assert len(out.splitlines()) < 45


def test_a_reference_is_told_as_it_was_understood(see):
    assert "pytorch/pytorch#130935 (pull request) is cited by 1 episode:" in see(80, "cites", "PR 130935")[0]
    assert "torch.vmap (symbol) is named by " in see(80, "cites", "torch.vmap")[0]
    assert re.search(r"torch/_dynamo \(folder, and \d+ things in it\)", see(80, "cites", "torch/_dynamo/")[0])


def test_what_is_called_by_the_words_of_a_link_keeps_its_number(see, tmp_path):
    write_graph(graph("kiln"), tmp_path / "kiln.json")
    told = see(200, "cites", "kilnworks/rampd#12", "-g", str(tmp_path / "kiln.json"))[0]
    assert "taught rampd to soak (pull request kilnworks/rampd#12) is cited by 1 episode:" in told


def test_what_is_not_certain_is_marked(see, saved):
    """Episode 56's date is inferred, and so is the address of its page."""
    cited = next(
        edge["target"]
        for edge in json.loads(saved.read_text("utf-8"))["edges"]
        if edge["source"].endswith("/all-about-nvidia-gpus") and edge["key"] == "about"
    )
    out, err = see(250, "cites", cited)
    assert re.search(r"2021-09-20\?\s+All about NVIDIA GPUs", out)
    assert "a date with ? is not certain" in err
    assert re.search(r"the address of \d+ pages? is not certain", err)
    for words in (["list", "episodes", "--year", "2021"], ["order"]):
        out, err = see(80, *words)
        assert re.search(r"2021-09-20\?.* \d+\? min", out)
        assert "a date or length with ? is not certain" in err
    out, err = see(80, "list", "episodes", "--year", "2024")
    assert re.search(r"2024-08-04 .* 17\? min", out)
    assert "podgraph: a length with ? is not certain" in err


def test_a_podcast_counts_its_episodes(see):
    assert re.search(
        r"^83 episodes +podcast +PyTorch Developer Podcast +2021-05-04 +2024-08-04",
        see(80, "list", "podcasts")[0],
        re.MULTILINE,
    )


def test_a_column_of_nothing_is_not_shown(see):
    assert "url" in see(250, "list", "pulls")[0]
    assert "url" not in see(250, "list", "topics")[0]


def test_kinds_are_said_as_people_do(see):
    assert re.search(r"pull request +pytorch/pytorch#130935", see(250, "list", "pulls")[0])
    out, _ = see(80, "stats")
    assert re.search(r"^ podcast +1", out, re.MULTILINE)
    assert re.search(r"^ people +2", out, re.MULTILINE)
    assert re.search(r"^ pull requests +\d\d", out, re.MULTILINE)


def test_stats_names_what_cites_nothing_and_the_dates_of_both(see):
    out, _ = see(80, "stats")
    assert re.search(r"episodes 2021-05-04 to 2024-08-04; posts \d{4}-\d\d-\d\d to ", " ".join(out.split()))
    assert re.search(r"\d+ episodes cite nothing:\n.*; ", out)
    assert max(map(len, out.partition("nothing:")[2].splitlines())) <= 80


def test_all_of_a_node_begins_with_what_it_is_about(see):
    whole, every = (see(100, "show", "vmap", option)[0] for option in ("--all", "-v"))
    names = [line.split("  ")[0] for line in whole.splitlines()]
    assert names.index("summary") < names.index("id")
    assert re.search(r"^date +2021-06-21$", whole, re.MULTILINE)
    assert not {"guid", "rank", "explicit", "x"} & set(names)
    assert {"guid", "rank", "explicit", "x"} <= {line.split("  ")[0] for line in every.splitlines()}


def test_a_path_says_what_it_connects(see):
    out, _ = see(140, "path", "vmap", "CUDA graphs")
    assert "Batching (episode)" in out
    assert re.search(r"from +relation +to +because", out)
    assert "pytorch/pytorch#42368 " in see(140, "path", "vmap", "#42368")[0]


def test_where_tells_a_file_once(see):
    out, _ = see(250, "where", "c10/core/thread_pool.h")
    assert len(re.findall(r"^ *file +c10/core/thread_pool\.h ", out, re.MULTILINE)) == 1
    assert "TaskThreadPoolBase:21, ThreadPool:42" in out
    assert len(re.findall(r"^in pytorch/pytorch at", out, re.MULTILINE)) == 1
