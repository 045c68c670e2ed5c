"""The words of all texts of a show as arrays: each text is cut into words once, and every step reads this table."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise
from itertools import count as counting
from typing import TYPE_CHECKING, Final, TypeAlias

import ahocorasick  # type: ignore[import-not-found]  # has no stubs
import numpy as np

from ..languages.language import plain
from .addresses import addresses_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ..languages.language import Language

    Ints: TypeAlias = NDArray[np.int64]
    Bools: TypeAlias = NDArray[np.bool_]
    Spans: TypeAlias = Sequence[tuple[int, int]]

# Flags of a word in every place: its first letter is a capital, all letters are, one after the first is; it has a
# digit, a letter; it ends in a possessive "'s"; it is a stop word of the language.
CAPITAL, UPPER, INNER, LETTER, POSSESSIVE, STOP = (1 << bit for bit in range(6))
# Flags of a place: a word begins a sentence, a line; no name goes over the gap before it; it is in an address, in a
# passage that the show repeats.
SENTENCE, BREAK, ADDRESS, BOILERPLATE = (1 << bit for bit in range(6, 10))
ASIDE: Final = ADDRESS | BOILERPLATE

_APART: Final = "\x1f"  # between two texts: no address goes over it, for it is a space
# The end of a sentence in the gap between two words: the marks of CJK need no space behind them.
_SENTENCE_END: Final = re.compile(r"[.!?\u2026][\"'\u201d\u2019\u00bb)\]]*\s|[\u3002\uff01\uff1f]")
_SPACES: Final = " \t\u00a0\u3000"


class Lexicon:
    """The different words of a show: how each is written (``words``), in small letters (``folds``), as stems.

    A word is a number, its place in ``words``; ``fold_of`` maps it to its place in ``folds``, the second part of
    ``stems`` to its stem, ``shapes`` to its flags. Folds have no possessive "'s".

    >>> from podgraph.extractors.languages.language import language
    >>> lexicon = Lexicon(["Kilns", "kilns", "Kiln's"], language("en"))
    >>> lexicon.folds, lexicon.stems[0], lexicon.stems[1].tolist()
    (['kilns', 'kiln'], ['kiln'], [0, 0, 0])
    """

    def __init__(self, words: Iterable[str], language: Language) -> None:
        self.language = language
        self.words = [*words]
        self.folds, self.fold_of = number_values(map(plain, self.words))

    @cached_property
    def fold_ids(self) -> Mapping[str, int]:
        """The number of each fold."""
        return {fold: number for number, fold in enumerate(self.folds)}

    @cached_property
    def fold_stems(self) -> list[str]:
        """The stem of each fold."""
        stem = self.language.stem
        return [fold if "." in fold else stem(fold) for fold in self.folds]

    @cached_property
    def stems(self) -> tuple[list[str], Ints]:
        """The different stems, and the number of the stem of each word."""
        stems, of_folds = number_values(self.fold_stems)
        return stems, of_folds[self.fold_of]

    @cached_property
    def shapes(self) -> Ints:
        """The flags of each word."""
        stop = self.where((self.language.stop | self.language.inside).__contains__)
        return np.fromiter(map(_shape, self.words), np.int64, len(self.words)) | STOP * stop

    def where(self, test: Callable[[str], bool]) -> Bools:
        """Return, for each word, whether its fold passes a test, which is asked once a fold."""
        return np.fromiter(map(test, self.folds), np.bool_, len(self.folds))[self.fold_of]

    def number(self, text: str) -> list[int]:
        """Return the folds of the words of a text, -1 for one that is not in the lexicon."""
        return [self.fold_ids.get(plain(word), -1) for word in self.language.split(text)[1::2]]


def number_values(values: Iterable[str]) -> tuple[list[str], Ints]:
    """Return the different values in order of their first place, and for each value its number among them."""
    number_of: dict[str, int] = defaultdict(counting().__next__)
    numbers = np.fromiter(map(number_of.__getitem__, values), np.int64)
    return [*number_of], numbers


def _shape(word: str) -> int:
    """Return the flags of a word: which characters it has, and where it has capitals."""
    if word.isalpha() and word.islower():
        return LETTER  # as most words are
    flags = CAPITAL if word[0].isupper() else 0
    if word.isalpha():
        flags |= LETTER
    else:
        flags |= LETTER if any(map(str.isalpha, word)) else 0
        flags |= POSSESSIVE if word.endswith(("'s", "\u2019s")) else 0
    if not word[1:].islower():
        flags |= INNER if any(map(str.isupper, word[1:])) else 0
        flags |= UPPER if word.isupper() and len(word) > 1 else 0
    return flags


@dataclass(frozen=True, slots=True, eq=False)
class WordTable:
    """The words of several texts, one array a column: ``rows`` has the number of each word's text.

    ``starts`` and ``ends`` are offsets in the text.
    """

    texts: tuple[str, ...]
    lexicon: Lexicon
    ids: Ints
    starts: Ints
    ends: Ints
    flags: Ints
    rows: Ints

    def __len__(self) -> int:
        return len(self.ids)

    def set_flag(self, flag: int, spans: Sequence[Spans]) -> WordTable:
        """Return the table with a flag on the words that begin in some spans of each text."""
        lengths = np.fromiter(map(len, spans), np.int64, len(spans))
        if not lengths.sum():
            return self
        edges = np.array([span for of_text in spans for span in of_text], np.int64)
        edges += _bases(self.texts)[np.repeat(np.arange(len(spans)), lengths), None]
        return replace(self, flags=self.flags | flag * _inside(self.starts + _bases(self.texts)[self.rows], edges))

    def grams(self, keys: Ints, most: int, is_joined: Bools) -> Iterator[tuple[int, Ints, Ints]]:
        """Yield (size, places, numbers) of the word sequences of 1, 2, … ``most`` words.

        ``keys`` are the numbers of the words, for example folds or stems; -1 excludes a word from all sequences.
        Sequences with the same keys have the same number, from 0 on. No sequence goes over a word that is not
        ``is_joined``.
        """
        size = int(keys.max(initial=0)) + 1
        places = np.flatnonzero(keys >= 0)
        numbers = (np.cumsum(np.bincount(keys[places], minlength=1) > 0) - 1)[keys[places]]
        yield 1, places, numbers
        for count in range(2, most + 1):
            ends = places + count - 1
            fits = ends < len(keys)
            fits[fits] = is_joined[ends[fits]] & (keys[ends[fits]] >= 0)
            places, ends, numbers = places[fits], ends[fits], numbers[fits]
            numbers = np.unique(numbers * size + keys[ends], return_inverse=True)[1]
            yield count, places, numbers

    def content(self, texts: int = 1, title: int = 1) -> list[dict[str, int]]:
        """Return the counts of stems in each group of ``texts`` successive texts, the commonest stems first.

        The first text of a group, the title, counts ``title`` times. Stop words, words without a meaning of their own
        ("episode", "amazing"), dates, numbers, words of one letter, addresses and boilerplate are left out.
        """
        lexicon = self.lexicon
        words = self._find_content_words()
        names, stem_of = lexicon.stems
        size = len(names)
        rows, stems = self.rows[words], stem_of[self.ids[words]]
        keys, places = np.unique((rows // texts) * size + stems, return_inverse=True)
        counts = np.bincount(places, np.where(rows % texts, 1, title), len(keys)).astype(np.int64)
        rows, stems = np.divmod(keys, max(size, 1))
        order = np.lexsort((stems, -counts, rows))
        stem_counts = [*zip(map(names.__getitem__, stems[order].tolist()), counts[order].tolist(), strict=True)]
        edges = np.searchsorted(rows, np.arange(len(self.texts) // texts + 1)).tolist()
        return [dict(stem_counts[start:end]) for start, end in pairwise(edges)]

    def spellings(self) -> dict[str, str]:
        """Return the commonest spelling of each stem that ``content`` counts; of two, the first in the alphabet."""
        lexicon = self.lexicon
        counts = np.bincount(self.ids[self._find_content_words()], minlength=len(lexicon.words)).tolist()
        stems, stem_of = lexicon.stems
        commonest: dict[int, tuple[int, str]] = {}
        for stem, count, word in zip(stem_of.tolist(), counts, lexicon.words, strict=True):
            if count and (stem not in commonest or (-count, word) < commonest[stem]):
                commonest[stem] = -count, word
        return {stems[stem]: word[: len(plain(word))] for stem, (_, word) in commonest.items()}

    def _find_content_words(self) -> Bools:
        """Return which words ``content`` counts."""
        lexicon = self.lexicon
        has_spaces, dull = lexicon.language.has_spaces, lexicon.language.generic | lexicon.language.dates
        is_content = lexicon.where(lambda fold: (len(fold) > 1 or not has_spaces) and fold not in dull)
        is_content &= (lexicon.shapes & (STOP | LETTER)) == LETTER
        of_places: Bools = is_content[self.ids] & ((self.flags & ASIDE) == 0)
        return of_places


def find_phrases(keys: Ints, is_joined: Bools, phrases: Iterable[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Yield the first place and the number of words of each phrase in ``keys``, the numbers of the words of texts.

    ``phrases`` are sequences of such numbers, none empty; one with a negative number is never found. No phrase goes
    over a word of which ``is_joined`` is false.
    """
    automaton = ahocorasick.Automaton(ahocorasick.STORE_LENGTH, ahocorasick.KEY_SEQUENCE)
    for phrase in phrases:
        if min(phrase) >= 0:
            automaton.add_word(tuple(word + 1 for word in phrase))
    automaton.make_automaton()
    breaks = np.flatnonzero(~is_joined)
    places = np.insert(np.arange(len(keys)), breaks, -1).tolist()
    words = np.insert(keys + 1, breaks, 0).tolist()  # 0 is in no phrase
    for end, count in automaton.iter(tuple(words)) if len(automaton) else ():
        yield places[end - count + 1], count


def word_table(texts: Sequence[str], language: Language) -> WordTable:
    """Cut texts into words, and return the table of them.

    >>> from podgraph.extractors.languages.language import language
    >>> table = word_table(["Glaze and kilns", "Ann's kiln: see https://x.org/kiln"], language("en"))
    >>> [table.lexicon.words[word] for word in table.ids[3:]], [bool(flag & ADDRESS) for flag in table.flags[3:]]
    (["Ann's", 'kiln', 'see', 'https', 'x.org', 'kiln'], [False, False, False, True, True, True])
    """
    whole = _APART.join(("", *texts, ""))
    parts = language.split(whole)
    gaps, words = parts[0::2], parts[1::2]
    lengths = np.fromiter(map(len, parts), np.int64, len(parts)).cumsum()
    starts, ends = lengths[0::2][: len(words)], lengths[1::2]
    different, ids = number_values(words)
    lexicon = Lexicon(different, language)
    kinds, gap_of = number_values(gaps[: len(words)])
    flags = np.fromiter(map(_gap_flags, kinds), np.int64, len(kinds))[gap_of] | lexicon.shapes[ids]
    edges = np.array([*addresses_in(whole)], np.int64).reshape(-1, 2)
    flags |= ADDRESS * _inside(starts, edges)
    bases = _bases(texts)
    rows = np.searchsorted(bases, starts, side="right") - 1
    return WordTable(tuple(texts), lexicon, ids, starts - bases[rows], ends - bases[rows], flags, rows)


def _bases(texts: Sequence[str]) -> Ints:
    """Return where each text begins in all of them, a mark apart, and where the last one ends."""
    return np.fromiter(accumulate((len(text) + 1 for text in texts), initial=1), np.int64, len(texts) + 1)


def _inside(places: Ints, edges: Ints) -> Bools:
    """Return which of some places, in order, are in a span of ``edges``."""
    change = np.zeros(len(places) + 1, np.int64)
    np.add.at(change, np.searchsorted(places, edges[:, 0]), 1)
    np.add.at(change, np.searchsorted(places, edges[:, 1]), -1)
    return change[:-1].cumsum() > 0


def _gap_flags(gap: str) -> int:
    """Return the flags of a word by the text before it, which may end a line, a sentence or a name."""
    if "\n" in gap or _APART in gap:
        return SENTENCE | BREAK
    if not gap.strip(_SPACES):
        return 0
    return BREAK | (SENTENCE if _SENTENCE_END.search(gap) else 0)
