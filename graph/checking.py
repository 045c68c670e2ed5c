"""The check of a graph against the tables of kinds and relations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .kinds import EVIDENCE, METHODS, RELATIONS, kinds_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .attributes import Graph

_TEXT_OF = {"notes": "summary", "title": "title"}


def check(graph: Graph) -> Iterator[str]:
    """Yield a sentence for each violation of the contract; a valid graph yields nothing.

    Checked are kinds, labels, absent instead of null attributes, the ends of every relation, and the ``reasons``
    of every edge, or its ``evidence`` with the quote at its offsets.
    """
    yield from (f"the graph has no {key!r}" for key in ("schema", "generator", "sources") if key not in graph.graph)
    kinds = kinds_of(graph.graph)
    groups = {name: kind.groups for name, kind in kinds.items()}
    groups_of: dict[str, frozenset[str]] = {}  # by node: the edges look up both ends
    for node, attributes in graph.nodes(data=True):
        groups_of[node] = groups.get(str(attributes.get("kind")), frozenset())
        if attributes.get("kind") not in kinds:
            yield f"{node}: unknown kind {attributes.get('kind')!r}"
        if not attributes.get("label"):
            yield f"{node}: no label"
        if None in attributes.values():
            yield from (f"{node}: {name} is null" for name, value in attributes.items() if value is None)
    yield from _edge_problems(graph, groups_of)


def _edge_problems(graph: Graph, groups_of: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield a sentence for each problem of an edge. ``groups_of`` has the groups of each node's kind."""
    ends = {name: (relation.sources, relation.targets) for name, relation in RELATIONS.items()}
    nodes = graph.nodes
    for source, target, key, attributes in graph.edges(keys=True, data=True):
        where = f"{source} -{key}-> {target}"
        if key not in ends:
            yield f"{where}: unknown relation"
            continue
        source_groups, target_groups = ends[key]
        if source_groups.isdisjoint(groups_of[source]) or target_groups.isdisjoint(groups_of[target]):
            source_kind, target_kind = str(nodes[source].get("kind")), str(nodes[target].get("kind"))
            yield f"{where}: {key} does not lead from {source_kind} to {target_kind}"
        evidence = attributes.get("evidence", ())
        if not evidence and not attributes.get("reasons"):
            yield f"{where}: no evidence and no reasons"
        for item in evidence:
            yield from (f"{where}: {problem}" for problem in _evidence_problems(nodes[source], item))


def _evidence_problems(source: Mapping[str, object], evidence: Mapping[str, object]) -> Iterator[str]:
    """Yield a phrase for each problem of a piece of evidence: its fields, its method, and its quote in the source."""
    if unknown := evidence.keys() - EVIDENCE.keys():
        yield f"unknown evidence fields {sorted(unknown)}"
    if evidence.get("method") not in METHODS:
        yield f"unknown method {evidence.get('method')!r}"
    start, end, quote = evidence.get("start"), evidence.get("end"), evidence.get("quote")
    attribute = _TEXT_OF.get(str(evidence.get("field")))
    if not attribute:  # the graph does not contain transcripts
        return
    if not isinstance(start, int) or not isinstance(end, int) or str(source.get(attribute, ""))[start:end] != quote:
        yield f"{quote!r} is not at {start}:{end} of the {evidence['field']}"
