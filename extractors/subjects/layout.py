"""The layout of a subject's repository: folders and files with their topics, from the hand-written ``layout.txt``."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .subject import Subject

_NEAREST = "~"  # the topics after it are used where no episode is about the topics before it
_STANDS_FOR = " = "
# the affixes of the names of tests and pages: `test_x`, `x_test`, `test-x`
_TESTING = re.compile(r"\A_*tests?[_-]|[_-]tests?\Z")


class Belonging(NamedTuple):
    """A folder or file of the layout: its topics, and those ``near`` it, the nearest first."""

    place: str
    topics: tuple[str, ...]
    near: tuple[str, ...] = ()

    @property
    def is_folder(self) -> bool:
        """Whether the place is a folder, and no shape of names."""
        return self.place.endswith("/")


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
        self._shapes: list[Belonging] = []
        self._standing: list[tuple[str, str]] = []
        self._shelves = frozenset(f"{shelf}/" for shelf in shelves)
        for line in lines:
            if _STANDS_FOR in line:
                place, _, other = line.partition(_STANDS_FOR)
                self._standing.append((place, other))
                continue
            place, _, rest = line.partition(" ")
            own, _, near = rest.partition(_NEAREST)
            belonging = Belonging(place, tuple(own.split()), tuple(near.split()))
            if belonging.is_folder:
                self._folders[place] = belonging
            else:
                self._shapes.append(belonging)
        self._shapes.sort(key=lambda shape: -len(shape.place))
        self._standing.sort(key=lambda pair: -len(pair[0]))

    def __bool__(self) -> bool:
        """Return whether the layout has any place."""
        return bool(self._folders or self._shapes)

    def belongings(self, path: str) -> list[Belonging]:
        """Return the places containing a file or folder, the nearest first.

        The order is: patterns of paths, folders from long to short, patterns of names, the places of the file
        a test or page is about, and shelves last.
        """
        by_place: dict[str, Belonging] = {}
        paths = [path, *self.stands_for(path)]
        for each in paths:
            by_pattern = list(self._match_patterns(each))
            by_path = [belonging for belonging in by_pattern if "/" in belonging.place]  # others are of names
            folders = [belonging for belonging in self._around(each) if belonging.place not in self._shelves]
            for belonging in (*by_path, *folders, *by_pattern):
                by_place.setdefault(belonging.place, belonging)
        for each in paths:
            for belonging in self._around(each):  # the shelves: all others are there already
                by_place.setdefault(belonging.place, belonging)
        return list(by_place.values())

    def is_shelf(self, folder: str) -> bool:
        """Return whether a folder (with a slash at its end) is a shelf: it contains subsystems but is not one."""
        return folder in self._shelves

    def stands_for(self, path: str) -> list[str]:
        """Return the paths, without a suffix, of the subject of a test, a page or a header, the likeliest first.

        >>> Layout(["test/nn/ = src/nn/", "test/ = src/"]).stands_for("test/nn/test_dense.py")
        ['src/nn/dense', 'src/nn/dense']
        """
        found = []
        for place, other in self._standing:
            if path.startswith(place):
                folder, _, name = path[len(place) :].rpartition("/")
                stem = _TESTING.sub("", _stem(name)).replace(".", "/")
                found.append(other + "/".join(filter(None, (folder, stem))))
        return found

    def _match_patterns(self, path: str) -> Iterator[Belonging]:
        name = path.rpartition("/")[2]
        for shape in self._shapes:
            # A comparison of the longest word of most patterns saves compiling them.
            longest = max(re.split(r"[*?\[\]]", shape.place), key=len)
            text = path if "/" in shape.place else name
            if (longest in text or "[" in shape.place) and fnmatchcase(text, shape.place):
                yield shape

    def _around(self, path: str) -> Iterator[Belonging]:
        """Yield the folders around a path, the innermost first; a file may be called like the folder it is about."""
        folder = f"{path.rstrip('/')}/"
        while folder:
            if folder in self._folders:
                yield self._folders[folder]
            folder = folder[:-1].rpartition("/")[0]
            folder = f"{folder}/" if folder else ""


def _stem(name: str) -> str:
    return name.rpartition(".")[0] or name


@lru_cache(maxsize=8)
def read_layout(subject: Subject) -> Layout:
    """Return the layout in ``layout.txt``; ``#`` begins a comment. Without the file, the layout is empty."""
    file = subject.file("layout.txt")
    lines: list[str] = []
    if Path(file).is_file():
        lines = Path(file).read_text("utf-8").splitlines()
    return Layout((line for line in lines if line and not line.startswith("#")), subject.code.shelves)
