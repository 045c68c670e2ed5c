"""Symbols in notes and titles: names from a subject's code, without a link.

Only exact names of the subject's index and curated spellings of them. An ambiguous name is settled by the other names
in the episode (its class, its module) or left alone; ordinary words that are also classes (``Parameter``, ``Buffer``,
``Tensor``) count only with evidence for the class. Time grows linearly with the length of any text.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ...model import Mention
from ...ref import Ref
from ...subjects.index import subject_index
from ...subjects.subject import Nearness
from ..patterns import read_patterns
from .facts import file_ref
from .lexicon import is_camel, is_clear, is_file_name, lexicon_of

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from ...model import Episode
    from ...subjects.index import Index
    from ...subjects.subject import Code
    from ..corpus import Corpus
    from .lexicon import Lexicon

_PATTERNS = read_patterns("symbols")
_LONGEST_NAME = 300  # characters: longer text is not a name, and must not cost more than its length
_LONGEST_CHAIN = 24  # parts of a name that are looked up


class _Name(NamedTuple):
    """A place in a field, and the names it may mean; ``is_sure`` when it needs no context.

    A name that begins with ``/`` is a path of the repository, a folder's ends with ``/``.
    """

    field: str
    start: int
    end: int
    names: Sequence[str]
    method: str
    is_sure: bool


def find_symbols(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the symbols and files of a subject's code that an episode's title and notes name, in the order of reading.

    In a corpus about the subject (by its ``default_repo``) all rules apply; in an episode that merely mentions it, only
    names without another meaning; elsewhere, only fully qualified names (``c10::Device``). URLs are never read. Yields
    mentions with relation ``mentions`` of symbols, files and folders; their method is ``symbol`` for an exact name,
    ``alias`` for a curated or healed spelling.
    """
    texts = {"title": episode.title, "notes": episode.notes}
    for subject in corpus.subjects:
        nearness = subject.measure_nearness(*texts.values(), repo=corpus.default_repo)
        index = _index(subject) if nearness > Nearness.APART else None
        if index is None:
            continue
        places: list[_Name] = []
        for field, text in texts.items():
            names = _Reader(lexicon_of(index), field, text).read()
            places += (name for name in names if _counts(name, text[name.start : name.end], nearness, subject.code))
        for place, name in _choose_names(places, subject.code):
            field, start, end, _, method, is_sure = place
            fields = (field, start, end, texts[field][start:end], method, "symbols", 1.0 if is_sure else 0.9)
            yield Mention(symbol_ref(index, name), *fields, relation="mentions")


_index = lru_cache(maxsize=16)(subject_index)  # each item asks for it


def _counts(place: _Name, quote: str, nearness: Nearness, code: Code) -> bool:
    """Return whether a name counts in an episode that is so near to the subject of the code."""
    if nearness == Nearness.OWN or place.names[0].startswith("/"):
        return nearness == Nearness.OWN
    if quote.partition(".")[0] in code.roots or quote.partition("::")[0] in code.namespaces:
        return "." in quote or "::" in quote or nearness > Nearness.NAMESPACE
    is_coined = any(mark in quote.lower() for mark in ("_", ".", "::", *code.coinages)) or is_camel(quote)
    return is_coined and nearness > Nearness.NAMESPACE


def _choose_names(places: Sequence[_Name], code: Code) -> Iterator[tuple[_Name, str]]:
    """Yield each place with its one meaning.

    An ambiguous one means the name that occurs elsewhere, else the one whose owner does; without just one such, none.
    """
    sure = {place.names[0] for place in places if place.is_sure}
    near = (sure | {owner(name) for name in sure}) - code.everywhere - {""}
    for place in places:
        names = place.names[:1]
        if not place.is_sure:
            names = [name for name in place.names if name in sure]
            names = names or [name for name in place.names if owner(name) in near]
        if len(names) == 1:
            yield place, names[0]


class _Reader:
    """Reads one field of an episode for names of code."""

    def __init__(self, lexicon: Lexicon, field: str, text: str) -> None:
        """Blank each run of characters that holds an address, so that offsets stay."""
        self._lexicon, self._field = lexicon, field
        self._text = f"{_PATTERNS['token'].sub(_blank_address, text) if _PATTERNS['address'].search(text) else text} "

    def read(self) -> Iterator[_Name]:
        """Yield the names in the order of reading."""
        before = None
        for match in _PATTERNS["name"].finditer(self._text):
            start, end = match.span()
            if before is None or start >= before.end:
                name = self._read_path(start) or self._read_compound(start, end) or self._read_phrase(start)
                name = name or self._read_sibling(start, end, before) or self._read_word(start, end)
                if name:
                    yield name
                    before = name
                    yield from self._read_acronyms(name)

    def _make(
        self, start: int, end: int, names: Sequence[str], method: str = "symbol", *, is_sure: bool = True
    ) -> _Name | None:
        return _Name(self._field, start, end, names, method, is_sure) if names and names[0] else None

    def _make_file(self, start: int, end: int) -> _Name | None:
        """Return the file that the end of a path means."""
        path = self._lexicon.find_file(self._text[start:end])
        return self._make(start, end, [path and f"/{path}"])

    def _read_path(self, start: int) -> _Name | None:
        """Read a path from a top folder of the repository, or the end of one that only one file has."""
        match = _PATTERNS["path"].match(self._text, start, start + _LONGEST_NAME)
        if match is None or self._text[start - 1] == "/":
            return None
        text, end = match[0], match.end()
        paths = self._lexicon.index.paths
        state = paths.find_status(text) if text.partition("/")[0] in self._lexicon.code.top_folders else None
        if state is None or state.status not in {"ok", "moved"}:
            return self._make_file(start, end)
        slash = "/" if paths.is_folder(state.path) else ""
        return self._make(start, end + (self._text[end] == slash), [f"/{text}{slash}"])

    def _read_compound(self, start: int, end: int) -> _Name | None:
        """Read the name of a file, or the longest beginning of a dotted or ``::`` name that the index has."""
        text = self._text[start:end] if end - start <= _LONGEST_NAME else ""
        if is_file_name(text):
            return self._make_file(start, end)
        for _ in range(_LONGEST_CHAIN):
            if not {".", ":"} & set(text):
                return None
            if name := self._lexicon.find_qualified(text):
                return self._make(start, start + len(text), [name])
            text = text[: max(text.rfind("."), text.rfind("::"), 0)]
        return None

    def _read_phrase(self, start: int) -> _Name | None:
        """Read a curated phrase; the C++ name counts where the line speaks of C++."""
        end, names = self._lexicon.find_phrase(self._text, start)
        return self._make(start, end, names and self._sort_by_language(names, start), "alias")

    def _read_acronyms(self, phrase: _Name) -> Iterator[_Name]:
        """Read the acronyms within a phrase, which have their own meaning, too: the FX of "post-grad FX passes"."""
        for match in _PATTERNS["name"].finditer(
            self._text, phrase.start, phrase.end if phrase.method == "alias" else 0
        ):
            _, names = self._lexicon.find_phrase(match[0])
            if names and match[0].isupper() and match.end() - match.start() < phrase.end - phrase.start:
                yield _Name(self._field, *match.span(), names, "alias", is_sure=True)

    def _sort_by_language(self, names: Sequence[str], start: int) -> Sequence[str]:
        """Put the C++ names first where the line speaks of C++."""
        before, behind = self._text[max(0, start - 200) : start], self._text[start : start + 200]
        is_cpp = "C++" in before.rpartition("\n")[2] + behind.partition("\n")[0]
        return sorted(names, key=lambda name: "::" not in name) if is_cpp else names

    def _read_sibling(self, start: int, end: int, before: _Name | None) -> _Name | None:
        """Read the word behind a slash behind a qualified name: the ``load`` of ``torch.save/load``."""
        if not before or self._text[before.end : start] != "/" or "." not in self._text[before.start : before.end]:
            return None
        name = self._lexicon.find_qualified(f"{owner(before.names[0])}.{self._text[start:end]}")
        return self._make(start, end, [name])

    def _read_word(self, start: int, end: int) -> _Name | None:
        """Read a single word. A capitalised everyday word needs the look of code, or a context."""
        text, word = self._text, self._text[start:end]
        names, is_sure, method = self._lexicon.meanings(word)
        is_called = text.startswith("()", end)
        if not names and is_called:
            return self._make(start, end, [self._lexicon.find_called(word)])
        if names and not is_sure:
            if text.startswith(("& ", "* "), end) or text.endswith("const ", 0, start):  # of C++
                return self._make(start, end, sorted(names, key=lambda name: "::" not in name)[:1])
            is_code = is_called or text[start - 1] == "`" or self._has_class_beside(start, end)
            is_sure = (is_code and is_clear(names)) or self._stands_out(start, end)
            names = names if is_code else self._sort_by_language(names, start)
        return self._make(start, end, names, method, is_sure=is_sure)

    def _has_class_beside(self, start: int, end: int) -> bool:
        """Return whether the other side of a slash is a class too."""
        before = _PATTERNS["name before slash"].search(self._text, max(0, start - 40), start)
        behind = _PATTERNS["name behind slash"].match(self._text, end)
        return any(side and self._lexicon.meanings(side[1]).names for side in (before, behind))

    def _stands_out(self, start: int, end: int) -> bool:
        """Return whether a word is the only one with a capital in a title, behind its first word."""
        if self._field != "title" or not start or len(self._text) > _LONGEST_NAME:
            return False
        others = f"{self._text[:start]}{self._text[end:]}".split()[1:]
        return len(others) > 1 and all(map(str.islower, others))


def _blank_address(token: re.Match[str]) -> str:
    return " " * len(token[0]) if _PATTERNS["address"].search(token[0]) else token[0]


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
        return file_ref(index.repo, name.strip("/"), folder=name.endswith("/"))
    symbol = index.symbol(name)
    assert symbol is not None
    place = index.source(name)
    module = (("module", symbol.module),) if symbol.module else ()
    url = index.docs_url(name) or (place.url if place else "")
    return Ref("symbol", f"symbol:{name}", name, url, (("language", symbol.language), *module))
