"""The episodes citing an artifact, with the evidence."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ..store import title_of
from .answer import Answer, Row, build_row
from .days import newest_first
from .resolve import Target, default_repo, is_path, name_like, pages_titled, resolve_reference
from .view import through_changes
from .which import ALL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from podgraph.extractors import Index

    from ..attributes import Evidence, NodeAttributes
    from ..store import Edge
    from .view import View
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


def find_citations(
    view: View,
    references: Sequence[str],
    *,
    repo: str = "",
    index: Callable[[], Index | None] = lambda: None,
    which: Which = ALL,
) -> Answer:
    """Answer with the episodes and posts that cite some references, one reference after the other; see ``cites``."""
    found = [cites(reference, view, repo, index, which) for reference in references]
    has_several = len(found) > 1
    rows, notes = [], []
    for one in found:
        if one.guessed:
            notes.append(f"took {one.target.query!r} for {', '.join(one.target.nodes)}")
        if not one.citations:
            notes.append(_explain_nothing(one.target, view, repo, is_alone=not has_several))
        query = one.target.id if has_several else ""
        rows += [_build_citation_row(citation, query) for citation in one.citations]
    total = sum(one.total for one in found)
    columns = (*(("query",) if has_several else ()), "date", "title", "evidence", "url")
    target = found[0].target if len(found) == 1 else None
    heading = _describe(found[0], view) if target and rows else ""
    return Answer(
        "cites", " ".join(references), columns, tuple(rows), total, heading, target.id if target else "", tuple(notes)
    )


def _build_citation_row(citation: Citation, query: str) -> Row:
    return build_row(
        citation.id,
        citation.attributes,
        query=query,
        cites=list(citation.targets),
        relations=list(citation.relations),
        evidence=list(citation.evidence),
        reasons=list(citation.reasons),
        boilerplate=citation.boilerplate or None,
        role=citation.role,
        affiliation=citation.affiliation,
    )


def _describe(found: Cites, view: View) -> str:
    """Return the heading of an answer: the label and kind of the target, and how many episodes and posts cite it."""
    target = found.target
    node = view.node(target.id)
    counts = Counter(one.attributes.get("kind", "") for one in found.citations.whole)
    names = [f"{n} {view.kinds[kind].singular if n == 1 else view.kinds[kind].plural}" for kind, n in counts.items()]
    citing = " and ".join(sorted(names, key=lambda name: name.partition(" ")[2]))
    if node is None:
        return f"{target.id} is cited by {citing}:"
    name = title_of(node, target.id)
    number = f"#{node.get('number')}"
    is_clear = number in name or not target.id.startswith("github:") or "number" not in node
    reference = "" if is_clear else f" {target.id.removeprefix('github:')}"
    state = f", {node['state']}" if "state" in node else ""
    more = f", and {len(target.nodes) - 1} things in it" if len(target.nodes) > 1 else ""
    kind = view.kinds[node.get("kind", "")].singular
    is_cited = any("cites" in one.relations for one in found.citations.whole if not one.reasons)
    return f"{name} ({kind}{reference}{state}{more}) is {'cited' if is_cited else 'named'} by {citing}:"


def _explain_nothing(target: Target, view: View, repo: str, *, is_alone: bool) -> str:
    """Return why nothing cites a target, with the best next step.

    In this order: a similar name, the content of a repository, the option ``--repo``, the episodes near a file.
    """
    if target.is_words:
        meant = name_like(target.query, view) if is_alone else ""
        remedy = meant or "`podgraph search` finds by words"
        return f"nothing is called {target.id!r}: no topic, symbol, label or title of a page; {remedy}"
    written = f" ({target.query})" if target.query != target.id else ""
    if count := cited_inside(target.id, view):
        listing = f"`podgraph list episodes --repo {target.id.partition(':')[2]}`"
        return f"nothing cites {target.id} itself{written}; {count} episodes cite what lies in it: {listing}"
    home = f"github:{repo or default_repo(view)}".lower()
    if target.id.startswith((f"{home}#", f"{home}:")) and home[7:] not in target.query.lower() and not view.node(home):
        return f"nothing cites {target.query!r}: no repository in the graph has it; give owner/repo, or --repo"
    if is_path(target.id):
        return f"nothing cites {target.id}{written}; `podgraph explain {target.query}` finds the episodes nearest to it"
    meant = name_like(target.query, view) if is_alone and not target.nodes else ""
    return f"nothing cites {target.id}{written}; {meant or '`podgraph search` finds by words'}"
