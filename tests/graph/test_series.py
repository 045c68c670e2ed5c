"""Which episode goes on from which, and which one repeats another."""

import networkx
import pytest

from podgraph.graph import find_series
from podgraph.graph.series import find_rebroadcasts
from tests.tables import read_rows


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
@pytest.mark.parametrize("words", read_rows(__file__, "test_what_was_last_time_goes_before_in_any_language"))
def test_what_was_last_time_goes_before_in_any_language(words):
    assert series("Clay", ("Glaze", words), ("Fire", "On its own.")) == {("Glaze", "Clay")}


@pytest.mark.parametrize(("titles", "found"), read_rows(__file__, "test_what_goes_on_from_what"))
def test_what_goes_on_from_what(titles, found):
    assert series(*titles) == found


# What the notes of the second of three say -> the pair of later and earlier.
NOTES = dict(read_rows(__file__, "NOTES"))


@pytest.mark.parametrize("notes", NOTES)
def test_last_time_and_next_time(notes):
    assert series("One", ("Two", notes), "Three") == {*filter(None, [NOTES[notes]])}


def test_the_reason_names_both_and_each_podcast_is_by_itself():
    ((_, _, attributes),) = find_series(show("CUDA graphs", "CUDA graph trees"))
    assert attributes["reasons"] == ["“CUDA graph trees” goes on from “CUDA graphs”, by its title"]
    assert series("CUDA graphs", "CUDA graph trees", podcasts=("podcast:a", "podcast:b")) == set()


REPEATED = read_rows(__file__, "REPEATED")


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
