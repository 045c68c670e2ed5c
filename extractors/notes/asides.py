"""Boilerplate: the passages of the notes that a feed repeats and that are not about the item.

Credits, handles, calls to subscribe, sponsors' spots. They are found from the feed itself, by the number of items with
the same sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from .word_table import ADDRESS, SENTENCE, number_values

if TYPE_CHECKING:
    from .word_table import WordTable

# The marks that end a sentence.
_END: Final = re.compile(r"[.!?\u2026]+[\"'\u201d\u2019\u00bb)\]]*(?=\s|\Z)|[\u3002\uff01\uff1f]+")
_NO_LETTER: Final = re.compile(r"[\W\d_]+")
_LONG: Final = 6  # words: nobody writes a sentence of so many a third time by chance
_HAN_PER_WORD: Final = 3  # characters of a script without spaces that count as a word
_SPACELESS: Final = re.compile("[\u3041-\u30fc\u3400-\u9fff]")
_LEAST: Final = 3  # items that hold a long piece
_SHORT_LEAST, _SHORT_SHARE = 4, 0.34  # the same for a short one, which may be the name of a thing: a line "Links"


class Aside(NamedTuple):
    """The place of a boilerplate passage in the notes."""

    start: int
    end: int


class _Piece(NamedTuple):
    """A sentence or a line, which people repeat as one; pieces with the same letters have the same ``key``."""

    start: int
    end: int
    key: int
    words: int


def find_asides(table: WordTable) -> list[tuple[Aside, ...]]:
    """Return the passages to set aside in the notes of a feed, which are every second text of ``table``, in order.

    A short piece behind another repeated one counts as a long one. The order of the notes does not matter.
    """
    pieces = _cut_pieces(table)
    spread = Counter(key for of_text in pieces for key in {piece.key for piece in of_text})
    short = max(_SHORT_LEAST, _SHORT_SHARE * len(pieces))
    passages: list[tuple[Aside, ...]] = []
    for of_text in pieces:
        asides: list[Aside] = []
        follows_aside = False
        for piece in of_text:
            follows_aside = spread[piece.key] >= (_LEAST if follows_aside or piece.words >= _LONG else short)
            if follows_aside:
                asides.append(Aside(piece.start, piece.end))
        passages.append(tuple(asides))
    return passages


def _cut_pieces(table: WordTable) -> list[list[_Piece]]:
    """Return the pieces of each text of notes: the words between two ends of sentences or lines.

    Pieces with the same letters get the same key, whatever their digits and marks.
    """
    lexicon = table.lexicon
    folds = lexicon.fold_of[table.ids]
    letters, numbers = number_values(fold if fold.isalpha() else _NO_LETTER.sub("", fold) for fold in lexicon.folds)
    keys = numbers[folds]
    has_letters = np.array([*map(bool, letters)], np.bool_)[keys]
    lengths = np.array([*map(_length, lexicon.folds)], np.float64)[folds]
    lengths[(table.flags & ADDRESS) > 0] = 0  # an address is not prose
    firsts = np.flatnonzero(table.flags & SENTENCE)
    behind = np.append(firsts, len(table))[1:]
    spans, counts = np.append(0, np.cumsum(has_letters)), np.append(0, np.cumsum(lengths))
    # The keys of a piece's words, as bytes, identify the piece: 8 bytes a word.
    columns = (
        table.rows[firsts], table.starts[firsts], table.ends[behind - 1], 8 * spans[firsts], 8 * spans[behind],
        counts[behind] - counts[firsts],
    )  # fmt: skip
    letters_in, ids = keys[has_letters].tobytes(), dict[bytes, int]()
    pieces: list[list[_Piece]] = [[] for _ in table.texts]
    rows = [*zip(*(column.tolist() for column in columns), strict=True)]
    lead = -1  # how many of the marks before the piece belong to it
    for (row, start, end, first, last, words), (after, limit, *_) in pairwise((*rows, (-1,) * 6)):
        text = table.texts[row]
        if lead < 0:
            lead = len(text[:start].rpartition("\n")[2].lstrip())
        marks, next_lead = _cut(text[end : limit if after == row else len(text)])
        if last > first:
            key = ids.setdefault(letters_in[first:last], len(ids))
            pieces[row].append(_Piece(start - lead, end + marks, key, int(words)))
        lead = next_lead if after == row else -1
    return pieces[1::2]


@lru_cache(maxsize=4096)
def _cut(gap: str) -> tuple[int, int]:
    """Return how much of the marks between two pieces belongs to the first of them, and how much to the second."""
    end, line = _END.search(gap), gap.find("\n")
    line = len(gap) if line < 0 else line
    first = end.end() if end and end.start() < line else line
    return first, len(gap[max(first, gap.rfind("\n") + 1) :].lstrip())


def _length(fold: str) -> float:
    """Return how many words a word is worth: a script without spaces has several characters for one."""
    if fold.isascii() and fold.isalpha():
        return 1
    spaceless = len(_SPACELESS.findall(fold))
    return spaceless / _HAN_PER_WORD if spaceless else len(_NO_LETTER.sub(" ", fold).split())
