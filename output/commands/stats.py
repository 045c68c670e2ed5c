"""``podgraph stats``: what the graph holds."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from podgraph.graph import link_health, stats

from ..terminal import print_fields, print_heading, print_json, print_table
from .shared.saved import add_graph_argument, open_view
from .shared.words import counted, kind_name

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from podgraph.graph import Stats, View

_EXAMPLES = """examples:
  podgraph stats
  podgraph stats | awk -F '\\t' '$1 == "uncited" {print $2}'
  podgraph stats --links

Piped: section (total, first, last, kind, relation, year, area, most cited, most connected, bridge, island,
uncited), name, count (first and last: a day; bridge: communities; island: size of its group).
Piped with --links: "total", status, count; then status, node, address now, episodes that name it."""
_ISLANDS = 5  # groups told of one by one
_UNCITED = 60  # titles told without -v


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.epilog = _EXAMPLES
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
    elif sys.stdout.isatty():
        _print(figures, view, every=arguments.verbose)
    else:
        print_table((), [(section, name, str(value)) for section, name, value in _lines(figures, view)])
    return 0 if figures.kinds else 1


def _print(figures: Stats, view: View, *, every: bool) -> None:
    nodes, edges = sum(figures.kinds.values()), sum(figures.relations.values())
    spans = [
        f"; {what} {first} to {last}"
        for what, first, last in (
            ("episodes", figures.first, figures.last),
            ("posts", figures.first_post, figures.last_post),
        )
        if first
    ]
    print_heading(f"{counted(nodes, 'node')}, {counted(edges, 'edge')}{''.join(spans)}")
    print_table(
        ("kind", "nodes"), [(kind_name(kind, count, view.kinds), str(count)) for kind, count in figures.kinds.items()]
    )
    print_table(("relation", "edges"), [(relation, str(count)) for relation, count in figures.relations.items()])
    print_table(("year", "episodes"), [(year, str(count)) for year, count in figures.years.items()])
    if figures.areas:
        print_table(("area", "episodes and posts"), [(area, str(count)) for area, count in figures.areas.items()])
    for title, unit, ranked in (
        ("most cited", "cited by", figures.most_cited),
        ("most connected", "edges", figures.most_connected),
    ):
        if ranked:
            print_table((title, unit), [(_label(id_, view), str(count)) for id_, count in ranked], wide=(0,))
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
    _print_uncited(figures.uncited_episodes, view, every=every)
    cut = figures.truncated_links
    print_heading(f"{counted(cut, 'link')} {'was' if cut == 1 else 'were'} cut in the notes")


def _print_uncited(uncited: list[str], view: View, *, every: bool) -> None:
    print_heading(
        f"{counted(len(uncited), 'episode')} {'cites' if len(uncited) == 1 else 'cite'} nothing{':' if uncited else ''}"
    )
    shown = uncited if every else uncited[:_UNCITED]
    more = f"; and {len(uncited) - len(shown)} more: -v" if len(shown) < len(uncited) else ""
    if uncited:
        print_fields([("", "; ".join(_label(id_, view) for id_ in shown) + more)])


def _lines(figures: Stats, view: View) -> Iterator[tuple[str, str, str | int]]:
    """Yield (section, name, count or day): one row a figure; a script finds a kind by one name, whatever its count."""
    yield "total", "nodes", sum(figures.kinds.values())
    yield "total", "edges", sum(figures.relations.values())
    yield "total", "cut links", figures.truncated_links
    for what, first, last in (
        ("episodes", figures.first, figures.last),
        ("posts", figures.first_post, figures.last_post),
    ):
        if first:
            yield "first", what, first
            yield "last", what, last
    yield from (("kind", kind_name(kind, 0, view.kinds), count) for kind, count in figures.kinds.items())
    yield from (("relation", relation, count) for relation, count in figures.relations.items())
    yield from (("year", year, count) for year, count in figures.years.items())
    yield from (("area", area, count) for area, count in figures.areas.items())
    yield from (("most cited", _label(id_, view), count) for id_, count in figures.most_cited)
    yield from (("most connected", _label(id_, view), count) for id_, count in figures.most_connected)
    yield from (("bridge", _label(id_, view), len(names)) for id_, names in figures.bridges)
    yield from (("island", _label(id_, view), len(island)) for island in figures.islands for id_ in island)
    yield from (("uncited", _label(id_, view), 0) for id_ in figures.uncited_episodes)


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
        counts = [(status, str(count)) for status, count in health.statuses.items()]
        print_table(("status", "nodes"), counts if sys.stdout.isatty() else [("total", *row) for row in counts])
        rows = [
            (status, _label(id_, view), current, ", ".join(_label(episode, view) for episode in episodes))
            for id_, status, current, episodes in health.changed
        ]
        if rows:
            print_table(("status", "what", "now at", "named by"), rows, wide=(1, 2, 3), below=(2, 3))
    return 0 if any(health.statuses.values()) else 1
