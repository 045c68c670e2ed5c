"""Times in notes: which moment of the recording a mention is for, and which times are none."""

import pytest

from podgraph.extractors import Episode, Feed, extract
from tests.tables import read_rows

A, B = "https://kiln.example/a", "https://kiln.example/b"
# Notes, and the moments of A and B (None: no moment).
NOTES = read_rows(__file__, "NOTES")  # fmt: skip


@pytest.mark.parametrize(("notes", "times"), NOTES)
def test_moments(notes, times):
    episode = Episode("episode:p/e", "episode", "podcast:p", "E", notes, duration=5000)
    (result,) = extract([Feed("f", "podcast", "podcast:p", "P", (episode,))])
    found = {mention.url: mention.time for mention in result.mentions}
    assert (found[A], found[B]) == times
