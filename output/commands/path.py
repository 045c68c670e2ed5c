"""``podgraph path A B``: how two nodes are connected, relation by relation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from podgraph.extractors import NotFoundError, QueryError
from podgraph.graph import resolve_episode, resolve_reference

from ..terminal import note, print_heading, print_json, print_table
from .shared.arguments import number_from
from .shared.saved import add_graph_argument, open_view
from .shared.words import kind_name, relation_name

if TYPE_CHECKING:
    import argparse

    from podgraph.graph import Step, View

_EXAMPLES = """examples:
  podgraph path vmap "CUDA graphs"
  podgraph path pytorch/pytorch#130935 "Intro to distributed" -k 3

Piped: from, relation, to, because (between several ways, a line "way N"). --json has kinds and ids."""
_TELLING = frozenset(("episode", "podcast", "blog", "topic", "symbol", "person"))  # kinds that a label does not tell


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.epilog = _EXAMPLES
    for name in ("A", "B"):
        parser.add_argument(name.lower(), metavar=name, help="an episode, or anything that `podgraph cites` takes")
    parser.add_argument("-k", type=number_from(1), default=1, metavar="K", help="up to K ways (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="JSON for programs")
    add_graph_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Answer; 1 when nothing connects the two."""
    from podgraph.graph import find_paths  # noqa: PLC0415 - loads networkx

    view = open_view(arguments)
    first, last = _node(arguments.a, view), _node(arguments.b, view)
    ways = find_paths(view, first, last, arguments.k)
    if arguments.json:
        steps = [[_as_json(step, view) for step in way] for way in ways]
        print_json({"from": first, "to": last, "found": bool(ways), "paths": steps})
    else:
        for place, way in enumerate(ways, 1):
            if len(ways) > 1:
                print_heading(f"way {place}")
            rows = [
                (
                    _shown(step.source, view),
                    relation_name(step.relation, backwards=step.backwards),
                    _shown(step.target, view),
                    _why(step),
                )
                for step in way
            ]
            print_table(("from", "relation", "to", "because"), rows, wide=(0, 2, 3), below=(3,))
        if not ways:
            note(f"nothing connects {first} and {last}", quiet=arguments.quiet)
    return 0 if ways else 1


def _node(query: str, view: View) -> str:
    """Return the one node that is meant: an episode by its title, else what a reference names."""
    try:
        return resolve_episode(query, view)
    except QueryError as error:
        found = resolve_reference(query, view).nodes
        if found:
            return found[0]
        raise NotFoundError(f"nothing in the graph is called {query!r}", remedy="try `podgraph search`") from error


def _why(step: Step) -> str:
    evidence = step.attributes.get("evidence", ())
    reasons = list(step.attributes.get("reasons", ()))
    if evidence:
        first = evidence[0]
        reasons.insert(0, f"its {first['field']}: “{first['quote']}”")
    return "; ".join(reasons[:3])


def _label(id_: str, view: View) -> str:
    node = view.node(id_) or {}
    return str(node.get("title") or node.get("label", id_))


def _shown(id_: str, view: View) -> str:
    kind = str((view.node(id_) or {}).get("kind", ""))
    return f"{_label(id_, view)} ({kind_name(kind)})" if kind in _TELLING else _label(id_, view)


def _as_json(step: Step, view: View) -> dict[str, Any]:
    return {
        "source": step.source,
        "source_label": _label(step.source, view),
        "source_kind": (view.node(step.source) or {}).get("kind", ""),
        "target": step.target,
        "target_label": _label(step.target, view),
        "target_kind": (view.node(step.target) or {}).get("kind", ""),
        "relation": step.relation,
        "backwards": step.backwards,
        **{name: step.attributes[name] for name in ("evidence", "reasons") if name in step.attributes},
    }
