"""``podgraph related EPISODE``: what to hear next, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.graph import relatives_of, resolve_episode

from ..terminal import note, print_json, print_table
from .shared.arguments import number_from
from .shared.saved import add_graph_argument, open_view
from .shared.words import told

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
    parser.add_argument(
        "-n", "--most", type=number_from(1), default=_MOST, metavar="N", help="how many (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="JSON for programs")
    add_graph_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Answer; 1 when nothing is related."""
    view = open_view(arguments)
    episode = resolve_episode(arguments.episode, view)
    found = relatives_of(episode, view, arguments.most)
    if arguments.json:
        print_json(
            {
                "query": arguments.episode,
                "id": episode,
                "found": bool(found),
                "related": [
                    {
                        "id": one.id,
                        "title": one.attributes.get("title") or one.attributes.get("label", ""),
                        **told(one.attributes),
                        "weight": one.weight,
                        "reasons": list(one.reasons),
                    }
                    for one in found
                ],
            }
        )
    elif found:
        rows = [
            (
                f"{one.weight:.2f}",
                str(one.attributes.get("title") or one.attributes.get("label", "")),
                "; ".join(one.reasons),
                str(one.attributes.get("url", "")),
            )
            for one in found
        ]
        print_table(("score", "episode", "why", "page"), rows, wide=(1, 2, 3), below=(2, 3))
    else:
        note(f"nothing is related to {episode}", quiet=arguments.quiet)
    return 0 if found else 1
