"""Many phrases found in one pass over a text, by Aho-Corasick: ``re`` tries every phrase at every character."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


def automaton(values: Mapping[str, object]) -> Any:
    """Return an automaton (Aho-Corasick) that finds many texts in one pass.

    ``values`` has the texts to find, none empty, each with the value that a find of it yields. ``iter(text)`` of the
    automaton yields (offset of the last character, value) of each find.
    """
    import ahocorasick  # type: ignore[import-not-found]  # noqa: PLC0415 - only builds need it

    finder = ahocorasick.Automaton()
    for key, value in sorted(values.items()):
        finder.add_word(key, value)
    if values:
        finder.make_automaton()
    return finder


def fold_case(text: str) -> str:
    """Return a text in lower case, of the same length, so that offsets stay.

    A capital whose lower case is two letters (İ) is left as it is.
    """
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


class PhraseFinder:
    """A regular expression whose matches begin with one of some phrases, in capital or small letters.

    >>> [match[0] for match in PhraseFinder("(?:part|act) [0-9]+", ["part", "act"]).find("Act 2, party, part 3")]
    ['Act 2', 'part 3']
    """

    def __init__(self, pattern: str, phrases: Iterable[str]) -> None:
        self._pattern = re.compile(pattern, re.IGNORECASE)
        self._phrases = phrases

    @cached_property
    def _lengths(self) -> Any:
        """An automaton that finds the phrases, and yields their lengths."""
        return automaton({phrase: len(phrase) for phrase in map(fold_case, self._phrases)})

    def find(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches of the pattern that begin with a phrase, in the order of the text; none overlap."""
        end = 0  # of the match before
        for start in sorted({last + 1 - length for last, length in self._lengths.iter(fold_case(text))}):
            if start >= end and (match := self._pattern.match(text, start)):
                yield match
                end = match.end()
