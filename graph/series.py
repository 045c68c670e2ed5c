"""Episodes that go on where another of their podcast left off, as their titles and their own words tell."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import alternatives, phrases

from .content_words import words_of
from .rebroadcasts import REBROADCAST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .attributes import Graph, NewEdge

_MOST = 3  # episodes that may go on from one; a title that more of them hold is a common word, not a subject
# the number of a part: `(Part 2)`, `, part two`, `: Teil II`
_PART = re.compile(
    rf"[\s(:,\u2013\u2014-]*\b(?:{alternatives('part', 'episodes')})\s+"
    r"(\d{1,3}|one|two|three|four|five|i{1,3}|iv|v)\b\)?",
    re.IGNORECASE,
)
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5}
# a number
_DIGITS = re.compile(r"\d+")
# This episode is wanted before the one that is named behind these words: "this one before", "before you listen to".
_THIS_BEFORE = re.compile(
    r"\b(?:this (?:one|episode|podcast|part|first)|me)\b[^.!?\n]{0,20}\bbefore(?: \w+){0,4}\W*\Z", re.IGNORECASE
)
# What comes is spoken of: "next time we talk about", "in the next episode".
_NEXT = re.compile(
    r"\bnext time,? (?:we|i)(?:['\u2019]ll| will| are| am|['\u2019]re|['\u2019]m| talk| look| discuss)\b"
    r"|\b(?:in|on) (?:the|our|my) next (?:episode|podcast|part|instal?lment)\b",
    re.IGNORECASE,
)
# What was is spoken of: "last time we talked", "in the last episode", "the previous episode".
_LAST = re.compile(
    r"\blast time,? (?:we|i) (?:talked|looked|spoke|discussed|saw|covered|left)\b"
    r"|\b(?:in|on|of|to|from) (?:the|our|my) (?:last|previous) (?:episode|podcast|part|instal?lment)\b"
    rf"|(?<!\w)(?:{alternatives('last', 'episodes')})(?![a-z\u0430-\u044f])",
    re.IGNORECASE,
)
# Of what a pattern wants, what is found a hundred times as fast: where none of these words stands, it is not asked.
_HINTS = {
    _NEXT: ("next",),
    _LAST: (
        "last time",
        *map(" ".join, product(("last", "previous"), ("episode", "podcast", "part", "instal"))),
        *sorted(map(str.casefold, phrases("last", "episodes"))),
    ),
}
_AHEAD = 80  # characters ahead of a name that say what it is named for


def find_series(graph: Graph) -> Iterator[NewEdge]:
    """Find what its podcast had before: (later, earlier, attributes) of a ``listen_first`` edge with its reason.

    An episode goes on from an earlier one when its title holds all words of the other's title and more (“CUDA graph
    trees” from “CUDA graphs”), or is the next part of the same; when its notes say what was heard last time, or those
    of the one before it what will be next time. One that the notes of another name as what comes after it needs that
    other. The graph itself is not changed.
    """
    by_podcast: dict[str, list[_Episode]] = defaultdict(list)
    for id_, data in graph.nodes(data=True):
        if data["kind"] == "episode" and data.get("title") and data.get("date"):
            by_podcast[data.get("podcast", "")].append(_Episode(data["date"], id_, data["title"]))
    for episodes in sorted(by_podcast.values(), key=lambda episodes: min(episode.id for episode in episodes)):
        episodes.sort()
        yield from _extended(episodes)
        yield from _parts(episodes)
        yield from _neighbouring(episodes, graph)
    yield from _wanted_before(graph)


class _Episode(NamedTuple):
    """A dated episode."""

    date: str
    id: str
    title: str


def _extended(episodes: list[_Episode]) -> Iterator[NewEdge]:
    words = {episode: _title_words(episode.title) for episode in episodes}
    holders = _holders(words)
    for earlier in episodes:
        held = words[earlier]
        fewest = min((holders[word] for word in held), key=len, default=[])
        longer = [other for other in fewest if words[other] > held] if len(fewest) <= 2 * _MOST else []
        for later in longer if len(longer) <= _MOST else ():
            if later.date > earlier.date and not REBROADCAST.search(later.title):
                yield _goes_on(later.id, earlier.id, f"“{later.title}” goes on from “{earlier.title}”, by its title")


def _holders(words: Mapping[_Episode, Iterable[str]]) -> dict[str, list[_Episode]]:
    """Return for each word the episodes whose title holds it, in order."""
    holders: dict[str, list[_Episode]] = defaultdict(list)
    for episode, held in words.items():
        for word in held:
            holders[word].append(episode)
    return holders


def _parts(episodes: list[_Episode]) -> Iterator[NewEdge]:
    numbered: dict[tuple[str, int], str] = {}
    for _, id_, title in episodes:
        if part := _PART.search(title):
            number = _number(part)
            stem = (title[: part.start()] + title[part.end() :]).casefold().strip()
            if stem:
                numbered.setdefault((stem, number), id_)
    for (stem, number), later in sorted(numbered.items()):
        earlier = numbered.get((stem, number - 1))
        if earlier:
            yield _goes_on(later, earlier, f"part {number} comes after part {number - 1}")


def _neighbouring(episodes: list[_Episode], graph: Graph) -> Iterator[NewEdge]:
    """Yield what follows from “last time” and “next time”, of two that stand next to each other."""
    for earlier, later in pairwise(episodes):
        for one, pattern in ((earlier, _NEXT), (later, _LAST)):
            notes = graph.nodes[one.id].get("summary", "")
            folded = notes.casefold()
            if any(hint in folded for hint in _HINTS[pattern]) and (said := pattern.search(notes)):
                yield _goes_on(later.id, earlier.id, f"“{one.title}” says: {said[0]}")
                break


def _wanted_before(graph: Graph) -> Iterator[NewEdge]:
    """Yield what the notes of one episode want heard after it."""
    for edge in sorted(edge for edge in graph.edges(keys=True) if edge[2] == "see_also"):
        source, target, _ = edge
        notes = graph.nodes[source].get("summary", "")
        places = (item["start"] for item in graph.edges[edge].get("evidence", ()) if item["field"] == "notes")
        if any(_THIS_BEFORE.search(notes[max(0, at - _AHEAD) : at]) for at in places):
            title = graph.nodes[source]["label"]
            yield _goes_on(target, source, f"“{title}” says: listen to this one before")


def _goes_on(later: str, earlier: str, reason: str) -> NewEdge:
    return later, earlier, {"weight": 1, "reasons": [reason]}


def _number(part: re.Match[str]) -> int:
    return int(part[1]) if part[1].isdigit() else _NUMBERS[part[1].lower()]


def _title_words(title: str) -> frozenset[str]:
    """Return the words and numbers of a title; none when it says nothing but numbers."""
    part = _PART.search(title)
    plain = title[: part.start()] + title[part.end() :] if part else title
    words = frozenset(words_of(plain))
    # A Roman I is no word: every later part would hold the title of the first.
    number = {f"part {_number(part)}"} if part else set()
    return words | number | frozenset(_DIGITS.findall(plain)) if words else words
