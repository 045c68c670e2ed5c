"""Topics in titles and notes: what is found, and what is not; terms that a feed's own words make."""

import pytest

from podgraph.extractors import Corpus, Episode, Feed, builtin_vocabulary, parse_vocabulary
from podgraph.extractors.mentions.corpus import KnownPeople
from podgraph.extractors.mentions.derived_topics import derive_topics
from podgraph.extractors.mentions.topics import find_topics
from podgraph.extractors.notes.show_words import show_words
from tests.tables import read_rows


def topics(title="", notes="", vocabulary=None, on_subject=True):
    episode = Episode("episode:p/e", "episode", "podcast:p", title, notes)
    corpus = Corpus({}, "", {vocabulary or builtin_vocabulary(): on_subject})
    mentions = list(find_topics(episode, corpus))
    for mention in mentions:
        text = title if mention.field == "title" else notes
        assert text[mention.start : mention.end] == mention.quote
        assert mention.relation == "about"
        assert mention.method == ("title" if mention.field == "title" else "alias")
    return {mention.ref.id.removeprefix("topic:") for mention in mentions}


@pytest.mark.parametrize(("title", "expected"), read_rows(__file__, "test_titles"))
def test_titles(title, expected):
    assert topics(title) == expected


@pytest.mark.parametrize(("notes", "expected"), read_rows(__file__, "test_notes"))
def test_notes(notes, expected):
    assert topics("An hour", notes) == expected


@pytest.mark.parametrize(
    ("title", "notes", "expected"), read_rows(__file__, "test_the_vocabulary_applies_to_its_subject_only")
)
def test_the_vocabulary_applies_to_its_subject_only(title, notes, expected):
    assert topics(title, notes, on_subject=False) == expected


def test_a_vocabulary_of_ones_own():
    vocabulary = parse_vocabulary('[[topic]]\nlabel = "Sourdough"\naliases = ["levain"]\n', source="bread.toml")
    assert topics("Feeding a levain", "", vocabulary) == {"sourdough"}


def items(*texts):
    return [Episode(f"episode:p/{place}", "episode", "podcast:p", *text) for place, text in enumerate(texts)]


GARDEN = read_rows(__file__, "GARDEN")


def derived(episodes, code="en"):
    feed = Feed("s", "podcast", "podcast:p", "The garden", tuple(episodes), language=code)
    return derive_topics(feed, show_words(feed), KnownPeople({})).vocabulary.topics


def labels(episodes, code="en"):
    return {topic.label for topic in derived(episodes, code).values()}


def test_a_feed_without_a_vocabulary_gets_topics_from_its_own_words():
    found = derived(items(*GARDEN))
    assert {"rose", "compost"} <= set(found)
    assert all(topic.derived for topic in found.values())
    assert not {"the", "how", "again"} & set(found)


# Titles and notes of two items and more -> labels that must be there, labels that must not.
DERIVED = read_rows(__file__, "DERIVED")


@pytest.mark.parametrize(("episodes", "there", "absent"), DERIVED)
def test_what_a_feed_s_own_words_make(episodes, there, absent):
    found = {label.lower() for label in labels(items(*episodes))}
    assert {label.lower() for label in there} <= found
    assert not {label.lower() for label in absent} & found


# Sentences of a show, one an item -> labels that must be there, labels that must not; in the language.
NAMES = read_rows(__file__, "NAMES")


@pytest.mark.parametrize(("code", "notes", "there", "absent"), NAMES)
def test_names_keep_their_words(code, notes, there, absent):
    fillers = [(f"Walk {place}", "") for place in range(10)]
    found = labels(items(*(("", text) for text in notes), *fillers), code)
    assert there <= found
    assert not absent & found


WORDS = "walk run ride swim crawl climb sail row fly".split()


@pytest.mark.parametrize(("count", "kept"), [(5, True), (4, True), (6, False)])
def test_a_term_of_more_than_a_third_of_the_items_tells_nothing_apart(count, kept):
    texts = [
        ("Talk", f"We {WORDS[place]} to Moss and {WORDS[place + 1]} from Moss." if place < count else "Of nothing.")
        for place in range(15)
    ]
    assert ("Moss" in labels(items(*texts))) == kept


def test_the_label_is_the_commonest_spelling_and_the_id_the_first():
    texts = (
        ("Web Sockets", "Of Web Sockets."),
        ("WebSockets", "x"),
        ("More", "The WebSocket and a WebSocket."),
        ("y", "A WebSocket."),
    )
    assert derived(items(*texts))["websocket"].label == "WebSocket"


# Language tag, title of the items with N in the place of the number, label of the series' topic.
SERIES = read_rows(__file__, "SERIES")


@pytest.mark.parametrize(("code", "pattern", "label"), SERIES)
def test_a_series_is_called_without_the_number_and_its_word(code, pattern, label):
    others = "Owls at night|A meadow|Rivers|Hedges|Old oaks|Moss|Ferns|Herons|Foxes|Beetles".split("|")
    titles = [pattern.replace("N", str(number)) for number in range(1, 6)] + others
    found = labels(items(*((title, f"{title}.") for title in titles)), code)
    assert {one for one in found if one.startswith(label)} == {label}
