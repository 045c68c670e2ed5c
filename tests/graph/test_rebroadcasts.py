"""Episodes that repeat an earlier one: by a word in the title, or by the same title and notes."""

import networkx as nx
import pytest

from podgraph.graph.series import find_rebroadcasts


def rebroadcasts(*episodes, links=()):
    graph = nx.MultiDiGraph()
    for number, (title, notes) in enumerate(episodes):
        day = f"2024-01-{number + 1:02}"
        graph.add_node(number, kind="episode", label=title, title=title, date=day, podcast="podcast:p", summary=notes)
    for source, target in links:
        graph.add_edge(source, target, "see_also")
    return [(later, earlier) for later, earlier, _ in find_rebroadcasts(graph)]


@pytest.mark.parametrize(("first", "later", "found"), [
    ("Old kilns", "Rebroadcast: Old kilns", True), ("12: Old kilns", "57: Old kilns (rerun)", True), ("Old kilns", "Encore of Old kilns!", True),
    ("Alte \u00d6fen", "Wiederholung: Alte \u00d6fen", True), ("\u0421\u0442\u0430\u0440\u044b\u0435 \u043f\u0435\u0447\u0438", "\u041f\u043e\u0432\u0442\u043e\u0440: \u0421\u0442\u0430\u0440\u044b\u0435 \u043f\u0435\u0447\u0438", True),
    ("Old kilns", "Rebroadcast: New kilns", False), ("Old kilns", "Old kilns again", False), ("Old kilns", "Old kilns", False),
    ("Rebroadcast: Old kilns", "Old kilns", False),
])  # fmt: skip
def test_a_title_says_that_it_is_a_rebroadcast(first, later, found):
    assert rebroadcasts((first, "a"), (later, "b")) == ([(1, 0)] if found else [])


def test_the_first_of_several_is_repeated():
    assert rebroadcasts(("Old kilns", ""), ("Rerun: Old kilns", ""), ("Rerun: Old kilns", "")) == [(1, 0), (2, 0)]


def test_the_notes_may_name_the_episode():
    episodes = ("Old kilns", ""), ("New clay", ""), ("Summer rerun", "")
    assert rebroadcasts(*episodes, links=[(2, 0)]) == [(2, 0)]
    assert rebroadcasts(*episodes, links=[(2, 0), (2, 1)]) == []


def test_the_same_title_and_notes_are_the_same_episode():
    assert rebroadcasts(("Old kilns", "a"), ("Old kilns", "a")) == [(1, 0)]
    assert rebroadcasts(("News", "a"), ("News", "a")) == []
