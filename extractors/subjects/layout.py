"""The layout of a subject's repository: folders and files with their topics, from the hand-written ``layout.txt``."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .subject import Subject

# the affixes of the names of tests and pages: `test_x`, `x_test`, `test-x`
_TESTING = re.compile(r"\A_*tests?[_-]|[_-]tests?\Z")


class Belonging(NamedTuple):
    """A folder or file of the layout: its topics, and those ``near`` it, the nearest first."""

    place: str
    topics: tuple[str, ...]
    near: tuple[str, ...] = ()


class Layout:
    """The folders and files of a repository with their topics.

    ``shelves`` are folders that only contain subsystems, and say little about a file in them.

    >>> loom = Layout(["src/warp/ warp", "*weft* weft ~ warp", "test/ = src/"])
    >>> [place.topics for place in loom.list_places("test/warp/test_weft.c")]
    [('weft',), ('warp',)]
    """

    def __init__(self, lines: Iterable[str] = (), shelves: Iterable[str] = ()) -> None:
        """Parse the lines of a ``layout.txt``.

        A line is ``<place> <topics> ~ <nearest topics>``, or ``<folder of tests or pages> = <folder that they are
        about>``. A place that ends in a slash is a folder, every other one a pattern. The longest place comes first.
        """
        self._folders: dict[str, Belonging] = {}
        self._counterparts: dict[str, str] = {}
        self._patterns: dict[str, Belonging] = {}
        self._shelves = frozenset(f"{shelf}/" for shelf in shelves)
        for line in sorted(lines, key=lambda line: -len(line.partition(" ")[0])):
            place, _, rest = line.partition(" ")
            own, _, near = rest.partition("~")  # the near topics are used where no episode is about the others
            if rest.startswith("= "):
                self._counterparts[place] = rest[2:]
            else:
                places = self._folders if place.endswith("/") else self._patterns
                places[place] = Belonging(place, tuple(own.split()), tuple(near.split()))

    def list_places(self, path: str) -> list[Belonging]:
        """Return the places of the layout that contain a file or folder, each with its topics, the nearest first.

        The order is: patterns of paths, folders from long to short, patterns of file names; then the same for the file
        that a test or page is about; shelves (folders that only contain subsystems) last.
        """
        places, shelves = [], []
        for each in (path, *self.list_counterparts(path)):
            patterns = [pattern for pattern in self._patterns.values() if _is_match(pattern.place, each)]
            folders = self._list_folders(each)
            shelves += [folder for folder in folders if self.is_shelf(folder.place)]
            places += [pattern for pattern in patterns if "/" in pattern.place]  # others are of names
            places += [folder for folder in folders if not self.is_shelf(folder.place)]
            places += patterns  # those of paths a second time, which has no effect
        return list(dict.fromkeys((*places, *shelves)))

    def is_shelf(self, folder: str) -> bool:
        """Return whether ``folder`` (with a slash at its end) is a shelf: a folder that only contains subsystems."""
        return folder in self._shelves

    def list_counterparts(self, path: str) -> list[str]:
        """Return the paths of the file that a test, a page or a header is about, the likeliest first.

        They have no suffix, and need not exist. The result is empty for a file outside the listed folders.

        >>> Layout(["test/nn/ = src/nn/", "test/ = src/"]).list_counterparts("test/nn/test_dense.py")
        ['src/nn/dense', 'src/nn/dense']
        """
        counterparts = []
        for place, other_place in self._counterparts.items():
            if path.startswith(place):
                folder, _, name = path[len(place) :].rpartition("/")
                stem = _TESTING.sub("", name.rpartition(".")[0] or name).replace(".", "/")
                counterparts.append(other_place + "/".join(filter(None, (folder, stem))))
        return counterparts

    def _list_folders(self, path: str) -> list[Belonging]:
        """Return the folders of the layout that contain a path, the innermost first.

        The path itself is tried as a folder, too, because a file may have the name of the folder it is about.
        """
        parts = path.rstrip("/").split("/")
        folders = ("/".join(parts[:depth]) + "/" for depth in range(len(parts), 0, -1))
        return [self._folders[folder] for folder in folders if folder in self._folders]


def _is_match(pattern: str, path: str) -> bool:
    """Return whether a path matches a ``pattern`` with ``*``, ``?`` or ``[…]``.

    A pattern without a slash is for file names alone.
    """
    # A text without the longest literal part cannot match; this saves compiling most patterns.
    longest_literal = max(re.split(r"[*?\[\]]", pattern), key=len)
    text = path if "/" in pattern else path.rpartition("/")[2]
    return (longest_literal in text or "[" in pattern) and fnmatchcase(text, pattern)


@lru_cache(maxsize=8)
def read_layout(subject: Subject) -> Layout:
    """Return the layout in the file ``layout.txt`` of a subject; an empty one without the file."""
    return Layout(subject.read_lines("layout.txt"), subject.code.shelves)
