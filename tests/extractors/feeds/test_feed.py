"""Every feed in fixtures/feeds says what expected.toml says it says. A new case is a file and a table there."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from podgraph.extractors import parse_feed
from podgraph.extractors.errors import FeedError

FOLDER = Path(__file__).parents[1] / "fixtures" / "feeds"
EXPECTED = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))


def plain(value, notes=""):
    """Write a value the way expected.toml does."""
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if isinstance(value, tuple):
        return [plain(part, notes) for part in value]
    if hasattr(value, "method"):
        return [value.url, notes[value.start : value.end]]
    if hasattr(value, "role"):
        return [value.name, value.role, value.url]
    return value


def told(value, *without):
    """Return the fields that say anything."""
    named = {field.name: getattr(value, field.name) for field in fields(value) if field.name not in without}
    return {name: plain(part, named.get("notes", "")) for name, part in named.items() if part not in ("", None, ())}


def read(name, **options):
    return parse_feed((FOLDER / name).read_bytes(), source=name, **options)


def test_every_fixture_has_expectations():
    assert {path.name for path in FOLDER.iterdir()} - {"expected.toml"} == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_feed(name):
    feed = read(name)
    expected = dict(EXPECTED[name])
    episodes = expected.pop("episodes", [])
    warnings = expected.pop("warnings", [])
    assert not feed.private
    assert told(feed, "episodes", "warnings", "source", "private") == expected
    assert [told(episode, "kind", "podcast") for episode in feed.episodes] == episodes
    assert len(feed.warnings) == len(warnings)
    assert [line.startswith(start) for line, start in zip(feed.warnings, warnings, strict=True)].count(False) == 0
    kind = "blog" if feed.kind == "blog" else "episode"
    assert {(episode.kind, episode.podcast) for episode in feed.episodes} <= {(kind, feed.id)}


@pytest.mark.parametrize(
    ("as_kind", "kind", "first"),
    [
        ("", "blog", "blog:blog.example.org/2024/03/whats-a-symbolic-shape"),
        ("posts", "blog", "blog:blog.example.org/2024/03/whats-a-symbolic-shape"),
        ("episodes", "podcast", "episode:inside-out/whats-a-symbolic-shape"),
    ],
)
def test_kind_can_be_overruled(as_kind, kind, first):
    feed = read("rss20_blog.xml", as_kind=as_kind)
    assert (feed.kind, feed.episodes[0].id) == (kind, first)


def test_podcast_as_posts():
    feed = read("rss20_podcast.xml", as_kind="posts")
    assert [episode.id for episode in feed.episodes] == [
        "blog:kernels.simplecast.com/episodes/dispatch-in-c-t_HiJlOu",
        "blog:kernels.simplecast.com/episodes/xla-PZxcTtCL",
    ]
    assert {episode.podcast for episode in feed.episodes} == {""}


RSS = '<rss version="2.0"><channel><title>{}</title><item><title>T</title></item></channel></rss>'
NO_FEED = [
    (b"", "is empty; give the URL or file of a feed"),
    (b"<!DOCTYPE html><html><body>Log in</body></html>", "is a web page, not a feed; give the feed's own URL"),
    (b"<html xmlns='http://www.w3.org/1999/xhtml'/>", "is a web page, not a feed; give the feed's own URL"),
    (b"<opml version='2.0'><body/></opml>", "is a list of feeds (OPML), not a feed; give the feed's own URL"),
    (b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>", "is XML, but no feed (its root is <urlset>); give the feed's own URL"),
    (b"<note><to>you</to></note>", "is XML, but no feed (its root is <note>); give the feed's own URL"),
    (b"just words", "is not a feed (line 1: "),
    (b"<rss version='2.0'><channel><ti", "cannot be read as a feed (line 1: "),
    (b'{"a": 1}', "is JSON, but no JSON Feed; give the feed's own URL"),
    (b'{"version": "https://jsonfeed.org/version/1", "items": [{"id"', "is not readable JSON (line 1: "),
    (b"[" * 100_000, "is not readable JSON (it is nested too deeply); "),
    (b'{"version": ' + b"9" * 5000 + b"}", "is not readable JSON (it has a number of thousands of digits); "),
    (b"\x1f\x8b\x08\x00abc", "is compressed with gzip, not a feed; unpack it first"),
    (b"PK\x03\x04abc", "is a ZIP archive, not a feed; unpack it first"),
    (b"ID3\x03\x00abc", "is binary data, not a feed; give the feed's own URL"),
    (bytes(range(256)) * 4, "is binary data, not a feed; give the feed's own URL"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "problem"), NO_FEED)
def test_no_feed_is_one_clear_line(data, problem):
    with pytest.raises(FeedError) as error:
        parse_feed(data, source="given.xml")
    assert str(error.value).startswith(f"given.xml: {problem}")
    assert "\n" not in str(error.value)


def test_an_error_of_feedparser_is_one_line(monkeypatch):
    monkeypatch.setattr("feedparser.parse", {}.__getitem__)
    with pytest.raises(FeedError, match=r"cannot be read by feedparser \(TypeError\)"):
        read("titles.xml")


UMLAUT = RSS.format("Grüße – für „alle“")
CYRILLIC = RSS.format("Привет, мир")
ENCODINGS = [
    ("utf-8", UMLAUT.encode(), ""),
    ("utf-8 declared as latin-1", b'<?xml version="1.0" encoding="ISO-8859-1"?>' + UMLAUT.encode(), ""),
    ("utf-8 served as latin-1", UMLAUT.encode(), "text/xml; charset=iso-8859-1"),
    ("utf-8 declared as utf-16", b'<?xml version="1.0" encoding="utf-16"?>' + UMLAUT.encode(), ""),
    ("windows-1252 declared", b'<?xml version="1.0" encoding="windows-1252"?>' + UMLAUT.encode("cp1252"), ""),
    ("windows-1252 undeclared", UMLAUT.encode("cp1252"), ""),
    ("windows-1252 declared as punycode", b'<?xml version="1.0" encoding="punycode"?>' + UMLAUT.encode("cp1252"), ""),
    ("utf-16 with a mark", ('<?xml version="1.0" encoding="utf-16"?>' + UMLAUT).encode("utf-16"), ""),
    ("utf-16 big without a mark", UMLAUT.encode("utf-16-be"), ""),
    ("utf-32 with a mark", UMLAUT.encode("utf-32"), ""),
    ("one broken byte", UMLAUT.encode().replace(b"</rss>", b"</rss><!-- \xff -->"), ""),
    ("halves of characters", b"<!-- \xed\xa0\xbd\xed\xb8\x80 -->" + UMLAUT.encode(), ""),
    ("koi8-r declared", b'<?xml version="1.0" encoding="koi8-r"?>' + CYRILLIC.encode("koi8-r"), ""),
    ("windows-1251 served", CYRILLIC.encode("cp1251"), "application/rss+xml; charset=windows-1251"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "content_type"), [case[1:] for case in ENCODINGS], ids=[case[0] for case in ENCODINGS]
)
def test_encodings(data, content_type):
    title = parse_feed(data, source="f", content_type=content_type).title
    assert title in {"Grüße – für „alle“", "Привет, мир"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_json_in_any_unicode(encoding):
    text = '{"version": "https://jsonfeed.org/version/1.1", "title": "Grüße", "items": []}'
    assert parse_feed(text.encode(encoding), source="f").title == "Grüße"


DEFAULT_REPO = [
    ("https://pytorch-dev-podcast.simplecast.com", "", "pytorch/pytorch"),
    ("https://example.org", "https://feeds.simplecast.com/OB5FkIl8", "pytorch/pytorch"),
    ("https://example.org", "https://feeds.simplecast.com/OB5FkIl9", ""),
    ("https://example.org", "", ""),
]


@pytest.mark.parametrize(("link", "url", "repo"), DEFAULT_REPO)
def test_default_repo(link, url, repo):
    data = f"<rss version='2.0'><channel><title>T</title><link>{link}</link></channel></rss>".encode()
    assert parse_feed(data, source="f", url=url).default_repo == repo


def test_password_in_the_address_is_not_kept():
    feed = read("rss20_podcast.xml", url="https://me:secret@feeds.example.com/private?token=1")
    assert feed.feed_url == "feeds.example.com"


def test_relative_links_are_resolved_against_the_address_when_nothing_nearer_is_there():
    data = b"<rss version='2.0'><channel><title>T</title><item><title>A</title><description>&lt;a href='x'&gt;y&lt;/a&gt;</description></item></channel></rss>"
    feed = parse_feed(data, source="f", url="https://example.org/dir/feed.xml")
    assert [link.url for link in feed.episodes[0].links] == ["https://example.org/dir/x"]


@pytest.mark.parametrize(
    ("channel", "because"),
    [
        ("<title>T</title>", ""),
        ("<title>T</title><item><link>https://x.org/</link></item>", ""),
        ("<title>T</title><item></item>", "item 1 is empty; it is passed over"),
        ("<title>T</title><item><title>A", "the feed's end is missing, and perhaps some of its items"),
    ],
)
def test_why_a_feed_is_empty(channel, because):
    end = "" if "A" in channel else "</channel></rss>"
    feed = parse_feed(f"<rss><channel>{channel}{end}".encode(), source="f")
    assert feed.empty_because == because
    assert bool(feed.episodes) == ("link" in channel)
