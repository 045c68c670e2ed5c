"""Speech in written form: “torch dot compile” → ``torch.compile``, with the way back to the spoken words.

A subject has the sounds of its names (``spoken.txt``), a language the spoken names of code's marks
(``languages/tables/spoken.txt``). Words round a mark are a name if the index of the code has it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import islice, pairwise, product
from typing import TYPE_CHECKING, NamedTuple

from ..languages.trigger_phrases import phrases
from ..subjects.index import subject_index
from ..subjects.lists import read_spoken
from .symbols.lexicon import is_file_name, lexicon_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..subjects.subject import Subject
    from .symbols.lexicon import Lexicon

_WORD = re.compile(r"[\w+#]+(?:'\w+)?")  # a word of speech, "c++" and "don't" too
_NEAR = re.compile(r"[\s,.\-]{1,3}")  # between words of one form: recognisers put commas and points anywhere
_DUNDER = "__"
_REACH = 4  # words on one side of a mark that may belong to the name
_MOST_MARKS = 3  # in one name
_MOST_SPELLINGS = 600  # ways to join the words round some marks that are looked up


class _Token(NamedTuple):
    """A word or a name: its text, its place in the speech, whether it is written otherwise, and whether for sure.

    ``mark`` is the mark of code that it names, or empty.
    """

    text: str
    start: int
    end: int
    is_name: bool = False
    sure: bool = True
    mark: str = ""


class Written(NamedTuple):
    """A text with some of its words written otherwise; ``changes`` are the names, ``starts`` their places in it."""

    text: str
    changes: list[_Token]
    starts: list[int]

    def to_spoken(self, start: int, end: int) -> tuple[int, int, bool]:
        """Return the span in the spoken text of a span in the written one, and whether each rewriting in it is sure."""
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        places = []
        for at, place, is_end in ((first, start, False), (last, end, True)):
            offset = place
            if at >= 0:
                change = self.changes[at]
                behind = place - self.starts[at] - len(change.text)
                inside = change.end if is_end else change.start
                offset = inside if behind < 0 or (is_end and behind == 0) else change.end + behind
            places.append(offset)
        is_first_inside = first >= 0 and self.starts[first] + len(self.changes[first].text) > start
        within = self.changes[first + (not is_first_inside) : last + 1]
        return places[0], places[1], all(change.sure for change in within)


def write_down(spoken: str, subject: Subject) -> Written:
    """Return a text with a subject's names in their written form."""
    index = subject_index(subject)
    tokens = _cut_tokens(spoken, subject)
    names = list(_join_names(tokens, lexicon_of(index))) if index else []
    names += (token for token in tokens if token.is_name)
    parts, changes, starts, at, length = [], [], [], 0, 0
    for name in sorted(names, key=lambda name: (name.start, -name.end)):
        if name.start >= at:
            parts += [spoken[at : name.start], name.text]
            length += name.start - at
            changes.append(name)
            starts.append(length)
            length += len(name.text)
            at = name.end
    return Written("".join([*parts, spoken[at:]]), changes, starts)


@lru_cache(maxsize=8)
def _read_forms(subject: Subject) -> dict[tuple[str, ...], tuple[str, bool, bool]]:
    """Return the spoken forms of a subject and of the marks of code: the written form, is it sure, is it a mark."""
    forms = {form: (name.written, name.sure, False) for form, name in read_spoken(subject).items()}
    for mark in (".", "_", "/", "::", _DUNDER):
        forms.update((tuple(form.split()), (mark, True, True)) for form in phrases(mark, of="spoken"))
    return forms


def _cut_tokens(spoken: str, subject: Subject) -> list[_Token]:
    """Return the words of a text, those that make a spoken form as one token; the longest form counts."""
    forms = _read_forms(subject)
    longest: dict[str, int] = {}
    for first, *others in forms:
        longest[first] = max(len(others) + 1, longest.get(first, 0))
    words = [_Token(match[0], *match.span()) for match in _WORD.finditer(spoken)]
    small = [word.text.lower() for word in words]
    tokens: list[_Token] = []
    at = 0
    while at < len(words):
        token, length = words[at], 1
        for count in range(min(longest.get(small[at], 0), len(words) - at), 0, -1):
            form = forms.get(tuple(small[at : at + count]))
            gaps = (spoken[one.end : two.start] for one, two in pairwise(words[at : at + count]))
            if form and all(map(_NEAR.fullmatch, gaps)):
                written, sure, is_mark = form
                place = (words[at].start, words[at + count - 1].end)
                token, length = _Token(written, *place, not is_mark, sure, written * is_mark), count
                break
        tokens.append(token)
        at += length
    return tokens


def _join_names(tokens: Sequence[_Token], lexicon: Lexicon) -> Iterator[_Token]:
    """Yield the names of the code that some tokens and the marks between them make: the longest at each mark."""
    done = 0
    for at, token in enumerate(tokens):
        if not token.mark or at < done:
            continue
        found = _find_dunder(tokens, at, lexicon) if token.mark == _DUNDER else _find_name(tokens, at, done, lexicon)
        if found:
            first, last, name = found
            done = last + 1
            sure = all(part.sure for part in tokens[first:done])
            yield _Token(name, tokens[first].start, tokens[last].end, is_name=True, sure=sure)


def _find_dunder(tokens: Sequence[_Token], at: int, lexicon: Lexicon) -> tuple[int, int, str] | None:
    """Return (first, last, name) of the longest known ``__name__`` that the tokens behind a mark spell."""
    for end in range(min(at + 1 + _REACH, len(tokens)), at + 1, -1):
        stem = "_".join(token.text.lower().strip("_") for token in tokens[at + 1 : end])
        if lexicon.dunder(f"__{stem}__"):
            return at, end - 1, f"__{stem}__"
    return None


def _find_name(tokens: Sequence[_Token], at: int, done: int, lexicon: Lexicon) -> tuple[int, int, str] | None:
    """Return (first, last, name) of the longest known name round a mark, behind the token ``done``."""
    marks = [at]
    while len(marks) < _MOST_MARKS:
        near = range(marks[-1] + 2, min(marks[-1] + _REACH + 2, len(tokens)))
        following = next((place for place in near if tokens[place].mark), 0)
        if not following or tokens[following].mark == _DUNDER:
            break
        marks.append(following)
    while marks:
        rights = [n for n in range(marks[-1] + 1, min(len(tokens), marks[-1] + 1 + _REACH)) if not tokens[n].mark]
        inner = [_spell(tokens[one + 1 : two]) for one, two in pairwise(marks)]
        spellings = (
            (left, right, parts)
            for right, left in product(reversed(rights), range(max(done, at - _REACH), at))
            for parts in product(
                _spell(tokens[left:at]), *inner, _spell(tokens[marks[-1] + 1 : right + 1], is_last=True)
            )
        )
        for left, right, parts in islice(spellings, _MOST_SPELLINGS):
            joints = [tokens[mark].mark for mark in marks]
            name = "".join(map("".join, zip(parts, [*joints, ""], strict=True)))
            if _is_known(name, lexicon):
                return left, right, name
        marks.pop()
    return None


def _spell(tokens: Sequence[_Token], *, is_last: bool = False) -> list[str]:
    """Return how tokens may be written as a part of a name: joined, with underscores, at the end as a class."""
    texts = [token.text for token in tokens]
    small = [text.lower() for text in texts]
    found = ["".join(small), "_".join(small), *(texts if len(texts) == 1 else ())]
    if is_last:
        found.append("".join(text[:1].upper() + text[1:] for text in texts))
    return list(dict.fromkeys(found))


def _is_known(name: str, lexicon: Lexicon) -> bool:
    """Return whether a name is one of the code: a path, a file, an operator, in full or by a module's short form."""
    if "/" in name:
        is_inside = name.partition("/")[0] in lexicon.index.subject.code.top_folders
        status = lexicon.index.paths.status(name) if is_inside else None
        return status is not None and status.status in {"ok", "moved"}
    if "::" in name or "." in name:
        return bool(lexicon.qualified(name) or (is_file_name(name) and lexicon.file(name)))
    return len(lexicon.bare(name)) > 0
