"""The places of a show's own topics: all of them in all texts, found in the table of words at once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..notes.word_table import ASIDE, BREAK, POSSESSIVE, Phrases
from ..subjects.vocabulary import case_counts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..notes.asides import Aside
    from ..notes.show_words import ShowWords
    from ..notes.word_table import Bools, Ints, Lexicon
    from ..subjects.vocabulary import Vocabulary

OPENING = 320  # characters of notes, which say what an item is about


class TopicPlace(NamedTuple):
    """A place of a topic in an item's title or notes, and why it counts for nothing ("" where it counts)."""

    field: str
    start: int
    end: int
    topic: str
    reason: str


_ASIDE = "stands in an address, or in a passage that the feed repeats"
_WITHIN = "stands within a longer name"
_PASSING = "a word in passing: neither in the title nor in the opening, not repeated, and no name"


@lru_cache(maxsize=4)
def topic_places(vocabulary: Vocabulary, words: ShowWords) -> list[list[TopicPlace]]:
    """Return the places of a vocabulary's topics in each item, in order.

    A topic stands wherever one of its spellings or their plurals do; acronyms have their capitals. Of overlapping
    places the longest counts. An item is about a topic that its title or opening names, that its notes name twice, or
    that is a name with capitals.
    """
    table, known = words.table, words.table.lexicon
    topics = [*vocabulary.topics.values()]
    phrases = _phrases(vocabulary, known)
    found = Phrases(phrases, len(known.folds)).find(known.fold_of[table.ids], (table.flags & BREAK) == 0)
    numbers = [*phrases.values()]
    exact = {number for number, one in enumerate(numbers) if one.spelled}
    kept = [
        number not in exact or _bare(known.words[table.ids[place]]) in numbers[number].spelled
        for place, _, number in found.tolist()
    ]
    firsts, sizes, which = found[np.array(kept, np.bool_)].T
    lasts, whose = firsts + sizes - 1, np.array([one.topic for one in numbers], np.int64)[which]
    starts, rows = table.starts[firsts], table.rows[firsts]
    ends = table.ends[lasts] - 2 * ((table.flags[lasts] & POSSESSIVE) > 0)
    aside = ((table.flags[firsts] | table.flags[lasts]) & ASIDE) > 0
    within = _overlapped(firsts, lasts, ends - starts, ~aside)
    counts = ~aside & ~within
    opening = np.array([opening_end(found, OPENING) for found in words.asides], np.int64)
    named = np.array([not topic.label.islower() for topic in topics], np.bool_)
    told = named[whose] | _told(rows, starts, whose, counts, opening)
    reasons = np.select([aside, within, ~told], [0, 1, 2], 3)
    listed: list[list[TopicPlace]] = [[] for _ in words.episodes]
    columns = (rows, starts, ends, whose, reasons)
    for row, start, end, number, reason in zip(*(column.tolist() for column in columns), strict=True):
        field, why = ("notes" if row & 1 else "title"), (_ASIDE, _WITHIN, _PASSING, "")[reason]
        listed[row >> 1].append(TopicPlace(field, start, end, topics[number].id, why))
    return listed


class _Phrase(NamedTuple):
    """The number of a topic, and the spellings of a word that counts in no other case."""

    topic: int
    spelled: frozenset[str]


def _phrases(vocabulary: Vocabulary, known: Lexicon) -> dict[tuple[int, ...], _Phrase]:
    """Return the topics by the folds of their spellings, plurals included."""
    spellings = [
        (number, name)
        for number, topic in enumerate(vocabulary.topics.values())
        for name in (topic.name, *topic.aliases)
    ]
    found: dict[tuple[int, ...], _Phrase] = {}
    for (number, name), folds in zip(spellings, known.numbers([name for _, name in spellings]), strict=True):
        if folds and min(folds) >= 0:
            last = known.folds[folds[-1]]
            plurals = [
                (*folds[:-1], known.fold_ids[form]) for form in (f"{last}s", f"{last}es") if form in known.fold_ids
            ]
            for phrase in (tuple(folds), *plurals):
                before = found.get(phrase, _Phrase(number, frozenset((name,))))
                if before.topic == number:
                    exact = before.spelled and case_counts(name, weak=False)
                    found[phrase] = _Phrase(number, before.spelled | {name, f"{name}s"} if exact else frozenset())
    return found


def _bare(word: str) -> str:
    return word[:-2] if word.endswith(("'s", "\u2019s")) else word


def _told(rows: Ints, starts: Ints, whose: Ints, kept: Bools, opening: Ints) -> Bools:
    """Return which places are of a topic that its item is about, whatever its name."""
    items = rows >> 1
    pairs = items * (int(whose.max(initial=0)) + 1) + whose
    notes = (rows & 1) == 1
    early = kept & (~notes | (starts < opening[items]))
    different, counts = np.unique(pairs[kept & notes], return_counts=True)
    return np.isin(pairs, pairs[early]) | np.isin(pairs, different[counts > 1])


def _overlapped(firsts: Ints, lasts: Ints, lengths: Ints, free: Bools) -> Bools:
    """Return which places overlap a longer one, of equal ones an earlier one, that itself overlaps none."""
    dropped = np.zeros(len(firsts), np.bool_)
    listed = np.flatnonzero(free)
    if not len(listed):
        return dropped
    reach = np.maximum.accumulate(lasts[listed])
    meets = np.zeros(len(listed), np.bool_)  # the place before
    meets[1:] = firsts[listed][1:] <= reach[:-1]
    beside = meets.copy()
    beside[:-1] |= meets[1:]
    crowded = listed[beside]
    taken: set[int] = set()
    for place in crowded[np.lexsort((firsts[crowded], -lengths[crowded]))].tolist():
        covered = range(int(firsts[place]), int(lasts[place]) + 1)
        if taken.isdisjoint(covered):
            taken.update(covered)
        else:
            dropped[place] = True
    return dropped


def opening_end(asides: Iterable[Aside], length: int) -> int:
    """Return where the first ``length`` characters of notes end that are in none of these passages, set aside.

    >>> from podgraph.extractors import Aside
    >>> opening_end([Aside(0, 100, "call", 9, True), Aside(450, 500, "tail", 9, True)], 320)
    420
    """
    end = length
    for aside in asides:
        end += aside.end - aside.start if aside.start < end else 0
    return end
