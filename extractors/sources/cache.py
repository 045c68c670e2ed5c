"""Keep fetched bodies: an unchanged feed is not sent again, and an unreachable one has a copy.

Each address has one file, named by a hash, so that no text from a feed reaches a path. Files are replaced as a whole,
so any number of processes can share the folder. Each begins with a checksum; a damaged file counts as absent. Without
a usable folder there is no cache, but no failure. A file's modification time is that of its last use.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_TEMPORARY = ".writing-"
_MOST_BYTES = 500_000_000  # of the feeds, and of each other share
_BETWEEN = 50_000_000  # bytes written until the folder is tidied again


@dataclass(frozen=True, slots=True)
class Fetched:
    """The answer of a URL: the decompressed body, and the data for asking again.

    ``url`` is the final address without user name and password. ``etag`` and ``last_modified`` are the validators as
    sent; ``fetched_at`` (aware, UTC) is the time when the server last confirmed the body. ``from_cache`` is true if the
    body was not sent this time. ``notices`` are lines for the user. ``home`` is the host and port of the server if they
    are not public: only that host may lead to other addresses that are not public. ``fields`` are the header fields of
    this answer; they are not cached.
    """

    data: bytes
    url: str
    content_type: str = ""
    etag: str = ""
    last_modified: str = ""
    fetched_at: datetime = datetime(1970, 1, 1, tzinfo=UTC)
    from_cache: bool = False
    notices: tuple[str, ...] = ()
    home: tuple[str, int] | None = None
    fields: Mapping[str, str] = field(default_factory=dict, compare=False)


class Cache:
    """A folder of fetched bodies, by the requested address; without a folder nothing is stored.

    ``problem`` is empty, or one line with the reason why something could not be stored. ``clock`` gives seconds since
    1970.
    """

    def __init__(self, folder: Path | None, *, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self.problem = ""
        self._clock = clock
        self._until_tidied = 0

    def share(self, kind: str) -> Cache:
        """Return the cache of another ``kind`` of bodies, whose copies never replace a feed's: a folder in this one."""
        return Cache(self.folder / kind if self.folder else None, clock=self._clock)

    def newest(self, url: str) -> Fetched | None:
        """Return the last copy stored for ``url``, or ``None`` without an intact one."""
        return self._read(url, ".feed")

    def earlier(self, url: str) -> Fetched | None:
        """Return the copy stored for ``url`` before the last one, or ``None`` without an intact one."""
        return self._read(url, ".earlier")

    def store(self, url: str, fetched: Fetched) -> bool:
        """Store ``fetched`` as the newest copy for ``url``; return whether that was possible.

        A copy with another content stays behind it, for ``reject``.
        """
        if self.folder is None:
            return False
        before = self.newest(url)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if before and before.data != fetched.data:
                self._write(url, ".earlier", before)
            self._write(url, ".feed", fetched)
            self._until_tidied -= len(fetched.data)
            if self._until_tidied < 0:
                self._until_tidied = _BETWEEN
                with contextlib.suppress(OSError):
                    self._tidy(self.folder, _name(url))
        except OSError as error:
            self.problem = f"nothing can be stored in {self.folder}: {error.strerror or error}"
            return False
        return True

    def reject(self, url: str) -> Fetched | None:
        """Remove the newest copy for ``url``, which is unreadable; return the one before it."""
        earlier = self.earlier(url)
        if self.folder is not None:
            path = self.folder / _name(url)
            with contextlib.suppress(OSError):
                if earlier:
                    path.with_suffix(".earlier").replace(path.with_suffix(".feed"))
                else:
                    path.with_suffix(".feed").unlink(missing_ok=True)
        return earlier

    def _read(self, url: str, suffix: str) -> Fetched | None:
        """Return a copy of ``url``, or ``None`` if its file is missing or damaged."""
        path = (self.folder or Path()) / f"{_name(url)}{suffix}"
        try:
            if self.folder is None or not path.is_file():  # reading from a pipe in its place would block
                return None
            self._touch(path)
            with path.open("rb") as file:
                digest, head, data = file.readline(), file.readline(), file.read()
            if digest != _digest(url, head, data):
                return None
            about = json.loads(head)
            about["fetched_at"] = datetime.fromisoformat(about["fetched_at"]).astimezone(UTC)
            about["home"] = tuple(about["home"]) if about["home"] else None
            return Fetched(data, from_cache=True, **about)
        except (OSError, MemoryError, ValueError, TypeError, LookupError, OverflowError):
            return None

    def _write(self, url: str, suffix: str, fetched: Fetched) -> None:
        """Write a copy as a whole, to a temporary file that then replaces the old one: checksum, JSON, body."""
        about = {name: getattr(fetched, name) for name in ("url", "content_type", "etag", "last_modified", "home")}
        head = json.dumps(about | {"fetched_at": fetched.fetched_at.isoformat()}).encode() + b"\n"
        handle, name = tempfile.mkstemp(prefix=_TEMPORARY, dir=self.folder)
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.writelines((_digest(url, head, fetched.data), head, fetched.data))
            self._touch(temporary)
            temporary.replace(temporary.with_name(f"{_name(url)}{suffix}"))
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise

    def _touch(self, path: Path) -> None:
        """Set the time of a file's last use."""
        with contextlib.suppress(OSError, OverflowError):
            os.utime(path, (self._clock(), self._clock()))

    def _tidy(self, folder: Path, name: str) -> None:
        """Remove copies unused for 90 days, the longest unused of too many, and leftovers of killed processes.

        The copies called ``name`` stay. Another process may use the same files: it tolerates missing ones.
        """
        hour, day = 3600, 86400
        files: list[tuple[float, int, Path]] = []
        for path in folder.iterdir():
            if path.suffix in {".feed", ".earlier"} or path.name.startswith(_TEMPORARY):
                with contextlib.suppress(OSError):
                    about = path.stat()
                    files.append((self._clock() - about.st_mtime, about.st_size, path))
        total = 0
        for age, size, path in sorted(files):
            total += size
            # A copy of ten years ago has the date of a wrong clock.
            is_old = 90 * day < age < 3650 * day or total > _MOST_BYTES
            is_removed = age > hour if path.name.startswith(_TEMPORARY) else is_old and path.stem != name
            with contextlib.suppress(OSError):
                if is_removed:
                    path.unlink()


def default_cache() -> Cache:
    """Return the cache in ``$PODGRAPH_CACHE_DIR``, else in the platform's folder for caches.

    Without a usable folder (no home, a relative ``$XDG_CACHE_HOME``) nothing is stored.
    """
    import platformdirs  # noqa: PLC0415 - a question needs no cache

    try:
        if folder := os.environ.get("PODGRAPH_CACHE_DIR"):
            return Cache(Path(folder).absolute())
        path = platformdirs.user_cache_path(appauthor=False) / "podgraph" / "feeds"
    except (OSError, RuntimeError, KeyError):
        return Cache(None)
    return Cache(path if path.is_absolute() else None)


def _digest(url: str, head: bytes, data: bytes) -> bytes:
    """Return the first line of a cache file: the format, and a checksum of the address and the two other parts."""
    digest = hashlib.sha256(_name(url).encode() + head)
    digest.update(data)
    return f"podgraph cache 2 {digest.hexdigest()}\n".encode()


def _name(url: str) -> str:
    """Return the name of an address's files, without suffix."""
    return hashlib.sha256(url.partition("#")[0].encode("utf-8", "surrogatepass")).hexdigest()
