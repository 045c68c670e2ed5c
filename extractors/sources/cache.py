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

_MAXIMUM_BYTES = 500_000_000  # of all files in one folder
_BYTES_BETWEEN_TIDYINGS = 50_000_000  # after so many written bytes, old files are removed again


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
        """Keep fetched bodies in ``folder``, which is made when it is needed; ``None``: store nothing."""
        self.folder = folder
        self.problem = ""
        self._bytes_until_tidying = 0

    def share(self, kind: str) -> Cache:
        """Return a separate cache for another ``kind`` of bodies, in a folder of that name below this cache's folder.

        So the copy of a page or of an API's answer never replaces a feed's. ``kind`` is a name such as ``"look-ups"``.
        """
        return Cache(self.folder / kind if self.folder else None)

    def read_copy(self, url: str) -> Fetched | None:
        """Return the last stored answer of the address ``url``; ``None`` if there is none or its file is damaged.

        A file has three parts: a line with its checksum, a line of JSON with the fields of ``Fetched``, the body.
        Reading sets the file's modification time to now, which marks it as used.
        """
        path = (self.folder or Path()) / _make_file_name(url)
        try:
            if self.folder is None or not path.is_file():  # reading from a pipe in its place would block
                return None
            with path.open("rb") as file:
                digest, head, body = file.readline(), file.readline(), file.read()
            if digest != _make_digest(path.name, head, body):
                return None
            with suppress(OSError):
                os.utime(path)
        except (OSError, MemoryError):
            return None
        fields = json.loads(head)
        home, when = fields.pop("home"), datetime.fromisoformat(fields.pop("fetched_at"))
        # JSON has lists for tuples: (host, port) of the server.
        return Fetched(body, from_cache=True, home=home and tuple(home), fetched_at=when.astimezone(UTC), **fields)

    def store(self, url: str, answer: Fetched) -> None:
        """Write ``answer`` to the cache file of the address ``url``, in place of an older copy.

        A failure to write is not raised; ``problem`` has its reason.
        """
        if self.folder is None:
            return
        fields = {name: getattr(answer, name) for name in ("url", "content_type", "etag", "last_modified", "home")}
        head = json.dumps(fields | {"fetched_at": answer.fetched_at.isoformat()}).encode() + b"\n"
        name, temporary = _make_file_name(url), None
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(suffix=".feed", dir=self.folder, delete=False) as file:
                temporary = Path(file.name)
                file.writelines((_make_digest(name, head, answer.data), head, answer.data))
            temporary.replace(self.folder / name)
            self._bytes_until_tidying -= len(answer.data)
            if self._bytes_until_tidying < 0:
                self._bytes_until_tidying = _BYTES_BETWEEN_TIDYINGS
                self._remove_old_files(self.folder, name)
        except OSError as error:
            self.problem = f"nothing can be stored in {self.folder}: {error.strerror or error}"
        finally:
            if temporary:
                # Without effect once it has its name.
                temporary.unlink(missing_ok=True)

    @staticmethod
    def _remove_old_files(folder: Path, newest_name: str) -> None:
        """Delete cache files unused for 90 days, and the longest unused ones until the rest is at most 500 MB.

        The file called ``newest_name`` stays. Another process may use the same files: it tolerates missing ones.
        """
        files: list[tuple[float, int, Path]] = []  # age in seconds, size in bytes, path
        for path in folder.glob("*.feed"):
            with suppress(OSError):
                status = path.stat()
                files.append((time.time() - status.st_mtime, status.st_size, path))
        total = 0
        for age, size, path in sorted(files):  # the youngest first
            total += size
            if path.name != newest_name and (age > 90 * 86400 or total > _MAXIMUM_BYTES):
                with suppress(OSError):
                    path.unlink()


def default_cache() -> Cache:
    """Return the cache of feeds in ``$PODGRAPH_CACHE_DIR``, else in the platform's folder for caches.

    On Linux that is ``~/.cache/podgraph/feeds``. Without a usable folder (no home, a relative ``$XDG_CACHE_HOME``) the
    result is a cache that stores nothing.
    """
    import platformdirs  # noqa: PLC0415 - a question needs no cache

    folder = os.environ.get("PODGRAPH_CACHE_DIR")
    try:
        path = Path(folder).absolute() if folder else platformdirs.user_cache_path(appauthor=False) / "podgraph/feeds"
    except (OSError, RuntimeError, KeyError):
        return Cache(None)
    return Cache(path if path.is_absolute() else None)


def _make_digest(name: str, head: bytes, body: bytes) -> bytes:
    """Return the first line of a cache file: the version of the format, and a checksum of the file.

    Args:
        name: the file's own name, so that a file copied over another one counts as damaged
        head: the second line of the file: JSON, with its line break
        body: the rest of the file: the answer's body
    """
    digest = hashlib.sha256(name.encode() + head)
    digest.update(body)
    return f"podgraph cache 3 {digest.hexdigest()}\n".encode()


def _make_file_name(url: str) -> str:
    """Return the name of an address's cache file: a hash of the address without its ``#fragment``."""
    return f"{hashlib.sha256(url.partition('#')[0].encode('utf-8', 'surrogatepass')).hexdigest()}.feed"
