"""``podgraph show NODE``: what it is, what it cites or who cites it, and where to read on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from podgraph.extractors import QueryError, default_subject
from podgraph.graph import neighbours, relatives_of, resolve_episode, resolve_reference

from ..terminal import clean, note, print_fields, print_heading, print_json, print_table
from .shared.arguments import repository
from .shared.saved import add_graph_argument, open_view
from .shared.words import day, kind_name, relation_name

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from podgraph.graph import View

    Groups = dict[str, list[tuple[str, Mapping[str, Any]]]]

_EXAMPLES = """examples:
  podgraph show "Compiler collectives"
  podgraph show episode:pytorch-developer-podcast/vmap
  podgraph show pytorch/pytorch#130935

On a terminal -v shows everything, also guid, rank and place on the map.
Piped: a line with the title; name, value; then relation, node, why (joined by "; "), id."""
_LONG = ("summary", "description")
_INSIDE = frozenset(("id", "kind", "title", "label", "image"))
_PLACES = frozenset(("x", "y"))
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
    parser.add_argument("--json", action="store_true", help="JSON for programs")
    add_graph_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Show one node; 1 when there is none."""
    view = open_view(arguments)
    id_ = find_node(arguments.node, view, arguments.repo)
    node = view.node(id_) if id_ else None
    if node is None:
        note(
            f"no node is called {arguments.node!r}; `podgraph search` looks in labels and notes",
            quiet=arguments.quiet,
        )
        return 1
    groups = neighbours(id_, view)
    if arguments.json:
        print_json(_as_json(id_, node, groups, view))
    else:
        _print(id_, node, groups, view, every=arguments.verbose)
    return 0


def find_node(query: str, view: View, repo: str) -> str:
    """Return the id of what ``query`` means: a node id, an episode, or a reference; "" for nothing."""
    if not query.strip():
        raise QueryError("an empty name means no node", remedy="give an id, a title, or a reference")
    if view.node(query) is not None:
        return query
    # An episode called exactly so goes before the topic or symbol of the same name.
    folded = " ".join(query.casefold().split())
    titled = [id_ for id_, node in view.nodes("episode") if str(node.get("title", "")).casefold() == folded]
    if len(titled) == 1:
        return titled[0]
    target = resolve_reference(query, view, repo)
    if target.nodes:
        return target.nodes[0]
    try:
        return resolve_episode(query, view)
    except QueryError as error:
        if "may mean" in str(error):
            raise
        return ""


def _print(id_: str, node: Mapping[str, Any], groups: Groups, view: View, *, every: bool) -> None:
    shown = sys.stdout.isatty()
    print_heading(str(node.get("title") or node["label"]))
    long = [(name, str(node[name])) for name in _LONG if name in node]
    rows = [("id", id_), ("kind", kind_name(str(node["kind"]), 1, view.kinds) if shown else str(node["kind"]))]
    for name, value in node.items():
        hidden = name in _PLACES or (shown and (name in _DETAILS or (name == "explicit" and value is False)))
        if name not in _INSIDE and name not in _LONG and (every or not hidden):
            rows.append((name, day(node, marked=True) if shown and name == "date" else _text(name, value)))
    print_fields([*long, *rows] if shown else [*rows, *long])
    connected = [
        (
            relation_name(relation.removeprefix("<"), backwards=relation.startswith("<")),
            _name(other, view),
            ("\n" if shown else "; ").join(_why(attributes)),
            other,
        )
        for relation, others in groups.items()
        if relation.removeprefix("<") != "related"
        for other, attributes in others
    ]
    connected += [
        (relation_name("related"), _name(one.id, view), ("\n" if shown else "; ").join(one.reasons), one.id)
        for one in relatives_of(id_, view, sys.maxsize)
    ]
    if connected:
        print_table(("relation", "node", "because", "id"), connected, wide=(1, 2, 3), spare=(3,), below=(2,))


def _name(id_: str, view: View) -> str:
    node = view.node(id_) or {}
    return str(node.get("title") or node.get("label", id_))


def _text(name: str, value: Any) -> str:
    if name == "duration" and isinstance(value, int):
        return f"{value // 60}:{value % 60:02d}"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return str(value)


def _why(attributes: Mapping[str, Any]) -> list[str]:
    quotes = [clean(str(evidence["quote"])) for evidence in attributes.get("evidence", ())]
    return list(dict.fromkeys(quotes or [clean(str(reason)) for reason in attributes.get("reasons", ())]))


def _as_json(id_: str, node: Mapping[str, Any], groups: Groups, view: View) -> dict[str, Any]:
    def entry(other: str, attributes: Mapping[str, Any]) -> dict[str, Any]:
        neighbour = view.node(other) or {}
        kept = {name: value for name, value in attributes.items() if name not in ("source", "target", "key")}
        return {"id": other, "kind": neighbour.get("kind", ""), "label": neighbour.get("label", ""), **kept}

    outward = {
        relation: [entry(*pair) for pair in pairs] for relation, pairs in groups.items() if not relation.startswith("<")
    }
    inward = {
        relation[1:]: [entry(*pair) for pair in pairs] for relation, pairs in groups.items() if relation.startswith("<")
    }
    return {**node, "id": id_, "out": outward, "in": inward}
