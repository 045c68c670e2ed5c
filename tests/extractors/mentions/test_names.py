"""What things are collect_names: the words of the links to them, where they name something."""

import pytest

from podgraph.extractors import Episode, Feed, collect_names, extract, to_text
from podgraph.extractors.mentions.names import clean_name

# Words of a link -> the name they give the page behind it.
WORDS = [
    ("The art of kilns", "The art of kilns"), ("\u201cThe art of kilns\u201d:", "The art of kilns"), ("\u300c窯の作り方\u300d", "窯の作り方"),
    ("[Kilns, second edition]", "Kilns, second edition"), ("Glaze (in blue)", "Glaze (in blue)"), ("Kiln 2.1", "Kiln 2.1"), ("RFC 2145", "RFC 2145"),
    ("C#", "C#"), ("Über Ton", "Über Ton"), ("Here", ""), ("click here!", ""), ("this link", ""), ("read more \u2192", ""), ("hier", ""), ("ici", ""),
    ("aquí", ""), ("здесь", ""), ("こちら", ""), ("这里", ""), ("כאן", ""), ("https://kiln.example/a", ""), ("kiln.example.com/a", ""), ("YouTube", ""),
    ("PR #12", ""), ("owner/repo#12", ""), ("[3]", ""), ("12:34", ""), ("12:34 How the levain rises", "How the levain rises"),
    ("1:02:03 - Salt", "Salt"), ("[5:30] Salt", "Salt"), ("(12:34): Salt", "Salt"), ("5:30 \u2013 Salt", "Salt"), ("3:10 to Yuma", "3:10 to Yuma"),
    ("Ratio 12:34 of salt", "Ratio 12:34 of salt"), ("12:34:56:78 Salt", "12:34:56:78 Salt"), ("🔥", ""), ("x" * 101, ""), ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("words", "name"), WORDS)
def test_words_of_a_link(words, name):
    assert clean_name(words, "https://kiln.example/a") == name


URL = "https://kiln.example/a"
LINK = f'<a href="{URL}">'
# Notes, and the names of the page at URL.
NOTES = [
    (f"<p>See {LINK}The art of kilns</a>.</p>", ("The art of kilns",)), (f"<ul><li>The art of kilns: {URL}</li></ul>", ("The art of kilns",)),
    (f"<ul><li>The art of kilns {LINK}{URL}</a></li></ul>", ("The art of kilns",)), (f"The art of kilns\n{URL}\n", ("The art of kilns",)),
    (f"The art of kilns\n- {URL}\n", ("The art of kilns",)), (f"The art of kilns\n\n{URL}\n\nMore of it", ("The art of kilns",)),
    (f"Of kilns and fire\n\n{URL}\nhttps://kiln.example/other\n", ()), (f"Links:\n{URL}\n", ()), (f"Further reading\n\n{URL}\n", ()),
    (f"We fired it twice. It can be found at {URL}", ()), (f"The book is at {URL} and in shops.", ()),
    (f"<ul><li>Words before: {URL}</li><li>{LINK}Words in it</a></li></ul>", ("Words in it",)),
]  # fmt: skip


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
