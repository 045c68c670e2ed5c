"""Pages of the web: what belongs to their identity, and the link that opens them; more in ``tables/web.txt``."""

import pytest

from podgraph.extractors.sites.registry import find_parser
from podgraph.extractors.sites.web import parse


@pytest.mark.parametrize(("url", "link"), [
    ("http://www.example.org/a/?utm_source=x#b", "http://www.example.org/a/"),
    ("https://example.org/a?b=1&c=", "https://example.org/a?b=1&c"),
    ("https://www.cis.upenn.edu/~x/y.pdf", "https://www.cis.upenn.edu/~x/y.pdf"),
    ("https://example.org/a b", "https://example.org/a%20b"),
    ("https://someone:secret@www.example.org/", "https://www.example.org/"),
    ("https://www.example.org@evil.example/", "https://evil.example/"),
    ("//www.example.org", "https://www.example.org/"),
])  # fmt: skip
def test_the_link_opens_the_page_as_it_was_found(url, link):
    assert parse(url).url == link


@pytest.mark.parametrize(("url", "label"), [
    ("https://example.org/gr%C3%B6%C3%9Fe", "example.org/größe"), ("https://example.org/a%0Ab", "example.org/a%0Ab"),
    ("https://example.org/%E2%80%AEa", "example.org/%E2%80%AEa"), ("https://www.example.org/", "example.org"),
])  # fmt: skip
def test_the_label_can_be_read(url, label):
    assert parse(url).label == label


@pytest.mark.parametrize(
    "url", ["ftp://example.org/", "mailto:a@example.org", "example.org", "/a/b", "", "https://", "https://a b/"]
)
def test_what_is_no_web_address_is_none(url):
    assert parse(url) is None


@pytest.mark.parametrize(("slug", "expected"), [
    ("xla-PZxcTtCL", "xla"), ("just-enough-cuda-to-be-dangerous-4J1DrjLZ", "just-enough-cuda-to-be-dangerous"),
    ("functionalization-t_HiJlOu", "functionalization"),
    ("automatic-mixed-precision-L2wJSVA_", "automatic-mixed-precision"), ("half-precision-iKOTruc9", "half-precision"),
    ("a-Ab-cdEfG", "a"), ("a-b3c4d5e6", "a"), ("zero-one-specialization", "zero-one-specialization"),
    ("reference-counting", "reference-counting"), ("pytorch-20", "pytorch-20"), ("on-pytorch2", "on-pytorch2"),
    ("about-python38", "about-python38"), ("notes-from-gtc-2021", "notes-from-gtc-2021"),
    ("about-b2b-saas", "about-b2b-saas"), ("recorded-20210504", "recorded-20210504"), ("PZxcTtCL", "PZxcTtCL"),
    ("-PZxcTtCL", "-PZxcTtCL"), ("", ""),
])  # fmt: skip
def test_the_hash_behind_a_slug(slug, expected):
    page = find_parser("podcasts")(f"https://x.simplecast.com/episodes/{slug}")
    assert (page.id if page else "") == (f"web:x.simplecast.com/episodes/{expected}" if slug else "")
