"""Files and folders written whole or not at all.

The content goes into a hidden file ``.podgraph-*.tmp`` beside the target, is flushed to the disk, and only then takes
the target's name. A full disk, an exception or a kill leaves the old content. The path ``-`` is standard output.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from podgraph.extractors import OutputError

_PROBLEMS = {
    errno.EACCES: ("may not be written", "choose another place, or change its permissions"),
    errno.EROFS: ("is on a read-only disk", "choose another place"),
    errno.ENOENT: ("its folder does not exist", "create the folder first"),
    errno.ENOTDIR: ("its folder is a file", "choose another place"),
    errno.EISDIR: ("is a folder", "name a file in it"),
    errno.EEXIST: ("is a file", "name a folder"),
    errno.ENOSPC: ("does not fit: the disk is full", "free some space, or choose another place"),
    errno.EFBIG: ("is larger than a file may be here", "raise the limit, or narrow the graph"),
    errno.ENAMETOOLONG: ("its name is too long", "choose a shorter name"),
}


def write_atomically(path: str | os.PathLike[str], data: bytes | Iterable[bytes]) -> None:
    """Write ``data``, whole or in chunks, to a file, all or nothing. Raises ``OutputError``; see ``atomic_files``."""
    with atomic_files([path]) as (stream,):
        stream.writelines([data] if isinstance(data, bytes) else data)


def write_text(path: str | os.PathLike[str], lines: Iterable[str]) -> None:
    """Write a text in UTF-8, line by line or in other pieces, all or nothing. Raises ``OutputError``."""
    write_atomically(path, (line.encode() for line in lines))


@contextmanager
def atomic_files(paths: Collection[str | os.PathLike[str]]) -> Iterator[list[BinaryIO]]:
    """Yield a binary stream for each path. All become files when the block ends without an error, else none does.

    A symbolic link is followed, an existing file keeps its permissions, a device or pipe is written to. Raises
    ``OutputError`` on a failure; then each file is as it was.
    """
    streams: list[BinaryIO] = []
    unpublished: list[tuple[BinaryIO, Path, Path]] = []  # stream, temporary file, target
    with output_errors(", ".join(str(path) for path in paths)), ExitStack() as stack:
        for path in paths:
            target = Path(os.path.realpath(path))
            if is_standard_output(path):
                sys.stdout.flush()
                streams.append(sys.stdout.buffer)
            elif target.exists() and not (target.is_file() or target.is_dir()):
                streams.append(stack.enter_context(target.open("wb")))
            else:
                check_place(target)
                _remove_litter(target.parent)
                temporary = choose_temporary(target.parent, stack)
                streams.append(stack.enter_context(temporary.open("xb")))
                unpublished.append((streams[-1], temporary, target))
        yield streams
        for stream in streams:
            stream.flush()
        for stream, temporary, target in unpublished:
            os.fsync(stream.fileno())  # the last step that can lack space
            stream.close()
            if target.exists():
                shutil.copymode(target, temporary)
        for _, temporary, target in unpublished:
            temporary.replace(target)


def publish_all(files: Mapping[Path, bytes], gone: Iterable[Path], *, inside: Path) -> None:
    """Write many small files below the folder ``inside``, and remove the ``gone`` ones.

    All contents are on the disk before the first file is replaced, so a full disk changes nothing. Links are not
    followed. Raises ``OutputError``.
    """
    with output_errors(str(inside)), ExitStack() as stack:
        inside.mkdir(exist_ok=True)
        stack.callback(_remove_if_empty, inside)
        unpublished = {}
        for path, data in files.items():
            if path.parent.resolve() != path.parent or not path.is_relative_to(inside):
                raise OutputError("is outside of its folder", source=str(path), remedy="remove the link to it")
            unpublished[path] = choose_temporary(inside, stack)
            unpublished[path].write_bytes(data)
        for path, temporary in unpublished.items():
            path.parent.mkdir(exist_ok=True)
            temporary.replace(path)
        for path in gone:
            path.unlink(missing_ok=True)
            _remove_if_empty(path.parent)


@contextmanager
def new_folder(path: Path, suffix: str) -> Iterator[Path]:
    """Yield an empty folder, which replaces the folder ``path`` when the block ends without an error.

    Raises ``OutputError`` for a folder with other files than those with ``suffix``.
    """
    with output_errors(str(path)), ExitStack() as stack:
        if others := [file for file in path.rglob("*") if file.is_file() and file.suffix != suffix]:
            raise OutputError("has other files", source=str(others[0]), remedy="name another folder")
        new, old = (choose_temporary(path.parent, stack) for _ in range(2))
        for folder in (new, old):
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
        new.mkdir()
        yield new
        if path.exists():
            path.rename(old)
        new.rename(path)


def check_place(path: Path, *, is_folder: bool = False) -> None:
    """Raise ``OSError`` when a file, or a folder of files, cannot be written at ``path``."""
    problems = (
        (not path.parent.exists(), errno.ENOENT),
        (not path.parent.is_dir(), errno.ENOTDIR),
        (is_folder and path.is_file(), errno.EEXIST),
        (not is_folder and path.is_dir(), errno.EISDIR),
        (path.exists() and not os.access(path, os.W_OK), errno.EACCES),  # a rename would replace it all the same
        (not (is_folder and path.exists()) and not os.access(path.parent, os.W_OK | os.X_OK), errno.EACCES),
    )
    for is_wrong, number in problems:
        if is_wrong:
            raise OSError(number, "")


@contextmanager
def output_errors(source: str) -> Iterator[None]:
    """Turn the operating system's errors into an ``OutputError`` of one line about ``source``."""
    try:
        yield
    except OSError as error:
        problem, remedy = _PROBLEMS.get(error.errno or 0, (f"cannot be written: {error.strerror or error}", ""))
        raise OutputError(problem, source=source, remedy=remedy) from error
    except sqlite3.OperationalError as error:
        raise OutputError(f"cannot be written: {error}", source=source, remedy="free some space") from error


def is_standard_output(path: str | os.PathLike[str]) -> bool:
    """Return whether ``path`` means standard output. A file called ``-`` needs a longer path, such as ``./-``."""
    return os.fspath(path) == "-"


def choose_temporary(folder: Path, stack: ExitStack) -> Path:
    """Return the path of a new hidden file, which the ``stack`` removes unless it is renamed before."""
    temporary = folder / f".podgraph-{os.urandom(8).hex()}.tmp"
    stack.callback(temporary.unlink, missing_ok=True)
    return temporary


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):  # others' files may be in it
        folder.rmdir()


def _remove_litter(folder: Path) -> None:
    """Remove the temporary files of killed processes: those older than an hour."""
    for file in folder.glob(".podgraph-*.tmp"):
        with suppress(OSError):
            if file.stat().st_mtime < time.time() - 3600:
                file.unlink()
