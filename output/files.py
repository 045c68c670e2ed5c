"""Writing files and folders whole or not at all.

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
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from podgraph.extractors import OutputError


def write_atomically(path: str | os.PathLike[str], data: bytes | Iterable[bytes]) -> None:
    """Write ``data`` (bytes, or chunks of bytes) to a file, all or nothing.

    Raises ``OutputError`` on a failure. ``atomic_files`` has the rules for links, permissions and devices.
    """
    with atomic_files([path]) as (stream,):
        stream.writelines([data] if isinstance(data, bytes) else data)


@contextmanager
def atomic_files(paths: Collection[str | os.PathLike[str]]) -> Iterator[list[BinaryIO]]:
    """Yield a binary stream for each path. If the block ends without an error, all become files; else none does.

    A symbolic link is followed, an existing file keeps its permissions, and a device or pipe is written to directly.
    Raises ``OutputError`` on a failure; then each file is as it was.
    """
    streams: list[BinaryIO] = []
    targets: dict[Path, BinaryIO] = {}
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
                _remove_old_temporaries(target.parent)
                streams.append(stack.enter_context(choose_temporary(target.parent, stack).open("xb")))
                targets[target] = streams[-1]
        yield streams
        for stream in streams:
            stream.flush()
        for target, stream in targets.items():
            os.fsync(stream.fileno())  # the last step that can lack space
            stream.close()
            if target.exists():
                shutil.copymode(target, stream.name)
        for target, stream in targets.items():
            Path(stream.name).replace(target)


def publish_all(files: Iterable[tuple[Path, bytes]], gone: Iterable[Path], *, inside: Path) -> None:
    """Write many small files below the folder ``inside``, and remove the files ``gone``.

    ``files`` are (path, content). All contents are on the disk before the first file is replaced and ``gone`` is read,
    so a full disk changes nothing. Links are not followed. Raises ``OutputError`` on a failure, and for a path outside
    of ``inside``.
    """
    with output_errors(str(inside)), ExitStack() as stack:
        inside.mkdir(exist_ok=True)
        stack.callback(_remove_if_empty, inside)
        temporaries = {}
        for path, data in files:
            if path.parent.resolve() != path.parent or not path.is_relative_to(inside):
                raise OutputError("is outside of its folder", source=str(path), remedy="remove the link to it")
            temporaries[path] = choose_temporary(inside, stack)
            temporaries[path].write_bytes(data)
        for path, temporary in temporaries.items():
            path.parent.mkdir(exist_ok=True)
            temporary.replace(path)
        for path in gone:
            path.unlink(missing_ok=True)
            _remove_if_empty(path.parent)


def check_place(path: Path, *, is_folder: bool = False) -> None:
    """Raise ``OSError`` if a file, or with ``is_folder`` a folder, cannot be written at ``path``."""
    os.stat(f"{path.parent}{os.sep}.")  # noqa: PTH116 - as Path drops the dot: an error unless this is a folder
    if path.exists() and path.is_dir() != is_folder:
        raise OSError(errno.EEXIST, f"a {'file' if is_folder else 'folder'} has this name")
    for place in (path,) if is_folder and path.exists() else (path, path.parent):
        if place.exists() and not os.access(place, os.W_OK):  # a rename would replace a file all the same
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))


@contextmanager
def output_errors(source: str) -> Iterator[None]:
    """Turn the operating system's errors in the block into an ``OutputError`` about ``source``, in one line."""
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        problem = f"cannot be written: {getattr(error, 'strerror', None) or error}"
        remedy = "check its folder, the permissions and the free space"
        raise OutputError(problem, source=source, remedy=remedy) from error


def is_standard_output(path: str | os.PathLike[str]) -> bool:
    """Return whether ``path`` means standard output. A file called ``-`` needs a longer path, such as ``./-``."""
    return os.fspath(path) == "-"


def choose_temporary(folder: Path, stack: ExitStack) -> Path:
    """Return the path of a new hidden file in ``folder``, to be written and then moved to its place.

    When ``stack`` ends, the file is removed if it still exists.
    """
    temporary = folder / f".podgraph-{os.urandom(8).hex()}.tmp"
    stack.callback(temporary.unlink, missing_ok=True)
    return temporary


def _remove_if_empty(folder: Path) -> None:
    """Remove a folder if it is empty."""
    with suppress(OSError):  # others' files may be in it
        folder.rmdir()


def _remove_old_temporaries(folder: Path) -> None:
    """Remove the temporary files of killed processes from a folder: those older than an hour."""
    for file in folder.glob(".podgraph-*.tmp"):
        with suppress(OSError):
            if file.stat().st_mtime < time.time() - 3600:
                file.unlink()
