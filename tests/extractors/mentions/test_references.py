"""References without a URL, told from ranks, quantities, years, colours, versions and files."""

import pytest

from podgraph.extractors.mentions.corpus import Corpus
from podgraph.extractors.mentions.extraction import extract
from podgraph.extractors.mentions.references import find_reference, find_references
from podgraph.extractors.model import Episode, Feed
from podgraph.extractors.notes.text import to_text
from tests.tables import read_rows

PYTORCH = "pytorch/pytorch"


def found(notes, repo=PYTORCH, title=""):
    episode = Episode("episode:p/e", "episode", "podcast:p", title, *to_text(notes))
    return [(mention.quote, mention.ref.id) for mention in find_references(episode, Corpus({}, repo))]


@pytest.mark.parametrize(("notes", "expected"), read_rows(__file__, "test_numbers"))  # fmt: skip
def test_numbers(notes, expected):
    assert [id_.removeprefix("github:pytorch/pytorch") for _, id_ in found(notes)] == expected


FULL_NAMES = read_rows(__file__, "FULL_NAMES")  # fmt: skip


@pytest.mark.parametrize(("notes", "repo", "expected"), read_rows(__file__, "test_full_names_and_series"))  # fmt: skip
def test_full_names_and_series(notes, repo, expected):
    assert [id_ for _, id_ in found(notes, repo)] == expected


@pytest.mark.parametrize(("notes", "expected"), read_rows(__file__, "test_what_stands_with_a_link"))  # fmt: skip
def test_what_stands_with_a_link(notes, expected):
    assert found(notes) == expected


@pytest.mark.parametrize(
    ("title", "quotes"),
    [("#123: Guests", []), ("123 - Guests", []), ("#123 PR #456", ["PR #456"]), ("PEP 8", ["PEP 8"])],
)
def test_titles(title, quotes):
    assert [quote for quote, _ in found("", title=title)] == quotes


@pytest.mark.parametrize(("text", "repo", "id_"), read_rows(__file__, "test_find_reference"))  # fmt: skip
def test_find_reference(text, repo, id_):
    ref = find_reference(text, repo)
    assert (ref.id if ref else None) == id_


RUST = '<a href="https://github.com/rust-lang/rfcs/pull/1931">RFC 1931</a>'
PAGE = '<a href="https://rust-lang.github.io/rfcs/1931-kiln.html">RFC 1931</a>'
WEB = '<a href="https://datatracker.ietf.org/doc/html/rfc7230">RFC 7230</a>'


@pytest.mark.parametrize(("notes", "expected"), read_rows(__file__, "test_an_rfc_is_one_of_those_the_show_links_to"))  # fmt: skip
def test_an_rfc_is_one_of_those_the_show_links_to(notes, expected):
    episode = Episode("episode:p/e", "episode", "podcast:p", "", *to_text(notes))
    (result,) = extract([Feed("f", "podcast", "podcast:p", "P", (episode,))])
    cited = [(one.ref.id, one.confidence) for one in result.mentions if one.relation == "cites"]
    assert cited == expected
