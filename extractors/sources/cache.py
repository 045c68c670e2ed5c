"""Keep fetched bodies: an unchanged feed is not sent again, and an unreachable one has a copy.

Each address has one file, named by a hash, so that no text from a feed reaches a path. Files are replaced as a whole,
so any number of processes can share the folder. Each carries a checksum of itself and of its address; a damaged file
counts as absent. Without a usable folder there is no cache, but no failure. Files unused for long are removed, then
the longest unused while the folder is too large; a file's modification time is that of its last use.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from .folder import cache_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_FORMAT = b"podgraph cache 1 "
_LINE = 100_000
_TEMPORARY = ".writing-"
_LITTER_AGE = 3600.0
_COPIES = (".feed", ".earlier")
_DAY = 86400.0
_LONGEST_UNUSED = 90 * _DAY
_WRONG_CLOCK = 3650 * _DAY  # no copy is that old: the clock was wrong then, or is now
_MOST_BYTES = 500_000_000  # of the feeds, and of each other share
_BETWEEN = 50_000_000  # bytes written until the folder is looked through again


@dataclass(frozen=True, slots=True)
class Fetched:
    """The answer of a URL: the decompressed body, and the data for asking again.

    ``url`` is the final address without user name and password. ``etag`` and ``last_modified`` are the validators as
    sent; ``fetched_at`` (aware, UTC) is the time when the server last confirmed the body. ``from_cache`` is true if the
    body was not sent this time. ``notices`` are lines for the user. ``home`` is the host and port of the server if they
    are not public: only that host may lead to other addresses that are not public. ``fields`` are the header fields of
    this answer; they are not kept.
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
    """A folder of fetched bodies, by the address that was asked for; no folder keeps nothing.

    ``problem`` is empty, or one line saying why something could not be kept. ``clock`` gives seconds since 1970.
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
        """Return the last copy kept for ``url``, or ``None`` without an intact one."""
        return self._read(url, self._path(url))

    def store(self, url: str, fetched: Fetched) -> bool:
        """Keep ``fetched`` as the newest copy for ``url``; return whether that was possible.

        A copy with another content stays behind it, for ``reject``.
        """
        path = self._path(url)
        if path is None:
            return False
        before = self.newest(url)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if before and before.data != fetched.data:
                self._write(url, self._earlier(path), before)
            self._write(url, path, fetched)
            self._until_tidied -= len(fetched.data)
            if self._until_tidied < 0:
                self._until_tidied = _BETWEEN
                with contextlib.suppress(OSError):
                    self._tidy(path.parent, path.stem)
        except OSError as error:
            self.problem = f"nothing can be kept in {path.parent}: {error.strerror or error}"
            return False
        return True

    def earlier(self, url: str) -> Fetched | None:
        """Return the copy kept for ``url`` before the last one, or ``None`` without an intact one."""
        path = self._path(url)
        return self._read(url, self._earlier(path)) if path else None

    def reject(self, url: str) -> Fetched | None:
        """Drop the newest copy for ``url``, which turned out to be no good; return the one before it."""
        path = self._path(url)
        if path is None:
            return None
        earlier = self.earlier(url)
        with contextlib.suppress(OSError):
            if earlier:
                self._earlier(path).replace(path)
            else:
                path.unlink(missing_ok=True)
        return earlier

    def _path(self, url: str) -> Path | None:
        if self.folder is None:
            return None
        return self.folder / f"{hashlib.sha256(_key(url)).hexdigest()}.feed"

    @staticmethod
    def _earlier(path: Path) -> Path:
        return path.with_suffix(".earlier")

    def _read(self, url: str, path: Path | None) -> Fetched | None:
        """Return the copy of ``url`` in the file ``path``, or ``None`` if that is missing or damaged."""
        if path is None:
            return None
        try:
            if not path.is_file():  # a pipe in its place would be waited for
                return None
            self._touch(path)
            with path.open("rb") as file:
                head, about, body = file.readline(_LINE), file.readline(_LINE), file.read()
        except (OSError, MemoryError):
            return None
        if head != _head(url, about, body):
            return None
        try:
            fields = json.loads(about)
            home = fields.get("home")
            return Fetched(
                data=body,
                url=str(fields["url"]),
                content_type=str(fields["content_type"]),
                etag=str(fields["etag"]),
                last_modified=str(fields["last_modified"]),
                fetched_at=datetime.fromisoformat(fields["fetched_at"]).astimezone(UTC),
                from_cache=True,
                home=(str(home[0]), int(home[1])) if home else None,
            )
        except (ValueError, TypeError, LookupError, AttributeError, OverflowError):
            return None

    def _write(self, url: str, path: Path, fetched: Fetched) -> None:
        """Write a copy to the file ``path`` as a whole: to a temporary file first, which then replaces it.

        Each file has three parts: a line with the checksum, a line of JSON about the answer, and the body.
        """
        about = json.dumps(
            {
                "url": fetched.url,
                "content_type": fetched.content_type,
                "etag": fetched.etag,
                "last_modified": fetched.last_modified,
                "fetched_at": fetched.fetched_at.isoformat(),
                **({"home": fetched.home} if fetched.home else {}),
            }
        )
        line = about.encode() + b"\n"
        handle, name = tempfile.mkstemp(prefix=_TEMPORARY, dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.writelines((_head(url, line, fetched.data), line, fetched.data))
            self._touch(Path(name))
            Path(name).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise

    def _touch(self, path: Path) -> None:
        now = self._clock()
        with contextlib.suppress(OSError, OverflowError):
            os.utime(path, (now, now))

    def _tidy(self, folder: Path, kept: str) -> None:
        """Remove old copies, the oldest of too many, and leftovers of a killed process; keep ``kept``.

        Another process may use the same files: the copies that it reads have new dates, and it tolerates missing ones.
        """
        now = self._clock()
        room = _MOST_BYTES
        copies: list[tuple[float, int, Path]] = []
        for path in folder.iterdir():
            with contextlib.suppress(OSError):
                about = path.stat()
                age = now - about.st_mtime
                if path.name.startswith(_TEMPORARY):
                    if age > _LITTER_AGE:
                        path.unlink()
                elif path.stem == kept:
                    room -= about.st_size
                elif path.suffix in _COPIES:
                    if _LONGEST_UNUSED < age < _WRONG_CLOCK:
                        path.unlink()
                    else:
                        copies.append((about.st_mtime, about.st_size, path))
        for _, size, path in sorted(copies, reverse=True):
            room -= size
            if room < 0:
                with contextlib.suppress(OSError):
                    path.unlink()


def default_cache() -> Cache:
    """Return the cache in ``cache_folder()``; without a usable folder, a cache that keeps nothing."""
    folder = cache_folder()
    return Cache(Path(folder) if folder else None)


def checked_again(copy: Fetched, when: datetime) -> Fetched:
    """Return ``copy`` as the server has just vouched for it."""
    return replace(copy, fetched_at=when, from_cache=True)


def _head(url: str, about: bytes, body: bytes) -> bytes:
    """Return the first line of a cache file: the format, and a checksum of the address and the two other parts."""
    digest = hashlib.sha256(_key(url) + b"\0" + about)
    digest.update(body)
    return _FORMAT + digest.hexdigest().encode() + b"\n"


def _key(url: str) -> bytes:
    return url.partition("#")[0].encode("utf-8", "surrogatepass")
