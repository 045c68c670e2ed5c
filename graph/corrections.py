"""Corrections of a graph by a person, because no rule is always right.

Corrections apply while a graph is enriched, so they survive rebuilds. They are the reason of the changed edges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import networkx as nx

from podgraph.extractors import identify, split_url, with_scheme, without_scheme

from .metadata import add_names, join_edges

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .attributes import Graph

_CORRECTION: Final = "a correction"
Pair = tuple[str, str]
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
    """Apply corrections to a complete graph, in place; return the lines that a build prints about them.

    Related episodes and areas stay as they are; a build computes them anew after the corrections.
    """
    steps = (correct_boilerplate, correct_nodes, correct_related, correct_order)
    return [line for step in steps for line in step(graph, corrections)]


def correct_boilerplate(graph: Graph, corrections: Corrections) -> Iterator[str]:
    """Mark and unmark the corrected edges, in place, before topics are weighed.

    Yields a line for each correction: the number of links it matches, or a warning if it matches none.
    """
    keys = ("boilerplate", "not_boilerplate")
    rules = [(key, name) for key in keys for name in getattr(corrections, key)]
    edges = []  # (target, addresses by which the edge cites it, attributes of the edge)
    for _, target, data in graph.edges(data=True) if rules else ():
        urls = [item.get("url", "") for item in data.get("evidence", ())]
        urls += [graph.nodes[target].get("url", "")] if urls else []
        edges.append((target, {_strip_address(url) for url in urls}, data))
    for key, name in rules:
        node, prefix, count = find_node(graph, name), _find_prefix(name), 0
        for target, addresses, data in edges:
            if target == node or any(_is_below(address, prefix) for address in addresses):
                count += len(data.get("evidence", ())) or 1
                # The correction replaces an earlier reason for the mark.
                reasons = [reason for reason in data.get("reasons", ()) if not reason.startswith("boilerplate: ")]
                if key == "boilerplate":
                    data.update({"boilerplate": True, "reasons": [*reasons, f"boilerplate: {_CORRECTION}"]})
                elif data.pop("boilerplate", None):
                    data["reasons"] = [*reasons, f"{_CORRECTION}: not boilerplate"]
        yield f"{key} = {name!r} matches {count:,} link{'s' * (count != 1)}" if count else _describe_unused(key, name)


def _find_prefix(name: str) -> str:
    """Return the beginning of the addresses that a correction means by ``name``; "" if the name is an id or a label.

    >>> _find_prefix("https://www.Mill.example/pod/"), _find_prefix("mill.example")
    ('mill.example/pod', 'mill.example')
    >>> _find_prefix("web:mill.example"), _find_prefix("Mill")
    ('', '')
    """
    address = _strip_address(name).rstrip("/")
    return address if "." in address.partition("/")[0] else ""


def _strip_address(url: str) -> str:
    """Return an address without its scheme, in its usual spelling, for comparing; "" for an invalid one."""
    parts = split_url(with_scheme(url)) if url else None
    return without_scheme(parts.text()) if parts else ""


def _is_below(address: str, prefix: str) -> bool:
    """Return whether an address is the page ``prefix`` or below it. Nothing is below "".

    /pod/2 is below /pod, but /podium is not.
    """
    rest = address[len(prefix) :]
    # A person may also give the first part of a name, up to a mark.
    return bool(prefix) and address.startswith(prefix) and (rest[:1] in ("", "/", "?") or prefix[-1] in "-_=&")


def correct_nodes(graph: Graph, corrections: Corrections) -> Iterator[str]:
    """Apply the corrections of persons, topics and labels, in place; yield a line of warning for each without effect.

    They apply until none has an effect any more: a correction may name a node as another one calls it, because the
    person who wrote it saw the corrected graph.
    """
    # (key, name of a node, other name): the node to merge with or the new label, "" for a node to remove
    tasks = [("same", other, group[0]) for group in corrections.same for other in group[1:]]
    for key in ("no_person", "merge", "drop", "rename"):
        tasks += [(key, *((rule, "") if isinstance(rule, str) else rule)) for rule in getattr(corrections, key)]
    # Repeated with the corrections without effect, as long as their number falls.
    while len(others := [task for task in tasks if not _correct_node(graph, *task)]) < len(tasks):
        tasks = others
    for key, name, other in tasks:
        yield _describe_unused(key, *filter(None, (name, other)))


def _correct_node(graph: Graph, key: str, name: str, other: str) -> bool:
    """Apply one correction to a node. Return whether it changed the graph.

    ``key`` is the kind of the correction, ``name`` the node. ``other`` is the new label for ``rename``, the node that
    takes the place of this one for ``same`` and ``merge``, and "" for the others, which remove the node.
    """
    if key == "rename":
        node = find_node(graph, name, "topic") or find_node(graph, name)
        if not node or graph.nodes[node]["kind"] in ("episode", "podcast"):  # their names are the feed's
            return False
        data = graph.nodes[node]
        former = data.get("title") or data["label"]
        data["label"] = other
        if "title" in data:
            data["title"] = other
        _add_names(data, former)
        return True
    old, new = find_node(graph, name, _KINDS[key]), find_node(graph, other, _KINDS[key])
    if not old or (other and new in ("", old)):
        return False
    if not other:
        graph.remove_node(old)
        return True
    _merge_nodes(graph, old, new)
    if _KINDS[key] == "topic":
        graph.nodes[new]["count"] = sum(relation == "about" for *_, relation in graph.in_edges(new, keys=True))
    return True


def correct_related(graph: Graph, corrections: Corrections) -> Iterator[str]:
    """Remove the ``related`` edges of ``unrelate`` and add those of ``relate``, in place.

    Yields a line of warning for each correction without effect.
    """
    for key in ("unrelate", "relate"):
        for pair in getattr(corrections, key):
            ends = _find_pair(graph, pair, "episode", "blog")
            # The relation has an edge in each direction.
            edges: Any = [(*ends, "related"), (*ends[::-1], "related")] if ends else []
            if key == "relate":
                graph.add_edges_from((*edge, {"weight": 1.0, "reasons": [f"{_CORRECTION}: related"]}) for edge in edges)
            else:
                edges = [edge for edge in edges if graph.has_edge(*edge)]
                graph.remove_edges_from(edges)
            if not edges:
                yield _describe_unused(key, *pair)


def correct_order(graph: Graph, corrections: Corrections) -> Iterator[str]:
    """Add a ``listen_first`` edge for each pair of ``before``, in place; yield a warning for each without effect.

    A correction outweighs the computed edges: an edge closing a circle with it is removed. Of two contradicting
    corrections the first counts.
    """
    order: nx.DiGraph[str] = nx.DiGraph()  # from the later to the earlier
    order.add_nodes_from(graph)
    for pair in corrections.before:
        ends = _find_pair(graph, pair, "episode")
        if not ends:
            yield _describe_unused("before", *pair)
        elif nx.has_path(order, *ends):
            yield f"the correction before = {pair[0]!r}, {pair[1]!r} contradicts an earlier one, which counts"
        else:
            order.add_edge(*ends[::-1])  # from the later one to the earlier one
    corrected = list(order.edges)
    for later, earlier, key in list(graph.edges(keys=True)) if corrected else ():
        if key == "listen_first" and nx.has_path(order, earlier, later):
            graph.remove_edge(later, earlier, key)
        elif key == "listen_first":
            order.add_edge(later, earlier)
    for later, earlier in corrected:
        graph.add_edge(later, earlier, "listen_first", weight=1, reasons=[_CORRECTION])


def _find_pair(graph: Graph, names: Pair, *kinds: str) -> Pair | None:
    """Return the ids of the two nodes called by ``names``; ``None`` if one is missing or both are the same.

    Only nodes of ``kinds`` count.
    """
    first, last = (find_node(graph, name, *kinds) for name in names)
    return (first, last) if first and last and first != last else None


def find_node(graph: Graph, name: str, *kinds: str) -> str:
    """Return the id of the node that a correction calls by ``name``: an id, an address, or its whole label; else "".

    With ``kinds``, only nodes of these kinds count. A label of several nodes means none of them.
    """
    match = identify(name) if "/" in name and name not in graph else None
    id_ = match[1].id if match else name
    if id_ in graph:
        return id_ if not kinds or graph.nodes[id_].get("kind") in kinds else ""
    words = name.casefold().strip()
    nodes = [
        node for node, data in graph.nodes(data=True)
        if words == str(data.get("title") or data.get("label", "")).casefold() and (not kinds or data["kind"] in kinds)
    ]  # fmt: skip
    return nodes[0] if len(nodes) == 1 else ""


def _describe_unused(key: str, *names: str) -> str:
    """Return the line of warning for a correction without effect: its ``key`` and the ``names`` of its nodes."""
    return f"the correction {key} = {' and '.join(names)!r} applies to nothing in this graph any more"


def _merge_nodes(graph: Graph, old: str, new: str) -> None:
    """Give the node ``new`` the edges and names of the node ``old``, and remove ``old``.

    Weights of common edges add up.
    """
    reason = f"{_CORRECTION}: {graph.nodes[old]['label']} is {graph.nodes[new]['label']}"
    edges = [*graph.in_edges(old, keys=True, data=True), *graph.out_edges(old, keys=True, data=True)]
    for *ends, key, data in edges:
        source, target = (new if end == old else end for end in ends)
        if source != target:
            before: Any = graph.get_edge_data(source, target, key, {"weight": 0})
            both = join_edges(before, {**data, "reasons": [*data.get("reasons", ()), reason]})
            graph.add_edge(source, target, key, **both | {"weight": before["weight"] + data.get("weight", 1)})
    _add_names(graph.nodes[new], graph.nodes[old]["label"], *graph.nodes[old].get("aliases", ()))
    graph.remove_node(old)


def _add_names(node: Any, *names: str) -> None:
    """Add former names to a node's attributes, so that queries find it: to its aliases, or to its names in texts."""
    add_names(node, *names, field="aliases" if node["kind"] in ("topic", "person") else "names")
