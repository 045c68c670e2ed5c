"""``podgraph export FILE …``: a saved graph in other formats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import OutputError

from ..terminal import note
from .shared.format_options import add_format_arguments, format_options
from .shared.narrowing import add_narrowing_arguments, narrowed
from .shared.saved import add_graph_argument

if TYPE_CHECKING:
    import argparse

_EXAMPLES = """examples:
  podgraph export graph.gexf graph.graphml
  podgraph export -g podgraph.json graph.html
  podgraph export timeline.gexf --dynamic
  podgraph export 2024.csv --since 2024 --kinds episodes,topics"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    from ..formats import FORMATS  # noqa: PLC0415 - loaded when used

    rows = [f"  {' '.join(item.suffixes):27} {item.description}" for item in FORMATS]
    parser.epilog = "\n".join([_EXAMPLES, "", "formats:", *rows])
    parser.add_argument(
        "file", metavar="FILE", nargs="*", type=Path, help="where to write; the suffix chooses the format"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", action="append", default=[], type=Path, help="the same, as `build` has it"
    )
    parser.add_argument("--format", default="", metavar="NAME", help="the format, whatever the suffix")
    add_graph_argument(parser)
    add_format_arguments(parser)
    add_narrowing_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the graph into every file, or into none when one of them cannot be."""
    from ..formats import check_targets, formats, write_graph  # noqa: PLC0415 - loaded when used
    from .shared.saved import open_graph  # noqa: PLC0415

    paths = [*arguments.file, *arguments.output]
    if not paths:
        raise OutputError("no FILE was given", remedy="name one: its suffix chooses the format")
    chosen = check_targets(paths, arguments.format, known=formats())
    options = format_options(arguments, chosen)
    whole = open_graph(arguments)
    graph = narrowed(whole, arguments)
    part = "" if graph is whole else f": {graph.number_of_nodes()} of {whole.number_of_nodes()} nodes"
    for path, item, given in zip(paths, chosen, options, strict=True):
        for target in write_graph(graph, path, item, **given):
            note(f"wrote {target}{part}", quiet=arguments.quiet)
    return 0
