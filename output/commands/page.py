"""``podgraph page GRAPH``: the interactive page of a saved graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..terminal import note
from .shared.narrowing import add_narrowing_arguments, narrowed

if TYPE_CHECKING:
    import argparse

_EXAMPLES = """examples:
  podgraph page podgraph.json              -> podgraph.html
  podgraph page big.json -o vmap.html --focus vmap --hops 2"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.epilog = _EXAMPLES
    parser.add_argument("graph", metavar="GRAPH", help="a graph that podgraph wrote: JSON, GraphML, GEXF or SQLite")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        help="where to write (default: the graph's name with .html, in the working folder)",
    )
    parser.add_argument("--title", default="", help="the title of the page")
    add_narrowing_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the page."""
    from podgraph.graph import add_places, saved_places  # noqa: PLC0415 - loads networkx

    from ..formats import check_targets, read_graph, write_graph  # noqa: PLC0415

    output = arguments.output or Path(f"{Path(arguments.graph).name.partition('.')[0]}.html")
    check_targets([output], "html")
    graph = read_graph(arguments.graph)
    part = narrowed(graph, arguments)
    add_places(part, saved_places(part))
    write_graph(part, output, "html", title=arguments.title)
    note(f"wrote {output}: {part.number_of_nodes()} of {graph.number_of_nodes()} nodes", quiet=arguments.quiet)
    return 0
