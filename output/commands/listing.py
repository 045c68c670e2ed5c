"""``podgraph list KIND``: the nodes of a kind, narrowed and sorted."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ..terminal import note, print_table
from .shared.arguments import given
from .shared.playlists import answered
from .shared.saved import open_saved
from .shared.wording import PodcastColumn, counted, day, kind_name, length, note_doubt, note_total

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from podgraph.graph import Kinds, Row, View

EXAMPLES = """examples:
  podgraph list episodes --year 2024
  podgraph list pulls --repo pytorch/pytorch
  podgraph list topics --since 2024-03 -n 10
  podgraph list artifacts --sort count --json
  podgraph list episodes --topic dispatcher -o dispatcher.m3u8

Piped, episodes: date, number, title, how many things it names, id, minutes. Others: named by how many, kind, label,
URL, id; people then have their role, posts their date, podcasts (which count their episodes) the first and the last day
and their group.
The last column of episodes is the podcast, in a graph of several.
Dates are bare in a pipe; "uncertain" in --json names what of an episode is not certain."""

_NARROWING = ("year", "repo", "topic", "status", "state", "podcast", "group", "since", "until")
# The header of the first column of a list, and those of its last columns.
_MORE: dict[tuple[str, ...], tuple[str, ...]] = {
    ("podcast",): ("has", "first", "last", "group"),
    ("blog",): ("named by", "date"),
    ("person",): ("named by", "role"),
}


def run(arguments: argparse.Namespace) -> int:
    """List the nodes. Return 1 for an empty list."""
    graph = open_saved(arguments)
    view = graph.view
    answer = graph.list(**given(arguments, "list"))
    found = answer.raw
    word = found.kinds[0] if len(found.kinds) == 1 else "node"
    note_total(len(found.rows), found.total, word, quiet=arguments.quiet)
    about = f"{arguments.kind} about {arguments.topic}" if arguments.topic else arguments.kind
    by_date = arguments.sort == "date" or (not arguments.sort and found.kinds == ("episode",))
    if answered(arguments, [answer], view, about, serial=not by_date or arguments.reverse):
        return 0 if found.rows else 1
    if not found.rows:
        narrowing = [one for one in _NARROWING if getattr(arguments, one)]
        without = f"; try it without --{' or --'.join(narrowing)}" if narrowing else ""
        note(f"no {arguments.kind} found{without}", quiet=arguments.quiet)
    elif found.kinds == ("episode",):
        _print_episodes(found.rows, view, quiet=arguments.quiet)
    else:
        _print_others(found.rows, found.kinds, view.kinds)
    return 0 if found.rows else 1


def _print_episodes(rows: Sequence[Row], view: View, *, quiet: bool) -> None:
    """Print the episodes of a list. ``piped`` has another order of columns, which scripts rely on."""
    for_person, podcast = sys.stdout.isatty(), PodcastColumn(view)
    table = [
        (
            day(row.attributes, marked=for_person),
            str(row.attributes.get("number", "")),
            row.attributes.get("label", row.id),
            length(row.attributes, marked=for_person),
            str(row.count),
            row.id,
            *podcast.cell(row.attributes),
        )
        for row in rows
    ]
    headers = ("date", "no.", "title", "length", "names", "id", *podcast.header)
    print_table(headers, table, wide=(2, 5, 6), spare=(5,), piped=(0, 1, 2, 4, 5, 3, 6))
    note_doubt((row.attributes for row in rows), lengths_too=True, quiet=quiet or not for_person)


def _print_others(rows: Sequence[Row], listed: tuple[str, ...], kinds: Kinds) -> None:
    """Print the nodes of a list. ``listed`` are its kinds: they decide the headers and the last columns."""
    for_person = sys.stdout.isatty()
    table = [
        (
            _count(row, listed) if for_person else str(row.count),
            kind_name(row.attributes["kind"], 1, kinds) if for_person else row.attributes["kind"],
            row.attributes.get("label", row.id),
            row.attributes.get("url", ""),
            row.id,
            *_more(row, listed, marked=for_person),
        )
        for row in rows
    ]
    first, *more = _MORE.get(listed, ("named by",))
    headers = (first, "kind", "label", "url", "id", *more)
    print_table(headers, table, wide=(2, 3, 4), spare=(4,), below=(3,))


def _count(row: Row, listed: tuple[str, ...]) -> str:
    return counted(row.count, "episode") if listed == ("podcast",) else f"{row.count}x"


def _more(row: Row, listed: tuple[str, ...], *, marked: bool) -> tuple[str, ...]:
    """Return the cells of a node in the last columns of its list."""
    if listed == ("podcast",):
        return row.first, row.last, row.attributes.get("group", "")
    if listed == ("person",):
        return (row.role,)
    return (day(row.attributes, marked=marked and "date" in row.attributes),) if listed in _MORE else ()
