"""The step between extraction and the graph: the indexes' facts about the mentions."""

from __future__ import annotations

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
    distinct = {mention.ref: None for extraction in extractions for mention in extraction.mentions}
    unsorted = {ref.id: ref for ref in distinct}
    refs = {id_: unsorted[id_] for id_ in sorted(unsorted)}
    symbols = sorted((ref for ref in distinct if ref.kind == "symbol"), key=lambda ref: ref.id)
    edges: list[KnownEdge] = []
    for index in indexes:
        own = list(resolve_facts(symbols, index))
        files = {**refs, **{edge.target.id: edge.target for edge in own}}
        edges += (*own, *folder_edges((files[id_] for id_ in sorted(files)), index))
    facts = [Fact(ref.id, _find_attributes(ref, indexes)) for ref in refs.values()]
    return [fact for fact in facts if fact.attrs], edges


def _find_attributes(ref: Ref, indexes: Sequence[Index]) -> Attrs:
    """Return the status of a thing by the first index that knows it, and perhaps its ``current_url`` and ``title``."""
    found: dict[str, str] = {}
    answers = [answer for index in indexes if (answer := health(ref, index)) is not None]
    if answers:
        best = next((answer for answer in answers if answer.status != "unknown"), answers[0])
        found["status"] = best.status
        if best.current_url and best.current_url != ref.url:
            found["current_url"] = best.current_url
    if title := next(filter(None, (title_of(ref, index) for index in indexes)), ""):
        found["title"] = title
    return tuple(found.items())
