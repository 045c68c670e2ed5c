"""Every question takes the words of a person and gives a typed answer; what it cannot know is an error of its own."""

import pytest

from podgraph.extractors import NotFoundError, QueryError
from podgraph.graph import (
    Selection,
    explain,
    find_citations,
    find_relatives,
    list_nodes,
    order_episodes,
    resolve_node,
    resolve_reference,
    search_nodes,
    show_node,
)
from podgraph.graph.questions.view import home_of
from tests.graph.nets import ident, net, shuffled, view
from tests.tables import read_rows

GRAPH = net(
    ("Grinding flour", ["flour"], "the mill"), ("Kneading", ["flour", "dough"], "what to knead"),
    ("Kneading by hand", ["dough"], ""),
    edges=[
        ("kneading-by-hand", "kneading", "related"), ("kneading", "grinding-flour", "listen_first"),
        ("grinding-flour", "kneading-by-hand", "see_also"),
    ],
)  # fmt: skip
PULL, FOLDER, PAPER, TICKET = "github:o/r#7", "github:o/r:lib/gear/teeth", "paper:arxiv/1706.03762", "ticket:42"
NODES = dict(read_rows(__file__, "NODES"))
for id_, node in NODES.items():
    kind = {PULL: "pull", FOLDER: "folder"}.get(id_) or ("file" if "path" in node else id_.partition(":")[0])
    GRAPH.add_node(id_, **{"kind": kind, "label": node.get("path", id_.partition(":")[2]), **node})
for episode, target, relation in (
    ("symbol:teeth.count", FOLDER, "defined_in"), ("symbol:mill.grind", "github:o/r:src/mill.c", "defined_in"),
    ("kneading-by-hand", "symbol:teeth.count", "mentions"), ("kneading", "podcast:q", "mentions"),
):  # fmt: skip
    GRAPH.add_edge(ident(episode), target, relation, weight=1, reasons=["the index"])
for target in (PULL, FOLDER, "symbol:mill.grind", PAPER, TICKET):
    relation = "mentions" if target == "symbol:mill.grind" else "cites"
    GRAPH.add_edge(ident("kneading"), target, relation, weight=1, evidence=[{"field": "notes", "quote": "it"}])
VIEW = view(GRAPH)


def cite(graph, query, **options):
    return find_citations(view(graph), [query], **options)


def episodes(answer):
    return [one.id.rpartition("/")[2] for one in answer]


CITES = read_rows(__file__, "CITES")


@pytest.mark.parametrize(("query", "ids"), CITES)
def test_cites(query, ids):
    assert episodes(find_citations(VIEW, [query], repo="o/r")) == ids


@pytest.mark.parametrize(
    ("query", "nodes"), read_rows(__file__, "test_the_exact_symbol_goes_before_others_of_this_name")
)
def test_the_exact_symbol_goes_before_others_of_this_name(query, nodes):
    assert [id_.removeprefix("symbol:") for id_ in resolve_reference(query, VIEW).nodes] == nodes


@pytest.mark.parametrize(("query", "is_words"), read_rows(__file__, "test_an_unknown_reference_is_words"))
def test_an_unknown_reference_is_words(query, is_words):
    assert resolve_reference(query, VIEW).is_words == is_words


@pytest.mark.parametrize(
    ("places", "home"), read_rows(__file__, "test_the_home_of_a_graph_is_the_repository_of_most_files_and_folders")
)
def test_the_home_of_a_graph_is_the_repository_of_most_files_and_folders(places, home):
    graph = net(("a", [], ""))
    for number, place in enumerate(places):
        kind, repo = place.split()
        graph.add_node(f"github:{repo}:{number}", kind=kind, label=str(number), repo=repo)
    assert home_of(view(graph)) == home


def test_words_that_are_another_name_are_guessed():
    graph = GRAPH.copy()
    graph.nodes["topic:dough"]["aliases"] = ["bread paste"]
    assert cite(graph, "bread paste").notes == ("took 'bread paste' for topic:dough",)
    assert cite(graph, "dough").notes == ()


class Titles:
    """The titles of an index of names."""

    docs = {"mill.html": "The Old Mill"}
    tutorials = {}
    tutorials_base = "https://docs.pytorch.org/tutorials/"

    def page_url(self, page):
        return f"https://docs.pytorch.org/docs/stable/{page}"


def test_the_titles_of_pages_are_asked_only_for_words_that_nothing_is_called():
    graph = GRAPH.copy()
    graph.add_node("docs:pytorch/mill", kind="docs", label="mill")
    graph.add_edge(ident("kneading"), "docs:pytorch/mill", "cites", weight=1)
    answer = cite(graph, "the old mill", index=Titles)
    assert (answer.id, episodes(answer)) == ("docs:pytorch/mill", ["kneading"])
    assert answer.notes == ("took 'the old mill' for docs:pytorch/mill",)
    assert not cite(graph, "o/r#7", index=lambda: pytest.fail("the index was asked")).notes


LISTS = [
    ("episodes", {}, ["kneading-by-hand", "kneading", "grinding-flour"]),
    ("episodes", {"topic": "dough"}, ["kneading-by-hand", "kneading"]),
    ("episodes", {"repo": "O/R"}, ["kneading"]),
    ("episodes", {"year": 2021, "sort": "title"}, ["grinding-flour", "kneading", "kneading-by-hand"]),
    ("episodes", {"year": 202}, []),
    ("episodes", {"selection": Selection(reverse=True)}, ["grinding-flour", "kneading", "kneading-by-hand"]),
    ("episodes", {"selection": Selection(limit=2)}, ["kneading-by-hand", "kneading"]),
    ("episodes", {"selection": Selection(limit=1, reverse=True)}, ["grinding-flour"]),
    ("episodes", {"selection": Selection(since="2021-01-02")}, ["kneading-by-hand", "kneading"]),
    ("pulls", {"selection": Selection(since="2021-01-02")}, ["r#7"]),
    ("pulls", {"selection": Selection(until="2021-01-01")}, []),
    ("episodes", {"sort": "number"}, ["grinding-flour", "kneading", "kneading-by-hand"]),
    ("episodes", {"sort": "count"}, ["kneading", "grinding-flour", "kneading-by-hand"]),
    ("pull", {"status": "gone"}, ["r#7"]),
    ("pulls", {"status": "ok"}, []),
    ("pulls", {"topic": "flour"}, ["r#7"]),
]


@pytest.mark.parametrize(("kind", "options", "ids"), LISTS)
def test_list(kind, options, ids):
    for graph in (GRAPH, shuffled(GRAPH)):
        assert episodes(list_nodes(view(graph), kind, **options)) == ids


def test_a_file_is_cited_through_what_changed_it():
    graph = GRAPH.copy()
    graph.add_edge(PULL, "github:o/r:src/oven.c", "touches", weight=1)
    graph.add_node("github:o/r@0123456789abcdef", kind="commit", label="0123456789", title="Warm it")
    graph.add_edge("github:o/r@0123456789abcdef", "github:o/r:src/oven.c", "touches", weight=1)
    graph.add_edge(ident("grinding-flour"), "github:o/r@0123456789abcdef", "cites", weight=1)
    graph.add_edge(ident("kneading-by-hand"), PULL, "mentions", weight=1)  # which is less
    assert [(one.id, one.reasons) for one in cite(graph, "src/oven.c", repo="o/r")] == [
        (ident("kneading"), ["cites #7, which changed this file"]),
        (ident("grinding-flour"), ["cites 0123456789 (Warm it), which changed this file"]),
    ]


@pytest.mark.parametrize(("limit", "names"), [(0, "cabd"), (1, "c"), (2, "ca"), (3, "cab")])
def test_the_strongest_ties_come_first_whoever_proposes_them(limit, names):
    graph = net(*((name, [], "") for name in "abcdx"))
    ties = [("x", "a", 0.5), ("x", "b", 0.5), ("c", "x", 0.9), ("d", "x", 0.1), ("a", "x", 0.6)]
    for source, target, weight in ties:
        graph.add_edge(ident(source), ident(target), "related", weight=weight, reasons=["for the test"])
    assert "".join(one.id[-1] for one in find_relatives(view(graph), "x", selection=Selection(limit=limit))) == names


def test_show_has_the_neighbours_of_both_directions():
    first, *others = show_node(VIEW, "kneading")
    relations = {True: [], None: []}
    for row in others:
        relations[row.backwards].append(row.relation)
    assert first.title == "Kneading"
    assert sorted(set(relations[None])) == ["about", "cites", "listen_first", "mentions", "part_of", "related"]
    assert [row.id for row in others if row.relation == "about"] == ["topic:dough", "topic:flour"]
    assert episodes(row for row in others if row.relation == "related") == ["kneading-by-hand"]


def test_related_and_order():
    assert episodes(find_relatives(VIEW, "kneading")) == ["kneading-by-hand"]
    assert episodes(order_episodes(VIEW, "kneading by hand")) == ["kneading-by-hand"]
    assert episodes(order_episodes(VIEW, "kneading")) == ["grinding-flour", "kneading"]
    assert len(order_episodes(VIEW)) == 3


def test_a_name_without_an_index_is_one_of_the_graph():
    place, episode = explain(VIEW, ["mill.grind"], index=None)
    assert (place.relation, place.title) == ("defined_in", "mill.grind")
    assert (episode.id, episode.reasons) == (ident("kneading"), ["names mill.grind"])
    assert not explain(VIEW, ["no such thing"], index=None)


ERRORS = [
    (lambda: list_nodes(VIEW, "nonsense"), QueryError, "unknown kind 'nonsense'"),
    (lambda: list_nodes(VIEW, "episodes", topic="nonsense"), NotFoundError, "no topic is called 'nonsense'"),
    (lambda: list_nodes(VIEW, "episodes", sort="nonsense"), QueryError, "unknown order 'nonsense'; use one of date"),
    (lambda: list_nodes(VIEW, "episodes", status="nonsense"), QueryError, "unknown status 'nonsense'; use one of ok"),
    (lambda: find_relatives(VIEW, "kneading", selection=Selection(since="2024-13")), QueryError, "invalid date '2024-13' for since"),
    (lambda: list_nodes(VIEW, "episodes", selection=Selection(since="2024", until="2023")), QueryError, "is before since"),
    (lambda: show_node(VIEW, "no such thing"), NotFoundError, "no node is called 'no such thing'"),
    (lambda: search_nodes(VIEW, ' " '), QueryError, "an empty text"),
    (lambda: search_nodes(VIEW, "x", kind="nonsense"), QueryError, "unknown kind"),
    (lambda: order_episodes(VIEW, "nonsense"), NotFoundError, "no topic or episode"),
    (lambda: order_episodes(VIEW, "knead"), QueryError, "may mean any of"),
    (lambda: resolve_node("knea", VIEW), QueryError, "may mean any of"),
    (lambda: resolve_node(" ", VIEW), QueryError, "an empty name"),
    (lambda: find_citations(VIEW, ["<>"]), QueryError, "an empty reference"),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "error", "message"), ERRORS)
def test_what_cannot_be_answered_is_an_error_of_ours(ask, error, message):
    with pytest.raises(error, match=message) as caught:
        ask()
    assert type(caught.value) is error
