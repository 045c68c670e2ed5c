"""The episodes citing an artifact, with the evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from ..store import Edge, title_of
from .answer import Answer, Row, build_row
from .days import ALL, Which, newest_first
from .resolve import Target, default_repo, is_path, name_like, pages_titled, resolve_reference
from .view import CITING, View, in_list, through_changes

if TYPE_CHECKING:
    from podgraph.extractors import Index


def find_citations(
    view: View,
    references: Sequence[str],
    *,
    repo: str = "",
    index: Callable[[], Index | None] = lambda: None,
    which: Which = ALL,
) -> Answer:
    """Answer with the episodes and posts that cite some references, one reference after the other, newest first.

    A reference is one for ``resolve_reference``, or the title of a documentation page. ``index`` returns the names and
    titles of a subject; it is called only for a name missing in the graph. ``which`` selects episodes.
    """
    rows: list[Row] = []
    notes = []
    total = 0
    heading = id_ = ""
    has_several = len(references) > 1
    for reference in references:
        target, is_guess = _resolve(reference, view, repo, index)
        all_rows, count = which._replace(limit=0).of(_list_citing(target, view), view)
        target_rows = all_rows[: which.limit or None]
        if is_guess and target.nodes:
            notes.append(f"took {reference!r} for {', '.join(target.nodes)}")
        if not target_rows:
            notes.append(_explain_nothing(target, view, repo, is_alone=not has_several))
        for row in target_rows if has_several else ():
            row["query"] = target.id
        if not has_several:
            id_ = target.id
            heading = _describe(target, all_rows, view) if target_rows else ""
        rows += target_rows
        total += count
    columns = (*(("query",) if has_several else ()), "date", "title", "evidence", "url")
    return Answer("cites", " ".join(references), columns, tuple(rows), total, heading, id_, tuple(notes))


def _resolve(query: str, view: View, repo: str, index: Callable[[], Index | None]) -> tuple[Target, bool]:
    """Return the target of a reference, and whether the words are another name of it, or the title of a page."""
    target = resolve_reference(query, view, repo)
    node = view.node(target.id) or {}
    words = " ".join(query.casefold().split())
    if " " not in words or (not target.nodes and not target.is_words):
        return target, False
    if target.nodes and (node.get("kind") != "topic" or node.get("label", "").casefold() == words):
        return target, False
    names = index()
    pages = pages_titled(query, view, names) if names is not None else ()
    return Target(query, pages[0], pages) if pages else target, True


def _list_citing(target: Target, view: View) -> list[Row]:
    """Return a row for each episode and post citing or mentioning ``target``, newest first, undated last.

    After them come those citing a change of one of its files, then those with ``target`` as boilerplate.
    """
    ways: dict[str, dict[tuple[str, ...], tuple[Edge, str]]] = {}  # episode -> its edges, each with a reason or ""
    for id_ in target.nodes:
        for edge in view.edges_to(id_, *CITING):
            ways.setdefault(edge.source, {})[edge[:3]] = edge, ""
    direct_sources = {*ways}
    for id_ in target.nodes:
        for edge, reason in through_changes(id_, view):
            if edge.source not in direct_sources:
                ways.setdefault(edge.source, {}).setdefault(edge[:3], (edge, reason))
    rows = [_build_citation(episode, edges.values(), view) for episode, edges in ways.items()]
    return sorted(newest_first(rows, view), key=lambda row: (bool(row.boilerplate), bool(row.reasons)))


def _build_citation(episode: str, ways: Iterable[tuple[Edge, str]], view: View) -> Row:
    """Join the edges from an episode into one row. It is boilerplate only if all of them are."""
    edges, reasons = zip(*ways, strict=True)
    attributes = [edge.attributes for edge in edges]
    return build_row(
        episode,
        view.node(episode) or {},
        cites=list(dict.fromkeys(edge.target for edge in edges)),
        relations=list(dict.fromkeys(edge.relation for edge in edges)),
        evidence=[item for edge in attributes for item in edge.get("evidence", ())],
        reasons=list(dict.fromkeys(filter(None, reasons))),
        boilerplate=all(edge.get("boilerplate") for edge in attributes) or None,
        role=next((edge["role"] for edge in attributes if "role" in edge), ""),
        affiliation=next((edge["affiliation"] for edge in attributes if "affiliation" in edge), ""),
    )


def _describe(target: Target, citations: Sequence[Row], view: View) -> str:
    """Return the heading of an answer: the label and kind of the target, and how many episodes and posts cite it."""
    node = view.node(target.id)
    counts = Counter(row.kind or "" for row in citations)
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
    is_cited = any("cites" in row.relations for row in citations if not row.reasons)
    return f"{name} ({kind}{reference}{state}{more}) is {'cited' if is_cited else 'named'} by {citing}:"


def _explain_nothing(target: Target, view: View, repo: str, *, is_alone: bool) -> str:
    """Return why nothing cites a target, with the best next step.

    In this order: a similar name, the content of a repository, the option ``--repo``, the episodes near a file.
    """
    spelling = f" ({target.query})" if target.query != target.id else ""
    count = view.value(
        "SELECT count(DISTINCT source) FROM edges JOIN nodes ON n = source WHERE kind = 'episode' "  # noqa: S608 - constants
        f"AND boilerplate IS NULL AND relation IN {in_list(CITING)} AND target IN (SELECT source FROM edges "
        "WHERE relation = 'in_repo' AND target = (SELECT n FROM nodes WHERE id = ? AND kind = 'repo'))",
        (target.id,),
    )
    if count:
        listing = f"`podgraph list episodes --repo {target.id.partition(':')[2]}`"
        return f"nothing cites {target.id} itself{spelling}; {count} episodes cite something in it: {listing}"
    home = f"github:{repo or default_repo(view)}".lower()
    if target.id.startswith((f"{home}#", f"{home}:")) and home[7:] not in target.query.lower() and not view.node(home):
        return f"nothing cites {target.query!r}: no repository in the graph has it; give owner/repo, or --repo"
    if is_path(target.id):
        remedy = f"`podgraph explain {target.query}` finds the episodes nearest to it"
    else:
        similar = name_like(target.query, view) if is_alone and not target.nodes else ""
        remedy = similar or "`podgraph search` finds by words"
    if target.is_words:
        return f"nothing is called {target.id!r}: no topic, symbol, label or title of a page; {remedy}"
    return f"nothing cites {target.id}{spelling}; {remedy}"
