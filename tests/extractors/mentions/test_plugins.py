"""An installed package adds an extractor by an entry point; the one here is what the README shows."""

import signal

import pytest

from podgraph.extractors import plugins
from podgraph.extractors.errors import PodgraphError
from podgraph.extractors.mentions.extraction import EXTRACTORS, extract
from podgraph.extractors.model import Episode, Feed
from podgraph.extractors.plugin_extractors import load_extractors
from tests.tables import read_rows

SOURCE = '''
import re
from podgraph.extractors import Mention, Ref

def find_talks(episode, corpus):
    """Find the talks that notes name as "CppCon 2021: Title"."""
    for match in re.finditer(r"CppCon (20\\d\\d): ([^\\n.]+)", episode.notes):
        ref = Ref("web", f"talk:{match[1]}/{match[2].casefold()}", match[2])
        yield Mention(ref, "notes", match.start(), match.end(), match[0], "reference", "talks")
'''


def extracted(*extractors):
    episode = Episode(
        "episode:p/e", "episode", "podcast:p", "E", "Watch CppCon 2021: Back to basics. Then https://x.example/a"
    )
    (result,) = extract([Feed("feed.xml", "podcast", "podcast:p", "P", (episode,))], (*EXTRACTORS[:2], *extractors))
    return [(mention.extractor, mention.ref.id, mention.quote) for mention in result.mentions]


def test_a_package_adds_an_extractor(install):
    assert load_extractors() == ()
    install("podgraph_talks", SOURCE, "talks = podgraph_talks:find_talks")
    (plugin,) = load_extractors()
    assert plugin[0] == "talks"
    assert extracted(plugin) == [
        ("web", "web:x.example/a", "https://x.example/a"),
        ("talks", "talk:2021/back to basics", "CppCon 2021: Back to basics"),
    ]


@pytest.mark.parametrize(("source", "point", "problem"), read_rows(__file__, "test_a_broken_plugin_is_named"))
def test_a_broken_plugin_is_named(install, source, point, problem):
    install("podgraph_talks", source, point)
    with pytest.raises(PodgraphError, match=problem) as caught:
        load_extractors()
    assert caught.value.source == "podgraph_talks:find_talks (podgraph_talks 1.0)"


@pytest.mark.parametrize("body", read_rows(__file__, "test_a_plugin_that_never_ends_is_passed_over"))
def test_a_plugin_that_never_ends_is_passed_over(install, monkeypatch, body):
    lines, has_limit = [], signal.getitimer(signal.ITIMER_REAL)[0] > 0
    monkeypatch.setattr(plugins, "_MAXIMUM_SECONDS", 0.05)
    install(
        "podgraph_talks",
        f"import itertools, re, time\ndef find(episode, corpus):\n    {body}",
        "talks = podgraph_talks:find",
    )
    plugins.set_reporter(warn=lines.append)
    (plugin,) = load_extractors()
    for _ in range(3):
        assert extracted(plugin) == [("web", "web:x.example/a", "https://x.example/a")]
    assert len(lines) == 1
    assert lines[0].startswith("talks (podgraph_talks): the extractor ")
    assert lines[0].endswith("on episode:p/e; passed over")
    assert (signal.getitimer(signal.ITIMER_REAL)[0] > 0) == has_limit, "the limit of the test itself goes on"
