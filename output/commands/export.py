"""``podgraph export FILE …``: a saved graph in other formats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

from ..narrowing import add_narrowing_arguments, narrowed
from ..saved import add_graph_argument
from ..terminal import note

_EXAMPLES = """examples:
  podgraph export graph.gexf graph.graphml
  podgraph export -g podgraph.json graph.html
  podgraph export 2024.csv --since 2024 --kinds episodes,topics"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "file", metavar="FILE", nargs="+", type=Path, help="where to write; the suffix chooses the format"
    )
    parser.add_argument("--format", default="", help="the format, whatever the suffix")
    add_graph_argument(parser)
    add_narrowing_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the graph into every file, or into none when one of them cannot be."""
    from ..formats import check_targets, write_graph  # noqa: PLC0415 - loaded when used
    from ..pipeline import open_graph  # noqa: PLC0415

    check_targets(arguments.file, arguments.format)
    graph = narrowed(open_graph(arguments), arguments)
    for path in arguments.file:
        for target in write_graph(graph, path, arguments.format):
            note(f"wrote {target}", quiet=arguments.quiet)
    return 0
