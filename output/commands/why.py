"""``podgraph why EPISODE TEXT``: what each extractor saw in a passage, and what dropped it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from podgraph.graph import title_of

from ..terminal import note, print_heading, print_table
from .shared.arguments import add_question, given
from .shared.playlists import answered
from .shared.plugin_options import add_plugin_arguments, obey_plugin_arguments
from .shared.saved import open_saved
from .shared.wording import kind_name, relation_name

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from podgraph.graph import View, Why

EXAMPLES = """examples:
  podgraph why "Compiler collectives" "pull/130935"
  podgraph why vmap "PR #99"              a passage that does not stand in the notes
  podgraph why 12 "#123" --repo owner/name

TEXT stands in the title or the notes; where it does not, it is read as if it stood at the end of the notes, and a
line says so. Piped: extractor, quote, relation ("dropped" where it counts for nothing), node or reason, id; what is
boilerplate keeps its relation, and says why behind the node."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_question(parser, "why")
    add_plugin_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Answer; 1 when nothing was seen."""
    obey_plugin_arguments(arguments)
    graph = open_saved(arguments)
    answer = graph.why(**given(arguments, "why"))
    found = answer.raw
    if answered(arguments, [answer], graph.view, f"what was seen in {arguments.text}"):
        return 0 if found else 1
    if not found.field:
        place = f"the title and the notes of {title_of(found.attributes, found.id)}"
        note(f"{place} do not hold these words: read as if they stood at the end of the notes", quiet=arguments.quiet)
    if found:
        _print(found, graph.view)
    else:
        note("no extractor saw anything in it; `podgraph show NODE` has the notes", quiet=arguments.quiet)
    return 0 if found else 1


def _print(found: Why, view: View) -> None:
    person = sys.stdout.isatty()
    if person:
        print_heading(f"{title_of(found.attributes, found.id)}, {found.field or 'behind its notes'}:")
    headers = ("extractor", "words", "what", "result", "id")
    print_table(headers, list(_rows(found, view, person=person)), wide=(1, 3, 4), spare=(4,), below=(3,))


def _rows(found: Why, view: View, *, person: bool) -> Iterator[tuple[str, ...]]:
    """Yield (extractor, words, relation or "dropped", node or reason, id)."""
    for one in found.seen:
        dropped = bool(one.reason) and not one.boilerplate
        what = "dropped" if dropped else relation_name(one.relation) if person else one.relation
        kind = f" ({kind_name(one.kind, 1, view.kinds)})" if person and one.kind in view.kinds else ""
        aside = f" (boilerplate: {one.reason})" if one.boilerplate else ""
        yield one.extractor, one.quote, what, one.reason if dropped else f"{one.label}{kind}{aside}", one.id
