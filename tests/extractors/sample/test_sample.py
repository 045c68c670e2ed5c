"""The snapshot: its source, the feed made from it, and that neither promises more than is known."""

import re
import tomllib
import xml.etree.ElementTree as ET
from email.utils import parsedate_to_datetime
from functools import partial
from html import unescape
from html.parser import HTMLParser

import pytest

from podgraph.extractors.sample import SNAPSHOT_DATE, build_feed, sample_feed
from tests.tables import read_rows

ITUNES = "{http://www.itunes.com/dtds/podcast-1.0.dtd}"
CONTENT = "{http://purl.org/rss/1.0/modules/content/}encoded"
PODGRAPH = "{urn:podgraph:snapshot}"

SNAPSHOT = tomllib.loads(build_feed.SOURCE.read_text("utf-8"))
EPISODES = {episode["number"]: episode for episode in SNAPSHOT["episode"]}
CHANNEL = ET.fromstring(sample_feed()).find("channel")
ITEMS = {int(item.findtext(f"{ITUNES}episode")): item for item in CHANNEL.iter("item")}


class Notes(HTMLParser):
    """The links of an HTML text, and the text that is no part of a link."""

    def __init__(self, html):
        super().__init__()
        self.hrefs, self.outside, self._in_link = [], "", False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self.hrefs.append(dict(attrs)["href"])
            self._in_link = True
        elif tag == "li":
            self.outside += "\n"

    def handle_endtag(self, tag):
        if tag == "a":
            self._in_link = False

    def handle_data(self, data):
        if not self._in_link:
            self.outside += data


rows = partial(read_rows, __file__)


def test_the_feed_is_what_the_source_gives_and_an_outdated_one_is_told(tmp_path, monkeypatch, capsys):
    assert build_feed.main(["--check"]) == 0
    assert capsys.readouterr().out == ""
    stale = tmp_path / "feed.xml"
    monkeypatch.setattr(build_feed, "FEED", stale)
    assert build_feed.main(["--check"]) == 1
    assert not stale.exists()
    stale.write_bytes(sample_feed().replace(b"vmap", b"pmap", 1))
    assert build_feed.main(["--check"]) == 1
    assert capsys.readouterr().out.count("\n") == 2
    assert build_feed.main([]) == 0
    assert stale.read_bytes() == sample_feed()


@pytest.mark.parametrize(("source", "words"), rows("faulty"))
def test_a_faulty_source_is_told_in_one_line(source, words, tmp_path, monkeypatch, capsys):
    path = tmp_path / "episodes.toml"
    path.write_text(source)
    monkeypatch.setattr(build_feed, "SOURCE", path)
    assert build_feed.main([]) == 2
    out = capsys.readouterr().out
    assert (words in out, out.count("\n")) == (True, 1)


def test_what_all_episodes_have_together():
    assert list(ITEMS) == list(range(83, 0, -1))
    assert len(SNAPSHOT["episode"]) == len({episode["summary"] for episode in EPISODES.values()}) == 83
    assert len({item.findtext("guid") for item in ITEMS.values()}) == 83
    for name in ("slug", "url"):
        assert len({episode[name] for episode in EPISODES.values() if name in episode}) == 78
    dates = [parsedate_to_datetime(day) for item in ITEMS.values() if (day := item.findtext("pubDate"))]
    assert len(dates) == 83 - len(range(65, 74))
    assert dates == sorted(dates, reverse=True)
    assert SNAPSHOT["podcast"]["snapshot_date"].isoformat() == SNAPSHOT_DATE
    assert CHANNEL.find(f"{PODGRAPH}snapshot").get("date") == SNAPSHOT_DATE
    assert b"not the live feed" in sample_feed()[:400]
    assert len(sample_feed()) < 250_000


@pytest.mark.parametrize(("number", "title", "day", "clock", "page"), rows("facts"))
def test_facts_of_an_item(number, title, day, clock, page):
    item = ITEMS[number]
    assert item.findtext("title") == item.findtext(f"{ITUNES}title") == title
    assert item.findtext("pubDate") == (day and f"{day} 00:00:00 +0000")
    assert item.findtext(f"{ITUNES}duration") == clock
    assert item.findtext("link") == (page and f"https://pytorch-dev-podcast.simplecast.com/episodes/{page}")


@pytest.mark.parametrize(("number", "fields"), rows("uncertain"))
def test_what_is_uncertain_is_marked_with_its_reason(number, fields):
    mark = ITEMS[number].find(f"{PODGRAPH}uncertain")
    assert mark.get("fields") == fields
    assert [reason.partition(": ")[0] for reason in mark.text.split("; ")] == fields.split()


@pytest.mark.parametrize("number", sorted(EPISODES))
def test_an_episode_has_fields_that_reach_the_feed_and_what_is_missing_is_uncertain(number):
    episode, item = EPISODES[number], ITEMS[number]
    facts = {"title", "date", "duration", "url"}
    assert episode.keys() <= facts | {"number", "slug", "summary", "links", "truncated", "uncertain"}
    assert facts - episode.keys() <= episode["uncertain"].keys() <= facts | {"links"}
    assert all("not known" in episode["uncertain"][field] for field in facts - episode.keys())
    assert all(row.keys() == {"text", "url"} for row in episode.get("links", []) + episode.get("truncated", []))
    page = episode.get("url", "").rpartition("/")[2]
    assert page in {episode.get("slug", ""), f"{episode.get('slug')}-{page[-8:]}"}
    cited = [link["url"] for link in episode.get("links", [])]
    assert item.findtext(CONTENT) == item.findtext("description")
    assert Notes(item.findtext(CONTENT)).hrefs == cited
    assert not [url for url in cited if "..." in url or "…" in url]
    summary = " ".join(episode["summary"].split())
    assert 20 <= len(summary.split()) <= 60
    assert 1 <= len(re.findall(r"\.(?= [A-Z]|$)", summary)) <= 3
    assert item.findtext(f"{ITUNES}summary") == summary
    assert unescape(item.findtext(CONTENT)).startswith(f"<p>{summary}</p>")
    assert item.find("enclosure").get("url").startswith("https://example.invalid/"), "nothing that could be played"
    assert item.find("guid").get("isPermaLink") == "false"


@pytest.mark.parametrize(("url", "numbers"), rows("citing"))
def test_who_cites_an_address(url, numbers):
    assert [number for number, item in ITEMS.items() if f'href="{url}"' in item.findtext(CONTENT)] == numbers


@pytest.mark.parametrize(("number", "url"), rows("truncated"))
def test_an_address_that_is_not_whole_is_text(number, url):
    notes = Notes(ITEMS[number].findtext(CONTENT))
    assert url not in notes.hrefs
    assert any(line.endswith(f" {url}") for line in notes.outside.splitlines())


@pytest.mark.parametrize(("number", "words"), rows("others"))
def test_links_to_other_episodes_say_how_they_are_meant(number, words):
    own = [link["text"] for link in EPISODES[number]["links"] if "/episodes/" in link["url"]]
    assert own
    assert all(text.startswith(words) for text in own)


def test_hostile_text_comes_through_whole():
    text, url = "]]> <b>&amp;</b> \"'", 'https://example.org/?a=1&b="<'
    link = {"text": text, "url": url}
    episode = {"number": 1, "title": text, "summary": text, "url": url, "links": [link], "truncated": [link]}
    feed = build_feed.to_feed({"podcast": SNAPSHOT["podcast"], "episode": [{**episode, "uncertain": {"url": text}}]})
    item = ET.fromstring(feed).find("channel/item")
    assert item.findtext("title") == item.findtext(f"{ITUNES}summary") == text
    assert item.findtext("link") == url
    assert item.findtext(f"{PODGRAPH}uncertain") == f"url: {text}"
    notes = Notes(item.findtext(CONTENT))
    assert notes.hrefs == [url]
    assert notes.outside == f"{text}Further reading.\n{text} \n{text} {url}"
