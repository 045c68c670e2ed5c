"""Symbols in notes and titles: names from a subject's code, without a link.

Only exact names of the subject's index and curated spellings of them. An ambiguous name is settled by the other names
in the episode (its class, its module) or left alone; ordinary words that are also classes (``Parameter``, ``Buffer``,
``Tensor``) count only with evidence for the class. Time grows linearly with the length of any text.
"""

from __future__ import annotations

import builtins
from collections import defaultdict
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ...model import Mention
from ...ref import Ref
from ...sites.github import make_file_ref
from ...subjects.index import subject_index
from ...subjects.subject import Nearness
from ..patterns import read_patterns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...model import Episode
    from ...subjects.index import Index, Symbol
    from ...subjects.subject import Code
    from ..corpus import Corpus

_PATTERNS = read_patterns("symbols")
_MAXIMUM_NAME = 300  # characters: longer text is not a name, and must not cost more than its length
_MAXIMUM_PHRASE, _MAXIMUM_WORDS = 60, 6  # characters and words of a curated phrase
# Words of Python itself, even if classes share them.
_PYTHONS_OWN = frozenset(dir(builtins)) | {"NamedTuple", "OrderedDict", "StringView", "TypedDict"}
# The kinds of symbols that a word in CamelCase, and one with brackets behind it, may name.
_CLASSES = frozenset(("class", "c++ class", "c++ function", "namespace"))
_CALLABLE = frozenset(("function", "c++ function", "variable", "method"))


class _Name(NamedTuple):
    """A place in a field, and the names it may mean; ``is_sure`` when it needs no context.

    A name that begins with ``/`` is a path of the repository, a folder's ends with ``/``.
    """

    field: str
    start: int
    end: int
    names: Sequence[str]
    is_sure: bool
    method: str


class Meanings(NamedTuple):
    """The names that a word may mean, the likeliest first; ``is_sure`` if the first needs no context."""

    names: Sequence[str] = ()
    is_sure: bool = True
    method: str = "symbol"


class Lexicon:
    """The names of an index, by words of a text."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.code = index.subject.code
        # A cache for all lexicons would keep every lexicon in memory.
        self.meanings = lru_cache(maxsize=100_000)(self._find_meanings)

    @cached_property
    def _phrases(self) -> dict[str, list[str]]:
        """The names of each curated phrase: in small letters, also in plural, or as written where case counts."""
        phrases = {}
        for phrase, names in self.index.spellings["phrases"].items():
            key = _fold(phrase) if phrase == phrase.lower() else phrase
            phrases[key] = names
            if key == key.lower():
                phrases[f"{key}es" if key.endswith(("s", "x", "ch")) else f"{key}s"] = names
        return phrases

    def find_phrase(self, text: str, start: int = 0) -> tuple[int, list[str]]:
        """Return the end and the names of the longest curated phrase that begins at a word of a text.

        Without one, the end is ``start``.
        """
        words = islice(_PATTERNS["word"].finditer(text, start, start + _MAXIMUM_PHRASE), _MAXIMUM_WORDS)
        for end in reversed([word.end() for word in words]):
            if names := self._phrases.get(text[start:end]) or self._phrases.get(_fold(text[start:end])):
                return end, names
        return start, []

    def _find_meanings(self, word: str) -> Meanings:
        """Return the meanings of a single word; none for an ordinary one."""
        if not 2 < len(word) <= 100:
            return Meanings()
        if dunder := self.find_dunder(word):
            return Meanings([dunder], method="symbol" if word == f"__{word.strip('_')}__" else "alias")
        if "_" in word and word.isupper():  # a macro or an environment variable
            row = self.index.rows.get(word)
            return Meanings([word] if row is not None and self.index.kinds[row] in "Me" else ())
        if word.startswith("_") or word.endswith("__"):
            rows = self.index.find_by_last_part(word)
            # Python's methods and attributes.
            return Meanings([name for row, name in rows if self.index.kinds[row] in "dv"], is_sure=False)
        if "_" in word or is_camel(word):
            names = self.find_bare(word) or (self.find_bare(word.removesuffix("s")) if is_camel(word) else [])
            return Meanings(names, is_clear(names))
        if word in self.index.spellings["dtypes"]:
            return Meanings([f"{self.code.roots[0]}.{word}"])
        return Meanings(self.index.spellings["words"].get(word, ()), is_sure=False)

    def find_dunder(self, word: str) -> str:
        """Return the name of a special method, its underscores healed where one side lost them."""
        stem = word.strip("_")
        return self.index.spellings["dunders"].get(f"__{stem}__", "") if "_" in stem else ""

    def find_called(self, word: str) -> str:
        """Return the documented function for a bare name with brackets, such as ``backward()``."""
        for owner in self.code.owners[:3]:
            symbol = self.index.symbol(f"{owner}.{word}")
            if symbol and symbol.page and symbol.kind in _CALLABLE and word not in _PYTHONS_OWN:
                return symbol.name
        return ""

    def find_qualified(self, name: str) -> str:
        """Return the canonical name of a dotted or ``::`` one, or the empty string."""
        first, _, rest = name.partition(".")
        if "::" in name:
            symbols = self.index.list_candidates(name)
            return self.index.find_name(name) or (symbols[0].name if len(symbols) == 1 else "")
        if first in self.code.roots:
            return self.index.find_name(name)
        prefix = self.index.spellings["prefixes"].get(first)
        return self.index.find_name(f"{prefix}.{rest}") if prefix else ""

    def find_bare(self, word: str) -> list[str]:
        """Return the possible names for a bare CamelCase or snake_case word: a single one when it is clear.

        The best known win: documented names and C++ names of the core, then public ones, then the rest.
        """
        names_by_rank: dict[int, list[str]] = defaultdict(list)
        for symbol in self.index.list_candidates(word) if word not in _PYTHONS_OWN else ():
            if symbol.kind != "removed" and (symbol.kind in _CLASSES or not is_camel(word)):
                names_by_rank[self._rank(symbol)].append(symbol.name)
        rank = min(names_by_rank, default=2)
        names = names_by_rank[rank]
        if not is_camel(word):
            members = [name for owner in self.code.owners if (name := f"{owner}.{word}") in names_by_rank[0]]
            is_telling = word.strip("_").count("_") > 1 or len(word) >= 14  # a shorter private name may be anybody's
            if members or (rank == 2 and not is_telling):
                return members[:1]
        return sorted(names, key=lambda name: ("::" in name, name.count("."), len(name), name))

    def _rank(self, symbol: Symbol) -> int:
        """Return how well a symbol is known: 0 for documented and core ones, 1 for public ones, 2 for the rest."""
        if symbol.page or (symbol.language == "c++" and symbol.module in self.code.core):
            return 0
        return 2 if "._" in symbol.name or symbol.kind == "method" or symbol.language != "python" else 1

    def find_path(self, path: str) -> str:
        """Return a path from a top folder, a folder's with a slash at its end, or what ``find_file`` does."""
        is_from_top = path.partition("/")[0] in self.code.top_folders
        state = self.index.paths.find_state(path) if is_from_top else None
        if state is None or state.status == "gone":
            return self.find_file(path)
        return f"{path}/" if self.index.paths.is_folder(state.path) else path

    def find_file(self, name: str) -> str:
        """Return the path that a file's bare name or the end of a path means, when there is just one, else ""."""
        if _PATTERNS["generic file"].match(name) or not is_file_name(name):
            return ""
        paths = self.index.paths.list_by_name(name.rpartition("/")[2])
        paths = [path for path in paths if f"/{path}".endswith(f"/{name}")]
        return paths[0] if len(paths) == 1 else ""


def _fold(phrase: str) -> str:
    return _PATTERNS["gap"].sub(" ", phrase).lower()


load_lexicon = lru_cache(maxsize=4)(Lexicon)  # the lexicon of an index, made once


def is_clear(names: Sequence[str]) -> bool:
    """Return whether names mean one thing: a single one, or its Python and its C++ face."""
    return len(names) == 1 or (len(names) == 2 and ("::" in names[0]) != ("::" in names[1]))


def is_camel(word: str) -> bool:
    """Return whether a word has capitals where no ordinary word has.

    >>> [is_camel(word) for word in ("TensorIterator", "IValue", "Tensor", "CUDA", "no_grad", "PackedTensorAccessor32")]
    [True, True, False, False, False, True]
    """
    return "_" not in word and _PATTERNS["camel"].search(word) is not None


def is_file_name(word: str) -> bool:
    """Return whether a word is a file's name by its suffix.

    >>> is_file_name("derivatives.yaml"), is_file_name("torch.nn")
    (True, False)
    """
    return _PATTERNS["file name"].fullmatch(word) is not None


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
        index = subject_index(subject) if nearness > Nearness.APART else None
        if index is None:
            continue
        places: list[_Name] = []
        for field, text in texts.items():
            names = _Reader(load_lexicon(index), field, text).read()
            places += (name for name in names if _is_usable(name, text[name.start : name.end], nearness, subject.code))
        for (field, start, end, _, is_sure, method), name in _choose_names(places, subject.code):
            fields = (field, start, end, texts[field][start:end], method, "symbols", 1.0 if is_sure else 0.9)
            yield Mention(make_symbol_ref(index, name), *fields, relation="mentions")


def _is_usable(place: _Name, quote: str, nearness: Nearness, code: Code) -> bool:
    """Return whether a name counts in an episode that is so near to the subject of the code."""
    if nearness == Nearness.OWN or place.names[0].startswith("/"):
        return nearness == Nearness.OWN
    if quote.partition(".")[0] in code.roots or quote.partition("::")[0] in code.namespaces:
        return "." in quote or "::" in quote or nearness > Nearness.NAMESPACE
    is_coined = any(mark in quote.lower() for mark in ("_", ".", "::", *code.coinages)) or is_camel(quote)
    return is_coined and nearness > Nearness.NAMESPACE


def _choose_names(places: Sequence[_Name], code: Code) -> Iterator[tuple[_Name, str]]:
    """Yield each place with the one name that it means.

    Of several names, it means the one that another place of the text has for sure, else the only one whose class or
    module another place has; a place without such a name is left out.
    """
    sure = {place.names[0] for place in places if place.is_sure}
    near = (sure | {find_owner(name) for name in sure}) - code.everywhere - {""}
    for place in places:
        names = place.names[:1] if place.is_sure else [name for name in place.names if name in sure]
        names = names or [name for name in place.names if find_owner(name) in near]
        if len(names) == 1:
            yield place, names[0]


class _Reader:
    """Reads one field of an episode for names of code."""

    def __init__(self, lexicon: Lexicon, field: str, text: str) -> None:
        """Blank each run of characters that holds an address, so that offsets stay."""
        self._lexicon, self._field = lexicon, field
        blanked = _PATTERNS["address"].sub(lambda address: " " * len(address[0]), text)
        self._text = f"{blanked} "  # a space before the first and behind the last character: also that at -1

    def read(self) -> Iterator[_Name]:
        """Yield the names in the order of reading."""
        last_end = 0
        for match in _PATTERNS["name"].finditer(self._text):
            start, end = match.span()
            if start >= last_end:
                name = self._read_path(start, end) or self._read_qualified(start, end)
                if name := name or self._read_phrase(start) or self._read_word(start, end):
                    last_end = name.end
                    yield name
                    yield from self._read_acronyms(name)

    def _make_name(self, start: int, end: int, meanings: Meanings) -> _Name | None:
        """Return the name at a place; ``None`` without a meaning."""
        return _Name(self._field, start, end, *meanings) if meanings.names and meanings.names[0] else None

    def _read_path(self, start: int, end: int) -> _Name | None:
        """Read a path from a top folder of the repository, or the end of one that only one file has."""
        match = _PATTERNS["path"].match(self._text, start, start + _MAXIMUM_NAME)
        if match and self._text[start - 1] != "/":
            end = match.end()
        elif end - start > _MAXIMUM_NAME or not is_file_name(self._text[start:end]):
            return None
        path = self._lexicon.find_path(self._text[start:end])
        end += path.endswith("/") and self._text[end] == "/"
        return self._make_name(start, end, Meanings([path and f"/{path}"]))

    def _read_qualified(self, start: int, end: int) -> _Name | None:
        """Read the longest beginning of a dotted or ``::`` name that the index has."""
        text = self._text[start:end] if end - start <= _MAXIMUM_NAME else ""
        before = _PATTERNS["sibling"].search(self._text, max(0, start - _MAXIMUM_NAME), start)
        if before and (name := self._lexicon.find_qualified(f"{before['owner']}.{text}")):
            return self._make_name(start, end, Meanings([name]))  # the "load" of "torch.save/load"
        while "." in text or ":" in text:
            if name := self._lexicon.find_qualified(text):
                return self._make_name(start, start + len(text), Meanings([name]))
            text = text[: max(text.rfind("."), text.rfind("::"), 0)]
        return None

    def _read_phrase(self, start: int) -> _Name | None:
        """Read a curated phrase; the C++ name counts where the line speaks of C++."""
        end, names = self._lexicon.find_phrase(self._text, start)
        return self._make_name(start, end, Meanings(self._sort_by_language(names, start), method="alias"))

    def _read_acronyms(self, phrase: _Name) -> Iterator[_Name]:
        """Read the acronyms within a phrase, which have their own meaning, too: the FX of "post-grad FX passes"."""
        text = self._text[phrase.start : phrase.end] if phrase.method == "alias" else ""
        for match in _PATTERNS["acronym"].finditer(text):
            _, names = self._lexicon.find_phrase(match[0])
            start, end = phrase.start + match.start(), phrase.start + match.end()
            if names and match[0] != text:
                yield _Name(self._field, start, end, names, is_sure=True, method="alias")

    def _sort_by_language(self, names: Sequence[str], start: int) -> Sequence[str]:
        """Put the C++ names first where the line speaks of C++."""
        before, behind = self._text[max(0, start - 200) : start], self._text[start : start + 200]
        is_cpp = "C++" in before.rpartition("\n")[2] + behind.partition("\n")[0]
        return sorted(names, key=lambda name: "::" not in name) if is_cpp else names

    def _read_word(self, start: int, end: int) -> _Name | None:
        """Read a single word. A capitalised everyday word needs the look of code, or a context."""
        text, word = self._text, self._text[start:end]
        names, is_sure, method = self._lexicon.meanings(word)
        is_called = text.startswith("()", end)
        if is_called and not names:
            names, is_sure = [self._lexicon.find_called(word)], True
        elif names and not is_sure:
            if text.startswith(("& ", "* "), end) or text.endswith("const ", 0, start):  # of C++
                return self._make_name(start, end, Meanings(sorted(names, key=lambda name: "::" not in name)[:1]))
            is_code = is_called or text[start - 1] == "`" or self._has_class_beside(start, end)
            is_sure = (is_code and is_clear(names)) or self._stands_out(start, end)
            names = names if is_code else self._sort_by_language(names, start)
        return self._make_name(start, end, Meanings(names, is_sure, method))

    def _has_class_beside(self, start: int, end: int) -> bool:
        """Return whether the other side of a slash is a class too."""
        before = _PATTERNS["name before slash"].search(self._text, max(0, start - 40), start)
        behind = _PATTERNS["name behind slash"].match(self._text, end)
        return any(side and self._lexicon.meanings(side[1]).names for side in (before, behind))

    def _stands_out(self, start: int, end: int) -> bool:
        """Return whether a word is the only one with a capital in a title, behind its first word."""
        others = f"{self._text[:start]}{self._text[end:]}".split()[1:] if len(self._text) <= _MAXIMUM_NAME else []
        return self._field == "title" and start > 0 and len(others) > 1 and all(map(str.islower, others))


def find_owner(name: str) -> str:
    """Return the class, module or namespace a name is in.

    >>> find_owner("torch.nn.Module"), find_owner("c10::intrusive_ptr")
    ('torch.nn', 'c10')
    """
    return name.rpartition("::" if "::" in name else ".")[0]


@lru_cache(maxsize=8192)
def make_symbol_ref(index: Index, name: str) -> Ref:
    """Return the identity of a symbol of the index, or of a path (``/torch/csrc/``, ``/torch/_ops.py``).

    A symbol's address is that of its documentation, else that of its definition.
    """
    if name.startswith("/"):
        return make_file_ref(index.repo, name.strip("/"), folder=name.endswith("/"))
    symbol = index.symbol(name)
    assert symbol is not None
    place = index.source(name)
    module = (("module", symbol.module),) if symbol.module else ()
    url = index.docs_url(name) or (place.url if place else "")
    return Ref("symbol", f"symbol:{name}", name, url, (("language", symbol.language), *module))
