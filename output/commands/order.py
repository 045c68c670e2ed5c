"""``podgraph order [EPISODE|TOPIC]``: in which order to listen."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from podgraph.extractors import NotFoundError, QueryError
from podgraph.graph import Order, order_all, order_episode, order_topic, resolve_episode, resolve_topic

from ..terminal import note, print_json, print_table
from .shared.saved import add_graph_argument, open_view
from .shared.words import day, note_doubt, told

if TYPE_CHECKING:
    import argparse

    from podgraph.graph import View

_EXAMPLES = """examples:
  podgraph order "Weak references"   what to hear before it, and then it
  podgraph order dispatcher          the episodes about a topic, from introduction to depth
  podgraph order                     all episodes, prerequisites first

Piped: place, date, title, why here, page.
Dates are bare in a pipe; "uncertain" in --json names what of an episode is not certain."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "what", metavar="EPISODE|TOPIC", nargs="?", default="", help="an episode, or a topic's name; none: everything"
    )
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--topic", action="store_true", help="take the name for a topic's")
    kind.add_argument("--episode", action="store_true", help="take the name for an episode's")
    parser.add_argument("--json", action="store_true", help="JSON for programs")
    add_graph_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Answer; 1 when there is nothing to order."""
    view = open_view(arguments)
    order = _order(arguments, view)
    for circle in order.circles:
        names = " -> ".join(_title(id_, view) for id_ in (*circle, circle[0]))
        note(f"these want each other heard first: {names}", quiet=arguments.quiet)
    if arguments.json:
        print_json(
            {
                "query": arguments.what,
                "found": bool(order.steps),
                "steps": [
                    {
                        "id": step.episode,
                        "title": _title(step.episode, view),
                        **told(view.node(step.episode) or {}),
                        "reason": step.reason,
                    }
                    for step in order.steps
                ],
                "circles": [list(circle) for circle in order.circles],
            }
        )
    elif order.steps:
        if not arguments.what:
            note("by date, but prerequisites first", quiet=arguments.quiet)
        rows = [
            (
                str(place),
                day(view.node(step.episode) or {}, marked=sys.stdout.isatty()),
                _title(step.episode, view),
                step.reason,
                _url(step.episode, view),
            )
            for place, step in enumerate(order.steps, 1)
        ]
        print_table(("", "date", "episode", "why here", "page"), rows, wide=(2, 3, 4), below=(3, 4))
        episodes = (view.node(step.episode) or {} for step in order.steps)
        note_doubt(episodes, quiet=arguments.quiet or not sys.stdout.isatty())
    else:
        note(f"no episode is about {arguments.what!r}", quiet=arguments.quiet)
    return 0 if order.steps else 1


def _order(arguments: argparse.Namespace, view: View) -> Order:
    """Return the order asked for; a name that both a topic and an episode have is the topic's if more is about it."""
    if not arguments.what:
        return order_all(view)
    topic = "" if arguments.episode else resolve_topic(arguments.what, view)
    if topic:
        order = order_topic(topic, view)
        if arguments.topic or len(order.steps) > 1:
            return order
    if arguments.topic:
        raise NotFoundError(f"there is no topic {arguments.what!r}", remedy="`podgraph list topics` shows all")
    try:
        return order_episode(resolve_episode(arguments.what, view), view)
    except NotFoundError as error:
        if topic:
            return order_topic(topic, view)
        raise NotFoundError(
            f"no topic or episode is called {arguments.what!r}",
            remedy="`podgraph list topics` and `podgraph list episodes` show all",
        ) from error
    except QueryError:
        if topic:
            return order_topic(topic, view)
        raise


def _title(id_: str, view: View) -> str:
    node = view.node(id_) or {}
    return str(node.get("title") or node.get("label", id_))


def _url(id_: str, view: View) -> str:
    return str((view.node(id_) or {}).get("url", ""))
