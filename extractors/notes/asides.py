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
    from collections.abc import Iterator

    from .word_table import WordTable

# The marks that end a sentence.
_END: Final = re.compile(r"[.!?\u2026]+[\"'\u201d\u2019\u00bb)\]]*(?=\s|\Z)|[\u3002\uff01\uff1f]+")
_NO_LETTER: Final = re.compile(r"[\W\d_]+")
_LONG_PIECE: Final = 6  # words: nobody writes a sentence of so many a third time by chance
_HAN_PER_WORD: Final = 3  # characters of a script without spaces that count as a word
_SPACELESS: Final = re.compile("[\u3041-\u30fc\u3400-\u9fff]")
_MINIMUM_ITEMS: Final = 3  # with a long piece, before it counts as repeated
# For a short piece, which may be the name of a thing, a line "Links": so many items, and this share of all items.
_MINIMUM_ITEMS_OF_SHORT, _MINIMUM_SHARE_OF_SHORT = 4, 0.34


class Aside(NamedTuple):
    """The place of a boilerplate passage in the notes."""

    start: int
    end: int


class _Piece(NamedTuple):
    """A sentence or a line of a text, which people repeat as a whole.

    ``row`` is the number of the text in the table, ``start`` and ``end`` are offsets in it. Pieces with the same
    letters have the same ``key``; it is empty for a piece without letters. ``words`` is the number of words.
    """

    row: int
    start: int
    end: int
    key: bytes
    words: int


def find_asides(table: WordTable) -> list[tuple[Aside, ...]]:
    """Return for each item of a feed the passages of its notes that the feed repeats, in the order of the text.

    A passage is a sentence or a line that several items have, with the same letters: a long one (6 words or more) three
    items, a short one at least four items and 34 % of them. A short piece right behind a repeated one counts as a long
    one. The order of the items makes no difference.

    ``table`` has the words of each item's title and notes in turn; only the notes are searched.
    """
    notes = _cut_pieces(table)
    item_counts = Counter(key for pieces in notes for key in {piece.key for piece in pieces})
    minimum_of_short = max(_MINIMUM_ITEMS_OF_SHORT, _MINIMUM_SHARE_OF_SHORT * len(notes))
    passages: list[tuple[Aside, ...]] = []
    for pieces in notes:
        asides: list[Aside] = []
        is_repeated = False  # of the piece before
        for piece in pieces:
            is_long = is_repeated or piece.words >= _LONG_PIECE
            is_repeated = item_counts[piece.key] >= (_MINIMUM_ITEMS if is_long else minimum_of_short)
            if is_repeated:
                asides.append(Aside(piece.start, piece.end))
        passages.append(tuple(asides))
    return passages


def _cut_pieces(table: WordTable) -> list[list[_Piece]]:
    """Return the sentences and lines of each notes: for each item a list of pieces in the order of the text.

    ``table`` has titles and notes in turn. A piece has the punctuation marks around it that belong to it, and at least
    one letter.
    """
    pieces: list[list[_Piece]] = [[] for _ in table.texts]
    marks_before = -1  # the number of punctuation marks before the piece that belong to it; -1: not yet counted
    # Each piece with the one behind it; behind the last one a piece of no text.
    for piece, next_piece in pairwise((*_list_pieces(table), _Piece(-1, -1, -1, b"", 0))):
        text = table.texts[piece.row]
        if marks_before < 0:  # all on its line
            marks_before = len(text[: piece.start].rpartition("\n")[2].lstrip())
        is_last = next_piece.row != piece.row  # of its text
        marks_behind, marks_of_next = _divide_gap(text[piece.end : len(text) if is_last else next_piece.start])
        if piece.key:
            start, end = piece.start - marks_before, piece.end + marks_behind
            pieces[piece.row].append(_Piece(piece.row, start, end, piece.key, piece.words))
        marks_before = -1 if is_last else marks_of_next
    # Every second text: the notes.
    return pieces[1::2]


def _list_pieces(table: WordTable) -> Iterator[_Piece]:
    """Yield the sentences and lines of all texts of a ``table``, from the first word of each to its last.

    All words are processed at once, as arrays: ``firsts`` are the places of the words that begin a piece, ``behind``
    those where the next piece begins.
    """
    lexicon = table.lexicon
    folds = lexicon.fold_of[table.ids]
    letters, numbers = number_values(fold if fold.isalpha() else _NO_LETTER.sub("", fold) for fold in lexicon.folds)
    keys = numbers[folds]
    has_letters = np.array([*map(bool, letters)], np.bool_)[keys]
    lengths = np.array([*map(_count_words, lexicon.folds)], np.float64)[folds]
    lengths[(table.flags & ADDRESS) > 0] = 0  # an address is not prose
    firsts = np.flatnonzero(table.flags & SENTENCE)
    behind = np.append(firsts, len(table))[1:]  # for each piece the first word of the next; of the last, the end
    # The number of words with letters, and of all words, before each place.
    spans, counts = np.append(0, np.cumsum(has_letters)), np.append(0, np.cumsum(lengths))
    # A piece is identified by the numbers of its words, as bytes: 8 bytes a word. For each piece: the number of its
    # text, its place in the text, its place among these bytes, its number of words.
    columns = (
        table.rows[firsts], table.starts[firsts], table.ends[behind - 1], 8 * spans[firsts], 8 * spans[behind],
        counts[behind] - counts[firsts],
    )  # fmt: skip
    numbers_as_bytes = keys[has_letters].tobytes()
    for row, start, end, first, last, words in zip(*(column.tolist() for column in columns), strict=True):
        yield _Piece(row, start, end, numbers_as_bytes[first:last], int(words))


@lru_cache(maxsize=4096)
def _divide_gap(gap: str) -> tuple[int, int]:
    """Return how many characters of the ``gap`` between two sentences belong to the first, and how many to the second.

    The first sentence has the marks that end it, or all characters up to the end of its line. The second has those
    before it on its line, without white space.

    >>> _divide_gap('." (')
    (2, 1)
    """
    end, line = _END.search(gap), gap.find("\n")
    line = len(gap) if line < 0 else line
    first = end.end() if end and end.start() < line else line
    return first, len(gap[max(first, gap.rfind("\n") + 1) :].lstrip())


def _count_words(fold: str) -> float:
    """Return how many words a ``fold`` (a word of the table in lower case) counts for.

    Scripts without spaces need about three characters for a word; a word with marks in it (``a/b``) is several.
    """
    if fold.isascii() and fold.isalpha():
        return 1
    spaceless = len(_SPACELESS.findall(fold))
    return spaceless / _HAN_PER_WORD if spaceless else len(_NO_LETTER.sub(" ", fold).split())
