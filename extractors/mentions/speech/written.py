"""Speech as it would be written: “torch dot compile” → ``torch.compile``, with the way back to what was said.

What a subject's names sound like is its own (``spoken.txt``), what the marks of code are called is a language's
(``cues/spoken.txt``); how they join is here: words round a mark are a name where the index of the code has it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple

from ...cues.tables import phrases
from ..symbols.lexicon import lexicon_of

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


class Rewritten(NamedTuple):
    """A place of the text as it is written, the place of the words that were said, and whether it is sure."""

    start: int
    end: int
    said_start: int
    said_end: int
    sure: bool


class Written:
    """A text with some of its words written otherwise; ``text`` is the whole."""

    def __init__(self, said: str, changes: Sequence[tuple[int, int, str, bool]]) -> None:
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
        """Return the place in what was said of a place in what is written, and whether that is sure."""
        first, last = self._place(start), self._place(end - 1)
        begin = first.said_start if start < first.end else start - first.end + first.said_end
        finish = last.said_end if end - 1 < last.end else end - last.end + last.said_end
        within = self.places[max(0, bisect_right(self._starts, start) - 1) : bisect_right(self._starts, end - 1)]
        return begin, finish, all(place.sure for place in within if place.end > start)

    def _place(self, place: int) -> Rewritten:
        at = bisect_right(self._starts, place) - 1
        return self.places[at] if at >= 0 else _START


_START = Rewritten(0, 0, 0, 0, sure=True)


def write_down(said: str, subject: Subject) -> Written:
    """Return a text with what is known of a subject's names as they are written."""
    index = subject.read_names()
    words = [(match[0].lower(), *match.span()) for match in _WORD.finditer(said)]
    tokens = list(_spelled(said, words, subject.read_spoken()))
    changes = list(_joined(tokens, lexicon_of(index))) if index else []
    changes += [(start, end, text, sure) for text, start, end, changed, sure in tokens if changed]
    apart: list[tuple[int, int, str, bool]] = []
    for change in sorted(changes, key=lambda change: (change[0], -change[1])):
        if not apart or change[0] >= apart[-1][1]:
            apart.append(change)
    return Written(said, apart)


class _Token(NamedTuple):
    """A word, or several that are one name: how it is written, its place, whether that is otherwise, and sure."""

    text: str
    start: int
    end: int
    changed: bool = False
    sure: bool = True


def _spelled(
    said: str, words: Sequence[tuple[str, int, int]], spoken: Mapping[tuple[str, ...], Spoken]
) -> Iterator[_Token]:
    """Yield the words of a text, those that a spoken form is made of as one; the longest form counts."""
    longest: dict[str, int] = {}
    for form in spoken:
        longest[form[0]] = max(len(form), longest.get(form[0], 0))
    at = 0
    while at < len(words):
        word, start, end = words[at]
        for length in range(min(longest.get(word, 0), len(words) - at), 0, -1):
            group = words[at : at + length]
            known = spoken.get(tuple(one[0] for one in group))
            if known and all(_NEAR.match(said[one[2] : other[1]]) for one, other in pairwise(group)):
                yield _Token(known.written, start, group[-1][2], changed=True, sure=known.sure)
                at += length
                break
        else:
            yield _Token(said[start:end], start, end)
            at += 1


@lru_cache(maxsize=1)
def _marks() -> dict[tuple[str, ...], str]:
    """Return the words that are called a mark of code, and the mark."""
    return {tuple(form.split()): mark for mark in (*_MARKS, _BEFORE) for form in phrases(mark, of="spoken")}


def _joined(tokens: Sequence[_Token], lexicon: Lexicon) -> Iterator[tuple[int, int, str, bool]]:
    """Yield (start, end, name, sure) for words and marks that are a name of the code."""
    marks = dict(_found_marks(tokens))
    done = 0
    for at in sorted(marks):
        if at < done:
            continue
        mark, after = marks[at]
        found = _dunder(tokens, after, lexicon) if mark == _BEFORE else _name(tokens, at, marks, lexicon, done)
        if found:
            first, last, name = found
            first = at if mark == _BEFORE else first
            done = last + 1
            yield tokens[first].start, tokens[last].end, name, all(token.sure for token in tokens[first : last + 1])


def _found_marks(tokens: Sequence[_Token]) -> Iterator[tuple[int, tuple[str, int]]]:
    """Yield the place of each mark among words, which it is, and where it ends."""
    forms, longest = _marks(), max(map(len, _marks()))
    firsts = {form[0] for form in forms}
    at = 0
    while at < len(tokens):
        length = 1
        if tokens[at].text.lower() in firsts:
            for length in range(min(longest, len(tokens) - at), 0, -1):
                mark = forms.get(tuple(token.text.lower() for token in tokens[at : at + length]))
                if mark:
                    yield at, (mark, at + length)
                    break
        at += length


def _dunder(tokens: Sequence[_Token], after: int, lexicon: Lexicon) -> tuple[int, int, str] | None:
    for length in range(min(_REACH, len(tokens) - after), 0, -1):
        stem = "_".join(token.text.lower().strip("_") for token in tokens[after : after + length])
        if name := lexicon.dunder(f"__{stem}__"):
            return after, after + length - 1, f"__{stem}__" if name else ""
    return None


def _name(
    tokens: Sequence[_Token],
    at: int,
    marks: Mapping[int, tuple[str, int]],
    lexicon: Lexicon,
    done: int,
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
        if found := _try(tokens, joints[:count], marks, lexicon, done):
            return found
    return None


def _try(
    tokens: Sequence[_Token],
    joints: Sequence[tuple[int, str, int]],
    marks: Mapping[int, tuple[str, int]],
    lexicon: Lexicon,
    done: int,
) -> tuple[int, int, str] | None:
    before, behind = joints[0][0], joints[-1][2]
    lefts = range(max(done, before - _REACH), before)
    rights = [n for n in range(behind, min(len(tokens), behind + _REACH)) if n not in marks]
    inner = [_forms(tokens[one[2] : other[0]], last=False) for one, other in pairwise(joints)]
    tried = 0
    for right, left in product(reversed(rights), lefts):
        ends = _forms(tokens[behind : right + 1], last=True)
        for parts in product(_forms(tokens[left:before], last=False), *inner, ends):
            tried += 1
            if tried > _TRIED:
                return None
            name = "".join(part + joint[1] for part, joint in zip(parts, joints, strict=False)) + parts[-1]
            if _is_known(name, lexicon):
                return left, right, name
    return None


def _forms(tokens: Sequence[_Token], *, last: bool) -> list[str]:
    """Return how words may be written as a part of a name: joined, with underscores, at the end as a class."""
    words = [token.text for token in tokens]
    small = [word.lower() for word in words]
    found = ["".join(small), "_".join(small)]
    if len(words) == 1:
        found.append(words[0])
    if last:
        found.append("".join(word[:1].upper() + word[1:] for word in words))
    return list(dict.fromkeys(found))


def _is_known(name: str, lexicon: Lexicon) -> bool:
    """Tell whether a name is one of the code: a path, a file, an operator, in full or by a module's short form."""
    if "/" in name:
        status = lexicon.index.paths.status(name)
        return status is not None and status.status in {"ok", "moved"}
    if "::" in name or "." in name:
        return bool(lexicon.qualified(name) or lexicon.file(name))
    return len(lexicon.bare(name)) > 0
