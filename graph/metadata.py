"""Adds looked-up metadata to the graph: attributes, relations, and the present ids of moved artifacts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import networkx as nx

from .attributes import because

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, MutableMapping, Sequence

    from podgraph.extractors import Fact, KnownEdge, Ref

    from .attributes import Evidence, Graph

    Attributes = dict[str, object]
    Nodes = MutableMapping[str, Attributes]
    Edges = MutableMapping[tuple[str, str, str], Any]

_MAXIMUM_MOVES = 10  # of one artifact


def add_knowledge(
    nodes: Nodes, edges: Edges, facts: Sequence[Fact], known_edges: Iterable[KnownEdge], renames: Mapping[str, str]
) -> None:
    """Complete ``nodes`` (by id) and ``edges`` (by source, target, relation) in place.

    ``renames`` maps ids to the present ids of earlier merges. A node with a new id moves there, with its edges;
    its old label and id stay among its ``names``. Facts about unknown nodes are ignored.
    """
    moves = {**renames, **{fact.id: fact.ref.id for fact in facts if fact.ref and fact.ref.id != fact.id}}
    for fact in facts:
        if fact.ref is not None and fact.id in nodes:
            _change_identity(nodes, fact.id, fact.ref, _find_present(fact.id, moves))
    for edge in [edge for edge in edges if edge[0] in moves or edge[1] in moves]:
        attributes = edges.pop(edge)
        moved = _find_present(edge[0], moves), _find_present(edge[1], moves), edge[2]
        if moved[0] != moved[1]:
            edges[moved] = join_edges(edges.get(moved, {}), attributes)
    for known in known_edges:
        ends = [_find_present(ref.id, moves) for ref in (known.source, known.target)]
        for id_, ref in zip(ends, (known.source, known.target), strict=True):
            nodes.setdefault(id_, artifact_attributes(ref))
        attributes = {"weight": 1, **dict(known.attrs), "reasons": list(known.reasons), **_sign(known.looked_up)}
        before = edges.setdefault((ends[0], ends[1], known.relation), attributes)
        if known.looked_up[0]:
            before.update(attributes)
    _add_repositories(nodes, edges, moves)
    for fact in facts:
        if node := nodes.get(_find_present(fact.id, moves)):
            _add_fact(node, fact)


def join_edges(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of two parallel edges as those of one: their reasons and their evidence together.

    Of other attributes, those of the first count. The weight is the number of pieces of evidence, if there are any.
    """
    both = {**second, **first}
    if "reasons" in both:
        both["reasons"] = [*dict.fromkeys((*first.get("reasons", ()), *second.get("reasons", ())))]
    if "evidence" in both:
        both["evidence"] = sort_evidence([*first.get("evidence", ()), *second.get("evidence", ())])
        both["weight"] = len(both["evidence"])
    return both


def as_graph(nodes: Nodes, edges: Edges, about: Mapping[str, Any]) -> Graph:
    """Return the graph of nodes and edges, both in the order of their ids. The arguments become empty."""
    graph: Any = nx.MultiDiGraph(**about)
    ids = {id_: id_ for id_ in nodes}  # the id of a target of many edges is one text in memory, and not one for each
    graph.add_nodes_from((id_, nodes.pop(id_)) for id_ in sorted(nodes))
    graph.add_edges_from(
        (ids.get(source, source), ids.get(target, target), relation, edges.pop((source, target, relation)))
        for source, target, relation in sorted(edges)
    )
    return cast("Graph", graph)


def artifact_attributes(ref: Ref) -> Attributes:
    """Return the attributes of a new node: unknown ones are absent."""
    return drop_unknown(**{"kind": ref.kind, "label": ref.label, "url": ref.url, **dict(ref.attrs)})


def drop_unknown(**attributes: object) -> Attributes:
    """Return the known attributes, with lists in place of tuples: unknown ones are absent, never null or empty."""
    lists = {name: list(value) if isinstance(value, tuple) else value for name, value in attributes.items()}
    return {name: value for name, value in lists.items() if value is not None and value not in ("", [])}


def sort_evidence(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Return pieces of evidence, the title first, then by field and position.

    Equal pieces count once; of spoken mentions, one for each place.
    """

    def find_place(one: Evidence) -> tuple[object, ...]:
        return one["field"] != "title", one["field"], one["start"], one["end"], one["method"], one.get("url", "")

    pieces = sorted(evidence, key=find_place)
    return [*{one["start"] if "moments" in one else tuple(one.items()): one for one in pieces}.values()]


def _find_present(id_: str, moves: Mapping[str, str]) -> str:
    """Return the id that an id has after its moves, at most ``_MAXIMUM_MOVES`` of them: so a circle ends, too."""
    for _ in range(_MAXIMUM_MOVES):
        id_ = moves.get(id_, id_)
    return id_


def _change_identity(nodes: Nodes, id_: str, ref: Ref, present: str) -> None:
    """Change a node to its looked-up kind and id."""
    fresh = artifact_attributes(ref)
    if present == id_:
        nodes[id_].update({name: fresh[name] for name in ("kind", "url") if name in fresh})
    else:
        old = nodes.pop(id_)
        node = nodes.setdefault(present, {**old, **fresh})
        add_names(node, str(old.get("label", "")), id_)


def _add_fact(node: Attributes, fact: Fact) -> None:
    """Add the attributes of a fact. A title becomes the label, and the label one of the names."""
    before = str(node.get("label", ""))
    came_here = node.get("status") == "moved" and node.get("current_url") == node.get("url") is not None
    node.update((name, value) for name, value in fact.attrs if not (came_here and name == "status" and value == "ok"))
    if fact.labels:
        node["labels"] = list(fact.labels)
    node |= _sign(fact.looked_up)
    title = node.get("title") if fact.looked_up[0] else None
    if isinstance(title, str) and title and title != before:
        node["label"] = title
        add_names(node, before)


def add_names(node: Attributes, *names: str, field: str = "names") -> None:
    """Add other names to a node, without those that it has."""
    own = cast("list[str]", node.get(field, []))
    if new := [name for name in dict.fromkeys(names) if name and name not in (*own, node.get("label"))]:
        node[field] = [*own, *new]


def _sign(looked_up: tuple[str, str]) -> Attributes:
    """Return the attribute with the source and date of a look-up, if there was one."""
    return {"looked_up": {"source": looked_up[0], "date": looked_up[1]}} if looked_up[0] else {}


def _add_repositories(nodes: Nodes, edges: Edges, moves: Mapping[str, str]) -> None:
    """Add the repositories of artifacts, and edges to them. ``moves`` maps ids to later ids."""
    for id_ in list(nodes):
        home = _find_present(f"github:{nodes[id_].get('repo', '')}", moves)
        repo = home.removeprefix("github:")
        if repo and id_ != home:
            nodes.setdefault(home, {"kind": "repo", "label": repo, "url": f"https://github.com/{repo}", "repo": repo})
            edges.setdefault((id_, home, "in_repo"), because("its address names the repository"))
