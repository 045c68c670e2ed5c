"""``podgraph stats``: what the graph holds."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from graph import link_health, stats

from ..saved import add_graph_argument, open_view
from ..terminal import print_heading, print_json, print_table
from ..words import counted, kind_name

if TYPE_CHECKING:
    import argparse

    from graph import View

_ISLANDS = 5  # groups told of one by one


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--links", action="store_true", help="what became of the cited files, pages and names")
    parser.add_argument("--json", action="store_true", help="JSON for programs")
    add_graph_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the figures of the graph; 1 when it is empty."""
    view = open_view(arguments)
    if arguments.links:
        return _print_links(view, as_json=arguments.json)
    figures = stats(view)
    if arguments.json:
        print_json(asdict(figures))
        return 0 if figures.kinds else 1
    span = f", {figures.first} to {figures.last}" if figures.first else ""
    nodes, edges = sum(figures.kinds.values()), sum(figures.relations.values())
    print_heading(f"{counted(nodes, 'node')}, {counted(edges, 'edge')}{span}")
    shown = sys.stdout.isatty()  # a script finds a kind by one name, whatever its count
    kinds = [(kind_name(kind, count if shown else 0), str(count)) for kind, count in figures.kinds.items()]
    print_table(("kind", "nodes"), kinds)
    print_table(("relation", "edges"), [(relation, str(count)) for relation, count in figures.relations.items()])
    print_table(("year", "episodes"), [(year, str(count)) for year, count in figures.years.items()])
    if figures.areas:
        print_table(("area", "episodes and posts"), [(area, str(count)) for area, count in figures.areas.items()])
    if figures.most_cited:
        print_table(
            ("cited by", "most cited"),
            [(str(count), _label(id_, view)) for id_, count in figures.most_cited],
            wide=(1,),
        )
    print_table(
        ("edges", "most connected"),
        [(str(count), _label(id_, view)) for id_, count in figures.most_connected],
        wide=(1,),
    )
    if figures.bridges:
        print_table(
            ("bridge between", "communities"),
            [(_label(id_, view), "; ".join(names)) for id_, names in figures.bridges],
            wide=(0, 1),
        )
    for island in figures.islands[:_ISLANDS]:
        print_heading(f"apart from the rest: {', '.join(_label(id_, view) for id_ in island)}")
    if len(figures.islands) > _ISLANDS:
        print_heading(f"and {counted(len(figures.islands) - _ISLANDS, 'more group')} apart (--json lists them)")
    uncited, cut = len(figures.uncited_episodes), figures.truncated_links
    print_heading(
        f"{counted(uncited, 'episode')} {'cites' if uncited == 1 else 'cite'} nothing; "
        f"{counted(cut, 'link')} {'was' if cut == 1 else 'were'} cut in the notes"
    )
    return 0 if figures.kinds else 1


def _label(id_: str, view: View) -> str:
    return str((view.node(id_) or {}).get("label", id_))


def _print_links(view: View, *, as_json: bool) -> int:
    health = link_health(view)
    if as_json:
        names = ("id", "status", "current_url", "named_by")
        print_json(
            {"statuses": health.statuses, "changed": [dict(zip(names, row, strict=True)) for row in health.changed]}
        )
    else:
        print_table(("status", "nodes"), [(status, str(count)) for status, count in health.statuses.items()])
        rows = [
            (status, _label(id_, view), current, ", ".join(_label(episode, view) for episode in episodes))
            for id_, status, current, episodes in health.changed
        ]
        if rows:
            print_table(("status", "what", "now at", "named by"), rows, wide=(1, 2, 3), below=(2, 3))
    return 0 if any(health.statuses.values()) else 1
