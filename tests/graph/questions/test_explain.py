"""One list for a whole change: the best explanation by name goes first; a pull request stands for its files."""

import pytest

from podgraph.graph import explain
from tests.graph.nets import ident, view
from tests.graph.questions.test_leads import GRAPH, NAMES

VIEW = view(GRAPH)
RENAMED = "diff --git a/src/warp.c b/attic/nowhere.c\nsimilarity index 90%\nrename from src/warp.c\nrename to attic/nowhere.c\n"
MANY = [f"src/new_{number}.c" for number in range(20)]

# what is asked, and the first episodes, each with its files
CHANGES = [
    (["src/new.c", "src/other.c", "src/warp.c", "src/dye/vat.c"], [("reading-code", ["src/warp.c"]), ("warp", ["src/new.c", "src/other.c"])]),
    (["M\tsrc/new.c\nD\tsrc/dye/vat.c\n"], [("warp", ["src/new.c"])]),
    (["src/new.c\0"], [("warp", ["src/new.c"])]),
    ([*MANY, "src/warp.c"], [("reading-code", ["src/warp.c"])]),  # many files of a kind do not outweigh a cited one
    ([RENAMED], [("reading-code", ["attic/nowhere.c"])]),  # a moved file is known by its former place
]  # fmt: skip


@pytest.mark.parametrize(("texts", "found"), CHANGES)
def test_a_change(texts, found):
    answer = explain(VIEW, texts, index=NAMES)
    assert [(row.id.rpartition("/")[2], row.files) for row in answer][: len(found)] == found
    levels = [row.level for row in answer]  # an episode that only touches a change comes after those that explain it
    assert levels == sorted(levels, reverse=True)
    assert answer.heading.startswith("this change of ")


def test_files_without_an_episode_are_counted():
    notes = explain(VIEW, ["src/new.c", "src/dye/vat.c", "elsewhere.c"], index=NAMES).notes
    assert notes == ("no episode explains 2 of 3 files; there is none about dye (1 file)",)


@pytest.mark.parametrize("name", ["#12", "o/loom#12", "https://github.com/o/loom/pull/12/files"])
def test_a_pull_request_stands_for_its_files(name):
    graph = GRAPH.copy()
    graph.add_node("github:o/loom#12", kind="pull", label="o/loom#12", repo="o/loom", number=12)
    file = next(id_ for id_, node in graph.nodes(data=True) if node.get("path") == "src/warp.c")
    assert not explain(view(graph), [name], index=None)
    graph.add_edge("github:o/loom#12", file, "touches", looked_up={"source": "GitHub", "date": "2024-01-01"})
    assert explain(view(graph), [name], index=None)[0].id == ident("reading-code")
