"""Links between episodes: which are wanted first, which are only related."""

import pytest

from podgraph.extractors.mentions.extraction import extract
from podgraph.extractors.model import Episode, Feed
from podgraph.extractors.notes.text import to_text

PAGE = "https://podcast.example/episodes/"
X = f"{PAGE}other"


def crosslinks(notes, title="This", **values):
    episodes = (
        Episode("episode:p/this", "episode", "podcast:p", title, *to_text(notes), url=f"{PAGE}this", **values),
        Episode("episode:p/other", "episode", "podcast:p", "Other", url=X),
        Episode("episode:p/third", "episode", "podcast:p", "Third", url=f"{PAGE}third"),
    )
    result, *_ = extract([Feed("feed.xml", "podcast", "podcast:p", "P", episodes, url="https://podcast.example/")])
    return [
        (mention.relation, mention.ref.id)
        for mention in result.mentions
        if mention.url and mention.method == "crosslink"
    ]


@pytest.mark.parametrize("notes", [
    f"Episodes to listen to first: {X}", f"Before listening to this, hear {X}", f"Prerequisite: {X}", f"Please listen to {X} first.",
    f"{X} (listen to this first)", f"{X} - watch first", f"Start with {X}.", f"This episode builds on {X}", f"This is a follow-up to {X}.",
    f"You should have listened to {X}", f"Make sure you\u2019ve heard {X}", f"You'll want to listen to {X} before this one",
    f"I recommend listening to the one on kernels first: {X}", f"Listen first:\n\nSome words {X}\nmore",
    f"Before you listen to this episode, check out {X}",
])  # fmt: skip
def test_wanted_first(notes):
    assert crosslinks(notes) == [("listen_first", "episode:p/other")]


@pytest.mark.parametrize("notes", [
    f"Related episodes {X}", f"An earlier discussion is in this podcast {X}", f"We talked about it in {X}", f"See also {X}", X,
    f"Hear this one before listening to {X} Some more", f"Listen to this before {X}", f"Then listen to {X}",
    f"The sequel is {X}", f"Next episode: {X}", f"First we say hello. See {X}", f"See also:\n\nwords {X}",
    f"Listen first:\n\nhttps://example.org\n\nFurther reading:\n\nwords {X}", f"{X} was the first episode", f"{X} first came out in May",
])  # fmt: skip
def test_only_related(notes):
    assert crosslinks(notes) == [("see_also", "episode:p/other")]


def test_a_link_to_itself_is_none():
    assert crosslinks(f"Page: {PAGE}this/ and https://podcast.example/") == []
