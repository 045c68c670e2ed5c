"""The state of a repository's files: present, moved, gone, or unknown.

A wheel contains every Python module and header but no C++ source; an older tree of the repository (the one Debian
packages) fills the gaps. Where both have a folder, the wheel shows the kinds of files it contains completely.
A file of such a kind is gone when the wheel lacks it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

_TOO_COMMON = 12  # characters: shorter file names ("utils.py", "ops.h") occur too often to identify a moved file


class FileStatus(NamedTuple):
    """``status`` is ``ok``, ``moved``, ``gone`` or ``unknown``; ``path`` the present path of an existing file.

    ``seen`` is the version with this state.
    """

    status: str
    path: str = ""
    seen: str = ""


class Paths:
    """The files known at ``version``, those of the tree of ``old_version``, and the table of moves (``moved``).

    The older tree lacks the paths beginning with one of ``unseen``.
    """

    def __init__(
        self, files: Sequence[str], older: Sequence[str], moved: Mapping[str, str], *, version: str, old_version: str,
        unseen: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self.files = files
        self._older = older
        self._moved = moved
        self._is_complete, self._look_for = cache(self._complete), cache(self._list_named)
        self._version, self._old_version, self._unseen = version, old_version, unseen

    def named(self, name: str) -> list[str]:
        """Return the paths ending in a file name, those of today first."""
        return self._look_for(name)

    def _list_named(self, name: str) -> list[str]:
        """Return the paths ending in a file name: those of today, then those of the older tree that may still exist."""
        here, before = (found.get(name, ()) for found in self._by_name)
        return [*here, *(path for path in before if not self._lacks(path))]

    @property
    def _trees(self) -> tuple[Sequence[str], Sequence[str]]:
        return self.files, self._older

    @cached_property
    def _by_name(self) -> tuple[dict[str, list[str]], ...]:
        """The paths of each tree by the name of the file."""
        found: tuple[dict[str, list[str]], ...] = ({}, {})
        for paths, named in zip(self._trees, found, strict=True):
            for path in paths:
                named.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    def _complete(self, folder: str, suffix: str) -> bool:
        """Return whether the newer tree has at least half of the older one's files of this kind in the folder."""
        depth = len(folder) + 1 if folder else 0
        fresh, old = (
            {
                path
                for path in _inside(folder, paths)
                if path.find("/", depth) < 0 and _folder_and_suffix(path) == (folder, suffix)
            }
            for paths in self._trees
        )
        return bool(fresh) and len(old & fresh) * 2 >= len(old)

    def _lacks(self, path: str) -> bool:
        return not _holds(self.files, path) and self._is_complete(*_folder_and_suffix(path))

    def is_folder(self, path: str) -> bool:
        """Return whether a folder is known, today or in the older tree."""
        folder = path.strip("/")
        return bool(folder) and any(_inside(folder, paths, 1) for paths in self._trees)

    def status(self, path: str) -> FileStatus:
        """Return the state of a file or folder of the repository."""
        path = path.strip("/")
        return self.known(path) or FileStatus("gone" if self._is_gone(path) else "unknown")

    def known(self, path: str) -> FileStatus | None:
        """Return the known state of a file or folder; ``None`` when it may be gone or foreign."""
        if _holds(self.files, path):
            return FileStatus("ok", path, self._version)
        if self.is_folder(path):
            return FileStatus("ok", path, self._seen(path))
        moved = self._move(path)
        if moved is not None:
            return moved
        if _holds(self._older, path) and not self._lacks(path):
            return FileStatus("ok", path, self._old_version)
        if found := self._elsewhere(path):
            return FileStatus("moved", found, self._seen(found))
        return None

    def _is_gone(self, path: str) -> bool:
        """Return whether a path absent today existed before, or belongs to a completely known folder."""
        if _holds(self._older, path) or self._lacks(path):
            return True
        folder, _, name = path.rpartition("/")
        is_known_top = self.is_folder(path.partition("/")[0])
        return is_known_top and "." in name and not self.is_folder(folder) and not path.startswith(self._unseen)

    def was_there(self, path: str) -> bool:
        """Return whether a file existed at a path, by the older tree or the table of moves."""
        path = path.strip("/")
        if path in self._moved or _holds(self._older, path):
            return True
        target = (self._target(path) or "").rstrip(
            "/"
        )  # for a moved folder: the file of the same name in its new place
        return target != "" and self.status(path).path == target

    def _move(self, path: str) -> FileStatus | None:
        target = self._target(path)
        return None if target is None else self._moved_to(target)

    def _target(self, path: str) -> str | None:
        """Follow the table of moves: an exact path, else the longest folder; "" for a deleted path."""
        if path in self._moved:
            return self._moved[path]
        folder = path
        while folder:
            target = self._moved.get(f"{folder}/")
            if target is not None:
                return target + path[len(folder) + 1 :] if target else ""
            folder = folder.rpartition("/")[0]
        return None

    def _moved_to(self, path: str) -> FileStatus | None:
        """Return the state of a path that the table of moves gives as new: it may have moved again, or be gone."""
        path = path.rstrip("/")
        if not path:
            return FileStatus("gone")
        if _holds(self.files, path) or self.is_folder(path):
            return FileStatus("moved", path, self._version)
        if _holds(self._older, path) and not self._lacks(path):
            return FileStatus("moved", path, self._old_version)
        found = self._elsewhere(path)
        return FileStatus("moved", found, self._seen(found)) if found else FileStatus("gone")

    def _seen(self, path: str) -> str:
        """Return the version of the newest tree with this file or folder."""
        return self._version if _holds(self.files, path) or _inside(path, self.files, 1) else self._old_version

    def _elsewhere(self, path: str) -> str:
        """Return the only other file with the same distinctive name, or the empty string."""
        name = path.rpartition("/")[2]
        if len(name) < _TOO_COMMON or "." not in name:
            return ""
        places = self.named(name)
        return places[0] if len(places) == 1 else ""


def _holds(paths: Sequence[str], path: str) -> bool:
    at = bisect_left(paths, path)
    return at < len(paths) and paths[at] == path


def _inside(folder: str, paths: Sequence[str], most: int | None = None) -> Sequence[str]:
    """Return at most ``most`` of the sorted ``paths`` in a folder ("": all)."""
    if not folder:
        return paths
    start = bisect_left(paths, f"{folder}/")
    end = bisect_left(paths, f"{folder}0", start)  # the character behind a slash
    return paths[start : end if most is None else min(end, start + most)]


def _folder_and_suffix(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder, name.rpartition(".")[2]


def pack_paths(paths: Iterable[str]) -> bytes:
    """Return paths as lines: a folder, then the names in it, to write the folder once."""
    lines: list[str] = []
    folder = None
    for path in sorted(paths, key=lambda path: path.rpartition("/")[::2]):
        here, _, name = path.rpartition("/")
        if here != folder:
            lines.append(f"{here}/")
            folder = here
        lines.append(name)
    return "\n".join(lines).encode()


def unpack_paths(lines: Iterable[str]) -> list[str]:
    """Return the sorted paths in the output of ``pack_paths``.

    >>> unpack_paths(pack_paths(["setup.py", "c10/core/Device.h"]).decode().split())
    ['c10/core/Device.h', 'setup.py']
    """
    folder = ""
    paths = []
    for line in lines:
        if line[-1:] == "/":
            folder = "" if line == "/" else line
        else:
            paths.append(folder + line)
    paths.sort()
    return paths
