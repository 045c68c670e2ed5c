"""``podgraph show NODE``: a node with its facts, citations and pages."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from podgraph.graph import PLACES, Neighbour, moments_of, name_of, newest_first, role_of, title_of

from ..terminal import paged, print_fields, print_heading, print_table, print_text, printable_line
from .shared.arguments import add_question, given
from .shared.playlists import answered
from .shared.saved import open_saved
from .shared.wording import counted, day, kind_name, length, relation_name, with_moment

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from podgraph.graph import EdgeAttributes, Kinds, NodeAttributes, Relative, Shown, View

EXAMPLES = """examples:
  podgraph show "Compiler collectives"
  podgraph show episode:pytorch-developer-podcast/vmap
  podgraph show pytorch/pytorch#130935

A terminal gets title, facts, notes and the names of what is round it, through $PAGER where it is longer than the
screen; --all is everything, with ids and reasons, -v also guid, rank and place on the map.
Piped: a line with the title; name, value; then relation, node, why (joined by "; "), id."""
_LONG = ("summary", "description")
_INSIDE = frozenset(("id", "kind", "title", "label", "image"))
_MOST, _MOST_LINES = 8, 12  # names of a relation, lines of notes, for a person at first
_DETAILS = frozenset(("guid", "rank"))  # of interest to few; -v shows them


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_question(parser, "show")
    parser.add_argument("-a", "--all", action="store_true", help="everything, with reasons and ids")
    parser.add_argument("--no-pager", action="store_true", help="print it, whatever its length")


def run(arguments: argparse.Namespace) -> int:
    """Show one node. Raises ``NotFoundError`` (status 1) for an unknown one."""
    graph = open_saved(arguments)
    answer = graph.show(**given(arguments, "show"))
    found = answer.raw
    if answered(arguments, [answer], graph.view, str(arguments.node)):
        return 0
    whole = arguments.all or arguments.verbose or not sys.stdout.isatty()
    with paged(wanted=not arguments.no_pager):
        if whole:
            _print(found, graph.view.kinds, every=arguments.verbose)
        else:
            _print_folded(found, graph.view)
    return 0


def _print_folded(found: Shown, view: View) -> None:
    """Print the most important facts of a node and the names of its neighbours to a terminal."""
    attributes = found.attributes
    print_heading(title_of(attributes))
    print_text(" · ".join(_facts(found, view)))
    print_text(str(attributes.get("url", "")))
    for text in filter(None, (attributes.get("summary"), attributes.get("description"))):
        print()
        print_text(text, _MOST_LINES)
    rows = [("hosts", "; ".join(name_of(id_, view) for id_ in found.attributes.get("hosts", ())))]
    rows = [row for row in (*rows, *_groups(found, view)) if row[1]]
    if rows:
        print()
        print_fields(rows)
    more = sum(len(others) for groups in (found.into, found.out) for others in groups.values())
    print()
    why = f"why each of {counted(more, 'tie')}, " if more else ""
    print_text(f"--all: {why}ids, and what else is known")


def _facts(found: Shown, view: View) -> Iterator[str]:
    """Yield the most important facts of a node: kind, day, length, podcast or repository."""
    attributes = found.attributes
    yield kind_name(attributes.get("kind", ""), 1, view.kinds)
    if "date" in attributes:
        yield day(attributes, marked=True)
    if told := length(attributes, marked=True):
        yield told
    if attributes.get("kind", "") == "episode":
        yield from (f"{name} {value}" for name in ("season", "number") if (value := attributes.get(name)) is not None)
    yield from (str(value) for name in ("author", "area", "repo", "module") if (value := attributes.get(name)))
    if "podcast" in attributes:
        yield name_of(attributes["podcast"], view)
    if aliases := attributes.get("aliases"):
        yield f"also {', '.join(aliases[:_MOST])}"


def _groups(found: Shown, view: View) -> Iterator[tuple[str, str]]:
    """Yield (relation, names of the nodes at its other end). Episodes have day and length, the latest first.

    The podcast of an episode is among its facts, and relatives come last.
    """
    for groups, backwards in ((found.into, True), (found.out, False)):
        for relation, others in groups.items():
            if relation != "related" and (backwards or relation != "part_of"):
                yield relation_name(relation, backwards=backwards), _names(others, view)
    if found.relatives:
        yield relation_name("related"), "\n".join(_name(one, view) for one in found.relatives[:_MOST])


def _names(others: Sequence[Neighbour], view: View) -> str:
    """Return names on a line each where they have days, else on one; and how many more there are."""
    dated = any("date" in one.attributes for one in others)
    ordered = newest_first(others, view) if dated else others
    names = [_name(one, view) for one in ordered[:_MOST]]
    if len(others) > _MOST:
        names.append(f"and {len(others) - _MOST} more")
    return "\n".join(names) if dated else "; ".join(names)


def _name(one: Neighbour | Relative, view: View) -> str:
    known = (day(one.attributes, marked=True), length(one.attributes, marked=True)) if "date" in one.attributes else ()
    name = _named(one) if isinstance(one, Neighbour) else title_of(one.attributes, one.id)
    return f"{name} ({', '.join(filter(None, known))})" if any(known) else name


def _named(one: Neighbour) -> str:
    """Return the name of a neighbour; of a person, or an episode of one, with the role."""
    role = role_of(one.edge)
    return f"{title_of(one.attributes, one.id)} ({role})" if role else title_of(one.attributes, one.id)


def _print(found: Shown, kinds: Kinds, *, every: bool) -> None:
    """Print a node: its fields, and a table of its neighbours. A person gets its long texts first."""
    for_person = sys.stdout.isatty()
    print_heading(title_of(found.attributes))
    long = [(name, str(found.attributes.get(name))) for name in _LONG if name in found.attributes]
    rows = list(_fields(found, kinds, every=every, person=for_person))
    print_fields([*long, *rows] if for_person else [*rows, *long])
    connected = list(_edges(found, "\n" if for_person else "; "))
    if connected:
        print_table(("relation", "node", "because", "id"), connected, wide=(1, 2, 3), spare=(3,), below=(2,))


def _edges(found: Shown, between: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield (relation, node, why, id) of the neighbours, and of the relatives both ways as one."""
    for groups, backwards in ((found.into, True), (found.out, False)):
        for relation, others in groups.items():
            if relation != "related":
                name = relation_name(relation, backwards=backwards)
                for other in others:
                    episode = other.attributes if backwards else found.attributes
                    yield name, _named(other), between.join(_why(other.edge, episode)), other.id
    for one in found.relatives:
        yield relation_name("related"), title_of(one.attributes, one.id), between.join(one.reasons), one.id


def _fields(found: Shown, kinds: Kinds, *, every: bool, person: bool) -> Iterator[tuple[str, str]]:
    """Yield names and values of the short attributes. Without ``every``, those of interest to few are left out."""
    attributes = found.attributes
    yield "id", found.id
    yield "kind", kind_name(attributes.get("kind", ""), 1, kinds) if person else attributes.get("kind", "")
    hidden = {*PLACES, *_DETAILS} if person else {*PLACES}
    if person and attributes.get("explicit") is False:
        hidden |= {"explicit"}
    left_out = {*_INSIDE, *_LONG, *(() if every else hidden)}
    for name, value in attributes.items():
        if name not in left_out:
            yield name, day(attributes, marked=True) if person and name == "date" else _text(name, value)


def _text(name: str, value: object) -> str:
    """Return the value of an attribute in words: a duration in minutes, a list or look-up with commas."""
    if name == "duration" and isinstance(value, int):
        return f"{value // 60}:{value % 60:02d}"
    if isinstance(value, dict):  # a look-up: its source and time
        return ", ".join(str(item) for item in value.values())
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return str(value)


def _why(edge: EdgeAttributes, episode: NodeAttributes) -> list[str]:
    """Return the words, and the moments, of an edge; else its reasons."""
    said = (
        with_moment(evidence.get("quote", ""), episode, moments_of((evidence,)))
        for evidence in edge.get("evidence", ())
    )
    quotes = [printable_line(text) for text in said]
    return list(dict.fromkeys(quotes or [printable_line(reason) for reason in edge.get("reasons", ())]))
