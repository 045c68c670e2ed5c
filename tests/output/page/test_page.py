"""The page as a file: one, small, the same for the same graph, with nothing from elsewhere and nothing that runs."""

import base64
import copy
import hashlib
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.resources import files

import networkx
import pytest

from podgraph.graph import FAMILIES, KINDS, RELATIONS, SHAPES
from podgraph.output.formats.shared.weblink import to_web_link
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


def data(document):
    return json.loads(next(text for tag, attrs, text in document.raw if attrs.get("id") == "graph-data"))


def test_it_is_small_enough(html):
    assert len(html.encode()) <= 550_000


def test_the_sample_is_small_enough(sample):
    assert len(page.to_html(sample).encode()) <= 620_000


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
    for module in (page, content):
        monkeypatch.setattr(module, "MOST_NOTES", 2000)
    monkeypatch.setattr(page, "_SOURCES", 10)
    monkeypatch.setattr(page, "shorten_notes", lambda nodes: shorten_notes(nodes, 2000))
    light = page.to_html(graph)
    packed = data(Document(light))
    assert 0 < packed["cut"] < 50
    assert packed["whole"] == len(graph) > packed["nodes"]["count"]
    assert sum(map(len, packed["nodes"]["summary"].values())) <= 2000
    assert packed["nodes"]["kind"].count(packed["nodes"]["words"]["kind"].index("episode")) == 83  # each of them
    assert len(light) < 0.8 * len(html)
    assert "every episode with its topics" in light


def test_the_same_graph_gives_the_same_bytes(graph, html):
    assert page.to_html(copy.deepcopy(graph)) == html


def test_another_process_gives_the_same_bytes(html):
    code = (
        "import sys; sys.stdout.reconfigure(encoding='utf-8', newline='\\n');"
        "from tests.browser.synthetic_graph import synthetic_graph; from podgraph.output.page.page import to_html;"
        "sys.stdout.write(to_html(synthetic_graph()))"
    )
    other = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert other.stdout.decode("utf-8") == html


def test_the_graph_is_left_as_it_was(graph):
    before = networkx.node_link_data(graph, edges="edges")
    page.to_html(graph)
    assert networkx.node_link_data(graph, edges="edges") == before


def test_nothing_is_written_to_the_working_folder(graph, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page.to_html(graph)
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
    for packed in map(page.script, page.SCRIPTS):
        assert f"'sha256-{digest(packed)}'" in policy
    assert "unsafe" not in policy


def test_data_between_script_tags_has_no_markup(document):
    for _, attrs, text in document.raw:
        if "json" in (attrs.get("type") or ""):
            assert not re.search("[<>&\u2028\u2029]", text)
            json.loads(text)


def test_the_data_is_the_graph(document, graph):
    packed = data(document)
    assert packed["nodes"]["key"] == sorted(graph)
    assert packed["nodes"]["count"] == len(graph)
    assert packed["edges"]["count"] == graph.number_of_edges()
    for number, (u, v, key) in enumerate(sorted(graph.edges(keys=True))):
        assert packed["nodes"]["key"][packed["edges"]["from"][number]] == u
        assert packed["nodes"]["key"][packed["edges"]["to"][number]] == v
        assert packed["edges"]["words"]["relation"][packed["edges"]["relation"][number]] == key


def test_a_quote_is_not_repeated_when_the_notes_hold_it(document):
    evidence = data(document)["edges"]["evidence"]
    assert any(isinstance(item, list) for item in (evidence if isinstance(evidence, list) else evidence.values()))
    assert '"quote"' not in json.dumps(evidence)


def test_positions_are_kept_and_missing_ones_made(graph):
    placed = copy.deepcopy(graph)
    for number, node in enumerate(sorted(placed)):
        placed.nodes[node].update(x=100.0 * number, y=7.0)
    assert data(Document(page.to_html(placed)))["nodes"]["x"] == [100 * number for number in range(len(placed))]
    found = data(Document(page.to_html(graph)))["nodes"]
    assert len(set(zip(found["x"], found["y"], strict=True))) == len(graph)


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
    assert "whole" not in data(Document(page.to_html(graph)))
    monkeypatch.setattr(page, "MOST_PLACED", 300)
    told = data(Document(page.to_html(graph)))
    assert (told["whole"], told["nodes"]["count"]) == (len(graph), 300)
    kinds = [told["nodes"]["words"]["kind"][kind] for kind in told["nodes"]["kind"]]
    assert [kinds.count(kind) for kind in ("podcast", "episode", "topic")] == [1, 83, 60]
    kept = set(told["nodes"]["key"])
    others = [node for node in graph if graph.nodes[node]["kind"] not in {"podcast", "episode", "topic"}]
    least = min(graph.degree[node] for node in others if node in kept)
    assert all(graph.degree[node] <= least for node in others if node not in kept)


def test_loading_the_module_loads_no_heavy_library():
    code = "import sys, podgraph.output.page.page; print(sorted({'pyvis', 'networkx', 'jinja2', 'IPython', 'numpy'} & set(sys.modules)))"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True, env=env).stdout
        == "[]\n"
    )


def test_a_page_is_made_without_ipython_and_pyvis_works_on():
    code = (
        "import sys, networkx; from podgraph.output.page.page import to_html; to_html(networkx.MultiDiGraph());"
        "print('IPython' in sys.modules); from pyvis.network import IFrame; print(IFrame('a.html', 1, 2).src)"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True, env=env)
    assert ran.stdout == "False\na.html\n"


def test_the_legend_knows_every_kind_and_relation():
    assert set(KINDS) <= set(legend()["kinds"])
    assert set(RELATIONS) <= set(legend()["relations"])
    for entry in [*legend()["kinds"].values(), legend()["other"]]:
        assert entry["family"] in legend()["families"]


def test_the_page_can_draw_every_shape_of_the_table():
    source = ASSETS.joinpath("shapes.js").read_text("utf-8").partition("const OUTLINES = {")[2].partition("\n};")[0]
    assert set(re.findall(r'^  "?([a-z-]+)"?:', source, re.MULTILINE)) == set(SHAPES)


def test_no_two_lines_of_the_map_look_alike():
    dashes = [tuple(relation["dash"]) for relation in legend()["relations"].values() if relation.get("drawn")]
    assert len(set(dashes)) == len(dashes)


@pytest.mark.parametrize(("episodes", "hides"), [(83, False), (400, True)])
def test_a_big_map_leaves_its_lines_out_while_it_moves(episodes, hides):
    graph = synthetic_graph(episodes, 3 * episodes, 140, related=False)
    assert (len(graph) > 1500) is hides
    graph.add_nodes_from(graph, x=0.0, y=0.0)
    options = json.loads(
        next(text for _, attrs, text in Document(page.to_html(graph)).raw if attrs.get("id") == "map-options")
    )
    assert options["interaction"]["hideEdgesOnDrag"] is hides


def test_no_two_kinds_look_alike_without_colour():
    marks = {name: bool(family.get("mark")) for name, family in legend()["families"].items()}
    looks = [(kind["shape"], bool(kind.get("hollow")), marks[kind["family"]]) for kind in legend()["kinds"].values()]
    assert len(set(looks)) == len(looks)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("// why\nconst a = 1;\n", "const a = 1;\n"),
        ("/**\n * Why.\n * @param {number} a\n */\nconst a = 1;\n", "const a = 1;\n"),
        ("/** @type {number} */\nlet a;\n", "let a;\n"),
        ("let a = 1; // why\nlet b;\n", "let a = 1;\nlet b;\n"),
        ("const f = (/** @type {number} */ a) => a;\n", "const f = (a) => a;\n"),
        ("const f = /** @type {any} */ (globalThis).x;\n", "const f = (globalThis).x;\n"),
        ('const a = "https://b";\n', 'const a = "https://b";\n'),
        ("const a = /\\/\\//;\n", "const a = /\\/\\//;\n"),
    ],
)
def test_the_page_has_no_comments_of_its_script(source, code):
    assert page.build_module("m", source) == f"const m_module = (() => {{\n{code}return {{  }};\n}})();\n"


@pytest.mark.parametrize("name", page.MODULES)
def test_what_looks_like_a_comment_in_the_script_is_one(name):
    for line in ASSETS.joinpath(f"{name}.js").read_text("utf-8").splitlines():
        assert not set('"`') & set(line.partition(" // ")[2]), line
        assert "/**" not in line or line.partition("/**")[0].count('"') % 2 == 0, line


def test_every_module_is_bundled_once_after_those_it_uses():
    names = {entry.name.removesuffix(".js") for entry in ASSETS.iterdir() if entry.name.endswith(".js")}
    assert names == {*page.MODULES, "loader"}
    assert len(page.MODULES) == len(names) - 1
    exported: dict[str, set[str]] = {}
    for name in page.MODULES:
        source = ASSETS.joinpath(f"{name}.js").read_text("utf-8")
        assert source.startswith("// @ts-check\n")
        imports = re.findall(r"^import .*$", source, re.MULTILINE)
        if name == "strings":
            imports.remove('import texts from "../strings/en.json" with { type: "json" };')
        for line in imports:
            match = re.fullmatch(r'import \{ ([\w, ]+) \} from "\./([\w-]+)\.js";', line)
            assert match, line
            assert set(match[1].split(", ")) <= exported.get(match[2], set()), line
        exported[name] = set(re.findall(r"^export (?:async )?(?:function\*?|class|const) (\w+)", source, re.MULTILINE))
        assert len(re.findall(r"^export", source, re.MULTILINE)) == len(exported[name]), (
            "only functions, classes and constants"
        )
        assert all(line.count("`") % 2 == 0 for line in page.build_module(name, source).splitlines()), (
            "no strings of several lines"
        )
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", source)


@pytest.mark.parametrize("part", page.SCRIPTS)
def test_the_script_ends_no_script_element(part):
    assert not re.search(r"</script|<!--", page.script(part), re.IGNORECASE)


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://example.org/a?b=c#d", True),
        ("HTTP://example.org", True),
        ("https://example.org/%22quoted%22", True),
        ("https://example.org/ü", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("//example.org/", False),
        ("example.org", False),
        ('https://example.org/"onclick="x', False),
        ("https://example.org/<b>", False),
        ("https://example.org/a b", False),
        ("", False),
        (None, False),
        (7, False),
    ],
)
def test_only_web_addresses_are_kept(address, kept):
    assert to_web_link(address) == (address if kept else "")


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


def test_the_parts_of_the_start_stand_in_their_order(html):
    body = html.partition("<body>")[2]
    parts = (
        *("<h1", '<input type="text" role="combobox"', 'id="stage"', 'id="graph-data"', 'id="packed-search"'),
        *("<script>", '<details id="text" open>', 'id="packed-map"'),
    )
    places = [body.index(part) for part in parts]
    assert places == sorted(places)
    assert "createMap" not in page.script("search")
