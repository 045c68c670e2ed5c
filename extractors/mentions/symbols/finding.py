"""Symbols in notes and titles: names from a subject's code, without a link.

Only exact names of the subject's index and curated spellings of them. An ambiguous name is settled by the other names
in the episode (its class, its module) or left alone; ordinary words that are also classes (``Parameter``, ``Buffer``,
``Tensor``) count only with evidence for the class. Time grows linearly with the length of any text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ...model import Mention
from ...ref import Ref
from ...sites import identify
from ...subjects.index import subject_index
from ...subjects.subject import Nearness
from .lexicon import is_camel, is_clear, is_file_name, lexicon_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...model import Episode
    from ...subjects.index import Index
    from ...subjects.subject import Code
    from ..corpus import Corpus
    from .lexicon import Lexicon

_NAME = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)*")  # a word, or words with dots or ``::`` between them
_PATH = re.compile(r"\w+(?:(?:\.|::)\w+)*/\w+(?:[./-]\w+)*")
_NAME_BEFORE, _NAME_BEHIND = re.compile(r"(\w+)/\Z"), re.compile(r"/(\w+)")
_TOKEN = re.compile(r"\S+")
_URL = re.compile(r"://|\bwww\.|\.(?:com|org|io|net|dev|ai|edu)\b", re.IGNORECASE)  # the mark of an address
_LONGEST_NAME = 300  # characters: longer text is not a name, and must not cost more than its length
_LONGEST_CHAIN = 24  # parts of a name that are looked up


class Found(NamedTuple):
    """A place in a field, and the names it may mean; ``sure`` when it needs no context.

    A name that begins with ``/`` is a path of the repository, a folder's ends with ``/``.
    """

    field: str
    start: int
    end: int
    names: Sequence[str]
    method: str
    sure: bool


def find_symbols(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the symbols and files of a subject's code that an episode's title and notes name, in the order of reading.

    In a corpus about the subject (by its ``default_repo``) all rules apply; in an episode that merely mentions it, only
    names without another meaning; elsewhere, only fully qualified names (``c10::Device``). URLs are never read. Yields
    mentions with relation ``mentions`` of symbols, files and folders; their method is ``symbol`` for an exact name,
    ``alias`` for a curated or healed spelling.
    """
    texts = {"title": episode.title, "notes": episode.notes}
    for subject in corpus.subjects:
        nearness = subject.nearness(*texts.values(), repo=corpus.default_repo)
        index = _index(subject) if nearness > Nearness.APART else None
        if index is None:
            continue
        places: list[Found] = []
        for field, text in texts.items():
            names = _Reader(lexicon_of(index), field, text).read()
            places += (name for name in names if _is_read(name, text[name.start : name.end], nearness, subject.code))
        for found, name in _choose_names(places, subject.code):
            quote = texts[found.field][found.start : found.end]
            fields = (found.field, found.start, found.end, quote, found.method, "symbols", 1.0 if found.sure else 0.9)
            yield Mention(symbol_ref(index, name), *fields, relation="mentions")


_index = lru_cache(maxsize=16)(subject_index)  # each item asks for it


def _is_read(found: Found, quote: str, nearness: Nearness, code: Code) -> bool:
    """Return whether a name counts in an episode that is so near to the subject of the code."""
    if nearness == Nearness.OWN or found.names[0].startswith("/"):
        return nearness == Nearness.OWN
    if quote.partition(".")[0] in code.roots or quote.partition("::")[0] in code.namespaces:
        return "." in quote or "::" in quote or nearness > Nearness.NAMESPACE
    is_coined = any(mark in quote.lower() for mark in ("_", ".", "::", *code.coinages)) or is_camel(quote)
    return is_coined and nearness > Nearness.NAMESPACE


def _choose_names(places: Sequence[Found], code: Code) -> Iterator[tuple[Found, str]]:
    """Yield each place with its one meaning.

    An ambiguous one means the name that occurs elsewhere, else the one whose owner does; without just one such, none.
    """
    sure = {found.names[0] for found in places if found.sure}
    near = (sure | {owner(name) for name in sure}) - code.everywhere - {""}
    for found in places:
        names = found.names[:1]
        if not found.sure:
            names = [name for name in found.names if name in sure]
            names = names or [name for name in found.names if owner(name) in near]
        if len(names) == 1:
            yield found, names[0]


class _Reader:
    """Reads one field of an episode for names of code."""

    def __init__(self, lexicon: Lexicon, field: str, text: str) -> None:
        """Blank each run of characters that holds an address, so that offsets stay."""
        self._lexicon, self._field = lexicon, field
        self._text = f"{_TOKEN.sub(_blank_address, text) if _URL.search(text) else text} "

    def read(self) -> Iterator[Found]:
        """Yield the names in the order of reading."""
        before = None
        for match in _NAME.finditer(self._text):
            start, end = match.span()
            if before and start < before.end:
                continue
            found = self._read_path(start) or self._read_compound(start, end) or self._read_phrase(start)
            found = found or self._read_sibling(start, end, before) or self._read_word(start, end)
            if found:
                yield found
                before = found
                yield from self._read_acronyms(found)

    def _find(
        self, start: int, end: int, names: Sequence[str], method: str = "symbol", *, sure: bool = True
    ) -> Found | None:
        return Found(self._field, start, end, names, method, sure) if names and names[0] else None

    def _read_path(self, start: int) -> Found | None:
        """Read a path from a top folder of the repository, or the end of one that only one file has."""
        match = _PATH.match(self._text, start, start + _LONGEST_NAME)
        if match is None or self._text[start - 1] == "/":
            return None
        text, end = match[0], match.end()
        paths = self._lexicon.index.paths
        is_inside = text.partition("/")[0] in self._lexicon.code.top_folders
        known = paths.status(text) if is_inside else None
        if known is not None and known.status in {"ok", "moved"}:
            slash = "/" if paths.is_folder(known.path) else ""
            return self._find(start, end + (self._text[end] == slash), [f"/{text}{slash}"])
        path = self._lexicon.find_file(text)
        return self._find(start, end, [path and f"/{path}"])

    def _read_compound(self, start: int, end: int) -> Found | None:
        """Read the name of a file, or the longest known beginning of a dotted or ``::`` name."""
        text = self._text[start:end]
        if not {".", ":"} & set(text) or end - start > _LONGEST_NAME:
            return None
        if is_file_name(text):
            path = self._lexicon.find_file(text)
            return self._find(start, end, [path and f"/{path}"])
        for _ in range(_LONGEST_CHAIN):
            if name := self._lexicon.find_qualified(text):
                return self._find(start, start + len(text), [name])
            text = text[: max(text.rfind("."), text.rfind("::"), 0)]
            if not {".", ":"} & set(text):
                break
        return None

    def _read_phrase(self, start: int) -> Found | None:
        """Read a curated phrase; the C++ name counts where the line speaks of C++."""
        end, names = self._lexicon.find_phrase(self._text, start)
        return self._find(start, end, self._sort_by_language(names, start), "alias")

    def _read_acronyms(self, phrase: Found) -> Iterator[Found]:
        """Read the acronyms within a phrase, which have their own meaning, too: the FX of "post-grad FX passes"."""
        for match in _NAME.finditer(self._text, phrase.start, phrase.end if phrase.method == "alias" else 0):
            _, names = self._lexicon.find_phrase(match[0])
            if names and match[0].isupper() and match.end() - match.start() < phrase.end - phrase.start:
                yield Found(self._field, *match.span(), names, "alias", sure=True)

    def _sort_by_language(self, names: Sequence[str], start: int) -> Sequence[str]:
        """Put the C++ names first where the line speaks of C++."""
        if len(names) < 2:
            return names
        before, behind = self._text[max(0, start - 200) : start], self._text[start : start + 200]
        is_cpp = "C++" in before.rpartition("\n")[2] + behind.partition("\n")[0]
        return sorted(names, key=lambda name: "::" not in name) if is_cpp else names

    def _read_sibling(self, start: int, end: int, before: Found | None) -> Found | None:
        """Read the word behind a slash behind a qualified name: the ``load`` of ``torch.save/load``."""
        if not before or self._text[before.end : start] != "/" or "." not in self._text[before.start : before.end]:
            return None
        name = self._lexicon.find_qualified(f"{owner(before.names[0])}.{self._text[start:end]}")
        return self._find(start, end, [name])

    def _read_word(self, start: int, end: int) -> Found | None:
        """Read a single word. A capitalised everyday word needs the look of code, or a context."""
        text, word = self._text, self._text[start:end]
        names, is_sure, method = self._lexicon.meanings(word)
        is_called = text.startswith("()", end)
        if not names and is_called:
            return self._find(start, end, [self._lexicon.find_called(word)])
        if names and not is_sure:
            if text.startswith(("& ", "* "), end) or text.endswith("const ", 0, start):  # of C++
                return self._find(start, end, sorted(names, key=lambda name: "::" not in name)[:1])
            is_code = is_called or text[start - 1] == "`" or self._has_class_beside(start, end)
            is_sure = (is_code and is_clear(names)) or self._stands_out(start, end)
            names = names if is_code else self._sort_by_language(names, start)
        return self._find(start, end, names, method, sure=is_sure)

    def _has_class_beside(self, start: int, end: int) -> bool:
        """Return whether the other side of a slash is a class too."""
        before = _NAME_BEFORE.search(self._text, max(0, start - 40), start)
        behind = _NAME_BEHIND.match(self._text, end)
        return any(side and self._lexicon.meanings(side[1]).names for side in (before, behind))

    def _stands_out(self, start: int, end: int) -> bool:
        """Return whether a word is the only one with a capital in a title, behind its first word."""
        if self._field != "title" or not start or len(self._text) > _LONGEST_NAME:
            return False
        others = f"{self._text[:start]}{self._text[end:]}".split()[1:]
        return len(others) > 1 and all(map(str.islower, others))


def _blank_address(token: re.Match[str]) -> str:
    return " " * len(token[0]) if _URL.search(token[0]) else token[0]


def owner(name: str) -> str:
    """Return the class, module or namespace a name is in.

    >>> owner("torch.nn.Module"), owner("c10::intrusive_ptr")
    ('torch.nn', 'c10')
    """
    return name.rpartition("::" if "::" in name else ".")[0]


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
