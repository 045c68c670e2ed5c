"""The parts and the spellings of URLs, as tables."""

import pytest

from podgraph.extractors import url as urls
from podgraph.extractors.url import split_url
from tests.tables import read_rows


@pytest.mark.parametrize(("url", "text", "host", "segments", "query", "fragment", "www"), read_rows(__file__, "PARTS"))
def test_the_parts(url, text, host, segments, query, fragment, www):
    parts = split_url(url)
    assert parts.text() == text
    assert (parts.host, parts.segments, *parts[4:]) == (host, segments, query, fragment, www)
    assert split_url(parts.text()).text() == text


@pytest.mark.parametrize("text", read_rows(__file__, "NO_URLS"))
def test_what_is_no_web_address(text):
    assert split_url(text) is None


@pytest.mark.parametrize(("function", "arguments", "expected"), read_rows(__file__, "OTHERS"))
def test_the_other_questions(function, arguments, expected):
    assert getattr(urls, function)(*arguments) == expected
