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
    """The lines of a ``layout.txt``; ``shelves`` are folders of subsystems rather than subsystems.

    >>> loom = Layout(["src/warp/ warp", "*weft* weft ~ warp", "test/ = src/"])
    >>> [found.topics for found in loom.belongings("test/warp/test_weft.c")]
    [('weft',), ('warp',)]
    """

    def __init__(self, lines: Iterable[str] = (), shelves: Iterable[str] = ()) -> None:
        """Parse the lines: ``<place> <topics> ~ <nearest topics>``, and ``<place> = <place that it is about>``.

        A place that ends in a slash is a folder, every other one a pattern. The longest place comes first.
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

    def belongings(self, path: str) -> list[Belonging]:
        """Return the places containing a file or folder, the nearest first.

        The order is: patterns of paths, folders from long to short, patterns of names, the places of the file
        a test or page is about, and shelves last.
        """
        places, shelves = [], []
        for each in (path, *self.stands_for(path)):
            patterns = [pattern for pattern in self._patterns.values() if _is_match(pattern.place, each)]
            folders = self._list_folders(each)
            shelves += [folder for folder in folders if self.is_shelf(folder.place)]
            places += [pattern for pattern in patterns if "/" in pattern.place]  # others are of names
            places += [folder for folder in folders if not self.is_shelf(folder.place)]
            places += patterns
        return list(dict.fromkeys((*places, *shelves)))

    def is_shelf(self, folder: str) -> bool:
        """Return whether a folder (with a slash at its end) is a shelf: it contains subsystems but is not one."""
        return folder in self._shelves

    def stands_for(self, path: str) -> list[str]:
        """Return the paths, without a suffix, of the subject of a test, a page or a header, the likeliest first.

        >>> Layout(["test/nn/ = src/nn/", "test/ = src/"]).stands_for("test/nn/test_dense.py")
        ['src/nn/dense', 'src/nn/dense']
        """
        subjects = []
        for place, other in self._counterparts.items():
            if path.startswith(place):
                folder, _, name = path[len(place) :].rpartition("/")
                stem = _TESTING.sub("", name.rpartition(".")[0] or name).replace(".", "/")
                subjects.append(other + "/".join(filter(None, (folder, stem))))
        return subjects

    def _list_folders(self, path: str) -> list[Belonging]:
        """Return the folders around a path, the innermost first; a file may be called like the folder it is about."""
        parts = path.rstrip("/").split("/")
        folders = ("/".join(parts[:depth]) + "/" for depth in range(len(parts), 0, -1))
        return [self._folders[folder] for folder in folders if folder in self._folders]


def _is_match(pattern: str, path: str) -> bool:
    # A comparison of the longest word of most patterns saves compiling them.
    longest = max(re.split(r"[*?\[\]]", pattern), key=len)
    text = path if "/" in pattern else path.rpartition("/")[2]
    return (longest in text or "[" in pattern) and fnmatchcase(text, pattern)


@lru_cache(maxsize=8)
def read_layout(subject: Subject) -> Layout:
    """Return the layout in ``layout.txt``. Without the file, the layout is empty."""
    return Layout(subject.read_lines("layout.txt"), subject.code.shelves)
