"""Names of artifacts: the words of the links to them, where these name something."""

import pytest

from podgraph.extractors import Episode, Feed, collect_names, extract, to_text
from podgraph.extractors.mentions.names import clean_name
from tests.extractors import link_tables as tables
from tests.tables import read_rows


@pytest.mark.parametrize(("words", "name"), tables.cases("link_names.json"))
def test_words_of_a_link(words, name):
    assert clean_name(words, "https://kiln.example/a") == name


URL = "https://kiln.example/a"
LINK = f'<a href="{URL}">'
# Notes, and the names of the page at URL.
NOTES = read_rows(__file__, "NOTES")


def names(*notes):
    episodes = [
        Episode(f"episode:p/{n}", "episode", "podcast:p", str(n), *to_text(text)) for n, text in enumerate(notes)
    ]
    found = collect_names(extract([Feed("test", "podcast", "podcast:p", "P", (*episodes,))]))
    return found["web:kiln.example/a"].names if "web:kiln.example/a" in found else ()


@pytest.mark.parametrize(("notes", "expected"), NOTES)
def test_words_round_a_link(notes, expected):
    assert names(notes) == expected


def test_the_commonest_name_goes_first_and_all_stay():
    words = "Kilns", "The art of kilns", "kilns", "A long name"
    assert names(*(f"{LINK}{one}</a>" for one in words)) == ("Kilns", "The art of kilns", "A long name")
