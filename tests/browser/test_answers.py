"""The page answers the shared questions as the library does."""

import pytest

import podgraph
from podgraph.graph import View
from podgraph.output.page.page import to_html
from tests.answers.shared import SHOWS, graph, questions, table
from tests.browser.conftest import PROBES

pytestmark = pytest.mark.browser
MOST = 10
SEARCH = "(texts) => probes.search(texts)"


@pytest.fixture(scope="module", params=SHOWS)
def show(request, chromium, tmp_path_factory):
    path = tmp_path_factory.mktemp("answers") / "page.html"
    path.write_text(to_html(graph(request.param)), "utf-8")
    page = chromium.new_page()
    page.add_init_script(PROBES)
    page.goto(path.as_uri())
    page.wait_for_function("() => typeof main_module !== 'undefined' && main_module.page.map()")
    yield request.param, page, podgraph.Graph(View.from_networkx(graph(request.param)), request.param)
    page.close()


def test_searches_and_references(show):
    name, page, asked = show
    texts = [
        row[1]
        for row in (*questions("searches"), *questions("refs"), *questions("spellings"), *questions("typos"))
        if row[0] == name
    ]
    for text, told in zip(texts, page.evaluate(SEARCH, texts), strict=True):
        assert told == [[one.id, one.score, one.where] for one in asked.search(text, n=MOST)], text


def test_every_spelling_of_a_reference(show):
    name, page, _ = show
    rows = table(name, "spellings")
    found = page.evaluate(SEARCH, [text for text, _ in rows])
    # The page searches for words where a text is no reference; what it takes for one comes first.
    told = [
        next((key for key, _, where in hits[:1] if id_ or where == "reference"), "")
        for (_, id_), hits in zip(rows, found, strict=True)
    ]
    assert [(*row, key) for row, key in zip(rows, told, strict=True) if row[1] != key] == []


def test_paths(show):
    name, page, asked = show
    pairs = table(name, "paths")
    for (first, last), told in zip(pairs, page.evaluate("(pairs) => probes.paths(pairs)", pairs), strict=True):
        steps = [
            [one.target, one.relation, one.source] if one.backwards else [one.source, one.relation, one.target]
            for one in asked.path(first, last)
        ]
        assert told == steps, (first, last)


def test_who_names_it(show):
    _, page, asked = show
    kinds = ("files", "folders", "topics", "docs", "pulls")
    keys = [row.id for kind in kinds for row in asked.list(kind, n=0 if kind == "folders" else 10)]
    for key, told in zip(keys, page.evaluate("(keys) => probes.naming(keys)", keys), strict=True):
        assert sorted(told) == sorted(one.id for one in asked.cites(key)), key


def test_what_to_hear_first(show):
    _, page, asked = show
    keys = [row.id for row in asked.list("episodes")]
    for key, told in zip(keys, page.evaluate("(keys) => probes.orders(keys)", keys), strict=True):
        assert told == [[step.id, step.reasons[0]] for step in asked.order(key)[:-1]]


def test_the_panel_of_a_folder_has_all_that_the_command_finds(show):
    _, page, asked = show
    for folder in [row.id for row in asked.list("folders")]:
        told = {
            key for key in page.evaluate("(key) => probes.panel(key)", folder) if key.startswith(("episode:", "blog:"))
        }
        assert told >= {one.id for one in asked.cites(folder)}, folder
