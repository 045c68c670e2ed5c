"""One list for a whole change: what explains most, and by name, goes first."""

from podgraph.graph import Change, review
from tests.graph.nets import ident, view
from tests.graph.queries.test_leads import GRAPH, NAMES

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
    assert (answer.files, answer.episodes, answer.to_dict()["found"]) == ((), (), False)


def test_the_answer_stays_small():
    answer = review([f"src/new_{number}.c" for number in range(200)], VIEW, NAMES).to_dict()
    (first,) = answer["episodes"]
    assert (first["id"], first["explains"], len(first["files"])) == (ident("warp"), 200, 5)
