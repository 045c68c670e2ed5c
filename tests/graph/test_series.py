"""Which episode goes on from which, and which one repeats another."""

import networkx
import pytest

from podgraph.graph import find_series
from podgraph.graph.series import find_rebroadcasts


def show(*episodes, podcasts=("podcast:p",)):
    """Return a graph of episodes, one a day: titles, or (title, notes)."""
    graph = networkx.MultiDiGraph()
    for place, episode in enumerate(episodes):
        title, notes = (episode, "") if isinstance(episode, str) else episode
        node = f"{title} {place}" if title in graph else title
        podcast = podcasts[place % len(podcasts)]
        date = f"2021-01-{place + 1:02}" if "undated" not in title else ""
        graph.add_node(node, kind="episode", label=title, title=title, date=date, podcast=podcast, summary=notes)
    return graph


def series(*episodes, **more):
    return {(later, earlier) for later, earlier, _ in find_series(show(*episodes, **more))}


# Made up: a line a language.
@pytest.mark.parametrize("words", [
    "Last time we looked at clay.", "In der letzten Folge ging es um Ton.", "La dernière fois, l'argile.", "En el último episodio, el barro.",
    "No último episódio, o barro.", "В прошлом выпуске была глина.", "前回は粘土でした。", "上一期谈到粘土", "בפרק הקודם דיברנו על חימר",
])  # fmt: skip
def test_what_was_last_time_goes_before_in_any_language(words):
    assert series("Clay", ("Glaze", words), ("Fire", "On its own.")) == {("Glaze", "Clay")}


@pytest.mark.parametrize(("titles", "found"), [
    (["CUDA graphs", "Codegen", "CUDA graph trees"], {("CUDA graph trees", "CUDA graphs")}),
    (["CUDA graph trees", "CUDA graphs"], set()),  # what came later is no start
    (["__torch_function__", "Multiple dispatch in __torch_function__"],
     {("Multiple dispatch in __torch_function__", "__torch_function__")}),
    (["Python 3", "Python bindings", "Python 3 at last"], {("Python 3 at last", "Python 3")}),
    (["News", *(f"News of {month}" for month in ("April", "June", "July", "August"))], set()),  # a common word
    (["2021", "2021 in review"], set()),
    (["The", "The mill"], set()),
    (["Why your mill turns", "A mill turns at last"], set()),  # some of the words
    (["Mill of roses", "Roses of one mill"], set()),  # in another order
    (["Mills, part 1", "Roses", "Mills, part 2", "Mills (Part three)"],
     {("Mills, part 2", "Mills, part 1"), ("Mills (Part three)", "Mills, part 2")}),
    (["Part 1", "Part 2"], set()),
    *(([f"Loom, {part} 1", "Roses", f"Loom ({part} II)"], {(f"Loom ({part} II)", f"Loom, {part} 1")}) for part in ("Teil", "partie", "Parte")),
    (["News", "News of April", "News of June", "News of July"], {(f"News of {month}", "News") for month in ("April", "June", "July")}),
    (["Mill part II", "Mill part III", "Mill part IV"], {("Mill part III", "Mill part II"), ("Mill part IV", "Mill part III")}),
    ([f"Mill part {n}" for n in ("one", "two", "three", "four", "five")], {("Mill part two", "Mill part one"), ("Mill part three", "Mill part two"), ("Mill part four", "Mill part three"), ("Mill part five", "Mill part four")}),
    (["Mill part 1", "Mill part 3"], set()),
    (["Mill part one", "Mill part II"], {("Mill part II", "Mill part one")}),
    (["Mill part I", "Mill part II", "Mill part III"], {("Mill part II", "Mill part I"), ("Mill part III", "Mill part II")}),
    (["Mill", "Mill part I", "Mill part II"], {("Mill part I", "Mill"), ("Mill part II", "Mill"), ("Mill part II", "Mill part I")}),
    (["Mill – undated", "Mill – undated again"], set()),
])  # fmt: skip
def test_what_goes_on_from_what(titles, found):
    assert series(*titles) == found


# What the notes of the second of three say -> the pair of later and earlier.
NOTES = {
    "Last time we talked about grain.": ("Two", "One"), "As I said in the previous episode, grain is heavy.": ("Two", "One"),
    "Next time we'll look at the oven.": ("Three", "Two"), "More in the next episode.": ("Three", "Two"),
    "HEARD ON OUR LAST INSTALMENT: grain.": ("Two", "One"), "The last time I checked, it was broken.": None,
    "The next time you bake, think of it.": None, "The last episode of the war was short.": None,
}  # fmt: skip


@pytest.mark.parametrize("notes", NOTES)
def test_last_time_and_next_time(notes):
    assert series("One", ("Two", notes), "Three") == {*filter(None, [NOTES[notes]])}


# What the notes of “Two” say ahead of the name of “Three”, and whether they ask to listen to “Two” first.
BEFORE = {
    "Begin with this one before listening to ": True, "Hear this episode before ": True, "See also ": False,
    "This one, by the way, goes before ": True, "We made this one before. See also ": False, "Listen before this one to ": False,
}  # fmt: skip


@pytest.mark.parametrize("words", BEFORE)
def test_this_one_before_that(words):
    graph = show(("Two", f"{words}Three."), "Four", "Three")
    evidence = [{"field": "notes", "start": len(words), "end": len(words) + 5, "quote": "Three"}]
    graph.add_edge("Two", "Three", "see_also", weight=1, evidence=evidence)
    edge = ("Three", "Two", {"weight": 1, "reasons": ["“Two” says: listen to this one before"]})
    assert list(find_series(graph)) == [edge] * BEFORE[words]


def test_the_reason_names_both_and_each_podcast_is_by_itself():
    ((_, _, attributes),) = find_series(show("CUDA graphs", "CUDA graph trees"))
    assert attributes["reasons"] == ["“CUDA graph trees” goes on from “CUDA graphs”, by its title"]
    assert series("CUDA graphs", "CUDA graph trees", podcasts=("podcast:a", "podcast:b")) == set()


REPEATED = [
    # episodes, which of them repeats which
    (["Old kilns", "Rebroadcast: Old kilns"], {(1, 0)}), (["12: Old kilns", "57: Old kilns (rerun)"], {(1, 0)}),
    (["Old kilns", "Encore of Old kilns!"], {(1, 0)}), (["Alte Öfen", "Wiederholung: Alte Öfen"], {(1, 0)}),
    (["Старые печи", "Повтор: Старые печи"], {(1, 0)}), (["Old kilns", "Rebroadcast: New kilns"], set()),
    (["Old kilns", "Old kilns again"], set()), ([("Rebroadcast: Old kilns", "a"), ("Old kilns", "b")], set()),
    (["Old kilns", "Rerun: Old kilns", "Rerun: Old kilns"], {(1, 0), (2, 0)}),
    ([("Old kilns", "a"), ("Old kilns", "b")], set()), ([("Old kilns", "a"), ("Old kilns", "a")], {(1, 0)}),
    ([("News", "a"), ("News", "a")], set()), (["Old kilns", "New clay", "Summer rerun"], set()),
]  # fmt: skip


@pytest.mark.parametrize(("episodes", "found"), REPEATED)
def test_episodes_that_repeat_an_earlier_one(episodes, found):
    graph = show(*episodes)
    places = {node: place for place, node in enumerate(graph)}
    assert {(places[later], places[earlier]) for later, earlier, _ in find_rebroadcasts(graph)} == found


def test_the_notes_may_name_the_repeated_episode():
    graph = show("Old kilns", "New clay", "Summer rerun")
    for name, repeats in (("Old kilns", ["Old kilns"]), ("New clay", [])):
        graph.add_edge("Summer rerun", name, "see_also")
        assert [earlier for _, earlier, _ in find_rebroadcasts(graph)] == repeats
