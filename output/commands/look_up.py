"""``podgraph look-up GRAPH``: adds titles, states, files and archived copies of cited artifacts to a saved graph."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..terminal import note
from .shared.metadata import add_look_up_arguments, wanted_by

EXAMPLES = """examples:
  podgraph look-up podgraph.json                        what GitHub says
  podgraph look-up podgraph.json --checkout ~/src/pytorch
  podgraph look-up podgraph.json --titles --archive     which pages are gone, and archived copies of them
  podgraph page podgraph.json                           the page, with what is known now

Without --checkout, --titles or --archive GitHub is asked, as with --github. The file is replaced
as a whole, or left as it is."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("graph", metavar="GRAPH", help="a graph that podgraph wrote: JSON, GraphML, GEXF or SQLite")
    parser.add_argument("--offline", action="store_true", help="no network: what was looked up before")
    add_look_up_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Look up, and write the graph where it was; 1 when nothing became known."""
    others = arguments.checkout or arguments.titles or arguments.archive or arguments.offline
    arguments.github = arguments.github or not others
    wanted = wanted_by(arguments)
    assert wanted is not None
    from ..formats import check_targets, read_own_graph, write_graph  # noqa: PLC0415 - loads networkx
    from ..pipeline import look_up_in  # noqa: PLC0415

    path = Path(arguments.graph)
    graph = read_own_graph(path)
    (item,) = check_targets([path], force=True)
    more, count = look_up_in(graph, wanted, notify=lambda line: note(line, quiet=arguments.quiet))
    if not count:
        dead = any(node.get("status") in ("moved", "gone") for _, node in graph.nodes(data=True))
        why = ""
        if arguments.archive and not dead:
            why = ": no link is known to have moved or gone, and --titles finds out"
        elif arguments.offline:
            why = ": no new answer of an earlier look-up is kept; run it without --offline"
        note(f"nothing became known{why}", quiet=arguments.quiet)
        return 1
    for written in write_graph(more, path, item, force=True):
        note(f"wrote {written}", quiet=arguments.quiet)
    return 0
