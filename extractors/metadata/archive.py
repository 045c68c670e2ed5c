"""Archived copies of dead links, from the Wayback Machine's availability API. Politely, one question after the other.

The API is at https://archive.org/help/wayback_api.php: it takes an address and a time, and returns the nearest copy.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from ..errors import SourceError
from ..model import Fact
from ..sources.budget import Budget, OverBudgetError, budget_beside
from ..sources.connection import LIMITS
from ..sources.fetch import fetch_url
from ..sources.origin import Origin
from ..url import is_web
from .asked import Found
from .kept import KeptAnswers, is_recent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ..ref import Ref
    from ..sources.cache import Cache
    from ..sources.connection import World

DEAD = frozenset({"moved", "gone"})
SERVICE = "https://archive.org/wayback/available?url="
_COPIES = "https://web.archive.org/web/"
_NO_LINKS = frozenset({"symbol", "person"})  # kinds that a text names without a link
_FRESH = 30  # days until a link without a copy is asked for again; a copy stays
_MOST = 200  # links in one run
_PAUSE = 1.0  # seconds between two questions
_REFUSALS = 3  # in a row, after which the rest is left for the next time
_LIMITS = replace(LIMITS, wire=1_000_000, body=1_000_000, attempts=2)
# The time of a copy: year, month, day, hour, minute, second.
_TIME = re.compile(r"(?:19|20)[0-9]{12}")


@dataclass(frozen=True, slots=True)
class _Answer:
    """The time of the copy of a link ("": there is none), the day asked for, and the time of the answer."""

    copy: str
    day: str
    said: str


class Archive:
    """The archived copies of links, requested or cached. ``home`` is a host and port of this machine, for tests."""

    def __init__(
        self,
        *,
        cache: Cache,
        world: World,
        notify: Callable[[str], None],
        home: tuple[str, int] | None = None,
        budget: Budget | None = None,
    ) -> None:
        self._budget = budget or budget_beside(world)
        self._home = home
        self._world, self._notify = world, notify
        self._kept = KeptAnswers(cache, "archive:", lambda answer: _Answer(**answer))

    def look_up(self, refs: Iterable[Ref], days: Mapping[str, str], *, offline: bool) -> Found:
        """Return the archived copies (``archived_url``) of the web links among ``refs``.

        ``days`` has, by id, the day (YYYY-MM-DD) of the first episode that cites a link; its copy is the nearest to it.
        """
        asked = {ref.url: ref for ref in refs if ref.kind not in _NO_LINKS and is_web(ref.url)}
        times = {url: days.get(ref.id, "").replace("-", "") for url, ref in sorted(asked.items())}
        stale = [url for url, day in times.items() if not self._is_fresh(url, day)]
        if stale and not offline:
            self._ask(stale[:_MOST], times, len(stale) - _MOST)
        copies = [(asked[url], self._kept[url].copy) for url in times if url in self._kept]
        return Found([Fact(ref.id, (("archived_url", f"{_COPIES}{at}/{ref.url}"),)) for ref, at in copies if at])

    def _ask(self, urls: list[str], days: Mapping[str, str], beyond_limit: int) -> None:
        """Ask for the copies of ``urls`` one by one, report the number found, and save all answers in the cache.

        ``days`` has for each address the day whose copy is wanted, and ``beyond_limit`` is the number of further links
        that exceed the limit of a run (negative below it). An error skips a link; several in a row end the run.
        """
        done = 0
        refusals = 0  # errors in a row
        for url in urls:
            try:
                copy = self._ask_one(url, days[url])
            except OverBudgetError as error:
                self._notify(str(error))
                break
            except SourceError as error:
                refusals += 1
                if refusals == _REFUSALS:
                    self._notify(str(error))
                    break
            else:
                self._kept[url] = _Answer(copy, days[url], self._world.now().isoformat(timespec="seconds"))
                done += 1
                refusals = 0
            self._world.sleep(_PAUSE)
        left = max(beyond_limit, 0) + len(urls) - done
        rest = f"; {left} are left for the next time" if left else ""
        found = sum(bool(self._kept[url].copy) for url in urls if url in self._kept)
        self._notify(f"asked archive.org for copies of {len(urls)} links: {found} found{rest}")
        self._kept.save()

    def _ask_one(self, url: str, day: str) -> str:
        """Return the time of the copy nearest to a day, "" without a copy. Raises ``SourceError`` for other answers."""
        fetched = fetch_url(
            f"{SERVICE}{quote(url, safe='')}" + (f"&timestamp={day}" if day else ""),
            origin=Origin(home=self._home), limits=_LIMITS, world=self._world, budget=self._budget,
        )  # fmt: skip
        try:
            closest = json.loads(fetched.data)["archived_snapshots"].get("closest") or {}
            at, is_page = str(closest.get("timestamp")), closest.get("available") is True
            return at if is_page and str(closest.get("status")) == "200" and _TIME.fullmatch(at) else ""
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise SourceError(
                "the answer is not the one that its documentation describes", source="archive.org"
            ) from error

    def _is_fresh(self, url: str, day: str) -> bool:
        kept = self._kept.get(url)
        return bool(kept and kept.day == day and (kept.copy or is_recent(kept.said, self._world.now(), _FRESH)))
