"""The style of nodes in formats with styles: a colour for the family, a shape for the kind, a size.

The colours are those of the page's light theme. Colour-blind readers can distinguish them, and no information
depends on colour alone.
"""

from __future__ import annotations

import math

from podgraph.graph import FAMILIES, SHAPES, Kind


def colour(kind: Kind) -> str:
    """Return the colour of a node of a kind as ``#rrggbb``.

    >>> colour(Kind("ticket", family="code")), colour(Kind("something"))
    ('#5e936c', '#5d6570')
    """
    return FAMILIES[kind.family].light


def gexf_shape(kind: Kind) -> str:
    """Return GEXF's word for the shape of a node of a kind: ``disc``, ``star``, ….

    >>> gexf_shape(Kind("ticket", shape="diamond"))
    'diamond'
    """
    return SHAPES[kind.shape][0]


def dot_shape(kind: Kind) -> str:
    """Return Graphviz's word for the shape of a node of a kind: ``ellipse``, ``box``, ….

    >>> dot_shape(Kind("ticket", shape="diamond"))
    'diamond'
    """
    return SHAPES[kind.shape][1]


def size(degree: int) -> float:
    """Return the size of a node with so many edges; its area grows with their number.

    >>> size(0), size(16)
    (4.0, 12.0)
    """
    return round(4 + 2 * math.sqrt(degree), 2)
