"""A picture of the map, for READMEs and slides: the places and colours of the page, with as many names as fit.

It shows the atlas (the episodes by relatedness), with an option everything. Names are beside their
nodes, the heaviest first, where they cover no other name; the others are only in the tooltips.
Rules: https://www.w3.org/TR/SVG2/.
"""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from podgraph.graph import PLACES, lay_out, saved_places, shared_openings

from ..page.content import start_areas
from .rows import name_of, text_of
from .shared.style import colour, gexf_shape
from .shared.weblink import web_link
from .shared.xml_text import escape_attribute, escape_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from podgraph.graph import Graph, Kinds

    from .rows import Rows

    Box = tuple[float, float, float, float]  # left, top, right, bottom

_WIDTH, _HEIGHT, _MARGIN = 1000.0, 800.0, 60.0
_FONT = 11.0
_LONGEST = 44  # letters of a name
_MOST_NAMES = 400
_FARTHEST = 1e9
_TEXTS = ("kind", "title", "label", "url", "community", "podcast", "date")
_NUMBERS = ("rank", "number", "weight", *PLACES)
_CELL = 40.0  # of the grid for finding boxes
# A shape of radius 1 as the corners of a polygon; a disc has no corners.
_CORNERS = {
    "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "triangle": ((0, -1.2), (1.1, 0.8), (-1.1, 0.8)),
}


class _Spot(NamedTuple):
    """A node as it is drawn."""

    x: float
    y: float
    radius: float
    fill: str
    shape: str
    name: str
    opening: int  # how much of the name most of its show begin with
    link: str


def to_svg(rows: Rows, *, everything: bool = False) -> Iterator[str]:
    """Yield the picture of a graph: its atlas where it has one, or ``everything``.

    If only a part of the nodes is drawn, only related episodes have lines.

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label="vmap", x=0, y=0)
    >>> print("".join(to_svg(Rows(graph))).splitlines()[1])
    <title>Episodes and what they cite</title>
    """
    graph = _bare_graph(rows)
    spots = _spots(graph, rows.kinds, everything=everything)
    title = escape_text(rows.title()[:120])
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img"'
    yield f' font-family="system-ui, sans-serif" font-size="{_FONT:g}">\n<title>{title}</title>\n'
    yield "<!-- podgraph -->\n"
    yield '<rect width="100%" height="100%" fill="#ffffff"/>\n<g stroke="#8a8f98" stroke-width="0.7" opacity="0.45">\n'
    only_relation = "" if len(spots) == len(graph) else "related"
    for source, target, relation in graph.edges(keys=True):
        if source in spots and target in spots and (not only_relation or relation == only_relation):
            one, other = spots[source], spots[target]
            yield f'<line x1="{one.x:g}" y1="{one.y:g}" x2="{other.x:g}" y2="{other.y:g}"/>\n'
    yield '</g>\n<g stroke="#ffffff" stroke-width="1">\n'
    yield from (_node_element(spot) for spot in spots.values())
    yield '</g>\n<g fill="#1b1f26" stroke="#ffffff" stroke-width="3" paint-order="stroke">\n'
    for x, y, anchor, name in _names(list(spots.values())):
        yield f'<text x="{x:g}" y="{y:g}" {_direction(anchor, name)}>{escape_text(name)}</text>\n'
    look = 'font-size="18" font-weight="600" fill="#1b1f26"'
    yield f'</g>\n<text x="16" y="28" {look} {_direction("start", title)}>{title}</text>\n</svg>\n'


def _direction(anchor: str, text: str) -> str:
    """Return the attributes of a text anchored at its left end (``start``), middle or right, as it is read.

    A right-to-left text starts at its right end.
    """
    letter = next((letter for letter in text if letter.isalpha()), "")
    if unicodedata.bidirectional(letter or "a") not in {"R", "AL"}:
        return f'text-anchor="{anchor}"'
    other = {"start": "end", "end": "start"}.get(anchor, anchor)
    return f'direction="rtl" text-anchor="{other}"'


def _bare_graph(rows: Rows) -> Graph:
    """Return the nodes and edges to draw, with only texts and finite numbers as attributes."""
    import networkx  # noqa: PLC0415 - only this format, the page and the site need a graph

    def bare(attrs: Mapping[str, object]) -> dict[str, object]:
        texts = {name: text for name in _TEXTS if (text := text_of(attrs, name)) is not None}
        return texts | {name: value for name in _NUMBERS if _is_finite(value := attrs.get(name))}

    graph: Graph = networkx.MultiDiGraph()
    add: Any = graph  # its stubs know no keys
    for id_, node in rows.nodes():
        add.add_node(id_, **bare(node))
    ends = "edges e JOIN nodes s ON s.n = e.source JOIN nodes t ON t.n = e.target ORDER BY e.id"
    query = f"SELECT s.id, t.id, e.relation, e.weight FROM {ends}"  # noqa: S608 - constants
    for source, target, relation, weight in rows.store.rows(query):
        add.add_edge(rows.clean_id(source), rows.clean_id(target), relation, **bare({"weight": weight}))
    return graph


def _is_finite(value: object) -> bool:
    return type(value) in {int, float} and abs(cast("float", value)) < _FARTHEST


def _spots(graph: Graph, kinds: Kinds, *, everything: bool) -> dict[str, _Spot]:
    """Return the nodes to draw by id, with positions scaled to fit the picture in the same proportions."""
    found = lay_out(graph, saved_places(graph)) if len(graph) else {}
    start = {node for node, at in found.items() if "x_wide" in at}
    nodes = [node for node in graph if node in (found if everything or not start else start)]
    axes = ("x", "y") if everything or not start else ("x_wide", "y_wide")
    points = {node: (found[node][axes[0]], found[node][axes[1]]) for node in nodes}
    lefts, tops = [x for x, _ in points.values()] or [0.0], [y for _, y in points.values()] or [0.0]
    wide, high = max(lefts) - min(lefts) or 1.0, max(tops) - min(tops) or 1.0
    scale = min((_WIDTH - 2 * _MARGIN) / wide, (_HEIGHT - 2 * _MARGIN) / high, 4.0)
    left, top = (_WIDTH - scale * wide) / 2, (_HEIGHT - scale * high) / 2
    coloured = [] if everything or not start else start_areas(graph, found)
    areas = {str(area["name"]): str(area["light"]) for area in coloured}
    openings, spots = shared_openings(graph), {}
    for node, (x, y) in points.items():
        attrs = graph.nodes[node]
        kind = kinds[text_of(attrs, "kind") or ""]
        weight = min(max(attrs.get("rank", 0.0), 0.0), 1.0) * len(graph)
        spots[node] = _Spot(
            round(left + (x - min(lefts)) * scale, 1),
            round(top + (y - min(tops)) * scale, 1),
            round(3.0 + min(9.0, 1.3 * math.sqrt(weight)), 1),
            areas.get(text_of(attrs, "community") or "", colour(kind)),
            gexf_shape(kind),
            name_of(attrs, node),
            openings.get(node, 0),
            web_link(attrs.get("url")),
        )
    return spots


def _node_element(spot: _Spot) -> str:
    """Return the element of a node: a disc or a polygon with a tooltip, and a link if it has an address."""
    tooltip = f"<title>{escape_text(' '.join(spot.name.split()))}</title>"
    corners = _CORNERS.get(spot.shape)
    if corners:
        points = " ".join(f"{spot.x + dx * spot.radius:g},{spot.y + dy * spot.radius:g}" for dx, dy in corners)
        element = f'<polygon points="{points}" fill="{spot.fill}">{tooltip}</polygon>'
    else:
        element = f'<circle cx="{spot.x:g}" cy="{spot.y:g}" r="{spot.radius:g}" fill="{spot.fill}">{tooltip}</circle>'
    return f'<a href="{escape_attribute(spot.link)}">{element}</a>\n' if spot.link else f"{element}\n"


def _names(spots: list[_Spot]) -> Iterator[tuple[float, float, str, str]]:
    """Yield (x, y, anchor, name) of the names for which there is room, those of the weightiest nodes first.

    The positions tried are: right of the node, left of it, below and above.
    """
    grid: dict[tuple[int, int], list[Box]] = {}
    ranked = sorted(spots, key=lambda spot: (-spot.radius, spot.name, spot.x, spot.y))[:_MOST_NAMES]
    for spot in ranked:
        name = " ".join(spot.name[spot.opening :].split())
        name = name if len(name) <= _LONGEST else name[: _LONGEST - 1].rstrip() + "…"
        width, gap = _width(name), spot.radius + 3
        for anchor, x, y in (
            ("start", spot.x + gap, spot.y + _FONT / 3),
            ("end", spot.x - gap, spot.y + _FONT / 3),
            ("middle", spot.x, spot.y + gap + _FONT * 0.8),
            ("middle", spot.x, spot.y - gap),
        ):
            left = x - {"start": 0.0, "end": width, "middle": width / 2}[anchor]
            box = (left, y - _FONT, left + width, y + _FONT / 4)
            if _is_free(box, grid):
                for cell in _cells(box):
                    grid.setdefault(cell, []).append(box)
                yield round(x, 1), round(y, 1), anchor, name
                break


def _is_free(box: Box, grid: Mapping[tuple[int, int], list[Box]]) -> bool:
    left, top, right, bottom = box
    if left < 0 or right > _WIDTH or top < _MARGIN / 2 or bottom > _HEIGHT:
        return False
    others = (other for cell in _cells(box) for other in grid.get(cell, ()))
    return all(o[2] <= left or o[0] >= right or o[3] <= top or o[1] >= bottom for o in others)


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    left, top, right, bottom = (int(side // _CELL) for side in box)
    return ((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1))


def _width(name: str) -> float:
    """Return about how wide a name is in pixels. Letters of East Asia are as wide as high."""
    return sum(_FONT if unicodedata.east_asian_width(letter) in "WF" else _FONT * 0.56 for letter in name)
