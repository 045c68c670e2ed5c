"""Boilerplate: links repeated in a show's notes, such as sponsors, handles, chats and calls to subscribe.

The rule compares the targets of links, never the lines around them, because templates repeat the same line around
different links. Boilerplate stays in the graph as marked edges: the sponsor of one show is a subject of another.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from .attributes import was_read
from .kinds import SOURCES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from .attributes import EdgeAttributes, Graph

_MINIMUM_EPISODES: Final = 5  # with the same link: fewer are no habit of a show
_MAXIMUM_SHARE: Final = 0.4  # of a show's episodes with the same link: with more, it is boilerplate
_MINIMUM_RUN: Final = 8  # consecutive episodes with the same link: a sponsor of some weeks


def mark_boilerplate(graph: Graph) -> None:
    """Mark the boilerplate among the edges of ``cites`` and ``mentions``, in place, and add the reason to each.

    Boilerplate are the links that a show repeats in its notes. An artifact with an id of its own (any kind but ``web``)
    is boilerplate when more than 40 % of the show's episodes, at least 5, cite the same id. A web page is boilerplate
    when as many episodes, or 8 consecutive ones, cite the same address without its query.
    """
    for episodes in episodes_by_show(graph).values():
        places, targets = defaultdict[str, set[int]](set), defaultdict[str, set[str]](set)  # of each address
        edges: list[tuple[EdgeAttributes, Sequence[str]]] = []  # with the addresses of the target
        for place, episode in enumerate(episodes):
            for _, target, relation, data in graph.out_edges(episode, keys=True, data=True):
                kind = graph.nodes[target]["kind"]
                if relation in ("cites", "mentions") and data.get("evidence") and kind not in ("episode", "podcast"):
                    # A web page is also found by its address without the query.
                    addresses = [target, re.split(r"[?#]", target, maxsplit=1)[0]] if kind == "web" else [target]
                    edges.append((data, addresses))
                    for address in addresses:
                        places[address].add(place)
                        targets[address].add(target)
        # An address of more pages than citing episodes is a site's form, such as "/scan.php?page=…".
        reasons = {
            address: _explain_boilerplate(of_one, len(episodes), may_run=address.startswith("web:"))
            for address, of_one in places.items() if len(targets[address]) <= len(of_one)
        }  # fmt: skip
        for edge, its_addresses in edges:
            if reason := next(filter(None, map(reasons.get, its_addresses)), ""):
                edge["boilerplate"] = True
                edge["reasons"] = [*edge.get("reasons", ()), f"boilerplate: {reason}"]


def list_texts(graph: Graph) -> list[str]:
    """Return the sorted ids of a graph's episodes, and of the posts that were read or refer to others."""
    return sorted(
        node
        for node, data in graph.nodes(data=True)
        if (kind := data.get("kind")) == "episode" or (kind in SOURCES and (was_read(data) or graph.out_degree(node)))
    )


def episodes_by_show(graph: Graph) -> dict[str, list[str]]:
    """Return {podcast id: ids of its episodes and posts, in the order of their dates}, sorted by podcast.

    The posts of a site without a feed belong to the first part of their id. Cited ones that were not read are left out.
    """
    shows: dict[str, list[str]] = defaultdict(list)
    nodes = [(data.get("date", ""), node, data) for node, data in graph.nodes(data=True) if data["kind"] in SOURCES]
    for _, node, data in sorted(nodes, key=itemgetter(0, 1)):
        if was_read(data):
            shows[data.get("podcast") or node.split("/")[0]].append(node)
    return dict(sorted(shows.items()))


def warn_of_much_boilerplate(graph: Graph) -> list[str]:
    """Return a warning line if more than half of all citations are boilerplate, else []: the rule may be at fault."""
    marks = ["boilerplate" in data for _, _, relation, data in graph.edges(keys=True, data=True) if relation == "cites"]
    if 2 * sum(marks) <= len(marks):
        return []
    advice = "`podgraph stats` lists it; `not_boilerplate` in podgraph.toml keeps links"
    return [f"{sum(marks):,} of {len(marks):,} citations are boilerplate; {advice}"]


def _explain_boilerplate(places: Collection[int], total: int, *, may_run: bool) -> str:
    """Return the reason why an address is boilerplate, or "" if it is not.

    ``places`` are the positions of the episodes citing it among the ``total`` episodes of the show. If it ``may_run``,
    some consecutive episodes are enough.
    """
    if len(places) >= _MINIMUM_EPISODES and len(places) > _MAXIMUM_SHARE * total:
        return f"cited by {len(places)} of {total} episodes"
    # Consecutive places minus their position in the list are equal: such a group is a run.
    longest = max(len([*run]) for _, run in groupby(enumerate(sorted(places)), lambda pair: pair[1] - pair[0]))
    return f"cited by {longest} consecutive episodes" if may_run and longest >= _MINIMUM_RUN else ""
