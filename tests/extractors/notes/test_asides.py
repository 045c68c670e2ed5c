"""What notes say beside the subject: found by repetition, by headings and by words of calls."""

import pytest

from podgraph.extractors.languages.language import language
from podgraph.extractors.notes.asides import find_asides
from podgraph.extractors.notes.word_table import word_table

BODIES = ["Bread and salt.", "A pot of soup.", "Knives, old and new.", "Rice in a pan.", "Butter.", "Tea at four."]


def set_aside(notes, code="en"):
    found = find_asides(word_table([text for note in notes for text in ("", note)], language(code)))
    return [[text[aside.start : aside.end] for aside in asides] for text, asides in zip(notes, found, strict=True)]


# A piece of the notes, in how many of six it stands, the language; whether it is set aside.
PIECES = [
    ("Write down what you cooked and read it next year.", 3, "en", True),
    ("Write down what you cooked and read it next year.", 2, "en", False),
    ("Salted butter", 3, "en", False),  # short, and so it may be what several are about
    ("Salted butter", 5, "en", True),
    ("Kitchen note 12", 5, "en", True),
    ("Brought to you by Pans and Co.", 1, "en", True),
    ("Rate us with five stars!", 1, "en", True),
    ("See https://a.example/some/long/path-of-many-words-in-it", 3, "en", False),  # an address is no prose
    ("Music theory for cooks", 1, "en", False),
    ("Music: Ann Lee", 1, "en", True),
    ("The stars above the kitchen", 1, "en", False),
    ("Diese Folge wird präsentiert von Topf und Deckel.", 1, "de", True),
    ("Abonniert den Newsletter.", 1, "de", True),
    ("Ein Rezept von früher", 1, "de", False),
    ("Подписывайтесь на наш канал.", 1, "ru", True),
    ("Каналы старого города", 1, "ru", False),
    ("感想はハッシュタグでお待ちしています。", 1, "ja", True),
    ("味噌の話", 1, "ja", False),
    ("Abonnez-vous et laissez un avis.", 1, "fr", True),
    ("Suscríbete y déjanos una reseña.", 1, "es", True),
    ("Assine e deixe uma avaliação.", 1, "pt", True),
    ("欢迎订阅,加入听友群。", 1, "zh", True),
    ("עקבו אחרינו ודרגו את הפודקאסט", 1, "he", True),
]


@pytest.mark.parametrize(("piece", "count", "code", "expected"), PIECES)
def test_a_piece(piece, count, code, expected):
    notes = [f"{body}\n{piece}\n{body} Again." if place < count else body for place, body in enumerate(BODIES)]
    assert (piece in " ".join(set_aside(notes, code)[0])) == expected


def test_what_stands_under_a_heading_of_sponsors():
    notes = [f"{body}\n\nSponsors\n\n{name}\n\nLinks\n\n{body}" for body, name in zip(BODIES, "ABCDEF", strict=True)]
    assert [["Sponsors", name, "Links"] for name in "ABCDEF"] == set_aside(notes)


def test_the_end_of_most_notes():
    notes = [
        f"{body}\nGood bye from the kitchen\n{name}\nAnn and Bob\nand the cat"
        for body, name in zip(BODIES, "ABCDEF", strict=True)
    ]
    assert [found[1] for found in set_aside(notes)] == list("ABCDEF")


def test_the_order_of_the_notes_does_not_matter():
    notes = [f"{body}\nFollow us\nhttps://x.example" for body in BODIES]
    assert set_aside(notes)[::-1] == set_aside(notes[::-1])


def test_notes_of_nothing():
    assert set_aside(["", "\n\n", "..."]) == [[], [], []]
