"""The options that take a part of a graph, the same for every command that writes one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.extractors import QueryError
from podgraph.graph import RELATIONS, span_parameters

from .arguments import add_parameter, number_from

if TYPE_CHECKING:
    import argparse

    from podgraph.graph import Graph


def add_narrowing_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which part of the graph is meant to a command."""
    group = parser.add_argument_group("a part of the graph")
    group.add_argument("--kinds", default="", metavar="KIND,…", help="only these kinds, as `list` names them")
    group.add_argument("--relations", default="", metavar="RELATION,…", help="only these relations and their ends")
    group.add_argument("--focus", default="", metavar="NODE", help="only what is near this node")
    group.add_argument(
        "--hops", type=number_from(0), default=1, metavar="N", help="how near: so many edges (default: 1)"
    )
    group.add_argument("--isolated", action="store_true", help="keep what is tied to nothing of the other kinds")
    group.add_argument(
        "--no-notes", action="store_true", help="without the texts of the feeds: titles, links and quotes stay"
    )
    for parameter in span_parameters("episodes"):
        add_parameter(group, parameter)


def narrowed(graph: Graph, arguments: argparse.Namespace) -> Graph:
    """Return the part of ``graph`` that the options ask for, newly laid out, or the graph itself if for nothing.

    Raises ``QueryError`` for a kind, relation, node or date that there is none of.
    """
    wanted = (arguments.kinds, arguments.relations, arguments.focus, arguments.since, arguments.until)
    if not (arguments.no_notes or any(wanted)):
        return graph
    from podgraph.graph import (  # noqa: PLC0415 - most want all of it
        Adjacency,
        add_places,
        kinds_called,
        narrow,
        resolve_node,
        span_of_days,
        without_notes,
    )

    if arguments.no_notes:
        graph = without_notes(graph)
    if not any(wanted):
        return graph
    since, until = span_of_days(arguments.since, arguments.until)
    focus = ""
    if arguments.focus:
        focus = resolve_node(arguments.focus, Adjacency.of_graph(graph)) or arguments.focus
    part = narrow(
        graph,
        kinds=[kind for name in _names(arguments.kinds) for kind in kinds_called(name)],
        relations=_relations(arguments.relations),
        focus=focus,
        hops=arguments.hops,
        since=since,
        until=until,
        isolated=arguments.isolated or len(_names(arguments.kinds)) < 2,
    )
    if not part:
        raise QueryError("these options leave nothing of the graph", remedy="loosen one of them")
    add_places(part)
    return part


def _names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _relations(text: str) -> list[str]:
    names = _names(text)
    for name in names:
        if name not in RELATIONS:
            raise QueryError(f"there is no relation {name!r}", remedy=f"one of {', '.join(RELATIONS)}")
    return names
