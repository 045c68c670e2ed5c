"""The snapshot: its source, the feed made from it, and that neither promises more than is known."""

import re
import tomllib
import xml.etree.ElementTree as ET
from email.utils import parsedate_to_datetime
from html import unescape
from html.parser import HTMLParser

import pytest

from podgraph.extractors.sample import SNAPSHOT_DATE, build_feed, sample_feed

ITUNES = "{http://www.itunes.com/dtds/podcast-1.0.dtd}"
CONTENT = "{http://purl.org/rss/1.0/modules/content/}encoded"
PODGRAPH = "{urn:podgraph:snapshot}"

SNAPSHOT = tomllib.loads(build_feed.SOURCE.read_text("utf-8"))
EPISODES = {episode["number"]: episode for episode in SNAPSHOT["episode"]}
CHANNEL = ET.fromstring(sample_feed()).find("channel")
ITEMS = {int(item.findtext(f"{ITUNES}episode")): item for item in CHANNEL.iter("item")}

every_episode = pytest.mark.parametrize("number", sorted(EPISODES))


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


def test_the_feed_is_what_the_source_gives(capsys):
    assert build_feed.main(["--check"]) == 0
    assert capsys.readouterr().out == ""


def test_check_tells_an_outdated_feed_in_one_line_and_leaves_it(tmp_path, monkeypatch, capsys):
    stale = tmp_path / "feed.xml"
    monkeypatch.setattr(build_feed, "FEED", stale)
    assert build_feed.main(["--check"]) == 1
    assert not stale.exists()
    stale.write_bytes(sample_feed().replace(b"vmap", b"pmap", 1))
    assert build_feed.main(["--check"]) == 1
    assert capsys.readouterr().out.count("\n") == 2
    assert build_feed.main([]) == 0
    assert stale.read_bytes() == sample_feed()


@pytest.mark.parametrize(
    ("source", "words"), [("podcast = = 1", "line 1"), ("[podcast]\n[[episode]]\nnumber = 1", "'feed'")]
)
def test_a_faulty_source_is_told_in_one_line(source, words, tmp_path, monkeypatch, capsys):
    path = tmp_path / "episodes.toml"
    path.write_text(source)
    monkeypatch.setattr(build_feed, "SOURCE", path)
    assert build_feed.main([]) == 2
    out = capsys.readouterr().out
    assert words in out
    assert out.count("\n") == 1


def test_there_are_83_episodes_newest_first():
    assert list(ITEMS) == list(range(83, 0, -1))
    assert len(SNAPSHOT["episode"]) == 83


@pytest.mark.parametrize(
    ("number", "title", "day", "clock", "page"),
    [
        (83, "Compiler collectives", "Sun, 4 Aug 2024", "00:16:33", "compiler-collectives"),
        (78, "Min-cut partitioner", "Sun, 17 Mar 2024", "00:15:00", "min-cut-partitioner"),
        (69, "Unbacked SymInts", None, None, None),
        (65, None, None, None, None),
        (67, None, None, None, None),
        (54, "Half precision", "Fri, 10 Sep 2021", "00:18:00", "half-precision-iKOTruc9"),
        (32, "XLA", "Thu, 17 Jun 2021", "00:16:00", "xla-PZxcTtCL"),
        (27, "C++ frontend", "Thu, 10 Jun 2021", "00:17:07", "c-frontend"),
        (21, "__torch_function__", "Wed, 2 Jun 2021", "00:17:00", "torch-function"),
        (19, "native_functions.yaml", "Fri, 28 May 2021", "00:15:32", "native-functions-yaml"),
        (1, "Pytorch Python Bindings", "Tue, 4 May 2021", "00:13:17", "pytorch-python-bindings"),
    ],
)
def test_facts_of_an_item(number, title, day, clock, page):
    item = ITEMS[number]
    assert item.findtext("title") == item.findtext(f"{ITUNES}title") == title
    assert item.findtext("pubDate") == (day and f"{day} 00:00:00 +0000")
    assert item.findtext(f"{ITUNES}duration") == clock
    assert item.findtext("link") == (page and f"https://pytorch-dev-podcast.simplecast.com/episodes/{page}")


@pytest.mark.parametrize(
    ("number", "fields"),
    [
        (83, "duration url"),
        (82, "duration url"),
        (67, "title date duration url links"),
        (66, "title date duration links"),
        (65, "title date duration url links"),
        (53, "date duration"),
        (36, "duration url links"),
        (6, "duration"),
        (1, "title date duration url links"),
    ],
)
def test_what_is_uncertain_is_marked_with_its_reason(number, fields):
    mark = ITEMS[number].find(f"{PODGRAPH}uncertain")
    assert mark.get("fields") == fields
    assert [reason.partition(": ")[0] for reason in mark.text.split("; ")] == fields.split()


@every_episode
def test_a_field_that_is_missing_is_uncertain(number):
    episode = EPISODES[number]
    missing = {"title", "date", "duration", "url"} - episode.keys()
    assert missing <= episode["uncertain"].keys()
    assert all("not known" in episode["uncertain"][field] for field in missing)


@every_episode
def test_the_source_uses_only_fields_that_reach_the_feed(number):
    episode = EPISODES[number]
    facts = {"title", "date", "duration", "url"}
    assert episode.keys() <= facts | {"number", "slug", "summary", "links", "truncated", "uncertain"}
    assert episode["uncertain"].keys() <= facts | {"links"}
    assert all(row.keys() == {"text", "url"} for row in episode.get("links", []) + episode.get("truncated", []))


@every_episode
def test_every_cited_url_is_a_link_of_its_item(number):
    item = ITEMS[number]
    cited = [link["url"] for link in EPISODES[number].get("links", [])]
    assert item.findtext(CONTENT) == item.findtext("description")
    assert Notes(item.findtext(CONTENT)).hrefs == cited
    assert not [url for url in cited if "..." in url or "…" in url]


def test_some_urls_by_name():
    def citing(url):
        return [number for number, item in ITEMS.items() if f'href="{url}"' in item.findtext(CONTENT)]

    assert citing("https://github.com/pytorch/pytorch/pull/130935") == [83]
    assert citing("https://pytorch.org/docs/stable/notes/cuda.html") == [49, 6]
    assert citing("https://github.com/pytorch/pytorch/wiki/Writing-Python-in-cpp-(a-manifesto)") == [27]
    assert citing("https://pytorch-dev-podcast.simplecast.com/episodes/zero-one-specialization") == [69]


@pytest.mark.parametrize(
    ("number", "url"),
    [
        (4, "https://github.com/.../aten/src/ATen/native/cpu/README.md"),
        (4, "https://github.com/.../tree/master/aten/src/ATen/cpu/vec256"),
        (5, "https://github.com/.../rfc0011/RFC-0011-InferenceMode.md"),
        (5, "https://github.com/.../cpp/source/notes/inference_mode.rst"),
        (36, "https://github.com/pytorch/pytorch/blob/mast..."),
    ],
)
def test_an_address_that_is_not_whole_is_text(number, url):
    notes = Notes(ITEMS[number].findtext(CONTENT))
    assert url not in notes.hrefs
    assert any(line.endswith(f" {url}") for line in notes.outside.splitlines())


@pytest.mark.parametrize(
    ("number", "words"),
    [(63, "Listen first"), (69, "Listen to this episode before"), (55, "See also"), (52, "See also")],
)
def test_links_to_other_episodes_say_how_they_are_meant(number, words):
    own = [link["text"] for link in EPISODES[number]["links"] if "/episodes/" in link["url"]]
    assert own
    assert all(text.startswith(words) for text in own)


@every_episode
def test_summary_is_short_and_in_every_place(number):
    summary = " ".join(EPISODES[number]["summary"].split())
    item = ITEMS[number]
    assert 20 <= len(summary.split()) <= 60
    assert 1 <= len(re.findall(r"\.(?= [A-Z]|$)", summary)) <= 3
    assert item.findtext(f"{ITUNES}summary") == summary
    assert unescape(item.findtext(CONTENT)).startswith(f"<p>{summary}</p>")


def test_no_two_summaries_are_alike():
    assert len({episode["summary"] for episode in EPISODES.values()}) == 83


def test_no_two_episodes_share_a_slug_guid_or_page():
    slugs = [episode["slug"] for episode in EPISODES.values() if "slug" in episode]
    pages = [episode["url"] for episode in EPISODES.values() if "url" in episode]
    assert len(set(slugs)) == len(slugs) == len(pages) == len(set(pages)) == 78
    assert len({item.findtext("guid") for item in ITEMS.values()}) == 83


@every_episode
def test_slug_is_the_page_without_its_hash(number):
    episode = EPISODES[number]
    page = episode.get("url", "").rpartition("/")[2]
    assert page in {episode.get("slug", ""), f"{episode.get('slug')}-{page[-8:]}"}


@every_episode
def test_nothing_looks_like_a_recording_that_could_be_played(number):
    assert ITEMS[number].find("enclosure").get("url").startswith("https://example.invalid/")
    assert ITEMS[number].find("guid").get("isPermaLink") == "false"


def test_dates_are_readable_and_in_order():
    dates = [parsedate_to_datetime(day) for item in ITEMS.values() if (day := item.findtext("pubDate"))]
    assert len(dates) == 83 - len(range(65, 74))
    assert dates == sorted(dates, reverse=True)


def test_the_date_of_the_snapshot_is_told_alike_everywhere():
    assert SNAPSHOT["podcast"]["snapshot_date"].isoformat() == SNAPSHOT_DATE
    assert CHANNEL.find(f"{PODGRAPH}snapshot").get("date") == SNAPSHOT_DATE
    assert b"not the live feed" in sample_feed()[:400]


def test_the_feed_stays_small():
    assert len(sample_feed()) < 250_000


def test_hostile_text_comes_through_whole():
    text = "]]> <b>&amp;</b> \"'"
    url = 'https://example.org/?a=1&b="<'
    episode = {
        "number": 1,
        "title": text,
        "summary": text,
        "url": url,
        "links": [{"text": text, "url": url}],
        "truncated": [{"text": text, "url": url}],
        "uncertain": {"url": text},
    }
    feed = build_feed.to_feed({"podcast": SNAPSHOT["podcast"], "episode": [episode]})
    item = ET.fromstring(feed).find("channel/item")
    assert item.findtext("title") == item.findtext(f"{ITUNES}summary") == text
    assert item.findtext("link") == url
    assert item.findtext(f"{PODGRAPH}uncertain") == f"url: {text}"
    notes = Notes(item.findtext(CONTENT))
    assert notes.hrefs == [url]
    assert notes.outside == f"{text}Further reading.\n{text} \n{text} {url}"
