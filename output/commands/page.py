"""``podgraph page GRAPH``: the interactive page of a saved graph."""

from __future__ import annotations

import argparse
from pathlib import Path

from podgraph.extractors import OutputError

from ..library import sample
from .shared.format_options import add_force_argument, add_page_arguments, page_options, write_targets
from .shared.narrowing import add_narrowing_arguments, narrowed
from .shared.private import warn_of_private

EXAMPLES = """examples:
  podgraph page podgraph.json              -> podgraph.html
  podgraph page big.json -o vmap.html --focus vmap --hops 2"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "graph", metavar="GRAPH",
        help="a graph that podgraph wrote: JSON, GraphML, GEXF or SQLite; sample: the built-in snapshot",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path,
        help="where to write, - for standard output (default: the graph's name with .html, in the working folder)",
    )  # fmt: skip
    add_force_argument(parser)
    add_page_arguments(parser)
    add_narrowing_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the page."""
    from podgraph.graph import add_places, saved_places  # noqa: PLC0415 - loads networkx

    from ..formats import check_targets, read_own_graph  # noqa: PLC0415

    output = arguments.output or Path(f"{Path(arguments.graph).name.partition('.')[0]}.html")
    if output.suffix.lower() not in ("", ".html", ".htm"):
        raise OutputError("is no page", source=str(output), remedy="call it *.html, or use `podgraph export`")
    (item,) = check_targets([output], "html", force=arguments.force)
    options = page_options(arguments)
    graph = sample().networkx if arguments.graph == "sample" else read_own_graph(arguments.graph)
    part = narrowed(graph, arguments)
    warn_of_private(part, quiet=arguments.quiet)
    add_places(part, saved_places(part))
    told = f": {part.number_of_nodes()} of {graph.number_of_nodes()} nodes"
    return write_targets(part, [(output, item, options)], arguments, told)
