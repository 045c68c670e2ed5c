"""From a word to the symbol it names: exact names, curated spellings, and which of several is meant.

Nothing here is fuzzy. A bare name that several things bear comes back as its candidates; only a context can
settle it.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .index import Index

_CAMEL = re.compile(r"[A-Z]+[a-z0-9]+[A-Z]|[a-z]+[A-Z]|[A-Z]{2,}[a-z]")
_FILE_SUFFIXES = frozenset("bzl c cc cfg cmake cpp cu cuh h hpp ini j2 jinja md mm py pyi rst sh toml txt yaml yml".split())
_GENERIC_FILES = frozenset("CMakeLists.txt Makefile README.md README.rst __init__.py config.py setup.py utils.py".split())
# Names of C++ that people give without their namespace; those further in are given with it.
_CORE_NAMESPACES = frozenset(
    "at at::native at::vec at::autocast at::cuda at::functorch c10 c10::cuda c10::impl c10d torch torch::autograd "
    "torch::distributed::autograd torch::distributed::rpc torch::dynamo torch::jit torch::jit::tensorexpr torch::lazy "
    "torch::nn torch::optim".split()
)
_CLASSES = frozenset(("class", "c++ class", "namespace"))
_CALLABLE = frozenset(("function", "c++ function", "variable", "method"))
# Owners whose documented members are known by their bare names, in the order in which they win.
_OWNERS = ("torch", "torch.Tensor", "torch.nn.functional", "torch.autograd", "torch.linalg", "torch.func")
_BUILTINS = frozenset(
    "abs all any bool eval exec float hash id if int iter len list main map max min next open pow print range reversed "
    "round set size slice sorted split sum super type while zip".split()
)


class Phrase(NamedTuple):
    """A curated phrase: its words in lower case, its spelling when case counts, the names it may mean."""

    words: tuple[str, ...]
    spelling: str
    names: tuple[str, ...]


class Lexicon:
    """The names of an index, as words of a text."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._table = index.table
        self.words: Mapping[str, list[str]] = index.names["words"]
        self._prefixes: Mapping[str, str] = index.names["prefixes"]
        self._dunders: Mapping[str, str] = index.names["dunders"]
        self._dtypes = frozenset(index.names["dtypes"])
        self.bare = lru_cache(maxsize=4096)(self._bare)
        self.dotted = lru_cache(maxsize=4096)(self._dotted)

    @cached_property
    def phrases(self) -> dict[str, list[Phrase]]:
        """First word to the phrases that begin with it, the longest first; plurals included."""
        found: dict[str, list[Phrase]] = {}
        for key, names in self.index.names["phrases"].items():
            exact = key != key.lower()
            forms = [key] if exact else [key, f"{key}es" if key.endswith(("s", "x", "ch")) else f"{key}s"]
            for form in forms:
                words = tuple(re.split(r"[\s-]+", form.lower()))
                found.setdefault(words[0], []).append(Phrase(words, form if exact else "", tuple(names)))
        for phrases in found.values():
            phrases.sort(key=lambda phrase: (-len(phrase.words), not phrase.spelling))
        return found

    def phrase_of(self, word: str) -> tuple[str, ...]:
        """Return the names of the phrase that a snake_case word spells, or nothing."""
        parts = tuple(part for part in word.lower().split("_") if part)
        for phrase in self.phrases.get(parts[0], ()) if len(parts) > 1 else ():
            if phrase.words == parts and not phrase.spelling:
                return phrase.names
        return ()

    def dunder(self, word: str) -> str:
        """Return the name of a special method, its underscores healed where one side lost them."""
        stem = word.strip("_")
        return self._dunders.get(f"__{stem}__", "") if "_" in stem else ""

    def capitals(self, word: str) -> str:
        """Return the macro or environment variable of this very name."""
        row = self._table.rows.get(word)
        return word if row is not None and self._table.kinds[row] in "Me" else ""

    def dtype(self, word: str) -> str:
        """Return the name of a dtype such as ``bfloat16``."""
        return f"torch.{word}" if word in self._dtypes else ""

    def called(self, word: str) -> str:
        """Return what a documented function called by its bare name is: ``backward()``."""
        if word in _BUILTINS:
            return ""
        for owner in _OWNERS[:3]:
            symbol = self.index.symbol(f"{owner}.{word}")
            if symbol is not None and symbol.page and symbol.kind in _CALLABLE:
                return symbol.name
        return ""

    def _dotted(self, name: str) -> str:
        """Return the canonical name of a qualified one, Python's or C++'s, or the empty string."""
        if "::" in name:
            found = self._table.find(name)
            return found or self._only(self._ends_in(name, "::"))
        first, _, rest = name.partition(".")
        if first in {"torch", "functorch", "torchgen", "numpy"}:
            return self._table.find(name)
        prefix = self._prefixes.get(first)
        if prefix:
            found = self._table.find(f"{prefix}.{rest}")
            if found:
                return found
        if first[:1].isupper():
            return self._only([full for full in self._ends_in(name, ".") if "._" not in full])
        return ""

    def _ends_in(self, name: str, mark: str) -> list[str]:
        last = name.rpartition(mark)[2]
        tail = mark + name
        return [full for row in self._table.by_last.get(last, ()) if (full := self._table.names[row]).endswith(tail)]

    @staticmethod
    def _only(names: list[str]) -> str:
        return names[0] if len(names) == 1 else ""

    def _bare(self, word: str) -> tuple[str, ...]:
        """Return the names that a bare CamelCase or snake_case word may mean: one when it is clear, in order."""
        camel = is_camel(word)
        tiers: tuple[list[str], list[str], list[str]] = ([], [], [])
        for symbol in self.index.candidates(word):
            if symbol.kind == "removed":
                continue
            if camel and symbol.kind not in _CLASSES and (symbol.kind != "c++ function" or word[0].isupper()):
                continue
            if symbol.language == "c++":
                tiers[0 if symbol.module in _CORE_NAMESPACES else 2].append(symbol.name)
            elif symbol.page:
                tiers[0].append(symbol.name)
            elif symbol.language == "python":
                tiers[2 if "._" in symbol.name or symbol.kind == "method" else 1].append(symbol.name)
        if not camel:
            for owner in _OWNERS:
                if f"{owner}.{word}" in tiers[0]:
                    return (f"{owner}.{word}",)
            if not tiers[0] and not tiers[1] and word.strip("_").count("_") < 2:
                return ()  # a private helper called like a common thing
        for tier in tiers:
            if tier:
                return _twins(tier)
        return ()

    def members(self, word: str) -> tuple[str, ...]:
        """Return every Python method and attribute of that name, for a context to choose from."""
        rows = self._table.by_last.get(word, ())
        return tuple(self._table.names[row] for row in rows if self._table.kinds[row] in "dv")

    def file(self, name: str) -> str:
        """Return the path that a file's bare name or the end of a path means, when there is just one."""
        last = name.rpartition("/")[2]
        if last in _GENERIC_FILES and last == name:
            return ""
        places = self.index.paths.by_name.get(last, ())
        found = [path for path in places if path == name or path.endswith(f"/{name}")]
        return found[0] if len(found) == 1 else ""


def _twins(names: list[str]) -> tuple[str, ...]:
    """Put the Python one of two first (one thing with two faces); of more, say all: it is not clear."""
    return tuple(sorted(names, key=lambda name: ("::" in name, name.count("."), len(name), name)))


def is_camel(word: str) -> bool:
    """Tell whether a word has capitals where no ordinary word has.

    >>> [is_camel(word) for word in ("TensorIterator", "IValue", "Tensor", "CUDA", "no_grad", "PackedTensorAccessor32")]
    [True, True, False, False, False, True]
    """
    return "_" not in word and _CAMEL.search(word) is not None


def is_file_name(word: str) -> bool:
    """Tell whether a dotted word is a file's name by its suffix.

    >>> is_file_name("derivatives.yaml"), is_file_name("torch.nn")
    (True, False)
    """
    stem, dot, suffix = word.rpartition(".")
    return bool(dot) and bool(stem) and suffix in _FILE_SUFFIXES
