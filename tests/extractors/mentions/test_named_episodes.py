"""Other episodes that the notes name by their titles."""

import pytest

from podgraph.extractors.mentions.corpus import Corpus
from podgraph.extractors.mentions.named_episodes import find_named_episodes, known_titles
from podgraph.extractors.model import Episode

TITLES = {"starters": "Sourdough starters", "sharpening": "Sharpening", "vmap": "vmap", "x": "X"}
EPISODES = [Episode(f"episode:p/{slug}", "episode", "podcast:p", title) for slug, title in TITLES.items()]
CORPUS = Corpus({}, titles=known_titles(EPISODES))


def named(notes):
    episode = Episode("episode:p/x", "episode", "podcast:p", "X", notes)
    found = list(find_named_episodes(episode, CORPUS))
    assert all(notes[mention.start : mention.end] == mention.quote for mention in found)
    return [(mention.relation, mention.ref.id.removeprefix("episode:p/")) for mention in found]


@pytest.mark.parametrize(("notes", "found"), [
    ("Related episodes on Sharpening and vmap", ["sharpening", "vmap"]),
    ('the episode "Sourdough starters" is', ["starters"]), ("our episode “Sharpening”.", ["sharpening"]),
    ('as in our earlier episode "Sharpening", no', ["sharpening"]), ('I posted the show "vmap" on', ["vmap"]),
    ("see also: Sourdough starters", ["starters"]), ("(See also Sourdough starters)", ["starters"]),
    ('Listen to "Sharpening" now', ["sharpening"]), ("our Sharpening episode", ["sharpening"]),
    ("in the vmap episode we said what the sourdough starters episode left out", ["vmap", "starters"]),
    ('the "vmap" operator', []), ('the episode "vmap and more"', []), ("see also vmap docs", []),
    ("see also: https://x.example/vmap", []), ("the best sharpening in the episode", []), ("vmap, vmap, vmap", []),
    ('the episode "X"', []),  # itself
])  # fmt: skip
def test_a_title_that_is_announced_is_an_episode(notes, found):
    assert named(notes) == [("see_also", slug) for slug in found]


def test_what_is_to_be_heard_before_comes_first():
    assert named('before this listen to "Sourdough starters"') == [("listen_first", "starters")]


@pytest.mark.parametrize("text", ["the ", 'episode "', "see also ", "our word "])
def test_many_words_that_announce_nothing_are_read_once(text):
    assert named(text * 20_000) == []
