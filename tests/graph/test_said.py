"""What transcripts do to a graph: topics, and what they must not do. All that is said is made up."""

import pytest

from podgraph.extractors import Episode, Feed, Transcript, builtin_vocabulary, extract
from podgraph.graph import build_graph, check, enrich_graph

QUIET = "We go on about nothing. "


def graph(*said, notes=(), times=(0,)):
    """Return the graph of episodes of a show on PyTorch, each with what is said in it; "" for no transcript."""
    notes = notes or ("",) * len(said)
    names = "abcdefgh"
    episodes = tuple(
        Episode(f"episode:x/{name}", "episode", "podcast:x", f"Part {name}", text)
        for name, text in zip(names, notes, strict=False)
    )
    feed = Feed("x", "podcast", "podcast:x", "PyTorch talk", episodes)
    transcripts = {
        episode.id: Transcript(episode.id, text, times, times)
        for episode, text in zip(episodes, said, strict=True)
        if text
    }
    made = build_graph([feed], extract([feed], transcripts=transcripts))
    enrich_graph(made, builtin_vocabulary())
    return made


def test_what_is_written_weighs_more_than_what_is_said():
    made = graph("The dispatcher, the dispatcher.", notes=["On torch.vmap and vmap."])
    about = {
        target: data["weight"]
        for _, target, key, data in made.out_edges("episode:x/a", keys=True, data=True)
        if key == "about"
    }
    assert about["topic:vmap"] > about["topic:dispatcher"] > 0


def test_what_is_said_too_does_not_change_what_is_written():
    before = graph("", notes=["On torch.vmap and vmap."]).edges["episode:x/a", "topic:vmap", "about"]["weight"]
    after = graph("It is v map, v map, v map.", notes=["On torch.vmap and vmap."])
    assert after.edges["episode:x/a", "topic:vmap", "about"]["weight"] == before


def test_the_graph_is_sound_and_counts_its_transcripts():
    made = graph("It is v map.", "", "So call v map.")
    assert list(check(made)) == []
    assert made.graph["transcripts"] == 2
    assert "transcripts" not in graph("", "").graph


@pytest.mark.parametrize("said", ["", QUIET])
def test_a_transcript_that_names_nothing_changes_nothing(said):
    notes = ["On torch.vmap.", "On torch.vmap and batching."]
    assert list(graph(said, "", notes=notes).edges(keys=True)) == list(graph("", "", notes=notes).edges(keys=True))
