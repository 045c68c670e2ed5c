"""Speech in written form: “torch dot compile” → ``torch.compile``, with the way back to the spoken words.

A subject has the sounds of its names (``spoken.txt``), a language the spoken names of code's marks
(``languages/tables/spoken.txt``). This module joins them: words round a mark are a name if the index of the code has
it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple

from ...languages.trigger_phrases import phrases
from ...subjects.index import subject_index
from ...subjects.spoken import read_spoken
from ..symbols.lexicon import is_file_name, lexicon_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ...subjects.spoken import Spoken
    from ...subjects.subject import Subject
    from ..symbols.lexicon import Lexicon

_WORD = re.compile(r"[\w+#]+(?:'\w+)?")  # a word of speech, "c++" and "don't" too
_NEAR = re.compile(r"[\s,.\-]{1,3}\Z")  # between words of one form: recognisers put commas and points anywhere
_MARKS = (".", "_", "/", "::")
_BEFORE = "__"
_REACH = 4  # words on one side of a mark that may belong to the name
_MOST_MARKS = 3  # in one name
_TRIED = 600  # ways to join the words round some marks
_MOST = 2000  # marks of one text: an hour of talk on code has some fifty


class Rewritten(NamedTuple):
    """A place of the written text, the place of the spoken words, and whether it is sure."""

    start: int
    end: int
    said_start: int
    said_end: int
    sure: bool


class Written:
    """A text with some of its words written otherwise; ``text`` is the whole."""

    def __init__(self, said: str, changes: Sequence[tuple[int, int, str, bool]]) -> None:
        """Write ``changes`` into a spoken text; each is (start, end, written form, whether that is sure), in order."""
        parts: list[str] = []
        self.places: list[Rewritten] = []
        at = length = 0
        for start, end, written, sure in changes:
            parts += [said[at:start], written]
            length += start - at
            self.places.append(Rewritten(length, length + len(written), start, end, sure))
            length += len(written)
            at = end
        self.text = "".join([*parts, said[at:]])
        self._starts = [place.start for place in self.places]

    def said(self, start: int, end: int) -> tuple[int, int, bool]:
        """Return the span in the spoken text of a span in the written one, and whether each rewriting in it is sure."""
        # Behind a rewritten stretch both texts are the same: a place there is as far from the ends of the stretch.
        first, last = self._place(start), self._place(end - 1)
        begin = first.said_start if start < first.end else start - first.end + first.said_end
        finish = last.said_end if end - 1 < last.end else end - last.end + last.said_end
        within = self.places[max(0, bisect_right(self._starts, start) - 1) : bisect_right(self._starts, end - 1)]
        return begin, finish, all(place.sure for place in within if place.end > start)

    def _place(self, place: int) -> Rewritten:
        at = bisect_right(self._starts, place) - 1
        return self.places[at] if at >= 0 else _START


_START = Rewritten(0, 0, 0, 0, sure=True)


class _Words:
    """Words side by side: how each is written, that in small letters, where it begins and ends.

    Several that are one name are one word; ``sure`` has these by where they begin, and whether that is sure.
    """

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.small: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.sure: dict[int, bool] = {}

    def add(self, other: _Words, begin: int, end: int) -> None:
        """Add words of others as they are."""
        self.texts += other.texts[begin:end]
        self.small += other.small[begin:end]
        self.starts += other.starts[begin:end]
        self.ends += other.ends[begin:end]

    def add_name(self, written: str, start: int, end: int, *, sure: bool) -> None:
        """Add a name for the words from ``start`` to ``end``."""
        self.sure[start] = sure
        for column, value in ((self.texts, written), (self.small, written.lower())):
            column.append(value)
        self.starts.append(start)
        self.ends.append(end)

    def names(self) -> Iterator[tuple[int, int, str, bool]]:
        """Yield (start, end, how it is written, whether that is sure) of the names."""
        for at, start in enumerate(self.starts):
            if start in self.sure:
                yield start, self.ends[at], self.texts[at], self.sure[start]


def write_down(said: str, subject: Subject) -> Written:
    """Return a text with a subject's names in their written form."""
    index = subject_index(subject)
    words = _cut_words(said, read_spoken(subject.file("spoken.txt")))
    changes = list(_join_names(words, lexicon_of(index))) if index else []
    changes += words.names() if words.sure else ()
    apart: list[tuple[int, int, str, bool]] = []
    for change in sorted(changes, key=lambda change: (change[0], -change[1])):
        if not apart or change[0] >= apart[-1][1]:
            apart.append(change)
    return Written(said, apart)


def _cut_words(said: str, spoken: Mapping[tuple[str, ...], Spoken]) -> _Words:
    """Return the words of a text, those that a spoken form is made of as one name; the longest form counts."""
    longest: dict[str, int] = {}
    for form in spoken:
        longest[form[0]] = max(len(form), longest.get(form[0], 0))
    heard, found = _Words(), _Words()
    for match in _WORD.finditer(said):
        heard.texts.append(match[0])
        heard.starts.append(match.start())
        heard.ends.append(match.end())
    heard.small = small = [text.lower() for text in heard.texts]
    done = 0
    for at in [at for at, word in enumerate(small) if word in longest]:
        for length in range(min(longest[small[at]], len(small) - at), 0, -1) if at >= done else ():
            known = spoken.get(tuple(small[at : at + length]))
            if known and all(
                _NEAR.match(said[heard.ends[n] : heard.starts[n + 1]]) for n in range(at, at + length - 1)
            ):
                found.add(heard, done, at)
                done = at + length
                found.add_name(known.written, heard.starts[at], heard.ends[done - 1], sure=known.sure)
                break
    found.add(heard, done, len(small))
    return found


@lru_cache(maxsize=1)
def _marks() -> dict[tuple[str, ...], str]:
    """Return the words that are called a mark of code, and the mark."""
    return {tuple(form.split()): mark for mark in (*_MARKS, _BEFORE) for form in phrases(mark, of="spoken")}


def _join_names(words: _Words, lexicon: Lexicon) -> Iterator[tuple[int, int, str, bool]]:
    """Yield (start, end, name, sure) for words and marks that are a name of the code."""
    marks = dict(_found_marks(words.small))
    done = 0
    for at in sorted(marks)[:_MOST]:
        if at < done:
            continue
        mark, after = marks[at]
        found = _find_dunder(words, after, lexicon) if mark == _BEFORE else _find_name(words, at, marks, lexicon, done)
        if found:
            first, last, name = found
            first = at if mark == _BEFORE else first
            done = last + 1
            sure = all(words.sure.get(start, True) for start in words.starts[first:done])
            yield words.starts[first], words.ends[last], name, sure


def _found_marks(small: Sequence[str]) -> Iterator[tuple[int, tuple[str, int]]]:
    """Yield the place of each mark among words, which it is, and where it ends."""
    forms, longest = _marks(), max(map(len, _marks()))
    firsts = {form[0] for form in forms}
    done = 0
    for at in [at for at, word in enumerate(small) if word in firsts]:
        for length in range(longest, 0, -1) if at >= done else ():
            if mark := forms.get(tuple(small[at : at + length])):
                done = at + length
                yield at, (mark, done)
                break


def _find_dunder(words: _Words, after: int, lexicon: Lexicon) -> tuple[int, int, str] | None:
    """Return (first word, last word, name) of the longest known ``__name__`` that the words from ``after`` on spell."""
    for length in range(min(_REACH, len(words.small) - after), 0, -1):
        stem = "_".join(word.strip("_") for word in words.small[after : after + length])
        if lexicon.dunder(f"__{stem}__"):
            return after, after + length - 1, f"__{stem}__"
    return None


def _find_name(
    words: _Words, at: int, marks: Mapping[int, tuple[str, int]], lexicon: Lexicon, done: int
) -> tuple[int, int, str] | None:
    """Return the first and the last word, and the name, of the longest known name round a mark."""
    joints = [(at, *marks[at])]
    while len(joints) < _MOST_MARKS:
        after = joints[-1][2]
        following = next((n for n in range(after + 1, after + _REACH + 1) if n in marks), 0)
        if not following or marks[following][0] == _BEFORE:
            break
        joints.append((following, *marks[following]))
    for count in range(len(joints), 0, -1):
        if found := _find_known_name(words, joints[:count], marks, lexicon, done):
            return found
    return None


def _find_known_name(
    words: _Words,
    joints: Sequence[tuple[int, str, int]],
    marks: Mapping[int, tuple[str, int]],
    lexicon: Lexicon,
    done: int,
) -> tuple[int, int, str] | None:
    """Return (first word, last word, name) of the longest known name that contains all ``joints``, or ``None``.

    A joint is (place of a spoken mark, such as "dot", the mark, place after it). Words left of ``done`` already belong
    to another name. After ``_TRIED`` spellings the search ends, because their number grows fast.
    """
    before, behind = joints[0][0], joints[-1][2]
    rights = [n for n in range(behind, min(len(words.small), behind + _REACH)) if n not in marks]
    inner = [_forms(words, joint[2], following[0]) for joint, following in pairwise(joints)]
    tried = 0
    for right, left in product(reversed(rights), range(max(done, before - _REACH), before)):
        ends = _forms(words, behind, right + 1, last=True)
        for parts in product(_forms(words, left, before), *inner, ends):
            tried += 1
            if tried > _TRIED:
                return None
            name = "".join(part + joint[1] for part, joint in zip(parts, joints, strict=False)) + parts[-1]
            if _is_known(name, lexicon):
                return left, right, name
    return None


def _forms(words: _Words, begin: int, end: int, *, last: bool = False) -> list[str]:
    """Return how words may be written as a part of a name: joined, with underscores, at the end as a class."""
    texts, small = words.texts[begin:end], words.small[begin:end]
    found = ["".join(small), "_".join(small)]
    if len(texts) == 1:
        found += texts
    if last:
        found.append("".join(text[:1].upper() + text[1:] for text in texts))
    return list(dict.fromkeys(found))


def _is_known(name: str, lexicon: Lexicon) -> bool:
    """Return whether a name is one of the code: a path, a file, an operator, in full or by a module's short form."""
    if "/" in name:
        known = name.partition("/")[0] in lexicon.index.subject.code.top_folders
        status = lexicon.index.paths.status(name) if known else None
        return status is not None and status.status in {"ok", "moved"}
    if "::" in name or "." in name:
        return bool(lexicon.qualified(name) or (is_file_name(name) and lexicon.file(name)))
    return len(lexicon.bare(name)) > 0
