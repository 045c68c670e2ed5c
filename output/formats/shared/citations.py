"""Citations as rows, one for each piece of evidence, the same in every tabular format."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from .days import day_of
from .flatten import clean_text
from .plain import edges_in_order, node_ids
from .weblink import web_link

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from .plain import Graph

_DECIMAL = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")  # seconds, as evidence has them
_CITING = ("cites", "mentions", "about")


class Citation(NamedTuple):
    """One piece of evidence: an episode (or post) mentions an artifact.

    ``moment`` is in seconds from the beginning, ``link`` the address as found, else the artifact's address. Unknown
    values are ``None``.
    """

    episode: str
    thing: str
    kind: str
    quote: str | None
    moment: float | None
    link: str | None
    relation: str
    date: date | None
    method: str | None
    confidence: float | None
    field: str | None
    start: int | None
    end: int | None
    episode_id: str
    thing_id: str


def citations(graph: Graph) -> Iterator[Citation]:
    """Yield a row for each piece of evidence of ``graph``, by episode, thing and place in the text.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("episode:a/b", kind="episode", title="Views")
    >>> graph.add_node("docs:a/x", kind="docs", label="x", url="https://a.org/x")
    >>> _ = graph.add_edge("episode:a/b", "docs:a/x", "cites", evidence=[{"quote": "see x", "time": "65"}])
    >>> next(citations(graph))[:6]
    ('Views', 'x', 'docs', 'see x', 65.0, 'https://a.org/x')
    """
    ids = node_ids(graph, clean_text)
    nodes = {name: graph.nodes[node] for node, name in ids.items()}
    names = {name: name_of(attrs, name) for name, attrs in nodes.items()}
    kinds = {name: text_of(attrs, "kind") or "" for name, attrs in nodes.items()}
    for source, target, relation, attrs in edges_in_order(graph, ids, clean_text):
        found = attrs.get("evidence")
        said = [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []
        if not said and relation in _CITING:
            said = [{}]
        for item in said:
            yield Citation(
                names[source], names[target], kinds[target],
                quote=text_of(item, "quote"), moment=seconds(item.get("time")),
                link=web_link(text_of(item, "url")) or web_link(nodes[target].get("url")) or None,
                relation=relation, date=day_of(nodes[source].get("date")), method=text_of(item, "method"),
                confidence=_number(item.get("confidence")), field=text_of(item, "field"), start=_place(item, "start"),
                end=_place(item, "end"), episode_id=source, thing_id=target,
            )  # fmt: skip


def name_of(attrs: Mapping[str, object], id_: str) -> str:
    """Return the name of a node for readers: its title, else its label, else its id."""
    return text_of(attrs, "title") or text_of(attrs, "label") or id_


def graph_title(graph: Graph) -> str:
    """Return the names of the podcasts of a graph, sorted, as a title; another one without podcasts."""
    nodes = graph.nodes(data=True)
    podcasts = sorted(name_of(attrs, str(node)) for node, attrs in nodes if text_of(attrs, "kind") == "podcast")
    return ", ".join(podcasts) or "Episodes and what they cite"


def text_of(attrs: Mapping[str, object], name: str) -> str | None:
    """Return a text attribute, limited to characters valid in every format; ``None`` for other types."""
    value = attrs.get(name)
    return clean_text(value) if isinstance(value, str) else None


def seconds(value: object) -> float | None:
    """Return a moment in seconds, from a number or a numeric text; ``None`` for other values.

    >>> seconds(90), seconds("90.5"), seconds("soon")
    (90.0, 90.5, None)
    """
    return float(value) if isinstance(value, str) and _DECIMAL.fullmatch(value) else _number(value)


def _number(value: object) -> float | None:
    fits = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e15
    return float(value) if fits and isinstance(value, (int, float)) and math.isfinite(value) else None


def _place(item: Mapping[str, object], name: str) -> int | None:
    value = item.get(name)
    return value if type(value) is int and abs(value) < 1 << 53 else None
