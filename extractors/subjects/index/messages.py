"""From an error message to its file: hashes of four words in a row, never the words themselves.

The table has the hashes of the first few runs of each longer text in the code, every third word, with the file, if
it is the only one with this run. ``tools/index`` makes it; a message matches a file by two of its runs.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .container import Sections

_RUN, _STEP = 4, 3  # words of a run, and from one run of a text to the next
_FIRST = 4  # runs of a text: they cover its first 13 words
_ENOUGH = 2  # runs of a message in the same file: one alone is often a common phrase
_HASHES = 1 << 24  # a random run is in the table once in 300 times, two of the same file almost never
_WORD = re.compile(r"[a-z]+(?:'t)?", re.ASCII | re.IGNORECASE)  # numbers and marks differ from one message to the next


class Raised(NamedTuple):
    """A file with words of a message, and the place of these words in the text."""

    path: str
    start: int
    end: int


def _hash(words: Iterable[str]) -> int:
    return zlib.crc32(" ".join(words).lower().encode()) % _HASHES


def pack_messages(texts: Iterable[tuple[str, str]], files: Sequence[str]) -> dict[str, str]:
    """Return the sections of the table of some (path, text), whose paths are among ``files``."""
    numbers = {path: number for number, path in enumerate(files)}
    owners_by_run: dict[int, set[int]] = defaultdict(set)
    for path, text in texts:
        words = _WORD.findall(text)
        starts = range(0, len(words) - _RUN + 1, _STEP)[:_FIRST]
        if len(starts) < _ENOUGH:
            continue
        for at in starts:
            owners_by_run[_hash(words[at : at + _RUN])].add(numbers[path])
    single = sorted((run, *owners) for run, owners in owners_by_run.items() if len(owners) == 1)
    gaps = (later - earlier for (earlier, _), (later, _) in pairwise([(0, 0), *single]))
    return {"message_gaps": " ".join(map(str, gaps)), "message_files": "".join(chr(number) for _, number in single)}


class Messages:
    """The table of an index, empty for an index without one."""

    def __init__(self, sections: Sections, files: Sequence[str]) -> None:
        self._sections, self._files = sections, files

    @cached_property
    def _owners(self) -> dict[int, int]:
        """The hash of each run to the number of its file."""
        runs = self._sections.read("message_gaps", lambda text: accumulate(map(int, text.split())))
        return dict(zip(runs, map(ord, self._sections.read("message_files", str)), strict=True))

    def in_text(self, text: str) -> list[Raised]:
        """Return the files containing messages of a text, those with the most words first."""
        places: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for run, start, end in dict.fromkeys(_list_runs(text)):
            if run in self._owners:
                places[self._owners[run]].append((start, end))
        files = sorted(places.items(), key=lambda item: (-len(item[1]), item[0]))
        return [Raised(self._files[file], spans[0][0], spans[-1][1]) for file, spans in files if len(spans) >= _ENOUGH]


def _list_runs(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield the hash of each run of words, with its place."""
    words = list(_WORD.finditer(text))
    for at in range(len(words) - _RUN + 1):
        run = words[at : at + _RUN]
        yield _hash(word[0] for word in run), run[0].start(), run[-1].end()
