"""Every shared question has the answer that a person judged right, from the library and from the command alike."""

import json

import pytest

from podgraph.graph import Adjacency, find_nodes, find_paths, resolve_reference
from podgraph.output.cli import main
from podgraph.output.formats import write_graph
from tests.answers.shared import SHOWS, graph, questions

MOST = 10


@pytest.fixture(scope="module")
def views():
    return {show: Adjacency.of_graph(graph(show)) for show in SHOWS}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("answers")
    for show in SHOWS:
        write_graph(graph(show), folder / f"{show}.json")
    return folder


@pytest.mark.parametrize(("show", "query", "id_"), questions("refs"))
def test_a_reference_means_one_thing(views, show, query, id_):
    assert resolve_reference(query, views[show]).id == id_


@pytest.mark.parametrize(("show", "text", "first"), [row for row in questions("searches") if row[2]])
def test_what_a_search_finds_first(views, show, text, first):
    assert find_nodes(text, views[show])[0].id == first


@pytest.mark.parametrize("show", SHOWS)
def test_the_command_searches_as_the_library(views, saved, capsys, show):
    for _, text, _ in [row for row in questions("searches") if row[0] == show]:
        main(["search", text, "-n", str(MOST), "--json", "-g", str(saved / f"{show}.json")])
        told = [(one["id"], one["score"]) for one in json.loads(capsys.readouterr().out)]
        assert told == [(one.id, one.score) for one in find_nodes(text, views[show], MOST)], text


@pytest.mark.parametrize("show", SHOWS)
def test_the_command_finds_the_library_s_paths(views, saved, capsys, show):
    for _, first, last in [row for row in questions("paths") if row[0] == show]:
        main(["path", first, last, "--json", "-g", str(saved / f"{show}.json")])
        told = [[step["target"] for step in way] for way in json.loads(capsys.readouterr().out)["paths"]]
        assert told == [[step.target for step in way] for way in find_paths(views[show], first, last)]
