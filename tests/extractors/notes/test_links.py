"""Links written in plain text: the tables ``links.txt`` and ``not_links.txt``, and what holds for any text."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from podgraph.extractors.notes.hosts import host_length, is_host, reads_as_host
from podgraph.extractors.notes.link_ends import is_truncated
from podgraph.extractors.notes.links import find_links
from podgraph.extractors.suffixes import public_suffix
from podgraph.extractors.url import with_scheme
from tests.extractors import link_tables as tables

# Text made of what URLs and their surroundings are made of, so that random text meets the rules.
PIECES = (
    "https://", "http:/", "//", "www.", "example", ".org", ".com", ".co.uk", ".", "..", "...", "…", "/", "a", "B", "1", "?", "#", "=", "&",
    "(", ")", "[", "]", "{", "}", "<", ">", "「", "」", "（", "）", "'", '"', "“", "”", "_", "*", "~", "`", "|", "^", "\\", ",", ";", ":", "!", "@",
    "-", " ", "\n", "\u00a0", "\u200b", "\u00ad", "\u200d", "\ufe0f", "日", "を", "ש", "я", "é", "🎉", "&amp;", "&gt;", "&hl;", "user:pw@", "[::1]", ":80",
    "t.co/a", "torch.nn", "README.md", "github.com/o/r/pull/12", "Next", "http",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=60)


@pytest.mark.parametrize(("family", "text", "whole", "cut"), list(tables.links()))
def test_links(family, text, whole, cut):
    found = list(find_links(text))
    assert [link.url for link in found if not link.truncated] == whole
    assert [link.url for link in found if link.truncated] == cut


@pytest.mark.parametrize("text", list(tables.not_links()))
def test_not_links(text):
    assert [link.url for link in find_links(text)] == []


def test_every_family_has_cases():
    families = [family for family, *_ in tables.links()]
    assert len(families) > 150
    assert min(families.count(family) for family in set(families)) >= 9


@pytest.mark.parametrize(("text", "taken", "urls"), [
    ("see https://a.example/x here", [(4, 23)], []), ("see https://a.example/x here", [(0, 3)], ["https://a.example/x"]),
    ("see https://a.example/xyz here", [(22, 25)], ["https://a.example/"]),
    ("example.org and example.com", [(0, 11)], ["example.com"]),
    ("https://a.example https://b.example", [(0, 17), (18, 35)], []), ("www.example.org", [(4, 11)], []),
    ("e.g.example.org", [(4, 15)], []),
])  # fmt: skip
def test_nothing_is_found_inside_a_hyperlink(text, taken, urls):
    assert [link.url for link in find_links(text, taken)] == urls


@given(TEXTS)
@example("https://exam\u200bple.org/a\u200b")
def test_what_is_found_stands_there(text):
    end = 0
    for link in find_links(text):
        assert end <= link.start < link.end <= len(text)
        assert link.url
        assert set(link.url) <= set(text[link.start : link.end])
        assert link.method == "url"
        end = link.end


@given(TEXTS)
def test_a_space_around_a_whole_link_changes_nothing(text):
    for link in find_links(text):
        if not link.truncated and link.url[:8].lower().startswith(("http://", "https://")):
            again = [found.url for found in find_links(f"see {link.url} there")]
            assert again[:1] == [link.url] or "'" in link.url or "*" in link.url or "_" in link.url


@example("/")
@given(st.text())
def test_questions_about_hosts_have_an_answer(text):
    assert is_host(text) in (True, False)
    assert reads_as_host(text, "/x") in (True, False)
    assert 0 <= host_length(text) <= len(text)
    assert is_truncated(text) in (True, False)
    assert with_scheme(with_scheme(text)) == with_scheme(text)


@pytest.mark.parametrize(("url", "truncated"), [
    ("https://example.org/a...", True), ("https://example.org/a…", True), ("https://example.org/a%E2%80%A6", True),
    ("https://example.org/.../b", True), ("https://example.org/a…b", True), ("https://example.org/a[…]", True),
    ("https://example.org/abc...xyz", True), ("https://github.com/o/r/compare/a...b", False),
    ("https://example.org/?q=a...b", False), ("https://example.org/#a...b", False), ("https://example.org/a..b", False),
    ("https://example.org/wiki/...And_Justice_for_All", False), ("https://example.org/a", False),
])  # fmt: skip
def test_truncated(url, truncated):
    assert is_truncated(url) is truncated


def test_suffixes_are_those_of_the_library():
    from tldextract import TLDExtract

    library = TLDExtract(cache_dir=None, suffix_list_urls=(), fallback_to_snapshot=True)
    for suffix in (*library.tlds, "kawasaki.jp", "www.ck", "nosuchsuffix", "xn--p1ai"):
        host = f"a.b.{suffix.removeprefix('*.').removeprefix('!')}"
        parts = library(host)
        assert public_suffix(host) == (parts.suffix if parts.domain else ""), host
