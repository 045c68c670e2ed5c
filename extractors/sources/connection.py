"""The limits of fetching; connections to checked addresses that keep to them, and why they fail, in words.

A name is resolved once and the connection goes to the address that was checked, so a name server cannot give
a harmless answer to the check and another one to the connection (DNS rebinding). A timeout of a socket
starts anew with every byte; a deadline does not.
"""

from __future__ import annotations

import http.client
import os
import random
import re
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import SourceError
from ..printable import for_message
from .origin import CONTENT, Endpoint, Origin, may_reach

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class World:
    """Inputs of fetching beside the network: clocks, sleep, chance, names.

    ``monotonic`` and ``sleep`` count seconds; ``now`` is aware; ``chance`` gives 0..1; ``resolve`` has the
    arguments and the result of ``socket.getaddrinfo``.
    """

    monotonic: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random
    resolve: Callable[..., Any] = socket.getaddrinfo


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how much. Seconds: for a connection, between two pieces, until the answer's head, in all.

    A body that comes at ``rate`` bytes a second or more gets the time it needs beyond ``total``. ``body`` and ``rate``
    are bytes after decompression; ``attempts`` counts.
    """

    connect: float = 5
    read: float = 10
    answer: float = 20
    total: float = 30
    rate: float = 200_000
    body: int = 200_000_000
    attempts: int = 3


LIMITS = Limits()
WORLD = World()
MOST_MB = "PODGRAPH_MOST_MB"
"""The environment variable that names another budget, in megabytes."""


class OverBudgetError(SourceError):
    """All sources together are too large, or take too long."""


class Budget:
    """The remaining bytes and seconds for sources; threads share it.

    ``most`` is the number of bytes (0: that of ``$PODGRAPH_MOST_MB``, else 400 MB), ``seconds`` the time from
    now on. ``whole`` is the name in errors of everything that shares it. Raises ``SourceError`` when the variable is
    not a number.
    """

    def __init__(self, world: World, most: int = 0, seconds: float = 1800, whole: str = "all sources") -> None:
        self._world, self._whole, self._seconds = world, whole, seconds
        self._most = self._left = most or _read_most_bytes()
        self._until = world.monotonic() + seconds
        self._lock = threading.Lock()

    def take(self, size: int) -> None:
        """Charge ``size`` bytes. Raise ``OverBudgetError``, and charge nothing, without enough bytes or time."""
        if self._world.monotonic() > self._until:
            problem = f"is not read: {self._whole} together take more than {self._seconds / 60:,.0f} minutes"
            raise OverBudgetError(problem, remedy="build fewer at a time")
        with self._lock:
            is_over = size > self._left
            self._left -= 0 if is_over else size
        if is_over:
            problem = f"is not read: {self._whole} together are larger than {self._most / 1e6:,.6g} MB"
            raise OverBudgetError(problem, remedy=f"build fewer at a time, or set a larger {MOST_MB}")


def budget_beside(world: World = WORLD) -> Budget:
    """Return the budget of everything that a build fetches beside its sources: half the bytes, and ten minutes."""
    return Budget(world, _read_most_bytes() // 2, 600, "transcripts, chapters and look-ups")


def _read_most_bytes() -> int:
    """Return the number of bytes of a whole build: from ``$PODGRAPH_MOST_MB``, or 400 MB."""
    text = os.environ.get(MOST_MB) or "400"
    if re.fullmatch("[1-9][0-9]{0,8}", text):
        return int(text) * 1_000_000
    problem = f"{for_message(text)} is not a number of megabytes"
    raise SourceError(problem, source=MOST_MB, remedy="give a whole number")


class BrokenError(SourceError):
    """The server broke the connection; another attempt may succeed."""


class AnswerError(SourceError):
    """A server answered, with another status (``code``) than success; ``fields`` are those of its head."""

    code: int
    fields: Mapping[str, str]


@dataclass(slots=True)
class Connector:
    """Opens the connections of one fetch: until when, and where to.

    ``until`` is a moment of ``world.monotonic``. ``origin`` decides which addresses are allowed; ``home`` is the host
    and port of the last connection if they are not public. ``received_bytes`` counts the bytes of all replies.
    """

    world: World
    limits: Limits
    until: float
    origin: Origin
    home: tuple[str, int] | None = None
    received_bytes: int = 0

    def get_time_left(self) -> float:
        """Return the seconds until the deadline; raise ``TimeoutError`` after it."""
        seconds = self.until - self.world.monotonic()
        if seconds <= 0:
            raise TimeoutError("the time for the whole fetch is over")
        return seconds

    def open(self, host: str, port: int, *, proxy: bool = False) -> socket.socket:
        """Connect to a host, or to the user's own ``proxy``, which may have any address.

        Raises ``SourceError`` when no address of the host is allowed, and ``OSError`` when no connection is made.
        """
        problem: Exception = make_refusal(host)
        for end in self._find_ends(host, port):
            if not (proxy or may_reach(self.origin, end)):
                continue
            try:
                wait = min(self.limits.connect, self.get_time_left())
                connection = socket.create_connection((end.address, end.port), wait)
            except OSError as error:
                problem = error
                continue
            self.home = None if proxy or may_reach(CONTENT, end) else (host.lower(), port)
            return connection
        raise problem

    def check_behind_proxy(self, host: str, port: int) -> None:
        """Raise ``SourceError`` if the target of a proxy is known not to be public.

        The proxy resolves the name, so only the answer of our own resolver can be checked.
        """
        with suppress(OSError, UnicodeError):  # only the proxy knows the name
            if not all(may_reach(self.origin, end) for end in self._find_ends(host, port)):
                raise make_refusal(host)

    def read_reply(self, connection: socket.socket, *arguments: Any, **options: Any) -> http.client.HTTPResponse:
        """Return the reply on a connection; each read from it keeps to the deadline, and raises ``TimeoutError``."""
        reply = http.client.HTTPResponse(connection, *arguments, **options)
        raw: Any = reply.fp.raw  # the socket's own stream
        read = raw.readinto

        def read_in_time(buffer: Any) -> int | None:
            connection.settimeout(min(self.limits.read, self.get_time_left()))
            size: int | None = read(buffer)
            self.received_bytes += size or 0
            return size

        raw.readinto = read_in_time
        return reply

    def _find_ends(self, host: str, port: int) -> list[Endpoint]:
        """Return the ends of a connection to a host; the port of each is its own."""
        answers = self.world.resolve(host.removeprefix("[").removesuffix("]"), port, type=socket.SOCK_STREAM)
        return [Endpoint(host, address[1], str(address[0])) for *_, address in answers]


def make_refusal(host: str) -> SourceError:
    """Return the error for an address inside that something from outside leads to."""
    problem = f"{host} is an address of this machine or its own network, where only you may lead"
    return SourceError(problem, remedy="give that address as a source yourself if you trust it")


_PASSING = frozenset({429, 500, 502, 503, 504})
_LINES = Path(__file__).with_name("faults.txt").read_text("utf-8").splitlines()
_FAULTS = [line.split("|") for line in _LINES if not line.startswith("#")]  # causes, problem, remedy


def make_answer_error(status: int, fields: Mapping[str, str]) -> AnswerError:
    """Return the error for an HTTP status, with the ``fields`` of the head that came with it."""
    phrase = f" {HTTPStatus(status).phrase}" if status in set(HTTPStatus) else ""
    remedy = "try again later" if status == 429 or status >= 500 else "check the address"
    remedy = next((remedy for cause, _, remedy in _FAULTS if cause == str(status)), remedy)
    error = AnswerError(f"the server answers {status}{phrase}", remedy=remedy)
    error.code, error.fields = status, fields
    return error


def find_pause(error: SourceError, attempt: int, world: World) -> float | None:
    """Return the seconds to wait after failure number ``attempt`` (from 1), ``None`` if it will not pass."""
    after = None
    if isinstance(error, AnswerError) and error.code in _PASSING:
        after = parse_retry_after(error.fields.get("Retry-After", ""))
    elif not isinstance(error, BrokenError):
        return None
    return 2**attempt * (0.15 + 0.2 * world.chance()) if after is None else after


def parse_retry_after(value: str) -> float | None:
    """Return the seconds in a Retry-After field (RFC 9110, 10.2.3), or ``None`` for other text, such as a date.

    >>> [parse_retry_after(value) for value in ("7", "soon", "9" * 40)]
    [7.0, None, 1000000000.0]
    """
    return min(float(value), 1e9) if re.fullmatch(r"\s*[0-9]+\s*", value) else None


def explain_fault(error: Exception) -> SourceError:
    """Return the error in words for one of the network, which comes wrapped in those of three libraries."""
    chain: list[BaseException] = [error]
    for link in chain:  # it grows while it is read
        links = [*link.args, getattr(link, "reason", None), link.__cause__, link.__context__]
        chain += [one for one in links if isinstance(one, BaseException) and one not in chain]
    names = {kind.__name__ for link in chain for kind in type(link).__mro__}
    for kinds, problem, remedy in _FAULTS:
        if not names.isdisjoint(kinds.split()):
            return (BrokenError if "breaks" in problem else SourceError)(problem, remedy=remedy)
    reason = next((text for link in chain if (text := getattr(link, "strerror", None))), str(error))
    return SourceError(f"cannot be fetched: {for_message(str(reason))}", remedy="check the address and the network")
