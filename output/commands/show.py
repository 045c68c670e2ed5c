"""``podgraph show NODE``: what it is, what it cites or who cites it, and where to read on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from podgraph.extractors import default_subject
from podgraph.graph import PLACES, title_of

from ..terminal import print_fields, print_heading, print_json, print_table, printable_line
from .shared.arguments import add_json_arguments, repository
from .shared.saved import add_graph_argument, open_saved
from .shared.wording import day, kind_name, relation_name

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from podgraph.graph import EdgeAttributes, Kinds, Shown

_EXAMPLES = """examples:
  podgraph show "Compiler collectives"
  podgraph show episode:pytorch-developer-podcast/vmap
  podgraph show pytorch/pytorch#130935

On a terminal -v shows everything, also guid, rank and place on the map.
Piped: a line with the title; name, value; then relation, node, why (joined by "; "), id."""
_LONG = ("summary", "description")
_INSIDE = frozenset(("id", "kind", "title", "label", "image"))
_DETAILS = frozenset(("guid", "rank"))  # of interest to few; -v shows them


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "node",
        metavar="NODE",
        help="a node id, an episode's title, number or page, or a reference as `cites` takes it",
    )
    parser.add_argument(
        "--repo",
        type=repository,
        default=default_subject().repo,
        metavar="OWNER/NAME",
        help="what bare numbers and paths are of (default: %(default)s)",
    )
    add_json_arguments(parser)
    add_graph_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Show one node; ``NotFoundError``, status 1, when there is none."""
    graph = open_saved(arguments)
    found = graph.show(arguments.node, repo=arguments.repo)
    if arguments.json:
        print_json(found.to_dict(arguments.fields))
    else:
        _print(found, graph.view.kinds, every=arguments.verbose)
    return 0


def _print(found: Shown, kinds: Kinds, *, every: bool) -> None:
    person = sys.stdout.isatty()
    print_heading(title_of(found.attributes))
    long = [(name, str(found.attributes.get(name))) for name in _LONG if name in found.attributes]
    rows = list(_fields(found, kinds, every=every, person=person))
    print_fields([*long, *rows] if person else [*rows, *long])
    connected = list(_edges(found, "\n" if person else "; "))
    if connected:
        print_table(("relation", "node", "because", "id"), connected, wide=(1, 2, 3), spare=(3,), below=(2,))


def _edges(found: Shown, between: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield (relation, node, why, id) of the neighbours, and of the relatives both ways as one."""
    for groups, backwards in ((found.into, True), (found.out, False)):
        for relation, others in groups.items():
            if relation != "related":
                name = relation_name(relation, backwards=backwards)
                yield from (
                    (name, title_of(one.attributes, one.id), between.join(_why(one.edge)), one.id) for one in others
                )
    for one in found.relatives:
        yield relation_name("related"), title_of(one.attributes, one.id), between.join(one.reasons), one.id


def _fields(found: Shown, kinds: Kinds, *, every: bool, person: bool) -> Iterator[tuple[str, str]]:
    """Yield names and values of the short attributes; without ``every``, those of interest to few are left out."""
    attributes = found.attributes
    yield "id", found.id
    yield "kind", kind_name(attributes["kind"], 1, kinds) if person else attributes["kind"]
    hidden = {*PLACES, *_DETAILS} if person else {*PLACES}
    if person and attributes.get("explicit") is False:
        hidden |= {"explicit"}
    left_out = {*_INSIDE, *_LONG, *(() if every else hidden)}
    for name, value in attributes.items():
        if name not in left_out:
            yield name, day(attributes, marked=True) if person and name == "date" else _text(name, value)


def _text(name: str, value: object) -> str:
    if name == "duration" and isinstance(value, int):
        return f"{value // 60}:{value % 60:02d}"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return str(value)


def _why(edge: EdgeAttributes) -> list[str]:
    quotes = [printable_line(evidence["quote"]) for evidence in edge.get("evidence", ())]
    return list(dict.fromkeys(quotes or [printable_line(reason) for reason in edge.get("reasons", ())]))
