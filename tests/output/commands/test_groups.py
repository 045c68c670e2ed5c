"""Groups of podcasts: from the outlines of a list of feeds to what is listed."""

import pytest

from podgraph.extractors import Source
from podgraph.extractors.sources.opml import find_outlines
from podgraph.output import pipeline
from podgraph.output.cli import main
from podgraph.output.formats import write_graph

FEED = """<rss version="2.0"><channel><title>{name}</title><item><title>Bread of {name}</title><guid>1</guid>
<pubDate>{day}</pubDate><enclosure url="https://{name}.example/1.mp3" type="audio/mpeg"/>
<description>https://x.example/{name} https://x.example/all</description></item></channel></rss>"""
DAY = "Mon, 01 Feb 2021 00:00:00 +0000"
OUTLINES = [
    # the body of a list, (address, group) of its feeds
    ("<outline text='a'><outline xmlUrl='https://f/1'/></outline><outline xmlUrl='https://f/2'/>", ["a", ""]),
    (
        "<outline text='a'><outline text='b'><outline xmlUrl='u'></outline></outline><outline xmlUrl='v'/></outline>",
        ["a/b", "a"],
    ),
    ("<outline title='t'><outline xmlUrl='u' text='name'><outline xmlUrl='v'/></outline></outline>", ["t", "t"]),
    ("<OUTLINE TEXT='a  b\n'><OUTLINE XMLURL='u' /></OUTLINE><outline xmlUrl='v'/>", ["a b", ""]),
    ("<outline text='empty'/><outline xmlUrl='u'/>", [""]),
    ("</outline></outline><outline text='a'><outline xmlUrl='u'/>", ["a"]),
    ("<outline text='1'>" * 9 + "<outline xmlUrl='u'/>", ["1/1/1/1/1"]),
    ("<outline><outline xmlUrl='u'/></outline>", [""]),
]


@pytest.mark.parametrize(("body", "groups"), OUTLINES)
def test_the_outlines_round_a_feed_are_its_group(body, groups):
    found = list(find_outlines(f"<opml><body>{body}</body></opml>".encode()))
    assert [group for _, _, group in found] == groups


@pytest.fixture(scope="module")
def grouped(tmp_path_factory):
    """A graph of three podcasts, as a list of feeds groups them; the network is a table."""
    path = tmp_path_factory.mktemp("groups") / "g.json"
    feeds = []
    for name, group in (("rye", "Food/Bread"), ("tea", "Food"), ("fox", "")):
        source = Source(name, FEED.format(name=name, day=DAY).encode(), "file", group=group)
        feeds += [one.feed for one in pipeline._feeds(source, "", (), print)[0]]
    assert [feed.group for feed in feeds] == ["Food/Bread", "Food", ""]
    write_graph(pipeline.graph_of(feeds), path)
    return str(path)


ASKED = [
    # words, the column that is looked at, what is there
    (["list", "podcasts", "--sort", "id"], 7, ["", "Food/Bread", "Food"]),
    (["list", "podcasts", "--group", "food", "--sort", "id"], 4, ["podcast:rye", "podcast:tea"]),
    (["list", "podcasts", "--group", "bread"], 4, ["podcast:rye"]),
    (["list", "episodes", "--group", "Food/Bread"], 2, ["Bread of rye"]),
    (["list", "web", "--group", "bread", "--sort", "id"], 4, ["web:x.example/all", "web:x.example/rye"]),
    (["cites", "https://x.example/all", "--group", "food"], 1, ["Bread of rye", "Bread of tea"]),
    (["order", "--group", "bread"], 2, ["Bread of rye"]),
    (["search", "bread", "--kind", "episodes", "--group", "bread"], 1, ["Bread of rye"]),
    (["list", "episodes", "--group", "bread", "--podcast", "tea"], 2, []),
]


@pytest.mark.parametrize(("words", "column", "cells"), ASKED, ids=[" ".join(words) for words, _, _ in ASKED])
def test_a_group_is_asked_for(grouped, capsys, words, column, cells):
    assert main([*words, "-q", "-g", grouped]) == (0 if cells else 1)
    assert [line.split("\t")[column] for line in capsys.readouterr().out.splitlines()] == cells


@pytest.mark.parametrize("name", ["foo", "/", "read"])
def test_a_group_that_is_none(grouped, capsys, name):
    assert main(["list", "episodes", "--group", name, "-q", "-g", grouped]) == 1
    remedy = f"`podgraph list podcasts -g {grouped}` shows the groups"
    assert capsys.readouterr().err == f"podgraph: no group is called {name!r}; {remedy}\n"
