"""A source after reading: bytes, and where they are from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..subjects.default import default_subject

if TYPE_CHECKING:
    from datetime import datetime

    from ..errors import PodgraphError

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
