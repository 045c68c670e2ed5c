"""``podgraph search TEXT``: nodes by label, id, URL, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.extractors import QueryError
from podgraph.graph import find_nodes

from ..terminal import note, print_json, print_table
from .shared.arguments import number_from
from .shared.saved import add_graph_argument, open_view

if TYPE_CHECKING:
    import argparse

_EXAMPLES = """examples:
  podgraph search dispatcher
  podgraph search '"caching allocator"'    a phrase
  podgraph search functional --kind topic

Piped: kind, label, words of its notes (where they hold the text), id."""
_MOST = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "text", metavar="TEXT", nargs="+", help="words, which may be cut short; a phrase in double quotes"
    )
    parser.add_argument(
        "-n", "--most", type=number_from(0), default=_MOST, metavar="N", help="how many; 0: all (default: %(default)s)"
    )
    parser.add_argument("--kind", default="", metavar="KIND", help="only nodes of a kind, as `podgraph list` has them")
    parser.add_argument("--json", action="store_true", help="JSON for programs")
    add_graph_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Answer; 1 when nothing is found."""
    view = open_view(arguments)
    kinds = view.kinds.named(arguments.kind)
    if arguments.kind and not kinds:
        raise QueryError(
            f"there is no kind {arguments.kind!r}", remedy=f"one of {', '.join(sorted(view.kinds.listed()))}"
        )
    text = " ".join(arguments.text)
    if not text.strip(' "'):
        raise QueryError("an empty text is everywhere", remedy="give a word or a phrase")
    found = find_nodes(text, view, arguments.most, kinds)
    if arguments.json:
        print_json(
            [
                {
                    "id": one.id,
                    "kind": one.attributes.get("kind", ""),
                    "label": one.attributes.get("label", ""),
                    **({"url": one.attributes["url"]} if "url" in one.attributes else {}),
                    "score": round(one.score, 3),
                    "where": one.where,
                    **({"excerpt": one.excerpt} if one.excerpt else {}),
                }
                for one in found
            ]
        )
    elif found:
        rows = [
            (str(one.attributes.get("kind", "")), str(one.attributes.get("label", "")), one.excerpt, one.id)
            for one in found
        ]
        print_table(("kind", "label", "in its notes", "id"), rows, wide=(1, 2, 3), spare=(2,), below=(3,))
    else:
        note(f"nothing holds {text!r}", quiet=arguments.quiet)
    return 0 if found else 1
