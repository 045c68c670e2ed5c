"""What is too much for memory lies in a file until it is asked for, a feed at a time."""

from __future__ import annotations

import os
import pickle
import tempfile
from collections.abc import Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast, overload
from weakref import finalize

from .errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class Scratch:
    """A file without a name, which vanishes with the process that made it, however that ends.

    It lies in the system's folder for such files (``TMPDIR`` says another). Processes that are forked read it too.
    Raises ``OutputError`` where the disk is full.
    """

    def __init__(self) -> None:
        with _disk_errors():
            self._file = tempfile.TemporaryFile(prefix="podgraph-", buffering=0)  # noqa: SIM115 - closed below
        self._end = 0
        finalize(self, self._file.close)

    def write(self, data: bytes) -> int:
        """Append some bytes; return where they begin."""
        place = self._end
        with _disk_errors():
            self._file.seek(place)
            left = memoryview(data)
            while left:
                left = left[self._file.write(left) :]
        self._end += len(data)
        return place

    def read(self, place: int, size: int) -> bytes:
        """Return the bytes at a place."""
        if hasattr(os, "pread"):  # processes that read at a time have one position in the file
            return os.pread(self._file.fileno(), size, place)
        self._file.seek(place)
        return self._file.read(size)


@contextmanager
def _disk_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        folder = tempfile.gettempdir() if tempfile.tempdir else "the folder of temporary files"
        remedy = "free some space there, or set TMPDIR to a folder with room; nothing is written"
        raise OutputError(f"cannot be written ({error.strerror})", source=folder, remedy=remedy) from error


class Ready(NamedTuple):
    """A thing as it lies in a file: who makes it in another process spares the one that writes the work."""

    data: bytes


def made_ready(thing: object) -> Ready:
    """Return a thing as it lies in a file; it is what pickle knows."""
    return Ready(pickle.dumps(thing, pickle.HIGHEST_PROTOCOL))


class Spilled(Sequence[T_co]):
    """Things in a file, in order; each is read anew whenever it is asked for. They are what pickle knows, or ready."""

    def __init__(self, scratch: Scratch, things: Iterable[T_co | Ready] = ()) -> None:
        self._scratch = scratch
        self._places: list[tuple[int, int]] = []
        for thing in things:
            data = (thing if isinstance(thing, Ready) else made_ready(thing)).data
            self._places.append((self._scratch.write(data), len(data)))

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, number: int) -> T_co: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[T_co]: ...

    def __getitem__(self, number: int | slice) -> T_co | Sequence[T_co]:
        if isinstance(number, slice):
            return [self[place] for place in range(len(self))[number]]
        return cast("T_co", pickle.loads(self._scratch.read(*self._places[number])))  # noqa: S301 - ours

    def beside(self, things: Iterable[T | Ready]) -> Spilled[T]:
        """Return other things in the same file."""
        return Spilled(self._scratch, things)
