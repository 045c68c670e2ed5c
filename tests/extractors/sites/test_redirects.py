"""Redirects that name their target; what the targets show is in ``tables/redirects.txt``."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podgraph.extractors.sites.redirects import unwrap


@pytest.mark.parametrize(("url", "target"), [
    ("https://www.google.com/url?q=http%3A%2F%2Fa.example%2Fb%3Fc%3D1%26d%3D2%23e", "http://a.example/b?c=1&d=2#e"),
    ("https://www.google.com/url?q=https%3A%2F%2Fa.example%2F100%2525", "https://a.example/100%25"),
    ("https://www.youtube.com/attribution_link?u=%2Fwatch%3Fv%3Dx", "https://youtube.com/watch?v=x"),
    ("https://web.archive.org/web/2020/http://a.example:80/b?c=1#d", "http://a.example:80/b?c=1#d"),
    ("https://web.archive.org/web/20200101000000im_/https://a.example/b.png", "https://a.example/b.png"),
    ("https://archive.today/o/AbCd1/https://a.example/b", "https://a.example/b"),
    ("https://google.com/amp/a.example/b", "http://a.example/b"),
    ("https://a-b--c-example.translate.goog/d?e=1&_x_tr_tl=de#f", "https://a.b-c.example/d?e=1#f"),
    ("https://urldefense.com/v3/__https://a.example/b**Cd__;IyMjIyM!!t$", "https://a.example/b####d"),
    ("https://nbviewer.org/url/a.example/b.ipynb", "http://a.example/b.ipynb"),
    ("https://a-example.cdn.ampproject.org/c/s/a.example/b", "https://a.example/b"),
    ("https://pdst.fm/e/a.example/b.mp3", "https://a.example/b.mp3"),
    ("https://href.li/?to=http://a.example/b", "http://a.example/b"),
    ("https://www.bing.com/ck/a?u=a1aHR0cHM6Ly9hLmV4YW1wbGUvYmNkZQ", "https://a.example/bcde"),
    ("https://href.li/?http://a.example/?b=1&c=2", "http://a.example/?b=1&c=2"),
])  # fmt: skip
def test_target(url, target):
    assert unwrap(url) == target


@pytest.mark.parametrize("url", [
    "https://bit.ly/abc", "https://lnkd.in/abc", "https://www.google.com/url?q=plain+words",
    "https://www.google.com/url?q=javascript:alert(1)", "https://www.google.com/url?q=mailto:someone@a.example",
    "https://www.google.com/search?q=https://a.example/", "https://web.archive.org/", "https://web.archive.org/save/",
    "https://archive.ph/AbCd1", "https://archive.org/details/2020", "https://medium.com/@someone/https-a-example",
    "https://urldefense.com/v3/__https://a.example/*__;!!!broken", "https://pdst.fm/e/", "https://pdst.fm/e/a.example",
    "https://www.google.com/amp/", "https://www.google.com/amp/words",
    "https://a.example/?url=https%3A%2F%2Fb.example%2F", "https://a.example/CL0/words", "mailto:someone@a.example", "",
])  # fmt: skip
def test_what_names_no_target_stays(url):
    assert unwrap(url) == url


def test_redirects_inside_each_other_end():
    url = "https://a.example/b"
    for _ in range(40):
        url = f"https://href.li/?{url}"
    assert unwrap(url).count("href.li") == 32


@given(st.text())
def test_any_text_is_unwrapped(text):
    assert isinstance(unwrap(f"https://urldefense.com/v3/__https://a.example/{text}"), str)
    assert isinstance(unwrap(f"https://www.bing.com/ck/a?u=a1{text}"), str)
    assert isinstance(unwrap(f"https://web.archive.org/web/{text}"), str)
    assert isinstance(unwrap(text), str)
