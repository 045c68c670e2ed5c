"""The state of a repository's files: present, moved, gone, or unknown.

A wheel contains every Python module and header but no C++ source; an older tree of the repository (the one Debian
packages) fills the gaps. Where both have a folder, the wheel shows the kinds of files it contains completely.
A file of such a kind is gone when the wheel lacks it.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

_Key = TypeVar("_Key")
_T = TypeVar("_T")
# Characters of a file name that identifies a moved file: shorter ones ("utils.py", "ops.h") occur too often.
_MINIMUM_NAME = 12


class FileStatus(NamedTuple):
    """The state of a file or folder: ``status`` is ``ok``, ``moved``, ``gone`` or ``unknown``.

    ``path`` is its present path, "" if it is gone or unknown; ``version`` is the newest version that has it.
    """

    status: str
    path: str = ""
    version: str = ""


class Tree:
    """The paths of the files in one version of a repository, sorted, with groups of them."""

    def __init__(self, files: Sequence[str], version: str) -> None:
        self.files, self.version = dict.fromkeys(files), version

    @cached_property
    def folders(self) -> set[str]:
        """All folders at any depth, without a slash at the end."""
        folders: set[str] = set()
        for folder in {path.rpartition("/")[0] for path in self.files}:
            parts = folder.split("/")
            folders.update("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
        return folders - {""}

    by_name = cached_property(lambda tree: group_by(lambda path: path.rpartition("/")[2], tree.files))
    by_kind = cached_property(lambda tree: group_by(_split_kind, tree.files))


class Paths:
    """The files of a repository: in the newest version, in an older one, and those that were moved.

    ``moves`` is the path of a file or folder (with a slash at its end) -> its new path, "" if it was deleted.
    ``unseen`` are beginnings of paths that the older tree does not have.
    """

    def __init__(self, new: Tree, old: Tree, moves: Mapping[str, str], unseen: tuple[str, ...]) -> None:
        self._new, self._old, self._moved, self._unseen = new, old, moves, unseen

    def list_by_name(self, name: str) -> list[str]:
        """Return the paths of the files called ``name``: today's, then those of the older tree that may still exist."""
        old = self._old.by_name.get(name, ())
        return [*self._new.by_name.get(name, ()), *(path for path in old if not self._is_lost(path))]

    def is_folder(self, path: str) -> bool:
        """Return whether ``path`` is a folder, today or in the older tree."""
        folder = path.strip("/")
        return folder in self._new.folders or folder in self._old.folders

    def find_status(self, path: str) -> FileStatus:
        """Return the state of a file or folder of the repository.

        A path that no tree has is ``gone`` only if there is a sign of it, else ``unknown``. Signs: the older tree had
        the file; the newest has others of its kind there; its folder is missing.
        """
        path = path.strip("/")
        if state := self.find_state(path):
            return state
        folder, _, name = path.rpartition("/")
        is_known_top = self.is_folder(path.partition("/")[0]) and not path.startswith(self._unseen)
        is_in_lost_folder = is_known_top and "." in name and not self.is_folder(folder)
        is_gone = path in self._old.files or self._is_lost(path) or is_in_lost_folder
        return FileStatus("gone" if is_gone else "unknown")

    def find_state(self, path: str) -> FileStatus | None:
        """Return the state of a path that is there or has moved; ``None`` if neither is known.

        A path is followed through the table of moved files, then to the only other file of the same name. It is
        ``gone`` if the table leads to a path that no version of the repository has.
        """
        is_present = path in self._new.files or self.is_folder(path)
        target = None if is_present else self._find_target(path)
        if target is None:
            if version := self._find_version(path):
                return FileStatus("ok", path, version)
            target = self._find_namesake(path)
            if not target:
                return None
        target = target.rstrip("/")
        for place in (target, self._find_namesake(target)):  # it may have moved again
            if version := self._find_version(place):
                return FileStatus("moved", place, version)
        return FileStatus("gone")

    def was_file(self, path: str) -> bool:
        """Return whether there was ever a file at ``path``, by the older version or the table of moved files."""
        path = path.strip("/")
        if path in self._moved or path in self._old.files:
            return True
        target = self._find_target(path)  # of a moved folder: the file of the same name in its new place
        return bool(target) and self.find_status(path).path == str(target).rstrip("/")

    def _find_version(self, path: str) -> str:
        """Return the newest version of the repository that has the file or folder ``path``, "" if none does.

        The two known versions are today's and an older one. A file of the older one that was probably deleted does not
        count.
        """
        if path in self._new.files or path in self._new.folders:
            return self._new.version
        is_old = path in self._old.folders or (path in self._old.files and not self._is_lost(path))
        return self._old.version if is_old else ""

    def _is_lost(self, path: str) -> bool:
        """Return whether a file was probably deleted, because the newest tree does not have it among its kind.

        A kind is a folder and a suffix. The newest tree must have at least half of the older tree's files of this kind.
        """
        kind = _split_kind(path)
        new, old = set(self._new.by_kind.get(kind, ())), set(self._old.by_kind.get(kind, ()))
        return path not in new and bool(new) and len(old & new) * 2 >= len(old)

    def _find_target(self, path: str) -> str | None:
        """Return the new path of a file or folder by the table of moves.

        The path itself is looked up, then the folders around it, the innermost first: a file moves with its folder. The
        result is "" if it was deleted, ``None`` if the table does not have it.
        """
        parts = path.split("/")
        folders = ("/".join(parts[:depth]) + "/" for depth in range(len(parts), 0, -1))
        place = next((place for place in (path, *folders) if place in self._moved), None)
        if place is None:
            return None
        target = self._moved[place]
        # A file that was deleted has no new path: "". Else the rest of the path follows that of the folder.
        return target and target + path[len(place) :]

    def _find_namesake(self, path: str) -> str:
        """Return the path of the only other file with the same name; "" without one, or for a short name."""
        name = path.rpartition("/")[2]
        places = self.list_by_name(name) if len(name) >= _MINIMUM_NAME and "." in name else []
        return places[0] if len(places) == 1 else ""


def group_by(key: Callable[[_T], _Key], items: Iterable[_T]) -> dict[_Key, list[_T]]:
    """Return {key: the items with this key, in their order}; the function ``key`` returns the key of an item.

    >>> dict(group_by(len, ["a", "bc", "d"]))
    {1: ['a', 'd'], 2: ['bc']}
    """
    groups = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups


def _split_kind(path: str) -> tuple[str, str]:
    """Return the kind of a file: its folder, and the suffix of its name without the dot."""
    folder, _, name = path.rpartition("/")
    return folder, name.rpartition(".")[2]


def pack_paths(paths: Iterable[str]) -> str:
    r"""Return paths as one text: a line with each folder, then lines with the names in it, to write each folder once.

    >>> pack_paths(["c10/a.h", "c10/b.h"])
    'c10/\na.h\nb.h'
    """
    folders: dict[str, list[str]] = {}
    for path in sorted(paths):
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append(name)
    return "\n".join(f"{folder}/\n" + "\n".join(names) for folder, names in sorted(folders.items()))


def parse_paths(text: str) -> list[str]:
    """Return the sorted paths in a text that ``pack_paths`` made.

    >>> parse_paths(pack_paths(["setup.py", "c10/core/Device.h"]))
    ['c10/core/Device.h', 'setup.py']
    """
    folder = ""
    paths = []
    for line in text.split("\n"):
        if line.endswith("/"):
            folder = line.lstrip("/")
        elif line:
            paths.append(folder + line)
    return sorted(paths)
