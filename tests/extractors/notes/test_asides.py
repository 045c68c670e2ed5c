"""What notes say beside the subject: found by repetition."""

import pytest

from podgraph.extractors.languages.language import language
from podgraph.extractors.notes.asides import find_asides
from podgraph.extractors.notes.word_table import build_word_table
from tests.tables import read_rows

BODIES = ["Bread and salt.", "A pot of soup.", "Knives, old and new.", "Rice in a pan.", "Butter.", "Tea at four."]


def set_aside(notes, code="en"):
    found = find_asides(build_word_table([text for note in notes for text in ("", note)], language(code)))
    return [[text[aside.start : aside.end] for aside in asides] for text, asides in zip(notes, found, strict=True)]


# A piece of the notes, in how many of six it stands, the language; whether it is set aside.


@pytest.mark.parametrize(("piece", "count", "code", "expected"), read_rows(__file__, "PIECES"))
def test_a_piece(piece, count, code, expected):
    notes = [f"{body}\n{piece}\n{body} Again." if place < count else body for place, body in enumerate(BODIES)]
    assert (piece in " ".join(set_aside(notes, code)[0])) == expected


def test_a_line_between_repeated_ones_stays():
    notes = [
        f"{body}\n***\n» Good bye from the kitchen\nWith {name}\nAnn and Bob"
        for body, name in zip(BODIES, "ABCDEF", strict=True)
    ]
    assert set_aside(notes) == [["» Good bye from the kitchen", "Ann and Bob"]] * 6


def test_the_order_of_the_notes_does_not_matter():
    notes = [f"{body}\nFollow us\nhttps://x.example" for body in BODIES]
    assert set_aside(notes)[::-1] == set_aside(notes[::-1])


def test_notes_of_nothing():
    assert set_aside(["", "\n\n", "..."]) == [[], [], []]
