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
    """Add looked-up ``facts`` and ``known_edges`` to ``nodes`` (by id) and ``edges`` (by ends and relation), in place.

    ``renames`` maps ids to the present ids of earlier merges. If a fact gives a node another id, as the artifact moved,
    the node gets that id, with its edges; its old label and id stay among its ``names``. Facts about unknown nodes are
    ignored. Artifacts get an edge to their repository.
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
        attributes = {"weight": 1, **dict(known.attrs), "reasons": list(known.reasons), **_to_look_up(known.looked_up)}
        edge = edges.setdefault((ends[0], ends[1], known.relation), attributes)
        if known.looked_up[0]:  # a look-up knows more than an existing edge
            edge.update(attributes)
    _add_repositories(nodes, edges, moves)
    for fact in facts:
        if node := nodes.get(_find_present(fact.id, moves)):
            _add_fact(node, fact)


def join_edges(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of two parallel edges, ``first`` and ``second``, as those of one edge.

    It has the reasons and the evidence of both. Of other attributes, those of the first count. The weight is the number
    of pieces of evidence, if there are any.
    """
    both = {**second, **first}
    if "reasons" in both:
        both["reasons"] = [*dict.fromkeys((*first.get("reasons", ()), *second.get("reasons", ())))]
    if "evidence" in both:
        both["evidence"] = sort_evidence([*first.get("evidence", ()), *second.get("evidence", ())])
        both["weight"] = len(both["evidence"])
    return both


def to_graph(nodes: Nodes, edges: Edges, about: Mapping[str, Any]) -> Graph:
    """Return the graph with ``nodes`` and ``edges``, both in the order of their ids, and its own attributes ``about``.

    To save memory, ``nodes`` and ``edges`` are emptied.
    """
    graph: Any = nx.MultiDiGraph(**about)
    ids = {id_: id_ for id_ in nodes}  # the id of a target of many edges is one text in memory, and not one for each
    graph.add_nodes_from((id_, nodes.pop(id_)) for id_ in sorted(nodes))
    graph.add_edges_from(
        (ids.get(source, source), ids.get(target, target), relation, edges.pop((source, target, relation)))
        for source, target, relation in sorted(edges)
    )
    return cast("Graph", graph)


def artifact_attributes(ref: Ref) -> Attributes:
    """Return the attributes of the new node of an artifact; those that are unknown are absent."""
    return drop_unknown(**{"kind": ref.kind, "label": ref.label, "url": ref.url, **dict(ref.attrs)})


def drop_unknown(**attributes: object) -> Attributes:
    """Return those ``attributes`` that are known, without ``None``, "" and empty lists; tuples become lists."""
    lists = {name: list(value) if isinstance(value, tuple) else value for name, value in attributes.items()}
    return {name: value for name, value in lists.items() if value is not None and value not in ("", [])}


def sort_evidence(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Return pieces of evidence sorted: those of the title first, then by field and position.

    Equal pieces count once; so do spoken mentions that begin at the same place.
    """

    def sort_key(item: Evidence) -> tuple[object, ...]:
        """Return the values that evidence is sorted by; ``False``, of the title, comes first."""
        return item["field"] != "title", item["field"], item["start"], item["end"], item["method"], item.get("url", "")

    pieces = sorted(evidence, key=sort_key)
    # The key of a dict for each: of equal ones, the last stays.
    return [*{item["start"] if "moments" in item else tuple(item.items()): item for item in pieces}.values()]


def _find_present(id_: str, moves: Mapping[str, str]) -> str:
    """Return the present id of a node: ``id_`` after its ``moves`` (old id -> new id).

    At most ``_MAXIMUM_MOVES`` are followed, so that a circle ends.
    """
    for _ in range(_MAXIMUM_MOVES):
        id_ = moves.get(id_, id_)
    return id_


def _change_identity(nodes: Nodes, id_: str, ref: Ref, present: str) -> None:
    """Give the node ``id_`` the kind and address of ``ref``, from a look-up, and the id ``present``, in ``nodes``.

    If the id changes, the old label and id are added to its names.
    """
    fresh = artifact_attributes(ref)
    if present == id_:
        nodes[id_].update({name: fresh[name] for name in ("kind", "url") if name in fresh})
    else:
        old = nodes.pop(id_)
        node = nodes.setdefault(present, {**old, **fresh})
        add_names(node, str(old.get("label", "")), id_)


def _add_fact(node: Attributes, fact: Fact) -> None:
    """Add the attributes of a fact to a node.

    A looked-up title becomes its label, and the former label one of its names.

    >>> from podgraph.extractors import Fact
    >>> node = {"label": "o/r#7", "url": "https://x.org/a", "status": "moved", "current_url": "https://x.org/a"}
    >>> _add_fact(node, Fact("", (("status", "ok"), ("title", "A fix")), labels=("bug",), looked_up=("GitHub", "2024")))
    >>> node["status"], node["label"], node["names"], node["labels"], node["looked_up"]
    ('moved', 'A fix', ['o/r#7'], ['bug'], {'source': 'GitHub', 'date': '2024'})
    """
    before = str(node.get("label", ""))
    # Another artifact moved to this node: it stays "moved", though a look-up of this address finds it "ok".
    came_here = node.get("status") == "moved" and node.get("current_url") == node.get("url") is not None
    node.update((name, value) for name, value in fact.attrs if not (came_here and name == "status" and value == "ok"))
    if fact.labels:
        node["labels"] = list(fact.labels)
    node |= _to_look_up(fact.looked_up)
    title = node.get("title") if fact.looked_up[0] else None
    if isinstance(title, str) and title and title != before:
        node["label"] = title
        add_names(node, before)


def add_names(node: Attributes, *names: str, field: str = "names") -> None:
    """Add ``names`` to the list in the attribute ``field`` of a node, except those that are there, and its label."""
    own = cast("list[str]", node.get(field, []))
    if new := [name for name in dict.fromkeys(names) if name and name not in (*own, node.get("label"))]:
        node[field] = [*own, *new]


def _to_look_up(looked_up: tuple[str, str]) -> Attributes:
    """Return the attribute ``looked_up`` with the source and the date of a look-up; {} if the source is ""."""
    return {"looked_up": {"source": looked_up[0], "date": looked_up[1]}} if looked_up[0] else {}


def _add_repositories(nodes: Nodes, edges: Edges, moves: Mapping[str, str]) -> None:
    """Add the repositories of artifacts, and edges to them. ``moves`` maps ids to later ids."""
    for id_ in list(nodes):
        home = _find_present(f"github:{nodes[id_].get('repo', '')}", moves)
        repo = home.removeprefix("github:")
        if repo and id_ != home:
            nodes.setdefault(home, {"kind": "repo", "label": repo, "url": f"https://github.com/{repo}", "repo": repo})
            edges.setdefault((id_, home, "in_repo"), because("its address names the repository"))
