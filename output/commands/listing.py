"""``podgraph list KIND``: the nodes of a kind, narrowed and sorted."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from podgraph.extractors import NotFoundError, QueryError
from podgraph.graph import LISTS, listing, resolve_topic

from ..terminal import note, print_json, print_table
from .shared.arguments import repository
from .shared.saved import add_graph_argument, open_view
from .shared.words import day, kind_name, note_doubt

if TYPE_CHECKING:
    import argparse

    from podgraph.graph import View

_EXAMPLES = """examples:
  podgraph list episodes --year 2024
  podgraph list pulls --repo pytorch/pytorch
  podgraph list artifacts --sort count --json

Piped, episodes: date, number, title, how many things it names, id. Others: named by how many, kind, label, URL, id.
Dates are bare in a pipe; "uncertain" in --json names what of an episode is not certain."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.epilog = _EXAMPLES
    parser.add_argument("kind", metavar="KIND", help=", ".join(sorted(LISTS)))
    parser.add_argument("--year", type=int, help="episodes of that year, and what they name")
    parser.add_argument(
        "--repo",
        type=repository,
        default="",
        metavar="OWNER/NAME",
        help="what lies in that repository, or episodes that name it",
    )
    parser.add_argument("--topic", default="", help="episodes about that topic, and what they name")
    parser.add_argument("--status", choices=("ok", "moved", "gone", "unknown"), default="", help="links of that state")
    parser.add_argument(
        "--sort",
        choices=("date", "title", "number", "id", "count"),
        default="",
        help="default: episodes by date, others by count",
    )
    parser.add_argument("--json", action="store_true", help="JSON for programs")
    add_graph_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """List the nodes; 1 when there are none."""
    view = open_view(arguments)
    kinds = view.kinds.named(arguments.kind)
    if not kinds:
        raise QueryError(
            f"there is no kind {arguments.kind!r}", remedy=f"one of {', '.join(sorted(view.kinds.listed()))}"
        )
    topic = _topic(arguments.topic, view) if arguments.topic else ""
    rows = listing(
        kinds, view, year=arguments.year, repo=arguments.repo, topic=topic, status=arguments.status, sort=arguments.sort
    )  # fmt: skip
    if arguments.json:
        print_json([{**row.attributes, "id": row.id, "count": row.count} for row in rows])
    elif not rows:
        note(f"no {arguments.kind} there", quiet=arguments.quiet)
    elif kinds == ("episode",):
        table = [
            (
                day(row.attributes, marked=sys.stdout.isatty()),
                str(row.attributes.get("number", "")),
                str(row.attributes["label"]),
                str(row.count),
                row.id,
            )
            for row in rows
        ]
        print_table(("date", "no.", "title", "names", "id"), table, wide=(2, 4), spare=(4,))
        note_doubt((row.attributes for row in rows), quiet=arguments.quiet or not sys.stdout.isatty())
    else:
        table = [
            (
                f"{row.count}x" if sys.stdout.isatty() else str(row.count),
                kind_name(kind, 1, view.kinds) if sys.stdout.isatty() else kind,
                str(row.attributes["label"]),
                str(row.attributes.get("url", "")),
                row.id,
            )
            for row in rows
            for kind in (str(row.attributes["kind"]),)
        ]
        print_table(("named by", "kind", "label", "url", "id"), table, wide=(2, 3, 4), spare=(4,), below=(3,))
    return 0 if rows else 1


def _topic(query: str, view: View) -> str:
    topic = resolve_topic(query, view)
    if not topic:
        raise NotFoundError(f"there is no topic {query!r}", remedy="`podgraph list topics` shows all")
    return topic
