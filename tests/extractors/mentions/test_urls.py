"""What the links of an episode lead to: the hard snippets under ``fixtures/notes``, and what holds for any notes."""

import tomllib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podgraph.extractors.feeds.parse import parse_feed
from podgraph.extractors.mentions.corpus import Corpus
from podgraph.extractors.mentions.extraction import EXTRACTORS, extract
from podgraph.extractors.mentions.references import find_references
from podgraph.extractors.mentions.urls import episode_links, find_urls, truncated_links, uncut
from podgraph.extractors.model import Episode, Feed
from podgraph.extractors.notes.text import to_text
from podgraph.extractors.sample import sample_feed
from podgraph.extractors.sites import identify
from tests.extractors import link_tables as tables
from tests.extractors.notes.test_text import MARKUP

CORPUS = Corpus({}, "pytorch/pytorch")


def episode(markup, title="", id_="episode:p/e", url=""):
    return Episode(id_, "episode", "podcast:p", title, *to_text(markup), url=url)


def feed(*episodes, **values):
    return Feed("feed.xml", "podcast", "podcast:p", "P", episodes, **values)


@pytest.mark.parametrize(("family", "notes", "links", "cut", "refs"), list(tables.snippets()))
def test_snippets(family, notes, links, cut, refs):
    one = episode(notes)
    assert [mention.url for mention in find_urls(one, CORPUS)] == links
    assert list(truncated_links(one)) == cut
    assert [mention.ref.id for mention in find_references(one, CORPUS)] == refs


def test_there_are_snippets_of_every_kind():
    families = [family for family, *_ in tables.snippets()]
    assert len(families) > 90
    assert len(set(families)) == 10
    assert sum(bool(cut) for _, _, _, cut, _ in tables.snippets()) > 8


def test_a_mention_says_where_and_how():
    href, url, title = find_urls(
        episode("<p>See <a href='https://x.example/a'>this</a> https://github.com/anna</p>", "On https://x.example/t"), CORPUS
    )  # fmt: skip
    assert (href.quote, href.method, href.field, href.relation) == ("this", "href", "notes", "cites")
    assert (url.quote, url.method, url.extractor, url.relation) == (
        "https://github.com/anna",
        "url",
        "github",
        "mentions",
    )
    assert (title.quote, title.field, title.start) == ("https://x.example/t", "title", 3)


def test_an_escaped_ampersand_changes_no_identity():
    (mention,) = find_urls(episode("<p>https://x.example/?b=1&amp;amp;a=2</p>"), CORPUS)
    assert mention.url == "https://x.example/?b=1&amp;a=2"
    assert mention.ref.id == identify("https://x.example/?a=2&b=1")[1].id


@pytest.mark.parametrize(("markup", "links"), [
    # A URL behind a URL counts of its own where it leads elsewhere.
    ("<a href='https://x.example/a'>https://y.example/b</a>", [("href", "https://x.example/a"), ("url", "https://y.example/b")]),
    ("<a href='https://x.example/a'>http://www.x.example/a/</a>", [("href", "https://x.example/a")]),
    ("<a href='https://x.com/a/b'>x.com</a>", [("href", "https://x.com/a/b")]),
    ("<a href='https://x.com/a/b'>x.com/a</a>", [("href", "https://x.com/a/b")]),
    ("<a href='https://x.com/a/b'>x.com/aa</a>", [("href", "https://x.com/a/b")]),
    ("<a href='https://x.com/a/b'>Node.js and kiln.dev</a>", [("href", "https://x.com/a/b")]),
    ("<a href='https://x.com/a/b'>https://x.com/a</a>", [("href", "https://x.com/a/b"), ("url", "https://x.com/a")]),
    ("<a href='https://github.com/o/r/pull/1/files'>https://github.com/o/r/pull/1</a>", [("href", "https://github.com/o/r/pull/1/files")]),
    ("<a href='https://x.example/abc'>https://x.example/a…</a>", [("href", "https://x.example/abc")]),
    ("<a href='https://x.example/abc/d'>https://x.example/…/d</a>", [("href", "https://x.example/abc/d")]),
    ("<a href='https://x.example/a…'>https://x.example/abc</a>", [("url", "https://x.example/abc")]),
    ("<a href='https://t.co/a'>https://x.example/ab…</a>", [("href", "https://t.co/a"), ("url", "https://x.example/ab…")]),
])  # fmt: skip
def test_told_apart(markup, links):
    assert [(link.method, link.url) for link in episode_links(episode(markup))] == links


@pytest.mark.parametrize(("url", "whole", "better"), [
    ("https://x.example/a…", ["x.example/a"], "https://x.example/a"),
    ("https://x.example/a...", ["x.example/a", "x.example/b"], "https://x.example/a"),
    ("https://x.example/a[…]", ["x.example/a"], "https://x.example/a"),
    ("https://x.example/a…", ["x.example/a", "x.example/ab"], None),
    ("https://x.example/a…", ["x.example/a/b"], None),
    ("https://x.example/a…", [], None),
    ("https://x.example/…/a", ["x.example", "x.example/a"], None),
    ("https://x.example/a", ["x.example/a"], None),
])  # fmt: skip
def test_an_ellipsis_is_taken_off_where_that_is_proven(url, whole, better):
    (link,) = episode_links(episode(f"{url} there"))
    found = uncut(link, whole)
    assert (found.url if found else None) == better


def test_another_episode_proves_a_link_whole():
    one = episode("See https://github.com/o/r/pull/12… and https://github.com/o/r… there", id_="episode:p/one")
    two = episode("See https://github.com/o/r/pull/12 and https://github.com/o/r too", id_="episode:p/two")
    first, _ = extract([feed(one, two)])
    assert first.truncated == ("https://github.com/o/r…",)
    assert [(mention.ref.id, mention.quote) for mention in first.mentions if mention.url] == [
        ("github:o/r#12", "https://github.com/o/r/pull/12")
    ]
    longer = episode("See https://github.com/o/r/pull/123", id_="episode:p/three")
    first, *_ = extract([feed(one, two, longer)])
    assert "https://github.com/o/r/pull/12…" in first.truncated


def test_every_link_of_the_snapshot_is_found_and_no_other():
    source = files("podgraph.extractors.sample").joinpath("episodes.toml").read_text("utf-8")
    told = {entry["number"]: entry for entry in tomllib.loads(source)["episode"]}
    results = extract([parse_feed(sample_feed(), source="sample")])
    assert len(results) == len(told) == 83
    for result in results:
        entry = told[result.episode.number]
        assert [mention.url for mention in result.mentions if mention.url] == [
            link["url"] for link in entry.get("links", [])
        ]
        assert list(result.truncated) == [cut["url"] for cut in entry.get("truncated", [])]


@given(st.lists(st.tuples(MARKUP, st.text(max_size=30)), min_size=1, max_size=3))
def test_every_quote_stands_where_it_is_said_to(items):
    episodes = [episode(markup, title, f"episode:p/{n}") for n, (markup, title) in enumerate(items)]
    for result in extract([feed(*episodes, default_repo="o/r")], EXTRACTORS):
        for mention in result.mentions:
            text = {"notes": result.episode.notes, "title": result.episode.title}[mention.field]
            assert text[mention.start : mention.end] == mention.quote
            assert 0 <= mention.confidence <= 1


@given(st.sampled_from([url for _, _, whole, _ in tables.links() for url in whole]))
def test_a_canonical_url_is_its_own(url):
    known = identify(url if "//" in url else f"https://{url}")
    if known and known[1].url:
        again = identify(known[1].url)
        assert again
        assert again[1].id == known[1].id
