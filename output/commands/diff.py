"""``podgraph diff OLD NEW``: what a new build added, changed, removed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from podgraph.graph import compare

from ..terminal import note, print_json, print_table
from .shared.saved import view_of

if TYPE_CHECKING:
    import argparse

    from podgraph.graph import Difference, View

_EXAMPLES = """examples:
  podgraph diff yesterday.json podgraph.json
  podgraph diff old.json new.json --json | jq .added

Piped: sign (+ added, - removed, ~ changed), kind, label, id, change; an edge has its relation for the kind."""
_LONGEST = 80


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.epilog = _EXAMPLES
    parser.add_argument("old", metavar="OLD", type=Path, help="a saved graph")
    parser.add_argument("new", metavar="NEW", type=Path, help="a saved graph")
    parser.add_argument("--edges", action="store_true", help="list edges too, not only count them")
    parser.add_argument("--json", action="store_true", help="JSON for programs")


def run(arguments: argparse.Namespace) -> int:
    """Answer; 1 when there is no difference."""
    old, new = view_of(arguments.old), view_of(arguments.new)
    difference = compare(old, new)
    if arguments.json:
        print_json(_as_json(difference))
    else:
        rows = [("+", *_shown(node), id_, "") for id_, node in difference.added.items()]
        rows += [("-", *_shown(node), id_, "") for id_, node in difference.removed.items()]
        for id_, changes in difference.changed.items():
            rows += [
                ("~", *_shown(new.node(id_) or {}), id_, f"{name}: {_cut(before)} -> {_cut(after)}")
                for name, before, after in changes
            ]
        if arguments.edges:
            rows += [_edge("+", edge, new) for edge in difference.added_edges]
            rows += [_edge("-", edge, old) for edge in difference.removed_edges]
        if rows:
            print_table(("", "kind", "label", "id", "change"), rows, wide=(2, 3, 4), spare=(3,), below=(4,))
        note(
            f"nodes: {len(difference.added)} added, {len(difference.removed)} removed, "
            f"{len(difference.changed)} changed; "
            f"edges: {len(difference.added_edges)} added, {len(difference.removed_edges)} removed",
            quiet=arguments.quiet,
        )
    return 0 if difference else 1


def _shown(node: Any) -> tuple[str, str]:
    return str(node.get("kind", "")), str(node.get("label", ""))


def _edge(sign: str, edge: tuple[str, str, str], view: View) -> tuple[str, str, str, str, str]:
    source, target, relation = edge
    ends = [str((view.node(id_) or {}).get("label", id_)) for id_ in (source, target)]
    return sign, relation, f"{ends[0]} -> {ends[1]}", f"{source} -> {target}", ""


def _cut(value: Any) -> str:
    if value is None:
        return "nothing"
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _as_json(difference: Difference) -> dict[str, Any]:
    def edges(keys: tuple[tuple[str, str, str], ...]) -> list[dict[str, str]]:
        return [{"source": source, "target": target, "key": relation} for source, target, relation in keys]

    return {
        "added": [{**node, "id": id_} for id_, node in difference.added.items()],
        "removed": [{**node, "id": id_} for id_, node in difference.removed.items()],
        "changed": [
            {"id": id_, "attributes": {name: {"old": before, "new": after} for name, before, after in changes}}
            for id_, changes in difference.changed.items()
        ],
        "added_edges": edges(difference.added_edges),
        "removed_edges": edges(difference.removed_edges),
    }
