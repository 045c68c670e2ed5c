"""The step between extraction and the graph: what the index knows about the things that were named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Fact
from .symbol_facts import folder_edges, health, resolve_facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model import KnownEdge
    from ..subjects.index import Index
    from .extraction import Extraction


def look_up(extractions: Sequence[Extraction], index: Index) -> tuple[list[Fact], list[KnownEdge]]:
    """Return what ``index`` knows of the things that ``extractions`` mention; nothing is fetched.

    Facts say whether a link or a name is still good (``status``, ``current_url``); edges lead from symbols to
    their definition and documentation, and from files up to the folder of their subsystem.
    """
    mentions = sorted(
        (mention for extraction in extractions for mention in extraction.mentions),
        key=lambda mention: mention.ref.id,
    )
    edges = list(resolve_facts(mentions, index))
    refs = {mention.ref.id: mention.ref for mention in mentions}
    facts = []
    for id_, ref in refs.items():
        found = health(ref, index)
        if found is not None:
            current = (
                (("current_url", found.current_url),) if found.current_url and found.current_url != ref.url else ()
            )
            facts.append(Fact(id_, (("status", found.status), *current), f"index of PyTorch {index.version}"))
    files = {**refs, **{edge.target.id: edge.target for edge in edges}}
    edges += folder_edges(files[id_] for id_ in sorted(files) if files[id_].id.startswith(f"github:{index.repo}:"))
    return facts, edges
