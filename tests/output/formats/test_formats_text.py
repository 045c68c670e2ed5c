"""Foreign text is inert in every format: no formula, no query, no markup, no link but http(s)."""

import csv
import io
import re
from html.parser import HTMLParser

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from podgraph.output.formats import Rows
from podgraph.output.formats.bibtex import to_bibtex
from podgraph.output.formats.csv_pair import to_csv
from podgraph.output.formats.cypher import to_literal
from podgraph.output.formats.shared.markdown_text import to_markdown_line, to_markdown_link, to_markdown_paragraphs
from podgraph.output.formats.shared.texts import clean_text, slug, to_web_link
from podgraph.output.formats.vault import to_notes
from tests.output.graphs import HOSTILE_TEXTS, contract_graph, hostile_graph
from tests.tables import read_rows

hostile = pytest.mark.parametrize("text", HOSTILE_TEXTS.values(), ids=HOSTILE_TEXTS)


# CSV


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "＝1", "＋1", "－1", "＠x", "'=1", "''@x"]
)
def test_no_cell_is_a_formula(text):
    graph = networkx.MultiDiGraph()
    graph.add_node(text, label=text)
    nodes, _ = csv_of(graph)
    row = next(csv.DictReader(io.StringIO(nodes, newline="")))
    assert row["id"] == row["label"] == f"'{text}"


def test_guarded_ids_stay_apart_and_edges_follow():
    graph = networkx.MultiDiGraph([("=x", "'=x", "cites"), ("'=x", "''=x", "cites")])
    nodes, edges = (list(csv.DictReader(io.StringIO(text, newline=""))) for text in csv_of(graph))
    ids = {row["id"] for row in nodes}
    assert len(ids) == 3
    assert {row[end] for row in edges for end in ("source", "target")} == ids


# Cypher


@hostile
def test_a_literal_is_read_back_as_the_text(text):
    literal = to_literal(clean_text(text))
    pieces = re.findall(r"'((?:[^'\\]|\\[\\'nrt])*)'", literal)
    assert " + ".join(f"'{piece}'" for piece in pieces) == literal
    escapes = {"n": "\n", "r": "\r", "t": "\t"}
    assert re.sub(r"\\(.)", lambda match: escapes.get(match[1], match[1]), "".join(pieces)) == clean_text(text)


# Markdown


class Seen(HTMLParser):
    """What a browser would do with the rendered text."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.links, self.text = [], [], ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in {"href", "src"}]
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data):
        self.text += data


def csv_of(graph):
    return tuple(map("".join, to_csv(Rows(graph))))


def render(text):
    return Seen(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(text))


@hostile
def test_a_line_is_shown_as_it_is(text):
    page = render(to_markdown_line(clean_text(text)))
    assert set(page.tags) <= {"p", "a"}
    assert all(link.startswith("http") for link in page.links)
    assert page.text.split() == clean_text(text).split()


@given(st.text(st.sampled_from("ab -+*_#>1.)\\`[](){}<&|~=!:/\n\t%$^\"'")))
def test_paragraphs_are_paragraphs(text):
    page = render(to_markdown_paragraphs(text))
    assert set(page.tags) <= {"p"}
    assert page.text.split() == text.split()


@pytest.mark.parametrize(("url", "link"), read_rows(__file__, "LINKS"))
def test_only_web_addresses_become_links(url, link):
    page = render(to_markdown_link("*t]ext*", url))
    assert [address.replace("%5c", "%5C") for address in page.links] == ([link] if link else [])
    assert page.text.strip() == "*t]ext*"
    assert bool(to_web_link(url)) == bool(link)


# Names of files, and references


def test_names_are_safe_and_stay_apart():
    ids = {*map(str, hostile_graph()), *contract_graph(), "topic:a-12345678", "topic:A", "topic:a", "con:x"}
    names = {slug(node) for node in ids}
    assert len({name.lower() for name in names}) == len(ids)
    paths = [path for _, path, _ in to_notes(Rows(hostile_graph()))]
    assert len({path.rpartition("/")[2].casefold() for path in paths}) == len(paths) > 20
    for path in paths:
        assert re.fullmatch(r"(?:[^./][^/]*/)?[^./][^/]*\.md", path)
        assert not re.search(r'[\x00-\x1f\\:*?"<>|#^\[\]%]|__', path)


# (what nodes are called, by id) -> the names of their notes.
NOTES = read_rows(__file__, "NOTES")


@pytest.mark.parametrize(("labels", "names"), NOTES)
def test_notes_are_called_as_people_call_things_and_told_apart_where_they_clash(labels, names):
    graph = networkx.MultiDiGraph()
    for node, label in labels.items():
        graph.add_node(node, kind=node.partition(":")[0], label=label)
    paths = {id_: path for id_, path, _ in to_notes(Rows(graph))}
    assert [paths[node].partition("/")[2] for node in labels] == [f"{name}.md" for name in names]


# A thing to cite, its author, and what it is part of: its podcast, its blog by its feed or its host, its repository.
CITED = dict(read_rows(__file__, "CITED"))


@pytest.mark.parametrize("case", CITED)
def test_authors_and_series_are_inherited(case):
    node, attributes, author, series = CITED[case]
    sources = [{"kind": "feed", "url": "https://c.org/", "title": "No blog"}, {"kind": "blog", "title": "Nowhere"}]
    blog = {"kind": "blog", "url": "https://b.org/feed", "author": "The Blogger", "title": "The Blog"}
    graph = networkx.MultiDiGraph(sources=[*sources, blog])
    graph.add_node(node, **attributes)
    graph.add_node("podcast:p", kind="podcast", label="P", author="The Show")
    entry = "".join(to_bibtex(Rows(graph)))
    assert re.findall(r"author = \{+(.*?)\}+,", entry) == ([author] if author else [])
    assert re.findall(r"howpublished = \{[^,}]*, (.*)\},", entry) == ([series] if series else [])


def test_lists_have_the_undated_where_their_number_puts_them():
    graph = contract_graph()
    for number, (name, more) in enumerate([("a", {"date": "2021-01-01"}), ("b", {}), ("c", {"date": "2021-03-01"})], 1):
        facts = {"label": f"Q {name}", "number": number, "podcast": "podcast:q", **more}
        graph.add_node(f"episode:q/{name}", kind="episode", **facts)
    *_, (_, _, index) = to_notes(Rows(graph))
    assert re.findall(r"\[\[Q (\w)\]\]", index) == ["c", "b", "a"]


def test_texts_for_readers_leave_out_what_only_boilerplate_names():
    graph = contract_graph()
    for node, label in (("video:v/1", "Our trailer"), ("video:v/2", "A talk")):
        graph.add_node(node, kind="video", label=label, url=f"https://v.example/{node[-1]}")
    for name in ("strides", "vmap", "no-date"):
        more = {} if name == "no-date" else {"boilerplate": True}
        graph.add_edge(f"episode:p/{name}", "video:v/2", "cites", weight=1, reasons=["of the test"], **more)
        graph.add_edge(f"episode:p/{name}", "video:v/1", "cites", weight=1, reasons=["of the test"], boilerplate=True)
    entries = "".join(to_bibtex(Rows(graph)))
    assert ("A talk" in entries, "Our trailer" in entries) == (True, False)
