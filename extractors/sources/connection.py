"""Open connections to checked addresses, and read from them no longer than a deadline allows.

A name is resolved once and the connection goes to the address that was checked, so a name server cannot give
a harmless answer to the check and another one to the connection (DNS rebinding). A timeout of a socket
starts anew with every byte; a deadline does not.
"""

from __future__ import annotations

import io
import random
import socket
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ..errors import SourceError
from .addresses import is_this_machine
from .origin import CONTENT, Endpoint, Origin, may_reach

if TYPE_CHECKING:
    from collections.abc import Callable


class UnreachableError(SourceError):
    """A server cannot be talked to at all: no name, no connection, no answer."""


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

    A body that comes at ``rate`` bytes a second or more gets the time it needs beyond ``total``. ``wire`` and
    ``body`` are bytes as sent and after decompression; ``redirects`` and ``attempts`` count.
    """

    connect: float = 5
    read: float = 10
    answer: float = 20
    total: float = 30
    rate: float = 200_000
    wire: int = 100_000_000
    body: int = 200_000_000
    redirects: int = 10
    attempts: int = 3


LIMITS = Limits()
WORLD = World()


@dataclass(slots=True)
class Connector:
    """Opens the connections of one fetch: until when, and where to.

    ``until`` is a moment of ``world.monotonic``. ``origin`` decides which addresses are allowed; ``reached`` collects
    the hosts and ports connected to that were not public.
    """

    world: World
    limits: Limits
    until: float
    origin: Origin = CONTENT
    reached: set[tuple[str, int]] = field(default_factory=set, init=False)

    def left(self) -> float:
        """Return the seconds until the deadline; raise ``TimeoutError`` after it."""
        left = self.until - self.world.monotonic()
        if left <= 0:
            raise TimeoutError("the time for the whole fetch is over")
        return left

    def open(self, host: str, port: int, *, proxy: bool = False) -> socket.socket:
        """Connect to a host, or to the user's own ``proxy``, which may have any address.

        Raises ``SourceError`` when the name has no address or no allowed one, ``TimeoutError`` and other ``OSError``
        when no connection is made.
        """
        ends = self._resolve(host, port)
        if not proxy:
            ends = [end for end in ends if may_reach(self.origin, end)]
        if not ends:
            raise make_refusal(host)
        problem: OSError = OSError("no address")
        for end in ends:
            try:
                connection = socket.create_connection((end.address, end.port), min(self.limits.connect, self.left()))
            except OSError as error:
                problem = error
                continue
            if not (proxy or may_reach(CONTENT, end)):
                self.reached.add((host.lower(), port))
            return connection
        raise problem

    def check_behind_proxy(self, host: str, port: int) -> None:
        """Raise ``SourceError`` if the target of a proxy is known not to be public.

        The proxy resolves the name, so only its spelling and the answer of our own resolver can be checked.
        """
        try:
            ends = [Endpoint(host, port, "::1")] if is_this_machine(host) else self._resolve(host, port)
        except SourceError:
            return  # only the proxy knows the name
        if not all(may_reach(self.origin, end) for end in ends):
            raise make_refusal(host)

    def _resolve(self, host: str, port: int) -> list[Endpoint]:
        """Return the ends of a connection to a host; the port of each is its own."""
        bare = host.removeprefix("[").removesuffix("]")
        try:
            answers = self.world.resolve(bare, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            problem = f"the name {host} cannot be resolved"
            raise UnreachableError(problem, remedy="check the address and the network") from error
        return [Endpoint(host, address[1], str(address[0])) for *_, address in answers]


class TimedReader(io.RawIOBase):
    """The reading end of a socket, with the deadline of its connector before every read."""

    def __init__(self, raw: io.RawIOBase, connection: socket.socket, connector: Connector) -> None:
        super().__init__()
        self._raw = raw
        self._connection = connection
        self._connector = connector

    def readable(self) -> bool:
        """Return true: this stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """Read the bytes that have arrived, within the connector's time; raise ``TimeoutError`` after that."""
        self._connection.settimeout(min(self._connector.limits.read, self._connector.left()))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        """Close the reading end, and so let the socket go."""
        self._raw.close()
        super().close()


def make_refusal(host: str) -> SourceError:
    """Return the error for an address inside that something from outside leads to."""
    return SourceError(
        f"{host} is an address of this machine or its own network, where only you may lead",
        remedy="give that address as a source yourself if you trust it",
    )
