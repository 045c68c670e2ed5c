"""Episodes that go on where another of their podcast left off, as their titles tell."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from .content_words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .attributes import Graph, NewEdge

_MOST = 3  # episodes that may go on from one; a title that more of them hold is a common word, not a subject
# the number of a part: `(Part 2)`, `, part two`, `: Part II`
_PART = re.compile(r"[\s(:,\u2013\u2014-]*\bpart\s+(\d{1,3}|one|two|three|four|five|i{1,3}|iv|v)\b\)?", re.IGNORECASE)
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5}
# a number
_DIGITS = re.compile(r"\d+")


def find_series(graph: Graph) -> Iterator[NewEdge]:
    """Find what its podcast had before: (later, earlier, attributes) of a ``listen_first`` edge with its reason.

    An episode goes on from an earlier one when its title holds all words of the other's title and more (“CUDA graph
    trees” from “CUDA graphs”), or is the next part of the same. The graph itself is not changed.
    """
    by_podcast: dict[str, list[_Episode]] = defaultdict(list)
    for id_ in sorted(graph):
        data = graph.nodes[id_]
        if data["kind"] == "episode" and data.get("title") and data.get("date"):
            by_podcast[data.get("podcast", "")].append(_Episode(data["date"], id_, data["title"]))
    for episodes in by_podcast.values():
        episodes.sort()
        yield from _extended(episodes)
        yield from _parts(episodes)


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
            if later.date > earlier.date:
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
            number = int(part[1]) if part[1].isdigit() else _NUMBERS[part[1].lower()]
            stem = (title[: part.start()] + title[part.end() :]).casefold().strip()
            if stem:
                numbered.setdefault((stem, number), id_)
    for (stem, number), later in sorted(numbered.items()):
        earlier = numbered.get((stem, number - 1))
        if earlier:
            yield _goes_on(later, earlier, f"part {number} comes after part {number - 1}")


def _goes_on(later: str, earlier: str, reason: str) -> NewEdge:
    return later, earlier, {"weight": 1, "reasons": [reason]}


def _title_words(title: str) -> frozenset[str]:
    """Return the words and numbers of a title; none when it says nothing but numbers."""
    words = frozenset(words_of(title))
    return words | frozenset(_DIGITS.findall(title)) if words else words
