"""From a word to the symbol it names: exact names, curated spellings, and which of several is meant.

Nothing here is fuzzy. A bare name that several things bear comes back as its candidates; only a context can
settle it.
"""

from __future__ import annotations

import builtins
import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...subjects.index import Index, Symbol

# Capitals where no ordinary word has them: ShapeEnv, vmapIn, IValue.
_CAMEL = re.compile(r"[A-Z][a-z0-9]+[A-Z]|[a-z][A-Z]|[A-Z]{2}[a-z]")
_FILE_SUFFIXES = frozenset(
    "bzl c cc cfg cmake cpp cu cuh h hpp ini j2 jinja md mm py pyi rst sh toml txt yaml yml".split()
)
_GENERIC_FILES = frozenset(
    "CMakeLists.txt Makefile README.md README.rst __init__.py config.py setup.py utils.py".split()
)
_CLASSES = frozenset(("class", "c++ class", "namespace"))
_CALLABLE = frozenset(("function", "c++ function", "variable", "method"))
_PRIVATE = re.compile(r"\._")  # in a private module or class
_VARIANT = re.compile(r"\.(?:quantiz\w+|intrinsic|qat|ao)\.")  # the lesser known twin of a class
_GAPS = re.compile(r"[\s-]+")  # between the words of a phrase
# Words of Python itself, even if classes share them.
_PYTHONS_OWN = frozenset(dir(builtins)) | {"NamedTuple", "OrderedDict", "StringView", "TypedDict"}

_TELLING_LENGTH = 14  # characters: a shorter private name may be anybody's
_ABOUND = 150  # methods of one name: __init__ has no meaning
_LONGEST_WORD = 100  # characters

# The possible roles of a word at the start of a name: see ``Lexicon.marks``.
PHRASE, SNAKE, CAMEL, DTYPE, ORDINARY = 1, 2, 4, 8, 16


class Phrase(NamedTuple):
    """A curated phrase: its words in lower case, its spelling when case counts, the names it may mean."""

    words: tuple[str, ...]
    spelling: str
    names: tuple[str, ...]


class Lexicon:
    """The names of an index, as words of a text."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._code = index.subject.code
        self._table = index
        self.words: Mapping[str, list[str]] = index.spellings["words"]
        self._prefixes: Mapping[str, str] = index.spellings["prefixes"]
        self._dunders: Mapping[str, str] = index.spellings["dunders"]
        self._dtypes = frozenset(index.spellings["dtypes"])
        # Each lexicon has caches of its own: one for all would keep every lexicon in memory.
        self.bare = lru_cache(maxsize=4096)(self._bare)
        self.qualified = lru_cache(maxsize=4096)(self._qualified)
        self.members = lru_cache(maxsize=1024)(self._members)
        self.marks = _Marks(self)

    @cached_property
    def phrases(self) -> dict[str, list[Phrase]]:
        """First word to the phrases that begin with it, the longest first; plurals included."""
        found: dict[str, list[Phrase]] = {}
        for key, names in self.index.spellings["phrases"].items():
            exact = key != key.lower()
            forms = [key] if exact else [key, f"{key}es" if key.endswith(("s", "x", "ch")) else f"{key}s"]
            for form in forms:
                words = tuple(_GAPS.split(form.lower()))
                found.setdefault(words[0], []).append(Phrase(words, form if exact else "", tuple(names)))
        for phrases in found.values():
            phrases.sort(key=lambda phrase: (-len(phrase.words), not phrase.spelling))
        return found

    def mark(self, word: str) -> int:
        """Return the possible roles of a word, as bits; 0 for an ordinary word."""
        if len(word) > _LONGEST_WORD:
            return 0
        marks = PHRASE if word.lower() in self.phrases else 0
        if len(word) < 3:
            return marks
        if "_" in word:
            return marks | SNAKE
        if is_camel(word):
            return marks | CAMEL
        if word in self._dtypes:
            return marks | DTYPE
        return marks | ORDINARY if word in self.words else marks

    def dunder(self, word: str) -> str:
        """Return the name of a special method, its underscores healed where one side lost them."""
        stem = word.strip("_")
        return self._dunders.get(f"__{stem}__", "") if "_" in stem else ""

    def capitals(self, word: str) -> str:
        """Return the macro or environment variable of this very name."""
        row = self._table.rows.get(word)
        return word if row is not None and self._table.kinds[row] in "Me" else ""

    def called(self, word: str) -> str:
        """Return the documented function for a bare name, with brackets: ``backward()``."""
        if word in _PYTHONS_OWN:
            return ""
        for owner in self._code.owners[:3]:
            symbol = self.index.symbol(f"{owner}.{word}")
            if symbol is not None and symbol.page and symbol.kind in _CALLABLE:
                return symbol.name
        return ""

    def _qualified(self, name: str) -> str:
        """Return the canonical name of a dotted or ``::`` one, or the empty string."""
        if "::" in name:
            ends = [full for _, full in self._table.ending_in(name.rpartition("::")[2]) if full.endswith(f"::{name}")]
            return self._table.find_name(name) or (ends[0] if len(ends) == 1 else "")
        first, _, rest = name.partition(".")
        if first in self._code.roots:
            return self._table.find_name(name)
        prefix = self._prefixes.get(first)
        return self._table.find_name(f"{prefix}.{rest}") if prefix else ""

    def _bare(self, word: str) -> tuple[str, ...]:
        """Return the possible names for a bare CamelCase or snake_case word: a single one when it is clear.

        The best known win: documented names and C++ names of the core, then public ones, then the rest.
        """
        if word in _PYTHONS_OWN:
            return ()
        best, others, rest = self._tiers(word)
        if not is_camel(word):
            owned = [name for owner in self._code.owners if (name := f"{owner}.{word}") in best]
            if owned or not (best or others or _is_telling(word)):
                return tuple(owned[:1])  # nothing: a private helper called like a common thing
        return tuple(sorted(best or others or rest, key=_shortness))

    def _tiers(self, word: str) -> tuple[list[str], list[str], list[str]]:
        """Return the names that a word may mean: those people know, public ones, the rest."""
        tiers: tuple[list[str], list[str], list[str]] = ([], [], [])
        camel = is_camel(word)
        for symbol in self.index.candidates(word):
            if symbol.kind != "removed" and (not camel or symbol.kind in _CLASSES or symbol.kind == "c++ function"):
                tiers[self._tier(symbol)].append(symbol.name)
        return tiers

    def _tier(self, symbol: Symbol) -> int:
        """Return how well a symbol is known: 0 for documented and core ones, 1 for public ones, 2 for the rest."""
        if symbol.language == "c++":
            return 0 if symbol.module in self._code.core else 2
        if symbol.page:
            return 0
        return 2 if "._" in symbol.name or symbol.kind == "method" or symbol.language != "python" else 1

    def _members(self, word: str) -> tuple[str, ...]:
        """Return the Python methods and attributes of that name, for a context to choose from; none if they abound."""
        found = self._table.ending_in(word)
        return tuple(name for row, name in found if self._table.kinds[row] in "dv") if len(found) <= _ABOUND else ()

    def file(self, name: str) -> str:
        """Return the path that a file's bare name or the end of a path means, when there is just one."""
        last = name.rpartition("/")[2]
        if last in _GENERIC_FILES and last == name:
            return ""
        found = [path for path in self.index.paths.named(last) if path == name or path.endswith(f"/{name}")]
        return found[0] if len(found) == 1 else ""


class _Marks(dict[str, int]):
    """``Lexicon.mark`` with a memory: most words of a text are old acquaintances, and mean nothing."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def __missing__(self, word: str) -> int:
        if len(self) > 100_000:
            self.clear()
        self[word] = mark = self._lexicon.mark(word)
        return mark


@lru_cache(maxsize=4)
def lexicon_of(index: Index) -> Lexicon:
    """Return the lexicon of an index, made once."""
    return Lexicon(index)


def _is_telling(word: str) -> bool:
    return word.strip("_").count("_") > 1 or len(word) >= _TELLING_LENGTH


def _shortness(name: str) -> tuple[bool, int, int, str]:
    return ("::" in name, name.count("."), len(name), name)


def is_camel(word: str) -> bool:
    """Return whether a word has capitals where no ordinary word has.

    >>> [is_camel(word) for word in ("TensorIterator", "IValue", "Tensor", "CUDA", "no_grad", "PackedTensorAccessor32")]
    [True, True, False, False, False, True]
    """
    return "_" not in word and _CAMEL.search(word) is not None


def is_file_name(word: str) -> bool:
    """Return whether a dotted word is a file's name by its suffix.

    >>> is_file_name("derivatives.yaml"), is_file_name("torch.nn")
    (True, False)
    """
    stem, dot, suffix = word.rpartition(".")
    return bool(dot) and bool(stem) and suffix in _FILE_SUFFIXES
