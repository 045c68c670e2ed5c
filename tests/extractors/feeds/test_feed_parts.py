"""The small steps of reading a feed, as tables: which body, which persons, which addresses, which XML."""

from __future__ import annotations

import pytest

from podgraph.extractors.feeds.bodies import mend_text, richest
from podgraph.extractors.feeds.bylines import parse_people
from podgraph.extractors.feeds.parse import parse_feed
from podgraph.extractors.feeds.raw import Body
from podgraph.extractors.feeds.web_urls import public_url, resolve, web_url

BODIES = [
    # (bodies in the order of the source: markup and rank), the one to read
    ([], None),
    ([("only", 3)], "only"),
    ([("<p>whole</p>", 0), ("<p>whole</p>", 1), ("whole", 2)], "<p>whole</p>"),
    # Most links first: a summary without the reading list loses, wherever it stands.
    ([("intro", 2), ('intro <a href="https://x.org/a">a</a>', 0)], 'intro <a href="https://x.org/a">a</a>'),
    (
        [('<a href="https://x.org/a">a</a>', 0), ("https://x.org/a https://x.org/b", 2)],
        "https://x.org/a https://x.org/b",
    ),
    (
        [("https://x.org/a https://x.org/a", 2), ('<a href="https://x.org/a">a</a>', 0)],
        '<a href="https://x.org/a">a</a>',
    ),
    # A link that was cut is none.
    ([("https://x.org/a...", 2), ("the words", 1)], "the words"),
    # Relative ones count.
    ([('<a href="/a">a</a>', 0), ("longer words, but no link", 1)], '<a href="/a">a</a>'),
    # Then the longest text; white space, tags and URLs are no text.
    ([("short", 0), ("a much longer text", 1)], "a much longer text"),
    ([("<p>same words</p>", 0), ("same \n\n\n words", 1)], "<p>same words</p>"),
    ([('<a href="https://x.org/">here</a>', 0), ("here https://x.org/", 2)], '<a href="https://x.org/">here</a>'),
]


@pytest.mark.parametrize(("bodies", "best"), BODIES)
def test_richest(bodies, best):
    chosen = richest([Body(markup, rank) for markup, rank in bodies])
    assert [body.markup for body in chosen] == ([] if best is None else [best])


BYLINES = [
    ("Edward Yang, Team PyTorch", ["Edward Yang"]),
    ("nobody@example.com (Edward Yang, Team PyTorch)", ["Edward Yang"]),
    ("Edward Yang <ed@example.com>", ["Edward Yang"]),
    ("ed@example.com", []),
    ("ezyang", []),
    ("Anna de la Cruz & Bo Z. Li", ["Anna de la Cruz", "Bo Z. Li"]),
    ("Jean-Luc O'Neil and Zoë van der Berg", ["Jean-Luc O'Neil", "Zoë van der Berg"]),
    ("Jane Doe, PhD", ["Jane Doe"]),
    ("Jane Doe Ph.D. and John Roe Jr.", ["Jane Doe", "John Roe"]),
    ("Jane Doe, Team Example, Inc.", ["Jane Doe"]),
    ("By Jane Doe -", ["Jane Doe"]),
    ("Martin Luther King, Jr.", ["Martin Luther King"]),
    ("Hosted by Jane Doe; guest: John Roe", ["Jane Doe", "John Roe"]),
    ("Jane Doe / Jane Doe", ["Jane Doe"]),
    ("R&D Weekly", []),
    ("The Daily Show", []),
    ("NPR", []),
    ("Stanford University", []),
    ("Meta Platforms, Inc.", []),
    ("the quick brown fox", []),
    ("Doe, Jane", []),  # or are these two handles?
    ("Studio 71", []),
    ("स्मिता राव", []),
    ("", []),
]


@pytest.mark.parametrize(("byline", "names"), BYLINES)
def test_parse_people(byline, names):
    assert list(parse_people(byline)) == names


def test_the_feed_is_not_a_person():
    assert parse_people("Planet Example", "Planet Example with Friends") == ()


WEB = [
    ("https://x.org/a", (), "https://x.org/a"),
    (" \n https://x.org/a\n b ", (), "https://x.org/a b"),
    ("//x.org/a", ("https://y.org/",), "https://x.org/a"),
    ("a?b", ("", "https://x.org/c/d"), "https://x.org/c/a?b"),
    ("", ("https://x.org/",), ""),
    ("a", (), ""),
    ("www.x.org/a", (), "https://www.x.org/a"),
    ("mailto:a@x.org", ("https://x.org/",), ""),
    ("javascript:alert(1)", ("https://x.org/",), ""),
    ("//[bad", ("https://x.org/",), ""),
    ("https://", (), ""),
    ("https://x.org/" + "a" * 9000, (), ""),
]


@pytest.mark.parametrize(("url", "bases", "expected"), WEB)
def test_web_url(url, bases, expected):
    assert web_url(url, *bases) == expected


def test_resolve_keeps_what_it_cannot_resolve():
    assert resolve("https://[bad", "a") == "a"


def test_public_url_has_no_password():
    assert public_url("https://a:b@c@x.org/?q=d@e") == "https://x.org/?q=d@e"


TEXTS = [
    ("plain", "plain"),
    ("cafÃ©", "café"),
    ("naïve", "naïve"),
    ("it\x92s", "it\u2019s"),
    ("日本", "日本"),
    ("日本 cafÃ©", "日本 cafÃ©"),  # nothing can tell, so nothing is done
]


@pytest.mark.parametrize(("text", "mended"), TEXTS)
def test_mend_text(text, mended):
    assert mend_text(text) == mended


def test_pages_of_a_feed_and_its_new_address_are_read() -> None:
    links = '<a:link rel="next" href="?page=2"/><a:link rel="last" href="?page=4"/>'
    moved = "<itunes:new-feed-url>https://new.example/feed</itunes:new-feed-url>"
    spaces = 'xmlns:a="http://www.w3.org/2005/Atom" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
    data = f"<rss {spaces}><channel>{links}{moved}<item><title>A</title></item></channel></rss>".encode()
    feed = parse_feed(data, source="feed.xml", url="https://x.example/feed")
    pages = "https://x.example/feed?page=2", "https://x.example/feed?page=4"
    assert (feed.next_page, feed.last_page, feed.moved_to) == (*pages, "https://new.example/feed")
    data = b'{"version": "https://jsonfeed.org/version/1", "items": [], "next_url": "https://x.example/2"}'
    assert parse_feed(data, source="feed.json").next_page == "https://x.example/2"
