"""Regular expressions that begin with one of many phrases, tried only where such a phrase stands.

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
    """What is used of ``ahocorasick.Automaton``."""

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
    """Return a text in small letters, each at its place: a capital whose small letters are two stays."""
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


class Finder:
    """A regular expression, all of whose matches begin with one of some ``phrases``, however these are written.

    >>> [match[0] for match in Finder(r"(?:part|act) [0-9]+", ["part", "act"]).finditer("Act 2, party, part 3")]
    ['Act 2', 'part 3']
    """

    def __init__(self, pattern: str, phrases: Iterable[str], flags: int = re.IGNORECASE) -> None:
        self._pattern, self._flags = pattern, flags
        self.phrases = frozenset(map(folded, phrases))

    @cached_property
    def _lengths(self) -> Automaton[int]:
        return automaton({phrase: len(phrase) for phrase in self.phrases})

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        return re.compile(self._pattern, self._flags)

    def finditer(
        self, text: str, start: int = 0, end: int | None = None, places: Iterable[int] | None = None
    ) -> Iterator[re.Match[str]]:
        """Yield the matches between two places of a text, none overlapping, as ``re.Pattern.finditer`` does.

        ``places`` are where the phrases stand, if that is known.
        """
        end = len(text) if end is None else end
        for place in self.places(text, start, end) if places is None else places:
            if place >= start and (match := self._regex.match(text, place, end)):
                start = match.end()
                yield match

    def places(self, text: str, start: int = 0, end: int | None = None) -> list[int]:
        """Return where the phrases stand between two places of a text, in order."""
        return sorted({start + last + 1 - length for last, length in self._lengths.iter(folded(text[start:end]))})

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """Return the first match between two places of a text."""
        return next(self.finditer(text, start, end), None)


class Finders:
    """Several finders, whose phrases are looked for in one pass.

    >>> Finders(Finder("act [0-9]", ["act"]), Finder("(?:part|act)s", ["part", "act"])).places("Act 2, part 3")
    [[0], [0, 7]]
    """

    def __init__(self, *finders: Finder) -> None:
        self._finders = finders

    @cached_property
    def _lengths(self) -> Automaton[tuple[int, tuple[int, ...]]]:
        whose: dict[str, tuple[int, ...]] = {}
        for number, finder in enumerate(self._finders):
            for phrase in finder.phrases:
                whose[phrase] = (*whose.get(phrase, ()), number)
        return automaton({phrase: (len(phrase), numbers) for phrase, numbers in whose.items()})

    def places(self, text: str) -> list[list[int]]:
        """Return, for each finder, where its phrases stand, in order."""
        found: list[set[int]] = [set() for _ in self._finders]
        for last, (length, numbers) in self._lengths.iter(folded(text)):
            for number in numbers:
                found[number].add(last + 1 - length)
        return [sorted(places) for places in found]
