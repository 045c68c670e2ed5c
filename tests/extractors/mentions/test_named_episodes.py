"""Other episodes that the notes name by their titles."""

from dataclasses import replace

import pytest

from podgraph.extractors.mentions.extraction import extract
from podgraph.extractors.model import Episode, Feed, Link
from podgraph.extractors.notes.text import to_text
from tests.tables import read_rows

TITLES = {"starters": "Sourdough starters", "sharpening": "Sharpening", "vmap": "vmap", "x": "X"}
EPISODES = [Episode(f"episode:p/{slug}", "episode", "podcast:p", title) for slug, title in TITLES.items()]


def crosslinks(notes, episodes, links=(), url=""):
    """Return the mentions of other episodes in the notes of the last one."""
    *others, last = episodes
    here = replace(last, notes=notes, links=links)
    results = extract([Feed("f", "podcast", "podcast:p", "P", (*others, here), url=url)])
    found = [mention for mention in results[-1].mentions if mention.method == "crosslink"]
    assert all(notes[mention.start : mention.end] == mention.quote for mention in found)
    return [(mention.relation, mention.ref.id.removeprefix("episode:p/")) for mention in found]


@pytest.mark.parametrize(("notes", "found"), read_rows(__file__, "test_a_title_that_is_announced_is_an_episode"))  # fmt: skip
def test_a_title_that_is_announced_is_an_episode(notes, found):
    assert crosslinks(notes, EPISODES) == [("see_also", slug) for slug in found]


NUMBERED = [
    Episode(f"episode:p/{number}", "episode", "podcast:p", f"Kiln {number}: {title}", number=number)
    for number, title in ((3, "Fire"), (2, "Glaze"), (1, "Clay"))
]


@pytest.mark.parametrize(("notes", "found"), read_rows(__file__, "test_a_number_of_an_episode"))  # fmt: skip
def test_a_number_of_an_episode(notes, found):
    assert [slug for _, slug in crosslinks(notes, NUMBERED)] == found


# A link's words and address, and whether it is the episode "Firing kilns by hand" (or "Kilns") of the show at kiln.example.
LINKED = read_rows(__file__, "LINKED")  # fmt: skip


SHOW = "episode", "podcast:p"
MORE = (
    Episode("episode:p/hand", *SHOW, "Firing kilns by hand", url="https://kiln.example/hand"),
    Episode("episode:p/k", *SHOW, "Kilns", url="https://kiln.example/k", audio_url="https://cdn.example/kilns.mp3"),
)


@pytest.mark.parametrize(("words", "url", "joined"), LINKED)
def test_a_link_that_says_an_own_title_is_the_episode(words, url, joined):
    notes, links = to_text(f'<a href="{url}">{words}</a>')
    here = Episode("episode:p/x", *SHOW, "Glazes", url="https://kiln.example/x")
    assert bool(crosslinks(notes, (*MORE, here), links, url="https://kiln.example")) == joined


# A show whose feed gives one link for all items: its pages are known by number and title.
KILN_TITLES = read_rows(__file__, "KILN_TITLES")
PAGES = read_rows(__file__, "PAGES")  # fmt: skip


@pytest.mark.parametrize(("url", "number"), PAGES)
def test_a_page_of_the_show_is_the_episode_whose_number_and_title_its_address_has(url, number):
    episodes = [Episode(f"episode:p/{41 + at}", *SHOW, title) for at, title in enumerate(KILN_TITLES)]
    episodes.append(Episode("episode:p/x", *SHOW, "Glazes"))
    found = crosslinks("here", episodes, (Link(url, 0, 4, "href"),), url="https://kiln.example")
    assert found == ([("see_also", str(number))] if number else [])
