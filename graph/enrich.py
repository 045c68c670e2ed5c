"""The steps on a built graph before output: topic weights, related episodes, areas, ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx

from .areas import find_areas, find_ties, rank_nodes
from .boilerplate import warn_of_much_boilerplate
from .corrections import Corrections, correct_boilerplate, correct_nodes, correct_order, correct_related
from .related_edges import Wording, find_related
from .series import find_series
from .topics import add_topics

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from podgraph.extractors import Aside, Vocabulary

    from .attributes import Graph


def enrich_graph(
    graph: Graph, vocabulary: Vocabulary, corrections: Corrections | None = None, *,
    asides: Mapping[str, Sequence[Aside]] | None = None, wording: Wording | None = None, previous: Graph | None = None,
) -> list[str]:  # fmt: skip
    """Complete a built graph in place: topics, ``related`` edges, series, attributes ``community`` and ``rank``.

    ``vocabulary`` has the topics, ``corrections`` are a person's. ``asides`` are the passages that each feed repeats,
    by the id of the episode: they do not count as the opening of its notes. ``wording`` has the words of each episode,
    for ``related`` edges. ``previous`` is an earlier graph, whose areas stay. Returns the lines that the build prints:
    one for each correction of boilerplate, for each correction without effect, and for a graph of mostly boilerplate.
    """
    corrections = corrections or Corrections()
    lines = [*correct_boilerplate(graph, corrections), *warn_of_much_boilerplate(graph)]
    add_topics(graph, vocabulary, asides)
    lines += correct_nodes(graph, corrections)
    for source, target, attributes in find_related(graph, wording or Wording({}, {})):
        graph.add_edge(source, target, "related", **attributes)
    lines += correct_related(graph, corrections)
    for later, earlier, attributes in list(find_series(graph)):
        if not graph.has_edge(later, earlier, "listen_first"):
            graph.add_edge(later, earlier, "listen_first", **attributes)
    lines += correct_order(graph, corrections)
    rank_graph(graph, previous)
    return lines


def rank_graph(graph: Graph, previous: Graph | None = None) -> None:
    """Write the attributes ``community`` (the name of its area) and ``rank`` (its importance, in 0..1) into each node.

    The areas of ``previous``, an earlier graph, stay.
    """
    areas = {node: data.get("community", "") for node, data in previous.nodes(data=True)} if previous else {}
    ties = find_ties(graph)
    any_graph: Any = graph  # the types of networkx know no attributes of ours
    nx.set_node_attributes(any_graph, find_areas(graph, ties, areas), "community")
    nx.set_node_attributes(any_graph, rank_nodes(ties), "rank")
