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

_RUN_WORDS, _STEP = 4, 3  # words of a run, and from the begin of one run of a text to that of the next
_MAXIMUM_RUNS = 4  # of a text in the table: they cover its first 13 words
_MINIMUM_RUNS = 2  # of a message in the same file: one alone is often a common phrase
_HASH_COUNT = 1 << 24  # a random run is in the table once in 300 times, two of the same file almost never
_WORD = re.compile(r"[a-z]+(?:'t)?", re.ASCII | re.IGNORECASE)  # numbers and marks differ from one message to the next


class MessageSource(NamedTuple):
    """The path of a file with an error message, and the (start, end) of the message's words in a user's text."""

    path: str
    start: int
    end: int


def _hash_words(words: Iterable[str]) -> int:
    """Return a number from 0 to 2**24 - 1 for some words, in upper or lower case; the same for the same words."""
    return zlib.crc32(" ".join(words).lower().encode()) % _HASH_COUNT


def pack_messages(texts: Iterable[tuple[str, str]], files: Sequence[str]) -> dict[str, str]:
    """Return the two sections of an index with the error messages in code: hashes of words, and their files.

    Only runs of words that one file alone has are kept. The hashes are sorted, and stored as differences.

    Args:
        texts: (path, text) of each message in the code
        files: the paths of all files of the index, in its order
    """
    numbers = {path: number for number, path in enumerate(files)}
    owners_by_run: dict[int, set[int]] = defaultdict(set)
    for path, text in texts:
        words = _WORD.findall(text)
        starts = range(0, len(words) - _RUN_WORDS + 1, _STEP)[:_MAXIMUM_RUNS]
        for at in starts if len(starts) >= _MINIMUM_RUNS else ():
            owners_by_run[_hash_words(words[at : at + _RUN_WORDS])].add(numbers[path])
    single = sorted((run, *owners) for run, owners in owners_by_run.items() if len(owners) == 1)
    gaps = (later - earlier for (earlier, _), (later, _) in pairwise([(0, 0), *single]))
    return {"message_gaps": " ".join(map(str, gaps)), "message_files": "".join(chr(number) for _, number in single)}


class Messages:
    """The error messages in the code of an index; empty for an index without them."""

    def __init__(self, sections: Sections, files: Sequence[str]) -> None:
        self._sections, self._files = sections, files

    @cached_property
    def _owners(self) -> dict[int, int]:
        """For the hash of each run of words, the number of the file that has it.

        The number is the file's place among the files of the index.
        """
        runs = self._sections.read("message_gaps", lambda text: accumulate(map(int, text.split())))
        return dict(zip(runs, map(ord, self._sections.read("message_files", str)), strict=True))

    def find_sources(self, text: str) -> list[MessageSource]:
        """Return the files that have error messages of a user's ``text``, those with the most words of it first.

        A file needs two runs of four words in common with the text.
        """
        places: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for run, start, end in dict.fromkeys(_list_runs(text)):
            if run in self._owners:
                places[self._owners[run]].append((start, end))
        ranked_files = sorted(places.items(), key=lambda item: (-len(item[1]), item[0]))
        sources = ((self._files[number], spans) for number, spans in ranked_files if len(spans) >= _MINIMUM_RUNS)
        return [MessageSource(path, spans[0][0], spans[-1][1]) for path, spans in sources]


def _list_runs(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield (hash, start, end) of each four words in a row in a text."""
    words = list(_WORD.finditer(text))
    for at in range(len(words) - _RUN_WORDS + 1):
        run = words[at : at + _RUN_WORDS]
        yield _hash_words(word[0] for word in run), run[0].start(), run[-1].end()
