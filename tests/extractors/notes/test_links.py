"""Links written in plain text: the tables ``links.txt`` and ``not_links.txt``, and what holds for any text."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from podgraph.extractors.notes.hosts import find_host_end, is_host, reads_as_host
from podgraph.extractors.notes.link_ends import is_truncated
from podgraph.extractors.notes.links import find_links
from podgraph.extractors.suffixes import public_suffix
from podgraph.extractors.url import with_scheme
from tests.extractors import link_tables as tables
from tests.tables import read_rows

# Text made of what URLs and their surroundings are made of, so that random text meets the rules.
PIECES = tuple(read_rows(__file__, "PIECES"))
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


@pytest.mark.parametrize(("text", "taken", "urls"), read_rows(__file__, "test_nothing_is_found_inside_a_hyperlink"))
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
    assert 0 <= find_host_end(text) <= len(text)
    assert is_truncated(text) in (True, False)
    assert with_scheme(with_scheme(text)) == with_scheme(text)


@pytest.mark.parametrize(("url", "truncated"), read_rows(__file__, "test_truncated"))
def test_truncated(url, truncated):
    assert is_truncated(url) is truncated


def test_suffixes_are_those_of_the_library():
    from tldextract import TLDExtract

    library = TLDExtract(cache_dir=None, suffix_list_urls=(), fallback_to_snapshot=True)
    for suffix in (*library.tlds, "kawasaki.jp", "www.ck", "nosuchsuffix", "xn--p1ai"):
        host = f"a.b.{suffix.removeprefix('*.').removeprefix('!')}"
        parts = library(host)
        assert public_suffix(host) == (parts.suffix if parts.domain else ""), host
