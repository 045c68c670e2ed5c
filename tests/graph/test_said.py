"""What transcripts do to a graph: topics, and what they must not do. All that is said is made up."""

import pytest

from podgraph.extractors import Episode, Feed, Transcript, builtin_vocabulary, extract
from podgraph.graph import build_graph, check, enrich_graph

QUIET, WRITTEN = "We go on about nothing. ", "On torch.vmap and vmap."


def graph(*items):
    """Return the graph of episodes of a show on PyTorch: (notes, words of the transcript); "" for none."""
    transcripts, episodes = {}, []
    for number, (notes, text) in enumerate(items):
        id_ = f"episode:x/{number}"
        episodes.append(Episode(id_, "episode", "podcast:x", f"Part {number}", notes))
        transcripts |= {id_: Transcript(id_, text, (0,), (0,))} if text else {}
    feed = Feed("x", "podcast", "podcast:x", "PyTorch talk", tuple(episodes))
    result = build_graph([feed], extract([feed], transcripts=transcripts))
    enrich_graph(result, builtin_vocabulary())
    assert list(check(result)) == []
    return result


@pytest.mark.parametrize(
    ("said", "topics"), [("", []), (QUIET, []), ("It is v map, v map.", []), ("The dispatcher.", ["topic:dispatcher"])]
)
def test_words_of_a_transcript_weigh_less_and_change_no_other_topic(said, topics):
    before, after = graph((WRITTEN, "")), graph((WRITTEN, said))
    about = {target: data["weight"] for _, target, key, data in after.edges(keys=True, data=True) if key == "about"}
    assert about["topic:vmap"] == before.edges["episode:x/0", "topic:vmap", "about"]["weight"]
    assert {*about} - {*before} == {*topics}
    assert all(0 < about[topic] < about["topic:vmap"] for topic in topics)


def test_transcripts_are_counted():
    assert graph(("", "It is v map."), ("", ""), ("", "So call v map.")).graph["transcripts"] == 2
    assert "transcripts" not in graph(("", ""), ("", "")).graph
