"""Pages of the web: what belongs to their identity, and the link that opens them; more in ``tables/web.txt``."""

import pytest

from podgraph.extractors.sites.registry import find_parser
from podgraph.extractors.sites.web import parse
from tests.tables import read_rows


@pytest.mark.parametrize(("url", "link"), read_rows(__file__, "test_the_link_opens_the_page_as_it_was_found"))  # fmt: skip
def test_the_link_opens_the_page_as_it_was_found(url, link):
    assert parse(url).url == link


@pytest.mark.parametrize(("url", "label"), read_rows(__file__, "test_the_label_can_be_read"))
def test_the_label_can_be_read(url, label):
    assert parse(url).label == label


@pytest.mark.parametrize(
    "url", ["ftp://example.org/", "mailto:a@example.org", "example.org", "/a/b", "", "https://", "https://a b/"]
)
def test_what_is_no_web_address_is_none(url):
    assert parse(url) is None


@pytest.mark.parametrize(("slug", "expected"), read_rows(__file__, "test_the_hash_behind_a_slug"))  # fmt: skip
def test_the_hash_behind_a_slug(slug, expected):
    page = find_parser("podcasts")(f"https://x.simplecast.com/episodes/{slug}")
    assert (page.id if page else "") == (f"web:x.simplecast.com/episodes/{expected}" if slug else "")
