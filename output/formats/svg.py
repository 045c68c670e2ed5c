"""A picture of the map, for READMEs and slides: positions and colours as on the page, with as many names as fit.

It shows the atlas (the episodes by relatedness), or with an option all nodes. Names are beside their nodes, those of
the largest nodes first, where they cover no other name; the others are only in the tooltips. Rules:
https://www.w3.org/TR/SVG2/.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator
from typing import Any

from podgraph.graph import FAMILIES, PLACES, Graph, find_openings, lay_out, saved_places

from ..page.content import list_areas
from .rows import Rows, find_name, get_text, get_weight
from .shared.texts import escape_attribute, escape_text, to_web_link

_WIDTH, _HEIGHT, _MARGIN = 1000.0, 800.0, 60.0  # units of the picture
_FONT = 11.0  # the size of the letters
_MAXIMUM_NAMES = 400


def to_svg(rows: Rows, *, everything: bool = False) -> Iterator[str]:
    """Yield the parts of a picture of a graph: its atlas, or with ``everything`` (or without an atlas) all nodes.

    The atlas shows the episodes by relatedness. If only a part of the nodes is drawn, the only lines are those between
    related episodes.

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label="vmap", x=0, y=0)
    >>> print("".join(to_svg(Rows(graph))).splitlines()[1])
    <title>Episodes and what they cite</title>
    """
    graph = _build_bare_graph(rows)
    places = lay_out(graph, saved_places(graph)) if len(graph) else {}
    is_atlas = not everything and any("x_wide" in place for place in places.values())
    axes = ("x_wide", "y_wide") if is_atlas else ("x", "y")
    points = _convert_points({node: (at[axes[0]], at[axes[1]]) for node, at in places.items() if axes[0] in at})
    colours = {str(area["name"]): str(area["light"]) for area in (list_areas(graph, places) if is_atlas else ())}
    podcasts = sorted(find_name(node, id_) for id_, node in graph.nodes(data=True) if node.get("kind") == "podcast")
    title = escape_text((", ".join(podcasts) or "Episodes and what they cite")[:120])
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img"'
    yield f' font-family="system-ui, sans-serif" font-size="{_FONT:g}">\n<title>{title}</title>\n'
    yield "<!-- podgraph -->\n"
    yield '<rect width="100%" height="100%" fill="#ffffff"/>\n<g stroke="#8a8f98" stroke-width="0.7" opacity="0.45">\n'
    for source, target, relation in graph.edges(keys=True):
        if source in points and target in points and (relation == "related" or len(points) == len(graph)):
            (x1, y1), (x2, y2) = points[source], points[target]
            yield f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>\n'
    yield '</g>\n<g stroke="#ffffff" stroke-width="1">\n'
    radii = {}
    for node, (x, y) in points.items():
        data = graph.nodes[node]
        rank = min(max(data.get("rank", 0.0), 0.0), 1.0) * len(graph)  # 1 for a node of average importance
        radius = radii[node] = round(3.0 + min(9.0, 1.3 * math.sqrt(rank)), 1)
        fill = colours.get(data.get("community", ""), FAMILIES[rows.store.kinds[data.get("kind", "")].family].light)
        tooltip = f"<title>{escape_text(' '.join(find_name(data, node).split()))}</title>"
        element = f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}">{tooltip}</circle>'
        link = escape_attribute(to_web_link(data.get("url")))
        yield f'<a href="{link}">{element}</a>\n' if link else f"{element}\n"
    yield '</g>\n<g fill="#1b1f26" stroke="#ffffff" stroke-width="3" paint-order="stroke">\n'
    yield from _place_names(graph, points, radii)
    look = 'font-size="18" font-weight="600" fill="#1b1f26"'
    yield f'</g>\n<text x="16" y="28" {look} {_format_direction("start", title)}>{title}</text>\n</svg>\n'


def _build_bare_graph(rows: Rows) -> Graph:
    """Return a copy of the graph of ``rows`` with the attributes for drawing only: texts and finite numbers."""
    import networkx  # noqa: PLC0415 - only this format, the page and the site need a graph

    graph: Any = networkx.MultiDiGraph()
    for id_, node in rows.nodes():
        graph.add_node(id_)
        for name in ("kind", "title", "label", "url", "community", "podcast", "date", "rank", "number", *PLACES):
            value: Any = node.get(name)
            if isinstance(value, str) or (type(value) in {int, float} and abs(value) < 1e9):
                graph.nodes[id_][name] = get_text(node, name) or value
    for source, target, relation, edge in rows.edges():
        graph.add_edge(source, target, relation, weight=get_weight(edge))
    whole: Graph = graph
    return whole


def _convert_points(points: dict[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """Return {node: (x, y)} in units of the picture, for ``points`` in pixels of the page.

    They are scaled to fit the picture, in the same proportions; a small map is enlarged at most to four times its size.
    """
    lefts, tops = [x for x, _ in points.values()] or [0.0], [y for _, y in points.values()] or [0.0]
    wide, high = max(lefts) - min(lefts) or 1.0, max(tops) - min(tops) or 1.0
    scale = min((_WIDTH - 2 * _MARGIN) / wide, (_HEIGHT - 2 * _MARGIN) / high, 4.0)
    dx, dy = (_WIDTH - scale * wide) / 2 - scale * min(lefts), (_HEIGHT - scale * high) / 2 - scale * min(tops)
    return {node: (round(dx + scale * x, 1), round(dy + scale * y, 1)) for node, (x, y) in points.items()}


def _place_names(graph: Graph, points: dict[str, tuple[float, float]], radii: dict[str, float]) -> Iterator[str]:
    """Yield a text element for each name for which there is room, those of the largest nodes first.

    ``points`` are the nodes' positions, ``radii`` their sizes. The positions tried for a name are: right of the node,
    left of it, below and above.
    """
    boxes: list[tuple[float, float, float, float]] = []  # left, top, right, bottom
    openings = find_openings(graph)  # node -> length of the opening that most titles of its show share
    for node in sorted(points, key=lambda node: (-radii[node], find_name(graph.nodes[node], node)))[:_MAXIMUM_NAMES]:
        name = " ".join(find_name(graph.nodes[node], node)[openings.get(node, 0) :].split())
        name = name if len(name) <= 44 else f"{name[:43].rstrip()}…"
        # Letters of East Asia are as wide as high.
        width = sum(_FONT * (1 if unicodedata.east_asian_width(letter) in "WF" else 0.56) for letter in name)
        (x, y), gap = points[node], radii[node] + 3
        middle, below = y + _FONT / 3, y + gap + _FONT * 0.8
        places = (("start", x + gap, middle), ("end", x - gap, middle), ("middle", x, below), ("middle", x, y - gap))
        for anchor, at, base in places:  # at: the x of the anchor; base: the y of the base line
            start = at - {"start": 0.0, "end": width, "middle": width / 2}[anchor]
            box = (start, base - _FONT, start + width, base + _FONT / 4)
            is_inside = box[0] >= 0 and box[2] <= _WIDTH and box[1] >= _MARGIN / 2 and box[3] <= _HEIGHT
            if is_inside and all(
                box[0] >= other[2] or other[0] >= box[2] or box[1] >= other[3] or other[1] >= box[3] for other in boxes
            ):
                boxes.append(box)
                place = f'x="{round(at, 1):g}" y="{round(base, 1):g}" {_format_direction(anchor, name)}'
                yield f"<text {place}>{escape_text(name)}</text>\n"
                break


def _format_direction(anchor: str, text: str) -> str:
    """Return the attributes of a text element in SVG for its anchor and its writing direction.

    ``anchor`` is the part of the text at its position: its left end (``start``), its ``middle`` or its right end
    (``end``). In SVG, a right-to-left text starts at its right end, so its anchor is exchanged.
    """
    letter = next((letter for letter in text if letter.isalpha()), "a")
    if unicodedata.bidirectional(letter) not in {"R", "AL"}:
        return f'text-anchor="{anchor}"'
    other = {"start": "end", "end": "start"}.get(anchor, anchor)
    return f'direction="rtl" text-anchor="{other}"'
