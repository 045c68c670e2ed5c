"""Copies that replace an address that cannot be fetched, and the notices about them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date
from http import HTTPStatus
from typing import TYPE_CHECKING

from ..printable import for_message
from ..url import address_key, host_of
from .cache import Cache, default_cache
from .connection import WORLD, UnreachableError, World
from .source import DEFAULT_FEED, Source, sample_source

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from ..errors import PodgraphError
    from .cache import Fetched

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def copy_age(then: datetime, now: datetime) -> str:
    """Return the age of a copy, for "the copy ...": a span, or the day when a span would be too rough.

    >>> from datetime import UTC, datetime, timedelta
    >>> now = datetime(2026, 11, 20, 12, tzinfo=UTC)
    >>> [copy_age(now - timedelta(minutes=m), now) for m in (1, 150, 3 * 1440, 200 * 1440, -5 * 1440)]
    ['of a moment ago', 'of 2 hours ago', 'of 3 days ago', 'of 2026-05-04 (200 days old)', 'of 2026-11-25']
    """
    seconds = (now - then).total_seconds()
    if seconds < -_HOUR:  # a clock was wrong then or is now
        return f"of {then.astimezone(UTC).date()}"
    if seconds < 2 * _MINUTE:
        return "of a moment ago"
    if seconds > 60 * _DAY:
        return f"of {then.astimezone(UTC).date()} ({seconds // _DAY:,.0f} days old)"
    units = ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute"))
    count, name = next((int(seconds // unit), name) for unit, name in units if seconds >= unit)
    return f"of {count} {name}{'s' * (count > 1)} ago"


def snapshot_age(made: date, today: date) -> str:
    """Return how old the built-in snapshot is, for "the built-in snapshot ...".

    >>> from datetime import date
    >>> snapshot_age(date(2026, 11, 20), date(2026, 12, 2))
    'of 2026-11-20 (12 days old)'
    """
    days = (today - made).days
    if days < 0:
        return f"of {made}"
    return f"of {made} ({days:,} day{'s' * (days != 1)} old)"


@dataclass(frozen=True, slots=True)
class StandIns:
    """The sources of copies, and the receiver of notices; ``offline`` is true if copies were asked for."""

    cache: Cache
    notify: Callable[[str], None]
    world: World
    default_feed: str
    offline: bool = False

    def is_default(self, url: str) -> bool:
        """Return whether ``url`` is the default feed, which the built-in snapshot can replace."""
        return address_key(url) == address_key(self.default_feed)

    def source(self, name: str, url: str, copy: Fetched | None, problem: PodgraphError) -> Source | None:
        """Return the ``copy``, else for the default feed the snapshot, else ``None``; notify the user."""
        stale = "" if self.offline else problem.problem
        if copy:
            self.tell(name, url, problem, self.age(copy))
            about = (copy.url, for_message(copy.content_type), copy.etag, url, copy.fetched_at, stale)
            login = getattr(problem, "code", 0) == HTTPStatus.UNAUTHORIZED
            return Source(name, copy.data, "url", *about, login=login)
        if not self.is_default(url):
            return None
        from ..sample import SNAPSHOT_DATE  # noqa: PLC0415 - rarely needed

        age = snapshot_age(date.fromisoformat(SNAPSHOT_DATE), self.world.now().date())
        self.tell(name, url, problem, f"the built-in snapshot {age}")
        return sample_source(name, stale)

    def age(self, copy: Fetched) -> str:
        """Name a copy by its age."""
        return f"the copy {copy_age(copy.fetched_at, self.world.now())}"

    def tell(self, name: str, url: str, problem: PodgraphError, what: str) -> None:
        """Notify the user in one line that ``what`` replaces ``url``."""
        who = host_of(self.default_feed) if self.is_default(url) else for_message(name)
        if self.offline:
            self.notify(f"{who} is not asked (--offline); using {what}")
        else:
            fails = "reached" if isinstance(problem, UnreachableError) else "read"
            self.notify(f"{who} cannot be {fails} ({problem.problem}); using {what}")


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

    The replacement is the copy kept before it, or the built-in snapshot; the unreadable one is dropped from the cache.
    """
    if source.kind != "url":
        return None
    cache = cache or default_cache()
    copy = cache.newest(source.asked)
    if copy and copy.data == source.data:
        copy = cache.reject(source.asked)
    return StandIns(cache, notify, world, default_feed).source(source.source, source.asked, copy, problem)
