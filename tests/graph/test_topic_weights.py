"""How much an item is about a topic: where its notes name it, how often, and what they only list."""

import pytest

from podgraph.extractors import Episode, Feed, extract, parse_vocabulary
from podgraph.graph import build_graph, enrich_graph

NAMES = ("Rye", "Spelt", "Wheat", "Barley", "Millet", "Teff", "Emmer", "Einkorn", "Sorghum")
VOCABULARY = "".join(f'[[topic]]\nlabel = "{name}"\n' for name in NAMES)


def weights(title, notes, table=VOCABULARY):
    """Return the weights of the topics of an episode, by name."""
    vocabulary = parse_vocabulary(table, source="v.toml")
    feed = Feed("s", "podcast", "podcast:p", "Grain", (Episode("episode:p/1", "episode", "podcast:p", title, notes),))
    graph = build_graph([feed], extract([feed], vocabulary=vocabulary))
    enrich_graph(graph, vocabulary)
    about = graph.out_edges("episode:p/1", keys=True, data=True)
    return {graph.nodes[topic]["label"]: data["weight"] for _, topic, key, data in about if key == "about"}


def at(place, text):
    """Return notes in which the text begins at a place."""
    return "x" * (place - 1) + " " + text


LINKS = "\nLinks:\nRye"
WEIGHTS = [
    # title, notes, what it is about and how much
    ("Rye", "", {"Rye": 3.0}),
    ("T", at(300, "Rye"), {"Rye": 1.0}),
    ("Rye", at(300, "Rye"), {"Rye": 4.0}),
    ("T", at(300, "Rye, Rye"), {"Rye": 1.5}),
    ("T", at(300, "Rye, Rye, Rye"), {"Rye": 1.792}),
    ("T", at(300, "Rye, Rye, Rye, Rye"), {"Rye": 2.0}),
    # The opening says what it is about: its first 250 characters.
    ("T", "Rye", {"Rye": 1.5}),
    ("T", at(249, "Rye"), {"Rye": 1.5}),
    ("T", at(250, "Rye"), {"Rye": 1.0}),
    ("T", "Rye " + at(300, "Rye"), {"Rye": 2.0}),
    # From the line on that begins a list of links, naming counts half.
    ("T", "Words." + LINKS, {"Rye": 0.5}),
    ("T", "Rye." + LINKS, {"Rye": 1.5}),
    ("T", at(300, "Rye") + LINKS, {"Rye": 1.0}),
    ("Rye", "Words." + LINKS, {"Rye": 3.5}),
    ("T", "Words.\n\n** Further reading **\nRye", {"Rye": 0.5}),
    ("T", "Words on references to Rye", {"Rye": 1.5}),
    # Notes that open with such a list are all there is: it counts as the rest would.
    ("T", "Links: Rye", {"Rye": 1.5}),
    ("T", "Show notes\nRye, Rye", {"Rye": 2.0}),
    ("T", "Links: Spelt" + LINKS, {"Rye": 1.5, "Spelt": 1.5}),
    # What weighs less than 9 of 100 parts of the first is named in passing.
    ("Rye", "Rye Rye Rye Rye" + "\nLinks: Spelt", {"Rye": 5.5, "Spelt": 0.5}),
    ("Rye", "Rye Rye Rye Rye Rye" + "\nLinks: Spelt", {"Rye": 5.661}),
    # Eight at most; of equals those that come first in the alphabet.
    ("T", ", ".join(NAMES), dict.fromkeys(sorted(NAMES)[:8], 1.5)),
    ("Wheat", ", ".join(NAMES), dict.fromkeys(sorted(NAMES)[:7], 1.5) | {"Wheat": 4.5}),
]


@pytest.mark.parametrize(("title", "notes", "about"), WEIGHTS, ids=range(len(WEIGHTS)))
def test_what_it_is_about_and_how_much(title, notes, about):
    assert weights(title, notes) == about


SHELF = """
repo = "o/grain"
[[topic]]
label = "Rye"
aliases = ["low gluten", "grain weed"]
paths = ["src/rye/", "src/all.c"]
[[topic]]
label = "Spelt"
paths = ["src/all.c", "src/rye/spelt/"]
[[topic]]
label = "Wheat"
paths = ["src/x.c", "src/y.c", "src/all.c"]
[[topic]]
label = "Barley"
repo = "o/barley"
"""
AT = "https://github.com/o/grain/blob/main/src"
CITED = [
    # notes, what the episode is about and how much
    (f"See {AT}/rye/x.c", {"Rye": 1.0}),
    (f"Rye: see {AT}/rye/x.c", {"Rye": 1.8}),
    (f"{AT}/rye/x.c {AT}/rye/y.c", {"Rye": 1.0}),
    # The nearest folder.
    (f"See {AT}/rye/deep/er/x.c", {"Rye": 1.0}),
    (f"See {AT}/rye/spelt/x.c", {"Spelt": 1.0}),
    (f"See {AT}/all.c", {"Rye": 1.0, "Spelt": 1.0, "Wheat": 1.0}),
    (f"See {AT}/ryegrass/x.c", {}),
    ("See https://github.com/o/barley/pull/1", {"Barley": 1.0}),
    ("See https://github.com/o/grain/pull/1", {}),
    # Beside topics that are named, one citation is no topic without another of the same.
    (f"Wheat: see {AT}/rye/x.c", {"Wheat": 1.5}),
    (f"Wheat: see {AT}/rye/x.c and {AT}/rye/y.c", {"Wheat": 1.5, "Rye": 1.0}),
]


@pytest.mark.parametrize(("notes", "about"), CITED, ids=range(len(CITED)))
def test_what_is_cited_says_what_it_is_about(notes, about):
    assert weights("T", notes, SHELF) == about
