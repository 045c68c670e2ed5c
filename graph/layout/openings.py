"""Common openings of a show's titles, left out of the labels on the map."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..attributes import Graph


def find_openings(graph: Graph) -> dict[str, int]:
    """Return by episode the number of leading characters common to most titles of its podcast, in whole words.

    An opening has at least four titles. Titles made of the opening and a number are left out: of "Show 1",
    "Show 2: Bread" and two more, the second has 5.
    """
    titles: dict[str, dict[str, str]] = defaultdict(dict)
    for node, attributes in graph.nodes(data=True):
        if attributes.get("kind") == "episode":
            titles[attributes.get("podcast", "")][node] = attributes.get("title") or attributes.get("label", "")
    lengths = {}
    for of_show in titles.values():
        counts = Counter(
            title[: at + 1] for title in of_show.values() for at, character in enumerate(title) if character == " "
        )
        openings = (opening for opening, count in counts.items() if count >= max(4, len(of_show) / 2))
        opening = max(openings, key=lambda words: (len(words), words), default="")
        for node, title in of_show.items():
            if opening and title.startswith(opening) and any(map(str.isalpha, title[len(opening) :])):
                lengths[node] = len(opening)
    return lengths
