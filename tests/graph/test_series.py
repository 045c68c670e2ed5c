"""Which episode goes on from which."""

import networkx
import pytest

from podgraph.graph import find_series
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
