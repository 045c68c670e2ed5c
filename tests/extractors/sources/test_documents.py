"""Looking at documents of any quality: what they are, and which feeds they name."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podgraph.extractors.printable import for_message, printable, url_for_message
from podgraph.extractors.sources.directories import parse_bare_address, parse_file_url, parse_web_address
from podgraph.extractors.sources.documents import decode, document_type, find_feed_links, read_entries
from tests.tables import read_rows

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
    ("feed", codecs.BOM_UTF8 + b"<rss>"),
    ("feed", b"<!-- " + b"\xff" * 9 + b"--><rss>"),
    ("feed", b"<rss>" + "\u00e9".encode() * 40_000),
    ("feed", b'{"version": "https:\\/\\/jsonfeed.org\\/version\\/1", "items": []}'),
    ("feed", b'\xef\xbb\xbf {"title": "x", "items": [1]}'),
    ("list", b"<?xml version='1.0'?><opml version='2.0'>"),
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
    ("list", b"# mine\nhttps://a.example/f\nfeeds/a.xml\n"),
    ("", b"<!-- <rss>"),
    ("", bytes(range(256))),
]


@pytest.mark.parametrize(("looks", "data"), LOOKS)
def test_what_a_document_looks_like(looks: str, data: bytes) -> None:
    assert document_type(data) == looks


# A document, and the addresses and groups of its entries.
LISTS = dict(read_rows(__file__, "LISTS"))  # fmt: skip


@pytest.mark.parametrize("text", LISTS)
def test_entries_of_a_list(text):
    assert read_entries(text.encode(), "https://x.example/") == LISTS[text]


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
    parse_file_url(name)
    for url in (parse_web_address(name), parse_bare_address(name)):
        assert url is None or url.lower().startswith(("http://", "https://"))
    assert printable(name).isprintable()
    assert for_message(name).isprintable()
    assert len(url_for_message(name)) <= 200
