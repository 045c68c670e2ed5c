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

from .word_table import ADDRESS, LINE, SENTENCE, number_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .word_table import WordTable

# The marks that end a sentence.
_END: Final = re.compile(r"[.!?\u2026]+[\"'\u201d\u2019\u00bb)\]]*(?=\s|\Z)|[\u3002\uff01\uff1f]+")
_NO_LETTER: Final = re.compile(r"[\W\d_]+")
_LONG: Final = 6  # words: nobody writes a sentence of so many a third time by chance
_HAN_PER_WORD: Final = 3  # characters of a script without spaces that count as a word
_SPACELESS: Final = re.compile("[\u3041-\u30fc\u3400-\u9fff]")
_LEAST: Final = 3  # items that hold a long piece
_SHORT_LEAST, _SHORT_SHARE = 4, 0.34  # the same for a short one, which may be the name of a thing: a line "Links"
_TAIL_LEAST: Final = 3  # repeated pieces
_TAIL_SHARE: Final = 0.6  # of the lines from some repeated one to the end


class Aside(NamedTuple):
    """A boilerplate passage: its place in the notes, and the number of items with it.

    ``prose`` is true if it is more than a name or a heading.
    """

    start: int
    end: int
    items: int
    prose: bool


class _Piece(NamedTuple):
    """A sentence or a line, which people repeat as one; pieces with the same letters have the same ``key``."""

    start: int
    end: int
    key: int
    words: int
    line: int


def find_asides(table: WordTable) -> list[tuple[Aside, ...]]:
    """Return the passages to set aside in the notes of a feed, which are every second text of ``table``, in order.

    The order of the notes does not matter.
    """
    pieces = _cut_pieces(table)
    spread = Counter(key for of_text in pieces for key in {piece.key for piece in of_text})
    short = max(_SHORT_LEAST, _SHORT_SHARE * len(pieces))
    repeated_keys = {
        key
        for of_text in pieces
        for _, _, key, words, _ in of_text
        if spread[key] >= (_LEAST if words >= _LONG else short)
    }
    together = _find_pairs(pieces, spread)
    repeated_keys |= together
    return [tuple(_find_in_text(of_text, spread, repeated_keys, together)) for of_text in pieces]


def _find_pairs(pieces: Sequence[Sequence[_Piece]], spread: Counter[int]) -> set[int]:
    """Return the short pieces that several notes have beside the same other one: with it, they are a long one."""
    pairs = Counter(
        pair for of_text in pieces
        for pair in {
            (one.key, other.key) for one, other in pairwise(of_text)
            if one.line == other.line and spread[one.key] >= _LEAST <= spread[other.key]
            and one.words + other.words >= _LONG > min(one.words, other.words)
        }
    )  # fmt: skip
    return {key for pair, count in pairs.items() if count >= _LEAST for key in pair}


def _find_in_text(
    pieces: Sequence[_Piece], spread: Counter[int], repeated_keys: set[int], together: set[int]
) -> Iterator[Aside]:
    """Yield the boilerplate passages of one text of notes: the repeated pieces, and the common end of the notes.

    ``spread`` has the number of items with each piece, ``repeated_keys`` the pieces that are repeated often enough, and
    ``together`` those of them that are short and repeated beside another one.
    """
    tail = _tail(pieces, repeated_keys)
    for index, (start, end, key, words, _) in enumerate(pieces):
        if index >= tail or key in repeated_keys:
            yield Aside(start, end, spread[key], words >= _LONG or key in together)


def _tail(pieces: Sequence[_Piece], repeated_keys: set[int]) -> int:
    """Return the place of the piece from which on the notes are mostly repeated.

    Something unrepeated must precede it, or a spot ahead of the notes would turn all of them into a tail. Several
    unrepeated sentences in a row are not part of a tail.
    """
    own = next((place for place, piece in enumerate(pieces) if piece.key not in repeated_keys), len(pieces))
    start, hits, fresh = len(pieces), 0, 0
    for place in range(len(pieces) - 1, own, -1):
        if pieces[place].key in repeated_keys:
            hits, fresh = hits + 1, 0
            if hits >= max(_TAIL_LEAST, _TAIL_SHARE * (len(pieces) - place)):
                start = place
        else:
            fresh += pieces[place].words >= _LONG
            if fresh > 1:
                break
    return start


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
        counts[behind] - counts[firsts], np.cumsum((table.flags & LINE) > 0)[firsts],
    )  # fmt: skip
    letters_in, ids = keys[has_letters].tobytes(), dict[bytes, int]()
    pieces: list[list[_Piece]] = [[] for _ in table.texts]
    rows = [*zip(*(column.tolist() for column in columns), strict=True)]
    lead = -1  # how many of the marks before the piece belong to it
    for (row, start, end, first, last, words, line), (after, limit, *_) in pairwise((*rows, (-1,) * 7)):
        text = table.texts[row]
        if lead < 0:
            lead = len(text[:start].rpartition("\n")[2].lstrip())
        marks, next_lead = _cut(text[end : limit if after == row else len(text)])
        if last > first:
            key = ids.setdefault(letters_in[first:last], len(ids))
            pieces[row].append(_Piece(start - lead, end + marks, key, int(words), line))
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
