"""``podgraph diff OLD NEW``: the nodes and edges added, changed and removed in a new build."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from podgraph.graph import SOURCES, label_of, newest_first

from ..library import open as open_graph
from ..terminal import note, print_table
from .shared.arguments import add_json_arguments
from .shared.playlists import add_output_argument, answered

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from podgraph.graph import Difference, EdgeKey, NodeAttributes, View

    Row = tuple[str, str, str, str, str]

EXAMPLES = """examples:
  podgraph diff yesterday.json podgraph.json
  podgraph diff old.json new.json --json | jq .added
  podgraph diff old.json new.json -o new.rss      the feed of what is new
  podgraph diff old.json new.json -q --exit-code > /dev/null || echo changed

Piped: sign (+ added, - removed, ~ changed), kind, label, id, change; an edge has its relation for the kind."""
_LONGEST, _AHEAD = 80, 20  # characters of a text; characters before the difference


class Added(NamedTuple):
    """A new node."""

    id: str
    attributes: NodeAttributes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("old", metavar="OLD", type=Path, help="a saved graph")
    parser.add_argument("new", metavar="NEW", type=Path, help="a saved graph")
    parser.add_argument("--edges", action="store_true", help="list edges too, not only count them")
    parser.add_argument(
        "--exit-code", action="store_true", help="status 1 when there are changes, as `git diff` has it"
    )
    add_output_argument(parser, "diff", "the new episodes")
    add_json_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Answer; 1 only when there are changes and ``--exit-code`` asks for it."""
    before, after = open_graph(arguments.old), open_graph(arguments.new)
    answer = before.diff(after)
    difference = answer.raw
    old, new = before.view, after.view
    status = 1 if difference and arguments.exit_code else 0
    added = [Added(id_, node) for id_, node in difference.added.items() if node.get("kind") in SOURCES]
    fresh = [(one.id, one.attributes, "") for one in newest_first(added, new)]
    if answered(arguments, [answer], new, "what is new", serial=False, episodes=fresh):
        return status
    rows = list(node_rows(difference, new))
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
    return status


def node_rows(difference: Difference, new: View) -> Iterator[Row]:
    """Yield a row (sign, kind, label, id, change) for each added, removed or changed node."""
    for sign, nodes in (("+", difference.added), ("-", difference.removed)):
        yield from ((sign, *_called(node), id_, "") for id_, node in nodes.items())
    for id_, changes in difference.changed.items():
        called = _called(new.node(id_) or {})
        yield from (("~", *called, id_, f"{name}: {_change(before, after)}") for name, before, after in changes)


def _called(node: NodeAttributes) -> tuple[str, str]:
    return node.get("kind", ""), node.get("label", "")


def _edge(sign: str, edge: EdgeKey, view: View) -> Row:
    source, target, relation = edge
    return sign, relation, f"{label_of(source, view)} -> {label_of(target, view)}", f"{source} -> {target}", ""


def _change(before: object, after: object) -> str:
    """Return the old and the new text; for long texts, the part with the first difference.

    >>> _change("x" * 300 + "old", "x" * 300 + "new")
    '…xxxxxxxxxxxxxxxxxxxxold -> …xxxxxxxxxxxxxxxxxxxxnew'
    """
    pairs = enumerate(zip(str(before), str(after), strict=False))
    differ = next((at for at, (old, new) in pairs if old != new), min(len(str(before)), len(str(after))))
    start = differ - _AHEAD if differ > _LONGEST - _AHEAD else 0
    return f"{_cut(before, start)} -> {_cut(after, start)}"


def _cut(value: object, start: int) -> str:
    if value is None:
        return "nothing"
    text = str(value)
    shown = text[start : start + _LONGEST]
    return f"{'…' if start else ''}{shown}{'…' if start + _LONGEST < len(text) else ''}"
