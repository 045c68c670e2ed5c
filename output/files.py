"""Files and folders written whole or not at all.

The content first goes into a nameless file on the target's own disk (Linux: ``O_TMPFILE``; it vanishes
with its process. Elsewhere a hidden ``.podgraph-*.tmp``), is flushed to the disk, and only then takes the
target's name. A full disk, an exception or a kill leaves the old content and no partial file. The path ``-`` is
standard output, written as a stream.
"""

from __future__ import annotations

import errno
import gzip
import os
import stat
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from podgraph.extractors import OutputError, patient

STANDARD_OUTPUT = "-"
_BUFFER = 1 << 20
_TEMPORARY = ".podgraph-"
_PROBLEMS = {
    errno.EACCES: ("may not be written", "choose another place, or change its permissions"),
    errno.EPERM: ("may not be written", "choose another place, or change its permissions"),
    errno.EROFS: ("lies on a read-only disk", "choose another place"),
    errno.ENOENT: ("its folder does not exist", "create the folder first"),
    errno.ENOTDIR: ("its folder is a file", "choose another place"),
    errno.EISDIR: ("is a folder", "name a file"),
    errno.ENOSPC: ("does not fit: the disk is full", "free some space, or choose another place"),
    errno.EDQUOT: ("does not fit: the disk quota is used up", "free some space, or choose another place"),
    errno.EFBIG: ("is larger than a file may be here", "raise the limit, or narrow the graph"),
    errno.ENAMETOOLONG: ("its name is too long", "choose a shorter name"),
}


def write_atomically(path: str | os.PathLike[str], data: bytes | Iterable[bytes]) -> None:
    """Write ``data``, whole or in chunks, to the file ``path``, all or nothing.

    A symbolic link is followed, an existing file keeps its permissions. Raises ``OutputError`` on a
    failure; then the file is as it was.
    """
    with atomic_file(path) as stream:
        if isinstance(data, bytes):
            stream.write(data)
        else:
            stream.writelines(data)


def write_text(path: str | os.PathLike[str], lines: Iterable[str]) -> None:
    """Write a text in UTF-8, line by line or in other pieces, all or nothing; packed where ``path`` ends in ``.gz``.

    Raises ``OutputError``.
    """
    with text_files([path]) as (stream,):
        stream.writelines(line.encode() for line in lines)


@contextmanager
def text_files(paths: Collection[str | os.PathLike[str]]) -> Iterator[list[BinaryIO]]:
    """Give a stream for each path, as ``atomic_files`` does; gzip packs a path ending in ``.gz``."""
    with atomic_files(paths) as streams:
        # Neither a time nor a name in the header: the same text gives the same bytes.
        packed = [
            gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0, compresslevel=6)
            if os.fspath(path).lower().endswith(".gz")
            else stream
            for path, stream in zip(paths, streams, strict=True)
        ]
        yield cast("list[BinaryIO]", packed)
        for stream in packed:
            if isinstance(stream, gzip.GzipFile):
                stream.close()  # writes the end of the compressed data; the file below stays open


@contextmanager
def atomic_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Yield a binary stream whose content becomes the file ``path`` when the block ends without an error."""
    with atomic_files([path]) as streams:
        yield streams[0]


@contextmanager
def atomic_files(paths: Collection[str | os.PathLike[str]]) -> Iterator[list[BinaryIO]]:
    """Give a stream for each path. All become files when the block ends without an error, else none does."""
    staged: list[_Staged | _Standard] = []
    source = ", ".join(os.fspath(path) for path in paths)
    try:
        with output_errors(source):
            for folder in {Path(os.path.realpath(path)).parent for path in paths if not is_standard_output(path)}:
                _sweep(folder)  # a nameless file has a name for the moment before it replaces the old one
            for path in paths:
                source = os.fspath(path)
                staged.append(_Standard() if is_standard_output(path) else _Staged(Path(os.path.realpath(path))))
            yield [item.stream for item in staged]
            for item in staged:
                item.flush()
            for item in staged:
                item.publish()
    finally:
        for item in staged:
            item.discard()


def publish_all(files: Mapping[Path, bytes], gone: Iterable[Path], *, inside: Path) -> None:
    """Write many small files below the folder ``inside``, and remove the ``gone`` ones.

    Disk space for all of them is reserved first, so a full disk changes nothing. Then each file is replaced in
    one step, in a new folder if necessary. Links are not followed. Raises ``OutputError``.
    """
    with output_errors(str(inside)):
        _reserve(inside if inside.is_dir() else inside.parent, sum(map(len, files.values())))
        inside.mkdir(exist_ok=True)
        for path, data in files.items():
            path.parent.mkdir(exist_ok=True)
            if path.parent.resolve() != path.parent or not path.is_relative_to(inside):
                raise OutputError("lies outside of its folder", source=str(path), remedy="remove the link to it")
            staged = _Staged(path, folder=path.parent)
            try:
                staged.stream.write(data)
                staged.stream.flush()
                staged.publish()
            finally:
                staged.discard()
        for path in gone:
            path.unlink(missing_ok=True)
            with suppress(OSError):  # others' files may be in it
                path.parent.rmdir()


def _reserve(folder: Path, size: int) -> None:
    """Ask the disk for room, and give it back."""
    if size and hasattr(os, "posix_fallocate"):
        staged = _Staged(folder / _temporary_name(), folder=folder)
        try:
            os.posix_fallocate(staged.stream.fileno(), 0, size)
        except OSError as error:
            if error.errno not in {errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}:  # not all file systems support it
                raise
        finally:
            staged.discard()


@contextmanager
def output_errors(source: str) -> Iterator[None]:
    """Turn the operating system's errors into an ``OutputError`` of one line about ``source``."""
    try:
        yield
    except OSError as error:
        problem, remedy = _PROBLEMS.get(error.errno or 0, (f"cannot be written: {error.strerror or error}", ""))
        raise OutputError(problem, source=source, remedy=remedy) from error


def is_standard_output(path: str | os.PathLike[str]) -> bool:
    """Return whether ``path`` means standard output. A file called ``-`` needs a longer path, such as ``./-``."""
    return os.fspath(path) == STANDARD_OUTPUT


class _Standard:
    """Standard output, as far as it is like a file being written."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self.stream: BinaryIO = sys.stdout.buffer

    def flush(self) -> None:
        """Flush the stream."""
        self.stream.flush()

    def publish(self) -> None:
        """Do nothing: the output is already written."""

    def discard(self) -> None:
        """Do nothing: the output cannot be taken back."""


class _Staged:
    """A file being written, without a name yet, or with a hidden one."""

    def __init__(self, target: Path, *, folder: Path | None = None) -> None:
        """Open the file on the disk of ``folder``, by default the disk of ``target``."""
        self._target = target
        self._folder = folder or target.parent
        self._name: Path | None = None
        self._direct = False
        mode = _mode(target)
        if stat.S_ISDIR(mode) and folder is None:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
        if mode and not stat.S_ISREG(mode) and folder is None:
            # A device or a pipe (/dev/stdout) cannot be replaced: it is written to.
            self._direct = True
            self.stream: BinaryIO = open(target, "wb", opener=patient)  # noqa: SIM115 - kept open
            return
        self.stream = os.fdopen(self._open(), "wb", _BUFFER)
        if stat.S_ISREG(mode):
            if not os.access(target, os.W_OK):
                self.discard()
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
            if hasattr(os, "fchmod"):
                os.fchmod(self.stream.fileno(), stat.S_IMODE(mode))

    def _open(self) -> int:
        """Open a new file in the target's folder, and return its descriptor.

        The file has no name where the system supports it: then a killed process leaves nothing behind.
        """
        nameless: int = getattr(os, "O_TMPFILE", 0)
        if nameless and Path("/proc/self/fd").exists():
            with suppress(OSError):  # some file systems know no nameless files
                return os.open(self._folder, nameless | os.O_WRONLY, 0o666)
        _sweep(self._folder)
        self._name = self._folder / _temporary_name()
        return os.open(self._name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)

    def flush(self) -> None:
        """Bring everything written so far to the disk: the last step with a possible lack of space."""
        self.stream.flush()
        if not self._direct:
            os.fsync(self.stream.fileno())

    def publish(self, target: Path | None = None) -> None:
        """Give the file its name, in one step: others see it as done or not done."""
        target = target or self._target
        if self._direct:
            self.stream.close()
            return
        if self._name is None:
            self._name = self._folder / _temporary_name()
            folder = os.open(self._folder, os.O_RDONLY)
            try:
                # The descriptor makes Python call linkat: it follows the link in /proc to the file itself.
                source = f"/proc/self/fd/{self.stream.fileno()}"
                os.link(source, self._name.name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=True)
            finally:
                os.close(folder)
        self.stream.close()
        self._name.replace(target)
        self._name = None
        self._direct = True

    def discard(self) -> None:
        """Forget the file unless it was published."""
        with suppress(OSError):
            self.stream.close()
        if self._name is not None:
            self._name.unlink(missing_ok=True)
            self._name = None


def _mode(path: Path) -> int:
    """Return the type and permissions of a file, 0 for a missing one."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return 0


def _temporary_name() -> str:
    return f"{_TEMPORARY}{os.getpid()}-{os.urandom(4).hex()}.tmp"


def _sweep(folder: Path) -> None:
    """Remove temporary files of killed processes in ``folder``."""
    for stump in folder.glob(f"{_TEMPORARY}*.tmp"):
        pid = stump.name.removeprefix(_TEMPORARY).partition("-")[0]
        if not pid.isdigit() or _alive(int(pid)):
            continue
        with suppress(OSError):
            stump.unlink()


def _alive(pid: int) -> bool:
    """Return whether a process exists. One that may not be signalled exists."""
    if os.name != "posix":
        return True  # this system has no harmless test
    try:
        os.kill(pid, 0)  # sends no signal, only checks
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
