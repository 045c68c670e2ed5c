"""The answers of services, kept in the cache from one run to the next."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from ..sources.cache import Fetched

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..sources.cache import Cache

_T = TypeVar("_T")
_FORM = 2  # version of the cached data; other versions are ignored


class KeptAnswers(dict[str, _T]):
    """Answers by id or address. A cache that is damaged or of another version counts as empty."""

    def __init__(self, cache: Cache, key: str, read: Callable[[Any], _T]) -> None:
        """``key`` is the name of the answers in the cache. ``read`` makes an answer, a dataclass, of its JSON."""
        super().__init__()
        self._cache, self._key = cache, key
        copy = cache.newest(key)
        with suppress(ValueError, KeyError, TypeError, AttributeError):
            data = json.loads(copy.data) if copy else {}
            if data.get("form") == _FORM:
                self.update({name: read(answer) for name, answer in data["answers"].items()})

    def save(self, clean: Callable[[str], str] = lambda text: text) -> None:
        """Write the answers into the cache. ``clean`` changes their JSON before: it removes keys from it."""
        answers = {name: asdict(answer) for name, answer in sorted(self.items())}  # type: ignore[call-overload] # a dataclass
        data = json.dumps({"form": _FORM, "answers": answers}, separators=(",", ":"))
        self._cache.store(self._key, Fetched(clean(data).encode(), self._key))


def is_recent(time: str, now: datetime, days: int) -> bool:
    """Return whether a time (ISO 8601) is less than ``days`` days before ``now``; ``False`` without an offset."""
    at = datetime.fromisoformat(time)
    return at.tzinfo is not None and now - at < timedelta(days=days)
