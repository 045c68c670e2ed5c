"""One list for a whole change: what explains most, and by name, goes first."""

import pytest

from podgraph.extractors import QueryError
from podgraph.graph import Change, review_change
from tests.graph.nets import view
from tests.graph.questions.test_leads import GRAPH, NAMES

VIEW = view(GRAPH)


def told(paths, graph=VIEW):
    return [(row.id.rpartition("/")[2], row.files) for row in review_change(graph, paths, index=NAMES)]


def test_each_file_counts_for_what_explains_it():
    paths = ["src/new.c", "src/other.c", "src/warp.c", "src/dye/vat.c", "elsewhere.c"]
    answer = review_change(VIEW, paths, index=NAMES)
    assert told(paths)[0] == ("reading-code", ["src/warp.c"])  # what is cited goes before what is near
    assert told(paths)[1] == ("warp", ["src/new.c", "src/other.c"])
    assert answer.notes == ("no episode explains 2 of 5 files; there is none about dye (1 files)",)


def test_a_text_and_its_paths_are_the_same_question():
    assert told("M\tsrc/new.c\n") == told(["src/new.c"]) != []
    assert told("") == []


def test_many_files_of_a_kind_do_not_outweigh_one_that_is_cited():
    many = [f"src/new_{number}.c" for number in range(20)]
    assert told([*many, "src/warp.c"])[0][0] == "reading-code"


def test_a_file_that_moved_is_known_by_its_former_place():
    assert told([Change("attic/nowhere.c", "src/warp.c")])[0] == ("reading-code", ["attic/nowhere.c"])


def test_an_episode_that_only_touches_a_change_comes_after_those_that_explain_it():
    levels = [row.level for row in review_change(VIEW, ["src/new.c", "src/warp.c", "src/warp.h"], index=NAMES)]
    assert levels == sorted(levels, reverse=True)
    assert levels[0] == "strong"


@pytest.mark.parametrize("name", ["#12", "https://github.com/o/loom/pull/12/files"])
def test_a_pull_request_stands_for_its_files(name):
    graph = GRAPH.copy()
    graph.add_node("github:o/loom#12", kind="pull", label="o/loom#12", repo="o/loom", number=12)
    file = next(id_ for id_, node in graph.nodes(data=True) if node.get("path") == "src/warp.c")
    with pytest.raises(QueryError, match=r"the files of .* are not known; build with --look-up"):
        told([name], view(graph))
    graph.add_edge("github:o/loom#12", file, "touches", looked_up={"source": "GitHub", "date": "2024-01-01"})
    assert told([name], view(graph))[0] == ("reading-code", ["src/warp.c"])
