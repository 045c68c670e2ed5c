"""Write a saved graph in other formats.

examples:
  podgraph export graph.gexf graph.graphml
  podgraph export page.html -g podgraph.json
  podgraph export vmap.html --focus vmap --hops 2
  podgraph export talks --format gephi,neo4j
  podgraph export - --format dot | dot -Tsvg > map.svg
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import OutputError

from ..config import load_config
from ..library import open as open_graph
from ..opening import find_graph
from ..parser import add_graph_option
from .targets import choose_targets, write_targets

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``podgraph export`` to its parser."""
    from ..formats import FORMATS  # noqa: PLC0415 - this command alone lists them

    rows = "\n".join(
        f"  {' '.join(format_.suffixes):<27} {format_.description}, for {format_.opens}" for format_ in FORMATS
    )
    parser.epilog = f"{parser.epilog}\n\nformats:\n{rows}"
    text = "where to write, - for standard output; the suffix chooses the format"
    parser.add_argument("file", metavar="FILE", nargs="*", help=text)
    add_graph_option(parser)
    text = "the format, or a program that opens it (gephi, neo4j, obsidian, datasette); of several each is written"
    parser.add_argument("--format", default="", metavar="NAME,…", help=text)
    parser.add_argument("--kinds", default="", metavar="KIND,…", help="only these kinds, as `list` names them")
    parser.add_argument("--focus", default="", metavar="NODE", help="only nodes near this one")
    parser.add_argument("--hops", type=int, default=1, metavar="N", help="how near: so many edges (default: 1)")
    parser.add_argument("--force", action="store_true", help="replace files that podgraph did not write")
    parser.add_argument("--publish-private", action="store_true", help="site: publish a private feed's texts, too")


def run(arguments: argparse.Namespace) -> int:
    """Write a saved graph, or a part of it, to files in the formats of their suffixes. Return the exit status.

    The status is 2 if a file could not be written, even though the others were. Raises ``OutputError`` if the built-in
    snapshot, which nobody named, would replace a saved graph.
    """
    settings = {**load_config().values, "publish_private": arguments.publish_private, "formats": ()}
    settings["everything"] = bool(arguments.kinds or arguments.focus)  # a picture of a part has all its nodes
    source = find_graph(arguments.graph)
    is_snapshot = source == "sample" and arguments.graph != "sample"  # for lack of a saved graph
    targets, errors = choose_targets(
        arguments.file, [source], settings, format_names=arguments.format, defaults=(Path("podgraph.html"),),
        force=arguments.force,
    )  # fmt: skip
    for path, format_, _ in targets:
        if is_snapshot and format_.is_readable and path.exists() and not arguments.force:
            remedy = "name the graph: -g FILE, or -g sample for the snapshot"
            raise OutputError("would be replaced by the built-in snapshot", source=str(path), remedy=remedy)
    graph = open_graph(source)
    part = graph.select_part(kinds=arguments.kinds, focus=arguments.focus, hops=arguments.hops)
    return write_targets(part, targets, force=arguments.force, errors=errors)
