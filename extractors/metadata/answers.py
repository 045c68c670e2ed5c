"""The answers of services, stored in the cache from one run to the next."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..sources.cache import Fetched

if TYPE_CHECKING:
    from ..sources.cache import Cache

_VERSION = 4  # of the stored data; other versions are ignored


class StoredAnswers(dict[str, dict[str, Any]]):
    """The answers of a service from earlier builds: {id of an artifact: JSON object}.

    A cache that is damaged or of another version counts as empty.
    """

    def __init__(self, cache: Cache, key: str) -> None:
        """Read the answers that a ``cache`` has under the name ``key``."""
        super().__init__()
        self._cache, self._key = cache, key
        copy = cache.read_copy(key)
        with suppress(ValueError, KeyError, TypeError, AttributeError):
            data = json.loads(copy.data) if copy else {}
            if data.get("version") == _VERSION:
                self.update(data["answers"])

    def save(self) -> None:
        """Write the answers into the cache."""
        data = json.dumps({"version": _VERSION, "answers": dict(sorted(self.items()))}, separators=(",", ":"))
        self._cache.store(self._key, Fetched(data.encode(), self._key))
