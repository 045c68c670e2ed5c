"""The static site: its pages, links and updates, and what it refuses."""

import posixpath
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

from podgraph.extractors import OutputError
from podgraph.graph import Orders, View
from podgraph.output.formats.node_link import to_json
from podgraph.output.site.site import to_site, write_site
from tests.graph.nets import ident, net
from tests.output.graphs import contract_graph, hostile_graph
from tests.tables import read_rows


class Page(HTMLParser):
    """The links, ids, words and structure of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.open, self.words, self.scripts = [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.links += [attrs[name] for name in ("href", "src", "action") if name in attrs]
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.open += [tag] if tag not in {"meta", "link", "img", "input"} else []
        assert not any(name.startswith("on") for name in attrs)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        (self.scripts if self.open[-1:] == ["script"] else self.words).append(data)


def show():
    """Return a show of three episodes: two about mills, one of them with a guest, and one in another area."""
    graph = net(
        ("The mill", ["mill"], "On mills. https://a.example/x?a=1&b=2, and more."),
        ("Weir & <b>dam</b>", ["mill"], ""),
        ("Wheel", [], ""),
        edges=[("weir-&-<b>dam</b>", "the-mill", "see_also")],
    )
    graph.add_node("person:ann", kind="person", label="Ann Lee")
    graph.add_edge(ident("the-mill"), "person:ann", "mentions", weight=1, role="guest")
    for slug in ("the-mill", "weir-&-<b>dam</b>"):
        graph.nodes[ident(slug)].update(community="Mills", duration=600)
        graph.add_edge(ident(slug), "paper:p/1", "cites", weight=1)
    graph.nodes["paper:p/1"].update(kind="paper", label="A paper", url="https://p.example/1")
    graph.add_edge(ident("wheel"), "web:w.example/once", "cites", weight=1)
    graph.nodes["web:w.example/once"].update(kind="web", label="Once", url="javascript:alert(1)")
    graph.nodes[ident("wheel")]["community"] = "Wheels"
    return graph


GRAPHS = {"show": show, "contract": contract_graph, "hostile": hostile_graph}


@pytest.mark.parametrize("name", GRAPHS)
def test_each_link_leads_to_a_page_and_nothing_runs(name):
    pages = to_site(GRAPHS[name](), site_url="https://s.example/map")
    paths = {path for path in pages if path.endswith(".html")} - {"index.html"}
    assert {"contents.html", "search.html"} <= paths
    for path in paths:
        page = Page(pages[path])
        assert page.open == []
        assert len(page.ids) == len(set(page.ids))
        for link in page.links:
            where = urlsplit(link)
            assert where.scheme in {"", "http", "https"}, (path, link)
            if not where.scheme and where.path:
                assert unquote(posixpath.normpath(posixpath.join(posixpath.dirname(path), where.path))) in pages, (
                    path,
                    link,
                )
        assert all(script.startswith('{"@context"') or not script for script in page.scripts)


# page -> texts that it has
WORDS = dict(read_rows(__file__, "WORDS"))


@pytest.mark.parametrize("path", WORDS)
def test_a_page_has(path):
    graph = show()
    graph.add_edge(ident("the-mill"), ident("wheel"), "related", weight=0.5, level="strong", reasons=["for the test"])
    graph.add_node("topic:race", kind="topic", label="Mill race")
    graph.add_edge("topic:race", "topic:mill", "subtopic_of", weight=1, reasons=["for the test"])
    text = to_site(graph, site_url="https://s.example/map")[path.partition("#")[0]]
    words = "".join(Page(text).words) if path.endswith(".html") else text
    assert [word for word in WORDS[path] if word not in words] == []


def test_without_an_address_there_is_neither_feed_nor_sitemap():
    assert to_site(show()).keys().isdisjoint({"new.xml", "sitemap.xml", "robots.txt"})
    assert "canonical" not in to_site(show())["contents.html"]


def test_a_route_is_the_order_of_the_command(sample):
    pages = to_site(sample)
    steps = Orders(View.from_networkx(sample)).build_routes()
    area = steps[0].area
    ids = [step.id.rpartition("/")[2] for step in steps if step.area == area]
    path = next(path for path in pages if path.startswith("routes/") and f"{ids[0]}.html" in pages[path])
    links = [link for link in Page(pages[path]).links if link.startswith("../episodes/")]
    assert links == [f"../episodes/{id_}.html" for id_ in ids]
    assert max(len(text.encode()) for name, text in pages.items() if name != "index.html") < 100_000


def test_an_update_leaves_what_is_the_same_and_removes_what_is_gone(tmp_path):
    folder = tmp_path / "site"
    write_site(show(), folder)
    (folder / "mine.txt").write_text("mine")
    (folder / "topics" / "mine.html").write_text("mine")

    def list_inodes():
        return {file.relative_to(folder).as_posix(): file.stat().st_ino for file in folder.rglob("*.html")}

    before = list_inodes()
    less = show()
    less.remove_node("person:ann")
    write_site(less, folder)
    assert not (folder / "people").exists()
    assert (folder / "mine.txt").read_text() == (folder / "topics" / "mine.html").read_text() == "mine"
    after = list_inodes()
    assert after["episodes/wheel.html"] != before["episodes/wheel.html"]
    write_site(less, folder)
    assert list_inodes() == after


def test_a_long_list_has_several_pages():
    graph = net(*((f"e{number}", [], "") for number in range(501)))
    for number in range(501):
        graph.nodes[ident(f"e{number}")]["date"] = "2020-01-01"
    pages = to_site(graph)
    lists = [Page(pages[path]).links for path in ("2020.html", "2020-1.html")]
    assert [sum(link.startswith("episodes/") for link in links) for links in lists] == [500, 1]
    assert all(links[-2:] == ["2020.html", "2020-1.html"] for links in lists)


def test_the_same_title_twice_has_two_pages():
    graph = net(("a", ["wind/mill", "water/mill"], ""))
    assert len([path for path in to_site(graph) if path.startswith("topics/")]) == 2


def private(graph):
    graph.graph["sources"] = [{"source": "f.xml", "title": "Secret", "private": True}]
    return graph


REFUSED = {r"Secret: is private; .*--publish-private": (private(show()), {}), "accent": (show(), {"accent": "red"})}


@pytest.mark.parametrize("error", REFUSED)
def test_refused(tmp_path, error):
    graph, options = REFUSED[error]
    with pytest.raises(OutputError, match=error):
        write_site(graph, tmp_path / "site", **options)
    assert not (tmp_path / "site").exists()


def test_a_file_of_another_program_stays(tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "contents.html").write_text("mine")
    with pytest.raises(OutputError, match="podgraph did not write it"):
        write_site(show(), tmp_path / "site")
    assert [file.name for file in (tmp_path / "site").iterdir()] == ["contents.html"]


def test_the_accent_is_the_shows_and_a_private_feed_is_published_on_request():
    pages = to_site(private(show()), accent="#0a66c2", publish_private=True)
    assert "--accent: light-dark(#0a66c2, #5494d4)" in pages["site.css"]


def test_no_episode_is_first_and_next(sample):
    for path, text in to_site(sample).items():
        if path.startswith("episodes/"):
            first, _, rest = text.partition("<h2>Listen first</h2>")[2].partition("</section>")
            following = rest.partition("<h2>Listen next</h2>")[2].partition("</section>")[0]
            assert not {*Page(first).links} & {*Page(following).links}, path


def test_the_order_of_a_graph_does_not_matter():
    graph = show()
    before = to_json(graph)
    reverse = type(graph)(**graph.graph)
    reverse.add_nodes_from(reversed([*graph.nodes(data=True)]))
    reverse.add_edges_from(reversed([*graph.edges(keys=True, data=True)]))
    assert to_site(reverse) == to_site(graph)
    assert to_json(graph) == before
