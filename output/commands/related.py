"""``podgraph related EPISODE``: related episodes with their reasons."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from podgraph.graph import name_of, title_of

from ..terminal import note, print_table
from .shared.arguments import given
from .shared.playlists import answered
from .shared.saved import open_saved
from .shared.wording import PodcastColumn, day, length, note_doubt, note_total

if TYPE_CHECKING:
    import argparse

    from podgraph.graph import Related, View

EXAMPLES = """examples:
  podgraph related vmap
  podgraph related "CUDA graph trees" -n 3
  podgraph related 61 --json

Piped: score, title, reasons (joined by "; "), page, date, minutes; in a graph of several podcasts the podcast too.
Dates are bare in a pipe; "uncertain" in --json names what of an episode is not certain."""


def run(arguments: argparse.Namespace) -> int:
    """Print the related episodes. Return 1 without any."""
    graph = open_saved(arguments)
    answer = graph.related(**given(arguments, "related"))
    found = answer.raw
    note_total(len(found.relatives), found.total, "result", quiet=arguments.quiet or arguments.json)
    if not answered(arguments, [answer], graph.view, f"related to {name_of(found.id, graph.view)}"):
        if found.relatives:
            _print(found, graph.view, quiet=arguments.quiet)
        else:
            note(f"nothing is related to {found.id}", quiet=arguments.quiet)
    return 0 if found.relatives else 1


def _print(found: Related, view: View, *, quiet: bool) -> None:
    """Print the related episodes. A person gets only the strong ones, if there are any."""
    for_person, podcast = sys.stdout.isatty(), PodcastColumn(view)
    strong = [one for one in found.relatives if one.level == "strong"]
    shown = strong if for_person and strong else found.relatives
    rows = [
        (
            f"{one.weight:.2f}",
            day(one.attributes, marked=for_person),
            length(one.attributes, marked=for_person),
            title_of(one.attributes),
            "; ".join(one.reasons),
            one.attributes.get("url", ""),
            *podcast.cell(one.attributes),
        )
        for one in shown
    ]
    headers = ("score", "date", "length", "episode", "why", "page", *podcast.header)
    print_table(headers, rows, wide=(3, 4, 5, 6), below=(4, 5), piped=(0, 3, 4, 5, 1, 2, 6))
    if left_out := len(found.relatives) - len(shown):
        note(f"{left_out} more only share words; --json lists them", quiet=quiet)
    note_doubt((one.attributes for one in shown), lengths_too=True, quiet=quiet or not for_person)
