"""Other episodes that the notes name by their titles."""

import pytest

from podgraph.extractors.mentions.corpus import Corpus
from podgraph.extractors.mentions.crosslinks import find_named_episodes, find_own_page, list_slugs, list_titles
from podgraph.extractors.mentions.extraction import extract
from podgraph.extractors.model import Episode, Feed
from podgraph.extractors.notes.text import to_text
from tests.tables import read_rows

TITLES = {"starters": "Sourdough starters", "sharpening": "Sharpening", "vmap": "vmap", "x": "X"}
EPISODES = [Episode(f"episode:p/{slug}", "episode", "podcast:p", title) for slug, title in TITLES.items()]
CORPUS = Corpus({}, titles=list_titles(EPISODES))


def named(notes):
    episode = Episode("episode:p/x", "episode", "podcast:p", "X", notes)
    found = list(find_named_episodes(episode, CORPUS))
    assert all(notes[mention.start : mention.end] == mention.quote for mention in found)
    return [(mention.relation, mention.ref.id.removeprefix("episode:p/")) for mention in found]


@pytest.mark.parametrize(("notes", "found"), read_rows(__file__, "test_a_title_that_is_announced_is_an_episode"))  # fmt: skip
def test_a_title_that_is_announced_is_an_episode(notes, found):
    assert named(notes) == [("see_also", slug) for slug in found]


NUMBERED = [
    Episode(f"episode:p/{number}", "episode", "podcast:p", f"Kiln {number}: {title}", number=number)
    for number, title in enumerate(("Clay", "Glaze", "Fire"), 1)
]


@pytest.mark.parametrize(("notes", "found"), read_rows(__file__, "test_a_number_of_an_episode"))  # fmt: skip
def test_a_number_of_an_episode(notes, found):
    corpus = Corpus({}, titles=list_titles(NUMBERED))
    item = Episode("episode:p/1", "episode", "podcast:p", "Kiln 1: Clay", notes)
    assert [mention.ref.id.removeprefix("episode:p/") for mention in find_named_episodes(item, corpus)] == found


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
    here = Episode("episode:p/x", "episode", "podcast:p", "Glazes", notes, links, url="https://kiln.example/x")
    first, *_ = extract([Feed("f", "podcast", "podcast:p", "P", (here, *MORE), url="https://kiln.example")])
    ids = {mention.ref.id for mention in first.mentions if mention.method == "crosslink"}
    assert bool(ids & {one.id for one in MORE}) == joined


# A show whose feed gives one link for all items: its pages are known by number and title.
KILN_TITLES = read_rows(__file__, "KILN_TITLES")
PAGES = read_rows(__file__, "PAGES")  # fmt: skip


@pytest.mark.parametrize(("url", "number"), PAGES)
def test_a_page_of_the_show_is_the_episode_whose_number_and_title_its_address_has(url, number):
    episodes = [Episode(f"episode:p/{41 + at}", "episode", "podcast:p", title) for at, title in enumerate(KILN_TITLES)]
    hosts = frozenset({"kiln.example"})
    corpus = Corpus({}, titles=list_titles(episodes), slugs=list_slugs(episodes), hosts=hosts)
    assert find_own_page(url, corpus) == (f"episode:p/{number}" if number else "")
