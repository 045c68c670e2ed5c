"""One list for a whole change: what explains most, and by name, goes first."""

import pytest

from podgraph.extractors import QueryError
from podgraph.graph import Change, review
from podgraph.graph.code.leads import level_of
from tests.graph.nets import view
from tests.graph.questions.test_leads import GRAPH, NAMES

VIEW = view(GRAPH)


def told(answer):
    return [(one.id.rpartition("/")[2], one.files) for one in answer.episodes]


def test_each_file_counts_for_what_explains_it():
    paths = ["src/new.c", "src/other.c", "src/warp.c", "src/dye/vat.c", "elsewhere.c"]
    answer = review(paths, VIEW, NAMES)
    assert told(answer)[0] == ("reading-code", ("src/warp.c",))  # what is cited goes before what is near
    assert told(answer)[1] == ("warp", ("src/new.c", "src/other.c"))
    assert answer.unexplained == ("src/dye/vat.c", "elsewhere.c")
    assert answer.untold == (("dye", 1),)


def test_a_text_and_its_paths_are_the_same_question():
    assert review("M\tsrc/new.c\n", VIEW, NAMES) == review(["src/new.c"], VIEW, NAMES)


def test_many_files_of_a_kind_do_not_outweigh_one_that_is_cited():
    many = [f"src/new_{number}.c" for number in range(20)]
    assert told(review([*many, "src/warp.c"], VIEW, NAMES))[0][0] == "reading-code"


def test_a_file_that_moved_is_known_by_its_former_place():
    answer = review([Change("attic/nowhere.c", "src/warp.c")], VIEW, NAMES)
    assert told(answer)[0] == ("reading-code", ("attic/nowhere.c",))


def test_what_is_empty_has_an_empty_answer():
    answer = review("", VIEW, None)
    assert (answer.files, answer.episodes) == ((), ())


def test_an_episode_that_only_touches_a_change_comes_after_those_that_explain_it():
    answer = review(["src/new.c", "src/warp.c", "src/warp.h"], VIEW, NAMES)
    levels = [one.level for one in answer.episodes]
    assert levels == sorted(levels, reverse=True)
    assert levels[0] == "strong"
    assert all((one.level == "strong") == (level_of(one.weight) == "strong") for one in answer.episodes)


@pytest.mark.parametrize("name", ["#12", "https://github.com/o/loom/pull/12/files"])
def test_a_pull_request_stands_for_its_files(name):
    graph = GRAPH.copy()
    graph.add_node("github:o/loom#12", kind="pull", label="o/loom#12", repo="o/loom", number=12)
    file = next(id_ for id_, node in graph.nodes(data=True) if node.get("path") == "src/warp.c")
    with pytest.raises(QueryError, match=r"the files of .* are not known; build with --look-up"):
        review([name], view(graph), NAMES)
    graph.add_edge("github:o/loom#12", file, "touches", looked_up={"source": "GitHub", "date": "2024-01-01"})
    assert review([name], view(graph), NAMES).files == ("src/warp.c",)
