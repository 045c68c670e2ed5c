"""Regular expressions that begin with one of many phrases, tried only at the places of such a phrase.

``re`` tries every phrase at every character; Aho-Corasick finds them all in one pass over the text.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_ValueT_co = TypeVar("_ValueT_co", covariant=True)


class Automaton(Protocol[_ValueT_co]):
    """The used part of ``ahocorasick.Automaton``."""

    def __len__(self) -> int: ...

    def iter(self, text: str, /) -> Iterator[tuple[int, _ValueT_co]]:
        """Yield the last place of each key in a text, and its value."""


def automaton(values: Mapping[str, _ValueT_co]) -> Automaton[_ValueT_co]:
    """Return the Aho-Corasick automaton of the keys of ``values``, which are not empty."""
    import ahocorasick  # type: ignore[import-not-found]  # noqa: PLC0415 - has no stubs; only builds need it

    made = ahocorasick.Automaton()
    for key, value in sorted(values.items()):
        made.add_word(key, value)
    if values:
        made.make_automaton()
    found: Automaton[_ValueT_co] = made
    return found


def folded(text: str) -> str:
    """Return a text in small letters of the same length: a capital with two small letters stays."""
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


class PhraseFinder:
    """Regular expressions by name, each with the phrases that its matches begin with, in capital or small letters.

    >>> finder = PhraseFinder(part=("(?:part|act) [0-9]+", ["part", "act"]), act=("acts?", ["act"]))
    >>> {name: [match[0] for match in found] for name, found in finder.find("Act 2, party, part 3").items()}
    {'part': ['Act 2', 'part 3'], 'act': ['Act']}
    """

    def __init__(self, **patterns: tuple[str, Iterable[str]]) -> None:
        self._patterns = patterns

    @cached_property
    def _compiled(self) -> tuple[dict[str, re.Pattern[str]], Automaton[tuple[int, tuple[str, ...]]]]:
        """The expressions, and the automaton of all phrases, with the length of each and the names of its patterns."""
        names: dict[str, tuple[str, ...]] = {}
        for name, (_, phrases) in self._patterns.items():
            for phrase in {*map(folded, phrases)}:
                names[phrase] = (*names.get(phrase, ()), name)
        compiled = {name: re.compile(pattern, re.IGNORECASE) for name, (pattern, _) in self._patterns.items()}
        return compiled, automaton({phrase: (len(phrase), some) for phrase, some in names.items()})

    def find(self, text: str) -> dict[str, list[re.Match[str]]]:
        """Return the matches of each expression in a text, in order, none overlapping."""
        compiled, finder = self._compiled
        places: dict[str, set[int]] = {name: set() for name in compiled}
        for last, (length, names) in finder.iter(folded(text)):
            for name in names:
                places[name].add(last + 1 - length)
        found: dict[str, list[re.Match[str]]] = {name: [] for name in compiled}
        for name, matches in found.items():
            for place in sorted(places[name]):
                if not (matches and place < matches[-1].end()) and (match := compiled[name].match(text, place)):
                    matches.append(match)
        return found
