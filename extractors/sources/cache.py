"""Keep fetched bodies: an unchanged feed is not sent again, and an unreachable one has a copy.

Each address has one file, named by a hash, so that no text from a feed reaches a path. Files are replaced as a whole,
so any number of processes can share the folder. Each begins with a checksum; a damaged file counts as absent. Without
a usable folder there is no cache, but no failure. A file's modification time is that of its last use.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_BYTES = 500_000_000  # of the feeds, and of each other share
_BETWEEN = 50_000_000  # bytes written until the folder is tidied again


@dataclass(frozen=True, slots=True)
class Fetched:
    """The answer of a URL: the decompressed body, and the data for asking again.

    ``url`` is the final address without user name and password. ``etag`` and ``last_modified`` are the validators as
    sent; ``fetched_at`` (aware, UTC) is the time when the server last confirmed the body. ``from_cache`` is true if the
    body was not sent this time. ``has_moved`` is true after redirects for good, ``fault`` the reason why the
    body is not cached. ``home`` is the host and port of the
    server if they are not public: only that host may lead to other addresses that are not public. ``fields`` are the
    header fields of this answer; they are not cached.
    """

    data: bytes
    url: str
    content_type: str = ""
    etag: str = ""
    last_modified: str = ""
    fetched_at: datetime = datetime(1970, 1, 1, tzinfo=UTC)
    from_cache: bool = False
    has_moved: bool = False
    fault: str = ""
    home: tuple[str, int] | None = None
    fields: Mapping[str, str] = field(default_factory=dict, compare=False)


class Cache:
    """A folder of fetched bodies, by the requested address; without a folder nothing is stored.

    ``problem`` is empty, or one line with the reason why something could not be stored.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.problem = ""
        self._until_tidied = 0

    def share(self, kind: str) -> Cache:
        """Return the cache of another ``kind`` of bodies, whose copies never replace a feed's: a folder in this one."""
        return Cache(self.folder / kind if self.folder else None)

    def read_copy(self, url: str) -> Fetched | None:
        """Return the last copy stored for ``url``, or ``None`` without an intact one."""
        path = (self.folder or Path()) / _make_name(url)
        try:
            if self.folder is None or not path.is_file():  # reading from a pipe in its place would block
                return None
            with path.open("rb") as file:
                digest, head, data = file.readline(), file.readline(), file.read()
            if digest != _make_digest(path.name, head, data):
                return None
            with suppress(OSError):
                os.utime(path)
        except (OSError, MemoryError):
            return None
        about = json.loads(head)
        home, when = about.pop("home"), datetime.fromisoformat(about.pop("fetched_at"))
        return Fetched(data, from_cache=True, home=home and tuple(home), fetched_at=when.astimezone(UTC), **about)

    def store(self, url: str, answer: Fetched) -> None:
        """Store ``fetched`` as the newest copy for ``url``."""
        if self.folder is None:
            return
        about = {name: getattr(answer, name) for name in ("url", "content_type", "etag", "last_modified", "home")}
        head = json.dumps(about | {"fetched_at": answer.fetched_at.isoformat()}).encode() + b"\n"
        name, temporary = _make_name(url), None
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(suffix=".feed", dir=self.folder, delete=False) as file:
                temporary = Path(file.name)
                file.writelines((_make_digest(name, head, answer.data), head, answer.data))
            temporary.replace(self.folder / name)
            self._until_tidied -= len(answer.data)
            if self._until_tidied < 0:
                self._until_tidied = _BETWEEN
                self._tidy(self.folder, name)
        except OSError as error:
            self.problem = f"nothing can be stored in {self.folder}: {error.strerror or error}"
        finally:
            if temporary:
                temporary.unlink(missing_ok=True)  # without effect once it has its name

    @staticmethod
    def _tidy(folder: Path, name: str) -> None:
        """Remove copies unused for 90 days, the longest unused of too many, and leftovers of killed processes.

        The copy called ``name`` stays. Another process may use the same files: it tolerates missing ones.
        """
        files: list[tuple[float, int, Path]] = []
        for path in folder.glob("*.feed"):
            with suppress(OSError):
                about = path.stat()
                files.append((time.time() - about.st_mtime, about.st_size, path))
        total = 0
        for age, size, path in sorted(files):
            total += size
            if path.name != name and (age > 90 * 86400 or total > _MOST_BYTES):
                with suppress(OSError):
                    path.unlink()


def default_cache() -> Cache:
    """Return the cache in ``$PODGRAPH_CACHE_DIR``, else in the platform's folder for caches.

    Without a usable folder (no home, a relative ``$XDG_CACHE_HOME``) nothing is stored.
    """
    import platformdirs  # noqa: PLC0415 - a question needs no cache

    folder = os.environ.get("PODGRAPH_CACHE_DIR")
    try:
        path = Path(folder).absolute() if folder else platformdirs.user_cache_path(appauthor=False) / "podgraph/feeds"
    except (OSError, RuntimeError, KeyError):
        return Cache(None)
    return Cache(path if path.is_absolute() else None)


def _make_digest(name: str, head: bytes, data: bytes) -> bytes:
    """Return the first line of a cache file: the format, and a checksum of its name and the two other parts."""
    digest = hashlib.sha256(name.encode() + head)
    digest.update(data)
    return f"podgraph cache 3 {digest.hexdigest()}\n".encode()


def _make_name(url: str) -> str:
    """Return the name of an address's file."""
    return f"{hashlib.sha256(url.partition('#')[0].encode('utf-8', 'surrogatepass')).hexdigest()}.feed"
