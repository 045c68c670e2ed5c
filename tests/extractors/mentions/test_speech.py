"""What is said → what it names, and when. A new case is a line of a table; all that is said here is made up."""

import time

import pytest

from podgraph.extractors import Episode, Feed, builtin_vocabulary, extract, known_subjects
from podgraph.extractors.mentions.corpus import Corpus
from podgraph.extractors.mentions.speech import find_spoken, write_down
from podgraph.extractors.transcripts.cues import Cue, Transcript, join_cues
from tests.tables import read_rows

SUBJECT = known_subjects()[0]
# what is said -> how it is written
WRITTEN = dict(read_rows(__file__, "WRITTEN"))


@pytest.mark.parametrize("said", WRITTEN)
def test_speech_as_it_is_written(said):
    written = write_down(said, SUBJECT)
    assert written.text == WRITTEN[said]


def found(*said, notes="", minute=60):
    """Return what an episode names whose cues begin a minute after each other, by id."""
    vocabulary = builtin_vocabulary()
    corpus = Corpus({}, SUBJECT.repo, dict.fromkeys(vocabulary.parts, True))
    one = Episode("episode:x/y", "episode", "podcast:x", "", notes)
    transcript = join_cues("y.srt", [Cue(n * minute, text) for n, text in enumerate(said)])
    return {mention.ref.id: mention for mention in find_spoken(one, transcript, (), corpus)}


# cues, one a minute -> what is named, with the moments
SAID = dict(read_rows(__file__, "SAID"))


@pytest.mark.parametrize("said", SAID, ids=" ".join)
def test_what_is_said(said):
    assert {id_: mention.moments for id_, mention in found(*said).items()} == SAID[said]


# what title and notes name, minutes of ten in which it is said -> the relation of the topic
PASSING = [("", 1, "mentions"), ("", 3, "about"), ("On TorchScript.", 3, "mentions"), ("On TorchScript.", 7, "about"), ("On vmap.", 1, "about")]  # fmt: skip


@pytest.mark.parametrize(("notes", "minutes", "relation"), PASSING)
def test_a_topic_in_passing_is_no_topic_of_the_episode(notes, minutes, relation):
    one = Episode("episode:x/y", "episode", "podcast:x", "PyTorch talk", notes)
    feed = Feed("x", "podcast", "podcast:x", "PyTorch talk", (one,))
    said = [f"It uses v map {n} times." if n < minutes else f"We go on for {n}." for n in range(10)]
    (extraction,) = extract(
        [feed], transcripts={one.id: join_cues("y.srt", [Cue(60 * n, text) for n, text in enumerate(said)])}
    )
    assert {m.relation for m in extraction.mentions if m.ref.id == "topic:vmap" and m.method == "transcript"} == {
        relation
    }


def test_chapters_are_read_as_notes_are():
    corpus = Corpus({}, SUBJECT.repo, dict.fromkeys(builtin_vocabulary().parts, True))
    one = Episode("episode:x/y", "episode", "podcast:x", "PyTorch talk")
    chapters = (Cue(0, "Hello"), Cue(61.5, "All of torch.vmap", url="https://github.com/pytorch/pytorch/pull/12"))
    mentions = list(find_spoken(one, Transcript("y.json", chapters=chapters), (), corpus))
    assert [(mention.ref.id, mention.method, mention.field, mention.time) for mention in mentions] == [
        ("github:pytorch/pytorch#12", "href", "chapters", 61),
        ("symbol:torch.vmap", "symbol", "chapters", 61),
        ("topic:vmap", "alias", "chapters", 61),
    ]


@pytest.mark.parametrize("phrase", ["dot ", "torch dot n n dot ", "underscore a ", "v map slash ", "a ten. "])
def test_twice_the_speech_is_twice_the_work(phrase):
    def spent(count):
        begin = time.process_time()
        write_down(phrase * count, SUBJECT)
        return time.process_time() - begin

    spent(10)
    assert min(spent(400) for _ in range(2)) < 8 * max(min(spent(100) for _ in range(2)), 0.02)
