"""What the links of an episode lead to: the hard snippets under ``fixtures/notes``, and what holds for any notes."""

import pytest

from podgraph.extractors.mentions.corpus import Corpus
from podgraph.extractors.mentions.references import find_references
from podgraph.extractors.mentions.urls import find_urls, list_links, list_truncated_links
from podgraph.extractors.model import Episode
from podgraph.extractors.notes.text import to_text
from tests.extractors import link_tables as tables
from tests.tables import read_rows

CORPUS = Corpus({}, "pytorch/pytorch")


def episode(markup):
    return Episode("episode:p/e", "episode", "podcast:p", "", *to_text(markup))


@pytest.mark.parametrize(("family", "notes", "links", "cut", "refs"), list(tables.snippets()))
def test_snippets(family, notes, links, cut, refs):
    one = episode(notes)
    assert [mention.url for mention in find_urls(one, CORPUS)] == links
    assert list(list_truncated_links(one)) == cut
    assert [mention.ref.id for mention in find_references(one, CORPUS)] == refs


@pytest.mark.parametrize(("markup", "links"), read_rows(__file__, "test_told_apart"))  # fmt: skip
def test_told_apart(markup, links):
    assert [(link.method, link.url) for link in list_links(episode(markup))] == links
