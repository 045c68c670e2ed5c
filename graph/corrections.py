"""Corrections of a graph by a person: a rule right four times of five needs a person for the fifth.

Corrections apply while a graph is enriched, so they survive rebuilds. They are the reason of the changed edges.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import networkx as nx

from podgraph.extractors import identify, split_url, with_scheme, without_scheme

from .metadata import sort_evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .attributes import Graph

_REASON: Final = "a correction"
Pair = tuple[str, str]
_TEXTS = ("episode", "blog")
_KINDS = {"same": "person", "no_person": "person", "merge": "topic", "drop": "topic"}  # of the nodes of each key


class Corrections(NamedTuple):
    """Corrections override the rules. Nodes are given by id, by address, or by their whole label.

    ``boilerplate`` and ``not_boilerplate`` are targets to mark and to unmark; a host or the beginning of an
    address means every link to it. ``same`` are groups of ids of one person, and the first stays;
    ``no_person`` are names without a person. ``rename`` has (topic, person or link, label), ``merge`` (topic, the topic
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
    steps = (correct_boilerplate, correct_nodes, correct_related, correct_order)
    return [line for step in steps for line in step(graph, corrections)]


def correct_boilerplate(graph: Graph, corrections: Corrections) -> Iterator[str]:
    """Mark and unmark the corrected edges, in place, before topics are weighed.

    Yields a line for each correction: the number of links it matches, or a warning if it matches none.
    """
    keys = ("boilerplate", "not_boilerplate")
    rules = [(key, name, find_node(graph, name), _prefix(name)) for key in keys for name in getattr(corrections, key)]
    counts = dict.fromkeys(rules, 0)
    if not rules:
        return
    for _, target, data in graph.edges(data=True):
        evidence = data.get("evidence", ())
        target_url = graph.nodes[target].get("url", "")
        urls = [target_url, *(item.get("url", "") for item in evidence)] if evidence else []
        addresses = {_address(url) for url in urls}
        for rule in rules:
            key, _, node, prefix = rule
            if target == node or any(_begins(address, prefix) for address in addresses):
                counts[rule] += len(evidence) or 1
                # The correction replaces an earlier reason for the mark.
                reasons = [reason for reason in data.get("reasons", ()) if not reason.startswith("boilerplate: ")]
                if key == "boilerplate":
                    data.update({"boilerplate": True, "reasons": [*reasons, f"boilerplate: {_REASON}"]})
                elif data.pop("boilerplate", None):
                    data["reasons"] = [*reasons, f"{_REASON}: not boilerplate"]
    for (key, name, _, _), count in counts.items():
        links = f"{count:,} link{'s' * (count != 1)}"
        yield f"{key} = {name!r} matches {links}" if count else _warn(key, name)


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


def correct_nodes(graph: Graph, corrections: Corrections) -> Iterator[str]:
    """Apply the corrections of persons, weighed topics and labels, in place; yield a line for each without effect.

    They apply until none has an effect any more: a correction may name a node as another one calls it, because the
    person who wrote it saw the corrected graph.
    """
    tasks = [("same", other, group[0]) for group in corrections.same for other in group[1:]]
    tasks += [("no_person", name, "") for name in corrections.no_person]
    tasks += [("merge", *pair) for pair in corrections.merge]
    tasks += [("drop", name, "") for name in corrections.drop]
    tasks += [("rename", *pair) for pair in corrections.rename]
    while len(others := [task for task in tasks if not _correct_node(graph, *task)]) < len(tasks):
        tasks = others
    for key, name, other in tasks:
        is_found = key in _KINDS and find_node(graph, name, _KINDS[key])
        yield _warn(key, other if is_found else name)


def _correct_node(graph: Graph, key: str, name: str, other: str) -> bool:
    """Apply one correction. Return whether it changed the graph."""
    if key == "rename":
        node = find_node(graph, name, "topic") or find_node(graph, name)
        if not node or graph.nodes[node]["kind"] in ("episode", "podcast"):  # their names are the feed's
            return False
        data = graph.nodes[node]
        _add_name(graph, node, data.get("title") or data["label"])
        data["label"] = other
        if "title" in data:
            data["title"] = other
        return True
    old, new = find_node(graph, name, _KINDS[key]), find_node(graph, other, _KINDS[key])
    if not old or (other and new in ("", old)):
        return False
    if not other:
        graph.remove_node(old)
        return True
    _join(graph, old, new)
    if _KINDS[key] == "topic":
        graph.nodes[new]["count"] = sum(relation == "about" for *_, relation in graph.in_edges(new, keys=True))
    return True


def correct_related(graph: Graph, corrections: Corrections) -> Iterator[str]:
    """Apply the corrections of related episodes, in place; yield a warning for each without effect."""
    for one, other in corrections.unrelate:
        ends = find_node(graph, one, *_TEXTS), find_node(graph, other, *_TEXTS)
        pairs = [pair for pair in (ends, ends[::-1]) if graph.has_edge(*pair, "related")]
        for pair in pairs:
            graph.remove_edge(*pair, "related")
        if not pairs:
            yield _warn("unrelate", f"{one} and {other}")
    for one, other in corrections.relate:
        first, last = find_node(graph, one, *_TEXTS), find_node(graph, other, *_TEXTS)
        if not first or not last or first == last:
            yield _warn("relate", other if first else one)
            continue
        for source, target in ((first, last), (last, first)):
            graph.add_edge(source, target, "related", weight=1.0, reasons=[f"{_REASON}: related"])


def correct_order(graph: Graph, corrections: Corrections) -> Iterator[str]:
    """Add a ``listen_first`` edge for each pair of ``before``, in place; yield a warning for each without effect.

    A correction outweighs the computed edges: an edge closing a circle with it is removed. Of two contradicting
    corrections the first counts.
    """
    needs: nx.DiGraph[str] = nx.DiGraph(
        (one, other) for one, other, key in graph.edges(keys=True) if key == "listen_first"
    )
    corrections_so_far: nx.DiGraph[str] = nx.DiGraph()
    for one, other in corrections.before:
        first, then = find_node(graph, one, "episode"), find_node(graph, other, "episode")
        if not first or not then or first == then:
            yield _warn("before", other if first else one)
            continue
        corrections_so_far.add_edge(then, first)
        if nx.has_path(corrections_so_far, first, then):
            corrections_so_far.remove_edge(then, first)
            yield f"the correction before = {one!r}, {other!r} contradicts an earlier one, which counts"
            continue
        needs.add_edge(then, first)
        while nx.has_path(needs, first, then):
            circle = nx.shortest_path(needs, first, then)
            edge = next(edge for edge in pairwise(circle) if edge not in corrections_so_far.edges)
            needs.remove_edge(*edge)
            graph.remove_edge(*edge, "listen_first")
        graph.add_edge(then, first, "listen_first", weight=1, reasons=[_REASON])


def find_node(graph: Graph, name: str, *kinds: str) -> str:
    """Return the id of the node that a correction names: by id, by address, by its whole label; else "".

    With ``kinds``, only nodes of these count.
    """
    if name in graph:
        return name if not kinds or graph.nodes[name].get("kind") in kinds else ""
    match = identify(name) if "/" in name else None
    if match and match[1].id in graph:
        return find_node(graph, match[1].id, *kinds)
    words = name.casefold().strip()
    nodes = [
        node for node, data in graph.nodes(data=True)
        if words == str(data.get("title") or data.get("label", "")).casefold() and (not kinds or data["kind"] in kinds)
    ]  # fmt: skip
    return nodes[0] if len(nodes) == 1 else ""


def _warn(key: str, name: str) -> str:
    return f"the correction {key} = {name!r} applies to nothing in this graph any more"


def _join(graph: Graph, old: str, new: str) -> None:
    """Give a node the edges of another one, and remove the other. Edges of both are added up."""
    reason = f"{_REASON}: {graph.nodes[old]['label']} is {graph.nodes[new]['label']}"
    edges = [*graph.in_edges(old, keys=True, data=True), *graph.out_edges(old, keys=True, data=True)]
    for *ends, key, data in edges:
        source, target = (new if end == old else end for end in ends)
        if source != target:
            before: Any = graph.get_edge_data(source, target, key, {})
            both: dict[str, Any] = {**data, **before, "weight": before.get("weight", 0) + data.get("weight", 1)}
            both["reasons"] = [*dict.fromkeys((*before.get("reasons", ()), *data.get("reasons", ()), reason))]
            if evidence := sort_evidence([*before.get("evidence", ()), *data.get("evidence", ())]):
                both["evidence"] = evidence
            graph.add_edge(source, target, key, **both)
    for name in (graph.nodes[old]["label"], *graph.nodes[old].get("aliases", ())):
        _add_name(graph, new, name)
    graph.remove_node(old)


def _add_name(graph: Graph, node: str, name: str) -> None:
    """Keep a former name of a node, so that queries find it: as an alias, or among the names in texts."""
    data = graph.nodes[node]
    if data["kind"] not in ("topic", "person"):
        data["names"] = [*dict.fromkeys((*data.get("names", ()), name))]
    elif name != data["label"] or name not in data.get("aliases", ()):
        data["aliases"] = [*dict.fromkeys((*data.get("aliases", ()), name))]
