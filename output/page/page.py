"""The interactive page: one self-contained HTML file.

A template gets nodes and edges; the script that draws them and the style are ours (folder ``assets``). The page loads
nothing, its content security policy allows only our own script and style, and text from the feed is data throughout.
The graph and the script are compressed in it.
"""

from __future__ import annotations

import base64
import gc
import hashlib
import json
import re
import zlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from podgraph.graph import FAMILIES, GREY, HUES, MOST_PLACED, NODE_TESTS, check_attributes, find_heaviest

from ..json_text import escape_controls
from . import content
from .host import describe_page, read_host
from .reasons import make_translator

if TYPE_CHECKING:
    from typing import Unpack

    from jinja2 import Template

    from podgraph.graph import Graph, View

    from .host import PageOptions

    Accent = tuple[str, str]

ENGLISH = "en"

# The modules of the page's script, in the order of dependence: a module may import only from those before it. Those
# up to ``first`` draw the map, and run before the browser has read the rest of the page.
MODULES = """strings dom data shapes address timeline lands frame labels drawing camera map first
    search walk ask combobox seek filters brush keyboard legend panel card hits overview list player main""".split()
# Folds the text version, which is open without scripts, and the text before it.
_FOLD = "document.currentScript.parentElement.open = false;"
_BARE = "main, #search, #tools { display: none; }"
# The line by which the module of strings imports the texts of English.
_TEXTS = re.compile(r"^import texts from .*$", re.MULTILINE)
# A line that imports names from another module of the script.
_IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./([\w-]+)\.js";$', re.MULTILINE)
# The keyword before an export of a module, and its name.
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
# Comments on lines of their own, which the page leaves out.
_COMMENTS = re.compile(r"^ *(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)
_SOURCES = 5000  # that a page with many notes has beside as many as it has episodes and topics


def to_html(graph: Graph | View, **options: Unpack[PageOptions]) -> str:
    """Return the page of a graph: one HTML document that needs no other file and no network.

    ``title`` heads the page; without one it is the name of the graph's podcast. ``description`` (without one the
    podcast's own), ``accent``, ``logo`` and ``site_url`` are those of its host: see ``read_host``. The same graph gives
    the same text. Nodes without ``x`` and ``y`` are placed first. Of a large graph the page has the weightiest nodes
    (``count_most_nodes``), and of more notes than ``MOST_NOTES`` their beginnings; it says so. Raises OutputError for
    an invalid option.
    """
    from podgraph.graph import Orders, View, lay_out, saved_places  # noqa: PLC0415 - only a page needs them

    host = read_host(options)
    view = graph if isinstance(graph, View) else View.from_networkx(graph)
    graph = view.to_networkx()  # nodes in the order of the answers, with clean ids
    whole, most = len(graph), count_most_nodes(graph)
    if whole > most:
        view = View.from_networkx(graph.subgraph(find_heaviest(graph, most)))
        del graph  # its memory serves the smaller one: 380 MB for a show of 8,000 episodes
        gc.collect()  # a networkx graph and its views are a cycle
        graph = view.to_networkx()
    for _, node in graph.nodes(data=True):
        check_attributes(node, NODE_TESTS)
    language = find_page_language(graph)
    orders = Orders(view)
    places = lay_out(graph, saved_places(graph)) if len(graph) else {}
    words = texts(language)
    names = {content.clean(value) for name in ("title", "label") for _, value in graph.nodes(data=name)}
    translate = make_translator(words.get("reasons", {}), names)
    facts = content.build_page_facts(graph, orders, places, translate)
    if whole > len(graph):
        facts["whole"] = whole
    for part in ("families", "kinds", "relations"):  # which a language may call in its own way
        for name, own in words.get(part, {}).items():
            facts["legend"][part].get(name, {}).update(own)
    heading = content.make_page_title(graph, host.title)
    about = describe_page(host, graph)
    nodes = content.build_node_rows(graph, orders, places, translate)
    if cut := content.shorten_notes(nodes):
        facts["cut"] = cut
    edges = content.build_edge_rows(graph, nodes, translate)
    facts["steps"] = content.compute_steps(edges)
    del graph, view, orders, places  # their memory serves the text: 130 MB for a long show
    if "whole" in facts:
        gc.collect()
    data = {**facts, "description": about.get("description", ""), "nodes": nodes, "edges": edges}
    first = content.select_first_data(data)
    return _load_template(language, host.accent).render(
        host=host, about=about, heading=heading, facts=facts, nodes=nodes, edges=edges,
        first_data=pack(to_json(first)), packed_data=pack(to_json(data)),
    )  # fmt: skip


def count_most_nodes(graph: Graph) -> int:
    """Return how many nodes a page of a graph has at most: of one with many notes, few of those that one text cites."""
    notes = sum(len(attributes.get("summary", "")) for _, attributes in graph.nodes(data=True))
    if notes <= content.MOST_NOTES:
        return MOST_PLACED
    heads = sum(str(kind) in {"podcast", "topic", "episode"} for _, kind in graph.nodes(data="kind"))
    return min(MOST_PLACED, 2 * heads + _SOURCES)


@cache
def _load_template(language: str, accent: Accent) -> Template:
    """Return the template of every page of a language and colour."""
    from jinja2 import DictLoader, Environment  # noqa: PLC0415 - only a page needs it

    environment = Environment(loader=DictLoader({}), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["json"] = json_text
    environment.globals.update(
        style=style(accent),
        loader=_read_asset("script/loader.js"),
        folder=_FOLD,
        bare=_BARE,
        packed_scripts=[*map(pack, scripts(language))],
        policy=policy(language, accent),
        texts=texts(language),
        build_structured_data=content.build_structured_data,
        list_texts=content.list_texts,
    )
    return environment.from_string(_read_asset("page.html"))


def json_text(value: object) -> str:
    r"""Return JSON that is safe between script tags: no ``<``, ``>``, ``&`` or line separator is left bare.

    >>> print(json_text({"a": "</script>"}))
    {"a":"\u003c/script\u003e"}
    """
    text = escape_controls(to_json(value))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def to_json(value: object) -> str:
    """Return JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


@cache
def style(accent: Accent = ("", "")) -> str:
    """Return the page's style sheet. The colours of families are those of the table of kinds, the accent the host's."""
    css = _read_asset("page.css")
    for theme, own in zip(("light", "dark"), accent, strict=True):
        variables = {name: getattr(family, theme) for name, family in FAMILIES.items()}
        variables |= dict.fromkeys(("accent", "link", "focus"), own) if own else {}
        colours = " ".join(f"--{name}: {colour};" for name, colour in variables.items())
        css = css.replace(f"/* families: {theme} */", colours)
    icons = " ".join(f".icon.{name} .fill {{ fill: var(--{name}); }}" for name in FAMILIES)
    areas = " ".join(
        f"[data-area{which}] {{ color: light-dark({light}, {dark}); }}"
        for which, (light, dark) in (("", GREY), *((f'="{hue[0]}"', hue) for hue in HUES))
    )
    css = css.replace("/* families: icons */", f"{icons} {areas} .icon[data-area] .fill {{ fill: currentColor; }}")
    # space beside what parts rules, which no text in them holds: three thousand bytes
    return re.sub(r"\s*([{};,])\s*", r"\1", css)


@cache
def texts(language: str = ENGLISH) -> dict[str, Any]:
    """Return the texts of the interface in a language, by name; a text with plurals has one for each form.

    A text that the language's file lacks is the English one.
    """
    names = dict.fromkeys((ENGLISH, language))
    return {name: text for part in names for name, text in json.loads(_read_asset(f"strings/{part}.json")).items()}


def find_page_language(graph: Graph) -> str:
    """Return the language of the interface: that of the graph's podcasts where there is a file of it, else English."""
    podcasts = [node for _, node in graph.nodes(data=True) if node.get("kind") == "podcast" and node.get("language")]
    codes = {re.split("[-_]", str(podcast["language"]).lower())[0] for podcast in podcasts}
    there = {file.name for file in files(__package__).joinpath("assets", "strings").iterdir()}
    return next((code for code in codes if len(codes) == 1 and f"{code}.json" in there), ENGLISH)


@cache
def scripts(language: str = ENGLISH) -> list[str]:
    """Return the page's script in two parts, up to the first drawing and after it; each module is in a function."""
    modules = [build_module(name, _read_asset(f"script/{name}.js"), language) for name in MODULES]
    end = MODULES.index("first") + 1
    return ['"use strict";\n' + "".join(part) for part in (modules[:end], modules[end:])]


def build_module(name: str, source: str, language: str = ENGLISH) -> str:
    r"""Return a module as a constant that holds what it exports.

    >>> print(build_module("b", 'import { x } from "./a.js";\nexport const y = x;\n'), end="")
    const b_module = (() => {
    const { x } = a_module;
    const y = x;
    return { y };
    })();
    """
    source = _COMMENTS.sub("", source)
    exports = [match[1] for match in _EXPORT.finditer(source)]
    code = _TEXTS.sub(lambda _: f"const texts = {json.dumps(texts(language), ensure_ascii=False)};", source)
    code = _EXPORT.sub("", _IMPORT.sub(r"const { \1 } = \2_module;", code))
    return f"const {name}_module = (() => {{\n{code}return {{ {', '.join(exports)} }};\n}})();\n"


def pack(text: str) -> str:
    """Return a text compressed (RFC 1950), in base64."""
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


@cache
def policy(language: str = ENGLISH, accent: Accent = ("", "")) -> str:
    """Return the content security policy: our own script and style by their hashes, and nothing else."""
    ours = (_read_asset("script/loader.js"), _FOLD, *scripts(language))
    script_hashes, style_hashes = (" ".join(map(_compute_digest, texts)) for texts in (ours, (style(accent), _BARE)))
    return (
        f"default-src 'none'; script-src {script_hashes}; style-src {style_hashes}; "
        "img-src data: blob:; media-src https: http:; base-uri 'none'; form-action 'none'"
    )


def _compute_digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _read_asset(name: str) -> str:
    return files(__package__).joinpath("assets", name).read_text(encoding="utf-8").replace("\r\n", "\n")
