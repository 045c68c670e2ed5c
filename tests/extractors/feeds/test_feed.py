"""Every feed in fixtures/feeds says what expected.toml says it says. A new case is a file and a table there."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from datetime import datetime
from pathlib import Path

import pytest

from podgraph.extractors import parse_feed
from podgraph.extractors.errors import FeedError
from podgraph.extractors.mentions.extraction import extract
from podgraph.extractors.model import Chapter
from tests.tables import read_rows

FOLDER = Path(__file__).parents[1] / "fixtures" / "feeds"
TABLES = tomllib.loads((FOLDER.parent / "values.toml").read_text(encoding="utf-8"))
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


def list_values(value, *without):
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
    assert list_values(feed, "episodes", "warnings", "source", "private") == expected
    assert [list_values(episode, "kind", "podcast") for episode in feed.episodes] == episodes
    assert len(feed.warnings) == len(warnings)
    assert [line.startswith(start) for line, start in zip(feed.warnings, warnings, strict=True)].count(False) == 0
    kind = "blog" if feed.kind == "blog" else "episode"
    assert {(episode.kind, episode.podcast) for episode in feed.episodes} <= {(kind, feed.id)}


@pytest.mark.parametrize(("as_kind", "kind", "first"), TABLES["kinds"])
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


NO_FEED = [
    *((text.encode(), problem) for text, problem in TABLES["no_feeds"]),
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


def rss(title, declaration=""):
    head = f'<?xml version="1.0" encoding="{declaration}"?>' if declaration else ""
    return f'{head}<rss version="2.0"><channel><title>{title}</title><item><title>T</title></item></channel></rss>'


@pytest.mark.parametrize(("title", "encoding", "declaration", "content_type"), TABLES["encodings"])
def test_encodings(title, encoding, declaration, content_type):
    data = rss(title, declaration).encode(encoding)
    assert parse_feed(data, source="f", content_type=content_type).title == title


@pytest.mark.parametrize(
    ("sign", "other"), [(b"</rss>", b"</rss><!-- \xff -->"), (b"<rss", b"<!-- \xed\xa0\xbd\xed\xb8\x80 --><rss")]
)
def test_a_few_broken_bytes_leave_the_text_as_it_is(sign, other):
    title = "Gr\u00fc\u00dfe \u2013 f\u00fcr \u201ealle\u201c"
    assert parse_feed(rss(title).encode().replace(sign, other), source="f").title == title


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_json_in_any_unicode(encoding):
    text = '{"version": "https://jsonfeed.org/version/1.1", "title": "Grüße", "items": []}'
    assert parse_feed(text.encode(encoding), source="f").title == "Grüße"


@pytest.mark.parametrize(("link", "url", "repo"), TABLES["default_repos"])
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


@pytest.mark.parametrize(("channel", "because"), TABLES["empty"])
def test_why_a_feed_is_empty(channel, because):
    end = "" if "A" in channel else "</channel></rss>"
    feed = parse_feed(f"<rss><channel>{channel}{end}".encode(), source="f")
    assert feed.empty_because == because
    assert bool(feed.episodes) == ("link" in channel)


def read_failing(name):
    return read(f"../../feeds/failing/{name}.xml")


@pytest.mark.parametrize(("name", "count", "field", "value"), TABLES["failing"])
def test_failing_feed(name, count, field, value):
    feed = read_failing(name)
    assert (feed.kind, len(feed.episodes)) == ("podcast", count)
    assert getattr(feed.episodes[0], field) == (datetime.fromisoformat(value) if field == "date" else value)


@pytest.mark.parametrize(
    ("name", "places"), read_rows(__file__, "test_links_of_chapters_in_the_feed_are_citations_with_a_time")
)
def test_links_of_chapters_in_the_feed_are_citations_with_a_time(name, places):
    (extraction,) = extract([read_failing(name)])
    assert [(one.ref.id, one.time) for one in extraction.mentions if one.relation == "cites"] == places


def test_a_soundbite_is_a_moment():
    (moment,) = read_failing("soundbite").episodes[0].moments
    assert (moment.start, moment.title) == (73, "Why cobalt turns blue")


def test_no_address_of_mail_is_in_a_feed():
    feed = read_failing("mail_editor")
    assert feed.author == "Ada Potter"
    assert "@" not in repr(feed)


SHOW = """<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
 xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:atom="http://www.w3.org/2005/Atom" xmlns:psc="http://podlove.org/simple-chapters"><channel><title>Kiln</title>
 <link>https://kiln.example/</link><atom:link rel="self" href="https://kiln.example/feed"/><itunes:author>Ada Bee</itunes:author>
 <item><title>Glaze</title><guid>https://kiln.example/1</guid><dc:date>2015-01-04</dc:date>
 <enclosure url="https://kiln.example/1.mp3" type="audio/mpeg" length="1"/><itunes:duration>10:00</itunes:duration>
 <itunes:episodeType>Trailer</itunes:episodeType><description>short</description>
 <content:encoded><![CDATA[<p>See <a href="https://clay.example/a">clay</a>.</p>]]></content:encoded>
 <psc:chapters><psc:chapter start="3:07" href="https://clay.example/b"/></psc:chapters></item></channel></rss>"""


@pytest.mark.parametrize(
    ("usual", "other"), [("http://", "https://"), ("www.", ""), ('dtd"', 'dtd/"'), ('content/"', 'content"')]
)
def test_a_show_with_other_addresses_of_its_namespaces_is_the_same(usual, other):
    head, rest = SHOW.split("><channel>")
    feed = parse_feed(SHOW.encode(), source="f")
    assert parse_feed(f"{head.replace(usual, other)}><channel>{rest}".encode(), source="f") == feed
    (episode,) = feed.episodes
    assert (episode.type, episode.duration, episode.moments[0].url) == ("trailer", 600, "https://clay.example/b")


def test_keys_of_a_private_feed_are_in_no_moment():
    key = "9f8e7d6c5b4a39281706"
    text = SHOW.replace("clay.example/b", f"kiln.example/{key}/b").replace("<title>Glaze", f"<title>{key}")
    feed = parse_feed(text.encode(), source="f", url=f"https://kiln.example/private/{key}/rss", private=True)
    assert feed.episodes[0].moments == (Chapter(187, "", ""),)
    assert key not in repr(feed)


@pytest.mark.parametrize(("links", "line"), TABLES["feed_pages"])
def test_one_page_of_a_feed_is_said_to_be_one(links, line):
    text = (
        f"<rss xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>S</title>{links}<item><title>One</title>"
        "<enclosure url='https://x.example/1.mp3' type='audio/mpeg'/><description>Words.</description></item></channel></rss>"
    )
    pages = [line for line in parse_feed(text.encode(), source="f").warnings if line.startswith("page ")]
    assert pages == ([line] if line else [])
