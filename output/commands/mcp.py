"""Answer assistants' questions over the Model Context Protocol.

examples:
  podgraph mcp                      the saved graph of this folder, else the built-in snapshot
  podgraph mcp -g shows.sqlite

An assistant starts it and speaks to it on standard input and output; its settings name the command `podgraph` with the
arguments `mcp`, and perhaps `-g` with the whole path of a graph. It needs the extra mcp.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from podgraph.extractors import PodgraphError

from ..library import open as open_graph
from ..opening import find_graph
from ..parser import add_graph_option

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``podgraph mcp`` to its parser."""
    add_graph_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Answer an assistant's questions until standard input ends. Return the exit status, 0.

    Raises ``PodgraphError`` if the extra ``mcp`` is not installed, or a standard stream is closed.
    """
    try:
        from ..assistants import build_server  # noqa: PLC0415 - an extra, and heavy
    except ModuleNotFoundError as error:
        if str(error.name).startswith("podgraph"):
            raise
        raise PodgraphError("needs mcp", source="podgraph mcp", remedy="pip install 'podgraph[mcp]'") from error
    for stream, name in ((sys.stdin, "standard input"), (sys.stdout, "standard output")):
        if not hasattr(stream, "buffer"):
            raise PodgraphError("is closed", source=name, remedy="an assistant starts this command, and speaks to it")
    with open_graph(find_graph(arguments.graph)) as graph:
        build_server(graph).run()
    return 0
