"""What the interface says stands in one file a language, ``assets/strings/en.json`` and its likes, and nowhere else."""

import base64
import json
import re
import zlib
from importlib.resources import files

import networkx
import pytest

from podgraph.graph import Orders, View
from podgraph.output.page import content, page, reasons
from tests.tables import read_rows

ASSETS = files("podgraph.output.page").joinpath("assets")
ENGLISH = json.loads(ASSETS.joinpath("strings", "en.json").read_text("utf-8"))
LEGEND = {"families", "kinds", "relations", "reasons"}  # in English the tables have them
# A literal with a quote of either kind, or the text of a template between its values.
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|(?:`|\})((?:[^`$\\\n]|\\.|\$(?!\{))*)(?:\$\{|`)')
# A word with a capital at its head, or two words: what a reader would see.
ENGLISH_WORDS = re.compile(r"^\W*[A-Z][a-z]+\b|\b[a-z]{2,} [a-z]{2,}\b")
# What looks like English and is none: classes, keys, what stands in files that programs read.
NO_ENGLISH = (
    r"Enter|Escape|Arrow(Up|Down|Left|Right)|GraphML|Markdown|Segoe UI.*|Content|Others",
    r"overlay|rgba?\(.*|[-.#\w]*\[.*|<.*|\?xml.*|.*(font-|stroke-|attr\.|&#|viewBox).*",
    r"class \w+|(actions|section|icon|small|hidden|row|button|focus) .*",
)


def literals(source):
    """Return the texts in a script, without comments, imports and classes."""
    code = re.sub(
        r"^import .*$|^\s*//.*$|/\*.*?\*/|\bclass: (?:\"[^\"]*\"|`[^`]*`)|(?<=\s)//.*$",
        "",
        source,
        flags=re.MULTILINE | re.DOTALL,
    )
    for line in code.splitlines():
        for match in LITERAL.finditer(line):
            yield match[1] or match[2] or ""


def english(source):
    """Return those of them that somebody would read as English."""
    known = re.compile("|".join(f"(?:{words})" for words in NO_ENGLISH))
    return [text for text in literals(source) if ENGLISH_WORDS.search(text) and not known.fullmatch(text)]


@pytest.mark.parametrize("name", [*page.MODULES, "loader"])
def test_no_module_says_anything_of_its_own(name):
    assert english(ASSETS.joinpath("script", f"{name}.js").read_text("utf-8")) == []


@pytest.mark.parametrize("line", ['element("p", {}, "Close")', "say(`and ${more} more places`)", '"no such thing"'])
def test_a_module_that_does_is_found(line):
    assert len(english(line)) == 1


def test_the_template_says_nothing_of_its_own():
    html = ASSETS.joinpath("page.html").read_text("utf-8")
    assert re.findall(r'>[^<{]*[A-Za-z]{2}|aria-label="[^{]', html) == []


def test_every_text_is_used():
    sources = [path.read_text("utf-8") for path in (*ASSETS.joinpath("script").iterdir(), ASSETS.joinpath("page.html"))]
    sources.append(files("podgraph.output.page").joinpath("content.py").read_text("utf-8"))
    told = "\n".join(sources)
    assert [name for name in ENGLISH if not re.search(rf"[\"'.]{name}\b", told)] == []


@pytest.mark.parametrize("path", sorted(ASSETS.joinpath("strings").iterdir()), ids=lambda path: path.name)
def test_each_language_says_it_all(path):
    texts = json.loads(path.read_text("utf-8"))
    assert texts.keys() - LEGEND <= ENGLISH.keys()
    assert len(texts.keys() & ENGLISH.keys()) >= 0.9 * len(ENGLISH)  # English stands in for a new text
    assert path.name == f"{texts['language']}.json"

    def forms(text):
        return [text] if isinstance(text, str) else list(text.values())

    for name in texts.keys() - LEGEND:
        text = ENGLISH[name]
        assert "other" in texts[name] or isinstance(texts[name], str), name
        values = {value for form in forms(text) for value in re.findall(r"\{(\w+)\}", form)}
        assert {value for form in forms(texts[name]) for value in re.findall(r"\{(\w+)\}", form)} <= values, name


LANGUAGES = {"en": "en", "de-AT": "de", "de en": "en", "en-US": "en", "xx": "en", "": "en", "../../x": "en"}


@pytest.mark.parametrize("codes", LANGUAGES)
def test_the_page_speaks_as_the_podcast_where_it_can(codes):
    graph = networkx.MultiDiGraph()
    graph.add_nodes_from((f"podcast:{code}", {"kind": "podcast", "language": code}) for code in codes.split())
    assert page.find_page_language(graph) == LANGUAGES[codes]


def test_another_language_is_one_more_file(monkeypatch):
    other = {**ENGLISH, "language": "eo", "skip": "Al la teksto", "kinds": {"pull": {"one": "kunfandopeto"}}}
    read = page._read_asset
    monkeypatch.setattr(
        page, "_read_asset", lambda name: json.dumps(other) if name == "strings/eo.json" else read(name)
    )
    monkeypatch.setattr(page, "find_page_language", lambda _: "eo")
    graph = networkx.MultiDiGraph()
    graph.add_node("github:a/b#1", kind="pull", label="a/b#1", x=0.0, y=0.0)
    html = page.to_html(graph)
    assert '<html lang="eo">' in html
    assert ">Al la teksto<" in html
    packed = re.search(r'id="graph-data">(.*?)<', html)[1]
    assert "kunfandopeto" in zlib.decompress(base64.b64decode(packed)).decode()
    assert "Al la teksto" in page.scripts("eo")[0]


@pytest.mark.parametrize(("language", "tag"), [("he", '<html lang="he" dir="rtl">'), ("de", '<html lang="de">')])
def test_the_page_runs_in_the_direction_of_its_language(language, tag):
    graph = networkx.MultiDiGraph()
    graph.add_node("podcast:a", kind="podcast", label="a", language=language, x=0.0, y=0.0)
    assert tag in page.to_html(graph)


TRANSLATED = [path for path in ASSETS.joinpath("strings").iterdir() if "reasons" in json.loads(path.read_text("utf-8"))]


def parts(text):
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("path", TRANSLATED, ids=lambda path: path.name)
def test_a_translated_reason_has_the_parts_of_the_english_one(path):
    templates = json.loads(path.read_text("utf-8"))["reasons"]
    assert {english: parts(own) for english, own in templates.items()} == {one: parts(one) for one in templates}


@pytest.mark.parametrize("path", TRANSLATED, ids=lambda path: path.name)
def test_each_reason_of_the_snapshot_that_ties_episodes_is_translated(path, sample):
    templates = json.loads(path.read_text("utf-8"))["reasons"]
    untranslated = []

    def translate(text):
        result = translate_text(text)
        untranslated.extend([text] if result == text else [])
        return result

    translate_text = reasons.make_translator(templates, {name for _, name in sample.nodes(data="label")})
    rows = content.build_node_rows(
        sample, Orders(View.from_networkx(sample)), {node: {} for node in sample}, translate_text
    )
    assert sum("before" in row or "route" in row for row in rows) > 100
    kinds = {"related", "listen_first"}
    others = [edge for edge in sample.edges(keys=True) if edge[2] not in kinds]
    ties = sample.copy()
    ties.remove_edges_from(others)
    edges = content.build_edge_rows(ties, rows, translate)
    assert sum(len(edge.get("reasons", ())) for edge in edges) > 500
    assert untranslated == []


def test_names_stay_whole_and_other_texts_english():
    names = {"Dungeons and Dragons", "Tron", "Research and Development"}
    templates = dict(read_rows(__file__, "templates"))
    told = dict(read_rows(__file__, "told"))
    translate = reasons.make_translator(templates, names)
    assert {text: translate(text) for text in told} == told
    assert [translate(name) for name in ("Other episodes", "Area of effect")] == ["Andere Folgen", "Area of effect"]
