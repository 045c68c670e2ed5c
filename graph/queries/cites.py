"""The episodes citing an artifact, with the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .days import newest_first
from .fields import record_of
from .resolve import Target, pages_titled, resolve_reference
from .view import through_changes
from .which import ALL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from podgraph.extractors import Index

    from ..attributes import Evidence, NodeAttributes
    from .view import Edge, View
    from .which import First, Which

CITING = frozenset(("cites", "mentions", "about", "listen_first", "see_also"))


class Citation(NamedTuple):
    """An episode (or post) with a mention of the node: the mentioned nodes, relations and evidence.

    ``reasons`` explain how a mention of another node, such as a file of a folder, leads to the node. ``role`` and
    ``affiliation`` are those of a person in the episode.
    """

    id: str
    attributes: NodeAttributes
    targets: tuple[str, ...]
    relations: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    boilerplate: bool = False
    reasons: tuple[str, ...] = ()
    role: str = ""
    affiliation: str = ""


class Cites(NamedTuple):
    """The node of a reference, and its citations; ``guessed``: the words are another name or a page's title.

    ``title`` and ``state`` (``open``, ``merged``, …) are those of the node, "" if unknown.
    """

    target: Target
    citations: First[Citation]
    guessed: bool
    title: str = ""
    state: str = ""

    @property
    def total(self) -> int:
        """The number of citing episodes and posts before a limit."""
        return self.citations.total

    def to_dict(self) -> dict[str, object]:
        """Return the answer with all fields of each episode, as JSON has it."""
        return {
            "query": self.target.query,
            "id": self.target.id,
            **{name: value for name, value in (("title", self.title), ("state", self.state)) if value},
            "found": bool(self.citations),
            "total": self.total,
            "episodes": [record_of(one, **_fields_of(one)) for one in self.citations],
        }


def _fields_of(citation: Citation) -> dict[str, object]:
    """Return the fields of a citation beside those of its episode; an empty one is left out after the first three."""
    fields: dict[str, object] = {
        "cites": citation.targets,
        "relations": citation.relations,
        "evidence": citation.evidence,
    }
    optional = {
        "boilerplate": citation.boilerplate,
        "reasons": citation.reasons,
        "role": citation.role,
        "affiliation": citation.affiliation,
    }
    return fields | {name: value for name, value in optional.items() if value}


def cites(
    query: str, view: View, repo: str = "", index: Callable[[], Index | None] = lambda: None, which: Which = ALL
) -> Cites:
    """Return the episodes and posts citing the node called ``query``, newest first, undated last.

    ``query`` is a reference for ``resolve_reference``, or the title of a documentation page. ``index`` returns the
    names and titles of a subject, and is called only for a name missing in the graph. ``which`` selects
    episodes.
    """
    target = resolve_reference(query, view, repo)
    guessed = " " in query.strip() and not _is_called(target, query, view)
    names = index() if guessed else None
    pages = pages_titled(query, view, names) if names is not None else ()
    if pages:
        target = Target(query, pages[0], pages)
    node = view.node(target.id) or {}
    citations = which.of(citing(target, view), view)
    return Cites(target, citations, guessed and bool(target.nodes), node.get("title", ""), node.get("state", ""))


def citing(target: Target, view: View) -> list[Citation]:
    """Return the episodes and posts citing or mentioning ``target``, newest first, undated last.

    After them come those citing a change of one of its files, then those with ``target`` as boilerplate.
    """
    found: dict[str, list[Edge]] = {}
    through: dict[str, dict[str, tuple[Edge, str]]] = {}
    for id_ in target.nodes:
        for edge in view.edges_to(id_, *CITING):
            found.setdefault(edge.source, []).append(edge)
        for edge, reason in through_changes(id_, view):
            through.setdefault(edge.source, {}).setdefault(edge.target, (edge, reason))
    citations = [_citation(episode, edges, view) for episode, edges in found.items()]
    for episode, ways in through.items():
        if episode not in found:
            edges, reasons = zip(*ways.values(), strict=True)
            citations.append(_citation(episode, edges, view, reasons))
    return sorted(newest_first(citations, view), key=lambda one: (one.boilerplate, bool(one.reasons)))


def cited_inside(id_: str, view: View) -> int:
    """Return the number of episodes citing or mentioning an artifact in a repository; 0 for other nodes."""
    if (view.node(id_) or {}).get("kind") != "repo":
        return 0
    things = [edge.source for edge in view.edges_to(id_, "in_repo")]
    edges = (edge for thing in things for edge in view.edges_to(thing, *CITING))
    episodes = {edge.source for edge in edges if not edge.attributes.get("boilerplate")}
    return sum((view.node(episode) or {}).get("kind") == "episode" for episode in episodes)


def _citation(episode: str, edges: Sequence[Edge], view: View, reasons: Iterable[str] = ()) -> Citation:
    """Join the edges from an episode into one citation. It is boilerplate only if all of them are."""
    return Citation(
        episode,
        view.node(episode) or {},
        tuple(dict.fromkeys(edge.target for edge in edges)),
        tuple(dict.fromkeys(edge.relation for edge in edges)),
        tuple(item for edge in edges for item in edge.attributes.get("evidence", ())),
        all(edge.attributes.get("boilerplate") for edge in edges),
        tuple(dict.fromkeys(reasons)),
        next((edge.attributes["role"] for edge in edges if "role" in edge.attributes), ""),
        next((edge.attributes["affiliation"] for edge in edges if "affiliation" in edge.attributes), ""),
    )


def _is_called(target: Target, words: str, view: View) -> bool:
    """Return whether a reference is an id or an address, or a node's whole name rather than another name of it."""
    if not target.nodes:
        return not target.is_words
    node = view.node(target.id) or {}
    return node.get("kind") != "topic" or node.get("label", "").casefold() == " ".join(words.casefold().split())
