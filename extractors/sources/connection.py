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
    """The functions that fetching takes from its surroundings, so that tests can replace them.

    ``monotonic`` (a clock) and ``sleep`` count seconds; ``now`` returns a time with a time zone; ``chance`` returns a
    random number from 0 to 1; ``resolve`` finds a host's numeric addresses, as ``socket.getaddrinfo`` does.
    """

    monotonic: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random
    resolve: Callable[..., Any] = socket.getaddrinfo


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one fetch.

    In seconds: ``connect`` for opening a connection, ``read`` between two pieces of a body, ``answer`` until the
    answer's head, ``total`` for everything. A body that comes at ``rate`` bytes a second or more gets the time it needs
    beyond ``total``. ``body`` is the maximum size in bytes; ``body`` and ``rate`` count decompressed bytes.
    ``attempts`` is the number of attempts.
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
MEGABYTES_VARIABLE = "PODGRAPH_MOST_MB"
"""The environment variable that names another budget, in megabytes."""


class OverBudgetError(SourceError):
    """All sources together are too large, or take too long."""


class Budget:
    """The remaining bytes and seconds for sources; threads share it.

    ``maximum`` is the number of bytes (0: that of ``$PODGRAPH_MOST_MB``, else 400 MB), ``seconds`` the time from
    now on. ``whole`` names in error messages everything that shares the budget. Raises ``SourceError`` when the
    variable is not a number.
    """

    def __init__(self, world: World, maximum: int = 0, seconds: float = 1800, whole: str = "all sources") -> None:
        """Begin with ``maximum`` bytes (0: the usual number) and ``seconds``.

        ``whole`` names what shares the budget.
        """
        self._world, self._whole, self._seconds = world, whole, seconds
        self._maximum = self._left = maximum or _read_maximum_bytes()
        self._deadline = world.monotonic() + seconds
        self._lock = threading.Lock()

    def take(self, size: int) -> None:
        """Subtract ``size`` bytes from the budget; 0 only checks the time.

        Raises ``OverBudgetError``, and subtracts nothing, when the time is over or fewer than ``size`` bytes are left.
        """
        if self._world.monotonic() > self._deadline:
            problem = f"is not read: {self._whole} together take more than {self._seconds / 60:,.0f} minutes"
            raise OverBudgetError(problem, remedy="build fewer at a time")
        with self._lock:
            is_over = size > self._left
            self._left -= 0 if is_over else size
        if is_over:
            problem = f"is not read: {self._whole} together are larger than {self._maximum / 1e6:,.6g} MB"
            raise OverBudgetError(problem, remedy=f"build fewer at a time, or set a larger {MEGABYTES_VARIABLE}")


def make_budget_of_extras(world: World = WORLD) -> Budget:
    """Return a new budget for a build's downloads other than feeds: transcripts, chapters, look-ups.

    It has half the bytes of the feeds' own budget, and ten minutes from now.
    """
    return Budget(world, _read_maximum_bytes() // 2, 600, "transcripts, chapters and look-ups")


def _read_maximum_bytes() -> int:
    """Return the maximum number of bytes of a build's feeds: the megabytes in ``$PODGRAPH_MOST_MB``, or 400 MB.

    Raises ``SourceError`` if the variable is not a whole number from 1 to 999,999,999.
    """
    text = os.environ.get(MEGABYTES_VARIABLE) or "400"
    if re.fullmatch("[1-9][0-9]{0,8}", text):
        return int(text) * 1_000_000
    problem = f"{for_message(text)} is not a number of megabytes"
    raise SourceError(problem, source=MEGABYTES_VARIABLE, remedy="give a whole number")


class BrokenError(SourceError):
    """The server broke the connection; another attempt may succeed."""


class AnswerError(SourceError):
    """A server answered, with another status (``code``) than success; ``fields`` are those of its head."""

    code: int
    fields: Mapping[str, str]


@dataclass(slots=True)
class Connector:
    """Opens the connections of one fetch, only to allowed addresses and only until a deadline.

    ``deadline`` is a moment of the clock ``world.monotonic``. ``origin`` decides which addresses are allowed; ``home``
    is the host and port of the last connection if they are not public. ``received_bytes`` counts the bytes of all
    replies, before decompression.
    """

    world: World
    limits: Limits
    deadline: float
    origin: Origin
    home: tuple[str, int] | None = None
    received_bytes: int = 0

    def get_time_left(self) -> float:
        """Return the seconds until the deadline of this fetch; raise ``TimeoutError`` after it."""
        seconds = self.deadline - self.world.monotonic()
        if seconds <= 0:
            raise TimeoutError("the time for the whole fetch is over")
        return seconds

    def open(self, host: str, port: int, *, proxy: bool = False) -> socket.socket:
        """Return a connected socket to a ``host`` (a name or numeric address) and ``port``.

        The host's name is resolved once, and its addresses are tried in the resolver's order. ``proxy`` is true for the
        user's own proxy, which may have any address. Sets ``home`` if the address is not public.

        Raises ``SourceError`` when no address of the host is allowed, and ``OSError`` when no connection succeeds.
        """
        problem: Exception = make_refusal(host)  # without an allowed address; else the error of the last attempt
        for end in self._resolve(host, port):
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
        """Raise ``SourceError`` if the ``host`` and ``port`` that a proxy will connect to are known not to be public.

        The proxy resolves the name, so only the answer of our own resolver can be checked.
        """
        with suppress(OSError, UnicodeError):  # only the proxy knows the name
            if not all(may_reach(self.origin, end) for end in self._resolve(host, port)):
                raise make_refusal(host)

    def read_reply(self, connection: socket.socket, *arguments: Any, **options: Any) -> http.client.HTTPResponse:
        """Return the HTTP reply on a ``connection``; every later read from the reply keeps to this fetch's deadline.

        A read that takes too long raises ``TimeoutError``. The reply's stream is patched for that, because a socket's
        own timeout starts anew with each byte. ``arguments`` and ``options`` are those of ``http.client.HTTPResponse``.
        """
        reply = http.client.HTTPResponse(connection, *arguments, **options)
        raw: Any = reply.fp.raw  # the socket's own stream
        read_without_deadline = raw.readinto

        def read_in_time(buffer: Any) -> int | None:
            """Read into a buffer as the stream does, but with a timeout that ends at the deadline; count the bytes."""
            connection.settimeout(min(self.limits.read, self.get_time_left()))
            size: int | None = read_without_deadline(buffer)
            self.received_bytes += size or 0
            return size

        raw.readinto = read_in_time
        return reply

    def _resolve(self, host: str, port: int) -> list[Endpoint]:
        """Return the numeric addresses that a host's name resolves to, each with ``port``. IPv6 may be in []."""
        answers = self.world.resolve(host.removeprefix("[").removesuffix("]"), port, type=socket.SOCK_STREAM)
        # The last part of an answer is (address, port, …).
        return [Endpoint(host, address[1], str(address[0])) for *_, address in answers]


def make_refusal(host: str) -> SourceError:
    """Return the error for a ``host`` in the user's own network, to which only an address from the user may lead.

    Feeds, redirects and lists from the network may not: see ``may_reach``.
    """
    problem = f"{host} is an address of this machine or its own network, where only you may lead"
    return SourceError(problem, remedy="give that address as a source yourself if you trust it")


_PASSING_STATUSES = frozenset({429, 500, 502, 503, 504})  # another attempt may succeed
_LINES = Path(__file__).with_name("faults.txt").read_text("utf-8").splitlines()
# (causes, problem, remedy): causes are a status of HTTP, or names of exception classes with spaces between.
_FAULTS = [line.split("|") for line in _LINES if not line.startswith("#")]


def make_answer_error(status: int, fields: Mapping[str, str]) -> AnswerError:
    """Return the error for an HTTP ``status`` other than success, with a remedy for the user.

    ``fields`` are the header fields that came with the status.

    >>> str(make_answer_error(404, {}))
    'the server answers 404 Not Found; check the address'
    """
    phrase = f" {HTTPStatus(status).phrase}" if status in set(HTTPStatus) else ""
    remedy = "try again later" if status == 429 or status >= 500 else "check the address"
    remedy = next((remedy for cause, _, remedy in _FAULTS if cause == str(status)), remedy)
    error = AnswerError(f"the server answers {status}{phrase}", remedy=remedy)
    error.code, error.fields = status, fields
    return error


def choose_pause(error: SourceError, attempt: int, world: World) -> float | None:
    """Return the seconds to wait before the next attempt; ``None`` if another attempt is useless.

    Only broken connections and the statuses 429, 500, 502, 503 and 504 are worth another attempt. The server's
    Retry-After decides; without it the pause doubles with each attempt, with some chance in it.

    Args:
        error: the reason why the last attempt failed
        attempt: the number of the last attempt, from 1
        world: gives the chance
    """
    server_pause = None
    if isinstance(error, AnswerError) and error.code in _PASSING_STATUSES:
        server_pause = parse_retry_after(error.fields.get("Retry-After", ""))
    elif not isinstance(error, BrokenError):
        return None
    return 2**attempt * (0.15 + 0.2 * world.chance()) if server_pause is None else server_pause


def parse_retry_after(value: str) -> float | None:
    """Return the seconds in a Retry-After field (RFC 9110, 10.2.3), at most 1e9; ``None`` for text such as a date.

    >>> [parse_retry_after(value) for value in ("7", "soon", "9" * 40)]
    [7.0, None, 1000000000.0]
    """
    return min(float(value), 1e9) if re.fullmatch(r"\s*[0-9]+\s*", value) else None


def explain_fault(error: Exception) -> SourceError:
    """Return an error in words, with a remedy, for an exception of the network.

    requests and urllib3 wrap the socket's exception in their own. All of them are looked at, and the first row of
    the table of faults with the name of one of their classes gives the words. The result is a ``BrokenError`` if
    another attempt may succeed.
    """
    errors: list[BaseException] = [error]
    for outer in errors:  # the list grows while it is read
        inner_errors = [*outer.args, getattr(outer, "reason", None), outer.__cause__, outer.__context__]
        errors += [inner for inner in inner_errors if isinstance(inner, BaseException) and inner not in errors]
    class_names = {kind.__name__ for each in errors for kind in type(each).__mro__}
    for causes, problem, remedy in _FAULTS:
        if not class_names.isdisjoint(causes.split()):
            return (BrokenError if "breaks" in problem else SourceError)(problem, remedy=remedy)
    reason = next((text for each in errors if (text := getattr(each, "strerror", None))), str(error))
    return SourceError(f"cannot be fetched: {for_message(str(reason))}", remedy="check the address and the network")
