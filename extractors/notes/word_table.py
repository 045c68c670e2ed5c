"""The words of all texts of a show as arrays: each text is cut into words once, and every step reads this table."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise
from itertools import count as counting
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from ..languages.language import plain
from .addresses import find_addresses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from ..languages.language import Language

    Ints: TypeAlias = NDArray[np.int64]
    Bools: TypeAlias = NDArray[np.bool_]
    Spans: TypeAlias = Sequence[tuple[int, int]]

# Flags of a word in every place: its first letter is a capital, all letters are, one after the first is; it has a
# letter; it ends in a possessive "'s"; it is a stop word of the language.
CAPITAL, UPPER, INNER, LETTER, POSSESSIVE, STOP = (1 << bit for bit in range(6))
# Flags of a place: a word begins a sentence, a line; no name goes over the gap before it; it is in an address, in a
# passage that the show repeats.
SENTENCE, BREAK, ADDRESS, BOILERPLATE = (1 << bit for bit in range(6, 10))
ASIDE: Final = ADDRESS | BOILERPLATE

_TEXT_SEPARATOR: Final = "\x1f"  # a space for regular expressions, so no word or address goes over it
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
        """Give a number to each of the different ``words`` and folds. ``language`` has the stems and the stop words."""
        self.language = language
        self.words = [*words]
        self.folds, self.fold_of = number_values(map(plain, self.words))

    @cached_property
    def fold_stems(self) -> list[str]:
        """The stem of each fold, in the order of ``folds``; a word with a dot in it (``node.js``) is its own stem."""
        stem = self.language.stem
        return [fold if "." in fold else stem(fold) for fold in self.folds]

    @cached_property
    def stems(self) -> tuple[list[str], Ints]:
        """The different stems, and for each word in ``words`` the number of its stem among them."""
        stems, of_folds = number_values(self.fold_stems)
        return stems, of_folds[self.fold_of]

    @cached_property
    def shapes(self) -> Ints:
        """The flags of each word, in the order of ``words``: CAPITAL to STOP, joined with ``|``."""
        stop = self.test_words((self.language.stop | self.language.inside).__contains__)
        return np.fromiter(map(_find_shape, self.words), np.int64, len(self.words)) | STOP * stop

    def test_words(self, test: Callable[[str], bool]) -> Bools:
        """Return an array with a truth value for each of ``words``: whether its fold passes the ``test``."""
        return np.fromiter(map(test, self.folds), np.bool_, len(self.folds))[self.fold_of]


def number_values(values: Iterable[str]) -> tuple[list[str], Ints]:
    """Return the different values in order of their first place, and an array with the number of each value among them.

    >>> values, numbers = number_values(["red", "clay", "red"])
    >>> values, numbers.tolist()
    (['red', 'clay'], [0, 1, 0])
    """
    number_of: dict[str, int] = defaultdict(counting().__next__)  # a new value gets the next number
    numbers = np.fromiter(map(number_of.__getitem__, values), np.int64)
    return [*number_of], numbers


def _find_shape(word: str) -> int:
    """Return the flags of a word, joined with ``|``: LETTER, CAPITAL, INNER, UPPER and POSSESSIVE."""
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
        """Return a copy of the table with a flag set on the words within some spans; the table itself stays.

        Args:
            flag: the flag, such as ``BOILERPLATE``
            spans: for each text of the table, the (start, end) offsets in it; a word counts if it begins there
        """
        lengths = np.fromiter(map(len, spans), np.int64, len(spans))
        if not lengths.sum():
            return self
        # Offsets in one text become offsets in all texts, one after the other.
        edges = np.array([span for spans_of_text in spans for span in spans_of_text], np.int64)
        edges += _find_text_starts(self.texts)[np.repeat(np.arange(len(spans)), lengths), None]
        starts = self.starts + _find_text_starts(self.texts)[self.rows]
        return replace(self, flags=self.flags | flag * _are_inside(starts, edges))

    def list_sequences(self, keys: Ints, maximum: int, is_joined: Bools) -> Iterator[tuple[int, Ints, Ints]]:
        """Yield all word sequences of 1, 2, … ``maximum`` words: for each size (size, places, numbers).

        ``places`` are the places of each sequence's first word in the table; ``numbers`` identify the sequences, from 0
        on: those with the same keys have the same number.

        Args:
            keys: for each word of the table, a number that decides which words are equal, for example of its stem; -1
                excludes the word from all sequences
            maximum: the maximum number of words in a sequence
            is_joined: for each word, whether a sequence may go from the word before to this one
        """
        key_count = int(keys.max(initial=0)) + 1
        places = np.flatnonzero(keys >= 0)
        # The keys that occur, numbered without gaps.
        numbers = (np.cumsum(np.bincount(keys[places], minlength=1) > 0) - 1)[keys[places]]
        yield 1, places, numbers
        for size in range(2, maximum + 1):
            ends = places + size - 1  # the places of the last words
            fits = ends < len(keys)
            fits[fits] = is_joined[ends[fits]] & (keys[ends[fits]] >= 0)
            places, ends, numbers = places[fits], ends[fits], numbers[fits]
            # A sequence is the one without its last word, and that word: two numbers in one.
            numbers = np.unique(numbers * key_count + keys[ends], return_inverse=True)[1]
            yield size, places, numbers

    def count_stems(self, group_size: int = 1, title_weight: int = 1) -> list[dict[str, int]]:
        """Return for each group of texts {stem: how often it occurs there}, the commonest stems first.

        Stop words, words without a meaning of their own ("episode", "amazing"), dates, numbers, words of one letter,
        addresses and boilerplate are left out.

        Args:
            group_size: so many successive texts are a group: 2 for a title and its notes
            title_weight: each word of a group's first text, the title, counts so many times
        """
        lexicon = self.lexicon
        words = self._are_content_words()
        names, stem_of = lexicon.stems
        size = len(names)
        rows, stems = self.rows[words], stem_of[self.ids[words]]
        # A group and a stem are one number, so that all groups are counted at once.
        keys, places = np.unique((rows // group_size) * size + stems, return_inverse=True)
        counts = np.bincount(places, np.where(rows % group_size, 1, title_weight), len(keys)).astype(np.int64)
        groups, stems = np.divmod(keys, max(size, 1))
        order = np.lexsort((stems, -counts, groups))  # the last key is the first to sort by
        stem_counts = [*zip(map(names.__getitem__, stems[order].tolist()), counts[order].tolist(), strict=True)]
        edges = np.searchsorted(groups, np.arange(len(self.texts) // group_size + 1)).tolist()
        return [dict(stem_counts[start:end]) for start, end in pairwise(edges)]

    def find_spellings(self) -> dict[str, str]:
        """Return {stem: its commonest spelling} for the stems that ``count_stems`` counts.

        Of two spellings that are equally common it is the first in the alphabet.
        """
        lexicon = self.lexicon
        counts = np.bincount(self.ids[self._are_content_words()], minlength=len(lexicon.words)).tolist()
        stems, stem_of = lexicon.stems
        commonest: dict[int, tuple[int, str]] = {}  # the number of each stem: (the negative count, the word)
        for stem, count, word in zip(stem_of.tolist(), counts, lexicon.words, strict=True):
            if count and (stem not in commonest or (-count, word) < commonest[stem]):
                commonest[stem] = -count, word
        # Without a possessive "'s", which ``plain`` removes.
        return {stems[stem]: word[: len(plain(word))] for stem, (_, word) in commonest.items()}

    def _are_content_words(self) -> Bools:
        """Return an array with, for each word of the table, whether ``count_stems`` counts it."""
        lexicon = self.lexicon
        has_spaces, without_meaning = lexicon.language.has_spaces, lexicon.language.generic | lexicon.language.dates
        is_content = lexicon.test_words(lambda fold: (len(fold) > 1 or not has_spaces) and fold not in without_meaning)
        is_content &= (lexicon.shapes & (STOP | LETTER)) == LETTER
        results: Bools = is_content[self.ids] & ((self.flags & ASIDE) == 0)
        return results


def build_word_table(texts: Sequence[str], language: Language) -> WordTable:
    """Return the table of all words of some texts, which are cut by the rules of a language.

    >>> from podgraph.extractors.languages.language import language
    >>> table = build_word_table(["Glaze and kilns", "Ann's kiln: see https://x.org/kiln"], language("en"))
    >>> [table.lexicon.words[word] for word in table.ids[3:]], [bool(flag & ADDRESS) for flag in table.flags[3:]]
    (["Ann's", 'kiln', 'see', 'https', 'x.org', 'kiln'], [False, False, False, True, True, True])
    """
    whole = _TEXT_SEPARATOR.join(("", *texts, ""))
    parts = language.split(whole)
    gaps, words = parts[0::2], parts[1::2]  # they take turns, a gap first
    ends_of_parts = np.fromiter(map(len, parts), np.int64, len(parts)).cumsum()
    starts, ends = ends_of_parts[0::2][: len(words)], ends_of_parts[1::2]
    different_words, ids = number_values(words)
    lexicon = Lexicon(different_words, language)
    different_gaps, gap_of = number_values(gaps[: len(words)])
    gap_flags = np.fromiter(map(_find_gap_flags, different_gaps), np.int64, len(different_gaps))
    flags = gap_flags[gap_of] | lexicon.shapes[ids]
    edges = np.array([*find_addresses(whole)], np.int64).reshape(-1, 2)
    flags |= ADDRESS * _are_inside(starts, edges)
    # The starts and ends of words become offsets in their own texts; a row is the number of a text.
    text_starts = _find_text_starts(texts)
    rows = np.searchsorted(text_starts, starts, side="right") - 1
    return WordTable(tuple(texts), lexicon, ids, starts - text_starts[rows], ends - text_starts[rows], flags, rows)


def _find_text_starts(texts: Sequence[str]) -> Ints:
    """Return the offset of each text in all texts joined by a separator, and of the end.

    The joined text begins with a separator, too: the first text begins at 1.
    """
    return np.fromiter(accumulate((len(text) + 1 for text in texts), initial=1), np.int64, len(texts) + 1)


def _are_inside(places: Ints, edges: Ints) -> Bools:
    """Return an array with, for each of ``places``, whether it is within one of some spans.

    Args:
        places: offsets, in ascending order
        edges: an array with a row (start, end) for each span; spans may overlap
    """
    # How many more spans are open at each place than at the one before.
    # The last element is for spans that end behind all places.
    change = np.zeros(len(places) + 1, np.int64)
    np.add.at(change, np.searchsorted(places, edges[:, 0]), 1)
    np.add.at(change, np.searchsorted(places, edges[:, 1]), -1)
    return change[:-1].cumsum() > 0


def _find_gap_flags(gap: str) -> int:
    """Return the flags of a word by the text between it and the word before.

    ``SENTENCE`` if the word begins a sentence or a line, ``BREAK`` if no name goes over the gap, 0 for mere spaces.
    """
    if "\n" in gap or _TEXT_SEPARATOR in gap:
        return SENTENCE | BREAK
    if not gap.strip(_SPACES):
        return 0
    return BREAK | (SENTENCE if _SENTENCE_END.search(gap) else 0)
