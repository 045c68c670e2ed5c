"""Looking at documents of any quality: what they are, and which feeds they name."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podgraph.extractors.printable import for_message, printable, url_for_message
from podgraph.extractors.sources.documents import decode, document_type, find_feed_links, find_tags, read_entries
from podgraph.extractors.sources.spellings import has_scheme, parse_bare_address, parse_file_url, parse_web_address

RSS = "<?xml version='1.0' encoding='{}'?><rss version='2.0'/>"

LOOKS = [
    ("feed", b"<rss>"),
    ("feed", b"  \n<RSS version='0.91'>"),
    ("feed", b"<rdf:RDF xmlns:rdf='x'>"),
    ("feed", b"<atom:feed xmlns:atom='x'>"),
    ("feed", b"<?xml version='1.0'?>\n<?xml-stylesheet href='a.xsl'?>\n<!DOCTYPE rss [<!ENTITY a 'b'>]><rss>"),
    ("feed", RSS.format("iso-8859-1").encode()),
    ("feed", RSS.format("no-such-encoding").encode()),
    ("feed", RSS.format("utf-16").encode()),  # says so, and is not
    ("feed", RSS.format("utf-16").encode("utf-16")),
    ("feed", RSS.format("utf-16").encode("utf-16-be")),
    ("feed", codecs.BOM_UTF8 + b"<rss>"),
    ("feed", codecs.BOM_UTF32_LE + "<rss>".encode("utf-32-le")),
    ("feed", b"<!-- " + b"\xff" * 9 + b"--><rss>"),
    ("feed", b"<rss>" + "\u00e9".encode() * 40_000),
    ("feed", b'{"version": "https:\\/\\/jsonfeed.org\\/version\\/1", "items": []}'),
    ("feed", b'\xef\xbb\xbf {"title": "x", "items": [1]}'),
    ("opml", b"<?xml version='1.0'?><opml version='2.0'>"),
    ("page", b"<!doctype HTML>"),
    ("page", b"<!-- x --><html><body><rss></body></html>"),
    ("page", b"<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x'><html xmlns='x'>"),
    ("json", b'{"directed": true}'),
    ("", b""),
    ("", b"<rssfeed>"),
    ("", b"<urlset>"),
    ("", b"[1,\n2]"),
    ("", b"\x00\x00\xfe\xff" + b"\x7f\xff\xff\xff" * 9),
    ("text", b"RSS is a format"),
    ("text", b"# mine\n\nfeeds/a.xml\n"),
    ("opml", b"# mine\nhttps://a.example/f\nfeeds/a.xml\n"),
    ("", b"<!-- <rss>"),
    ("", bytes(range(256))),
]


@pytest.mark.parametrize(("looks", "data"), LOOKS)
def test_what_a_document_looks_like(looks: str, data: bytes) -> None:
    assert document_type(data) == looks


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        ("<a b=1 c='2' d=\"3\" e f = 4>", [{"b": "1", "c": "2", "d": "3", "e": "", "f": "4"}]),
        ("<A B='x' b='y'/>", [{"b": "x"}]),
        ("<a b='>'><a c>", [{"b": ">"}, {"c": ""}]),
        ("<a b='&lt;&amp;&quot;&#x41;&bogus;'>", [{"b": '<&"A&bogus;'}]),
        ("<!-- <a> --><![CDATA[<a>]]></a><ab><a>", [{}]),
        ("<script><a></script><a x>", [{"x": ""}]),
        ("<a b='", [{"b": ""}]),
        ("<!-- <a>", []),
        ("<script><a>", []),
        ("< a><", []),
    ],
)
def test_tags(markup: str, found: list[dict[str, str]]) -> None:
    attributes = [attributes for _, attributes in find_tags(markup, frozenset({"a"}))]
    assert attributes == found


@settings(max_examples=200)
@given(st.one_of(st.binary(), st.text(alphabet="<>!-[]/ae='\"& \n\0\u00e9{}:").map(lambda text: text.encode("utf-16"))))
def test_no_bytes_are_too_much(data: bytes) -> None:
    decode(data)
    document_type(data)
    list(read_entries(data, "https://a.example/"))
    assert all(url.lower().startswith(("http://", "https://")) for url in find_feed_links(data, "https://a.example/"))


@settings(max_examples=200)
@given(st.one_of(st.text(), st.text(alphabet="feed:/.[]@%ahtps\\?#0 ")))
def test_no_name_is_too_much(name: str) -> None:
    has_scheme(name)
    parse_file_url(name)
    for url in (parse_web_address(name), parse_bare_address(name)):
        assert url is None or url.lower().startswith(("http://", "https://"))
    assert printable(name).isprintable()
    assert for_message(name).isprintable()
    assert len(url_for_message(name)) <= 200
