"""Answers as playlists, read by programs that are not ours: feedparser, m3u8, listparser, lxml."""

import csv
import json

import feedparser
import listparser
import m3u8
import pytest
from lxml import etree

from podgraph.output.cli import main

FEED = """<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
<title>Talk of &lt;PyTorch&gt; &amp; more</title><link>https://talk.example</link><description>About PyTorch.</description>
<item><title>vmap &amp; "friends"</title><link>https://talk.example/a?x=1&amp;y=2</link><guid>g1</guid>
<pubDate>Fri, 01 Mar 2024 12:00:00 +0000</pubDate><itunes:duration>61</itunes:duration>
<description>On torch.vmap and batching.</description><enclosure url="https://talk.example/a.mp3?s=1&amp;t=2" type="audio/mpeg"/></item>
<item><title>Batching, vmap again</title><link>https://talk.example/b</link><guid>g2</guid>
<pubDate>Fri, 08 Mar 2024 12:00:00 +0000</pubDate>{sound}
<description>More on torch.vmap and batching.</description></item>{more}
</channel></rss>"""
SOUND = '<enclosure url="https://talk.example/b.m4a" type="audio/mp4"/>'
NEW = """<item><title>Fresh</title><guid>g3</guid><link>https://talk.example/c</link>
<pubDate>Fri, 15 Mar 2024 12:00:00 +0000</pubDate><description>On torch.compile.</description></item>"""
TITLES = ['vmap & "friends"', "Batching, vmap again"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with graphs: both sounds are known, one is, and a newer one."""
    path = tmp_path_factory.mktemp("lists")
    for name, sound, more in (("both", SOUND, ""), ("one", "", ""), ("new", SOUND, NEW)):
        (path / f"{name}.xml").write_text(FEED.format(sound=sound, more=more))
        assert main(["build", str(path / f"{name}.xml"), "-q", "-o", str(path / f"{name}.json")]) == 0
    return path


def written(folder, tmp_path, *words, graph="both", suffix="rss"):
    out = tmp_path / f"x.{suffix}"
    assert main([*words, "-g", str(folder / f"{graph}.json"), "-q", "-o", str(out)]) == 0
    return out


# a question -> the titles that its playlist has
QUESTIONS = {
    ("order", "vmap", "--topic"): TITLES,
    ("related", "g1", "-n", "3"): TITLES[1:],
    ("search", "vmap"): TITLES,
    ("list", "episodes", "--sort", "date", "--reverse"): TITLES,
    ("list", "episodes"): TITLES[::-1],
}


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_a_question_as_a_feed(words, folder, tmp_path):
    asked = ["related", "Batching, vmap again"] if words[0] == "related" else words
    expected = TITLES[:1] if words[0] == "related" else QUESTIONS[words]
    parsed = feedparser.parse(str(written(folder, tmp_path, *asked)))
    assert not parsed.bozo
    assert sorted(entry.title for entry in parsed.entries) == sorted(expected)
    if words[0] == "list":
        assert [entry.title for entry in parsed.entries] == expected


def test_a_feed(folder, tmp_path):
    first = feedparser.parse(str(written(folder, tmp_path, "list", "episodes", "--reverse"))).entries[0]
    assert first.title == TITLES[1] or first.title == TITLES[0]
    parsed = feedparser.parse(str(written(folder, tmp_path, "order", "vmap", "--topic")))
    assert parsed.feed.title == "Talk of <PyTorch> & more: vmap, in order"
    assert [entry.itunes_episode for entry in parsed.entries] == ["1", "2"]
    one = next(entry for entry in parsed.entries if entry.title == TITLES[0])
    assert (one.link, one.id, one.itunes_duration, one.author) == (
        "https://talk.example/a?x=1&y=2", "g1", "61", "Talk of <PyTorch> & more",
    )  # fmt: skip
    assert [(sound.href, sound.type) for sound in one.enclosures] == [
        ("https://talk.example/a.mp3?s=1&t=2", "audio/mpeg")
    ]
    assert one.published == "Fri, 01 Mar 2024 12:00:00 +0000"


# a question -> what the feed is called after its show, its type, the numbers of its episodes
NAMED = {
    ("order",): ("everything, in order", "serial", ["1", "2"]),
    ("related", "Batching, vmap again"): ("related to Batching, vmap again", "serial", ["1"]),
    ("search", "batching"): ("search for batching", "serial", ["1", "2"]),
    ("list", "episodes", "--topic", "vmap"): ("episodes about vmap", "episodic", []),  # the newest first
    ("list", "episodes", "--sort", "date"): ("episodes", "episodic", []),
    ("list", "episodes", "--reverse"): ("episodes", "serial", ["1", "2"]),
    ("list", "episodes", "--sort", "count"): ("episodes", "serial", ["1", "2"]),
}


@pytest.mark.parametrize("words", NAMED, ids=" ".join)
def test_a_feed_is_called_after_its_show(words, folder, tmp_path):
    out = written(folder, tmp_path, *words)
    parsed, kind = feedparser.parse(str(out)), etree.parse(out).findtext(".//{*}type")
    numbers = [entry.itunes_episode for entry in parsed.entries if "itunes_episode" in entry]
    what, *others = NAMED[words]
    assert [parsed.feed.title, kind, numbers] == [f"Talk of <PyTorch> & more: {what}", *others]


def test_without_a_sound_the_page_is_linked(folder, tmp_path):
    parsed = feedparser.parse(str(written(folder, tmp_path, "list", "episodes", graph="one")))
    entry = next(entry for entry in parsed.entries if entry.title == TITLES[1])
    assert (entry.link, entry.enclosures) == ("https://talk.example/b", [])


def test_an_m3u(folder, tmp_path):
    playlist = m3u8.load(str(written(folder, tmp_path, "order", "vmap", "--topic", suffix="m3u8")))
    found = {one.title: (one.uri, one.duration) for one in playlist.segments}
    assert found == {
        TITLES[0]: ("https://talk.example/a.mp3?s=1&t=2", 61), TITLES[1]: ("https://talk.example/b.m4a", -1),
    }  # fmt: skip


def test_an_m3u_leaves_out_what_has_no_sound(folder, tmp_path, capsys):
    out = tmp_path / "x.m3u"
    assert main(["list", "episodes", "-g", str(folder / "one.json"), "-o", str(out)]) == 0
    assert [one.title for one in m3u8.load(str(out)).segments] == TITLES[:1]
    assert capsys.readouterr().err.endswith("x.m3u: 1 episode, 1 left out whose sound is not known\n")


def test_an_m3u_of_no_sounds_is_one_line(tmp_path, capsys):
    out = tmp_path / "x.m3u8"
    assert main(["order", "dispatcher", "-o", str(out)]) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert told == (
        f"podgraph: {out}: the sound of no episode is known, and an M3U has nothing else; write .rss, .opml or .xspf"
    )
    assert not out.exists()


def test_an_opml(folder, tmp_path):
    out = written(folder, tmp_path, "list", "episodes", "--sort", "date", suffix="opml")
    listed = listparser.parse(out.read_text("utf-8"))
    assert not listed.bozo
    assert listed.meta.title == "Talk of <PyTorch> & more: episodes"
    outlines = etree.parse(out).findall(".//outline/outline")
    assert [(one.get("text"), one.get("url")) for one in outlines] == [
        (TITLES[1], "https://talk.example/b.m4a"), (TITLES[0], "https://talk.example/a.mp3?s=1&t=2"),
    ]  # fmt: skip


def test_an_opml_of_a_known_feed_can_be_subscribed_to(folder, tmp_path):
    data = json.loads((folder / "both.json").read_text())
    for node in data["nodes"]:
        if node["kind"] == "podcast":
            node["feed_url"] = "https://talk.example/feed.xml?a=1&b=2"
    (tmp_path / "known.json").write_text(json.dumps(data))
    out = written(tmp_path, tmp_path, "list", "episodes", graph="known", suffix="opml")
    (feed,) = listparser.parse(out.read_text("utf-8")).feeds
    assert (feed.title, feed.url) == ("Talk of <PyTorch> & more", "https://talk.example/feed.xml?a=1&b=2")


def test_an_xspf(folder, tmp_path):
    root = etree.parse(written(folder, tmp_path, "list", "episodes", graph="one", suffix="xspf")).getroot()
    assert (root.tag, root.get("version")) == ("{http://xspf.org/ns/0/}playlist", "1")
    # https://xspf.org/spec: the elements of a track, each at most once here
    tracks = root.findall("{*}trackList/{*}track")
    allowed = set("location identifier title creator annotation info image album trackNum duration link meta".split())
    assert all({etree.QName(part).localname for part in track} <= allowed for track in tracks)
    found = [{etree.QName(part).localname: part.text for part in track} for track in tracks]
    assert "location" not in found[0]
    assert (found[0]["info"], found[1]["location"], found[1]["duration"]) == (
        "https://talk.example/b", "https://talk.example/a.mp3?s=1&t=2", "61000",
    )  # fmt: skip


def test_what_is_new_is_a_feed(folder, tmp_path):
    out = tmp_path / "new.rss"
    assert main(["diff", str(folder / "both.json"), str(folder / "new.json"), "-q", "-o", str(out)]) == 0
    parsed = feedparser.parse(str(out))
    assert ([entry.title for entry in parsed.entries], parsed.feed.title) == (
        ["Fresh"],
        "Talk of <PyTorch> & more: what is new",
    )
    assert main(["diff", str(folder / "both.json"), str(folder / "both.json"), "-q", "-o", str(out)]) == 0
    assert feedparser.parse(str(out)).entries == []


def test_standard_output_is_a_feed(folder, capsys):
    assert main(["list", "episodes", "-g", str(folder / "both.json"), "-q", "-o", "-"]) == 0
    assert len(feedparser.parse(capsys.readouterr().out).entries) == 2


# what is asked for -> what is said
REFUSED = {
    ("list", "episodes", "-o", "x.doc"): "x.doc: is no file for an answer; call it *.md, *.csv, *.json, *.txt, *.m3u8,",
    ("related", "vmap", "-o", "x.html"): "x.html: is no file for an answer; call it *.md, *.csv, *.json, *.m3u8,",
    ("list", "episodes", "-o", "x.cvs"): "x.cvs: is no file for an answer; did you mean '.csv'?",
    ("list", "topics", "-o", "x.rss"): "-o: there is no episode in this answer; ask for episodes",
    ("list", "episodes", "-o", "mine.rss"): "mine.rss: is there, and podgraph did not write it; give another name",
}


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_refused_in_one_line(words, folder, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.rss").write_text("<rss>my own</rss>")
    try:
        status = main([*words, "-g", str(folder / "both.json")])
    except SystemExit as ended:
        status = ended.code
    assert status == 2
    assert REFUSED[words] in capsys.readouterr().err.splitlines()[-1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.rss"]
    assert (tmp_path / "mine.rss").read_text() == "<rss>my own</rss>"


def test_ours_is_written_anew(folder, tmp_path):
    for suffix in ("rss", "m3u8", "opml", "xspf"):
        first = written(folder, tmp_path, "list", "episodes", suffix=suffix).read_bytes()
        assert written(folder, tmp_path, "list", "episodes", suffix=suffix).read_bytes() == first


def test_nothing_found_writes_nothing(folder, tmp_path):
    out = tmp_path / "x.rss"
    assert main(["search", "zzzzqqqq", "-g", str(folder / "both.json"), "-q", "-o", str(out)]) == 1
    assert not out.exists()


# A question, and what the files of its answer have.
FILES = {
    ("order", "vmap", "--topic"): TITLES,
    ("list", "episodes"): TITLES,
    ("search", "vmap"): TITLES,
    ("cites", "topic:vmap"): TITLES,
    ("related", "Batching, vmap again"): TITLES[:1],
    ("show", "Batching, vmap again"): ["vmap"],
    ("path", "g1", "topic:vmap"): TITLES[:1],
    ("where", "vmap"): TITLES,
    ("stats",): ["episode"],
    ("why", "Batching, vmap again", "vmap"): ["vmap"],
}


@pytest.mark.parametrize("suffix", ["md", "csv", "json"])
@pytest.mark.parametrize("words", FILES, ids=" ".join)
def test_every_question_is_taken_along(words, suffix, folder, tmp_path, capsys):
    words = tuple(TITLES[0] if word == "g1" else word for word in words)
    text = written(folder, tmp_path, *words, suffix=suffix).read_text("utf-8")
    again = written(folder, tmp_path, *words, suffix=suffix).read_text("utf-8")  # ours is written again
    assert text == again
    for title in FILES.get(words, TITLES[:1]):
        plain = text.replace('""', '"').replace('\\"', '"').replace("&amp;", "&").replace("\\&", "&")
        assert title in plain
    if suffix == "csv":
        assert len({len(row) for row in csv.reader(text.splitlines())}) == 1
    if suffix == "json":
        main([*words, "--json", "-g", str(folder / "both.json")])
        assert json.loads(text) == json.loads(capsys.readouterr().out)


def test_a_hand_out_has_title_minutes_reason_and_links(folder, tmp_path):
    text = written(folder, tmp_path, "order", "vmap", "--topic", suffix="html").read_text("utf-8")
    page = etree.HTML(text)
    assert [one.text for one in page.findall(".//h2/a")] == TITLES
    assert page.find(".//h2/small").text == "1 min"
    assert page.findall(".//li/p")[0].text.endswith(".")


def test_links_are_lines(folder, tmp_path):
    out = written(folder, tmp_path, "list", "episodes", suffix="txt")
    assert out.read_text().split() == ["https://talk.example/b", "https://talk.example/a?x=1&y=2"]


@pytest.mark.parametrize("suffix", ["md", "csv", "json", "txt"])
def test_a_file_of_others_stays(suffix, folder, tmp_path, capsys):
    out = tmp_path / f"x.{suffix}"
    out.write_text("mine: 1")
    with pytest.raises(SystemExit):
        main(["list", "episodes", "-g", str(folder / "both.json"), "-o", str(out)])
    assert (out.read_text(), "podgraph did not write it" in capsys.readouterr().err) == ("mine: 1", True)
