"""Notes to plain text: where lines end, what is a tag, which links there are and where."""

import html

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from podgraph.extractors.notes.text import to_text
from podgraph.extractors.notes.tokens import decode, parse_attribute, parse_tokens

PIECES = (
    "<p>", "</p>", "<br>", "<br/>", '<a href="https://x.example/a">', "<a href='", "<a>", "</a>", "<li>", "<ul>", "</ul>", '<div class="', "<td>",
    "<pre>", "</pre>", "<!--", "-->", "<script>", "</script>", "<style>", "<![CDATA[", "]]>", "<img alt='pic' src=x>", "<b", "<", ">", '"', "'", "=",
    "&amp;", "&lt;", "&gt;", "&#8203;", "&shy;", "&nbsp;", "&hellip;", "&", ";", "&lt;p&gt;", "&amp;lt;br&amp;gt;", " ", "\n", "\r\n", "\t", "\u00a0",
    "\u200b", "\u00ad", "\u200d", "\u2028", "\x00", "\x1f", "\ud800", "word", "vector<int>", "https://x.example/b", "日本", "é",
)  # fmt: skip
MARKUP = st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=80)


@pytest.mark.parametrize(("markup", "text"), [
    ("one\ntwo\n\n\n\nthree", "one\ntwo\n\nthree"), ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
    ("<p>one\ntwo</p>\n<p>three</p>", "one two\n\nthree"),
    ('<a href="#t=12:30">12:30</a> <a href="https://x.example">a</a>', "[12:30] a"),
    ("one<br>two<br/>three<BR />four", "one\ntwo\nthree\nfour"), ("one<br><br>two", "one\n\ntwo"),
    ("one</BR>two</br >three", "one\ntwo\nthree"), ("a&#8232;b c&#12288;d&#8203;\u2003e", "a b c d e"),
    ("<pre>a</pre><PRE\n>b\nc</pre>d\ne", "a\n\nb\nc\n\nd e"), ("<p <p>a</p><q <b>c", "<p\n\na\n\n<q c"),
    ("<ul><li>one</li><li>two</li></ul>three", "one\ntwo\n\nthree"),
    ("<ul><li><p>one</p></li><li><p>two</p></li></ul>", "one\n\ntwo"),
    ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
    ("<div>one<div>two</div></div>three", "one\ntwo\nthree"), ("<h2>Title</h2>text", "Title\n\ntext"),
    ("<pre>a\n  b\n\nc</pre>d", "a\nb\n\nc\n\nd"), ("<pre>a<pre>b</pre>c\nd</pre>e\nf", "a\n\nb\n\nc\nd\n\ne f"),
    ("<b>bo</b>ld <i>and</i> <em>so</em>on", "bold and soon"), ("  a   b \t c  ", "a b c"),
    ("a&nbsp;b&#160;c\u3000d", "a b c d"), ("a&#8203;b\u00adc&shy;d\ufeffe\u2060f\u202ag\u202c", "abcdefg"),
    ("ex<wbr>tra", "extra"), ("क्\u200dष a\u200db \u200cc", "क्\u200dष ab c"),
    ("tom &amp; jerry &lt;3 &#38; &#x26; &hellip;", "tom & jerry <3 & & …"), ("&amp;lt;p&amp;gt;", "&lt;p&gt;"),
    ("?a=1&copy=2&section;&hl;&notit;", "?a=1&copy=2&section;&hl;&notit;"),
    ("&lt;p&gt;one&lt;/p&gt;&lt;p&gt;two &amp;amp; three&lt;/p&gt;", "one\n\ntwo & three"),
    ("&amp;lt;p&amp;gt;one&amp;lt;/p&amp;gt;two", "one\n\ntwo"),
    ("<p>&lt;p&gt; is a tag&lt;/p&gt;</p>", "<p> is a tag</p>"),
    ("std::vector<int> and map<string, T>", "std::vector<int> and map<string, T>"),
    ("a < b and c > d", "a < b and c > d"), ("i<b && c>d, x <i and y> z", "i<b && c>d, x <i and y> z"),
    ("text <https://x.example/a> <anna@x.example> end", "text <https://x.example/a> <anna@x.example> end"),
    ("https://x.example/<user>/<my-repo>/issues", "https://x.example/<user>/<my-repo>/issues"),
    ("<my-widget>in</my-widget> <o:p/>out <x-y a=1>z", "in out z"), ("a<!-- b -->c<!-- never closed", "ac never closed"),
    ("a<script>b<p></script>c<style>d</style>e<title>f</title>g", "aceg"), ("a<script>never closed", "anever closed"),
    ("<!DOCTYPE html><html><head><title>x</title></head><body>y</body></html>", "y"),
    ("<?xml version='1.0'?><![CDATA[a <b>b</b>]]>c", "a bc"), ("<![CDATA[a<br>b]]>", "a\nb"),
    ("a<svg><text>b</text></svg>c<iframe>d</iframe>e", "ac\ne"), ("<p title='a > b'>c</p>", "c"),
    ("\x00a\x08b\x7fc\ud800", "abc\ufffd"), ("", ""), ("<p></p>", ""), (" \n ", ""),
])  # fmt: skip
def test_text(markup, text):
    assert to_text(markup)[0] == text


@pytest.mark.parametrize(("markup", "base", "links"), [
    ('see <a href="https://x.example/a">the thing</a>', "", [("https://x.example/a", "the thing")]),
    ('<a href="https://x.example/a">one <b>two</b>\n<p>three</p></a>!', "", [("https://x.example/a", "one two\n\nthree")]),
    ('one<a href="https://x.example/a"> </a>two', "", [("https://x.example/a", "https://x.example/a")]),
    ('<a href="https://x.example/a"><img></a>', "", [("https://x.example/a", "https://x.example/a")]),
    ('<a href="https://x.example/a"></a>', "", [("https://x.example/a", "https://x.example/a")]),
    ('<a href="https://x.example/a"><img alt="a &amp; b"></a>', "", [("https://x.example/a", "a & b")]),
    ('<a href="https://x.example/a"> <img alt="i"> words</a>', "", [("https://x.example/a", "words")]),
    ('<a href="/a?b=1&amp;c=2">x</a>', "https://x.example/d/e", [("https://x.example/a?b=1&c=2", "x")]),
    ('<a href="a">x</a>', "https://x.example/d/e", [("https://x.example/d/a", "x")]),
    ('<a href="a">x</a><a href="#t">y</a>', "", []), ('<a href="#t">y</a>', "https://x.example/d", []),
    ('<a href="//x.example/a">x</a>', "", [("https://x.example/a", "x")]),
    ('<a href="www.x.example/a">x</a><a href="x.com/a">y</a>', "https://b.example/", [("https://www.x.example/a", "x"), ("https://x.com/a", "y")]),
    ('<a href="HTTP:///x.example/a">x</a>', "", [("http://x.example/a", "x")]),
    ('<a href="http://https://x.example/a">x</a>', "", [("https://x.example/a", "x")]),
    ('<a href=" https://x.exa\nmple/a b ">x</a>', "", [("https://x.example/a%20b", "x")]),
    ('<a href="“https://x.example/a”">x</a>', "", [("https://x.example/a", "x")]),
    ('<a href="mailto:a@x.example">x</a><a href="ftp://x.example">y</a><a href="javascript:void(0)">z</a>', "", []),
    ('<a href="http://">x</a><a href="">y</a><a>z</a>', "", []),
    ('<a href="http://[::1/x">x</a>', "https://x.example", [("http://[::1/x", "x")]),
    ('<a href="//[">x</a>', "https://x.example", []),
    ("<A HREF='https://x.example/a'>x</A><a href=https://x.example/b class=c>y</a>", "", [("https://x.example/a", "x"), ("https://x.example/b", "y")]),
    ('<a data-href="https://no.example" title="href=no" href="https://x.example/a">x</a>', "", [("https://x.example/a", "x")]),
    ('<a href="https://x.example/a" href="https://no.example">x</a>', "", [("https://x.example/a", "x")]),
    ('<a href="https://x.example/a">x<a href="https://x.example/b">y', "", [("https://x.example/a", "x"), ("https://x.example/b", "y")]),
])  # fmt: skip
def test_hyperlinks(markup, base, links):
    text, found = to_text(markup, base)
    assert [(link.url, text[link.start : link.end]) for link in found] == links
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


@pytest.mark.parametrize(("markup", "urls"), [
    ('<p>x</p><iframe width="560" src="//www.youtube.com/embed/dQw4w9WgXcQ?rel=0"></iframe>', ["https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0"]),
    ('<iframe src="https://open.spotify.com/embed/episode/4rOoJ6Egrf8K2IrywzwOMk"></iframe><iframe src="https://codepen.io/ada/embed/abc"></iframe>', ["https://open.spotify.com/embed/episode/4rOoJ6Egrf8K2IrywzwOMk", "https://codepen.io/ada/embed/abc"]),
    ('<script src="https://gist.github.com/ada/85c2682f1651ad8e63b2c695abf4bf2a.js"></script>', ["https://gist.github.com/ada/85c2682f1651ad8e63b2c695abf4bf2a.js"]),
    ('<script src="https://platform.example/widgets.js"></script><iframe src="https://player.example/1"></iframe><iframe>', []),
])  # fmt: skip
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
