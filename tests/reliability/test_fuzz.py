"""A short run of the fuzzer, the same examples every time; ``benchmarks/fuzz.py`` is the long one."""

from hypothesis import HealthCheck, example, given, settings

from tests.reliability.documents import DOCUMENTS, holds


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(DOCUMENTS)
@example(b"<rss><channel><item><title>a</title></item></channel></rss>")
@example(b"<rss><channel><item><link>https://a.example/?b/</link></item></channel></rss>")  # nothing to be called by
def test_any_feed_is_built_or_refused(data):
    holds(data)
