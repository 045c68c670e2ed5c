"""What of a graph is cited in papers: episodes, papers, posts and videos, as plain facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .days import day_of
from .flatten import clean_text
from .plain import node_ids
from .slug import slug
from .weblink import web_link

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from .plain import Graph

KINDS = ("episode", "paper", "blog", "video")


@dataclass(frozen=True, slots=True)
class Reference:
    """A thing to cite. ``key`` is stable; what is not known is empty, or ``None``."""

    key: str
    kind: str
    title: str
    url: str
    date: date | None
    author: str
    series: str
    number: int | None
    doi: str
    arxiv: str


def find_references(graph: Graph) -> Iterator[Reference]:
    """Yield the references of ``graph``, sorted by id.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("paper:arxiv/1905.12322", kind="paper", label="arXiv 1905.12322")
    >>> [(found.kind, found.arxiv) for found in find_references(graph)]
    [('paper', '1905.12322')]
    """
    ids = node_ids(graph, clean_text)
    for node, name in ids.items():
        attrs = graph.nodes[node]
        kind = attrs.get("kind")
        if kind not in KINDS:
            continue
        number = attrs.get("number")
        yield Reference(
            key=slug(name),
            kind=kind,
            title=_text(attrs, "title") or _text(attrs, "label") or name,
            url=web_link(attrs.get("url")),
            date=day_of(attrs.get("date")),
            author=_text(attrs, "author"),
            series=_series(graph, node) if kind == "episode" else "",
            number=number if kind == "episode" and type(number) is int else None,
            doi=name.removeprefix("paper:doi/") if name.startswith("paper:doi/") else "",
            arxiv=name.removeprefix("paper:arxiv/") if name.startswith("paper:arxiv/") else "",
        )


def _series(graph: Graph, node: object) -> str:
    """Return the name of the podcast that an episode is part of."""
    for other in sorted(graph.adj[node], key=str):
        if "part_of" in graph.adj[node][other]:
            return _text(graph.nodes[other], "title") or _text(graph.nodes[other], "label")
    return ""


def _text(attrs: dict[str, object], name: str) -> str:
    value = attrs.get(name)
    return " ".join(clean_text(value).split()) if isinstance(value, str) else ""
