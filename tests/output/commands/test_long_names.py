"""A dotted name or a path of many parts costs its length once: no work is done again for each of its parts.

Work is counted as calls of functions, of Python and of C. One that reads the whole name for each part makes as many
calls more as the name has parts more.
"""

import sys
from contextlib import suppress
from functools import partial

import pytest

import podgraph
from podgraph import QueryError
from podgraph.output.cli import main

PARTS = 1500
A_CITED_PART = 1  # call more for each part more
AN_ASKED_PART = 200  # the same: a search reads each word of a question
INDEX = """torch.nn.Linear	class	torch/nn/modules/linear.py	3	generated/torch.nn.Linear.html
torch.save	function	torch/serialization.py	9	generated/torch.save.html
"""
# Each address is in an episode's notes. Its part in braces is repeated.
ADDRESSES = [
    "https://pytorch.org/docs/stable/generated/{torch.}html",
    "https://pytorch.org/docs/stable/{nn.}html",
    "https://pytorch.org/docs/stable/nn.html#torch{.nn}",
    "https://pytorch.org/tutorials/beginner/{torch.}html",
    "https://github.com/pytorch/pytorch/blob/main/{a/}x.py",
    "https://github.com/pytorch/pytorch/blob/main/torch/{a.}py",
    "https://github.com/pytorch/pytorch/tree/main/{torch/}",
    "https://docs.python.org/3/library/{os.}html#{os.}path",
    "https://loom.readthedocs.io/en/latest/generated/{loom.}html",
    "https://docs.loom.example/en/stable/{a.}html",
    "https://doi.org/10.1145/{a.}b",
    "https://www.npmjs.com/package/{a.}b",
]
QUERIES = [
    "{torch.}x",
    "{torch/}x",
    "{torch::}x",
    "torch/{a/}x.py:12",
    "/home/{torch/}x.py",
    "https://pytorch.org/docs/stable/generated/{torch.}html",
    "https://github.com/pytorch/pytorch/blob/main/{torch/}x.py",
]


def repeated(text, times):
    """Return a text with what stands in braces repeated."""
    head, *pieces = text.split("{")
    return head + "".join(part * times + tail for part, tail in (piece.split("}") for piece in pieces))


def calls(function):
    """Return how many functions a function calls, itself or through others."""
    count = 0

    def profile(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count


@pytest.fixture
def index(tmp_path):
    """Return a function that makes a new copy of an index, of which nothing has been asked."""
    numbers = iter(range(1000))

    def make():
        file = tmp_path / f"names{next(numbers)}.tsv"
        file.write_text(INDEX, "utf-8")
        return str(file)

    return make


def build(folder, address, index, name="loom"):
    feed = folder / f"{name}.xml"
    feed.write_text(
        "<rss version='2.0'><channel><title>Loom</title><item><title>Warp</title><guid>1</guid>"
        "<enclosure url='https://loom.example/1.mp3' type='audio/mpeg'/>"
        f"<description>About torch.save, see {address} and torch.nn.Linear</description></item></channel></rss>",
        "utf-8",
    )
    saved = folder / f"{name}.json"
    assert main(["build", str(feed), "--offline", "--index", index, "-o", str(saved)]) == 0
    return saved


def growth(once, twice):
    return (calls(twice) - calls(once)) / PARTS


def test_no_work_is_repeated_for_each_part_of_a_cited_address(tmp_path, index, capsys):
    grown = {}
    for number, address in enumerate(ADDRESSES):
        work = [
            partial(build, tmp_path, repeated(address, parts), index(), f"{number}-{turn}")
            for turn, parts in enumerate((PARTS, PARTS, 2 * PARTS))
        ]
        work[0]()  # loads what is loaded once
        grown[address] = growth(*work[1:])
    capsys.readouterr()
    assert {address: more for address, more in grown.items() if more > A_CITED_PART} == {}


def test_a_path_too_deep_for_a_repository_is_a_page_of_it(tmp_path, index, capsys):
    saved = build(tmp_path, repeated("https://github.com/pytorch/pytorch/blob/main/{a/}x.py", 3000), index())
    nodes = podgraph.open(saved).networkx.nodes(data="kind")
    capsys.readouterr()
    assert [kind for id_, kind in nodes if "a/a/a" in id_] == ["web"]


@pytest.mark.parametrize("question", ["where", "cites", "search", "show"])
def test_no_work_is_repeated_for_each_part_of_a_question(tmp_path, index, capsys, question):
    ask = getattr(podgraph.open(build(tmp_path, "https://pytorch.org/docs/stable/nn.html", index())), question)

    def answer(query):
        with suppress(QueryError):
            ask(query)

    grown = {}
    for query in QUERIES:
        answer(repeated(query, PARTS))  # loads what is loaded once
        grown[query] = growth(*(partial(answer, repeated(query, parts)) for parts in (PARTS, 2 * PARTS)))
    capsys.readouterr()
    assert {query: more for query, more in grown.items() if more > AN_ASKED_PART} == {}
