"""Feeds written to break the reader: a right result or one clear line, never more work than the size allows."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from podgraph.extractors import parse_feed
from podgraph.extractors.errors import FeedError
from tests.tables import read_rows
from tests.work import count_calls

TABLES = tomllib.loads((Path(__file__).parents[1] / "fixtures" / "values.toml").read_text(encoding="utf-8"))
HEAD = (
    '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" '
    'xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>T</title>'
)
TAIL = "</channel></rss>"


def feed_of(*items, head=HEAD, tail=TAIL):
    text = head + "".join(f"<item><title>t{n}</title>{item}</item>" for n, item in enumerate(items)) + tail
    return parse_feed(text.encode("utf-8", "surrogatepass"), source="f")


def only(feed):
    (episode,) = feed.episodes
    return episode


def test_a_title_of_a_megabyte_is_cut():
    feed = parse_feed(f"{HEAD}<item><title>{'x' * 1_000_000}</title></item>{TAIL}".encode(), source="f")
    assert only(feed).title == "x" * 999 + "…"


def test_warnings_of_one_kind_are_one_line():
    (line, _) = feed_of(*["<pubDate>never</pubDate>"] * 105).warnings
    assert line.endswith("cannot be read; it has none (and 104 more like it)")


def test_deep_nesting_is_read():
    assert only(feed_of("<a>" * 5000 + "</a>" * 5000)).title == "t0"
    assert only(feed_of("<description>" + "<b>" * 5000 + "x" + "</b>" * 5000 + "</description>")).notes == "x"


@pytest.mark.parametrize(("item", "title"), [*TABLES["titles"], ("<title>a\x00b\x08c\x7f</title>", "abc")])
def test_titles_are_cleaned(item, title):
    data = f"<rss><channel><item>{item}</item></channel></rss>".encode("utf-8", "surrogatepass")
    assert only(parse_feed(data, source="f")).title == title


def test_only_web_addresses_are_kept():
    episode = only(
        feed_of(
            "<link>javascript:alert(1)</link><guid>data:text/html,x</guid>"
            '<enclosure url="file:///etc/passwd.mp3" type="audio/mpeg"/>'
            '<itunes:image href="javascript:1"/><podcast:chapters url="ftp://x.org/c"/>'
            '<podcast:transcript url="file:///etc/passwd"/><podcast:person href="javascript:1">A B</podcast:person>'
        )
    )
    addresses = [episode.url, episode.audio_url, episode.image, episode.chapters, episode.people[0].url]
    assert (addresses, episode.transcripts) == ([""] * 5, ())


def test_content_is_never_taken_for_the_name_of_a_file():
    with pytest.raises(FeedError, match="is not a feed"):
        parse_feed(b"/etc/passwd", source="f")


@pytest.mark.parametrize(("text", "items"), TABLES["broken"])
@pytest.mark.parametrize(("around", "line"), TABLES["around"])
def test_broken_feeds_are_read_with_one_line(around, line, text, items):
    feed = parse_feed(around.format(text).encode(), source="f")
    items_read = [episode.title + f"|{episode.notes}" * bool(episode.notes) for episode in feed.episodes]
    lines = [one for one in (*feed.warnings, feed.cut) if one and "only titles" not in one]
    assert (items_read, len(lines)) == (items, 1)
    assert lines[0].endswith(line) or line in lines[0]


PARTS = st.sampled_from(
    "<rss version='2.0'>|<channel>|<item>|</item>|<title>|</title>|<description>|<![CDATA[|]]>|<!--|-->|&amp;|&|&sub|"
    "&#|;|<|>|\"|'|</|<link>|</link>|https://x.org/?a&b|<feed xmlns='http://www.w3.org/2005/Atom'>|<entry>|"
    "<content type='xhtml'>|<div>|<br>|<enclosure url='|<!DOCTYPE rss [|<!ENTITY a '|]>|<?xml version='1.0'?>|"
    'xml:base=\'|a|\n|\x00|\x85|é|<itunes:author>|<podcast:person|<guid>|<pubDate>|2024-01-01|{|}|[|"version":'.split(
        "|"
    )
)


def is_read_or_refused(data):
    """Say so; any error but ``FeedError`` is let through."""
    try:
        feed = parse_feed(data, source="f", url="https://example.org/feed")
    except FeedError as error:
        return "\n" not in str(error)
    ids = [episode.id for episode in feed.episodes]
    for episode in feed.episodes:
        for link in episode.links:
            assert 0 <= link.start <= link.end <= len(episode.notes)
    return len(ids) == len(set(ids)) and not any("\n" in line for line in feed.warnings)


@given(st.binary(max_size=300))
@example(b"\xff\xfe<\x00r")
@example(b"{}")
@example(b"<rss/>")
def test_any_bytes(data):
    assert is_read_or_refused(data)


@given(st.lists(PARTS, max_size=60), st.booleans())
def test_anything_like_a_feed(parts, begun):
    text = ("<rss version='2.0'><channel><item>" if begun else "") + "".join(parts)
    assert is_read_or_refused(text.encode())


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
ITEM = (
    "id url external_url title content_html content_text summary date_published tags author authors attachments".split()
)


@given(st.lists(st.dictionaries(st.sampled_from(ITEM), json_values) | json_values, max_size=4), json_values)
def test_json_of_any_types(items, other):
    from json import dumps

    document = {"version": "https://jsonfeed.org/version/1.1", "items": items, "title": other, "authors": other}
    assert is_read_or_refused(dumps(document).encode())


def fill(shape, count):
    """Return a feed in which each part in brackets stands so many times, with its number for {n}."""
    return HEAD + "".join(
        part if isinstance(part, str) else "".join(part[0].replace("{n}", str(n)) for n in range(count))
        for part in shape
    )


@pytest.mark.parametrize(("name", "shape"), read_rows(__file__, "SHAPES"))
def test_twice_the_size_is_twice_the_work(name, shape):
    def read(size):
        try:
            parse_feed(fill(shape, size).encode(), source="f")
        except FeedError:
            return

    read(10)  # what is loaded and compiled once
    assert count_calls(read, 300) <= 2.2 * count_calls(read, 150)
