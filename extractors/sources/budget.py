"""The limits for all sources of a build together: bytes after decompression, and time.

Each source has limits of its own; a list of many that all keep just below them would still fill the memory.
"""

from __future__ import annotations

import os
import re
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..errors import SourceError
from ..printable import for_message
from .connection import WORLD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .connection import World

MOST_MB = "PODGRAPH_MOST_MB"
"""The environment variable that names another budget, in megabytes."""


class OverBudgetError(SourceError):
    """All sources together are too large, or take too long."""


class Budget:
    """The remaining bytes and seconds for sources; threads share it.

    ``most`` is the number of bytes (``None``: that of ``$PODGRAPH_MOST_MB``, else 400 MB), ``seconds`` the time from
    now on. ``whole`` names in errors what shares it. Raises ``SourceError`` when the variable is not a number.
    """

    def __init__(
        self, world: World, most: int | None = None, seconds: float = 1800, whole: str = "all sources"
    ) -> None:
        self._world, self._whole, self._seconds = world, whole, seconds
        self._most = self._left = most or _read_most_bytes()
        self._until = world.monotonic() + seconds
        self._lock = threading.Lock()

    @contextmanager
    def share(self) -> Iterator[Callable[[int], None]]:
        """Give a function that takes so many bytes for one source; they are given back when the block fails.

        The function, and the begin, raise ``OverBudgetError`` when there are not so many left, or no time.
        """
        total = 0

        def take(size: int) -> None:
            """Charge ``size`` bytes to the budget. Raise ``OverBudgetError`` without enough bytes or time."""
            nonlocal total
            if self._world.monotonic() > self._until:
                problem = f"is not read: {self._whole} together take more than {self._seconds / 60:,.0f} minutes"
                raise OverBudgetError(problem, remedy="build fewer at a time")
            with self._lock:
                total += size
                self._left -= size
                is_over = self._left < 0
            if is_over:
                problem = f"is not read: {self._whole} together are larger than {self._most / 1e6:,.6g} MB"
                raise OverBudgetError(problem, remedy=f"build fewer at a time, or set a larger {MOST_MB}")

        take(0)
        try:
            yield take
        except BaseException:
            with self._lock:
                self._left += total
            raise


def budget_beside(world: World = WORLD) -> Budget:
    """Return the budget of everything that a build fetches beside its sources: half the bytes, and ten minutes."""
    return Budget(world, _read_most_bytes() // 2, 600, "transcripts, chapters and look-ups")


def _read_most_bytes() -> int:
    """Return the number of bytes of a whole build: from ``$PODGRAPH_MOST_MB``, or 400 MB."""
    text = os.environ.get(MOST_MB) or "400"
    if not re.fullmatch("[1-9][0-9]{0,8}", text):
        problem = f"{for_message(text)} is not a number of megabytes"
        raise SourceError(problem, source=MOST_MB, remedy="give a whole number")
    return int(text) * 1_000_000
