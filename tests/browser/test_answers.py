"""The page answers the shared questions as the library does."""

import pytest

from podgraph.graph import Adjacency, find_nodes, find_paths
from podgraph.output.page.page import to_html
from tests.answers.shared import SHOWS, graph, questions, table

pytestmark = pytest.mark.browser
MOST = 10
SEARCH = """(texts) => {
  const { graph } = main_module.page;
  const index = search_module.searchIndex(graph);
  return texts.map((text) => search_module.search(graph, index, text, 10).found
    .map(({ node, score, where }) => [graph.nodes[node].key, score, where]));
}"""
PATHS = """(pairs) => {
  const { graph } = main_module.page;
  return pairs.map((pair) => (walk_module.findPath(graph, ...pair.map((key) => graph.byKey.get(key))) ?? []).map((number) => {
    const { from, to, relation } = graph.edges[number];
    return [graph.nodes[from].key, relation, graph.nodes[to].key];
  }));
}"""


@pytest.fixture(scope="module", params=SHOWS)
def show(request, chromium, tmp_path_factory):
    path = tmp_path_factory.mktemp("answers") / "page.html"
    path.write_text(to_html(graph(request.param)), "utf-8")
    page = chromium.new_page()
    page.goto(path.as_uri())
    page.wait_for_function("() => main_module.page.map()")
    yield request.param, page, Adjacency.of_graph(graph(request.param))
    page.close()


def test_searches_and_references(show):
    name, page, view = show
    texts = [row[1] for row in (*questions("searches"), *questions("refs")) if row[0] == name]
    for text, told in zip(texts, page.evaluate(SEARCH, texts), strict=True):
        assert told == [[one.id, one.score, one.where] for one in find_nodes(text, view, MOST)], text


def test_paths(show):
    name, page, view = show
    pairs = table(name, "paths")
    for (first, last), told in zip(pairs, page.evaluate(PATHS, pairs), strict=True):
        ways = find_paths(view, first, last)
        steps = (
            [
                [one.target, one.relation, one.source] if one.backwards else [one.source, one.relation, one.target]
                for one in ways[0]
            ]
            if ways
            else []
        )
        assert told == steps, (first, last)
