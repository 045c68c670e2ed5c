"""From a word to the symbols that it may mean: exact names and curated spellings, nothing fuzzy."""

from __future__ import annotations

import builtins
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ..patterns import read_patterns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...subjects.index import Index, Symbol

_PATTERNS = read_patterns("symbols")
_LONGEST_PHRASE, _MOST_WORDS = 60, 5  # characters, words
# Words of Python itself, even if classes share them.
_PYTHONS_OWN = frozenset(dir(builtins)) | {"NamedTuple", "OrderedDict", "StringView", "TypedDict"}


class Meanings(NamedTuple):
    """The names that a word may mean, the likeliest first; ``sure`` if the first needs no context."""

    names: Sequence[str] = ()
    sure: bool = False
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

    @cached_property
    def _first_words(self) -> set[str]:
        return {phrase.partition(" ")[0].lower() for phrase in self._phrases}

    def find_phrase(self, text: str, start: int = 0) -> tuple[int, list[str]]:
        """Return the end and the names of the longest curated phrase that begins at a word of a text."""
        words = _PATTERNS["word"].finditer(text, start, start + _LONGEST_PHRASE)
        first = next(words, None)
        if first is None or first[0].lower() not in self._first_words:
            return start, []
        ends = [first.end(), *(word.end() for word, _ in zip(words, range(_MOST_WORDS), strict=False))]
        for end in reversed(ends):
            if names := self._phrases.get(text[start:end]) or self._phrases.get(_fold(text[start:end])):
                return end, names
        return start, []

    def _find_meanings(self, word: str) -> Meanings:
        """Return the meanings of a single word; none for an ordinary one."""
        if not 2 < len(word) <= 100:
            return Meanings()
        if dunder := self.find_dunder(word):
            return Meanings([dunder], sure=True, method="symbol" if word == f"__{word.strip('_')}__" else "alias")
        if "_" in word and word.isupper():  # a macro or an environment variable
            row = self.index.rows.get(word)
            return Meanings([word] if row is not None and self.index.kinds[row] in "Me" else (), sure=True)
        if word.startswith("_") or word.endswith("__"):
            return Meanings(self._find_members(word))
        if "_" in word or is_camel(word):
            names = self.find_bare(word) or (self.find_bare(word.removesuffix("s")) if is_camel(word) else [])
            return Meanings(names, sure=is_clear(names))
        if word in self.index.spellings["dtypes"]:
            return Meanings([f"{self.code.roots[0]}.{word}"], sure=True)
        return Meanings(self.index.spellings["words"].get(word, ()))

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
            rows = self.index.find_by_last_part(name.rpartition("::")[2])
            full_names = [full_name for _, full_name in rows if full_name.endswith(f"::{name}")]
            return self.index.find_name(name) or (full_names[0] if len(full_names) == 1 else "")
        if first in self.code.roots:
            return self.index.find_name(name)
        prefix = self.index.spellings["prefixes"].get(first)
        return self.index.find_name(f"{prefix}.{rest}") if prefix else ""

    def find_bare(self, word: str) -> list[str]:
        """Return the possible names for a bare CamelCase or snake_case word: a single one when it is clear.

        The best known win: documented names and C++ names of the core, then public ones, then the rest.
        """
        names: tuple[list[str], ...] = ([], [], [])
        for symbol in self.index.list_candidates(word) if word not in _PYTHONS_OWN else ():
            if symbol.kind != "removed" and (symbol.kind in _CLASSES or not is_camel(word)):
                names[self._rank(symbol)].append(symbol.name)
        best, public, rest = names
        if not is_camel(word):
            members = [name for owner in self.code.owners if (name := f"{owner}.{word}") in best]
            is_telling = word.strip("_").count("_") > 1 or len(word) >= 14  # a shorter private name may be anybody's
            if members or not (best or public or is_telling):
                return members[:1]
        return sorted(best or public or rest, key=lambda name: ("::" in name, name.count("."), len(name), name))

    def _rank(self, symbol: Symbol) -> int:
        """Return how well a symbol is known: 0 for documented and core ones, 1 for public ones, 2 for the rest."""
        if symbol.page or (symbol.language == "c++" and symbol.module in self.code.core):
            return 0
        return 2 if "._" in symbol.name or symbol.kind == "method" or symbol.language != "python" else 1

    def _find_members(self, word: str) -> list[str]:
        """Return the Python methods and attributes of that name, for a context to choose from; none if they abound."""
        rows = self.index.find_by_last_part(word)
        return [name for row, name in rows if self.index.kinds[row] in "dv"] if len(rows) <= 150 else []

    def find_file(self, name: str) -> str:
        """Return the path that a file's bare name or the end of a path means, when there is just one."""
        if _PATTERNS["generic file"].match(name) or not is_file_name(name):
            return ""
        paths = self.index.paths.list_by_name(name.rpartition("/")[2])
        paths = [path for path in paths if f"/{path}".endswith(f"/{name}")]
        return paths[0] if len(paths) == 1 else ""


def _fold(phrase: str) -> str:
    return _PATTERNS["gap"].sub(" ", phrase).lower()


_CLASSES = frozenset(("class", "c++ class", "c++ function", "namespace"))
_CALLABLE = frozenset(("function", "c++ function", "variable", "method"))


@lru_cache(maxsize=4)
def lexicon_of(index: Index) -> Lexicon:
    """Return the lexicon of an index, made once."""
    return Lexicon(index)


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
