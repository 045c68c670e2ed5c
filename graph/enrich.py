"""The steps on a built graph before output: topic weights, related episodes, communities, ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .attributes import was_read
from .boilerplate import warnings
from .community_detection import OTHERS, communities, find_ties, is_vast, ranks
from .corrections import Corrections, correct_nodes, correct_order, correct_related, correct_topics
from .rebroadcasts import find_rebroadcasts
from .related_edges import Wording, find_related
from .series import find_series
from .topics import add_topics

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from podgraph.extractors import Aside, Vocabulary

    from .attributes import Graph


def enrich_graph(
    graph: Graph,
    vocabulary: Vocabulary,
    corrections: Corrections | None = None,
    *,
    asides: Mapping[str, Sequence[Aside]] | None = None,
    wording: Wording | None = None,
) -> list[str]:
    """Complete a built graph in place: topics, ``related`` edges, series, attributes ``community`` and ``rank``.

    ``corrections`` are a person's. ``asides`` are the passages repeated in each feed, by the id of the item:
    they do not count as an opening. ``wording`` has the words of each item, for ``related`` edges. Returns a line for
    each correction of boilerplate, for each correction without effect, for a graph of mostly boilerplate, and
    for each step simplified because the graph is vast.
    """
    corrections = corrections or Corrections()
    missed = [*correct_nodes(graph, corrections), *warnings(graph)]
    add_topics(graph, vocabulary, asides)
    missed += correct_topics(graph, corrections)
    for source, target, attributes in find_related(graph, wording or Wording()):
        graph.add_edge(source, target, "related", **attributes)
    missed += correct_related(graph, corrections)
    for later, earlier, attributes in list(find_rebroadcasts(graph)):
        graph.add_edge(later, earlier, "rebroadcast_of", **attributes)
    for later, earlier, attributes in list(find_series(graph)):
        if not (graph.has_edge(later, earlier, "listen_first") or graph.has_edge(later, earlier, "rebroadcast_of")):
            graph.add_edge(later, earlier, "listen_first", **attributes)
    missed += correct_order(graph, corrections)
    return missed + rank_graph(graph)


def rank_graph(graph: Graph) -> list[str]:
    """Give the nodes of a graph the attributes ``community`` and ``rank``. Return a line if the graph is vast."""
    ties = find_ties(graph)
    for node, name, rank in zip(ties.nodes, communities(graph, ties), ranks(ties), strict=True):
        data = graph.nodes[node]
        data["community"], data["rank"] = name, rank
    for _, data in graph.nodes(data=True):
        if ties.nodes and data.get("kind") == "episode" and was_read(data):
            data.setdefault("community", OTHERS)
    return [f"{len(ties.first):,} ties: communities are made of topics and areas alone"] if is_vast(ties) else []
