"""Write several saved graphs as one.

examples:
  podgraph merge old.sqlite podgraph.sqlite -o both.sqlite -o both.html
  podgraph merge shows/*.sqlite -o all.sqlite
"""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

from ..files import choose_temporary, output_errors
from ..large.merging import merge_stores
from ..library import open as open_graph
from .targets import choose_targets, write_targets

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from podgraph.graph import Store


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``podgraph merge`` to its parser."""
    parser.add_argument("graph", metavar="GRAPH", nargs="+", help="the saved graphs")
    parser.add_argument("-o", "--output", metavar="FILE", action="append", required=True, help="the files to write")
    parser.add_argument("--force", action="store_true", help="replace files that podgraph did not write")
    parser.add_argument("--publish-private", action="store_true", help="merge private feeds with public ones, too")


def run(arguments: argparse.Namespace) -> int:
    """Merge saved graphs into one, and write it to files. Return the exit status.

    The status is 2 if a file could not be written, even though the others were.
    """
    targets, errors = choose_targets(arguments.output, arguments.graph, {}, force=arguments.force)
    # The merged graph is built in a file beside the first target, because it may be larger than the memory.
    folder = targets[0].path.absolute().parent
    with output_errors(str(folder)), ExitStack() as stack:
        database = choose_temporary(folder, stack)
        stores = _open_one_by_one(arguments.graph)
        with closing(merge_stores(stores, str(database), publish_private=arguments.publish_private)) as store:
            return write_targets(store, targets, force=arguments.force, errors=errors)


def _open_one_by_one(names: Iterable[str]) -> Iterator[Store]:
    """Yield the database of each saved graph; it is closed before the next one is opened."""
    for name in names:
        with open_graph(name) as graph:
            yield graph.store
