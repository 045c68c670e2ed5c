"""The table of words: what is a word, where it stands, its flags, and the counts and matches made from it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podgraph.extractors.languages.language import language
from podgraph.extractors.notes import word_table as made
from podgraph.extractors.notes.word_table import BREAK, build_word_table
from tests.extractors import link_tables as tables


def list_words(table):
    return [table.lexicon.words[word] for word in table.ids]


@pytest.mark.parametrize(("text", "code", "words"), tables.cases("words.json"))
def test_words(text, code, words):
    assert list_words(build_word_table([text], language(code))) == words


@pytest.mark.parametrize(("flag", "text", "words"), tables.cases("word_flags.json"))
def test_flags(flag, text, words):
    table = build_word_table([text], language("en"))
    assert [
        word for word, flags in zip(list_words(table), table.flags, strict=True) if flags & getattr(made, flag)
    ] == words


@given(st.lists(st.text(), max_size=4), st.sampled_from(["en", "ja", "zh", "ru"]))
def test_words_stand_where_the_table_says(texts, code):
    table = build_word_table(texts, language(code))
    places = [*zip(table.rows, table.starts, table.ends, list_words(table), strict=True)]
    assert all(texts[row][start:end] == word for row, start, end, word in places)
    assert places == sorted(places)
    assert [(row, word) for row, _, _, word in places] == [
        (row, word) for row, text in enumerate(texts) for word in language(code).split(text)[1::2]
    ]


def test_marked_words_begin_in_the_span():
    table = build_word_table(["one two three", "four five"], language("en")).set_flag(
        made.BOILERPLATE, [[(4, 8)], [(0, 9)]]
    )
    assert [bool(flags & made.BOILERPLATE) for flags in table.flags] == [False, True, False, True, True]


def test_grams_go_over_no_break_and_no_text():
    table = build_word_table(["red clay, red clay", "clay red"], language("en"))
    found = {
        size: [*zip(places.tolist(), numbers.tolist(), strict=True)]
        for size, places, numbers in table.list_sequences(
            table.lexicon.fold_of[table.ids], 3, (table.flags & BREAK) == 0
        )
    }
    assert found == {1: [(0, 0), (1, 1), (2, 0), (3, 1), (4, 1), (5, 0)], 2: [(0, 0), (2, 0), (4, 1)], 3: []}


def test_content_is_stems_that_say_something():
    notes = "A glaze for two amazing kilns, the kiln's: https://x.example/glaze 12. Rate us!"
    table = build_word_table(["Kilns", notes, "", "Ovens of Node.js, two Node.js"], language("en"))
    table = table.set_flag(made.BOILERPLATE, [(), [(notes.index("Rate"), len(notes))], (), ()])
    assert [[*counts.items()] for counts in table.count_stems(2)] == [
        [("kiln", 3), ("glaze", 1)],
        [("node.js", 2), ("oven", 1)],
    ]
    assert table.count_stems(2, title_weight=3) == [{"kiln": 5, "glaze": 1}, {"oven": 1, "node.js": 2}]
    assert build_word_table(["面", "面包"], language("zh")).count_stems(2) == [
        {"面": 2, "包": 1}
    ]  # words of one character


def test_spellings_are_the_commonest_without_a_possessive():
    table = build_word_table(["Kilns' Kilns kilns glaze", "Glaze glaze Kiln's", "12 the"], language("en"))
    assert table.find_spellings() == {"kiln": "Kilns", "glaze": "glaze"}


def test_an_address_ends_with_its_text():
    table = build_word_table(["see https://x.org/kiln", "Glazes"], language("en"))
    assert [bool(flag & made.ADDRESS) for flag in table.flags] == [False, True, True, True, False]
