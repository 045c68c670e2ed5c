"""Redirects that name their target; what the targets show is in ``tables/redirects.txt``."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podgraph.extractors.sites.redirects import unwrap
from tests.tables import read_rows


@pytest.mark.parametrize(("url", "target"), read_rows(__file__, "test_target"))  # fmt: skip
def test_target(url, target):
    assert unwrap(url) == target


@pytest.mark.parametrize("url", read_rows(__file__, "test_what_names_no_target_stays"))  # fmt: skip
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
