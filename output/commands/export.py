"""``podgraph export FILE …``: a saved graph in other formats."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from podgraph.extractors import OutputError

from .shared.format_options import add_format_arguments, chosen_targets, write_targets
from .shared.narrowing import add_narrowing_arguments, narrowed
from .shared.plugin_options import add_plugin_arguments, obey_plugin_arguments
from .shared.saved import SAMPLE, add_graph_argument, graph_file, is_graph_named, open_graph

EXAMPLES = """examples:
  podgraph export graph.gexf graph.graphml
  podgraph export -g podgraph.json graph.html
  podgraph export timeline.gexf --dynamic
  podgraph export talks --format gexf,csv,dot
  podgraph export - --format dot | dot -Tsvg > map.svg
  podgraph export 2024.csv --since 2024 --kinds episodes,topics"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    from ..formats import FORMATS  # noqa: PLC0415 - loaded when used

    rows = [f"  {' '.join(item.suffixes):27} {item.description}" for item in FORMATS]
    parser.epilog = "\n".join([EXAMPLES, "", "formats:", *rows])
    parser.add_argument(
        "file", metavar="FILE", nargs="*", type=Path,
        help="where to write, - for standard output; the suffix chooses the format, .gz behind it packs a text",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", metavar="FILE", action="append", default=[], type=Path, help="the same, as `build` has it"
    )
    add_graph_argument(parser)
    add_format_arguments(parser)
    add_narrowing_arguments(parser)
    add_plugin_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the graph into every file; 2 when one of them cannot be written."""
    from ..formats import targets as files_of  # noqa: PLC0415 - loaded when used

    obey_plugin_arguments(arguments)
    paths = [*arguments.file, *arguments.output]
    if not paths:
        raise OutputError("no FILE was given", remedy="name one: its suffix chooses the format")
    targets, errors = chosen_targets(arguments, paths, read=[graph_file(arguments)])
    if not (arguments.force or is_graph_named(arguments)):
        _check_unused(file for path, item, _ in targets for file in files_of(path, item))
    whole = open_graph(arguments, checked=any(item.name in {"html", "site"} for _, item, _ in targets))
    graph = narrowed(whole, arguments)
    part = "" if len(graph) == len(whole) else f": {graph.number_of_nodes()} of {whole.number_of_nodes()} nodes"
    return write_targets(graph, targets, arguments, part, errors)


def _check_unused(files: Iterable[Path]) -> None:
    """Raise ``OutputError`` if the snapshot, exported because no graph was named, would replace existing files."""
    for file in files:
        if file.is_file() or (file.is_dir() and any(file.iterdir())):
            remedy = f"name the graph: -g FILE, or -g {SAMPLE} for the snapshot"
            raise OutputError("would be replaced by the built-in snapshot", source=str(file), remedy=remedy)
