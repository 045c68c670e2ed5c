"""The step between extraction and the graph: the indexes' facts about the mentions."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from ..model import Fact
from .symbols.facts import folder_edges, health, resolve_facts, title_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..model import KnownEdge
    from ..ref import Attrs, Ref
    from ..subjects.index import Index
    from .corpus import Extraction


def look_up(extractions: Iterable[Extraction], *indexes: Index) -> tuple[list[Fact], list[KnownEdge]]:
    """Return the facts of ``indexes`` about the artifacts that ``extractions`` mention; nothing is fetched.

    Facts are the state of a link or a name (``status``, ``current_url``) and the title of a page (``title``). Edges
    lead from symbols to their definition and documentation, and from files up to the folder of their subsystem.
    """
    refs: dict[str, Ref] = {}
    spelled: dict[Ref, None] = {}
    for mention in chain.from_iterable(extraction.mentions for extraction in extractions):
        refs[mention.ref.id] = mention.ref
        if mention.ref.kind == "symbol":
            spelled[mention.ref] = None
    refs = {id_: refs[id_] for id_ in sorted(refs)}
    symbols = sorted(spelled, key=lambda ref: ref.id)
    edges: list[KnownEdge] = []
    for index in indexes:
        own = list(resolve_facts(symbols, index))
        files = {**refs, **{edge.target.id: edge.target for edge in own}}
        edges += (*own, *folder_edges((files[id_] for id_ in sorted(files)), index))
    statuses = ((id_, _status(ref, indexes) + _title(ref, indexes)) for id_, ref in refs.items())
    return [Fact(id_, attrs) for id_, attrs in statuses if attrs], edges


def _title(ref: Ref, indexes: Sequence[Index]) -> Attrs:
    title = next((title for index in indexes if (title := title_of(ref, index))), "")
    return (("title", title),) if title else ()


def _status(ref: Ref, indexes: Sequence[Index]) -> Attrs:
    """Return ``status`` and perhaps ``current_url`` of a thing by the first index that knows it; nothing for none."""
    answers = [found for index in indexes if (found := health(ref, index)) is not None]
    best = next((found for found in answers if found.status != "unknown"), answers[0] if answers else None)
    if best is None:
        return ()
    current = best.current_url if best.current_url != ref.url else ""
    return (("status", best.status), *((("current_url", current),) if current else ()))
