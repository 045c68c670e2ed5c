"""The language of a feed: what its texts are in, whatever the tag says."""

import pytest

from podgraph.extractors import Source, map_feed
from podgraph.extractors.languages.language import language_of

ENGLISH = "We talk about the oven and how it is built, with a guest from the north. "
GERMAN = "Wir reden über den Ofen, und wie man ihn mit der Hand baut. "
FRENCH = "Nous parlons du four et des pains, avec une invitée qui est dans le sud. "
# tag, text, how often it is repeated -> language
LANGUAGES = [
    ("en-us", GERMAN, 30, "de"),
    ("en", FRENCH, 30, "fr"),
    ("de", ENGLISH, 30, "en"),
    ("de-AT", GERMAN, 30, "de"),
    ("de", ENGLISH, 1, "de"),  # too little to contradict
    ("it", ENGLISH, 30, "en"),
    ("sv", ENGLISH, 30, "en"),
    ("sv", "Ugnen och brödet är våra. ", 30, "sv"),
    ("", GERMAN, 1, "de"),
    ("", "vmap, CUDA graphs", 1, "en"),
    ("", "", 1, "en"),
    ("uk", "Ми говоримо про хліб. ", 30, "uk"),
    ("en", "パンの焼き方と味噌の話。", 30, "ja"),
]


@pytest.mark.parametrize(("tag", "text", "times", "code"), LANGUAGES)
def test_the_language_is_that_of_the_texts(tag, text, times, code):
    assert language_of(tag, [text] * times).code == code


@pytest.mark.parametrize(("tag", "lines"), [("en-us", 1), ("de", 0), ("de-DE", 0), ("", 0)])
def test_a_tag_that_the_texts_contradict_is_reported(tag, lines):
    items = "".join(f"<item><title>{place}</title><description>{GERMAN * 9}</description></item>" for place in range(9))
    data = f"<rss><channel><title>Ofen</title><language>{tag}</language>{items}</channel></rss>".encode()
    feed, _ = map_feed(Source("feed.xml", data, "file"), "episodes", ())
    assert [line for line in feed.warnings if "declares the language" in line] == [
        "the feed declares the language 'en-us', but its notes are in 'de'; they are read as such"
    ][:lines]
