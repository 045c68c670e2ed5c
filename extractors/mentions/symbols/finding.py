"""Symbols in notes and titles: names from a subject's code, without a link.

Only exact names of the subject's index and curated spellings of them. An ambiguous name is settled by the other names
in the episode (its class, its module) or left alone; ordinary words that are also classes (``Parameter``, ``Buffer``,
``Tensor``) count only with evidence for the class.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ...model import Mention
from ...ref import Ref
from ...sites import identify
from ...subjects.index import subject_index
from ...subjects.subject import Nearness
from .lexicon import lexicon_of
from .reader import ALL, COINED, QUALIFIED, Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...model import Episode
    from ...subjects.index import Index
    from ..corpus import Corpus
    from .reader import Found

# How much is read of an episode that is so near to the subject.
_LEVELS = {
    Nearness.OWN: ALL,
    Nearness.NAMED: COINED,
    Nearness.CODE: COINED,
    Nearness.NAMESPACE: QUALIFIED,
    Nearness.APART: None,
}


def find_symbols(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the symbols and files of a subject's code that an episode's title and notes name, in the order of reading.

    In a corpus about the subject (by its ``default_repo``) all rules apply; in an episode that merely mentions it, only
    names without another meaning; elsewhere, only fully qualified names (``c10::Device``). URLs are never read. Yields
    mentions with relation ``mentions`` of symbols, files and folders; their method is ``symbol`` for an exact name,
    ``alias`` for a curated or healed spelling.
    """
    texts = {"title": episode.title, "notes": episode.notes}
    for subject in corpus.subjects:
        level = _LEVELS[subject.nearness(*texts.values(), repo=corpus.default_repo)]
        index = _index(subject)
        if index is None or level is None:
            continue
        for found, name in _read(episode, index, level):
            quote = texts[found.field][found.start : found.end]
            place = (found.field, found.start, found.end, quote, found.method)
            confidence = 1.0 if found.sure else 0.9
            yield Mention(symbol_ref(index, name), *place, "symbols", confidence, relation="mentions")


_index = lru_cache(maxsize=16)(subject_index)  # each item asks for it


def _read(episode: Episode, index: Index, level: int) -> Iterator[tuple[Found, str]]:
    """Return each name in an episode's title and notes with its one meaning, reading at this level."""
    reader = Reader(lexicon_of(index), level)
    reader.read("title", episode.title)
    reader.read("notes", _without_links(episode))
    return reader.settle()


def _without_links(episode: Episode) -> str:
    """Return the notes with blanks in place of written-out addresses, as many as letters, so that offsets stay valid.

    The words of a hyperlink are kept.
    """
    parts, at = [], 0
    for link in episode.links:
        if (link.method == "url" or link.truncated) and link.start >= at:
            parts += [episode.notes[at : link.start], " " * (link.end - link.start)]
            at = link.end
    return "".join((*parts, episode.notes[at:]))


@lru_cache(maxsize=8192)
def symbol_ref(index: Index, name: str) -> Ref:
    """Return the identity of a symbol of the index, or of a path (``/torch/csrc/``, ``/torch/_ops.py``).

    A symbol's address is that of its documentation, else that of its definition.
    """
    if name.startswith("/"):
        kind = "tree" if name.endswith("/") else "blob"
        known = identify(f"https://github.com/{index.repo}/{kind}/main/{name.strip('/')}")
        assert known is not None
        return known[1]
    symbol = index.symbol(name)
    assert symbol is not None
    place = index.source(name)
    module = (("module", symbol.module),) if symbol.module else ()
    url = index.docs_url(name) or (place.url if place else "")
    return Ref("symbol", f"symbol:{name}", name, url, (("language", symbol.language), *module))
