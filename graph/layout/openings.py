"""Finding the common beginning of a show's titles, such as "Show Name: ", which the labels on the map leave out."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..attributes import Graph


def find_openings(graph: Graph) -> dict[str, int]:
    """Return {episode id: length of the opening of its title}: the characters that a show's titles have in common.

    An opening such as "Show Name: " begins at least half of the titles of a podcast, and at least four. It ends at a
    space. A title that is only this opening and a number is left out: of "Show 1", "Show 2: Bread" and two more, the
    second has 5.
    """
    titles: dict[str, dict[str, str]] = defaultdict(dict)
    for node, attributes in graph.nodes(data=True):
        if attributes.get("kind") == "episode":
            titles[attributes.get("podcast", "")][node] = attributes.get("title") or attributes.get("label", "")
    lengths = {}
    for show_titles in titles.values():
        counts = Counter(
            title[: at + 1] for title in show_titles.values() for at, character in enumerate(title) if character == " "
        )
        openings = (opening for opening, count in counts.items() if count >= max(4, len(show_titles) / 2))
        opening = max(openings, key=lambda words: (len(words), words), default="")
        for node, title in show_titles.items():
            if opening and title.startswith(opening) and any(map(str.isalpha, title[len(opening) :])):
                lengths[node] = len(opening)
    return lengths
