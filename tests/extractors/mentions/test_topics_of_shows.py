"""Topics of made-up shows with complete answers, in several languages: how good they are, and that they stay."""

import re
import tomllib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from podgraph.extractors import Episode, Feed, builtin_vocabulary, extract
from podgraph.graph import build_graph, enrich_graph
from tests.tables import read_rows

SHOWS = Path(__file__).parent.parent / "labels" / "shows"
# F1 of the first five topics of an episode, the mean of the show's: at least.
LEAST = {"kitchen": 0.65, "beacons": 0.60, "chronik": 0.65, "atelier": 0.65, "huerto": 0.58, "kino": 0.60, "kobo": 0.65}
MOST = 5


# Spots that run for some weeks, in turn, ahead of the notes.
SPOTS = tuple(read_rows(__file__, "SPOTS"))


def show(name, count=None, spots=("",)):
    data = tomllib.loads((SHOWS / f"{name}.toml").read_text("utf-8"))
    start = datetime(2024, 1, 1, tzinfo=UTC)
    episodes = tuple(
        Episode(
            f"episode:{name}/{place}", "episode", f"podcast:{name}", entry["title"], f"{spots[place % len(spots)]}\n{entry['notes']}\n{data['footer']}",
            date=start + timedelta(weeks=place),
        )
        for place, entry in enumerate(data["episodes"][:count])
    )  # fmt: skip
    feed = Feed("s", "podcast", f"podcast:{name}", data["title"], episodes, language=data["language"])
    return feed, {episode.id: entry["topics"] for episode, entry in zip(episodes, data["episodes"], strict=False)}


def graph_of(feed):
    extractions = extract([feed])
    graph = build_graph([feed], extractions)
    enrich_graph(graph, builtin_vocabulary(), asides={one.episode.id: one.asides for one in extractions})
    return graph


def about(graph):
    return {(source, target) for source, target, key in graph.edges(keys=True) if key == "about"}


def fold(text):
    words = re.findall(r"[\w+.]+", text.lower().replace("-", " "))
    return " ".join(word[:-1] if word.endswith("s") and len(word) > 3 else word for word in words)


def f1(said, wanted):
    """Score labels against lists of spellings; a label is right when it holds one whole, and each list counts once."""
    left = list(wanted)
    hits = 0
    for label in said:
        found = next((names for names in left if any(f" {fold(name)} " in f" {fold(label)} " for name in names)), None)
        if found:
            left.remove(found)
            hits += 1
    return 2 * hits / (len(said) + len(wanted)) if said else 0.0


@pytest.mark.parametrize("name", LEAST)
def test_topics_are_those_of_the_answers(name):
    feed, answers = show(name)
    graph = graph_of(feed)
    scores = []
    for episode in feed.episodes:
        edges = [
            (-data["weight"], graph.nodes[topic]["label"])
            for _, topic, key, data in graph.out_edges(episode.id, keys=True, data=True)
            if key == "about"
        ]
        scores.append(f1([label for _, label in sorted(edges)[:MOST]], answers[episode.id]))
    assert sum(scores) / len(scores) >= LEAST[name]


def related(graph):
    return {(source, target) for source, target, key in graph.edges(keys=True) if key == "related"}


@pytest.mark.parametrize("name", ["kitchen", "chronik"])
def test_spots_ahead_of_the_notes_change_neither_topics_nor_relatives(name):
    plain, sponsored = (graph_of(show(name, spots=spots)[0]) for spots in (("",), SPOTS))
    assert about(sponsored) == about(plain)
    assert related(sponsored) == related(plain)


def test_one_more_episode_leaves_the_topics_of_the_others():
    kept = total = 0
    for name in LEAST:
        whole, _ = show(name)
        before = about(graph_of(show(name, len(whole.episodes) - 1)[0]))
        after = about(graph_of(whole))
        total += len(before)
        kept += len(before & after)
    assert kept >= 0.95 * total


def test_a_verb_alone_is_no_topic_in_spanish():
    feed, _ = show("huerto")
    item = replace(
        feed.episodes[0],
        title="Rosales: podar",
        notes="Hoy toca podar. Al podar, los rosales: podar poco. Podar es fácil.",
    )
    graph = graph_of(replace(feed, episodes=(item, *feed.episodes[1:])))
    labels = {graph.nodes[target]["label"].casefold() for source, target in about(graph) if source == item.id}
    assert "rosales" in labels and "podar" not in labels
