"""The page as a file: one, small, the same for the same graph, with nothing from elsewhere and nothing that runs."""

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import zlib
from html.parser import HTMLParser
from importlib.resources import files

import networkx
import pytest

from podgraph.graph import FAMILIES, KINDS, RELATIONS, SHAPES
from podgraph.output.page import content, page
from podgraph.output.page.content import clean, legend, shorten_notes
from tests.browser.synthetic_graph import synthetic_graph

ASSETS = files("podgraph.output.page").joinpath("assets", "script")


class Document(HTMLParser):
    """What a browser sees: the elements with their attributes, and the text of scripts and styles."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.raw.append((tag, dict(attrs), ""))

    def handle_data(self, data):
        if self.cdata_elem and self.raw:
            tag, attrs, text = self.raw[-1]
            self.raw[-1] = tag, attrs, text + data


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph()


@pytest.fixture(scope="module")
def html(graph):
    return page.to_html(graph)


@pytest.fixture(scope="module")
def document(html):
    return Document(html)


def read_data(html):
    packed = next(text for _, attrs, text in Document(html).raw if attrs.get("id") == "graph-data")
    return json.loads(zlib.decompress(base64.b64decode(packed)))


@pytest.mark.parametrize(("fixture", "most"), [("synthetic_graph", 400_000), ("sample", 520_000)])
def test_the_page_is_small_enough(graph, request, fixture, most):
    shown = request.getfixturevalue(fixture) if fixture == "sample" else graph
    assert len(page.to_html(shown).encode()) <= most


@pytest.mark.parametrize(("lengths", "most", "kept"), [
    ([], 10, []),
    ([30, 40], 70, [30, 40]),  # all have room
    ([10, 90, 90], 110, [10, 49, 49]),  # a short one leaves room, and the others are cut between words
    ([90], 0, [0]),
])  # fmt: skip
def test_notes_beyond_a_budget_are_cut_to_one_length(lengths, most, kept):
    nodes = [{"summary": ("abcd " * length)[:length]} for length in lengths]
    whole = [node["summary"] for node in nodes]
    assert bool(shorten_notes([{}, *nodes], most)) == (kept != lengths and most > 0)
    assert [len(node["summary"]) for node in nodes] == kept
    assert all(text.startswith(node["summary"]) for text, node in zip(whole, nodes, strict=True))


def test_a_page_of_many_notes_is_light_and_says_so(graph, html, monkeypatch):
    monkeypatch.setattr(content, "MOST_NOTES", 2000)
    monkeypatch.setattr(page, "_SOURCES", 10)
    monkeypatch.setattr(content, "shorten_notes", lambda nodes: shorten_notes(nodes, 2000))
    light = page.to_html(graph)
    data = read_data(light)
    assert 0 < data["cut"] < 50
    assert data["whole"] == len(graph) > len(data["nodes"])
    assert sum(len(node.get("summary", "")) for node in data["nodes"]) <= 2000
    assert sum(node["kind"] == "episode" for node in data["nodes"]) == 83  # each of them
    assert len(light) < 0.95 * len(html)
    assert "every episode with its topics" in light


def test_the_same_graph_gives_the_same_bytes_in_another_process_and_stays_as_it_was(graph, html, tmp_path):
    before = networkx.node_link_data(graph, edges="edges")
    assert page.to_html(graph) == html
    assert networkx.node_link_data(graph, edges="edges") == before
    code = (
        "import sys, podgraph.output.page.page as page; sys.stdout.reconfigure(encoding='utf-8', newline='\\n');"
        "assert not {'pyvis', 'networkx', 'jinja2', 'IPython', 'numpy'} & set(sys.modules);"
        "from tests.browser.synthetic_graph import synthetic_graph;"
        "sys.stdout.write(page.to_html(synthetic_graph())); assert 'IPython' not in sys.modules"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=environment, cwd=tmp_path)
    assert other.stdout.decode("utf-8") == html
    assert list(tmp_path.iterdir()) == []


def test_it_has_what_a_document_needs(html, document, graph):
    assert html.startswith("<!doctype html>\n")
    assert "\r" not in html
    assert ("html", {"lang": "en"}) in document.elements
    assert ("meta", {"charset": "utf-8"}) in document.elements
    assert "<title>A synthetic podcast</title>" in html
    assert "<title>Mine &amp; only</title>" in page.to_html(synthetic_graph(2, 2, 2), title="Mine & only")


def test_it_refers_to_nothing_outside(document):
    for tag, attrs in document.elements:
        assert not {"src", "srcset", "data", "action", "ping", "background"} & set(attrs), tag
        assert not any(name.startswith("on") or name == "style" for name in attrs), tag
        assert tag not in ("link", "base", "iframe", "object", "embed")
    style = next(text for tag, _, text in document.raw if tag == "style")
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_names_the_very_scripts_and_style(document):
    policy = next(
        attrs["content"] for tag, attrs in document.elements if attrs.get("http-equiv") == "Content-Security-Policy"
    )

    def digest(text):
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    for tag, attrs, text in document.raw:
        if "type" not in attrs:
            assert f"'sha256-{digest(text)}'" in policy, tag
    assert all(f"'sha256-{digest(part)}'" in policy for part in page.scripts())
    assert "unsafe" not in policy


def test_data_between_script_tags_has_no_markup(document):
    for _, attrs, text in document.raw:
        if "json" in (attrs.get("type") or ""):
            assert not re.search("[<>&\u2028\u2029]", text)
            json.loads(text)


def test_the_data_is_the_graph(html, graph):
    data = read_data(html)
    keys = [node["key"] for node in data["nodes"]]
    assert keys == sorted(graph)
    edges = [(keys[edge["from"]], keys[edge["to"]], edge["relation"]) for edge in data["edges"]]
    assert edges == sorted(graph.edges(keys=True))
    assert len({(node["x"], node["y"]) for node in data["nodes"]}) == len(graph), "missing positions are made"
    evidence = [item for edge in data["edges"] for item in edge.get("evidence", ())]
    assert evidence
    assert not any("quote" in item for item in evidence), "the notes hold it"


def text_of(graph):
    return page.to_html(graph).partition('<details id="text" open>')[2].partition("</details>")[0]


def test_the_text_version_lists_posts_and_the_sources_that_several_share():
    graph = networkx.MultiDiGraph()
    for number, sources in enumerate((["once", "twice"], ["twice"])):
        graph.add_node(
            f"blog:example.org/{number}", kind="blog", label=f"Post {number}", url="https://example.org/post"
        )
        for source in sources:
            url = f"https://example.org/{source}"
            graph.add_node(f"web:example.org/{source}", kind="web", label=source, url=url)
            graph.add_edge(f"blog:example.org/{number}", f"web:example.org/{source}", key="cites")
    posts, pages = (
        text_of(graph).partition(f"<h2>{part}</h2>")[2].partition("</ul>")[0]
        for part in ("Posts that cite", "Web pages")
    )
    once, twice = '<a href="https://example.org/once">once</a>', '<a href="#t3">twice</a>'
    first, second = ('<li id="p0"><a href="https://example.org/post">Post 0</a>: ', '<li id="p1">')
    assert f"{first}{once}, {twice}\n" in posts
    assert second in posts
    assert '"https://example.org/twice">twice</a>: <a href="#p0">Post 0</a>, <a href="#p1">Post 1</a>' in pages
    assert "once" not in pages


def test_too_big_a_graph_is_thinned_and_says_so(monkeypatch):
    graph = synthetic_graph()
    assert "whole" not in read_data(page.to_html(graph))
    monkeypatch.setattr(page, "MOST_PLACED", 300)
    data = read_data(page.to_html(graph))
    assert (data["whole"], len(data["nodes"])) == (len(graph), 300)
    kinds = [node["kind"] for node in data["nodes"]]
    assert [kinds.count(kind) for kind in ("podcast", "episode", "topic")] == [1, 83, 60]
    kept = {node["key"] for node in data["nodes"]}
    others = [node for node in graph if graph.nodes[node]["kind"] not in {"podcast", "episode", "topic"}]
    least = min(graph.degree[node] for node in others if node in kept)
    assert all(graph.degree[node] <= least for node in others if node not in kept)


def test_the_legend_knows_every_kind_and_relation_and_no_two_look_alike():
    parts = legend()
    assert set(KINDS) <= set(parts["kinds"])
    assert set(RELATIONS) <= set(parts["relations"])
    looks = [
        (kind["shape"], kind["hollow"], parts["families"][kind["family"]]["mark"]) for kind in parts["kinds"].values()
    ]
    dashes = [tuple(relation["dash"]) for relation in parts["relations"].values() if relation["drawn"]]
    for signs in (looks, dashes):
        assert len(set(signs)) == len(signs)


def test_the_page_can_draw_every_shape_of_the_table():
    source = ASSETS.joinpath("shapes.js").read_text("utf-8").partition("const OUTLINES = {")[2].partition("\n};")[0]
    assert set(re.findall(r'^  "?([a-z-]+)"?:', source, re.MULTILINE)) == set(SHAPES)


@pytest.mark.parametrize("text", ["", "plain", "tab\tnew\nline", "\x00", "a\ud800b", "\x7f\x9f", "é 漢 🎙"])
def test_cleaning_keeps_the_length_and_can_be_written(text):
    assert len(clean(text)) == len(text)
    assert clean(text).encode("utf-8").decode("utf-8") == clean(text)
    assert "\x00" not in clean(text)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_style_has_the_colours_of_the_table(family):
    css = page.style()
    assert f"--{family}: {FAMILIES[family].light};" in css
    assert css.count(f"--{family}: {FAMILIES[family].dark};") == 2  # chosen by the reader, and by the system
    assert f".icon.{family} .fill" in css
    assert "/* families" not in css


def test_every_module_is_bundled_once_after_those_it_uses():
    names = {entry.name.removesuffix(".js") for entry in ASSETS.iterdir() if entry.name.endswith(".js")}
    assert names == {*page.MODULES, "loader"}
    assert len(page.MODULES) == len(names) - 1
    exported: dict[str, set[str]] = {}
    for name in page.MODULES:
        source = ASSETS.joinpath(f"{name}.js").read_text("utf-8")
        imports = re.findall(r"^import (?!texts).*$", source, re.MULTILINE)
        for line in imports:
            match = re.fullmatch(r'import \{ ([\w, ]+) \} from "\./([\w-]+)\.js";', line)
            assert match, line
            assert set(match[1].split(", ")) <= exported.get(match[2], set()), line
        exported[name] = set(re.findall(r"^export (?:async )?(?:function\*?|class|const) (\w+)", source, re.MULTILINE))
        assert len(re.findall(r"^export", source, re.MULTILINE)) == len(exported[name])
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", source)
