"""The options for a part of a graph, the same for every command with files to write."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from podgraph.extractors import nearest
from podgraph.graph import span_parameters

from ...library import of_networkx
from .arguments import add_parameter, number_from

if TYPE_CHECKING:
    from podgraph.graph import Graph as NetworkxGraph


def add_narrowing_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for a part of the graph to a command."""
    group = parser.add_argument_group("a part of the graph")
    group.add_argument(
        "--kinds", default="", type=_kinds, metavar="KIND,…", help="only these kinds, as `list` names them"
    )
    group.add_argument(
        "--relations", default="", type=_relations, metavar="RELATION,…", help="only these relations and their ends"
    )
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


def _kinds(text: str) -> str:
    """Parse names of kinds. Refuse misspellings of built-in ones. Other names may be a plug-in's."""
    from podgraph.graph import KINDS, LISTS  # noqa: PLC0415 - most want all of it

    for name in filter(None, text.split(",")):
        if not KINDS.named(name.strip()) and (remedy := nearest(name.strip(), LISTS)):
            raise argparse.ArgumentTypeError(f"unknown kind {name!r}; {remedy}")
    return text


def _relations(text: str) -> str:
    """Parse names of relations. Refuse misspellings."""
    from podgraph.graph import RELATIONS  # noqa: PLC0415 - most want all of it

    for name in filter(None, text.split(",")):
        if name.strip() not in RELATIONS:
            remedy = nearest(name.strip(), RELATIONS) or f"use one of {', '.join(RELATIONS)}"
            raise argparse.ArgumentTypeError(f"unknown relation {name!r}; {remedy}")
    return text


def narrowed(graph: NetworkxGraph, arguments: argparse.Namespace) -> NetworkxGraph:
    """Return the requested part of ``graph``, with a new layout, or the graph itself without a request.

    Raises ``QueryError`` for an unknown kind, relation, node or date.
    """
    options = ("kinds", "relations", "focus", "hops", "since", "until", "isolated")
    given = {name: value for name in options if (value := getattr(arguments, name)) or name == "hops"}
    if not arguments.no_notes and given.keys() <= {"hops", "isolated"}:
        return graph
    return of_networkx(graph, "").part(**given, notes=not arguments.no_notes).networkx
