"""``podgraph order [EPISODE|TOPIC]``: a listening order."""

from __future__ import annotations

import sys
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from podgraph.graph import name_of, names_of_no_episode, title_of

from ..library import heard_names
from ..terminal import note, print_table
from .shared.arguments import given
from .shared.playlists import answered
from .shared.saved import open_saved
from .shared.wording import PodcastColumn, counted, day, length, note_doubt, note_total

if TYPE_CHECKING:
    import argparse

    from podgraph.graph import Order, View

EXAMPLES = """examples:
  podgraph order "Weak references"   what to hear before it, and then it
  podgraph order dispatcher          the episodes about a topic, from introduction to depth
  podgraph order                     all episodes as routes, one an area
  podgraph order dispatcher -o dispatcher.rss   a feed that any podcast app takes

Piped: position, date, title, reason, page, minutes, the podcast where the graph has several, area.
Dates are bare in a pipe; "uncertain" in --json names what of an episode is not certain."""


def run(arguments: argparse.Namespace) -> int:
    """Answer; 1 when there is nothing to order."""
    graph = open_saved(arguments)
    answer = graph.order(**given(arguments, "order"))
    found = answer.raw
    if arguments.heard and (lost := names_of_no_episode(heard_names(arguments.heard), graph.view)):
        note(f"{arguments.heard}: {counted(len(lost), 'line')} of no episode, {lost[0]!r} first", quiet=arguments.quiet)
    for circle in found.circles:
        names = " -> ".join(name_of(id_, graph.view) for id_ in (*circle, circle[0]))
        note(f"circle of prerequisites: {names}", quiet=arguments.quiet)
    note_total(len(found.steps), found.total, "episode", quiet=arguments.quiet or arguments.json)
    if not answered(arguments, [answer], graph.view, f"{arguments.name or 'everything'}, in order"):
        if found.steps:
            _print(found, graph.view, quiet=arguments.quiet)
        else:
            note(f"no episode is about {arguments.name!r}", quiet=arguments.quiet)
    return 0 if found.steps else 1


def _print(found: Order, view: View, *, quiet: bool) -> None:
    """Print an order as a table. A person gets a table for each route, under the name of its area."""
    for_person, podcast = sys.stdout.isatty(), PodcastColumn(view)
    rows = [
        (
            str(place),
            day(step.attributes, marked=for_person),
            length(step.attributes, marked=for_person),
            title_of(step.attributes),
            step.reason,
            step.attributes.get("url", ""),
            step.area,
            *podcast.cell(step.attributes),
        )
        for place, step in enumerate(found.steps, 1)
    ]
    headers = ("", "date", "length", "episode", "reason", "page", "area", *podcast.header)
    for area, route in groupby(rows, key=itemgetter(6)) if for_person else [("", iter(rows))]:
        part = [*route]
        if area:
            print(f"{area} ({len(part)})")
            part = [(*row[:6], "", *row[7:]) for row in part]
        print_table(headers, part, wide=(3, 4, 5, 7), below=(4, 5), piped=(0, 1, 3, 4, 5, 2, 7, 6))
    note_doubt((step.attributes for step in found.steps), lengths_too=True, quiet=quiet or not for_person)
