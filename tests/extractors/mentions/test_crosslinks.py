"""Links between episodes: which are wanted first, which are only related."""

import pytest

from podgraph.extractors.mentions.extraction import extract
from podgraph.extractors.model import Episode, Feed
from podgraph.extractors.notes.text import to_text

PAGE = "https://podcast.example/episodes/"
X = f"{PAGE}other"


def crosslinks(notes):
    this = Episode("episode:p/this", "episode", "podcast:p", "This", *to_text(notes), url=f"{PAGE}this")
    other = Episode("episode:p/other", "episode", "podcast:p", "Other", url=X)
    feed = Feed("feed.xml", "podcast", "podcast:p", "P", (this, other), url="https://podcast.example/")
    result, _ = extract([feed])
    return [(one.relation, one.ref.id) for one in result.mentions if one.url and one.method == "crosslink"]


FIRST = [
    f"Episodes to listen to first: {X}", f"Before listening to this, hear {X}", f"Prerequisite: {X}", f"Please listen to {X} first.",
    f"{X} (listen to this first)", f"{X} - watch first", f"Start with {X}.", f"This episode builds on {X}", f"This is a follow-up to {X}.",
    f"You should have listened to {X}", f"Make sure you\u2019ve heard {X}", f"You'll want to listen to {X} before this one",
    f"I recommend listening to the one on kernels first: {X}", f"Listen first:\n\nSome words {X}\nmore",
    f"Before you listen to this episode, check out {X}",
]  # fmt: skip
RELATED = [
    f"Related episodes {X}", f"An earlier discussion is in this podcast {X}", f"We talked about it in {X}", f"See also {X}", X,
    f"Hear this one before listening to {X} Some more", f"Listen to this before {X}", f"Then listen to {X}",
    f"The sequel is {X}", f"Next episode: {X}", f"First we say hello. See {X}", f"See also:\n\nwords {X}",
    f"Listen first:\n\nhttps://example.org\n\nFurther reading:\n\nwords {X}", f"{X} was the first episode", f"{X} first came out in May",
]  # fmt: skip
ITSELF = f"Page: {PAGE}this/ and https://podcast.example/"


@pytest.mark.parametrize(("notes", "relations"), [
    *((notes, ["listen_first"]) for notes in FIRST), *((notes, ["see_also"]) for notes in RELATED), (ITSELF, []),
])  # fmt: skip
def test_links_between_episodes(notes, relations):
    assert crosslinks(notes) == [(relation, "episode:p/other") for relation in relations]
