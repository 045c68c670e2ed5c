"""What the links of an episode lead to: the hard snippets under ``fixtures/notes``, and what holds for any notes."""

import pytest

from podgraph.extractors.mentions.corpus import Corpus
from podgraph.extractors.mentions.references import find_references
from podgraph.extractors.mentions.urls import find_urls, list_links, list_truncated_links
from podgraph.extractors.model import Episode
from podgraph.extractors.notes.text import to_text
from tests.extractors import link_tables as tables

CORPUS = Corpus({}, "pytorch/pytorch")


def episode(markup):
    return Episode("episode:p/e", "episode", "podcast:p", "", *to_text(markup))


@pytest.mark.parametrize(("family", "notes", "links", "cut", "refs"), list(tables.snippets()))
def test_snippets(family, notes, links, cut, refs):
    one = episode(notes)
    assert [mention.url for mention in find_urls(one, CORPUS)] == links
    assert list(list_truncated_links(one)) == cut
    assert [mention.ref.id for mention in find_references(one, CORPUS)] == refs


@pytest.mark.parametrize(("markup", "links"), [
    # A URL behind a URL counts of its own where it leads elsewhere.
    ("<a href='https://x.example/a'>https://y.example/b</a>", [("href", "https://x.example/a"), ("url", "https://y.example/b")]),
    ("<a href='https://x.example/a'>http://www.x.example/a/</a>", [("href", "https://x.example/a")]),
    ("<a href='https://x.com/a/b'>x.com</a>", [("href", "https://x.com/a/b")]),
    ("<a href='https://x.com/a/b'>x.com/a</a>", [("href", "https://x.com/a/b")]),
    ("<a href='https://x.com/a/b'>x.com/aa</a>", [("href", "https://x.com/a/b")]),
    ("<a href='https://x.com/a/b'>Node.js and kiln.dev</a>", [("href", "https://x.com/a/b")]),
    ("<a href='https://x.com/a/b'>https://x.com/a</a>", [("href", "https://x.com/a/b"), ("url", "https://x.com/a")]),
    ("<a href='https://github.com/o/r/pull/1/files'>https://github.com/o/r/pull/1</a>", [("href", "https://github.com/o/r/pull/1/files")]),
    ("<a href='https://x.example/abc'>https://x.example/a…</a>", [("href", "https://x.example/abc")]),
    ("<a href='https://x.example/abc/d'>https://x.example/…/d</a>", [("href", "https://x.example/abc/d")]),
    ("<a href='https://x.example/a…'>https://x.example/abc</a>", [("url", "https://x.example/abc")]),
    ("<a href='https://t.co/a'>https://x.example/ab…</a>", [("href", "https://t.co/a"), ("url", "https://x.example/ab…")]),
])  # fmt: skip
def test_told_apart(markup, links):
    assert [(link.method, link.url) for link in list_links(episode(markup))] == links
