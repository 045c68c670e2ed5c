"""Which episodes cite something, with the proof."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .by_date import newest_first
from .fields import Telling, record_of
from .resolve import Target, pages_titled, resolve_reference

if TYPE_CHECKING:
    from collections.abc import Callable

    from podgraph.extractors import Index

    from ..attributes import Evidence, NodeAttributes
    from .fields import FieldNames
    from .view import Edge, View

CITING = frozenset(("cites", "mentions", "about", "listen_first", "see_also"))


class Citation(NamedTuple):
    """An episode (or post) that names something: what it names, by which relation, the proof; whether as furniture."""

    id: str
    attributes: NodeAttributes
    targets: tuple[str, ...]
    relations: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    furniture: bool = False


class Cites(NamedTuple):
    """What a reference was taken for, and who cites it; ``guessed``: the words are another name or a page's title."""

    target: Target
    citations: tuple[Citation, ...]
    guessed: bool

    def to_dict(self, fields: FieldNames = "") -> dict[str, object]:
        """Return what ``podgraph cites --json`` prints; ``fields`` are those of each episode."""
        tell = Telling("cites", fields)
        return {
            "query": self.target.query,
            "id": self.target.id,
            "found": bool(self.citations),
            "episodes": [
                tell(
                    record_of(
                        one,
                        cites=one.targets,
                        relations=one.relations,
                        evidence=one.evidence,
                        **({"furniture": True} if one.furniture else {}),
                    )
                )
                for one in self.citations
            ],
        }


def cites(
    query: str, view: View, repo: str = "", index: Callable[[], Index | None] = lambda: None, limit: int = 0
) -> Cites:
    """Return which episodes and posts cite what ``query`` names, newest first, undated last.

    ``query`` is what ``resolve_reference`` takes, or the title of a page of documentation. ``index`` gives the names
    and titles of a subject; it is called only for words that nothing in the graph is called. ``limit`` (0: none) keeps
    so many.
    """
    target = resolve_reference(query, view, repo)
    guessed = " " in query.strip() and not _is_called(target, query, view)
    if guessed and (names := index()) is not None and (pages := pages_titled(query, view, names)):
        target = Target(query, pages[0], pages)
    return Cites(target, tuple(citing(target, view)[: limit or None]), guessed and bool(target.nodes))


def citing(target: Target, view: View) -> list[Citation]:
    """Return the episodes and posts that cite or name what ``target`` stands for, newest first, undated last.

    Those that say it as furniture, as nearly every episode of their show does, come behind all others.
    """
    found: dict[str, list[Edge]] = {}
    for id_ in target.nodes:
        for edge in view.edges_to(id_):
            if edge.relation in CITING:
                found.setdefault(edge.source, []).append(edge)
    citations = [
        Citation(
            episode,
            view.node(episode) or {},
            tuple(dict.fromkeys(edge.target for edge in edges)),
            tuple(dict.fromkeys(edge.relation for edge in edges)),
            tuple(item for edge in edges for item in edge.attributes.get("evidence", ())),
            all(edge.attributes.get("furniture") for edge in edges),
        )
        for episode, edges in found.items()
    ]
    return sorted(newest_first(citations, view), key=lambda one: one.furniture)


def _is_called(target: Target, words: str, view: View) -> bool:
    """Tell whether a reference is an id or an address, or a node's whole name rather than another name of it."""
    if not target.nodes:
        return not target.is_words
    node = view.node(target.id) or {}
    return node.get("kind") != "topic" or node.get("label", "").casefold() == " ".join(words.casefold().split())
