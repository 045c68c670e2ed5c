"""A feed that two sources give is in the graph once."""

from pathlib import Path

import pytest

from podgraph.extractors import FeedError, parse_feed
from podgraph.output.pipeline import graph_of

FEEDS = sorted((Path(__file__).parent.parent / "extractors" / "fixtures" / "feeds").glob("*.[xjr]*"))


@pytest.mark.parametrize("path", FEEDS, ids=lambda path: path.name)
def test_a_feed_that_two_sources_give_is_there_once(path):
    def read(name):
        return parse_feed(path.read_bytes(), source=name, url="https://show.example/feed")

    try:
        once = graph_of([read("a")])
    except FeedError:
        return
    twice = graph_of([read("a"), read("b")])
    assert set(twice) == set(once)
    assert set(twice.edges(keys=True)) == set(once.edges(keys=True))
