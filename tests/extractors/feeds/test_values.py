"""Values of a feed, as tables: dates, durations, texts, persons, addresses, ids."""

from __future__ import annotations

import tomllib
from html import escape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podgraph.extractors import parse_feed, parse_people

TABLES = tomllib.loads((Path(__file__).parents[1] / "fixtures" / "values.toml").read_text(encoding="utf-8"))
HEAD = (
    '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" '
    'xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>P</title>'
)


def read(*items, about="<link>https://home.example/</link>", **options):
    """Return the feed of some items in XML."""
    text = f"{HEAD}{about}{''.join(f'<item>{item}</item>' for item in items)}</channel></rss>"
    return parse_feed(text.encode("utf-8", "surrogatepass"), source="f", **options)


def tag(name, *texts):
    return [f"<title>{n}</title><{name}>{escape(text)}</{name}>" for n, text in enumerate(texts)]


def test_dates():
    episodes = read(*tag("pubDate", *(text for text, _ in TABLES["dates"]))).episodes
    found = [one.date.isoformat() if one.date else "" for one in episodes]
    assert found == [date for _, date in TABLES["dates"]]


def test_durations():
    episodes = read(*tag("itunes:duration", *(text for text, _ in TABLES["durations"]))).episodes
    assert [one.duration or -1 for one in episodes] == [seconds for _, seconds in TABLES["durations"]]


def test_the_language_decides_about_a_month_of_two():
    dated = tag("pubDate", "5 listopada 2020")
    months = [read(*dated, about=f"<language>{code}</language>").episodes[0].date.month for code in ("hr", "pl")]
    assert months == [10, 11]


@given(
    st.from_regex(
        r"(\w{3}, )?\d{1,4}[ .-](\w{3}|\d\d)[ .-]\d{1,4} \d\d:\d\d(:\d\d)? ?([+-]\d{4}|[A-Z]{0,4})", fullmatch=True
    )
)
def test_dates_never_raise_and_are_aware(text):
    date = read(*tag("pubDate", text)).episodes[0].date
    assert date is None or (date.utcoffset() is not None and 1900 <= date.year <= 9998)


NAMES = ("content:encoded", "description", "itunes:summary", "itunes:subtitle")


@pytest.mark.parametrize(("bodies", "best"), TABLES["bodies"])
def test_the_richest_body_is_read(bodies, best):
    texts = (f"<{NAMES[rank]}>{escape(markup)}</{NAMES[rank]}>" for markup, rank in bodies)
    (alone,) = read(f"<title>t</title><description>{escape(best or '')}</description>").episodes
    (chosen,) = read(f"<title>t</title>{''.join(texts)}").episodes
    assert (chosen.notes, chosen.links) == (alone.notes, alone.links)


@pytest.mark.parametrize(("byline", "names"), TABLES["bylines"])
def test_parse_people(byline, names):
    assert list(parse_people(byline)) == names


def test_the_feed_is_not_a_person():
    assert parse_people("Planet Example", "Planet Example with Friends") == ()


@pytest.mark.parametrize(("link", "home", "url", "page"), TABLES["links"])
def test_pages_are_web_addresses(link, home, url, page):
    feed = read(*tag("link", link), about=f"<link>{home}</link>", url=url, private=False)
    assert feed.episodes[0].url == page
    assert "a:b" not in repr(feed)


@pytest.mark.parametrize(("url", "title", "slug"), TABLES["pages"])
def test_the_id_of_an_episode(url, title, slug):
    (episode,) = read(
        f"<title>{title}</title><link>{escape(url)}</link><guid isPermaLink='false'>g</guid>", as_kind="episodes"
    ).episodes
    assert episode.id == f"episode:p/{slug or title or 'g'}"


@pytest.mark.parametrize(("url", "node"), TABLES["posts"])
def test_the_id_of_a_post(url, node):
    (post,) = read(f"<title>A Post</title><link>{escape(url)}</link>").episodes
    assert post.id == (node or "blog:home.example/a-post")


def test_shared_pages_and_the_home_page_are_nobodys():
    pages = ["https://x.org/a", "http://www.x.org/a/?utm_source=b", "https://home.example", "https://x.org/c", ""]
    assert [post.url for post in read(*tag("link", *pages)).episodes] == ["", "", "", "https://x.org/c", ""]


@pytest.mark.parametrize(("title", "link", "source", "slug"), TABLES["shows"])
def test_the_id_of_a_show(title, link, source, slug):
    data = f"<rss><channel><title>{title}</title><link>{link}</link></channel></rss>"
    assert parse_feed(data.encode(), source=source, as_kind="episodes").id == f"podcast:{slug}"


ITEMS = st.fixed_dictionaries(
    {
        "title": st.sampled_from(["", "A", "a!", "B"]),
        "link": st.sampled_from(["", "https://x.org/a", "https://x.org/b-c"]),
        "guid": st.text("gh", max_size=2),
        "pubDate": st.sampled_from(["", "2024-01-01", "2024-01-02"]),
        "itunes:episode": st.sampled_from(["", "1"]),
    }
)


@given(
    st.lists(ITEMS, max_size=12, unique_by=lambda item: item["guid"] or tuple(item.values())),
    st.randoms(use_true_random=False),
)
def test_ids_are_unique_and_independent_of_the_order(items, order):
    written = ["".join(f"<{name}>{text}</{name}>" for name, text in item.items()) for item in items]
    found = [one.id for one in read(*written).episodes]
    order.shuffle(written)
    assert len(set(found)) == len(found)
    assert {one.id for one in read(*written).episodes} == set(found)


def test_the_earliest_keeps_the_plain_id():
    days = [("Batching", "2024-02-02"), ("batching!", "2024-01-01"), ("BATCHING", "")]
    first, second, third = read(*(f"<title>{title}</title><pubDate>{day}</pubDate>" for title, day in days)).episodes
    assert second.id == "blog:home.example/batching"
    assert len({first.id, second.id, third.id}) == 3
    assert all(len(one.id) == len(second.id) + 7 for one in (first, third))


def test_pages_of_a_feed_and_its_new_address_are_read():
    links = '<a:link xmlns:a="http://www.w3.org/2005/Atom" rel="next" href="?page=2"/>'
    links += links.replace("next", "last").replace('2"/>', '4"/>')
    moved = "<itunes:new-feed-url>https://new.example/feed</itunes:new-feed-url>"
    feed = read("<title>A</title>", about=links + moved, url="https://x.example/feed")
    assert (feed.next_page, feed.moved_to) == ("https://x.example/feed?page=2", "https://new.example/feed")
    data = b'{"version": "https://jsonfeed.org/version/1", "items": [], "next_url": "https://x.example/2"}'
    assert parse_feed(data, source="feed.json").next_page == "https://x.example/2"
