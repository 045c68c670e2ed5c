"""The language of a feed: what its texts are in, whatever the tag says."""

import pytest

from podgraph.extractors import Source, map_feed
from podgraph.extractors.languages.language import language_of
from tests.tables import read_rows

SENTENCES = {
    "en": "We talk about the oven and how it is built, with a guest from the north. ",
    "de": "Wir reden über den Ofen, und wie man ihn mit der Hand baut. ",
    "fr": "Nous parlons du four et des pains, avec une invitée qui est dans le sud. ",
}


@pytest.mark.parametrize(("tag", "text", "times", "code"), read_rows(__file__, "LANGUAGES"))
def test_the_language_is_that_of_the_texts(tag, text, times, code):
    assert language_of(tag, [SENTENCES.get(text, text)] * times).code == code


@pytest.mark.parametrize(("tag", "lines"), [("en-us", 1), ("de", 0), ("de-DE", 0), ("", 0)])
def test_a_tag_that_the_texts_contradict_is_reported(tag, lines):
    items = "".join(
        f"<item><title>{place}</title><description>{SENTENCES['de'] * 9}</description></item>" for place in range(9)
    )
    data = f"<rss><channel><title>Ofen</title><language>{tag}</language>{items}</channel></rss>".encode()
    feed, _ = map_feed(Source("feed.xml", data, "file"), "episodes", ())
    assert [line for line in feed.warnings if "declares the language" in line] == [
        "the feed declares the language 'en-us', but its notes are in 'de'; they are read as such"
    ][:lines]
