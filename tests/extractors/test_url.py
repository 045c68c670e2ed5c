"""The parts and the spellings of URLs, as tables."""

import pytest

from podgraph.extractors import url as urls
from podgraph.extractors.url import split_url
from tests.tables import read_rows

NO_URLS = [
    *("", "x.org/a", "mailto:a@x.org", "ftp://x.org/", "https://", "https:///a", "https://a b/", "https://x.org:99999999/"),
    *("https://x.org:8o/", "https://[::1", "https://[::1]8/", "https://[zz]/", "https://-x.org/", "https://a..b/"),
]  # fmt: skip
OTHERS = [
    (urls.split_scheme, ("HTTP://x",), ("http", "//x")),
    (urls.split_scheme, ("//x:1",), ("", "//x:1")),
    (urls.is_web, ("hTTps://x",), True),
    (urls.is_web, ("https:x",), False),
    (urls.host_of, ("http://u@X.org:80/a",), "x.org"),
    (urls.host_of, ("x.org",), ""),
    (urls.join, ("https://x.org/a/b?c", "?d"), "https://x.org/a/b?d"),
    (urls.join, ("https://x.org/", "//[/"), "//[/"),
    (urls.without_user, ("https://a:b@c/d@e",), "https://c/d@e"),
    (urls.without_user, ("https://a\\@c/",), "https://a\\@c/"),
    (urls.without_user, ("https://a/?u=https://b:c@d",), "https://a/?u=https://b:c@d"),
    (urls.without_user, ("a@b",), "a@b"),
    (urls.address_key, ("HTTP://Me@X.org/A?B#C",), "http://me@x.org/A?B"),
    (urls.address_key, ("X.org/A#C",), "X.org/A"),
    (urls.without_scheme, ("http//www.x.org/a/",), "x.org/a"),
    (urls.host_of, ("//a:b@WWW.X.org.:8080",), "x.org:8080"),
]


@pytest.mark.parametrize(("url", "text", "host", "segments", "query", "fragment", "www"), read_rows(__file__, "PARTS"))
def test_the_parts(url, text, host, segments, query, fragment, www):
    parts = split_url(url)
    assert parts.text() == text
    assert (parts.host, parts.segments, *parts[4:]) == (host, segments, query, fragment, www)
    assert split_url(parts.text()).text() == text


@pytest.mark.parametrize("text", NO_URLS)
def test_what_is_no_web_address(text):
    assert split_url(text) is None


@pytest.mark.parametrize(("function", "arguments", "expected"), OTHERS)
def test_the_other_questions(function, arguments, expected):
    assert function(*arguments) == expected
