"""What is known of a repository's files: there today, moved, gone, or not known.

A wheel holds every Python module and header but no C++ source; an older tree of the repository (the one Debian
packages) fills in the rest. Where both know a folder, the wheel shows which kinds of files it holds completely,
and a file of such a kind that it lacks is gone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_TOO_COMMON = 12  # characters: shorter file names ("utils.py", "ops.h") say too little of where a file went


@dataclass(frozen=True, slots=True)
class FileStatus:
    """``status`` is ``ok``, ``moved``, ``gone`` or ``unknown``; ``path`` the present one of a file that is there.

    ``seen`` is the version whose tree shows it.
    """

    status: str
    path: str = ""
    seen: str = ""


class Paths:
    """The files known at ``version``, those of the tree of ``old_version``, and where files went (``moved``).

    Of paths that begin with one of ``unseen`` the older tree says nothing: it leaves them out.
    """

    def __init__(
        self, files: Sequence[str], older: Sequence[str], moved: Mapping[str, str], *, version: str, old_version: str,
        unseen: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self.files = files
        self._older = frozenset(older)
        self._moved = moved
        self._version, self._old_version, self._unseen = version, old_version, unseen

    @cached_property
    def _present(self) -> frozenset[str]:
        return frozenset(self.files)

    @cached_property
    def _folders(self) -> dict[str, str]:
        """Every folder to the version that shows it."""
        folders: dict[str, str] = {}
        for paths, version in ((self.files, self._version), (self._older, self._old_version)):
            for path in paths:
                folder = path.rpartition("/")[0]
                while folder and folder not in folders:
                    folders[folder] = version
                    folder = folder.rpartition("/")[0]
        return folders

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """File name to the paths that end in it, those of today first."""
        found: dict[str, list[str]] = {}
        for path in (*self.files, *(path for path in sorted(self._older) if not self._lacks(path))):
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    @cached_property
    def _complete(self) -> frozenset[tuple[str, str]]:
        """The (folder, suffix) of which the newer tree holds at least half of what the older one had."""
        old = Counter(_folder_and_suffix(path) for path in self._older)
        kept = Counter(_folder_and_suffix(path) for path in self._older & self._present)
        fresh = {_folder_and_suffix(path) for path in self.files}
        return frozenset(key for key in fresh if kept[key] * 2 >= old[key])

    def _lacks(self, path: str) -> bool:
        return path not in self._present and _folder_and_suffix(path) in self._complete

    def is_folder(self, path: str) -> bool:
        """Tell whether a folder is known, today or in the older tree."""
        return path.strip("/") in self._folders

    def status(self, path: str) -> FileStatus:
        """Return what became of a file or folder of the repository."""
        path = path.strip("/")
        if path in self._present:
            return FileStatus("ok", path, self._version)
        if path in self._folders:
            return FileStatus("ok", path, self._folders[path])
        moved = self._move(path)
        if moved is not None:
            return moved
        if path in self._older and not self._lacks(path):
            return FileStatus("ok", path, self._old_version)
        found = self._elsewhere(path)
        if found:
            return FileStatus("moved", found, self._version if found in self._present else self._old_version)
        return FileStatus("gone" if self._is_gone(path) else "unknown")

    def _is_gone(self, path: str) -> bool:
        """Tell whether a path that nothing shows today was there, or lies where all that is there is known."""
        if path in self._older or self._lacks(path):
            return True
        folder, _, name = path.rpartition("/")
        is_known_top = path.partition("/")[0] in self._folders
        return is_known_top and "." in name and folder not in self._folders and not path.startswith(self._unseen)

    def _move(self, path: str) -> FileStatus | None:
        """Follow the table of moves: an exact path, else the longest folder."""
        if path in self._moved:
            return self._moved_to(self._moved[path])
        folder = path
        while folder:
            target = self._moved.get(f"{folder}/")
            if target is not None:
                return self._moved_to(target + path[len(folder) + 1 :] if target else "")
            folder = folder.rpartition("/")[0]
        return None

    def _moved_to(self, path: str) -> FileStatus | None:
        path = path.rstrip("/")
        if not path:
            return FileStatus("gone")
        if path in self._present or path in self._folders:
            return FileStatus("moved", path, self._version)
        if path in self._older and not self._lacks(path):
            return FileStatus("moved", path, self._old_version)
        found = self._elsewhere(path)
        return (
            FileStatus("moved", found, self._version if found in self._present else self._old_version)
            if found
            else FileStatus("gone")
        )

    def _elsewhere(self, path: str) -> str:
        """Return the one other file of the same telling name, or the empty string."""
        name = path.rpartition("/")[2]
        if len(name) < _TOO_COMMON or "." not in name:
            return ""
        places = self.by_name.get(name, [])
        return places[0] if len(places) == 1 else ""


def _folder_and_suffix(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder, name.rpartition(".")[2]


def pack_paths(paths: Iterable[str]) -> bytes:
    """Return paths as lines: a folder, then the names in it, so that the folder is written once."""
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
    """Return the sorted paths of what ``pack_paths`` wrote.

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
