"""The graph of a question: a saved file, or the built-in snapshot."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ...library import open, sample  # noqa: A004 - `podgraph.open`
from ...terminal import note

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from podgraph.extractors import NotFoundError
    from podgraph.graph import Graph as NetworkxGraph

    from ...library import Graph

VARIABLE = "PODGRAPH_GRAPH"
DEFAULT = "podgraph.json"
SAMPLE = "sample"


def add_graph_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``-g/--graph`` to a command on a saved graph."""
    parser.add_argument(
        "-g", "--graph", metavar="FILE",
        help=f"the graph to ask, {SAMPLE}: the built-in snapshot; else ${VARIABLE}, else {DEFAULT} here, else {SAMPLE}",
    )  # fmt: skip


def graph_file(arguments: argparse.Namespace) -> str:
    """Return the file of the graph named by ``--graph`` and its fall-backs; "" for the built-in snapshot."""
    named = _named(arguments)
    return "" if named == SAMPLE else named


def is_graph_named(arguments: argparse.Namespace) -> bool:
    """Return whether an option, the environment or a file of this folder names the graph."""
    return bool(_named(arguments))


def _named(arguments: argparse.Namespace) -> str:
    return arguments.graph or os.environ.get(VARIABLE) or (DEFAULT if Path(DEFAULT).is_file() else "")


def asked_again(words: Iterable[str], graph: str | None) -> str:
    """Return a command for a hint, to be pasted: it asks the same ``graph``, where ``--graph`` names one.

    >>> asked_again(("podgraph", "stats"), "my issues.json")
    "`podgraph stats -g 'my issues.json'`"
    """
    import shlex  # noqa: PLC0415 - few answers have a hint

    return f"`{shlex.join((*words, *(('-g', graph) if graph else ())))}`"


def with_its_graph(error: NotFoundError, graph: str) -> NotFoundError:
    """Return the error with the option for the same ``graph`` in every command of its remedy."""
    import re  # noqa: PLC0415 - only needed for errors
    import shlex  # noqa: PLC0415

    remedy = re.sub("`(podgraph [^`]+)`", lambda named: asked_again(shlex.split(named[1]), graph), error.remedy)
    return type(error)(error.problem, source=error.source, remedy=remedy)


def open_saved(arguments: argparse.Namespace) -> Graph:
    """Open the graph to ask: ``--graph``, ``$PODGRAPH_GRAPH``, ``podgraph.json``, the snapshot."""
    if named := graph_file(arguments):
        return open(named)
    from podgraph.extractors import SNAPSHOT_DATE  # noqa: PLC0415 - a saved graph never needs it

    from .plugin_options import obey_plugin_arguments  # noqa: PLC0415

    obey_plugin_arguments(arguments)
    if not _named(arguments):
        note(f"no {DEFAULT} here: asking the built-in snapshot of {SNAPSHOT_DATE}", quiet=arguments.quiet)
    return sample()


def open_graph(arguments: argparse.Namespace, *, checked: bool = False) -> NetworkxGraph:
    """Return the graph named by ``--graph`` and its fall-backs, as networkx has it; ``checked`` for its types."""
    from ...formats import read_graph, read_own_graph  # noqa: PLC0415 - loads networkx's readers

    if named := graph_file(arguments):
        return (read_own_graph if checked else read_graph)(named)
    from .plugin_options import obey_plugin_arguments  # noqa: PLC0415

    obey_plugin_arguments(arguments)
    if not _named(arguments):
        note(f"no {DEFAULT} here: taking the built-in snapshot", quiet=arguments.quiet)
    return sample().networkx
