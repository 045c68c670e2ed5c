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
_TOO_COMMON = 12  # characters: shorter file names ("utils.py", "ops.h") occur too often to identify a moved file


class FileStatus(NamedTuple):
    """``status`` is ``ok``, ``moved``, ``gone`` or ``unknown``; ``path`` the present path of an existing file.

    ``version`` is the newest one with this state.
    """

    status: str
    path: str = ""
    version: str = ""


class Tree:
    """The files of one version, sorted, and what is found by them."""

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
    by_kind = cached_property(lambda tree: group_by(_folder_and_suffix, tree.files))


class Paths:
    """The files of two trees, and the table of moves. The old tree lacks the paths beginning with ``unseen``."""

    def __init__(self, new: Tree, old: Tree, moves: Mapping[str, str], unseen: tuple[str, ...]) -> None:
        self._new, self._old, self._moved, self._unseen = new, old, moves, unseen

    def list_by_name(self, name: str) -> list[str]:
        """Return the paths ending in a file name: those of today, then those of the older tree that may still exist."""
        old = self._old.by_name.get(name, ())
        return [*self._new.by_name.get(name, ()), *(path for path in old if not self._is_lost(path))]

    def is_folder(self, path: str) -> bool:
        """Return whether a folder is known, today or in the older tree."""
        folder = path.strip("/")
        return folder in self._new.folders or folder in self._old.folders

    def status(self, path: str) -> FileStatus:
        """Return the state of a file or folder of the repository."""
        path = path.strip("/")
        if state := self.find_state(path):
            return state
        folder, _, name = path.rpartition("/")
        is_known_top = self.is_folder(path.partition("/")[0]) and not path.startswith(self._unseen)
        is_in_lost_folder = is_known_top and "." in name and not self.is_folder(folder)
        is_gone = path in self._old.files or self._is_lost(path) or is_in_lost_folder
        return FileStatus("gone" if is_gone else "unknown")

    def find_state(self, path: str) -> FileStatus | None:
        """Return the known state of a file or folder; ``None`` when it may be gone or foreign."""
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

    def was_there(self, path: str) -> bool:
        """Return whether a file existed at a path, by the older tree or the table of moves."""
        path = path.strip("/")
        if path in self._moved or path in self._old.files:
            return True
        target = self._find_target(path)  # of a moved folder: the file of the same name in its new place
        return bool(target) and self.status(path).path == str(target).rstrip("/")

    def _find_version(self, path: str) -> str:
        """Return the version of the newest tree with this file or folder, "" for neither."""
        if path in self._new.files or path in self._new.folders:
            return self._new.version
        is_old = path in self._old.folders or (path in self._old.files and not self._is_lost(path))
        return self._old.version if is_old else ""

    def _is_lost(self, path: str) -> bool:
        """Return whether the newer tree lacks a file, and has at least half of the older files of its kind there."""
        kind = _folder_and_suffix(path)
        new, old = set(self._new.by_kind.get(kind, ())), set(self._old.by_kind.get(kind, ()))
        return path not in new and bool(new) and len(old & new) * 2 >= len(old)

    def _find_target(self, path: str) -> str | None:
        """Follow the table of moves: an exact path, else the longest folder; "" for a deleted path."""
        parts = path.split("/")
        folders = ("/".join(parts[:depth]) + "/" for depth in range(len(parts), 0, -1))
        place = next((place for place in (path, *folders) if place in self._moved), None)
        if place is None:
            return None
        target = self._moved[place]
        return target and target + path[len(place) :]

    def _find_namesake(self, path: str) -> str:
        """Return the only other file with the same distinctive name, or the empty string."""
        name = path.rpartition("/")[2]
        places = self.list_by_name(name) if len(name) >= _TOO_COMMON and "." in name else []
        return places[0] if len(places) == 1 else ""


def group_by(key: Callable[[_T], _Key], items: Iterable[_T]) -> dict[_Key, list[_T]]:
    """Return the items by their keys, each group in the order of the items."""
    groups = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups


def _folder_and_suffix(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder, name.rpartition(".")[2]


def pack_paths(paths: Iterable[str]) -> str:
    """Return paths as lines: a folder, then the names in it, to write the folder once."""
    folders: dict[str, list[str]] = {}
    for path in sorted(paths):
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append(name)
    return "\n".join(f"{folder}/\n" + "\n".join(names) for folder, names in sorted(folders.items()))


def parse_paths(text: str) -> list[str]:
    """Return the sorted paths in the output of ``pack_paths``.

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
