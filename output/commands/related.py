"""``podgraph related EPISODE``: what to hear next, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.graph import related, title_of

from ..terminal import note, print_json, print_table
from .shared.arguments import add_limit
from .shared.saved import add_graph_argument, open_view

if TYPE_CHECKING:
    import argparse

_EXAMPLES = """examples:
  podgraph related vmap
  podgraph related "CUDA graph trees" -n 3
  podgraph related 61 --json

Piped: score, title, reasons (joined by "; "), page. --json has the date too, and "uncertain": what is not certain."""
_MOST = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.epilog = _EXAMPLES
    parser.add_argument("episode", metavar="EPISODE", help="a title or part of one, a number, a URL, an id")
    add_limit(parser, "episodes", _MOST, "--most")
    parser.add_argument("--json", action="store_true", help="JSON for programs")
    add_graph_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Answer; 1 when nothing is related."""
    found = related(arguments.episode, open_view(arguments), arguments.limit)
    if arguments.json:
        print_json(found.to_dict())
    elif found.relatives:
        rows = [
            (f"{one.weight:.2f}", title_of(one.attributes), "; ".join(one.reasons), one.attributes.get("url", ""))
            for one in found.relatives
        ]
        print_table(("score", "episode", "why", "page"), rows, wide=(1, 2, 3), below=(2, 3))
    else:
        note(f"nothing is related to {found.id}", quiet=arguments.quiet)
    return 0 if found.relatives else 1
