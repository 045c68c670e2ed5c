"""Other episodes that the notes name by their titles."""

import pytest

from podgraph.extractors.mentions.corpus import Corpus
from podgraph.extractors.mentions.crosslinks import find_named_episodes, find_own_page, list_slugs, list_titles
from podgraph.extractors.mentions.extraction import extract
from podgraph.extractors.model import Episode, Feed
from podgraph.extractors.notes.text import to_text

TITLES = {"starters": "Sourdough starters", "sharpening": "Sharpening", "vmap": "vmap", "x": "X"}
EPISODES = [Episode(f"episode:p/{slug}", "episode", "podcast:p", title) for slug, title in TITLES.items()]
CORPUS = Corpus({}, titles=list_titles(EPISODES))


def named(notes):
    episode = Episode("episode:p/x", "episode", "podcast:p", "X", notes)
    found = list(find_named_episodes(episode, CORPUS))
    assert all(notes[mention.start : mention.end] == mention.quote for mention in found)
    return [(mention.relation, mention.ref.id.removeprefix("episode:p/")) for mention in found]


@pytest.mark.parametrize(("notes", "found"), [
    ("Related episodes on Sharpening and vmap", ["sharpening", "vmap"]),
    ('the episode "Sourdough starters" is', ["starters"]), ("our episode “Sharpening”.", ["sharpening"]),
    ('as in our earlier episode "Sharpening", no', ["sharpening"]), ('I posted the show "vmap" on', ["vmap"]),
    ("see also: Sourdough starters", ["starters"]), ("(See also Sourdough starters)", ["starters"]),
    ('Listen to "Sharpening" now', ["sharpening"]),
    # other languages
    ("In unserer Folge „Sourdough starters“ geht es", ["starters"]), ("Siehe auch Sourdough starters.", ["starters"]),
    ("l'épisode « Sourdough starters » en parle", ["starters"]), ("En el episodio «Sourdough starters»", ["starters"]), ("No episódio “Sourdough starters”", ["starters"]),
    ("В выпуске «Sourdough starters» мы", ["starters"]), ("前回の「Sourdough starters」で", ["starters"]), ("往期节目《Sourdough starters》", ["starters"]),
    ('הפרק "Sourdough starters" היה', ["starters"]),
    ('the "vmap" operator', []), ('the episode "vmap and more"', []),
    ("see also: https://x.example/vmap", []), ("the best sharpening in the episode", []), ("vmap, vmap, vmap", []),
    ('the episode "X"', []),  # itself
])  # fmt: skip
def test_a_title_that_is_announced_is_an_episode(notes, found):
    assert named(notes) == [("see_also", slug) for slug in found]


NUMBERED = [
    Episode(f"episode:p/{number}", "episode", "podcast:p", f"Kiln {number}: {title}", number=number)
    for number, title in enumerate(("Clay", "Glaze", "Fire"), 1)
]


@pytest.mark.parametrize(("notes", "found"), [
    ("as in episode 2", ["2"]), ("Ep. #2 and episode 3", ["2", "3"]), ("siehe Folge 2", ["2"]), ("выпуск 3", ["3"]), ("第2回", ["2"]),
    # made up, a case a language
    ("mehr in der 2. Folge", ["2"]), ("voir l\u2019épisode n\u00b0 2", ["2"]), ("en el capítulo n\u00ba 3", ["3"]), ("no episódio 2", ["2"]), ("в 2-м выпуске", ["2"]), ("2回目では", ["2"]),
    ("第3期节目", ["3"]), ("בפרק 2 דיברנו", ["2"]), ("2 Folgen", []), ("2 выпусков", []), ("in episode 1", []),
    ("season 4 episode 2", []), ("episode 2 of Other Show", []), ("episode 2.5", []), ("episode 40", []), ("2 episodes", []),
])  # fmt: skip
def test_a_number_of_an_episode(notes, found):
    corpus = Corpus({}, titles=list_titles(NUMBERED))
    item = Episode("episode:p/1", "episode", "podcast:p", "Kiln 1: Clay", notes)
    assert [mention.ref.id.removeprefix("episode:p/") for mention in find_named_episodes(item, corpus)] == found


# A link's words and address, and whether it is the episode "Firing kilns by hand" (or "Kilns") of the show at kiln.example.
LINKED = [
    ("Firing kilns by hand", "https://kiln.example/7", True), ("7: Firing kilns by hand", "https://kiln.example/7", True),
    ("Firing kilns by hand", "https://www.youtube.com/watch?v=dQw4w9WgXcQ", True), ("Kilns", "https://open.spotify.com/episode/0123456789abcdefghijkl", True),
    ("Firing kilns by hand", "https://share.transistor.fm/s/0a1b2c3d", True), ("Firing kilns by hand", "https://elsewhere.example/x", True),
    ("Kilns", "https://kiln.example/8", True), ("Kilns", "https://en.wikipedia.org/wiki/Kiln", False), ("Firing kilns by hand", "https://arxiv.org/abs/1706.03762", False),
    ("Firing kilns", "https://elsewhere.example/x", False), ("Sound", "https://cdn.example/kilns.mp3", True),
]  # fmt: skip


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
KILN_TITLES = [
    "#41 Old kilns & new clay", "42: What's a glaze?", "#43 Fire", "44 | Handles, spouts and lids of all sizes",
]  # fmt: skip
PAGES = [
    ("https://kiln.example/episodes/show/41/old-kilns-new-clay", 41), ("kiln.example/42/whats-a-glaze/", 42),
    ("https://www.kiln.example/ep041-old-kilns-new-clay.html", 41),
    ("https://kiln.example/12345/old-kilns-new-clay-tk-41/", 41),
    ("https://kiln.example/whats-a-glaze", 42), ("https://kiln.example/old_kilns_new_clay.mp3?dl=1", 41),
    ("https://kiln.example/fire", 0), ("https://kiln.example/44/handles-spouts-lids", 0), ("https://kiln.example/42", 0), ("https://kiln.example/42/shop", 0), ("https://kiln.example/", 0),
    ("https://other.example/41/old-kilns-new-clay", 0), ("https://kiln.example/about/old-kilns", 0), ("https://notkiln.example/41/old-kilns-new-clay", 0),
]  # fmt: skip


@pytest.mark.parametrize(("url", "number"), PAGES)
def test_a_page_of_the_show_is_the_episode_whose_number_and_title_its_address_has(url, number):
    episodes = [Episode(f"episode:p/{41 + at}", "episode", "podcast:p", title) for at, title in enumerate(KILN_TITLES)]
    hosts = frozenset({"kiln.example"})
    corpus = Corpus({}, titles=list_titles(episodes), slugs=list_slugs(episodes), hosts=hosts)
    assert find_own_page(url, corpus) == (f"episode:p/{number}" if number else "")
