"""``podgraph path A B``: how two nodes are connected, relation by relation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.graph import name_of

from ..terminal import note, print_heading, print_table
from .shared.arguments import given
from .shared.playlists import answered
from .shared.saved import open_saved
from .shared.wording import kind_name, relation_name

if TYPE_CHECKING:
    import argparse

    from podgraph.graph import Step, View

EXAMPLES = """examples:
  podgraph path vmap "CUDA graphs"
  podgraph path pytorch/pytorch#130935 "Intro to distributed" -n 3

Piped: from, relation, to, because (between several ways, a line "way N"). --json has kinds and ids."""
_TELLING = frozenset(("episode", "podcast", "blog", "topic", "symbol", "person"))  # kinds to print beside the label


def run(arguments: argparse.Namespace) -> int:
    """Answer; 1 when nothing connects the two."""
    graph = open_saved(arguments)
    view = graph.view
    answer = graph.path(**given(arguments, "path"))
    found = answer.raw
    if answered(arguments, [answer], view, f"from {arguments.a} to {arguments.b}"):
        return 0 if found.ways else 1
    if not found.ways:
        same = "; give two nodes" if found.first == found.last else ""
        note(f"nothing connects {found.first} and {found.last}{same}", quiet=arguments.quiet)
    for place, way in enumerate(found.ways, 1):
        if len(found.ways) > 1:
            print_heading(f"way {place}")
        rows = [
            (
                _named(step.source, view),
                relation_name(step.relation, backwards=step.backwards),
                _named(step.target, view),
                _why(step),
            )
            for step in way
        ]
        print_table(("from", "relation", "to", "because"), rows, wide=(0, 2, 3), below=(3,))
    return 0 if found.ways else 1


def _why(step: Step) -> str:
    reasons = list(step.attributes.get("reasons", ()))
    for first in step.attributes.get("evidence", ())[:1]:
        reasons.insert(0, f"its {first.get('field', 'text')}: “{first.get('quote', '')}”")
    return "; ".join(reasons[:3])


def _named(id_: str, view: View) -> str:
    kind = _kind(id_, view)
    return f"{name_of(id_, view)} ({kind_name(kind, 1, view.kinds)})" if kind in _TELLING else name_of(id_, view)


def _kind(id_: str, view: View) -> str:
    return (view.node(id_) or {}).get("kind", "")
