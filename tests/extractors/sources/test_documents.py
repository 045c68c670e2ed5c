"""Looking at documents of any quality: what they are, and which feeds they name."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podgraph.extractors.printable import for_message, printable, url_for_message
from podgraph.extractors.sources.directories import parse_bare_address, parse_file_url, parse_web_address
from podgraph.extractors.sources.documents import decode, document_type, find_feed_links, read_entries
from tests.tables import read_rows

LOOKS = [*read_rows(__file__, "LOOKS"), ("feed", b"<rss>" + "\u00e9".encode() * 40_000)]


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
