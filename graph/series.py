"""Episodes that go on where another of their podcast left off, as their titles tell."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from .words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import networkx as nx

_MOST = 3  # episodes that may go on from one; a title that more of them hold is a common word, not a subject
_PART = re.compile(r"[\s(:,\u2013\u2014-]*\bpart\s+(\d{1,3}|one|two|three|four|five|i{1,3}|iv|v)\b\)?", re.IGNORECASE)
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5}
_DIGITS = re.compile(r"\d+")


def find_series(graph: nx.MultiDiGraph[str]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Find what its podcast had before: (later, earlier, attributes) of a ``listen_first`` edge with its reason.

    An episode goes on from an earlier one when its title holds all words of the other's title and more (“CUDA graph
    trees” from “CUDA graphs”), or is the next part of the same. The graph itself is not changed.
    """
    by_podcast: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for id_ in sorted(graph):
        data = graph.nodes[id_]
        if data["kind"] == "episode" and data.get("title") and data.get("date"):
            by_podcast[str(data.get("podcast", ""))].append((str(data["date"]), id_, str(data["title"])))
    for episodes in by_podcast.values():
        episodes.sort()
        yield from _extended(episodes)
        yield from _parts(episodes)


def _extended(episodes: list[tuple[str, str, str]]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    words = [_title_words(title) for _, _, title in episodes]
    holders: dict[str, list[int]] = defaultdict(list)
    for place, held in enumerate(words):
        for word in held:
            holders[word].append(place)
    for place, held in enumerate(words):
        if not held:
            continue
        rarest = min(held, key=lambda word: (len(holders[word]), word))
        if len(holders[rarest]) > 2 * _MOST:
            continue
        longer = [other for other in holders[rarest] if words[other] > held]
        if len(longer) > _MOST:
            continue
        (first, earlier, title) = episodes[place]
        for other in longer:
            (date, later, further) = episodes[other]
            if date > first:
                yield later, earlier, {"weight": 1, "reasons": [f"“{further}” goes on from “{title}”, by its title"]}


def _parts(episodes: list[tuple[str, str, str]]) -> Iterator[tuple[str, str, dict[str, Any]]]:
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
            yield later, earlier, {"weight": 1, "reasons": [f"part {number} comes after part {number - 1}"]}


def _title_words(title: str) -> frozenset[str]:
    """Return the words and numbers of a title; none when it says nothing but numbers."""
    words = frozenset(words_of(title))
    return words | frozenset(_DIGITS.findall(title)) if words else words
