"""Corrections of a graph by a person: a rule right four times of five needs a person for the fifth.

Corrections apply while a graph is enriched, so they survive rebuilds. They are the reason of the changed edges.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import networkx as nx

from podgraph.extractors import identify, split_url, with_scheme, without_scheme

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .attributes import EdgeAttributes, Graph

_REASON: Final = "a correction"
Pair = tuple[str, str]
_Item = TypeVar("_Item")


class Corrections(NamedTuple):
    """Corrections override the rules. Nodes are given by id, by address, or by their whole label.

    ``boilerplate`` and ``not_boilerplate`` are targets to mark and to unmark; a host or the beginning of an
    address means every link to it. ``same`` are groups of ids of one person, and the first stays;
    ``no_person`` are names without a person. For topics, ``rename`` has (topic, label), ``merge`` (topic, the topic
    it joins), ``drop`` the topics to remove. ``relate`` and ``unrelate`` are pairs of episodes or posts; in each pair
    of ``before``, the first comes before the second in a listening order.
    """

    boilerplate: tuple[str, ...] = ()
    not_boilerplate: tuple[str, ...] = ()
    same: tuple[tuple[str, ...], ...] = ()
    no_person: tuple[str, ...] = ()
    rename: tuple[Pair, ...] = ()
    merge: tuple[Pair, ...] = ()
    drop: tuple[str, ...] = ()
    relate: tuple[Pair, ...] = ()
    unrelate: tuple[Pair, ...] = ()
    before: tuple[Pair, ...] = ()


def correct_graph(graph: Graph, corrections: Corrections) -> list[str]:
    """Apply corrections to a complete graph, in place; return the lines printed about them by a build.

    A build goes further: it computes related episodes and areas anew.
    """
    steps = (correct_nodes, correct_topics, correct_related, correct_order)
    return [line for step in steps for line in step(graph, corrections)]


def correct_nodes(graph: Graph, corrections: Corrections) -> Iterator[str]:
    """Apply corrections of boilerplate and persons, in place, before topics are weighed.

    Yields a line for each correction of boilerplate, with the number of links it matches, and for each correction
    without effect.
    """
    yield from _correct_boilerplate(graph, corrections)
    for group in corrections.same:
        first, *others = [find_node(graph, name, "person") for name in group]
        for name, other in zip(group[1:], others, strict=True):
            if first and other and first != other:
                _join(graph, other, first)
            else:
                yield _missed("same", name if first else group[0])
    for name in corrections.no_person:
        if node := find_node(graph, name, "person"):
            graph.remove_node(node)
        else:
            yield _missed("no_person", name)


def _correct_boilerplate(graph: Graph, corrections: Corrections) -> Iterator[str]:
    """Mark and unmark the corrected edges; yield for each correction the number of its links, or their absence."""
    keys = ("boilerplate", "not_boilerplate")
    rules = [(key, name, find_node(graph, name), _prefix(name)) for key in keys for name in getattr(corrections, key)]
    counts = dict.fromkeys(rules, 0)
    for _, target, data in graph.edges(data=True) if rules else ():
        evidence = data.get("evidence", ())
        own = graph.nodes[target].get("url", "")
        addresses = {_address(url) for url in (own, *(item.get("url", "") for item in evidence))} if evidence else ()
        for rule in rules:
            key, _, node, prefix = rule
            if target == node or any(_begins(address, prefix) for address in addresses):
                counts[rule] += len(evidence) or 1
                _mark(data, boilerplate=key == "boilerplate")
    for (key, name, _, _), count in counts.items():
        links = f"{count:,} link{'s' * (count != 1)}"
        yield f"{key} = {name!r} matches {links}" if count else _missed(key, name)


def _prefix(name: str) -> str:
    """Return the beginning of the addresses of a corrected link; "" for an id or a label.

    >>> _prefix("https://www.Mill.example/pod/"), _prefix("mill.example"), _prefix("web:mill.example"), _prefix("Mill")
    ('mill.example/pod', 'mill.example', '', '')
    """
    address = _address(name).rstrip("/")
    return address if "." in address.partition("/")[0] else ""


def _address(url: str) -> str:
    parts = split_url(with_scheme(url)) if url else None
    return without_scheme(parts.text()) if parts else ""


def _begins(address: str, prefix: str) -> bool:
    """Return whether an address begins with a prefix, at the end of a name: /pod is not the beginning of /podium."""
    rest = address[len(prefix) :]
    return bool(prefix) and address.startswith(prefix) and (rest[:1] in ("", "/", "?") or prefix[-1] in "-_=&")


def correct_topics(graph: Graph, corrections: Corrections) -> Iterator[str]:
    """Apply the corrections of weighed topics, in place; yield a warning for each without effect."""
    for name, into in corrections.merge:
        old, new = find_node(graph, name, "topic"), find_node(graph, into, "topic")
        if old and new and old != new:
            _join(graph, old, new)
            graph.nodes[new]["count"] = sum(key == "about" for *_, key in graph.in_edges(new, keys=True))
        else:
            yield _missed("merge", into if old else name)
    for name in corrections.drop:
        if node := find_node(graph, name, "topic"):
            graph.remove_node(node)
        else:
            yield _missed("drop", name)
    for name, label in corrections.rename:
        if node := find_node(graph, name, "topic"):
            _also_called(graph, node, graph.nodes[node]["label"])
            graph.nodes[node]["label"] = label
        else:
            yield _missed("rename", name)


def correct_related(graph: Graph, corrections: Corrections) -> Iterator[str]:
    """Apply the corrections of related episodes, in place; yield a warning for each without effect."""
    for one, other in corrections.unrelate:
        ends = find_node(graph, one), find_node(graph, other)
        edges = [(first, last) for first, last in (ends, ends[::-1]) if graph.has_edge(first, last, "related")]
        for first, last in edges:
            graph.remove_edge(first, last, "related")
        if not edges:
            yield _missed("unrelate", f"{one} and {other}")
    for one, other in corrections.relate:
        first, last = find_node(graph, one), find_node(graph, other)
        if first and last and first != last:
            for source, target in ((first, last), (last, first)):
                graph.add_edge(source, target, "related", weight=1.0, reasons=[f"{_REASON}: related"])
        else:
            yield _missed("relate", other if first else one)


def correct_order(graph: Graph, corrections: Corrections) -> Iterator[str]:
    """Add a ``listen_first`` edge for each pair of ``before``, in place; yield a warning for each without effect.

    A correction outweighs the computed edges: an edge closing a circle with it is removed. Of two contradicting
    corrections the first counts.
    """
    needs: nx.DiGraph[str] = nx.DiGraph(
        (one, other) for one, other, key in graph.edges(keys=True) if key == "listen_first"
    )
    own: nx.DiGraph[str] = nx.DiGraph()
    for one, other in corrections.before:
        first, then = find_node(graph, one, "episode"), find_node(graph, other, "episode")
        if not first or not then or first == then:
            yield _missed("before", other if first else one)
            continue
        own.add_edge(then, first)
        if nx.has_path(own, first, then):
            own.remove_edge(then, first)
            yield f"the correction before = {one!r}, {other!r} contradicts an earlier one, which counts"
            continue
        needs.add_edge(then, first)
        while nx.has_path(needs, first, then):
            circle = nx.shortest_path(needs, first, then)
            needed = next(edge for edge in pairwise(circle) if edge not in own.edges)
            needs.remove_edge(*needed)
            graph.remove_edge(*needed, "listen_first")
        graph.add_edge(then, first, "listen_first", weight=1, reasons=[_REASON])


def find_node(graph: Graph, name: str, kind: str = "") -> str:
    """Return the id of the node named in a correction: by id, by address, by its whole label; else ""."""
    if name in graph:
        return name if kind in ("", graph.nodes[name].get("kind")) else ""
    known = identify(name) if "/" in name else None
    if known and known[1].id in graph:
        return find_node(graph, known[1].id, kind)
    words = name.casefold().strip()
    found = [
        node for node, data in graph.nodes(data=True)
        if kind in ("", data.get("kind")) and words == str(data.get("title") or data.get("label", "")).casefold()
    ]  # fmt: skip
    return found[0] if len(found) == 1 else ""


def _missed(key: str, name: str) -> str:
    return f"the correction {key} = {name!r} applies to nothing in this graph any more"


def _mark(edge: EdgeAttributes, *, boilerplate: bool) -> None:
    told = [reason for reason in edge.get("reasons", ()) if not reason.startswith("boilerplate: ")]
    if boilerplate:
        edge["boilerplate"] = True
        edge["reasons"] = [*told, f"boilerplate: {_REASON}"]
    elif edge.pop("boilerplate", None):
        edge["reasons"] = [*told, f"{_REASON}: not boilerplate"]


def _join(graph: Graph, old: str, new: str) -> None:
    """Give a node the edges of another one, and remove the other; edges of both are added up."""
    reason = f"{_REASON}: {graph.nodes[old]['label']} is {graph.nodes[new]['label']}"
    edges = [(source, new, key, data) for source, _, key, data in graph.in_edges(old, keys=True, data=True)]
    edges += [(new, target, key, data) for _, target, key, data in graph.out_edges(old, keys=True, data=True)]
    for source, target, key, data in edges:
        if source != target:
            _add(graph, source, target, key, data, reason)
    _also_called(graph, new, graph.nodes[old]["label"])
    graph.remove_node(old)


def _add(graph: Graph, source: str, target: str, key: str, data: EdgeAttributes, reason: str) -> None:
    known: EdgeAttributes = dict(graph.edges[source, target, key]) if graph.has_edge(source, target, key) else {}  # type: ignore[assignment]
    merged: EdgeAttributes = {**data, **known}
    if evidence := _once([*known.get("evidence", ()), *data.get("evidence", ())]):
        merged["evidence"] = evidence
    merged["weight"] = known.get("weight", 0) + data.get("weight", 1)
    merged["reasons"] = _once([*known.get("reasons", ()), *data.get("reasons", ()), reason])
    graph.add_edge(source, target, key, **merged)


def _once(items: Iterable[_Item]) -> list[_Item]:
    kept: list[_Item] = []
    for item in items:
        if item not in kept:
            kept.append(item)
    return kept


def _also_called(graph: Graph, node: str, name: str) -> None:
    if name != graph.nodes[node]["label"] or name not in graph.nodes[node].get("aliases", ()):
        graph.nodes[node]["aliases"] = _once([*graph.nodes[node].get("aliases", ()), name])
