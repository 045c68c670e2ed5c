"""How two nodes are connected, by the ways that mean most.

The same rule stands in the page's ``walk.js``; costs are whole numbers, so that both find the same way.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING

from podgraph.extractors import NotFoundError, QueryError

from .fields import Telling
from .resolve import resolve_episode, resolve_reference
from .view import title_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..attributes import EdgeAttributes, NodeAttributes
    from .fields import FieldNames
    from .view import Edge, View

    Net = dict[str, dict[str, tuple[int, Edge]]]  # node -> its neighbours, each with the cost of the step and its edge

# What a step along a relation costs before the size of its ends is counted: what an author said is nearest.
_COSTS = {
    "listen_first": 600, "see_also": 700, "cites": 1000, "mentions": 1000, "about": 1000, "related": 1600,
    "documented_at": 800, "defined_in": 800, "covers": 1400, "subtopic_of": 1600, "in_folder": 1800, "in_repo": 4000,
    "part_of": 6000, "": 2000,
}  # fmt: skip
# A computed tie that weighs less (an area alone) is a step only where nothing else leads.
_THIN, _THIN_COST = 0.13, 20_000
_HUB = 175  # what each doubling of an end's edges adds to a step: through a hub, everything is near everything


@dataclass(frozen=True, slots=True)
class Step:
    """One step: from ``source`` to ``target`` by ``relation``, along the edge or (``backwards``) against it."""

    source: str
    target: str
    relation: str
    backwards: bool
    attributes: EdgeAttributes


@dataclass(frozen=True, slots=True)
class Paths:
    """The ways from one node to another, by id, the most meaningful first; ``nodes`` are those on them."""

    first: str
    last: str
    ways: tuple[tuple[Step, ...], ...]
    nodes: dict[str, NodeAttributes]

    def to_dict(self, fields: FieldNames = "") -> dict[str, object]:
        """Return what ``podgraph path --json`` prints; ``fields`` are those of each step."""
        tell = Telling("path", fields)
        paths = [[tell(self._step(step)) for step in way] for way in self.ways]
        return {"from": self.first, "to": self.last, "found": bool(self.ways), "paths": paths}

    def _step(self, step: Step) -> dict[str, object]:
        source, target = self.nodes[step.source], self.nodes[step.target]
        return {
            **{name: value for name, value in step.attributes.items() if name != "key"},
            "source": step.source,
            "source_label": title_of(source, step.source),
            "source_kind": source.get("kind", ""),
            "target": step.target,
            "target_label": title_of(target, step.target),
            "target_kind": target.get("kind", ""),
            "relation": step.relation,
            "backwards": step.backwards,
        }


def path(first: str, last: str, view: View, k: int = 1) -> Paths:
    """Return up to ``k`` ways between what two names mean: an episode, else what a reference names.

    Raises ``NotFoundError`` for a name that nothing has.
    """
    ends = _node(first, view), _node(last, view)
    ways = tuple(map(tuple, find_paths(view, *ends, k)))
    nodes = {id_: view.node(id_) or {} for way in ways for step in way for id_ in (step.source, step.target)}
    return Paths(*ends, ways, nodes)


def hub_cost(degree: int) -> int:
    """Return what a node with that many edges adds to the cost of each step to it and from it.

    >>> hub_cost(1), hub_cost(3), hub_cost(100)
    (175, 350, 1165)
    """
    return int(_HUB * math.log2(1 + degree))


def path_costs() -> dict[str, int]:
    """Return what a step along each relation costs; one without a name stands for all others."""
    return dict(_COSTS)


def thin_cost() -> dict[str, float]:
    """Return which computed ties are thin, by their weight, and what a step along one costs."""
    return {"below": _THIN, "cost": _THIN_COST}


def find_paths(view: View, first: str, last: str, k: int = 1) -> list[list[Step]]:
    """Return up to ``k`` paths between two nodes, the most meaningful first; none when nothing connects them.

    The cost of a step is that of its relation plus what its ends weigh as hubs; edges are walked both ways. Of ways
    that cost the same, the one through nodes reached earlier, and then of the lesser id, is taken.
    """
    net = _weighed(view)
    best = _cheapest(net, first, last)
    ways = [best] if best else []
    if best and k > 1:
        ways += [way for way, _ in zip(_others(net, best), range(k - 1), strict=False)]
    return [[_step(net, source, target) for source, target in pairwise(way)] for way in ways]


def _weighed(view: View) -> Net:
    """Return the cheapest edge between each two nodes."""
    edges = sorted((edge for id_, _ in view.nodes() for edge in view.edges_from(id_)), key=lambda edge: edge[:3])
    hubs = {node: hub_cost(degree) for node, degree in Counter(end for edge in edges for end in edge[:2]).items()}
    net: Net = {}
    for edge in edges:
        source, target, relation, attributes = edge
        if source != target:
            thin = relation == "related" and float(attributes.get("weight", 1)) < _THIN
            cost = (_THIN_COST if thin else _COSTS.get(relation, _COSTS[""])) + hubs[source] + hubs[target]
            known = net.setdefault(source, {}).get(target)
            if known is None or cost < known[0]:
                net[source][target] = net.setdefault(target, {})[source] = cost, edge
    return net


def _cheapest(net: Net, first: str, last: str) -> list[str]:
    """Return the nodes of the cheapest way (Dijkstra), none when there is none."""
    if first == last or first not in net or last not in net:
        return []
    costs, came_by, settled = {first: 0}, {first: ""}, set()
    heap = [(0, first)]
    while heap:
        cost, node = heappop(heap)
        if node == last:
            break
        if node in settled:
            continue
        settled.add(node)
        for other, (step, _) in net[node].items():
            if cost + step < costs.get(other, math.inf):
                costs[other], came_by[other] = cost + step, node
                heappush(heap, (cost + step, other))
    way = [last] if last in came_by else []
    while way and way[-1] != first:
        way.append(came_by[way[-1]])
    return way[::-1]


def _others(net: Net, best: list[str]) -> Iterator[list[str]]:
    """Yield the ways that come after the best one, by cost (Yen's algorithm)."""
    import networkx as nx  # noqa: PLC0415 - one way is found without

    graph: nx.Graph[str] = nx.Graph()
    graph.add_weighted_edges_from((one, two, cost) for one, near in net.items() for two, (cost, _) in near.items())
    return (way for way in nx.shortest_simple_paths(graph, best[0], best[-1], weight="weight") if way != best)


def _step(net: Net, source: str, target: str) -> Step:
    edge = net[source][target][1]
    return Step(source, target, edge.relation, edge.source != source, edge.attributes)


def _node(query: str, view: View) -> str:
    """Return the one node that is meant: an episode by its title, else what a reference names."""
    try:
        return resolve_episode(query, view)
    except QueryError as error:
        found = resolve_reference(query, view).nodes
        if found:
            return found[0]
        raise NotFoundError(f"nothing in the graph is called {query!r}", remedy="try `podgraph search`") from error
