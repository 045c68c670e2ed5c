"""Common openings of a show's titles, left out of the labels on the map."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..attributes import Graph

_LEAST, _SHARE = 4, 0.5  # episodes, and how many of them


def shared_openings(graph: Graph) -> dict[str, int]:
    """Return by episode the number of leading characters common to most titles of its podcast, in whole words.

    Titles made of the opening and a number are left out: of "Show 1", "Show 2: Bread" and two more, the second
    has 5.
    """
    titles: dict[str, dict[str, str]] = defaultdict(dict)
    for node, attributes in graph.nodes(data=True):
        if attributes.get("kind") == "episode":
            title = attributes.get("title") or attributes.get("label") or ""
            titles[str(attributes.get("podcast", ""))][node] = str(title)
    found = {}
    for of_show in titles.values():
        opening = _opening(list(of_show.values()))
        for node, title in of_show.items():
            rest = title[len(opening) :]
            if opening and title.startswith(opening) and any(map(str.isalpha, rest)):
                found[node] = len(opening)
    return found


def _opening(titles: list[str]) -> str:
    """Return the words at the beginning of most of the titles, each with the space behind it."""
    least = max(_LEAST, _SHARE * len(titles))
    opening, left = "", titles
    while len(left) >= least:
        words = Counter(title[len(opening) :].partition(" ")[0] for title in left)
        longer = opening + max(words, key=lambda word: (words[word], word)) + " "
        left = [title for title in left if title.startswith(longer)]
        if len(left) >= least:
            opening = longer
    return opening
