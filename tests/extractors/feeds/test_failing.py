"""Feeds of kinds that an earlier reader got wrong, and the right values."""

from __future__ import annotations

import tomllib
from datetime import datetime
from pathlib import Path

import pytest

from podgraph.extractors import parse_feed
from podgraph.extractors.mentions.extraction import extract
from podgraph.extractors.model import Chapter

TABLES = tomllib.loads((Path(__file__).parents[1] / "fixtures" / "values.toml").read_text(encoding="utf-8"))
FOLDER = Path(__file__).parent / "failing"


def read(name):
    return parse_feed((FOLDER / f"{name}.xml").read_bytes(), source=name)


@pytest.mark.parametrize(("name", "count", "field", "value"), TABLES["failing"])
def test_feed(name, count, field, value):
    feed = read(name)
    assert (feed.kind, len(feed.episodes)) == ("podcast", count)
    found = getattr(feed.episodes[0], field)
    assert found == (datetime.fromisoformat(value) if field == "date" else value)


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("lang_psc", [("web:clay.example/glaze", 187), ("github:clay/kiln#7", 506)]),
        ("psc_atom", [("web:clay.example/c2", 330)]),
    ],
)
def test_links_of_chapters_in_the_feed_are_citations_with_a_time(name, places):
    (extraction,) = extract([read(name)])
    assert [(one.ref.id, one.time) for one in extraction.mentions if one.relation == "cites"] == places


def test_a_soundbite_is_a_moment():
    (moment,) = read("soundbite").episodes[0].moments
    assert (moment.start, moment.title) == (73, "Why cobalt turns blue")


def test_no_address_of_mail_is_in_a_feed():
    feed = read("mail_editor")
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


@pytest.mark.parametrize(
    ("links", "line"),
    [
        ("<atom:link rel='next' href='https://x.example/f?page=2'/>", "page 1; 1 episode"),
        (
            (
                "<atom:link rel='next' href='https://x.example/f?page=2'/>"
                "<atom:link rel='last' href='https://x.example/f?page=4'/>"
            ),
            "page 1 of 4; 1 episode",
        ),
        ("", None),
    ],
)
def test_one_page_of_a_feed_is_said_to_be_one(links, line):
    text = (
        f"<rss xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>S</title>{links}<item><title>One</title>"
        "<enclosure url='https://x.example/1.mp3' type='audio/mpeg'/><description>Words.</description></item></channel></rss>"
    )
    pages = [said for said in parse_feed(text.encode(), source="f").warnings if said.startswith("page ")]
    assert pages == ([line] if line else [])
