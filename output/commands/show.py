"""``podgraph show NODE``: what it is, what it cites or who cites it, and where to read on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from extractors import QueryError
from graph import neighbours, resolve_episode, resolve_reference

from ..arguments import repository
from ..saved import add_graph_argument, open_view
from ..terminal import note, print_fields, print_heading, print_json, print_table

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from graph import View

_EXAMPLES = """examples:
  podgraph show "Compiler collectives"
  podgraph show episode:pytorch-developer-podcast/vmap
  podgraph show pytorch/pytorch#130935"""
# How a relation reads from the node's side; "<" marks edges that lead to it.
WORDS = {
    "part_of": "part of", "<part_of": "has",
    "cites": "cites", "<cites": "cited by",
    "mentions": "names", "<mentions": "named by",
    "about": "about", "<about": "talked about in",
    "listen_first": "listen first to", "<listen_first": "listen to this before",
    "see_also": "see also", "<see_also": "pointed to by",
    "related": "related to", "<related": "related from",
    "in_repo": "in repository", "<in_repo": "contains",
    "in_folder": "in folder", "<in_folder": "contains",
    "defined_in": "defined in", "<defined_in": "defines",
    "documented_at": "documented at", "<documented_at": "documents",
    "subtopic_of": "part of topic", "<subtopic_of": "has subtopic",
    "covers": "covers", "<covers": "covered by",
}  # fmt: skip
_LONG = frozenset(("summary", "description"))
_INSIDE = frozenset(("id", "x", "y", "image"))


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
        default="pytorch/pytorch",
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
        _print(id_, node, groups, view)
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


def _print(
    id_: str, node: Mapping[str, Any], groups: dict[str, list[tuple[str, Mapping[str, Any]]]], view: View
) -> None:
    print_heading(str(node.get("title") or node["label"]))
    rows = [("id", id_), ("kind", str(node["kind"]))]
    for name, value in node.items():
        if name not in _LONG | _INSIDE | {"kind", "title", "label"}:
            rows.append((name, _text(name, value)))
    rows += [(name, str(node[name])) for name in ("summary", "description") if name in node]
    print_fields(rows)
    connected = []
    for relation, others in groups.items():
        for other, attributes in others:
            neighbour = view.node(other) or {}
            connected.append(
                (
                    WORDS.get(relation, relation),
                    str(neighbour.get("title") or neighbour.get("label", other)),
                    _why(attributes),
                    other,
                )
            )
    if connected:
        print_table(("relation", "node", "because", "id"), connected, wide=(1, 2, 3), spare=(3,), below=(2,))


def _text(name: str, value: Any) -> str:
    if name == "duration" and isinstance(value, int):
        return f"{value // 60}:{value % 60:02d}"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return str(value)


def _why(attributes: Mapping[str, Any]) -> str:
    quotes = [str(evidence["quote"]) for evidence in attributes.get("evidence", ())]
    return "\n".join(dict.fromkeys(quotes or [str(reason) for reason in attributes.get("reasons", ())]))


def _as_json(
    id_: str, node: Mapping[str, Any], groups: dict[str, list[tuple[str, Mapping[str, Any]]]], view: View
) -> dict[str, Any]:
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
