"""``podgraph list KIND``: the nodes of a kind, narrowed and sorted."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from podgraph.graph import LISTS, SORTS, STATUSES, list_nodes

from ..terminal import note, print_json, print_table
from .shared.arguments import add_limit, repository
from .shared.days import add_day_arguments, days_asked
from .shared.saved import add_graph_argument, open_view
from .shared.wording import day, kind_name, note_doubt

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from podgraph.graph import Kinds, Row

_EXAMPLES = """examples:
  podgraph list episodes --year 2024
  podgraph list pulls --repo pytorch/pytorch
  podgraph list topics --since 2024-03 -n 10
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
    parser.add_argument("--status", choices=STATUSES, default="", help="links of that state")
    parser.add_argument(
        "--sort",
        choices=SORTS,
        default="",
        help="default: episodes by date, others by count",
    )
    parser.add_argument("--reverse", action="store_true", help="the last first")
    add_day_arguments(parser, "episodes, and what they name,")
    add_limit(parser, "nodes")
    parser.add_argument("--json", action="store_true", help="JSON for programs")
    add_graph_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """List the nodes; 1 when there are none."""
    since, until = days_asked(arguments)
    view = open_view(arguments)
    found = list_nodes(
        arguments.kind,
        view,
        year=arguments.year,
        since=since,
        until=until,
        repo=arguments.repo,
        topic=arguments.topic,
        status=arguments.status,
        sort=arguments.sort,
        reverse=arguments.reverse,
        limit=arguments.limit,
    )
    if arguments.json:
        print_json(found.to_dict())
    elif not found.rows:
        note(f"no {arguments.kind} there", quiet=arguments.quiet)
    elif found.kinds == ("episode",):
        _print_episodes(found.rows, quiet=arguments.quiet)
    else:
        _print_others(found.rows, view.kinds)
    return 0 if found.rows else 1


def _print_episodes(rows: Sequence[Row], *, quiet: bool) -> None:
    person = sys.stdout.isatty()
    table = [
        (
            day(row.attributes, marked=person),
            str(row.attributes.get("number", "")),
            row.attributes["label"],
            str(row.count),
            row.id,
        )
        for row in rows
    ]
    print_table(("date", "no.", "title", "names", "id"), table, wide=(2, 4), spare=(4,))
    note_doubt((row.attributes for row in rows), quiet=quiet or not person)


def _print_others(rows: Sequence[Row], kinds: Kinds) -> None:
    person = sys.stdout.isatty()
    table = [
        (
            f"{row.count}x" if person else str(row.count),
            kind_name(row.attributes["kind"], 1, kinds) if person else row.attributes["kind"],
            row.attributes["label"],
            row.attributes.get("url", ""),
            row.id,
        )
        for row in rows
    ]
    print_table(("named by", "kind", "label", "url", "id"), table, wide=(2, 3, 4), spare=(4,), below=(3,))
