"""What a source is once it is read: bytes, and where they are from."""

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

    ``source`` is what names it to the user: what they gave, or the address in their list. ``kind`` is
    ``url``, ``file``, ``stdin`` or ``sample``. For an address, ``asked`` is what was fetched and ``url``
    where that ended (without user name and password), ``fetched_at`` when the server last vouched for it.
    ``stale`` says why a copy or the snapshot serves in place of what was asked for; it is empty otherwise. ``group`` is
    the heading under which a list of feeds has it; ``login`` says that the server wanted a login.
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


@dataclass(frozen=True, slots=True)
class Sources:
    """What could be read, in the order in which it was asked for, and the errors of what could not.

    ``names`` are those of both, in that order, as sources have them and as errors do.
    """

    read: tuple[Source, ...]
    failures: tuple[PodgraphError, ...]
    names: tuple[str, ...] = field(default=(), compare=False)


def sample_source(name: str = "sample", stale: str = "") -> Source:
    """Return the built-in snapshot as a source called ``name``."""
    from ..sample import sample_feed  # noqa: PLC0415 - rarely needed

    return Source(name, sample_feed(), "sample", stale=stale)
