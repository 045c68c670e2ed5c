"""How a node looks where a format can say so: a colour for its family, a shape for its kind, a size.

The colours are those of the page's light theme; they differ for colour-blind eyes too, and nothing is told by
colour alone.
"""

from __future__ import annotations

import math

_EPISODE, _TOPIC, _CODE, _READING, _PERSON = "#3955a1", "#744618", "#5e936c", "#c46ed5", "#6b6b6b"
_LOOKS = {
    "podcast": (_EPISODE, "square"),
    "episode": (_EPISODE, "disc"),
    "topic": (_TOPIC, "diamond"),
    "pull": (_CODE, "triangle"),
    "issue": (_CODE, "cross"),
    "discussion": (_CODE, "cross"),
    "commit": (_CODE, "pentagon"),
    "release": (_CODE, "pentagon"),
    "compare": (_CODE, "pentagon"),
    "file": (_CODE, "square"),
    "folder": (_CODE, "square"),
    "gist": (_CODE, "square"),
    "repo": (_CODE, "disc"),
    "package": (_CODE, "disc"),
    "symbol": (_CODE, "hexagon"),
    "wiki": (_READING, "square"),
    "docs": (_READING, "square"),
    "tutorial": (_READING, "square"),
    "blog": (_READING, "hexagon"),
    "forum": (_READING, "cross"),
    "question": (_READING, "cross"),
    "paper": (_READING, "star"),
    "video": (_READING, "triangle"),
    "web": (_READING, "disc"),
    "person": (_PERSON, "pentagon"),
}


def colour(kind: object) -> str:
    """Return the colour of a node of that kind as ``#rrggbb``.

    >>> colour("episode"), colour("something new")
    ('#3955a1', '#c46ed5')
    """
    return _look(kind)[0]


def shape(kind: object) -> str:
    """Return the name of the shape that a node of that kind has (GEXF's words: ``disc``, ``star``, …)."""
    return _look(kind)[1]


def size(degree: int) -> float:
    """Return the size of a node with that many edges; its area grows with their number.

    >>> size(0), size(16)
    (4.0, 12.0)
    """
    return round(4 + 2 * math.sqrt(degree), 2)


def _look(kind: object) -> tuple[str, str]:
    return _LOOKS.get(kind, _LOOKS["web"]) if isinstance(kind, str) else _LOOKS["web"]
