"""The question ``cites``: the episodes and posts citing an artifact, with the evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from ..store import Edge, title_of
from .answer import Answer, Row, build_row
from .days import ALL, Selection, newest_first
from .resolve import Target, default_repo, find_pages_titled, is_path, resolve_reference, suggest_name
from .view import CITING, View, find_citing_changes, in_list

if TYPE_CHECKING:
    from podgraph.extractors import Index


def find_citations(
    view: View,
    references: Sequence[str],
    *,
    repo: str = "",
    index: Callable[[], Index | None] = lambda: None,
    selection: Selection = ALL,
) -> Answer:
    """Answer with the episodes and posts that cite or mention each of ``references``, newest first.

    A reference is an address, a name or a path (``resolve_reference``), or the title of a documentation page. The rows
    of the first reference come first. ``repo`` is the repository of bare numbers and paths ("": the graph's own).
    ``index`` returns a subject's names and titles; it is called only for a name missing in the graph. ``selection``
    limits the episodes of each reference. A reference without citations becomes a note. Raises ``QueryError`` for an
    empty or ambiguous reference.
    """
    rows: list[Row] = []
    notes = []
    total = 0
    heading = id_ = ""
    has_several = len(references) > 1
    for reference in references:
        target, is_guess = _resolve_or_guess(reference, view, repo, index)
        # The limit comes later: the heading counts all rows.
        all_rows, count = selection._replace(limit=0).select(_list_citing_sources(target, view), view)
        target_rows = all_rows[: selection.limit or None]
        if is_guess and target.nodes:
            notes.append(f"took {reference!r} for {', '.join(target.nodes)}")
        if not target_rows:
            notes.append(_explain_absence(target, view, repo, is_alone=not has_several))
        for row in target_rows if has_several else ():
            row["query"] = target.id
        if not has_several:
            id_ = target.id
            heading = _make_heading(target, all_rows, view) if target_rows else ""
        rows += target_rows
        total += count
    columns = (*(("query",) if has_several else ()), "date", "title", "evidence", "url")
    return Answer("cites", " ".join(references), columns, tuple(rows), total, heading, id_, tuple(notes))


def _resolve_or_guess(query: str, view: View, repo: str, index: Callable[[], Index | None]) -> tuple[Target, bool]:
    """Return the node or nodes that a reference means, and whether that is a guess.

    Several words are a guess, unless they are the label of a topic: they may be another name of a topic, or the title
    of a documentation page. The parameters are those of ``find_citations``; ``query`` is one reference.
    """
    target = resolve_reference(query, view, repo)
    node = view.node(target.id) or {}
    words = " ".join(query.casefold().split())
    if " " not in words or (not target.nodes and not target.is_words):  # one word, or an absent address
        return target, False
    if target.nodes and (node.get("kind") != "topic" or node.get("label", "").casefold() == words):
        return target, False
    names = index()
    pages = find_pages_titled(query, view, names) if names is not None else ()
    return Target(query, pages[0], pages) if pages else target, True


def _list_citing_sources(target: Target, view: View) -> list[Row]:
    """Return a row for each episode and post citing or mentioning ``target``, newest first, undated last.

    After these rows come those of episodes that cite only a change of one of its files, then those of episodes that
    cite it only by boilerplate, a link that the show repeats in its notes.
    """
    # episode -> (source, target, relation) -> the edge, and the reason if it cites only a change of the target
    ways: dict[str, dict[tuple[str, ...], tuple[Edge, str]]] = {}
    for id_ in target.nodes:
        for edge in view.edges_to(id_, *CITING):
            ways.setdefault(edge.source, {})[edge[:3]] = edge, ""  # [:3]: source, target, relation
    direct_sources = {*ways}
    for id_ in target.nodes:
        for edge, reason in find_citing_changes(id_, view):
            if edge.source not in direct_sources:
                ways.setdefault(edge.source, {}).setdefault(edge[:3], (edge, reason))
    rows = [_build_citation(episode, edges.values(), view) for episode, edges in ways.items()]
    return sorted(newest_first(rows, view), key=lambda row: (bool(row.boilerplate), bool(row.reasons)))


def _build_citation(episode: str, ways: Iterable[tuple[Edge, str]], view: View) -> Row:
    """Return the row of an episode (a node id) with the evidence and reasons of all its edges to the target.

    ``ways`` are (edge, reason); the reason is "" where the edge cites the target itself. The row is marked as
    boilerplate only if all its edges are.
    """
    edges, reasons = zip(*ways, strict=True)
    attributes = [edge.attributes for edge in edges]
    return build_row(
        episode,
        view.node(episode) or {},
        cites=list(dict.fromkeys(edge.target for edge in edges)),
        relations=list(dict.fromkeys(edge.relation for edge in edges)),
        evidence=[item for edge in attributes for item in edge.get("evidence", ())],
        reasons=list(dict.fromkeys(filter(None, reasons))),
        boilerplate=all(edge.get("boilerplate") for edge in attributes) or None,  # None is left out of the row
        role=next((edge["role"] for edge in attributes if "role" in edge), ""),
        affiliation=next((edge["affiliation"] for edge in attributes if "affiliation" in edge), ""),
    )


def _make_heading(target: Target, citations: Sequence[Row], view: View) -> str:
    """Return the heading of an answer: the target's name and kind, and how many episodes and posts cite it.

    For example, "Add vmap (pull request, merged) is cited by 2 episodes:". ``citations`` are the rows of the answer.
    """
    node = view.node(target.id)
    counts = Counter(row.kind or "" for row in citations)
    names = [f"{n} {view.kinds[kind].singular if n == 1 else view.kinds[kind].plural}" for kind, n in counts.items()]
    citing = " and ".join(sorted(names, key=lambda name: name.partition(" ")[2]))
    if node is None:
        return f"{target.id} is cited by {citing}:"
    name = title_of(node, target.id)
    number = f"#{node.get('number')}"
    has_reference = number in name or not target.id.startswith("github:") or "number" not in node
    reference = "" if has_reference else f" {target.id.removeprefix('github:')}"
    state = f", {node['state']}" if "state" in node else ""
    more = f", and {len(target.nodes) - 1} things in it" if len(target.nodes) > 1 else ""
    kind = view.kinds[node.get("kind", "")].singular
    is_cited = any("cites" in row.relations for row in citations if not row.reasons)
    return f"{name} ({kind}{reference}{state}{more}) is {'cited' if is_cited else 'named'} by {citing}:"


def _explain_absence(target: Target, view: View, repo: str, *, is_alone: bool) -> str:
    """Return the note for a target without citations: what is missing, and the best next step for the user.

    The first of these that applies: the command that lists citations of a repository's contents; the option ``--repo``
    for a number or path of an absent repository; ``podgraph explain`` for a file; a similar name (only if ``is_alone``:
    the question has one reference); ``podgraph search``. ``repo`` is the repository of bare numbers and paths ("": the
    graph's own).
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
    home_repo = (repo or default_repo(view)).lower()
    home = f"github:{home_repo}"
    is_at_home = target.id.startswith((f"{home}#", f"{home}:"))
    if is_at_home and home_repo not in target.query.lower() and not view.node(home):
        return f"nothing cites {target.query!r}: no repository in the graph has it; give owner/repo, or --repo"
    if is_path(target.id):
        remedy = f"`podgraph explain {target.query}` finds the episodes nearest to it"
    else:
        similar = suggest_name(target.query, view) if is_alone and not target.nodes else ""
        remedy = similar or "`podgraph search` finds by words"
    if target.is_words:
        return f"nothing is called {target.id!r}: no topic, symbol, label or title of a page; {remedy}"
    return f"nothing cites {target.id}{spelling}; {remedy}"
