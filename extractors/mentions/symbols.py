"""Symbols in notes and titles: what an episode names in PyTorch's code, without a link.

Exact names of the index and curated spellings of them, nothing fuzzy. A name that may mean several things is
settled by what else the episode names (its class, its module) or left alone; ordinary words that happen to be
classes (``Parameter``, ``Buffer``, ``Tensor``) count only with evidence that the class is meant.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ..model import Mention
from ..ref import Ref
from ..sites import identify
from ..subjects.index import read_index
from .symbol_lexicon import Lexicon
from .symbol_reader import ALL, COINED, QUALIFIED, Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..model import Episode
    from ..subjects.index import Index
    from .corpus import Corpus

_REPO = "pytorch/pytorch"
_ABOUT_PYTORCH = re.compile(r"\bpytorch\b|\btorch\.[a-z_]", re.IGNORECASE)
_QUALIFIED_NAME = re.compile(r"\b(?:torch|functorch)\.[A-Za-z_]|\b(?:at|c10d?|torch|aten)::[A-Za-z_]")


def find_symbols(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the symbols and files of PyTorch that an episode's title and notes name, in the order of reading.

    In a corpus about PyTorch (its ``default_repo`` says so) all rules apply; in an episode that merely mentions
    PyTorch, only names that could be nothing else; elsewhere, fully qualified names (``torch.vmap``) alone. Text
    that is a URL is never read. Yields mentions with relation ``mentions`` of symbols, files and folders; their
    method is ``symbol`` for a name as it is, ``alias`` for a curated or healed spelling.
    """
    return _finder()(episode, corpus)


@lru_cache(maxsize=1)
def _finder() -> Callable[[Episode, Corpus], Iterator[Mention]]:
    return symbol_finder(read_index())


def symbol_finder(index: Index) -> Callable[[Episode, Corpus], Iterator[Mention]]:
    """Return ``find_symbols`` for another index: that of another version of PyTorch, say."""
    lexicon: list[Lexicon] = []  # made for the first episode that needs it

    def find(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
        level = _level(episode, corpus, index.projects)
        if level is None:
            return
        if not lexicon:
            lexicon.append(Lexicon(index))
        reader = Reader(lexicon[0], level)
        reader.read("title", episode.title)
        reader.read("notes", _without_links(episode))
        for found, name in reader.settle():
            text = episode.title if found.field == "title" else episode.notes
            yield Mention(
                symbol_ref(index, name),
                found.field,
                found.start,
                found.end,
                text[found.start : found.end],
                found.method,
                "symbols",
                1.0 if found.sure else 0.9,
                relation="mentions",
            )

    return find


def _level(episode: Episode, corpus: Corpus, projects: tuple[str, ...]) -> int | None:
    """Return how much of an episode may be read, ``None`` for nothing."""
    if corpus.default_repo.lower() == _REPO:
        return ALL
    texts = (episode.title, episode.notes)
    if any(_ABOUT_PYTORCH.search(text) for text in texts):
        return COINED
    names = any(_QUALIFIED_NAME.search(text) or any(f"{name}." in text for name in projects) for text in texts)
    return QUALIFIED if names else None


def _without_links(episode: Episode) -> str:
    """Blank the links written out in the notes, so that offsets stay; the words of a hyperlink are words."""
    text = episode.notes
    for link in episode.links:
        if link.method == "url" or link.truncated:
            text = text[: link.start] + " " * (link.end - link.start) + text[link.end :]
    return text


@lru_cache(maxsize=8192)
def symbol_ref(index: Index, name: str) -> Ref:
    """Return the identity of a symbol of the index, or of a path (``/torch/csrc/``, ``/torch/_ops.py``).

    A symbol's address is that of its documentation, else that of its definition; one of another project has the
    project for its module.
    """
    if name.startswith("/"):
        kind = "tree" if name.endswith("/") else "blob"
        known = identify(f"https://github.com/{index.repo}/{kind}/main/{name.strip('/')}")
        assert known is not None
        return known[1]
    symbol = index.symbol(name)
    if symbol is None:
        foreign = index.foreign(name)
        assert foreign is not None
        project, url = foreign
        return Ref("symbol", f"symbol:{name}", name, url, (("language", "python"), ("module", project)))
    place = index.source(name)
    module = (("module", symbol.module),) if symbol.module else ()
    url = index.docs_url(name) or (place.url if place else "")
    return Ref("symbol", f"symbol:{name}", name, url, (("language", symbol.language), *module))
