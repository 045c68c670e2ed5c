"""Private feeds among the sources of a graph: a warning, or a refusal to write anything of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.extractors import PodgraphError

from ...terminal import note

if TYPE_CHECKING:
    from podgraph.graph import Graph


def warn_of_private(graph: Graph, *, quiet: bool) -> None:
    """Print one warning if a graph is built of a private feed."""
    if names := _private_feeds(graph):
        kept = "titles and notes are in the graph, of its own addresses only the hosts"
        note(f"{names}: is private; {kept}, so publish it only if the owner agrees", quiet=quiet)


def check_public(graph: Graph) -> None:
    """Raise ``PodgraphError`` if a graph is built of a private feed."""
    if names := _private_feeds(graph):
        remedy = "publish it by `podgraph init --publish-private`, or set `private = false` in podgraph.toml"
        raise PodgraphError("is private, and --refuse-private was given", source=names, remedy=remedy)


def _private_feeds(graph: Graph) -> str:
    """Return the titles of a graph's private feeds, "" without any."""
    sources = [one for one in graph.graph.get("sources", ()) if isinstance(one, dict) and one.get("private")]
    return ", ".join(str(one.get("title") or one.get("source")) for one in sources)
