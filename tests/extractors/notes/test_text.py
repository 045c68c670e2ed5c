"""Notes to plain text: where lines end, what is a tag, which links there are and where."""

import html

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from podgraph.extractors.notes.text import to_text
from podgraph.extractors.notes.tokens import decode, parse_attribute, parse_tokens
from tests.extractors import link_tables as tables
from tests.tables import read_rows

PIECES = tuple(read_rows(__file__, "PIECES"))
MARKUP = st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=80)


@pytest.mark.parametrize(("markup", "text"), tables.cases("texts.json"))
def test_text(markup, text):
    assert to_text(markup)[0] == text


@pytest.mark.parametrize(("markup", "base", "links"), tables.cases("hyperlinks.json"))
def test_hyperlinks(markup, base, links):
    text, found = to_text(markup, base)
    assert [[link.url, text[link.start : link.end]] for link in found] == links
    assert {link.method for link in found} <= {"href"}


@given(MARKUP, st.sampled_from(["", "https://x.example/d/e", "no url"]))
@example('<a href="//[">x</a>', "https://x.example")
def test_any_markup_has_a_text(markup, base):
    text, links = to_text(markup, base)
    assert to_text(markup, base) == (text, links)
    assert text == text.strip(" \n")
    assert not set(text) & set("\r\t\x00\u00ad\u200b\u2028\ud800")
    assert "\n\n\n" not in text
    assert "  " not in text
    end = 0
    for link in links:
        assert end <= link.start <= link.end <= len(text)
        assert link.url.startswith(("http://", "https://"))
        end = link.end


@given(st.text(st.characters(exclude_categories=["C", "Z"]), max_size=60))
def test_escaped_text_comes_back(text):
    escaped = f"<p>{html.escape(text)}</p>"
    assert to_text(escaped)[0] == to_text(f"<p>{html.escape(text)}</p><p></p>")[0]
    if not set(text) & set("\u2000\u1680\u034f"):
        assert to_text(escaped)[0] == text


@pytest.mark.parametrize(("markup", "urls"), read_rows(__file__, "test_an_embedded_player_or_gist_is_a_link"))
def test_an_embedded_player_or_gist_is_a_link(markup, urls):
    text, links = to_text(markup)
    assert [link.url for link in links] == urls
    assert all(text[link.start : link.end] == link.url for link in links)


@example("<![CDATA[]]>")
@given(MARKUP)
def test_tokens_keep_the_text(markup):
    for text, name, attributes in parse_tokens(markup):
        assert text or name
        assert not (text and name)
        assert name == name.lower()
        assert isinstance(parse_attribute(attributes, "href"), str)
    assert isinstance(decode(markup), str)
