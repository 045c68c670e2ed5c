"""``podgraph stats``: counts of the graph."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from podgraph.graph import label_of

from ..terminal import print_fields, print_heading, print_table
from .shared.arguments import add_question, given
from .shared.playlists import answered
from .shared.saved import open_saved
from .shared.wording import counted, kind_name, note_total

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from podgraph.graph import LinkHealth, Stats, View

    from ..answers import Answer, Item

EXAMPLES = """examples:
  podgraph stats
  podgraph stats | awk -F '\\t' '$1 == "uncited" {print $2}'
  podgraph stats --links

Piped: section (total, first, last, kind, relation, year, area, most cited, most connected, bridge, island,
uncited, boilerplate: why), name, count (first and last: a day; bridge: communities; island: size of its group).
Piped with --links: "total", status, count; then status, node, address now, episodes that name it, archived copy."""
_ISLANDS = 5  # groups listed one by one
_BOILERPLATE = 10  # boilerplate targets listed
_UNCITED = 60  # titles listed without -v


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_question(parser, "stats")
    parser.add_argument("--links", action="store_true", help="what became of the cited files, pages and names")


def run(arguments: argparse.Namespace) -> int:
    """Print the figures of the graph; 1 when it is empty."""
    graph = open_saved(arguments)
    view = graph.view
    if arguments.links:
        return _print_links(graph.links(), view, arguments)
    answer = graph.stats(**given(arguments, "stats"))
    figures = answer.raw
    for ranking, shown in (("most_cited", figures.most_cited), ("most_connected", figures.most_connected)):
        ranked = f"{ranking.replace('_', ' ')} node"
        note_total(len(shown), figures.total[ranking], ranked, quiet=arguments.quiet or arguments.json)
    if answered(arguments, [answer], view, "figures"):
        return 0 if figures.kinds else 1
    if sys.stdout.isatty():
        _print(figures, view, every=arguments.verbose)
    else:
        print_table((), [(section, name, str(value)) for section, name, value in _lines(figures, view)])
    return 0 if figures.kinds else 1


def _print(figures: Stats, view: View, *, every: bool) -> None:
    """Print the figures for a person, as tables and lines. ``every`` lists all episodes that cite nothing."""
    nodes, edges = sum(figures.kinds.values()), sum(figures.relations.values())
    spans = "".join(f"; {what} {first} to {last}" for what, first, last in _spans(figures))
    print_heading(f"{counted(nodes, 'node')}, {counted(edges, 'edge')}{spans}")
    for headers, rows, wide in _tables(figures, view):
        print_table(headers, rows, wide=wide)
    for island in figures.islands[:_ISLANDS]:
        print_heading(f"apart from the rest: {', '.join(label_of(id_, view) for id_ in island)}")
    if len(figures.islands) > _ISLANDS:
        print_heading(f"and {counted(len(figures.islands) - _ISLANDS, 'more group')} apart (--json lists them)")
    _print_uncited(figures.uncited_episodes, view, every=every)
    cut = figures.truncated_links
    print_heading(f"{counted(cut, 'link')} {'was' if cut == 1 else 'were'} cut in the notes")


def _spans(figures: Stats) -> Iterator[tuple[str, str, str]]:
    """Yield (what, first day, last day) of the episodes and of the posts, where they have dates."""
    if figures.first:
        yield "episodes", figures.first, figures.last
    if figures.first_post:
        yield "posts", figures.first_post, figures.last_post


def _tables(figures: Stats, view: View) -> Iterator[tuple[tuple[str, str], list[tuple[str, str]], tuple[int, ...]]]:
    """Yield (headers, rows, wrapping columns) of the tables for a terminal."""
    kinds = [(kind_name(kind, count, view.kinds), str(count)) for kind, count in figures.kinds.items()]
    yield ("kind", "nodes"), kinds, ()
    yield ("relation", "edges"), _rows(figures.relations), ()
    yield ("year", "episodes"), _rows(figures.years), ()
    if figures.areas:
        yield ("area", "episodes and posts"), _rows(figures.areas), ()
    for headers, ranked in (
        (("most cited", "cited by"), figures.most_cited),
        (("most connected", "edges"), figures.most_connected),
    ):
        if ranked:
            yield headers, [(label_of(id_, view), str(count)) for id_, count in ranked], (0,)
    if figures.boilerplate:
        aside = [(label_of(id_, view), f"{count}x, {why}") for id_, count, why in figures.boilerplate[:_BOILERPLATE]]
        more = len(figures.boilerplate) - len(aside)
        yield ("set aside", "why"), [*aside, *([(f"and {more} more", "--json lists them")] if more else [])], (0, 1)
    if figures.bridges:
        rows = [(label_of(id_, view), "; ".join(names)) for id_, names in figures.bridges]
        yield ("bridge between", "communities"), rows, (0, 1)


def _rows(counts: dict[str, int]) -> list[tuple[str, str]]:
    return [(name, str(count)) for name, count in counts.items()]


def _print_uncited(uncited: list[str], view: View, *, every: bool) -> None:
    """Print the number of episodes that cite nothing, and their names, with ``every`` all of them."""
    verb, end = "cites" if len(uncited) == 1 else "cite", ":" if uncited else ""
    print_heading(f"{counted(len(uncited), 'episode')} {verb} nothing{end}")
    shown = uncited if every else uncited[:_UNCITED]
    more = f"; and {len(uncited) - len(shown)} more: -v" if len(shown) < len(uncited) else ""
    if uncited:
        print_fields([("", "; ".join(label_of(id_, view) for id_ in shown) + more)])


def _lines(figures: Stats, view: View) -> Iterator[tuple[str, str, str | int]]:
    """Yield (section, name, count or day): one row a figure. A kind has the same name for every count."""
    yield "total", "nodes", sum(figures.kinds.values())
    yield "total", "edges", sum(figures.relations.values())
    yield "total", "cut links", figures.truncated_links
    for what, first, last in _spans(figures):
        yield "first", what, first
        yield "last", what, last
    yield from (("kind", kind_name(kind, 0, view.kinds), count) for kind, count in figures.kinds.items())
    for section, counts in (("relation", figures.relations), ("year", figures.years), ("area", figures.areas)):
        yield from ((section, name, count) for name, count in counts.items())
    for section, id_, count in _nodes(figures):
        yield section, label_of(id_, view), count


def _nodes(figures: Stats) -> Iterator[tuple[str, str, int]]:
    """Yield (section, id, count) of the figures of single nodes."""
    yield from (("most cited", id_, count) for id_, count in figures.most_cited)
    yield from (("most connected", id_, count) for id_, count in figures.most_connected)
    yield from (("bridge", id_, len(names)) for id_, names in figures.bridges)
    yield from (("island", id_, len(island)) for island in figures.islands for id_ in island)
    yield from ((f"boilerplate: {why}", id_, count) for id_, count, why in figures.boilerplate)
    yield from (("uncited", id_, 0) for id_ in figures.uncited_episodes)


def _print_links(answer: Answer[Item, LinkHealth], view: View, arguments: argparse.Namespace) -> int:
    """Print the state of the cited links, or write it to a file. Return the exit code."""
    health = answer.raw
    if not answered(arguments, [answer], view, "links"):
        counts = [(status, str(count)) for status, count in health.statuses.items()]
        print_table(("status", "nodes"), counts if sys.stdout.isatty() else [("total", *row) for row in counts])
        rows = [
            (status, label_of(id_, view), current, ", ".join(label_of(episode, view) for episode in episodes), archived)
            for id_, status, current, archived, episodes in health.changed
        ]
        if rows:
            headers = ("status", "what", "now at", "named by", "archived copy")
            print_table(headers, rows, wide=(1, 2, 3, 4), below=(2, 3, 4))
    return 0 if any(health.statuses.values()) else 1
