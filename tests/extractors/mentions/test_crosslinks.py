"""Links between episodes: which are wanted first, which are only related."""

import pytest

from podgraph.extractors.mentions.extraction import extract
from podgraph.extractors.model import Episode, Feed
from podgraph.extractors.notes.text import to_text
from tests.tables import read_rows

PAGE = "https://podcast.example/episodes/"
X = f"{PAGE}other"


def crosslinks(notes):
    this = Episode("episode:p/this", "episode", "podcast:p", "This", *to_text(notes), url=f"{PAGE}this")
    other = Episode("episode:p/other", "episode", "podcast:p", "Other", url=X)
    feed = Feed("feed.xml", "podcast", "podcast:p", "P", (this, other), url="https://podcast.example/")
    result, _ = extract([feed])
    return [(one.relation, one.ref.id) for one in result.mentions if one.url and one.method == "crosslink"]


FIRST = read_rows(__file__, "FIRST")  # fmt: skip
RELATED = read_rows(__file__, "RELATED")  # fmt: skip


@pytest.mark.parametrize(("notes", "relations"), read_rows(__file__, "test_links_between_episodes"))
def test_links_between_episodes(notes, relations):
    assert crosslinks(notes) == [(relation, "episode:p/other") for relation in relations]
