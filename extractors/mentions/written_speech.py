"""Speech in written form: “torch dot compile” → ``torch.compile``, with the way back to the spoken words.

A subject has the sounds of its names (``spoken.txt``), a language the spoken names of code's marks
(``languages/tables/spoken.txt``). Words round a mark are a name if the index of the code has it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

from ..languages.trigger_phrases import phrases
from ..subjects.index import last_part, subject_index
from ..subjects.lists import read_spoken
from .symbols.lexicon import lexicon_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..subjects.index import Index
    from ..subjects.subject import Subject
    from .symbols.lexicon import Lexicon

_WORD = re.compile(r"[\w+#]+(?:'\w+)?")  # a word of speech, "c++" and "don't" too
_GAP = re.compile(r"[\s,.\-]{1,3}")  # between words of one form: recognisers put commas and points anywhere
_DUNDER = "__"
_INNER = re.compile(r"(?<=[a-z0-9])_")  # an underscore inside a word
_BEFORE, _BEHIND = 4, 12  # words before and behind a mark that may belong to the name


class Piece(NamedTuple):
    """A word, a name or a passage of speech: its written form and its place; ``mark`` is the mark of code it names."""

    text: str
    start: int
    end: int
    is_name: bool = False
    sure: bool = True
    mark: str = ""


class Written(NamedTuple):
    """A text with some of its words written otherwise: its ``pieces``, and the ``starts`` of these in the text."""

    text: str
    pieces: list[Piece]
    starts: list[int]

    def to_spoken(self, start: int, end: int) -> tuple[int, int, bool]:
        """Return the span in the spoken text of a span in the written one, and whether each name in it is sure."""
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        one, two = self.pieces[first], self.pieces[last]
        speech_start = one.start if one.is_name else one.start + start - self.starts[first]
        speech_end = two.end if two.is_name else two.start + end - self.starts[last]
        return speech_start, speech_end, all(piece.sure for piece in self.pieces[first : last + 1])


def write_down(speech: str, subject: Subject) -> Written:
    """Return a text with a subject's names in their written form."""
    index = subject_index(subject)
    words = _cut_words(speech, subject)
    names = [*(_join_names(words, index) if index else ()), *(word for word in words if word.is_name)]
    pieces, at = [], 0
    for name in sorted(names, key=lambda name: (name.start, -name.end)):
        if name.start >= at:
            pieces += [Piece(speech[at : name.start], at, name.start), name]
            at = name.end
    pieces.append(Piece(speech[at:], at, len(speech)))
    pieces = [piece for piece in pieces if piece.text]
    starts = [0, *accumulate(len(piece.text) for piece in pieces)][: len(pieces)]
    return Written("".join(piece.text for piece in pieces), pieces, starts)


@lru_cache(maxsize=8)
def _read_forms(subject: Subject) -> dict[tuple[str, ...], Piece]:
    """Return the spoken forms of a subject's names and of the marks of code, as pieces without a place."""
    forms = {form: Piece(name.text, 0, 0, is_name=True, sure=name.sure) for form, name in read_spoken(subject).items()}
    for mark in (".", "_", "/", "::", _DUNDER):
        forms.update((tuple(form.split()), Piece(mark, 0, 0, mark=mark)) for form in phrases(mark, of="spoken"))
    return forms


def _cut_words(speech: str, subject: Subject) -> list[Piece]:
    """Return the words of a text, those that make a spoken form as one; the longest form counts."""
    forms = _read_forms(subject)
    longest: dict[str, int] = {}
    for first, *others in forms:
        longest[first] = max(len(others) + 1, longest.get(first, 0))
    words = [Piece(match[0], *match.span()) for match in _WORD.finditer(speech)]
    is_apart = [not _GAP.fullmatch(speech, one.end, two.start) for one, two in pairwise(words)]
    small = [word.text.lower() for word in words]
    pieces: list[Piece] = []
    at = 0
    while at < len(words):
        word, length = words[at], 1
        for count in range(min(longest.get(small[at], 0), len(words) - at), 0, -1):
            form = forms.get(tuple(small[at : at + count]))
            if form and not any(is_apart[at : at + count - 1]):
                word, length = form._replace(start=word.start, end=words[at + count - 1].end), count
                break
        pieces.append(word)
        at += length
    return pieces


def _join_names(words: Sequence[Piece], index: Index) -> Iterator[Piece]:
    """Yield the names of the code that some words and the marks between them make: the longest at each mark."""
    names, lexicon = _read_names(index), lexicon_of(index)
    texts = [word.mark or word.text.strip("_") for word in words]
    done = 0
    for at, word in enumerate(words):
        if not word.mark or at < done:
            continue
        lefts = range(max(done, at - _BEFORE), at) if word.mark != _DUNDER else [at]
        for right in range(min(at + _BEHIND, len(words)) - 1, at, -1):
            spellings = {first: names.get(_squeeze("".join(texts[first : right + 1])), "") for first in lefts}
            first = next((first for first, name in spellings.items() if name and _is_known(name, lexicon)), None)
            if first is not None and not words[right].mark:
                sure = all(part.sure for part in words[first : right + 1])
                yield Piece(spellings[first], words[first].start, words[right].end, is_name=True, sure=sure)
                done = right + 1
                break


@lru_cache(maxsize=8)
def _read_names(index: Index) -> dict[str, str]:
    """Return the names of a code by their squeezed form, the plainest first: in full, by a module's short form, paths.

    A name without dots has underscores in it, because a mark was spoken.
    """
    full = [*index.rows, *index.aliases, *index.modules]
    names = {*full, *(word for word in map(last_part, full) if "_" in word)}
    for short, module in index.spellings["prefixes"].items():
        names |= {short + name.removeprefix(module) for name in full if name.startswith(f"{module}.")}
    for path in (*index.files, *index.older_files):
        names |= {path, path.rpartition("/")[0], path.rpartition("/")[2]}
    names_of: dict[str, str] = {}
    for name in sorted(names, key=lambda name: (name != name.lower(), "_" in name, name)):
        names_of.setdefault(_squeeze(name), name)
    return names_of | {_DUNDER + _squeeze(name.strip("_")): name for name in index.spellings["dunders"]}


def _is_known(name: str, lexicon: Lexicon) -> bool:
    """Return whether a name means one thing: a path, a file, or a name in full, by its short form, or by its end."""
    if "/" in name:
        return lexicon.index.file_status(name).status in {"ok", "moved"}
    if "::" in name or "." in name:
        return bool(lexicon.find_qualified(name) or lexicon.find_file(name))
    return bool(lexicon.find_dunder(name) or lexicon.find_bare(name))


def _squeeze(name: str) -> str:
    """Return a name in small letters, without the underscores inside its words, which people do not speak."""
    return _INNER.sub("", name.lower()) if "_" in name else name.lower()
