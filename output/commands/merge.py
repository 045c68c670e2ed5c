"""``podgraph merge GRAPH … -o FILE``: several saved graphs as one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..library import merge
from ..library import open as open_graph
from .targets import choose_targets, write_targets

if TYPE_CHECKING:
    import argparse

_EXAMPLES = """examples:
  podgraph merge old.sqlite podgraph.sqlite -o both.sqlite -o both.html"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("graph", metavar="GRAPH", nargs="+", help="the saved graphs")
    parser.add_argument(
        "-o", "--output", metavar="FILE", action="append", type=Path, required=True, help="where to write, as `build`"
    )
    parser.add_argument("--force", action="store_true", help="replace files that podgraph did not write")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the files; 2 when one was not written, even though the others were."""
    targets, errors = choose_targets(arguments.output, arguments.graph, {}, force=arguments.force)
    whole = merge(map(open_graph, arguments.graph)).networkx()
    return write_targets(whole, targets, force=arguments.force, errors=errors, quiet=arguments.quiet)
