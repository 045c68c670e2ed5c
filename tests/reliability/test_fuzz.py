"""A short run of the fuzzer, the same examples every time; ``benchmarks/fuzz.py`` is the long one."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings

from podgraph.extractors import FeedError, parse_feed
from podgraph.output.pipeline import graph_of
from tests.reliability.documents import DOCUMENTS, holds


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(DOCUMENTS)
@example(b"<rss><channel><item><title>a</title></item></channel></rss>")
@example(b"<rss><channel><item><link>https://a.example/?b/</link></item></channel></rss>")  # nothing to be called by
def test_any_feed_is_built_or_refused(data):
    holds(data)


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
