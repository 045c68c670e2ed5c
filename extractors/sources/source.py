"""A source after reading: bytes, and where they are from; and the copies that replace unreachable ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING

from ..printable import for_message
from ..subjects.default import default_subject
from ..url import address_key, host_of
from .cache import Cache, default_cache
from .connection import WORLD, UnreachableError, World

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..errors import PodgraphError
    from .cache import Fetched

DEFAULT_FEED = default_subject().feed
"""The podcast of the default subject, live."""


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of one feed, and where they are from.

    ``source`` is its name for the user: the given text, or the address in their list. ``kind`` is ``url``, ``file``,
    ``stdin`` or ``sample``. For an address, ``asked`` is the requested and ``url`` the final one (without user name and
    password), ``fetched_at`` the time when the server last confirmed it. ``stale`` is the reason why a copy or the
    snapshot replaces it; empty otherwise. ``group`` is its heading in a list of feeds; ``login`` is true if the server
    required a login. ``pages`` are the bytes of the feed's further pages.
    """

    source: str
    data: bytes
    kind: str
    url: str = ""
    content_type: str = ""
    etag: str = ""
    asked: str = ""
    fetched_at: datetime | None = None
    stale: str = ""
    group: str = ""
    login: bool = False
    pages: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Sources:
    """The readable sources in the order of the request, and the errors of the others.

    ``names`` are those of both, in that order, as in the sources and the errors.
    """

    read: tuple[Source, ...]
    failures: tuple[PodgraphError, ...]
    names: tuple[str, ...] = field(default=(), compare=False)


def sample_source(name: str = "sample", stale: str = "") -> Source:
    """Return the built-in snapshot as a source called ``name``."""
    from ..sample import sample_feed  # noqa: PLC0415 - rarely needed

    return Source(name, sample_feed(), "sample", stale=stale)


@dataclass(frozen=True, slots=True)
class Copies:
    """The copies for addresses that cannot be fetched; ``offline`` is true if the user asked for copies."""

    cache: Cache
    notify: Callable[[str], None]
    world: World
    default_feed: str
    offline: bool = False

    def is_default(self, url: str) -> bool:
        """Return whether ``url`` is the default feed, which the built-in snapshot can replace."""
        return address_key(url) == address_key(self.default_feed)

    def make_source(self, name: str, url: str, copy: Fetched | None, problem: PodgraphError) -> Source | None:
        """Return the ``copy``, else for the default feed the snapshot, else ``None``; notify the user."""
        stale = "" if self.offline else problem.problem
        if copy:
            self.announce(name, url, problem, copy.fetched_at)
            about = (copy.url, for_message(copy.content_type), copy.etag, url, copy.fetched_at, stale)
            login = getattr(problem, "code", 0) == HTTPStatus.UNAUTHORIZED
            return Source(name, copy.data, "url", *about, login=login)
        if not self.is_default(url):
            return None
        from ..sample import SNAPSHOT_DATE  # noqa: PLC0415 - rarely needed

        date = datetime.fromisoformat(SNAPSHOT_DATE).replace(tzinfo=UTC)
        self.announce(name, url, problem, date, "built-in snapshot")
        return sample_source(name, stale)

    def announce(self, name: str, url: str, problem: PodgraphError, date: datetime, replacement: str = "copy") -> None:
        """Notify the user in one line that a ``replacement`` of a ``date`` is used for ``url``."""
        days = (self.world.now() - date).days
        age = f" ({days:,} day{'s' * (days != 1)} old)" if days > 0 else ""
        shown_name = host_of(self.default_feed) if self.is_default(url) else for_message(name)
        reached = "reached" if isinstance(problem, UnreachableError) else "read"
        reason = "is not asked (--offline)" if self.offline else f"cannot be {reached} ({problem.problem})"
        self.notify(f"{shown_name} {reason}; using the {replacement} of {date.astimezone(UTC).date()}{age}")


def copy_before(source: Source, *, cache: Cache | None = None) -> bytes:
    """Return the copy that ``fall_back`` would use for a fetched ``source``, or nothing; the cache is not changed."""
    if source.kind != "url":
        return b""
    cache = cache or default_cache()
    copy = cache.newest(source.asked)
    if copy and copy.data == source.data:
        copy = cache.earlier(source.asked)
    return copy.data if copy else b""


def fall_back(
    source: Source,
    problem: PodgraphError,
    *,
    cache: Cache | None = None,
    notify: Callable[[str], None] = lambda _: None,
    world: World = WORLD,
    default_feed: str = DEFAULT_FEED,
) -> Source | None:
    """Return the replacement for a fetched ``source`` that turned out to be unreadable, or ``None``.

    The replacement is the copy stored before it, or the built-in snapshot; the unreadable one leaves the cache.
    """
    if source.kind != "url":
        return None
    cache = cache or default_cache()
    copy = cache.newest(source.asked)
    if copy and copy.data == source.data:
        copy = cache.reject(source.asked)
    return Copies(cache, notify, world, default_feed).make_source(source.source, source.asked, copy, problem)
