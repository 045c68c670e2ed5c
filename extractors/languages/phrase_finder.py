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


class Finder:
    """A regular expression whose matches all begin with one of some ``phrases``, in capital or small letters.

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

        ``places`` are the places of the phrases, if known.
        """
        end = len(text) if end is None else end
        for place in self.places(text, start, end) if places is None else places:
            if place >= start and (match := self._regex.match(text, place, end)):
                start = match.end()
                yield match

    def places(self, text: str, start: int = 0, end: int | None = None) -> list[int]:
        """Return the places of the phrases between two places of a text, in order."""
        return sorted({start + last + 1 - length for last, length in self._lengths.iter(folded(text[start:end]))})

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """Return the first match between two places of a text."""
        return next(self.finditer(text, start, end), None)


class Finders:
    """Several finders that search for their phrases in one pass.

    >>> Finders(Finder("act [0-9]", ["act"]), Finder("(?:part|act)s", ["part", "act"])).places("Act 2, part 3")
    [[0], [0, 7]]
    """

    def __init__(self, *finders: Finder) -> None:
        self._finders = finders

    @cached_property
    def _lengths(self) -> Automaton[tuple[int, tuple[int, ...]]]:
        """The automaton of all phrases, with the length of each and the numbers of its finders."""
        whose: dict[str, tuple[int, ...]] = {}
        for number, finder in enumerate(self._finders):
            for phrase in finder.phrases:
                whose[phrase] = (*whose.get(phrase, ()), number)
        return automaton({phrase: (len(phrase), numbers) for phrase, numbers in whose.items()})

    def places(self, text: str) -> list[list[int]]:
        """Return, for each finder, the places of its phrases, in order."""
        found: list[set[int]] = [set() for _ in self._finders]
        for last, (length, numbers) in self._lengths.iter(folded(text)):
            for number in numbers:
                found[number].add(last + 1 - length)
        return [sorted(places) for places in found]
